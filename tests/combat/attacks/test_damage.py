"""What is added to damage, which dice are rolled, and when extra dice apply; all by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatkit import Combatant, Situation, Weapon, attack, load_ruleset
from combatkit.combat.attacks.attack import Strike

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
GUARD = Combatant(armor_class=15, abilities={"dex": 14}, hit_points=10)


def _make(
    who: Combatant, weapon: Any, name: str = "srd35", grip: Any = None, **there: Any
) -> Strike:
    return attack(RULES[name], who, GUARD, weapon, Situation(**there), grip)


# weapon, grip, and the share of a Strength of 17 (+3), 18 (+4), 8 (-1) and 10 (+0)
SHARES: list[tuple[Any, Any, tuple[int, int, int, int]]] = [
    ("longsword", None, (3, 4, -1, 0)),
    ("longsword", "two_handed", (4, 6, -1, 0)),
    ("longsword", "off_hand", (1, 2, -1, 0)),
    ("greatsword", None, (4, 6, -1, 0)),
    ("dagger", "two_handed", (3, 4, -1, 0)),
    ("unarmed_strike", "two_handed", (3, 4, -1, 0)),
    ("dagger", "thrown", (3, 4, -1, 0)),
    ("javelin", None, (3, 4, -1, 0)),
    ("sling", None, (3, 4, -1, 0)),
    ("longbow", None, (0, 0, -1, 0)),
    ("shortbow", None, (0, 0, -1, 0)),
    ("heavy_crossbow", None, (0, 0, 0, 0)),
    ("composite_longbow", None, (0, 0, -1, 0)),
    (Weapon(base="composite_longbow", strength_rating=2), None, (2, 2, -1, 0)),
    (Weapon(base="composite_longbow", strength_rating=9), None, (3, 4, -1, 0)),
    (Weapon(hand="natural", damage="1d6"), None, (3, 4, -1, 0)),
    (Weapon(hand="natural_sole", damage="1d6"), None, (4, 6, -1, 0)),
    (Weapon(hand="natural_secondary", damage="1d6"), None, (1, 2, -1, 0)),
    ("spear", None, (4, 6, -1, 0)),
    ("spear", "thrown", (3, 4, -1, 0)),
]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("weapon, grip, shares", SHARES)
def test_strength(name: str, weapon: Any, grip: Any, shares: tuple[int, ...]) -> None:
    scores = (17, 18, 8, 10)
    made = [_make(Combatant(abilities={"str": score}), weapon, name, grip) for score in scores]
    assert tuple(one.damage_bonus.total for one in made) == shares


@pytest.mark.parametrize("grip, down, up", [("off_hand", 1, 2), ("two_handed", 4, 5)])
def test_halves_are_rounded_as_chosen(grip: str, down: int, up: int) -> None:
    who = Combatant(abilities={"str": 17})
    upward = RULES["srd35"].with_switches(rounding="up")
    assert _make(who, "longsword", grip=grip).damage_bonus.total == down
    made = attack(upward, who, GUARD, "longsword", grip=grip)  # type: ignore[arg-type]
    assert made.damage_bonus.total == up


@pytest.mark.parametrize(
    "parts, weapon, expected",
    [
        ({"feats": ["weapon_specialization:longsword"]}, "longsword", 2),
        ({"feats": ["weapon_specialization:longsword"]}, "dagger", 0),
        (
            {
                "feats": [
                    "weapon_specialization:longsword",
                    "greater_weapon_specialization:longsword",
                ]
            },
            "longsword",
            4,
        ),
        ({}, Weapon(base="longsword", enhancement=3), 3),
        ({}, Weapon(base="longsword", masterwork=True), 0),
        (
            {
                "bonuses": [
                    {"to": "damage", "value": 2, "type": "morale"},
                    {"to": "damage", "value": 3, "type": "morale"},
                ]
            },
            "club",
            3,
        ),
    ],
)
def test_other_bonuses(parts: dict[str, Any], weapon: Any, expected: int) -> None:
    assert _make(Combatant(**parts), weapon).damage_bonus.total == expected


def test_dice_by_size_of_the_wielder() -> None:
    expected = {"small": "1d6", "medium": "1d8", "large": "2d6"}
    for size, dice in expected.items():
        assert _make(Combatant(size=size), "longsword").blow.dice == dice
    printed = Weapon(damage="3d6")
    assert _make(Combatant(size="colossal"), printed).blow.dice == "3d6"


ROGUE = Combatant(abilities={"str": 10}, sneak_attack="3d6", weapons=["shortsword"])
DENIED = ("blinded", "cowering", "flat_footed", "grappling", "helpless", "pinned", "stunned")


@pytest.mark.parametrize(
    "there, weapon, applies",
    [
        ({}, "club", False),
        *(({"defender": {row}}, "club", True) for row in DENIED),
        *(
            ({"defender": {row}}, "club", False)
            for row in ("prone", "kneeling", "squeezing", "entangled")
        ),
        ({"attacker": {"flanking"}}, "club", True),
        ({"attacker": {"flanking"}}, "shortbow", False),
        ({"attacker": {"invisible"}}, "club", True),
        ({"attacker": {"invisible"}}, "shortbow", True),
        ({"defender": {"flat_footed"}, "distance": 30}, "shortbow", True),
        ({"defender": {"flat_footed"}, "distance": 35}, "shortbow", False),
        ({"defender": {"flat_footed"}, "concealment": "light"}, "club", False),
        ({"defender": {"flat_footed"}, "miss_chances": 20}, "club", False),
        ({"defender": {"flat_footed"}, "cover": "standard"}, "club", True),
    ],
)
def test_when_a_sneak_attack_applies(there: dict[str, Any], weapon: str, applies: bool) -> None:
    who = ROGUE.model_copy(update={"weapons": ()})
    assert _make(who, weapon, **there).blow.extra == ("3d6" if applies else "")


def test_a_sneak_attack_needs_an_anatomy() -> None:
    bones = Combatant(armor_class=15, critical_immune=True)
    who = ROGUE.model_copy(update={"weapons": ()})
    made = attack(RULES["srd35"], who, bones, "club", Situation(defender={"flat_footed"}))
    assert made.blow.extra == ""


def test_extra_dice_add_up_and_are_not_multiplied() -> None:
    flame = Weapon(base="longsword", extra="1d6 fire")
    made = _make(ROGUE.model_copy(update={"weapons": ()}), flame, defender={"stunned"})
    assert (made.hit_damage.minimum, made.hit_damage.maximum) == (1 + 1 + 3, 8 + 6 + 18)
    assert (made.critical_damage.minimum, made.critical_damage.maximum) == (2 + 4, 16 + 24)
    everything = _make(ROGUE.model_copy(update={"weapons": ()}), flame, "phased")
    assert everything.critical_damage.minimum == everything.critical_damage.maximum == 8 + 6


def test_a_hit_deals_at_least_one_after_everything() -> None:
    weak = Combatant(abilities={"str": 1})  # -5
    made = _make(weak, "dagger")
    assert (made.hit_damage.minimum, made.hit_damage.maximum) == (1, 1)
    assert made.critical_damage.maximum == 1  # 2d4 - 10
    assert made.damage.maximum == 1
    each = RULES["srd35"].with_switches(minimum_damage="each_roll")
    assert attack(each, weak, GUARD, "dagger").critical_damage.minimum == 2


def test_ability_damage_lowers_what_depends_on_the_score() -> None:
    rules = load_ruleset("srd35")
    hero = Combatant(abilities={"str": 16, "dex": 14}, weapons=["longsword"])
    weak = hero.model_copy(update={"ability_damage": {"str": 5, "dex": 20}})
    before, after = attack(rules, hero, hero), attack(rules, weak, weak)
    assert (before.attack_bonus.total, before.damage_bonus.total) == (3, 3)
    assert (after.attack_bonus.total, after.damage_bonus.total) == (0, 0)
    assert (before.armor_class.total, after.armor_class.total) == (
        12,
        5,
    )  # a score of 0 at the least
