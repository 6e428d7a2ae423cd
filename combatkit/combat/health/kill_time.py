"""How many rounds it takes to bring a target down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import inf
from typing import Any, NamedTuple

from flint import fmpq_poly, fmpz_poly

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.damage import blows_damage
from combatkit.combat.attacks.full_attack import FullAttack, strikes_of
from combatkit.combat.attacks.nonlethal import parts
from combatkit.combat.health.damage_taken import (
    Standing,
    Target,
    closing_weights,
    idle_weight,
    start_turn,
    steps,
    take_turn,
    turn_total,
    unhurt,
)
from combatkit.combat.health.massive import suffered
from combatkit.combat.health.pairs import deals_any, rows_of
from combatkit.errors import CombatkitError, refuse_work
from combatkit.prob import Chain, Dist
from combatkit.prob.chain import MAX_STATES
from combatkit.prob.exact import whole, within
from combatkit.rules import Combatant

Value = Fraction | float | None
MAX_ROUNDS = 1000
MAX_NEEDED = 5000
MAX_WORK = 300_000_000  # bits of exact weights in one answer
MAX_COURSE = 4_000_000_000  # the same, turn by turn: about two seconds


@dataclass(frozen=True)
class KillTime:
    """Rounds until a target is down, the same attacks being made every round.

    Attributes
    ----------
    damage : Dist
        Damage of one round; never negative.
    needed : int
        Damage that brings the target down, nonlethal where all of it is; 0 for one down already.
    course : Course or None
        How it is followed turn by turn, where the damage alone does not say: mixed with nonlethal,
        healed, or massive.
    """

    damage: Dist
    needed: int
    course: Course | None = None

    def by(self, rounds: int) -> Fraction:
        """Chance that the target is down after at most so many rounds (0 to 1000)."""
        count = within(rounds, "rounds", 0, MAX_ROUNDS)
        if self.course is not None and self.needed:
            return self.course.down_by(count)[-1]
        if count * self.needed * self.damage.total.bit_length() > MAX_WORK:
            raise CombatkitError(
                f"{count} rounds against {self.needed} hit points are too many to follow exactly"
            )
        short = damage_poly(self.damage, self.needed).pow_trunc(count, self.needed)
        return 1 - Fraction(int(short(1)), self.damage.total**count)

    def exactly(self, rounds: int) -> Fraction:
        """Chance that the target falls in exactly this round."""
        return self.by(rounds) - (self.by(rounds - 1) if rounds else 0)

    @property
    def mean(self) -> Fraction | None:
        """Expected number of rounds; None when the target may never be down."""
        if self.course is not None and self.needed:
            return self.course.mean()
        return _mean(self.damage, self.needed)


def kill_time(
    attack: Strike | FullAttack | Dist, hit_points: int | None = None, down_at: int = 0
) -> KillTime:
    """Work out how long a target lasts.

    Parameters
    ----------
    attack : Strike, FullAttack or Dist
        What is done to it every round, or the damage of a round.
    hit_points : int, optional
        The target's, temporary ones included; the defender's when left out.
    down_at : int, optional
        The target is down at this many hit points or fewer, or with more nonlethal damage than it
        has hit points left. Where it is down only when dead, nonlethal damage does nothing.

    Returns
    -------
    KillTime

    Raises
    ------
    CombatkitError
        For hit points that are no whole number, or more than 5000 to take.

    Notes
    -----
    Only the chance of *less* than the needed damage matters, so powers are cut off there. The mean
    is the sum of the coefficients of 1 / (1 - r) below the needed damage, r being the round's
    generating function.

    Examples
    --------
    >>> coin = Dist({0: 1, 1: 1})
    >>> time = kill_time(coin, hit_points=2)
    >>> time.by(2), time.exactly(3), time.mean
    (Fraction(1, 4), Fraction(1, 4), Fraction(4, 1))
    """
    down_at = whole(down_at, "down_at")
    damage, full = _faced(attack)
    hit_points = full if hit_points is None else whole(hit_points, "hit_points")
    if hit_points is None:
        raise CombatkitError(
            "kill_time: give hit_points, or an attack on a combatant that has them"
        )
    if damage.minimum < 0:
        raise CombatkitError("kill_time: damage cannot be negative")
    needed = max(0, hit_points - down_at)
    if needed > MAX_NEEDED:
        raise CombatkitError(f"kill_time: at most {MAX_NEEDED} hit points to take, not {needed}")
    if isinstance(attack, Dist):
        return KillTime(damage, needed)
    strikes = strikes_of(attack, "kill_time")
    attempt = strikes[0].attempt
    blows = tuple(suffered(one) for one in strikes if one.possible)
    healing = Healing.of(attempt.defender)
    return down_time(blows, hit_points, healing, down_at, attempt.rules.dead_at)


def _faced(attack: Strike | FullAttack | Dist) -> tuple[Dist, int | None]:
    """Damage of a round, and the hit points of the defender where one is known."""
    if isinstance(attack, Dist):
        return attack, None
    target = strikes_of(attack, "kill_time")[0].attempt.defender
    return attack.damage, target.hit_points + target.temporary_hit_points


def down_time(
    blows: tuple[Blow, ...], hit_points: int, healing: Healing, down_at: int, dead_at: int
) -> KillTime:
    """Work out how long a target lasts that is struck by these blows every round.

    Parameters
    ----------
    blows : tuple of Blow
    hit_points : int
        Temporary ones included.
    healing : Healing
    down_at, dead_at : int
        Hit points at which it is out, and dead.
    """
    needed = max(0, hit_points - down_at)
    damage, nonlethal = blows_damage(blows), any(deals_any(blow) for blow in blows)
    massive = any(blow.massive is not None for blow in blows)
    if not (needed and (nonlethal or massive or healing.points)):
        return KillTime(damage, needed)
    alone = down_at > dead_at and not any(deals_any(blow, False) for blow in blows)
    if nonlethal and alone and not (healing.points or healing.nonlethal):
        return KillTime(damage, hit_points + 1)  # unconscious with more than its hit points
    target = Target(
        needed, needed, heals=healing.points, full=hit_points,
        temporary=min(healing.temporary, needed), regenerates=healing.nonlethal,
    )  # fmt: skip
    if down_at > dead_at:
        return KillTime(damage, needed, Course(blows, target.facing(blows)))
    return KillTime(damage, needed, Course(tuple(map(lethal_part, blows)), target))


class Healing(NamedTuple):
    """What a target regains each round by itself.

    Attributes
    ----------
    points : int
        Hit points, and as much nonlethal damage.
    nonlethal : int
        Nonlethal damage beside.
    temporary : int
        Hit points that are lost first and never regained.
    """

    points: int = 0
    nonlethal: int = 0
    temporary: int = 0

    @classmethod
    def of(cls, who: Combatant) -> Healing:
        """Read it from somebody."""
        return cls(who.fast_healing, who.regeneration, who.temporary_hit_points)


class Course(NamedTuple):
    """The turns of one who is struck by the same blows every round."""

    blows: tuple[Blow, ...]
    target: Target

    def down_by(self, rounds: int) -> list[Fraction]:
        """Chance to be down before the first round and after each; it heals at their end."""
        bits = turn_total(self.blows, self.target).bit_length()
        work = self.target.length * bits * rounds**2
        refuse_work(f"{rounds} rounds", work, MAX_COURSE, "ask for fewer rounds")
        now, chances = unhurt(), [Fraction(0)]
        for _ in range(rounds):
            now, _ = take_turn(now, self.blows, self.target)
            now = start_turn(now, self.target)
            chances.append(1 - Fraction(now.mass, now.total))
        return chances

    def mean(self) -> Fraction | None:
        """Mean number of rounds; None where it may never be down."""
        if self.target.mends:
            return _mean_healed(self)
        told_by_sum = self.target.needed >= self.target.full
        return _mean_by_sum(self) if told_by_sum else _mean_course(self)


@lru_cache(maxsize=1024)
def _mean_by_sum(course: Course) -> Fraction | None:
    """Mean rounds where both kinds added up bring the target down, or lethal damage alone.

    With any nonlethal damage it stands as long as the sum is at most its hit points; without any,
    as long as the lethal damage is short of what is needed: two power series.
    """
    blows, target = course
    now, _ = take_turn(unhurt(), blows, target)
    both, alone = [0] * (target.full + 1), [0] * target.needed
    for taken, row in enumerate(rows_of(now.calm, target.width)):
        alone[taken] = row[0]
        for total, weight in enumerate(row[: max(0, target.full + 1 - taken)], taken):
            both[total] += weight
    if both[0] == now.total:
        return None
    visits = _visits(both, now.total, len(both))
    bare = _visits(alone, now.total, max(len(alone), len(both)))
    mean = visits(1) + bare.truncate(len(alone))(1) - bare.truncate(len(both))(1)
    return Fraction(int(mean.p), int(mean.q))


def _visits(round_: list[int], total: int, length: int) -> fmpq_poly:
    """Count the rounds expected to begin at each amount of damage."""
    left = fmpq_poly([total - round_[0], *(-weight for weight in round_[1:])])
    visits: fmpq_poly = total * inverse_series(left, length)
    return visits


@lru_cache(maxsize=1024)
def _mean_course(course: Course) -> Fraction | None:
    """Add up the chances to stand at the beginning of each round, in closed form."""
    blows, target = course
    base, idle = turn_total(blows, target), idle_weight(blows, target)
    if idle == base:
        return None
    terms = steps(blows, target)
    work = terms**2 * base.bit_length() * target.length
    refuse_work("these rounds", work, MAX_COURSE, "use fewer hit points")
    now, stands = unhurt(), 0
    for weight in closing_weights(idle, base, terms):
        stands += now.mass * weight * base
        now, _ = take_turn(now, blows, target)
    return Fraction(stands, (base - idle) ** (terms + 1))


@lru_cache(maxsize=1024)
def _mean_healed(course: Course) -> Fraction | None:
    """Solve the chain of damage taken, which falls again."""
    blows, target = course
    rows: dict[Any, dict[Any, int]] = {}
    waiting = [0]
    while waiting:
        taken = waiting.pop()
        if taken in rows:
            continue
        if len(rows) == MAX_STATES:
            raise CombatkitError(
                f"kill_time: somebody who heals passes through more than {MAX_STATES} amounts of "
                "damage, too many for an exact mean; use fewer hit points, or ask for .by(rounds)"
            )
        now = Standing(fmpz_poly([1]).left_shift(taken), fmpz_poly(), 1)
        now, out = take_turn(now, blows, target)
        now = start_turn(now, target)
        row = {after: int(weight) for after, weight in enumerate(now.taken.coeffs()) if weight}
        rows[taken] = row | ({"down": out.mass} if out.mass else {})
        waiting += row
    if not any("down" in row for row in rows.values()):
        return None
    return Chain(rows).expected_steps(0)


def lethal_part(blow: Blow) -> Blow:
    """Return a blow with only what of it kills."""
    return parts(blow)[0]._replace(massive=blow.massive) if blow.nonlethal else blow


def damage_poly(damage: Dist, length: int) -> fmpz_poly:
    """Weights of the damage from 0 up, cut off at a length."""
    return damage.poly.truncate(max(0, length - damage.low)).left_shift(min(length, damage.low))


@lru_cache(maxsize=4096)
def _mean(damage: Dist, needed: int) -> Fraction | None:
    (mean,) = mean_rounds(damage, [needed])
    return None if mean is None else Fraction(mean)


def mean_rounds(damage: Dist, needed: Sequence[int], exact: bool = True) -> list[Value]:
    """Work out the mean rounds to deal each of several amounts of damage, from one power series.

    Parameters
    ----------
    damage : Dist
        Of one round; never negative.
    needed : sequence of int
        0 or more each.
    exact : bool, optional
        Fractions, or floats.

    Returns
    -------
    list
        Where no round ever does damage: None, or inf as a float.

    Notes
    -----
    The mean for n is the sum of the first n coefficients of 1 / (1 - r), r being the round's
    generating function, so the sums of the longest series hold all shorter ones.

    Examples
    --------
    >>> mean_rounds(Dist({0: 1, 1: 1}), [0, 1, 2])
    [Fraction(0, 1), Fraction(2, 1), Fraction(4, 1)]
    """
    longest = max(needed, default=0)
    zero = Fraction(0) if exact else 0.0
    if longest == 0 or damage.maximum == 0:
        never = None if exact else inf
        return [never if points else zero for points in needed]
    left = damage.total - damage_poly(damage, longest)
    series = damage.total * inverse_series(fmpq_poly(left), longest)
    bottom, tops = int(series.denom()), map(int, series.numer().coeffs())
    sums = list(accumulate(tops, initial=0))
    counts = [sums[min(points, len(sums) - 1)] for points in needed]
    # Python divides huge whole numbers with one correct rounding
    return [Fraction(count, bottom) if exact else count / bottom for count in counts]


def inverse_series(poly: fmpq_poly, length: int) -> fmpq_poly:
    """Invert a power series up to a length; Newton's method doubles the correct terms."""
    found, known = fmpq_poly([1 / poly[0]]), 1
    while known < length:
        known = min(2 * known, length)
        found = found.mul_low(2 - poly.truncate(known).mul_low(found, known), known)
    return found
