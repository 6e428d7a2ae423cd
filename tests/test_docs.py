"""The examples of the chapters and the README run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import combatkit.combat

ROOT = Path(__file__).parent.parent
CHAPTERS = sorted((ROOT / "docs" / "chapters").glob("*.md"))


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)
def test_examples_of_a_chapter(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


def test_the_example_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert block is not None
    names: dict[str, object] = {}
    exec(block.group(1), names)  # our own page, not anybody's input
    for line, said in re.findall(r"^(\S+)\s+# (Fraction\(.*\))$", block.group(1), re.MULTILINE):
        assert repr(eval(line, names)) == said


def test_every_public_function_has_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in CHAPTERS)
    functions = {name for name in combatkit.combat.__all__ if name[0].islower()}
    assert {name for name in functions if not re.search(rf"\bck\.{name}\b", pages)} == set()
