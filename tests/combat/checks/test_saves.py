"""Saving throws and checks, face by face."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Dist, Situation, load_ruleset
from combatkit.combat.checks.saves import evasion_of, p_save, save_bonus, save_damage
from combatkit.combat.d20 import p_check
from combatkit.rules.classes import base_save

SRD = load_ruleset("srd35")
SAVES: tuple[Any, ...] = ("fortitude", "reflex", "will")


def _listed(bonus: int, dc: int, roll: str, special: bool) -> Fraction:
    good = 0
    for one, two in product(range(1, 21), repeat=2):
        face = {"normal": one, "advantage": max(one, two), "disadvantage": min(one, two)}[roll]
        passed = face + bonus >= dc
        if special:
            passed = face == 20 or (passed and face != 1)
        good += passed
    return Fraction(good, 400)


@pytest.mark.parametrize("roll", ["normal", "advantage", "disadvantage"])
def test_face_by_face(roll: Any) -> None:
    for bonus, dc in product((-3, 0, 7, 19), (1, 8, 15, 30)):
        assert p_check(bonus, dc, roll) == _listed(bonus, dc, roll, special=False)
        assert p_save(SRD, bonus, dc, roll) == _listed(bonus, dc, roll, special=True)


@pytest.mark.parametrize("roll", ["advantge", "", None, 5])
def test_an_unknown_way_to_roll_is_told(roll: Any) -> None:
    for check in (lambda: p_check(3, 10, roll), lambda: p_save(SRD, 3, 10, roll)):
        with pytest.raises(CombatkitError, match="advantage"):
            check()


DISTS = {"2d6": [a + b for a, b in product(range(1, 7), repeat=2)], "1d4": [1, 2, 3, 4], "5": [5]}


@pytest.mark.parametrize("evasion", ["none", "evasion", "improved_evasion"])
@pytest.mark.parametrize("on_success", ["half", "none"])
@pytest.mark.parametrize("rounding", ["down", "up"])
@pytest.mark.parametrize("text", DISTS)
def test_damage_and_save_roll_by_roll(
    text: str, rounding: str, on_success: Any, evasion: Any
) -> None:
    rules = SRD.with_switches(half_damage=rounding)
    weights: dict[int, Fraction] = {}
    for points, face in product(DISTS[text], range(1, 21)):
        half = -(-points // 2) if rounding == "up" else points // 2
        if face == 20 or (face + 3 >= 15 and face != 1):
            left = half if on_success == "half" and evasion == "none" else 0
        else:
            left = half if on_success == "half" and evasion == "improved_evasion" else points
        share = Fraction(1, 20 * len(DISTS[text]))
        weights[left] = weights.get(left, Fraction(0)) + share
    assert save_damage(rules, text, 3, 15, on_success, evasion) == Dist(weights)


@given(st.integers(-10, 30), st.integers(0, 9), st.integers(5, 30))
def test_a_better_save_never_hurts(bonus: int, more: int, dc: int) -> None:
    one, two = (save_damage(SRD, "3d6", b, dc) for b in (bonus, bonus + more))
    assert all(two.at_least(points) <= one.at_least(points) for points in range(20))
    kinds: tuple[Any, ...] = ("none", "evasion", "improved_evasion")
    means = [save_damage(SRD, "3d6", bonus, dc, evasion=kind).mean for kind in kinds]
    assert means == sorted(means, reverse=True)


@pytest.mark.parametrize(
    "name, cover, condition, reflex, evasion",
    [
        ("srd35", None, (), 3, "none"),
        ("srd35", "standard", (), 5, "none"),
        ("srd35", "soft", (), 3, "none"),
        ("srd35", "improved", (), 7, "improved_evasion"),
        ("srd35", "standard", ("cover",), 5, "none"),  # two covers are one
        ("classic", "standard", (), 5, "none"),
        ("classic", "improved", (), 7, "improved_evasion"),
        ("classic", "90", (), 5, "none"),
        ("phased", None, ("dodging",), 5, "none"),
        ("phased", None, ("stunned",), 3, "none"),
    ],
)
def test_cover_helps_reflex_saves_only(
    name: str, cover: str | None, condition: tuple[str, ...], reflex: int, evasion: str
) -> None:
    rules, there = load_ruleset(name), Situation(cover=cover, defender=condition)
    who = Combatant(saves={"fortitude": 1, "reflex": 3, "will": -1})
    totals = [save_bonus(rules, who, save, there).total for save in SAVES]
    assert totals == [1, reflex, -1]
    assert evasion_of(rules, there) == evasion


def test_bonuses_entered_by_hand_count_on_every_save() -> None:
    who = Combatant(bonuses=[{"to": "save", "value": 2}, {"to": "attack", "value": 5}])
    assert [save_bonus(SRD, who, save).total for save in SAVES] == [2, 2, 2]


def test_base_saves_of_twenty_levels() -> None:
    good = [base_save(SRD, level, "good") for level in range(1, 21)]
    poor = [base_save(SRD, level, "poor") for level in range(1, 21)]
    assert good == [2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12]
    assert poor == [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6]


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: save_damage(SRD, "6d", 3, 15), "dice"),
        (lambda: save_damage(SRD, "1d4-9", 3, 15), "negative"),
        (lambda: save_damage(SRD, "6d6", 3, 15, "halve"), "half"),  # type: ignore[arg-type]
        (lambda: save_damage(SRD, "6d6", 3, 15, evasion="improved"), "improved_evasion"),  # type: ignore[arg-type]
        (lambda: save_bonus(SRD, Combatant(), "refelx"), "reflex"),  # type: ignore[arg-type]
        (lambda: save_bonus(SRD, Combatant(), "reflex", Situation(cover="halff")), "cover"),
        (lambda: base_save(SRD, 101, "good"), "level"),
        (lambda: base_save(SRD, 5, "best"), "good"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_told(work: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()


def test_floods_of_dice_are_worked_out_or_refused(soon: Any) -> None:
    for text in ("1000d6", "100d1000", "10000d6"):
        with soon():
            try:
                assert save_damage(SRD, text, 3, 15).maximum > 0
            except CombatkitError as error:
                assert str(error)
