"""What is kept: plain files that can be opened by hand, carried away, and broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit_widgets import Encounter, Side
from combatkit_widgets.history import History
from combatkit_widgets.keep import Shelf

OGRE = ck.load_ruleset("srd35").combatant("ogre")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "kept")


def test_nothing_is_made_before_something_is_kept(shelf: Shelf) -> None:
    assert shelf.names("encounters") == [] and shelf.last is None
    assert not shelf.folder.exists()


def test_what_is_kept_is_found_under_its_name(shelf: Shelf) -> None:
    encounter = Encounter(b=Side(fighter=OGRE, conditions={"prone"}), distance=5)
    shelf.keep("  Die Brücke / 2 ", encounter)
    shelf.keep("Ogre", OGRE)
    shelf.last = encounter
    moved = Shelf(shelf.folder.rename(shelf.folder.with_name("elsewhere")))
    assert moved.names("encounters") == ["Die Brücke / 2"] and moved.names("fighters") == ["Ogre"]
    assert moved.encounter("Die Brücke / 2") == encounter == moved.last
    assert moved.fighter("Ogre") == OGRE


def test_a_file_can_be_read_and_changed_by_hand(shelf: Shelf) -> None:
    shelf.keep("Guard", ck.Combatant(name="Guard", armor_class=16))
    (path,) = (shelf.folder / "fighters").iterdir()
    data = json.loads(path.read_text("utf-8"))
    assert data == {
        "combatkit": 1,
        "name": "Guard",
        "value": {"name": "Guard", "armor_class": 16},
    }
    data["value"]["hit_points"] = 11
    path.write_text(json.dumps(data))
    assert shelf.fighter("Guard").hit_points == 11


@pytest.mark.parametrize("name", ["", "   ", "?!", "x" * 81, "../../etc/passwd" * 9])
def test_a_name_that_makes_no_file_is_refused(shelf: Shelf, name: str) -> None:
    with pytest.raises(ck.CombatkitError, match="name"):
        shelf.keep(name, OGRE)
    assert not shelf.folder.exists()


@given(st.text(min_size=1, max_size=80))
def test_no_name_leaves_the_folder(name: str) -> None:
    shelf = Shelf("kept")
    try:
        path = shelf._path("fighters", name)
    except ck.CombatkitError:
        return
    assert path.parent == Path("kept", "fighters") and path.suffix == ".json"


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"combatkit": 99, "name": "Ogre", "value": {}}',
        '{"combatkit": 1, "name": "Ogre", "value": {"hit_pionts": 3}}',
        '{"combatkit": 1, "name": "Ogre"}',
        "[" * 100_000,
    ],
    ids=["cut off", "list", "newer", "unknown field", "empty", "deep"],
)
def test_a_broken_file_is_told_with_its_path(shelf: Shelf, content: str) -> None:
    shelf.keep("Ogre", OGRE)
    (path,) = (shelf.folder / "fighters").iterdir()
    path.write_text(content)
    with pytest.raises(ck.CombatkitError) as told:
        shelf.fighter("Ogre")
    assert str(path) in str(told.value)
    (shelf.folder / "last.json").write_text(content)
    with pytest.raises(ck.CombatkitError, match=r"last\.json"):
        shelf.last  # noqa: B018 - reading it is the test


def test_what_is_not_there(shelf: Shelf) -> None:
    with pytest.raises(ck.CombatkitError, match="nothing is kept as 'Orc'"):
        shelf.encounter("Orc")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ck.CombatkitError, match="cannot be written"):
        Shelf(tmp_path / "file").keep("Ogre", OGRE)


def test_history_remembers_what_was_before_and_forgets_what_was_undone() -> None:
    history = History([0])
    for value in (1, 1, 2, 3):
        history.add(value)
    assert history.values == [0, 1, 2, 3]
    assert [history.move(-1), history.move(-1), history.move(1)] == [2, 1, 2]
    history.add(9)
    assert history.values == [0, 1, 2, 9] and not history.can_redo
    assert history.move(-99) == 0 and not history.can_undo
    for value in range(10, 500):
        history.add(value)
    assert len(history.values) == 200 and history.values[history.place] == 499
