"""How many rounds it takes to bring a target down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import inf

from flint import fmpq_poly, fmpz_poly

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack, strikes_of
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.prob.exact import whole, within

Value = Fraction | float | None
MAX_ROUNDS = 1000
MAX_NEEDED = 5000
MAX_WORK = 300_000_000  # bits of exact weights in one answer


@dataclass(frozen=True)
class KillTime:
    """Rounds until a target is down, the same attacks being made every round.

    Attributes
    ----------
    damage : Dist
        Damage of one round; never negative.
    needed : int
        Damage that brings the target down; 0 for one that is down already.
    """

    damage: Dist
    needed: int

    def by(self, rounds: int) -> Fraction:
        """Chance that the target is down after at most so many rounds (0 to 1000)."""
        count = within(rounds, "rounds", 0, MAX_ROUNDS)
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
        """Expected number of rounds; None when no blow ever does damage."""
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
        The target is down at this many hit points or fewer.

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
    damage, full = _faced(attack)
    hit_points = full if hit_points is None else whole(hit_points, "hit_points")
    if hit_points is None:
        raise CombatkitError(
            "kill_time: give hit_points, or an attack on a combatant that has them"
        )
    if damage.minimum < 0:
        raise CombatkitError("kill_time: damage cannot be negative")
    needed = max(0, hit_points - whole(down_at, "down_at"))
    if needed > MAX_NEEDED:
        raise CombatkitError(f"kill_time: at most {MAX_NEEDED} hit points to take, not {needed}")
    return KillTime(damage, needed)


def _faced(attack: Strike | FullAttack | Dist) -> tuple[Dist, int | None]:
    """Damage of a round, and the hit points of the defender where one is known."""
    if isinstance(attack, Dist):
        return attack, None
    target = strikes_of(attack, "kill_time")[0].attempt.defender
    return attack.damage, target.hit_points + target.temporary_hit_points


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
