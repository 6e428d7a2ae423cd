"""Opposed checks: several roll against the best, or the worst, of several others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, NamedTuple

from combatkit.combat.d20 import Roll, face_weights
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Ruleset

MOST = 10  # on either side: every set of them gets its own odds
FARTHEST = 1000  # bonus


class Check(NamedTuple):
    """A check about to be made.

    Attributes
    ----------
    bonus : int
        -1000 to 1000.
    roll : {"normal", "advantage", "disadvantage"}
    passive : bool
        Whether a fixed number stands for the die.
    """

    bonus: int = 0
    roll: Roll = "normal"
    passive: bool = False


@dataclass(frozen=True)
class Selection:
    """Which of several are singled out: the exact odds of every set of them.

    Attributes
    ----------
    size : int
        How many there are.
    sets : dict
        Tuple of the indices singled out, ascending, to its chance; none 0.
    """

    size: int
    sets: dict[tuple[int, ...], Fraction]

    @property
    def each(self) -> tuple[Fraction, ...]:
        """Chance of each, by index."""
        return tuple(
            sum((chance for chosen, chance in self.sets.items() if index in chosen), Fraction(0))
            for index in range(self.size)
        )

    @property
    def count(self) -> Dist:
        """How many are singled out."""
        weights = dict.fromkeys(range(self.size + 1), Fraction(0))
        for chosen, chance in self.sets.items():
            weights[len(chosen)] += chance
        return Dist(weights)

    @property
    def p_all(self) -> Fraction:
        """Chance that all are."""
        return self.count.p(self.size)

    @property
    def p_any(self) -> Fraction:
        """Chance that at least one is."""
        return 1 - self.count.p(0)


@dataclass(frozen=True)
class OpposedCheck:
    """One roll against another: the exact odds of each way it ends.

    Attributes
    ----------
    margin : Dist
        Total of the one who tries something less the total of the one who resists.
    p_success : Fraction
        Chance that the one who tries prevails, ties settled.
    """

    margin: Dist
    p_success: Fraction

    @property
    def p_failure(self) -> Fraction:
        """Chance that the one who resists prevails."""
        return 1 - self.p_success

    @property
    def p_tie(self) -> Fraction:
        """Chance that the totals come out equal, before the tie is settled."""
        return self.margin.p(0)


def opposed_check(
    rules: Ruleset, attacker: int | Check, defender: int | Check, tie: str | None = None
) -> OpposedCheck:
    """Work out one check against another; no natural roll is special.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : int or Check
        The one who tries something, and the one who resists: a bonus, or how it is rolled.
    tie : {"higher_bonus", "roll_again", "attacker_wins", "defender_wins"}, optional
        What a tie means; the switch ``opposed_check_tie`` when left out.

    Returns
    -------
    OpposedCheck

    Raises
    ------
    CombatkitError
        For a bonus beyond 1000 either way, or an unknown way to roll or to settle a tie.

    Notes
    -----
    Source: srd, Opposed checks: a tie goes to the higher bonus; those equal in that, too, have even
    odds, as when both roll again. With ``roll_again`` every tie is rolled again, each side with its
    own dice.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> opposed_check(rules, 3, 1).p_success, opposed_check(rules, 2, 2).p_success
    (Fraction(247, 400), Fraction(1, 2))
    >>> opposed_check(rules, Check(0, "advantage"), 0, tie="defender_wins").p_success
    Fraction(513, 800)
    """
    expect(rules, Ruleset, "rules")
    chosen = rules.switch("opposed_check_tie") if tie is None else tie
    check_word(chosen, rules.switches["opposed_check_tie"].options, "tie:")
    (mine,), (other,) = checked([attacker], "attacker"), checked([defender], "defender")
    margin = check_total(rules, mine) - check_total(rules, other)
    won, level = margin.at_least(1), margin.p(0)
    return OpposedCheck(margin, won + level * _tied_share(chosen, mine, other, won, level))


def _tied_share(tie: str, mine: Check, other: Check, won: Fraction, level: Fraction) -> Fraction:
    """Share of all ties that the one who tries something wins."""
    even = Fraction(1, 2)
    if tie == "roll_again":
        return won / (1 - level) if level < 1 else even
    if tie != "higher_bonus":
        return Fraction(tie == "attacker_wins")
    return even if mine.bonus == other.bonus else Fraction(mine.bonus > other.bonus)


def selection(
    rules: Ruleset,
    leaders: Sequence[int | Check],
    others: Sequence[int | Check],
    side: Literal["below_highest", "above_lowest"],
    tie: str,
) -> Selection:
    """Single out those who lose to the best leader, or beat the worst one.

    Parameters
    ----------
    leaders, others : sequence of int or Check
        Checks or bare bonuses, 1 to 10 each; everybody rolls once.
    side : {"below_highest", "above_lowest"}
        Others below the highest leader are singled out, or those above the lowest. Among equal
        results the bonus decides which leader that is.
    tie : {"always", "never", "higher_bonus"}
        Whether a tie singles out; by bonus, it does for the side whose bonus is higher, and in half
        of all cases where the bonuses are equal: the two roll again.

    Returns
    -------
    Selection
        Of the others, by their index.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> found = selection(rules, [Check(0)], [Check(0), Check(5)], "below_highest", "never")
    >>> found.each, found.p_all
    ((Fraction(19, 40), Fraction(21, 80)), Fraction(77, 400))
    """
    sign = 1 if side == "below_highest" else -1
    front = [_Rolled(rules, check, sign) for check in checked(leaders, "leaders")]
    back = [_Rolled(rules, check, sign) for check in checked(others, "others")]
    total = prod(one.total for one in front) * prod(2 * one.total for one in back)
    sets: dict[tuple[int, ...], int] = {}
    for result, bonus, weight in _best(front):
        chosen: dict[tuple[int, ...], int] = {(): weight}
        for index, one in enumerate(back):
            # doubled, because a tie may count by half
            share = {"always": 2, "never": 0}.get(
                tie, 1 + (bonus > one.bonus) - (bonus < one.bonus)
            )
            beaten = 2 * one.below(result) + share * one.dist_weight(result)
            chosen = {
                found: chance
                for old, before in chosen.items()
                for found, chance in (
                    ((*old, index), before * beaten),
                    (old, before * (2 * one.total - beaten)),
                )
                if chance
            }
        for found, chance in chosen.items():
            sets[found] = sets.get(found, 0) + chance
    return Selection(len(back), {found: Fraction(sets[found], total) for found in sorted(sets)})


def checked(checks: Sequence[int | Check], what: str) -> list[Check]:
    """Take checks, or bare bonuses, and refuse what is none or too many."""
    if isinstance(checks, (str, Check)) or not isinstance(checks, Sequence):
        raise CombatkitError(f"{what}: a list of checks or bonuses is needed, not {checks!r:.60}")
    within(len(checks), f"the number of {what}", 1, MOST)
    made = [check if isinstance(check, Check) else Check(check) for check in checks]
    for check in made:
        within(check.bonus, f"{what}: a bonus", -FARTHEST, FARTHEST)
    return made


def check_total(rules: Ruleset, check: Check) -> Dist:
    """Distribution of a check's total, the fixed number standing for the die of a passive one."""
    if check.passive:
        return Dist.constant(rules.number("check.passive") + check.bonus)
    return Dist(dict(enumerate(face_weights(check.roll), 1 + check.bonus)))


