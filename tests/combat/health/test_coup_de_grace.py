"""Coup de grace against every roll of the dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, coup_de_grace, load_ruleset
from combatkit.combat.health.coup_de_grace import CoupDeGrace, sneak_attack_dice
from combatkit.rules import Ruleset

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))


def slow_fates(
    faces: list[int], flat: int, times: int, extra: list[int], fortitude: int, points: int
) -> tuple[Fraction, Fraction, Fraction]:
    """Roll the damage `times` times, extra dice once, then the save by its faces."""
    by_damage = by_save = Fraction(0)
    rolls = list(product(*[range(1, sides + 1) for sides in faces * times + extra]))
    for roll in rolls:
        damage = max(1, sum(roll) + times * flat)
        if points - damage <= -10:
            by_damage += 1
            continue
        failed = sum(
            face == 1 or (face != 20 and face + fortitude < 10 + damage) for face in range(1, 21)
        )
        by_save += Fraction(failed, 20)
    total = len(rolls)
    return by_damage / total, by_save / total, 1 - (by_damage + by_save) / total


CASES = [
    ([8], 3, 2, [], 5, 30),
    ([4], 0, 2, [], -3, 3),
    ([6], 1, 2, [6], 4, 5),
    ([3, 3], 2, 2, [4], 10, 2),
    ([4], -3, 3, [], 0, -9),
    ([2], 0, 4, [], 12, 0),
]


@pytest.mark.parametrize("rules", [SRD, CLASSIC], ids=repr)
@pytest.mark.parametrize("faces, flat, times, extra, fortitude, points", CASES)
def test_every_roll_of_the_dice(
    rules: Ruleset,
    faces: list[int],
    flat: int,
    times: int,
    extra: list[int],
    fortitude: int,
    points: int,
) -> None:
    blade = Weapon(damage="+".join(f"1d{sides}" for sides in faces), multiplier=times)
    killer = Combatant(weapons=[blade], sneak_attack="+".join(f"1d{sides}" for sides in extra))
    victim = Combatant(hit_points=points, saves={"fortitude": fortitude})
    end = coup_de_grace(rules, killer, victim, situation=Situation(damage_bonus=flat))
    told = (end.p_killed_by_damage, end.p_killed_by_save, end.p_survives)
    assert told == slow_fates(faces, flat, times, extra, fortitude, points)
    assert sum(end.fates.values()) == 1
    assert end.possible and end.provokes and end.full_rounds == 1


def _end(situation: Situation | None = None, weapon: Any = "longsword", **who: Any) -> CoupDeGrace:
    victim = Combatant(hit_points=20, name="Golem", **who)
    return coup_de_grace(SRD, Combatant(), victim, weapon, situation or Situation())


def test_temporary_hit_points_and_states() -> None:
    blade = Weapon(damage="6")
    victim = Combatant(hit_points=10, temporary_hit_points=4, saves={"fortitude": 60})
    end = coup_de_grace(SRD, Combatant(weapons=[blade]), victim)
    assert end.fates == {
        "killed_by_damage": 0,
        "killed_by_save": Fraction(1, 20),
        "up": Fraction(19, 20),
    }
    weaker = victim.model_copy(update={"temporary_hit_points": 2})
    assert coup_de_grace(SRD, Combatant(weapons=[blade]), weaker).fates["disabled"] == Fraction(
        19, 20
    )


def test_readings_of_the_save() -> None:
    lucky = SRD.with_switches(save_natural_20="total_decides")
    sleeper = Combatant(hit_points=90)
    end = coup_de_grace(lucky, Combatant(), sleeper, Weapon(damage="50"))
    assert end.p_survives == 0
    sure = SRD.with_switches(save_natural_1="total_decides")
    hero = Combatant(hit_points=90, saves={"fortitude": 60})
    assert coup_de_grace(sure, Combatant(), hero, "dagger").p_survives == 1


@pytest.mark.parametrize(
    "situation, weapon, who, words",
    [
        (None, "longsword", {"critical_immune": True}, "Golem is immune"),
        (None, "javelin", {}, "no melee weapon"),
        (Situation(distance=10), "longbow", {}, "adjacent"),
        (Situation(distance=10), "longsword", {}, "reach"),
        (Situation(cover="total"), "longsword", {}, "no attack"),
    ],
)
def test_when_it_cannot_be_delivered(
    situation: Situation | None, weapon: str, who: dict[str, Any], words: str
) -> None:
    end = _end(situation, weapon, **who)
    assert not end.possible and words in end.why_not
    assert end.damage.maximum == 0 and end.p_survives == 1 and end.fates["up"] == 1


@pytest.mark.parametrize("weapon", ["longbow", "light_crossbow", "longsword", "dagger"])
def test_what_it_can_be_delivered_with(weapon: str) -> None:
    assert _end(Situation(distance=5), weapon).possible
    assert _end(None, weapon).possible


@pytest.mark.parametrize(
    "there, rounds",
    [
        ({"concealment": "total"}, 2),
        ({"defender": {"invisible"}}, 2),
        ({"miss_chances": [50]}, 2),
        ({"concealment": "standard"}, 1),
        ({"miss_chances": [20]}, 1),
        ({}, 1),
    ],
)
def test_hidden_victims_take_two_rounds(there: dict[str, Any], rounds: int) -> None:
    rogue = Combatant(sneak_attack="3d6", weapons=["dagger"])
    end = coup_de_grace(SRD, rogue, Combatant(hit_points=30), situation=Situation(**there))
    assert end.full_rounds == rounds
    assert end.damage.maximum == 2 * 4 + 18  # found is found: sneak attack dice and all


def test_phased_has_none() -> None:
    with pytest.raises(CombatkitError, match="no coup de grace"):
        coup_de_grace(PHASED, Combatant(), Combatant())


@given(st.integers(0, 60), st.integers(-5, 20), st.integers(1, 10))
def test_toughness_never_kills(points: int, fortitude: int, more: int) -> None:
    def survives(hit_points: int, save: int) -> Fraction:
        victim = Combatant(hit_points=hit_points, saves={"fortitude": save})
        return coup_de_grace(SRD, Combatant(), victim, "greatsword").p_survives

    assert survives(points, fortitude + more) >= survives(points, fortitude)
    assert survives(points + more, fortitude) >= survives(points, fortitude)


def test_sneak_attack_dice() -> None:
    levels = (1, 2, 3, 19, 20, 100)
    assert [sneak_attack_dice(SRD, n) for n in levels] == [
        "1d6",
        "1d6",
        "2d6",
        "10d6",
        "10d6",
        "50d6",
    ]
    for level in (0, 101, -3):
        with pytest.raises(CombatkitError, match="rogue level"):
            sneak_attack_dice(SRD, level)


def test_a_flood_of_dice(soon: Any) -> None:
    with soon():
        victim = Combatant(hit_points=2000, saves={"fortitude": 60})
        end = coup_de_grace(SRD, Combatant(), victim, Weapon(damage="100d6", extra="1000d6"))
        assert sum(end.fates.values()) == 1
