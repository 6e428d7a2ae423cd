"""Public names: each is reached in one way, seen by completion, and typed."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

import combatkit as ck
from combatkit.view import result_html

ROOMS = sorted(ck.ROOMS)


def test_the_names_of_an_ordinary_user_are_few() -> None:
    assert 15 <= len(ck.NAMES) <= 30


def test_each_name_has_one_way() -> None:
    ways = [name for room in ROOMS for name in getattr(ck, room).__all__]
    assert sorted({name for name in ways if ways.count(name) > 1}) == []
    assert set(ways) & set(ck.NAMES) == set()


@pytest.mark.parametrize("name", ck.__all__)
def test_each_name_can_be_fetched(name: str) -> None:
    assert getattr(ck, name).__doc__


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_completes_to_its_public_names(room: str) -> None:
    module = getattr(ck, room)
    assert dir(module) == sorted(module.__all__)
    assert all(getattr(module, name) is not None for name in module.__all__)


def test_completion_offers_all_and_nothing_else() -> None:
    assert dir(ck) == sorted([*ck.__all__, "__version__"])


def test_a_name_looked_for_in_the_wrong_place_is_pointed_out() -> None:
    with pytest.raises(AttributeError, match=r"it is ck\.turns\.provokes$"):
        ck.provokes  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'provoke'$"):
        ck.provoke  # noqa: B018


def test_what_is_fetched_late_is_what_the_type_checker_sees() -> None:
    assert ck.__file__ is not None
    tree = ast.parse(Path(ck.__file__).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.name: f"{node.module}.{alias.name}" if alias.name in ck.ROOMS else node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == {**ck.NAMES, **ck.ROOMS}


def test_importing_loads_no_room() -> None:
    code = "import sys, combatkit; print([name for name in sys.modules if 'combatkit.' in name])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.stdout.strip() == "['combatkit.errors']"


def test_what_notebooks_show_is_what_the_view_can_write() -> None:
    kinds = [kind for kind in result_html.registry if kind is not object]
    written = {kind.__name__: kind.__module__ for kind in kinds}
    assert written == ck.SHOWN


def test_a_notebook_shows_a_result_as_html(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    ck._show_in_notebooks()
    rules = ck.load_ruleset("srd35")
    swing = ck.attack(rules, ck.Combatant(name="<b>", attack_bonus=6), ck.Combatant())
    shown, _ = shell.display_formatter.format(swing)
    assert shown["text/html"] == result_html(swing)
    assert "&lt;b&gt;" in shown["text/html"]
