"""The examples of the chapters and the README run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import combatkit as ck

ROOT = Path(__file__).parent.parent
ROOMS = ("attacks", "checks", "health", "turns", "maneuvers", "board", "fights", "sweeps")
CHAPTERS = sorted((ROOT / "docs").glob("*/*.md"))


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_examples_of_a_chapter(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0 or page.name == "README.md"  # a room's page is a list
    assert result.failed == 0


def test_the_example_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert block is not None
    names: dict[str, object] = {}
    exec(block.group(1), names)  # our own page, not anybody's input
    for line, said in re.findall(r"^(\S+)\s+# (Fraction\(.*\))$", block.group(1), re.MULTILINE):
        assert repr(eval(line, names)) == said


def public() -> dict[str, str]:
    """Return each public name of combat and how it is reached."""
    rooms = {name: f"ck.{room}.{name}" for room in ROOMS for name in getattr(ck, room).__all__}
    return rooms | {name: f"ck.{name}" for name in ck.NAMES}


def test_every_public_function_has_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in CHAPTERS)
    functions = {way for name, way in public().items() if name[0].islower()}
    assert len(functions) > 80
    assert {way for way in functions if not re.search(rf"\b{way}\b", pages)} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_a_page_that_links_its_chapters(room: str) -> None:
    page = (ROOT / "docs" / room / "README.md").read_text("utf-8")
    sentence = (getattr(ck, room).__doc__ or "").strip().partition(": ")[2]
    assert sentence and sentence.rstrip(".") in page.replace("\n", " ")
    chapters = {path.name for path in (ROOT / "docs" / room).glob("*.md")} - {"README.md"}
    assert chapters and chapters <= set(re.findall(r"\]\((\w+\.md)\)", page))


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*CHAPTERS, *(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page}: {target}"
