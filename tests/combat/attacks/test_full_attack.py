"""The full attack: which strikes it has, and its damage against a convolution by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, full_attack, load_ruleset
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.rules.classes import attacks_per_round
from combatkit.view import result_html

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
GUARD = Combatant(armor_class=15, hit_points=10)
CLAW = {"id": "claw", "label": "Claw", "hand": "natural", "damage": "1d4", "attacks": 2}
BITE = {"id": "bite", "label": "Bite", "hand": "natural_secondary", "damage": "1d6"}


def _round(
    name: str = "srd35",
    strength: int = 16,
    base: int = 6,
    off_hand: Any = None,
    weapon: Any = None,
    grip: Any = None,
    there: Situation | None = None,
    **who: Any,
) -> FullAttack:
    hero = Combatant(abilities={"str": strength}, base_attack=base, **who)
    return full_attack(RULES[name], hero, GUARD, weapon, there or Situation(), grip, off_hand)


def _told(made: FullAttack) -> list[tuple[str, int, int]]:
    return [(one.weapon.id, one.attack_bonus.total, one.damage_bonus.total) for one in made.strikes]


@pytest.mark.parametrize(
    "base, count",
    [(0, 1), (5, 1), (6, 2), (10, 2), (11, 3), (15, 3), (16, 4), (20, 4), (60, 4), (-5, 1)],
)
def test_attacks_by_base_attack_bonus(base: int, count: int) -> None:
    for name in ("srd35", "classic"):
        assert attacks_per_round(RULES[name], base) == count
        made = [one.attack_bonus.total for one in _round(name, base=base, weapons=["club"]).strikes]
        assert made == [base + 3 - 5 * number for number in range(count)]
    assert len(_round("phased", base=base, weapons=["club"]).strikes) == 1


TWF = ["two_weapon_fighting"]
PLANS: list[tuple[dict[str, Any], list[tuple[str, int, int]]]] = [
    ({"weapons": ["greatsword"]}, [("greatsword", 9, 4), ("greatsword", 4, 4)]),
    ({"weapons": ["longsword"], "grip": "two_handed"}, [("longsword", 9, 4), ("longsword", 4, 4)]),
    (
        {"weapons": ["longsword"], "off_hand": "short_sword", "feats": TWF},
        [("longsword", 7, 3), ("longsword", 2, 3), ("short_sword", 7, 1)],
    ),
    (
        {"weapons": ["longsword"], "off_hand": "longsword", "feats": TWF},
        [("longsword", 5, 3), ("longsword", 0, 3), ("longsword", 5, 1)],
    ),
    (
        {"weapons": ["longsword"], "off_hand": "short_sword"},
        [("longsword", 5, 3), ("longsword", 0, 3), ("short_sword", 1, 1)],
    ),
    (
        {"weapons": ["longsword"], "off_hand": "unarmed_strike"},
        [("longsword", 5, 3), ("longsword", 0, 3), ("unarmed_strike", 1, 1)],
    ),
    (
        {
            "weapons": ["longsword"],
            "off_hand": "dagger",
            "feats": [*TWF, "improved_two_weapon_fighting"],
        },
        [("longsword", 7, 3), ("longsword", 2, 3), ("dagger", 7, 1), ("dagger", 2, 1)],
    ),
    (
        {
            "weapons": ["longsword"],
            "off_hand": "dagger",
            "feats": [*TWF, "improved_two_weapon_fighting", "greater_two_weapon_fighting"],
        },
        [
            ("longsword", 7, 3),
            ("longsword", 2, 3),
            ("dagger", 7, 1),
            ("dagger", 2, 1),
            ("dagger", -3, 1),
        ],
    ),
    # a double weapon: its other end counts as light
    (
        {"weapons": ["quarterstaff"], "off_hand": "quarterstaff", "feats": TWF},
        [("quarterstaff", 7, 3), ("quarterstaff", 2, 3), ("quarterstaff", 7, 1)],
    ),
    (
        {"weapons": ["quarterstaff"], "off_hand": "quarterstaff"},
        [("quarterstaff", 5, 3), ("quarterstaff", 0, 3), ("quarterstaff", 1, 1)],
    ),
    # thrown from each hand: dart and shuriken count as light, javelin does not
    ({"weapons": ["dart"], "off_hand": "dart"}, [("dart", 2, 3), ("dart", -3, 3), ("dart", -2, 1)]),
    (
        {"weapons": ["javelin"], "off_hand": "javelin"},
        [("javelin", 0, 3), ("javelin", -5, 3), ("javelin", -4, 1)],
    ),
    # natural weapons: no further attacks for base attack; secondary at -5 and half Strength
    ({"weapons": [CLAW, BITE]}, [("claw", 9, 3), ("claw", 9, 3), ("bite", 4, 1)]),
    (
        {"weapons": [CLAW, BITE], "feats": ["multiattack"]},
        [("claw", 9, 3), ("claw", 9, 3), ("bite", 7, 1)],
    ),
    ({"weapons": ["club", BITE, "dagger"]}, [("club", 9, 3), ("club", 4, 3), ("bite", 4, 1)]),
    ({"weapons": ["club", BITE], "weapon": "club"}, [("club", 9, 3), ("club", 4, 3)]),
    ({"weapons": [CLAW, BITE], "weapon": "bite"}, [("bite", 4, 1)]),
]


@pytest.mark.parametrize("name", ["srd35", "classic"])
@pytest.mark.parametrize("plan, expected", PLANS)
def test_the_strikes_of_a_round(
    name: str, plan: dict[str, Any], expected: list[tuple[str, int, int]]
) -> None:
    assert _told(_round(name, **plan)) == expected


def test_the_ends_of_a_double_weapon_have_their_own_dice() -> None:
    made = _round(weapons=["dwarven_urgrosh"], off_hand="dwarven_urgrosh", base=1)
    assert [one.blow.dice for one in made.strikes] == ["1d8", "1d6"]
    small = _round(weapons=["dwarven_urgrosh"], off_hand="dwarven_urgrosh", base=1, size="small")
    assert [one.blow.dice for one in small.strikes] == ["1d6", "1d4"]


@pytest.mark.parametrize("name, feats", [("srd35", ["weapon_finesse"]), ("phased", [])])
def test_the_other_end_is_light_for_the_penalties_only(name: str, feats: list[str]) -> None:
    """The *penalties* apply as if it were light; it is finessed no more than the first."""
    hero = Combatant(abilities={"dex": 18}, base_attack=1, weapons=["quarterstaff"], feats=feats)
    made = full_attack(RULES[name], hero, GUARD, off_hand="quarterstaff").strikes
    assert [one.attack_bonus.total for one in made] == [1 - 4, 1 - 8]


@pytest.mark.parametrize(
    "weapon, off_hand", [("greatsword", "dagger"), ("longbow", "dagger"), ("dagger", "greatsword")]
)
def test_two_hands_hold_no_two_handed_weapon_beside_another(weapon: str, off_hand: str) -> None:
    with pytest.raises(CombatkitError, match="two"):
        _round(weapons=[weapon], off_hand=off_hand)


def test_daggers_thrown_from_each_hand() -> None:
    made = _round(
        weapons=["dagger"], off_hand="dagger", grip="thrown", base=1, there=Situation(distance=20)
    )
    assert [one.possible for one in made.strikes] == [True, True]
    assert [one.attempt.mode for one in made.strikes] == ["ranged", "ranged"]


@pytest.mark.parametrize(
    "plan",
    [
        {"weapons": ["longsword"]},
        {"weapons": ["dagger"], "off_hand": "club"},
        {"weapons": [CLAW, BITE]},
    ],
)
@pytest.mark.parametrize("name", RULES)
def test_damage_is_the_convolution_of_the_strikes(name: str, plan: dict[str, Any]) -> None:
    made = _round(name, base=6, **plan)
    odds: dict[int, Fraction] = {}
    for parts in product(*(list(one.damage.items()) for one in made.strikes)):
        total = sum(value for value, _ in parts)
        odds[total] = odds.get(total, Fraction(0)) + prod((p for _, p in parts), start=Fraction(1))
    assert dict(made.damage.items()) == odds


def test_hits_of_a_round_by_listing_who_hits() -> None:
    made = _round(base=16, weapons=["longsword"])
    some = every = expected = Fraction(0)
    for outcome in product([True, False], repeat=len(made.strikes)):
        chance = prod(
            (
                one.p_hit if hit else 1 - one.p_hit
                for one, hit in zip(made.strikes, outcome, strict=True)
            ),
            start=Fraction(1),
        )
        some += chance * any(outcome)
        every += chance * all(outcome)
        expected += chance * sum(outcome)
    assert (made.p_any_hit, made.p_all_hit, made.expected_hits) == (some, every, expected)


def test_an_impossible_strike_does_nothing_and_the_others_strike_on() -> None:
    reach = _round(weapons=["glaive", BITE], there=Situation(distance=10))
    assert [one.possible for one in reach.strikes] == [True, True, False]
    assert reach.damage == reach.strikes[0].damage + reach.strikes[1].damage
    none = _round(weapons=["longsword"], there=Situation(cover="total"))
    assert (none.damage.maximum, none.p_any_hit, none.expected_hits) == (0, 0, 0)


@settings(max_examples=30)
@given(st.integers(-5, 20), st.integers(5, 40))
def test_a_round_hits_at_least_as_often_as_its_first_strike(base: int, ac: int) -> None:
    hero = Combatant(base_attack=base, weapons=["longsword"])
    made = full_attack(RULES["srd35"], hero, Combatant(armor_class=ac))
    assert made.strikes[0].p_hit <= made.p_any_hit <= 1
    assert made.p_all_hit <= made.strikes[-1].p_hit
    assert sum(p for _, p in made.damage.items()) == 1


def test_the_page_is_safe() -> None:
    page = result_html(_round(weapons=[{"label": "<img>", "damage": "1d4"}]))
    assert "<img>" not in page
    assert page.count("<tr>") == 3
