"""Chases: on short distance, over hours, and hiding from pursuers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import NamedTuple

from combatkit.combat.checks.opposed import (
    FARTHEST,
    MOST,
    Check,
    Selection,
    check_total,
    seekers_tie,
    selection,
)
from combatkit.combat.d20 import Roll
from combatkit.errors import CombatkitError
from combatkit.prob.exact import within
from combatkit.rules import Ruleset

MOST_HOURS = 1000
FASTEST = 10_000  # feet


class Runner(NamedTuple):
    """Somebody in a chase.

    Attributes
    ----------
    bonus : int
        On Run/Jump checks, or on endurance checks in a long chase; -1000 to 1000.
    speed : int
        Feet, 0 to 10,000.
    roll : {"normal", "advantage", "disadvantage"}
    passive : bool
        Whether a fixed number stands for the die.
    """

    bonus: int = 0
    speed: int = 30
    roll: Roll = "normal"
    passive: bool = False


def speed_modifier(rules: Ruleset, speed: int, chase_speed: int) -> int:
    """Check modifier for each full step of speed above or below the chase speed.

    Source: Phased combat, Short-distance chase.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> [speed_modifier(load_ruleset("phased"), speed, 30) for speed in (40, 30, 20, 28)]
    [4, 0, -4, 0]
    """
    steps, step = speed - chase_speed, rules.number("chase.speed_step")
    full = abs(steps) // step * rules.number("chase.per_step")
    return full if steps > 0 else -full


def short_chase(
    rules: Ruleset,
    pursuers: Sequence[Runner],
    fugitives: Sequence[Runner],
    distance: int = 0,
) -> Selection:
    """Work out who is overtaken in a short chase.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``chase_tie`` decides a tie.
    pursuers, fugitives : sequence of Runner
        1 to 10 each. The fastest pursuer sets the chase speed.
    distance : int, optional
        Feet between the two groups when the chase begins.

    Returns
    -------
    Selection
        Of the fugitives: those overtaken, which is to lose against the best pursuer. They are back
        in combat with the pursuers acting first, and too winded to run again for 10 minutes.

    Notes
    -----
    Everybody rolls once; a roll again after a tie is between the best pursuer and each fugitive.
    Source: Phased combat, Short-distance chase, which leaves ties open.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> hunt = short_chase(rules, [Runner(2, 40)], [Runner(5, 30), Runner(5, 40)], distance=80)
    >>> hunt.each, hunt.count.p(0)
    ((Fraction(171, 400), Fraction(21, 80)), Fraction(783, 1600))
    """
    speed = _chase_speed(pursuers)
    within(distance, "the distance", 0, 10**6)
    behind = distance // speed * rules.number("chase.per_increment")
    tie = {"caught": "always", "escapes": "never"}.get(rules.switch("chase_tie"), "higher_bonus")
    return selection(
        rules,
        [_check(rules, who, speed, behind) for who in pursuers],
        [_check(rules, who, speed) for who in _runners(fugitives, "fugitives")],
        "below_highest",
        tie,
    )


def _runners(group: Sequence[Runner], what: str) -> Sequence[Runner]:
    if isinstance(group, (str, Runner)) or not isinstance(group, Sequence):
        raise CombatkitError(f"{what}: a list of runners is needed, not {group!r:.60}")
    within(len(group), f"the number of {what}", 1, MOST)
    for who in group:
        if not isinstance(who, Runner):
            raise CombatkitError(f"{what}: {who!r:.60} is no Runner")
        within(who.speed, f"{what}: a speed", 0, FASTEST)
        within(who.bonus, f"{what}: a bonus", -FARTHEST, FARTHEST)
    return group


def _chase_speed(pursuers: Sequence[Runner]) -> int:
    speed = max(who.speed for who in _runners(pursuers, "pursuers"))
    if not speed:
        raise CombatkitError("pursuers: nobody can chase with a speed of 0")
    return speed


def _check(rules: Ruleset, who: Runner, speed: int, extra: int = 0) -> Check:
    return Check(who.bonus + speed_modifier(rules, who.speed, speed) + extra, who.roll, who.passive)


def winded_rounds(rules: Ruleset) -> int:
    """Tell in how many rounds somebody overtaken can run again.

    Source: Phased combat, Short-distance chase, too winded.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> winded_rounds(load_ruleset("phased"))
    100
    """
    return rules.number("chase.rest_minutes") * 60 // rules.number("round.seconds")


def hiding(
    rules: Ruleset, fugitives: Sequence[int | Check], pursuers: Sequence[int | Check]
) -> Selection:
    """Work out which fugitives are found when they hide instead of running on.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``opposed_tie`` decides a tie.
    fugitives : sequence of int or Check
        Camouflage bonuses, 1 to 10.
    pursuers : sequence of int or Check
        Track or Spot bonuses, 1 to 10; the best roll counts against everybody.

    Returns
    -------
    Selection
        Of the fugitives: those found.

    Notes
    -----
    Source: Phased combat, Hiding from pursuers.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> hiding(load_ruleset("phased"), [4], pursuers=[0]).each
    (Fraction(3, 10),)
    """
    return selection(rules, pursuers, fugitives, "below_highest", seekers_tie(rules))


@dataclass(frozen=True)
class LongChase:
    """A chase over hours, in which everybody checks endurance each hour until they drop.

    Attributes
    ----------
    chase_speed : int
        Feet.
    pursuers, fugitives : tuple of Fraction
        Chance of each to last an hour.
    """

    chase_speed: int
    pursuers: tuple[Fraction, ...]
    fugitives: tuple[Fraction, ...]

    def all_run_on(self, hours: int) -> Fraction:
        """Chance that after so many hours (0 to 1000) nobody has dropped."""
        return prod((*self.pursuers, *self.fugitives)) ** _hours(hours)

    def runs_on(self, fugitive: int, hours: int) -> Fraction:
        """Chance that a fugitive has not dropped after so many hours."""
        return self._of(fugitive) ** _hours(hours)

    def pursued(self, hours: int) -> Fraction:
        """Chance that some pursuer has not dropped after so many hours."""
        _hours(hours)
        return 1 - prod((1 - lasts**hours for lasts in self.pursuers), start=Fraction(1))

    def p_overtaken(self, fugitive: int) -> Fraction:
        """Chance that a fugitive drops while some pursuer still runs."""
        lasts = self._of(fugitive)
        return _sum(
            sign * (1 - lasts) * together / (1 - lasts * together)
            for sign, together in self._teams()
            if lasts * together < 1
        )

    def p_escapes(self, fugitive: int) -> Fraction:
        """Chance that a fugitive still runs when the last pursuer drops."""
        lasts = self._of(fugitive)
        return _sum(
            sign * lasts * (1 - together) / (1 - lasts * together)
            for sign, together in self._teams()
            if lasts * together < 1
        )

    def p_both_drop(self, fugitive: int) -> Fraction:
        """Chance that a fugitive and the last pursuer drop in the same hour."""
        lasts = self._of(fugitive)
        return _sum(
            sign * (1 - lasts) * (1 - together) / (1 - lasts * together)
            for sign, together in self._teams()
            if lasts * together < 1
        )

    def _of(self, fugitive: int) -> Fraction:
        return self.fugitives[within(fugitive, "a fugitive's index", 0, len(self.fugitives) - 1)]

    def _teams(self) -> Iterable[tuple[int, Fraction]]:
        """Inclusion and exclusion over the pursuers: who of them run on together."""
        for size in range(1, len(self.pursuers) + 1):
            for team in combinations(self.pursuers, size):
                yield (1 if size % 2 else -1), prod(team, start=Fraction(1))


def _sum(parts: Iterable[Fraction]) -> Fraction:
    return sum(parts, Fraction(0))


def _hours(hours: int) -> int:
    return within(hours, "hours", 0, MOST_HOURS)


def long_chase(
    rules: Ruleset,
    pursuers: Sequence[Runner],
    fugitives: Sequence[Runner],
    dc: int,
    chase_speed: int | None = None,
) -> LongChase:
    """Work out a chase over hours.

    Parameters
    ----------
    rules : Ruleset
    pursuers, fugitives : sequence of Runner
        1 to 10 each, with their bonuses on endurance checks.
    dc : int
        Of the hourly check; the document gives none.
    chase_speed : int, optional
        Feet, when either side raises it above the fastest pursuer's speed; at most the speed of
        the fastest of all.

    Returns
    -------
    LongChase

    Notes
    -----
    Source: Phased combat, Long-distance chase.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> hunt = long_chase(load_ruleset("phased"), [Runner(0)], [Runner(4)], dc=11)
    >>> hunt.all_run_on(2), hunt.p_overtaken(0), hunt.p_escapes(0), hunt.p_both_drop(0)
    (Fraction(49, 400), Fraction(3, 13), Fraction(7, 13), Fraction(3, 13))
    """
    slowest = _chase_speed(pursuers)
    fastest = max(slowest, *(who.speed for who in _runners(fugitives, "fugitives")))
    speed = slowest if chase_speed is None else chase_speed
    within(speed, "the chase speed", slowest, fastest)
    within(dc, "the difficulty", -FARTHEST, FARTHEST)

    def lasting(group: Sequence[Runner]) -> tuple[Fraction, ...]:
        checks = (_check(rules, who, speed) for who in group)
        return tuple(check_total(rules, check).at_least(dc) for check in checks)

    return LongChase(speed, lasting(pursuers), lasting(fugitives))
