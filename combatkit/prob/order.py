"""Order statistics: the best few of many independent rolls, without listing the rolls."""

from __future__ import annotations

from math import comb

from flint import fmpz_poly

from combatkit.errors import CombatkitError
from combatkit.prob.exact import check_size

MAX_WORK = 800_000_000  # bits handled by one "keep the best": a fifth of a second


def highest_weights(poly: fmpz_poly, total: int, n: int, keep: int) -> fmpz_poly:
    """Return the weights, over ``total**n``, of the best `keep` of `n` rolls added up.

    Sorted by v, the worst roll kept: the rolls that beat v are a power of the polynomial of better
    outcomes, and enough of the others show v. Source: H. A. David and H. N. Nagaraja, *Order
    Statistics*, ch. 2 (discrete case).
    """
    span, bits = keep * poly.degree() + 1, n * total.bit_length()
    check_size(span, bits)
    if span * bits * keep * len(poly) > MAX_WORK:
        raise CombatkitError(f"keeping {keep} of {n} dice is too much work to do exactly")
    result, better, below = fmpz_poly(), fmpz_poly(), total
    for v in range(poly.degree(), -1, -1):
        weight = int(poly[v])
        below -= weight
        if weight:
            sums = fmpz_poly()
            for shown, ways in enumerate(_ways(n - keep, keep, weight, below), 1):
                sums = sums * better + comb(n, keep - shown) * ways  # Horner's rule
            result += sums.left_shift(v * keep)
        better = (better + weight).left_shift(1)  # the rolls above v, counted from v
    return result


def _ways(dropped: int, keep: int, weight: int, below: int) -> list[int]:
    """Count, for k = 1 to `keep`, ways in which at least k of ``dropped + k`` rolls show v.

    Each roll shows v in `weight` ways and less in `below` ways. One more roll must show v, unless
    there was one v to spare.
    """
    at_least, exactly = (weight + below) ** dropped, below ** (dropped + 1)
    ways = []
    for k in range(1, keep + 1):
        at_least = (weight + below) * at_least - exactly
        exactly = exactly * weight * (dropped + k) // k
        ways.append(at_least)
    return ways
