"""The far ends of what may be entered: a right answer or a friendly error, and soon."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

import pytest

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    dying,
    full_attack,
    kill_time,
    load_ruleset,
    survival,
    sweep,
)
from combatkit.combat.attacks.full_attack import FullAttack

SRD, PHASED = load_ruleset("srd35"), load_ruleset("phased")
CLUB = Combatant(attack_bonus=5, weapons=["club"])
Soon = Callable[[], AbstractContextManager[None]]


@pytest.mark.parametrize(
    "bonus, ac, p_hit",
    [
        (-60, 150, Fraction(1, 20)),
        (100, -60, Fraction(19, 20)),
        (100, 150, Fraction(1, 20)),
        (-60, -60, Fraction(19, 20)),
    ],
)
def test_only_a_twenty_hits_and_only_a_one_misses(bonus: int, ac: int, p_hit: Fraction) -> None:
    for rules in (SRD, PHASED):
        hero = Combatant(attack_bonus=bonus, weapons=["club"])
        assert attack(rules, hero, Combatant(armor_class=ac)).p_hit == p_hit


@pytest.mark.parametrize(
    "field, value",
    [
        ("attack_bonus", -61),
        ("armor_class", 151),
        ("hit_points", 2001),
        ("hit_points", -10),
        ("base_attack", 61),
        ("dodge", 10**30),
        ("name", "x" * 81),
        ("sneak_attack", "9" * 300),
        ("sneak_attack", "999999d999999"),
        ("weapons", [{"damage": "1d0"}]),
        ("size", "x" * 10_000),
    ],
)
def test_beyond_the_limits_is_told(field: str, value: Any, soon: Soon) -> None:
    with soon(), pytest.raises(CombatkitError, match=field):
        Combatant(**{field: value})


@pytest.mark.parametrize("strength", [0, 1, 100])
def test_any_strength(strength: int) -> None:
    hero = Combatant(abilities={"str": strength}, weapons=["greatsword"])
    made = attack(SRD, hero, Combatant())
    assert made.damage_bonus.total == {0: -5, 1: -5, 100: 67}[strength]
    assert made.hit_damage.minimum >= 1


@pytest.mark.parametrize("text", ["0", "1", "-5", "1d4-100"])
def test_dice_that_are_hardly_any(text: str) -> None:
    made = attack(SRD, CLUB, Combatant(armor_class=10), Weapon(damage=text))
    least = 0 if text == "0" else 1
    assert (made.hit_damage.minimum, made.hit_damage.maximum) == (least, least)


def test_a_flood_of_extra_dice(soon: Soon) -> None:
    with soon():
        made = attack(SRD, CLUB, Combatant(armor_class=10), Weapon(damage="1d6", extra="1000d6"))
        assert made.hit_damage.maximum == 6006
        assert made.critical_damage.maximum == 6012
        assert sum(p for _, p in made.damage.items()) == 1


@pytest.mark.parametrize(
    "weapon",
    [
        {"damage": "1000d6", "multiplier": 10},
        {"damage": "100d1000", "multiplier": 10},
        {"damage": "20d20kh10+20d20kl10", "multiplier": 10},
        {"damage": "1d6", "extra": "1400d6"},
    ],
)
def test_floods_of_dice_are_worked_out_or_refused(weapon: dict[str, Any], soon: Soon) -> None:
    with soon():
        _or_told(
            lambda: (
                full_attack(
                    SRD, Combatant(base_attack=16, weapons=[weapon]), Combatant()
                ).damage.mean
            )
        )


def _or_told(work: Callable[[], object]) -> object:
    try:
        return work()
    except CombatkitError as error:
        assert str(error)
        return None


def _duel(hit_points: int, ac: int = 30) -> FullAttack:
    body = Combatant(armor_class=ac, hit_points=hit_points)
    return full_attack(SRD, SRD.combatant("fighter_16"), body)


@pytest.mark.parametrize("hit_points", [-9, -1, 0])
@pytest.mark.parametrize("rules", [SRD, PHASED], ids=repr)
def test_fallen_from_the_start(rules: Any, hit_points: int) -> None:
    made = attack(rules, CLUB, Combatant(armor_class=10, hit_points=hit_points))
    told = survival(made, rounds=3)
    assert told.by_round[0][rules.state_of(hit_points)] == 1
    assert kill_time(made).mean == 0
    assert sweep(rules, CLUB, Combatant(hit_points=hit_points)).base.rounds_to_kill == 0


def test_two_thousand_hit_points_for_ten_rounds(soon: Soon) -> None:
    with soon():
        told = survival(_duel(2000), rounds=10, keeps_striking=True)
    assert told.by_round[-1]["up"] == 1


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("hit_points", [60, 2000])
def test_two_hundred_rounds(hit_points: int, keeps: bool, soon: Soon) -> None:
    with soon():
        _or_told(lambda: survival(_duel(hit_points), rounds=200, keeps_striking=keeps).p_alive)


@pytest.mark.parametrize("hit_points", [2000, 5000, 10**6, 10**12])
def test_kill_time_of_a_mountain(hit_points: int, soon: Soon) -> None:
    with soon():
        _or_told(lambda: kill_time(_duel(1), hit_points).mean)
        _or_told(lambda: kill_time(_duel(1), hit_points).by(1000))


@pytest.mark.parametrize("rounds", [-1, 201, 10**9])
def test_rounds_have_limits(rounds: int, soon: Soon) -> None:
    for work in (lambda: survival(_duel(9), rounds), lambda: sweep(SRD, CLUB, CLUB, rounds=rounds)):
        with soon(), pytest.raises(CombatkitError, match="rounds must be 0 to 200"):
            work()


@pytest.mark.parametrize("heal", [-1000, 1000])
def test_healers_of_no_and_of_all_skill(heal: int) -> None:
    assert dying(SRD, -9, heal=heal).p_stable == (1 if heal > 0 else Fraction(1, 10))


def test_turns_have_limits(soon: Soon) -> None:
    fate = dying(PHASED, 0)
    with soon():
        assert fate.after(1000)["dying"] > 0
    for turns in (-1, 10**9):
        with soon(), pytest.raises(CombatkitError, match="steps"):
            fate.after(turns)


@pytest.mark.parametrize(
    "field, value",
    [
        ("distance", 10**40),
        ("damage_multiplier", 11),
        ("miss_chances", [-1]),
        ("attack_bonus", 51),
        ("roll", "x" * 10_000),
        ("touch", "maybe"),
    ],
)
def test_a_situation_beyond_the_limits_is_told(field: str, value: Any, soon: Soon) -> None:
    with soon(), pytest.raises(CombatkitError, match=field):
        Situation(**{field: value})


def test_everything_at_once(soon: Soon) -> None:
    """All rows ticked on both sides: more than any table will ever see, and still exact."""
    for name in ("srd35", "classic", "phased"):
        rules = load_ruleset(name)
        there = Situation(
            attacker=set(rules.conditions["attacker"]),
            touch=True,
            distance=5,
            defender=set(rules.conditions["defender"]),
            roll="advantage",
        )
        with soon():
            made = full_attack(
                rules, rules.combatant("rogue_6"), rules.combatant("ogre"), situation=there
            )
            assert sum(p for _, p in made.damage.items()) == 1
            assert sum(survival(made, 5, keeps_striking=True).in_the_end.values()) == 1
