"""One item, its parts together: an enhancement improves its item's bonus and falls with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, Situation, Weapon, attack, load_ruleset

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
ITEMS = {  # kind: the field of its own bonus, and what that is worth
    "armor": ({"armor": "chain_shirt"}, 4),
    "shield": ({"shield": "heavy_steel"}, 2),
    "natural_armor": ({"natural_armor": 4}, 4),
}


def _armor_class(name: str, who: Combatant, **there: Any) -> int:
    return attack(RULES[name], Combatant(), who, "club", Situation(**there)).armor_class.total


def _bonus(value: int, type: str) -> dict[str, Any]:
    return {"to": "armor_class", "value": value, "type": type}


def test_armor_and_its_enhancement_are_one_bonus() -> None:
    worn = {"armor": "chain_shirt", "armor_enhancement": 3}
    for name in ("srd35", "classic"):
        assert _armor_class(name, Combatant(**worn, bonuses=[_bonus(6, "armor")])) == 17
        assert _armor_class(name, Combatant(**worn, bonuses=[_bonus(8, "armor")])) == 18
        assert _armor_class(name, Combatant(**worn)) == 17


@pytest.mark.parametrize("kind", ITEMS)
@given(st.integers(0, 8), st.integers(0, 8), st.integers(0, 8))
def test_the_better_of_item_and_separate_bonus_counts(
    kind: str, enhancement: int, other: int, spell: int
) -> None:
    """By hand: the item with the best of its improvements, or the other bonus of the type."""
    fields, own = ITEMS[kind]
    hand = [_bonus(other, kind), _bonus(spell, f"{kind}_enhancement")]
    who = Combatant(**fields, **{f"{kind}_enhancement": enhancement}, bonuses=hand)
    assert _armor_class("srd35", who) == 10 + max(own + max(enhancement, spell), other)
    bare = Combatant(**{f"{kind}_enhancement": enhancement}, bonuses=hand)
    assert _armor_class("srd35", bare) == 10 + max(enhancement, spell, other)
    assert _armor_class("srd35", who, touch=True) == 10


@pytest.mark.parametrize("kind", ITEMS)
def test_an_improvement_falls_with_its_item_and_says_so(kind: str) -> None:
    fields, _ = ITEMS[kind]
    who = Combatant(**fields, **{f"{kind}_enhancement": 1}, bonuses=[_bonus(9, kind)])
    made = attack(RULES["srd35"], Combatant(), who, "club").armor_class
    fallen = {line.type: line.why for line in made.lines if not line.counted}
    assert set(fallen) == {kind, f"{kind}_enhancement"}
    assert "falls with" in fallen[f"{kind}_enhancement"]
    assert made.total == 19


def test_in_phased_the_magic_bonus_is_a_bonus_of_its_own() -> None:
    who = Combatant(armor="chain_shirt", armor_enhancement=3, bonuses=[_bonus(6, "armor")])
    assert _armor_class("phased", who) == 10 + 6 + 3
    hide = Combatant(natural_armor=2, natural_armor_enhancement=3, deflection=1)
    assert _armor_class("phased", hide) == 10 + 2 + 3
    assert _armor_class("phased", hide, touch=True) == 10 + 3


def test_a_given_armor_class_stays_what_it_is() -> None:
    who = Combatant(
        armor_class=20, armor="chain_shirt", armor_enhancement=2, bonuses=[_bonus(5, "armor")]
    )
    assert _armor_class("srd35", who) == 20
    assert _armor_class("srd35", who, touch=True) == 14


def test_masterwork_and_magic_are_one_enhancement() -> None:
    def made(**weapon: Any) -> tuple[int, int]:
        held = Weapon(base="longsword", **weapon)
        one = attack(RULES["srd35"], Combatant(), Combatant(), held)
        return one.attack_bonus.total, one.damage_bonus.total

    assert made(masterwork=True) == (1, 0)
    assert made(masterwork=True, enhancement=2) == made(enhancement=2) == (2, 2)
    spell = {"to": "attack", "value": 3, "type": "enhancement"}
    blessed = Combatant(bonuses=[spell])
    held = Weapon(base="longsword", enhancement=2)
    one = attack(RULES["srd35"], blessed, Combatant(), held)
    assert (one.attack_bonus.total, one.damage_bonus.total) == (3, 2)