class _Rolled:
    """A check's weights, mirrored where the lowest leads."""

    def __init__(self, rules: Ruleset, check: Check, sign: int) -> None:
        dist = check_total(rules, check)
        dist = dist if sign > 0 else -dist
        self.bonus, self.total, self.low = sign * check.bonus, dist.total, dist.low
        self.weights = [int(weight) for weight in dist.poly.coeffs()]

    def dist_weight(self, result: int) -> int:
        index = result - self.low
        return self.weights[index] if 0 <= index < len(self.weights) else 0

    def below(self, result: int) -> int:
        return sum(self.weights[: max(0, result - self.low)])


def _best(front: list[_Rolled]) -> Iterator[tuple[int, int, int]]:
    """Yield each highest result with the bonus of the leader who has it, and its weight."""
    keys = sorted(
        {(one.low + index, one.bonus) for one in front for index in range(len(one.weights))}
    )
    before = 0
    for result, bonus in keys:
        reached = prod(
            one.below(result) + (one.dist_weight(result) if one.bonus <= bonus else 0)
            for one in front
        )
        if reached > before:
            yield result, bonus, reached - before
        before = reached


def seekers_tie(rules: Ruleset) -> str:
    """Tell what a tie means for somebody who looks for another, as :func:`selection` takes it."""
    readings = {"seeker_wins": "always", "seeker_loses": "never"}
    return readings.get(rules.switch("opposed_tie"), "higher_bonus")
