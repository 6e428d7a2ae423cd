"""Base attack, saves and attacks from classes, creature types and levels."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError, load_ruleset
from combatkit.rules import class_bonuses

SRD = load_ruleset("srd35")
CLASSES = [row.id for row in SRD.lookups.values() if row.table == "class"]

# base attack, Fortitude, Reflex, Will at level 20, as the class tables print them
AT_TWENTY = """
barbarian 20 12 6 6; bard 15 6 12 12; cleric 15 12 6 12; druid 15 12 6 12; fighter 20 12 6 6;
monk 15 12 12 12; paladin 20 12 6 6; ranger 20 12 12 6; rogue 15 6 12 6; sorcerer 10 6 6 12;
wizard 10 6 6 12; adept 10 6 6 12; aristocrat 15 6 6 12; commoner 10 6 6 6; expert 15 6 6 12;
warrior 20 12 6 6
"""


@pytest.mark.parametrize("row", AT_TWENTY.replace("\n", " ").split(";"), ids=str.strip)
def test_level_twenty_is_as_printed(row: str) -> None:
    name, *numbers = row.split()
    made = class_bonuses(SRD, {name: 20})
    saves = made.saves
    assert [made.base_attack, saves.fortitude, saves.reflex, saves.will] == list(map(int, numbers))
    assert made.attacks == {10: 2, 15: 3, 20: 4}[made.base_attack]


def test_classes_add_up_each_rounded_down() -> None:
    made = class_bonuses(SRD, {"rogue": 1, "wizard": 1, "bard": 1})
    assert made.base_attack == 0
    assert (made.saves.fortitude, made.saves.reflex, made.saves.will) == (0, 4, 4)
    assert class_bonuses(SRD, {"fighter": 6, "rogue": 2}).attacks == 2
    assert class_bonuses(SRD, {"giant": 4, "barbarian": 4}).base_attack == 7
    assert class_bonuses(SRD, {}).base_attack == 0


@given(st.dictionaries(st.sampled_from(CLASSES), st.integers(0, 30), max_size=4))
def test_levels_add_up_as_counted_one_by_one(levels: dict[str, int]) -> None:
    """The slow twin counts thresholds level by level in whole numbers."""
    attack = fortitude = 0
    for name, level in levels.items():
        cells = SRD.lookup("class", name).cells
        quarters = {"full": 4, "three_quarters": 3, "half": 2}[str(cells["base_attack"])]
        attack += sum(1 for n in range(1, level * quarters + 1) if n % 4 == 0)
        if cells["fortitude"] == "good":
            fortitude += (2 if level else 0) + sum(1 for n in range(1, level + 1) if n % 2 == 0)
        else:
            fortitude += sum(1 for n in range(1, level + 1) if n % 3 == 0)
    made = class_bonuses(SRD, levels) if fortitude <= 60 else None
    if made is not None and all(value <= 60 for _, value in made.saves):
        assert (made.base_attack, made.saves.fortitude) == (attack, fortitude)


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_has_a_hit_die_and_known_rates(name: str) -> None:
    row = SRD.lookup("class", name)
    assert row.number("hit_die") in (4, 6, 8, 10, 12)
    assert class_bonuses(SRD, {name: 1}).attacks == 1
    assert row.note.endswith(".")


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ({"figter": 3}, "fighter"),
        ({"fighter": -1}, "level"),
        ([3], "a dict is needed"),
        ({"bard": 1.5}, "level"),
    ],
)
def test_what_is_no_level_is_told(levels: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        class_bonuses(SRD, levels)
