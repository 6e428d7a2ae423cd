"""Chases against every roll of the dice; long ones hour by hour."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import CombatkitError, load_ruleset
from combatkit.combat.checks.chase import Runner, hiding, long_chase, short_chase, speed_modifier
from combatkit.combat.checks.opposed import Check
from combatkit.combat.d20 import p_check

PHASED, SRD = load_ruleset("phased"), load_ruleset("srd35")
HALF = Fraction(1, 2)


def faces(who: Any) -> list[tuple[int, Fraction]]:
    if who.passive:
        return [(10, Fraction(1))]
    pick = {"normal": lambda a, b: a, "advantage": max, "disadvantage": min}[who.roll]
    weights: dict[int, Fraction] = {}
    for a, b in product(range(1, 21), repeat=2):
        weights[pick(a, b)] = weights.get(pick(a, b), Fraction(0)) + Fraction(1, 400)
    return list(weights.items())


def slow_chase(
    hunters: list[tuple[Any, int]], prey: list[tuple[Any, int]], tie: str
) -> dict[tuple[int, ...], Fraction]:
    """Roll for everybody; pairs of a runner and its whole bonus."""
    sets: dict[tuple[int, ...], Fraction] = {}
    for rolled in product(*(faces(who) for who, _ in (*hunters, *prey))):
        chance = Fraction(1)
        for _, part in rolled:
            chance *= part
        totals = [
            face + bonus for (face, _), (_, bonus) in zip(rolled, hunters + prey, strict=True)
        ]
        best, bonus = max((total, mine) for total, (_, mine) in zip(totals, hunters, strict=False))
        options: list[tuple[tuple[int, ...], Fraction]] = [((), chance)]
        for index, (_, own) in enumerate(prey):
            total = totals[len(hunters) + index]
            lost = Fraction(int(best > total))
            if best == total:
                by_bonus = HALF if bonus == own else Fraction(int(bonus > own))
                lost = {"higher_bonus": by_bonus, "always": Fraction(1)}.get(tie, Fraction(0))
            options = [
                (found, part * share)
                for old, part in options
                for found, share in (((*old, index), lost), (old, 1 - lost))
                if share
            ]
        for found, part in options:
            sets[found] = sets.get(found, Fraction(0)) + part
    return sets


CASES = [
    ([Runner(0)], [Runner(0)], 0, [0], [0]),
    ([Runner(2, 40)], [Runner(5, 30)], 80, [0], [1]),
    ([Runner(0, 40)], [Runner(0, 50)], 60, [-1], [4]),
    ([Runner(0, 40), Runner(3, 30)], [Runner(1, 30)], 45, [-1, -2], [-3]),
    ([Runner(1, 30)], [Runner(1, 30), Runner(0, 20)], 29, [1], [1, -4]),
    ([Runner(2, 30, passive=True)], [Runner(2, 30)], 0, [2], [2]),
    ([Runner(0, 30, "advantage")], [Runner(3, 33, passive=True)], 0, [0], [3]),
    ([Runner(0, 30, "disadvantage")], [Runner(3, 26)], 90, [-3], [3]),
]
TIES = {"higher_bonus": "higher_bonus", "caught": "always", "escapes": "never"}


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("hunters, prey, distance, theirs, ours", CASES)
def test_every_roll_of_the_dice(
    hunters: list[Runner],
    prey: list[Runner],
    distance: int,
    theirs: list[int],
    ours: list[int],
    tie: str,
) -> None:
    rules = PHASED.with_switches(chase_tie=tie)
    told = short_chase(rules, hunters, prey, distance)
    slow = slow_chase(
        list(zip(hunters, theirs, strict=True)), list(zip(prey, ours, strict=True)), TIES[tie]
    )
    assert told.sets == slow


@pytest.mark.parametrize("tie", ["higher_bonus", "seeker_wins", "seeker_loses"])
def test_hiding_from_every_roll(tie: str) -> None:
    rules = PHASED.with_switches(opposed_tie=tie)
    reading = {"seeker_wins": "always", "seeker_loses": "never"}.get(tie, tie)
    seekers, hidden = [Check(3), Check(1, passive=True)], [Check(4)]
    told = hiding(rules, hidden, seekers)
    pairs = [[(check, check.bonus) for check in side] for side in (seekers, hidden)]
    assert told.sets == slow_chase(*pairs, reading)


def test_speed_modifiers() -> None:
    speeds = {50: 8, 45: 6, 34: 0, 30: 0, 26: 0, 25: -2, 10: -8, 0: -12}
    assert {speed: speed_modifier(PHASED, speed, 30) for speed in speeds} == speeds


runners = st.lists(
    st.builds(Runner, st.integers(-5, 12), st.sampled_from([20, 30, 40])), min_size=1, max_size=3
)


@settings(max_examples=40)
@given(runners, runners, st.integers(0, 200), st.integers(1, 8))
def test_head_starts_and_skill_help(
    hunters: list[Runner], prey: list[Runner], distance: int, more: int
) -> None:
    told = short_chase(PHASED, hunters, prey, distance)
    assert sum(told.sets.values()) == 1
    assert told.count.mean == sum(told.each)
    better = [prey[0]._replace(bonus=prey[0].bonus + more), *prey[1:]]
    assert short_chase(PHASED, hunters, better, distance).each[0] <= told.each[0]
    readings = [
        short_chase(PHASED.with_switches(chase_tie=tie), hunters, prey, distance).count.mean
        for tie in ("escapes", "higher_bonus", "caught")
    ]
    assert readings == sorted(readings)
    ahead = short_chase(PHASED.with_switches(chase_tie="caught"), hunters, prey, distance + 400)
    near = short_chase(PHASED.with_switches(chase_tie="caught"), hunters, prey, distance)
    assert all(far <= close for far, close in zip(ahead.each, near.each, strict=True))


def slow_long(lasting: list[Fraction], mine: Fraction, hours: int) -> dict[str, Fraction]:
    """Follow one fugitive and every set of pursuers still running, hour by hour."""
    ends = {"overtaken": Fraction(0), "escapes": Fraction(0), "both": Fraction(0)}
    running = {tuple(range(len(lasting))): Fraction(1)}
    for _ in range(hours):
        later: dict[tuple[int, ...], Fraction] = {}
        for team, chance in running.items():
            for kept in product([True, False], repeat=len(team)):
                part = chance
                for who, stays in zip(team, kept, strict=True):
                    part *= lasting[who] if stays else 1 - lasting[who]
                left = tuple(who for who, stays in zip(team, kept, strict=True) if stays)
                ends["overtaken" if left else "both"] += part * (1 - mine)
                if left:
                    later[left] = later.get(left, Fraction(0)) + part * mine
                else:
                    ends["escapes"] += part * mine
        running = later
    ends["open"] = sum(running.values(), Fraction(0))
    return ends


@pytest.mark.parametrize(
    "hunters", [[Runner(0)], [Runner(0), Runner(5, 25)], [Runner(2), Runner(-4), Runner(9)]]
)
@pytest.mark.parametrize(
    "mine", [Runner(4), Runner(0, 40), Runner(0, 20), Runner(-20), Runner(3, passive=True)]
)
def test_long_chases_hour_by_hour(hunters: list[Runner], mine: Runner) -> None:
    told = long_chase(PHASED, hunters, [Runner(1), mine], dc=12)
    slow = slow_long(list(told.pursuers), told.fugitives[1], 40)
    for name, chance in (
        ("overtaken", told.p_overtaken(1)),
        ("escapes", told.p_escapes(1)),
        ("both", told.p_both_drop(1)),
    ):
        assert 0 <= chance - slow[name] <= slow["open"]
    assert told.p_overtaken(1) + told.p_escapes(1) + told.p_both_drop(1) == 1
    assert told.pursuers[0] == p_check(hunters[0].bonus, 12)


def test_hours_of_a_long_chase() -> None:
    hunt = long_chase(PHASED, [Runner(0), Runner(0)], [Runner(4)], dc=11)
    assert (hunt.pursuers, hunt.fugitives) == ((HALF, HALF), (Fraction(7, 10),))
    assert hunt.all_run_on(0) == hunt.runs_on(0, 0) == hunt.pursued(0) == 1
    assert hunt.all_run_on(3) == Fraction(7, 40) ** 3
    assert hunt.runs_on(0, 3) == Fraction(7, 10) ** 3
    assert hunt.pursued(3) == 1 - (1 - HALF**3) ** 2


def test_either_side_may_raise_the_chase_speed() -> None:
    slow, quick = Runner(0, 30), Runner(0, 40)
    usual = long_chase(PHASED, [slow], [quick], dc=11)
    raised = long_chase(PHASED, [slow], [quick], dc=11, chase_speed=40)
    assert (usual.pursuers, usual.fugitives) == ((HALF,), (Fraction(7, 10),))
    assert (raised.pursuers, raised.fugitives) == ((Fraction(3, 10),), (HALF,))
    for speed in (25, 45):
        with pytest.raises(CombatkitError, match="chase speed"):
            long_chase(PHASED, [slow], [quick], dc=11, chase_speed=speed)


def test_nobody_ever_drops_or_everybody_at_once() -> None:
    tireless = long_chase(PHASED, [Runner(30)], [Runner(30), Runner(0)], dc=11)
    assert tireless.p_overtaken(0) == tireless.p_escapes(0) == 0
    assert tireless.p_overtaken(1) == 1
    weary = long_chase(PHASED, [Runner(-30)], [Runner(-30)], dc=11)
    assert weary.p_both_drop(0) == 1


def test_crowds_are_worked_out_soon(soon: Any) -> None:
    crowd = [Runner(i, 30 + 5 * i, "advantage") for i in range(10)]
    with soon():
        assert sum(short_chase(PHASED, crowd, crowd, 100).sets.values()) == 1
        assert long_chase(PHASED, crowd, crowd, 25).p_overtaken(3) > 0


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: short_chase(PHASED, [], [Runner()]), "pursuers"),
        (lambda: short_chase(PHASED, [Runner()], []), "fugitives"),
        (lambda: short_chase(PHASED, [Runner()] * 11, [Runner()]), "1 to 10"),
        (lambda: short_chase(PHASED, [Runner(0, 0)], [Runner()]), "speed of 0"),
        (lambda: short_chase(PHASED, [Runner()], [Runner(0, -5)]), "speed"),
        (lambda: short_chase(PHASED, [Runner(10**9)], [Runner()]), "bonus"),
        (lambda: short_chase(PHASED, [Runner()], [Runner()], -1), "distance"),
        (lambda: short_chase(PHASED, Runner(), [Runner()]), "a list"),  # type: ignore[arg-type]
        (lambda: short_chase(PHASED, [(3, 30)], [Runner()]), "no Runner"),  # type: ignore[list-item]
        (lambda: short_chase(SRD, [Runner()], [Runner()]), "chase"),
        (lambda: long_chase(PHASED, [Runner()], [Runner()], 10**9), "difficulty"),
        (lambda: long_chase(PHASED, [Runner()], [Runner()], 10).all_run_on(10**9), "hours"),
        (lambda: long_chase(PHASED, [Runner()], [Runner()], 10).runs_on(1, 2), "index"),
        (lambda: hiding(PHASED, [], [0]), "1 to 10"),
    ],
)
def test_what_cannot_be_is_told(work: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()
