"""Awareness against every roll of the dice; who acts in the surprise round."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import CombatkitError, Situation, attack, load_ruleset
from combatkit.combat.checks.opposed import Check
from combatkit.combat.turns.surprise import awareness, surprise_round
from combatkit.rules import Combatant

CLASSIC, SRD, PHASED = (load_ruleset(name) for name in ("classic", "srd35", "phased"))
HALF = Fraction(1, 2)


def faces(check: Check) -> list[tuple[int, int]]:
    """Result and weight of each way a check may fall."""
    if check.passive:
        return [(10 + check.bonus, 400)]
    pick = {"normal": lambda a, b: a, "advantage": max, "disadvantage": min}[check.roll]
    return [(pick(a, b) + check.bonus, 1) for a, b in product(range(1, 21), repeat=2)]


def slow_awareness(
    watchers: list[Check], hiders: list[Check], tie: str
) -> dict[tuple[int, ...], Fraction]:
    """Roll for everybody; a watcher needs the worst of those who hide."""
    dists = []
    for check in (*watchers, *hiders):
        weights: dict[int, Fraction] = {}
        for result, weight in faces(check):
            weights[result] = weights.get(result, Fraction(0)) + Fraction(weight, 400)
        dists.append(list(weights.items()))
    sets: dict[tuple[int, ...], Fraction] = {}
    for rolled in product(*dists):
        chance = Fraction(1)
        for _, part in rolled:
            chance *= part
        results = [result for result, _ in rolled]
        worst, bonus = min(
            (result, check.bonus)
            for result, check in zip(results[len(watchers) :], hiders, strict=True)
        )
        options = [((), chance)]
        for index, (mine, check) in enumerate(zip(results, watchers, strict=False)):
            wins = Fraction(int(mine > worst))
            if mine == worst:
                by_bonus = HALF if check.bonus == bonus else Fraction(int(check.bonus > bonus))
                wins = {"higher_bonus": by_bonus, "seeker_wins": Fraction(1)}.get(tie, Fraction(0))
            options = [
                (found, part * share)
                for old, part in options
                for found, share in (((*old, index), wins), (old, 1 - wins))
                if share
            ]
        for found, part in options:
            sets[found] = sets.get(found, Fraction(0)) + part
    return sets


CASES = [
    ([Check(0)], [Check(0)]),
    ([Check(2), Check(0)], [Check(5)]),
    ([Check(1)], [Check(4), Check(1)]),
    ([Check(3, passive=True)], [Check(3)]),
    ([Check(3)], [Check(0, passive=True), Check(3)]),
    ([Check(0, "advantage")], [Check(2, "disadvantage")]),
    ([Check(2), Check(2)], [Check(2, passive=True)]),
]


@pytest.mark.parametrize("tie", ["higher_bonus", "seeker_wins", "seeker_loses"])
@pytest.mark.parametrize("watchers, hiders", CASES)
def test_every_roll_of_the_dice(watchers: list[Check], hiders: list[Check], tie: str) -> None:
    rules = CLASSIC.with_switches(opposed_tie=tie)
    assert awareness(rules, watchers, hiders).sets == slow_awareness(watchers, hiders, tie)


bonuses = st.lists(st.integers(-5, 25), min_size=1, max_size=4)


@settings(max_examples=40)
@given(bonuses, bonuses, st.integers(1, 9))
def test_keener_eyes_and_more_to_see_never_hurt(
    watchers: list[int], hiders: list[int], more: int
) -> None:
    seen = awareness(SRD, watchers, hiders)
    assert sum(seen.sets.values()) == 1
    assert seen.count.mean == sum(seen.each)
    keener = awareness(SRD, [watchers[0] + more, *watchers[1:]], hiders)
    assert keener.each[0] >= seen.each[0]
    assert keener.each[1:] == seen.each[1:]
    crowd = awareness(SRD, watchers, [*hiders, hiders[0]])
    assert all(now >= before for now, before in zip(crowd.each, seen.each, strict=True))


def test_crowds_are_worked_out_soon(soon: Callable[..., Any]) -> None:
    with soon():
        seen = awareness(SRD, [Check(i, "advantage") for i in range(10)], list(range(10)))
        assert sum(seen.sets.values()) == 1


@pytest.mark.parametrize("flags", list(product([False, True], repeat=4)))
def test_by_awareness_and_by_surprise_is_the_same(flags: tuple[bool, ...]) -> None:
    """simplified words it both ways: not all aware, or not all surprised (catalogue A2)."""
    sides = list("aabb")
    told = surprise_round(CLASSIC, flags, sides=sides)
    surprised = [
        not flag and any(other for other, team in zip(flags, sides, strict=True) if team != side)
        for flag, side in zip(flags, sides, strict=True)
    ]
    assert told.happens == (any(flags) and not all(flags))
    assert told.happens == (any(surprised) and not all(surprised))
    assert set(told.acts) == (
        {i for i, flag in enumerate(flags) if flag} if told.happens else set()
    )


def test_who_acts_in_each_ruleset() -> None:
    flags = [True, True, True, False]
    assert surprise_round(CLASSIC, flags).acts == (0, 1, 2)
    assert surprise_round(PHASED, flags).acts == (0,)
    assert surprise_round(PHASED, flags, planned=[2, 1]).acts == (1, 2)
    assert surprise_round(PHASED, flags, planned=[2, 1]).waits == (0, 3)
    assert surprise_round(PHASED.with_switches(surprise_acts="aware"), flags).acts == (0, 1, 2)
    assert surprise_round(CLASSIC.with_switches(surprise_acts="planned"), flags).acts == (0,)
    assert surprise_round(CLASSIC, flags).allowance == "a standard action and free actions"
    assert surprise_round(PHASED, flags).allowance == "a whole turn"


def test_no_surprise_where_an_enemy_is_aware_or_nobody_is() -> None:
    assert not surprise_round(PHASED, [True, False, True], sides=list("aab")).happens
    assert surprise_round(PHASED, [True, False, False], sides=list("aab")).happens
    assert not surprise_round(PHASED, [False, False]).happens
    assert not surprise_round(PHASED, [True, True], sides=list("aa")).happens
    nothing = surprise_round(CLASSIC, [True])
    assert (nothing.happens, nothing.acts, nothing.waits) == (False, (), ())


@pytest.mark.parametrize("rules, loses", [(CLASSIC, 3), (SRD, 3), (PHASED, 3)], ids=repr)
def test_the_row_of_those_who_wait_lowers_armor_class(rules: Any, loses: int) -> None:
    victim = Combatant(abilities={"dex": 14}, dodge=1, hit_points=5)
    row = surprise_round(rules, [True, False]).condition
    there = Situation(defender={row})
    usual, caught = (
        attack(rules, Combatant(), victim, situation=s).armor_class.total
        for s in (Situation(), there)
    )
    assert usual - caught == loses


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: surprise_round(SRD, []), "1 to 100"),
        (lambda: surprise_round(SRD, "yes"), "a list"),  # type: ignore[arg-type]
        (lambda: surprise_round(SRD, [True, False], sides=["a"]), "1 given for 2"),
        (lambda: surprise_round(PHASED, [True, False], planned=[1]), "not aware"),
        (lambda: surprise_round(PHASED, [True, False], planned=[5]), "index"),
        (
            lambda: surprise_round(PHASED, [True, True, False], sides=list("abb"), planned=[0, 1]),
            "side",
        ),
        (lambda: awareness(SRD, [], [0]), "1 to 10"),
        (lambda: awareness(SRD, [0] * 11, [0]), "1 to 10"),
        (lambda: awareness(SRD, [10**6], [0]), "bonus"),
        (lambda: awareness(SRD, [Check(0, "advantge")], [0]), "advantage"),  # type: ignore[arg-type]
        (lambda: awareness(SRD, Check(3), [0]), "a list"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_told(work: Callable[[], object], words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()
