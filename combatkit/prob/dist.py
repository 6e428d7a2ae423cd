"""Finite distributions over whole numbers, exact.

A distribution is a polynomial: the coefficient of ``x**i`` is the whole-number weight of outcome
``low + i``, and one total divides them all. Adding independent rolls multiplies polynomials, which
FLINT does at C speed; fractions are reduced only when a probability is asked for. Source: Feller,
*An Introduction to Probability Theory and Its Applications* 1, ch. XI (generating functions).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import accumulate
from math import ceil, lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any

from flint import fmpz_poly

from combatkit.errors import CombatkitError
from combatkit.prob.exact import (
    MAX_ROLLS,
    MAX_SPAN,
    Weight,
    check_size,
    whole,
    whole_weights,
    within,
)
from combatkit.prob.order import highest_weights
from combatkit.prob.show import brief, distribution_html

if TYPE_CHECKING:
    import pandas as pd


class Dist:
    """An immutable, exact distribution over whole numbers.

    Parameters
    ----------
    weights : mapping of int to int or Fraction
        Outcome to weight: weights at least 0, their sum above 0 and not necessarily 1. Outcomes
        may be negative and reach over at most 100,000 from the lowest to the highest.

    Raises
    ------
    CombatkitError
        For a float, a truth value, a negative weight, no weight at all, or a size beyond the
        limits: a span of 100,000, 10,000 copies in one sum, about 12 MB of exact weights.

    Examples
    --------
    >>> coin = Dist({0: 1, 1: 1})
    >>> coin.p(1), (3 @ coin).p(2)
    (Fraction(1, 2), Fraction(3, 8))
    >>> 2 @ Dist.die(6) + 3
    Dist(5 to 15, mean 10)
    """

    __slots__ = ("_hash", "_low", "_poly", "_total")
    _hash: int
    _low: int
    _poly: fmpz_poly
    _total: int

    def __init__(self, weights: Mapping[int, Weight]) -> None:
        if not isinstance(weights, Mapping):
            raise CombatkitError(f"Dist needs {{outcome: weight}}, not {weights!r:.60}")
        outcomes = [whole(outcome, "an outcome") for outcome in weights]
        scaled = whole_weights(weights.values(), "Dist")
        pairs = [(x, weight) for x, weight in zip(outcomes, scaled, strict=True) if weight]
        self._low = min(x for x, _ in pairs)
        self._total = sum(weight for _, weight in pairs)
        span = max(x for x, _ in pairs) - self._low + 1
        check_size(span, self._total.bit_length())
        dense = [0] * span
        for x, weight in pairs:
            dense[x - self._low] = weight
        self._poly = fmpz_poly(dense)

    @classmethod
    def _from_poly(cls, poly: fmpz_poly, low: int, total: int) -> Dist:
        """Wrap weights known to be good: nonnegative, poly[0] > 0, sum equal to total."""
        dist = object.__new__(cls)
        dist._poly, dist._low, dist._total = poly, low, total
        return dist

    @classmethod
    def constant(cls, x: int) -> Dist:
        """Return the distribution that always gives `x`."""
        return cls._from_poly(fmpz_poly([1]), whole(x, "an outcome"), 1)

    @classmethod
    def uniform(cls, low: int, high: int) -> Dist:
        """Return equal chances for every whole number from `low` to `high`, both included."""
        first, span = whole(low, "low"), whole(high, "high") - whole(low, "low") + 1
        if span < 1:
            raise CombatkitError(f"uniform: low {low} is above high {high}")
        check_size(span, span.bit_length())
        return cls._from_poly(fmpz_poly([1] * span), first, span)

    @classmethod
    def die(cls, sides: int) -> Dist:
        """Return one die, 1 to `sides` (1 to 100,000)."""
        return cls.uniform(1, within(sides, "the number of sides", 1, MAX_SPAN))

    @classmethod
    def mix(cls, alternatives: Iterable[tuple[Weight, Dist]]) -> Dist:
        """Choose one alternative by weight, then roll it.

        Parameters
        ----------
        alternatives : iterable of (weight, Dist)
            Weights int or Fraction, at least 0; they are divided by their sum.

        Examples
        --------
        >>> hit = 2 @ Dist.die(6) + 7
        >>> damage = Dist.mix([(180, Dist.constant(0)), (198, hit), (22, hit + hit)])
        >>> damage.mean, damage.p(0)
        (Fraction(847, 100), Fraction(9, 20))
        """
        pairs = list(alternatives)
        weights = whole_weights([weight for weight, _ in pairs], "mix")
        for _, dist in pairs:
            if type(dist) is not Dist:
                raise CombatkitError(f"mix: an alternative must be a Dist, not {dist!r:.60}")
        kept = [pair for pair in zip(weights, [dist for _, dist in pairs], strict=True) if pair[0]]
        low = min([dist._low for _, dist in kept])
        high = max([dist._low + len(dist._poly) for _, dist in kept])
        common = lcm(*[dist._total for _, dist in kept])
        poly, total = fmpz_poly(), common * sum(weights)
        check_size(high - low, total.bit_length())
        for weight, dist in kept:
            part = dist._poly * (weight * (common // dist._total))
            poly += part.left_shift(dist._low - low) if dist._low > low else part
        return cls._from_poly(poly, low, total)

    @property
    def poly(self) -> fmpz_poly:
        """The weights as a polynomial (a copy); index 0 is outcome `low`."""
        return fmpz_poly(self._poly)

    @property
    def low(self) -> int:
        """The outcome of the polynomial's index 0, the same as `minimum`."""
        return self._low

    @property
    def total(self) -> int:
        """The sum of the weights, not reduced."""
        return self._total

    def _weights(self) -> Iterator[tuple[int, int]]:
        coefficients = enumerate(self._poly.coeffs(), self._low)
        return ((x, int(weight)) for x, weight in coefficients if weight)

    def items(self) -> Iterator[tuple[int, Fraction]]:
        """Yield (outcome, probability), ascending, outcomes with a chance only."""
        return ((x, Fraction(weight, self._total)) for x, weight in self._weights())

    def __len__(self) -> int:
        """Count the outcomes that have a chance."""
        return sum(1 for _ in self._weights())

    def __eq__(self, other: object) -> bool:
        """Compare reduced probabilities."""
        if not isinstance(other, Dist):
            return NotImplemented
        if self._low != other._low or len(self._poly) != len(other._poly):
            return False
        return self._poly * other._total == other._poly * self._total

    def __hash__(self) -> int:
        """Agree with ``==``: equal chances, equal hash."""
        try:
            return self._hash
        except AttributeError:  # worked out once, for distributions are keys of many memories
            reduced = self._poly / self._poly.content()
            self._hash = hash((self._low, tuple(int(weight) for weight in reduced.coeffs())))
            return self._hash

    def __reduce__(self) -> tuple[type[Dist], tuple[dict[int, int]]]:
        """Pickle and copy as plain weights, for a flint polynomial can do neither."""
        return Dist, (dict(self._weights()),)

    def __add__(self, other: Dist | int) -> Dist:
        """Add an independent roll or a fixed number."""
        if not isinstance(other, Dist):
            return self._from_poly(self._poly, self._low + whole(other, "a bonus"), self._total)
        total = self._total * other._total
        check_size(len(self._poly) + len(other._poly) - 1, total.bit_length())
        return self._from_poly(self._poly * other._poly, self._low + other._low, total)

    __radd__ = __add__

    def __neg__(self) -> Dist:
        """Turn every outcome into its negative."""
        return self._from_poly(fmpz_poly(self._poly.coeffs()[::-1]), -self.maximum, self._total)

    def __sub__(self, other: Dist | int) -> Dist:
        """Subtract an independent roll or a fixed number."""
        return self + -(other if isinstance(other, Dist) else whole(other, "a penalty"))

    def __rsub__(self, other: int) -> Dist:
        """Subtract this roll from a fixed number."""
        return -self + other

    def __rmatmul__(self, n: int) -> Dist:
        """``n @ die``: the sum of n independent copies."""
        return self.repeat(n)

    def repeat(self, n: int) -> Dist:
        """Return the sum of `n` (0 to 10,000) independent copies, also written ``n @ d``.

        Examples
        --------
        >>> (10 @ Dist.die(6)).p(35)
        Fraction(7631, 104976)
        """
        copies = within(n, "the number of copies", 0, MAX_ROLLS)
        check_size(copies * self._poly.degree() + 1, copies * self._total.bit_length())
        return self._from_poly(self._poly**copies, copies * self._low, self._total**copies)

    def scale(self, k: int) -> Dist:
        """Multiply one roll by the whole number `k`: the outcomes spread, the chances stay."""
        factor = whole(k, "the factor")
        if factor < 0:
            return (-self).scale(-factor)
        if factor == 0:
            return self.constant(0)
        check_size((len(self._poly) - 1) * factor + 1, self._total.bit_length())
        return self._from_poly(self._poly.inflate(factor), self._low * factor, self._total)

    def map(self, f: Callable[[int], int]) -> Dist:
        """Apply `f`, which must return a whole number, to every outcome.

        Examples
        --------
        >>> Dist.die(6).map(lambda face: face // 2).p(1)
        Fraction(1, 3)
        """
        weights: defaultdict[int, int] = defaultdict(int)
        for x, weight in self._weights():
            weights[whole(f(x), f"the mapped outcome of {x}")] += weight
        return Dist(weights)

    def clip(self, low: int | None = None, high: int | None = None) -> Dist:
        """Move outcomes below `low` to `low` and outcomes above `high` to `high`.

        Examples
        --------
        >>> (Dist.die(4) - 2).clip(low=1).p(1)
        Fraction(3, 4)
        """
        if low is not None and high is not None and low > high:
            raise CombatkitError(f"clip: low {low} is above high {high}")
        dist = self if low is None else self._raised(whole(low, "low"))
        if high is None or dist.maximum <= whole(high, "high"):
            return dist
        return -(-dist)._raised(-int(high))

    def _raised(self, floor: int) -> Dist:
        if floor <= self._low:
            return self
        # What is left of the floor joins it; what is right of it keeps its place.
        poly = self._poly.right_shift(floor - self._low) + self._weight_to(floor - 1)
        return self._from_poly(poly, floor, self._total)

    def highest(self, n: int, keep: int = 1) -> Dist:
        """Roll `n` independent copies, keep the best `keep` and add them.

        Parameters
        ----------
        n : int
            Copies rolled, 1 to 10,000. The work grows with ``n * (keep * span)**2`` and is limited.
        keep : int
            Copies kept, 1 to `n`.

        Examples
        --------
        >>> Dist.die(20).highest(2).mean, Dist.die(6).highest(4, keep=3).p(18)
        (Fraction(553, 40), Fraction(7, 432))
        """
        copies = within(n, "the number of copies", 1, MAX_ROLLS)
        kept = within(keep, "the number kept", 1, copies)
        if kept == copies:
            return self.repeat(copies)
        poly = highest_weights(self._poly, self._total, copies, kept)
        return self._from_poly(poly, self._low * kept, self._total**copies)

    def lowest(self, n: int, keep: int = 1) -> Dist:
        """Roll `n` independent copies, keep the worst `keep` and add them (see `highest`)."""
        return -(-self).highest(n, keep)

    def _weight_to(self, x: int) -> int:
        return int(self._poly.truncate(min(max(x - self._low + 1, 0), len(self._poly)))(1))

    def p(self, x: int) -> Fraction:
        """Return the probability of exactly `x`."""
        index = whole(x, "an outcome") - self._low
        return Fraction(int(self._poly[index]) if index >= 0 else 0, self._total)

    def cdf(self, x: int) -> Fraction:
        """Return the probability of `x` or less."""
        return Fraction(self._weight_to(whole(x, "an outcome")), self._total)

    def survival(self, x: int) -> Fraction:
        """Return the probability of more than `x`."""
        return 1 - self.cdf(x)

    def at_least(self, x: int) -> Fraction:
        """Return the probability of `x` or more."""
        return 1 - self.cdf(whole(x, "an outcome") - 1)

    def quantile(self, q: Weight) -> int:
        """Return the smallest outcome x with ``cdf(x) >= q``, for an exact `q` from 0 to 1.

        Examples
        --------
        >>> Dist.die(20).quantile(Fraction(1, 2))
        10
        """
        if isinstance(q, bool) or not isinstance(q, Rational) or not 0 <= q <= 1:
            raise CombatkitError(f"a quantile needs an exact Fraction from 0 to 1, not {q!r:.60}")
        needed = ceil(q * self._total)
        reached = accumulate(self._poly.coeffs())
        return next(x for x, weight in enumerate(reached, self._low) if weight >= needed)

    @property
    def minimum(self) -> int:
        """The lowest outcome that has a chance."""
        return self._low

    @property
    def maximum(self) -> int:
        """The highest outcome that has a chance."""
        return self._low + self._poly.degree()

    @property
    def mean(self) -> Fraction:
        """The expected value, exact."""
        return self._low + Fraction(int(self._poly.derivative()(1)), self._total)

    @property
    def variance(self) -> Fraction:
        """The expected squared distance from the mean, exact."""
        slope = self._poly.derivative()
        first = Fraction(int(slope(1)), self._total)
        return Fraction(int(slope.derivative()(1)), self._total) + first - first**2

    def p_less(self, other: Dist) -> Fraction:
        """Return the probability of rolling less than an independent `other`."""
        return (self - other).cdf(-1)

    def p_equal(self, other: Dist) -> Fraction:
        """Return the probability of rolling the same as an independent `other`."""
        return (self - other).p(0)

    def p_greater(self, other: Dist) -> Fraction:
        """Return the probability of rolling more than an independent `other`."""
        return (self - other).survival(0)

    def approx(self) -> tuple[list[int], list[float]]:
        """Return outcomes and probabilities as floats, for drawing only."""
        # Python divides huge integers with one correct rounding, never overflowing on the way.
        pairs = [(x, weight / self._total) for x, weight in self._weights()]
        return [x for x, _ in pairs], [chance for _, chance in pairs]

    def pgf(self, symbol: Any = "x") -> Any:
        """Return the probability generating function in sympy; at most 2,000 outcomes.

        Examples
        --------
        >>> Dist.die(2).pgf("x")
        x**2/2 + x/2
        """
        import sympy

        within(len(self), "the number of outcomes", 1, 2_000)
        base = sympy.Symbol(symbol) if isinstance(symbol, str) else symbol
        chances = ((x, sympy.Rational(p.numerator, p.denominator)) for x, p in self.items())
        return sympy.Add(*(chance * base**x for x, chance in chances))

    def to_series(self) -> pd.Series[Any]:
        """Return a pandas Series of exact Fractions named "probability", indexed by outcome."""
        import pandas as pd

        outcomes, chances = zip(*self.items(), strict=True)
        index = pd.Index(outcomes, name="outcome")
        return pd.Series(chances, index=index, name="probability", dtype=object)

    def __repr__(self) -> str:
        """Show range and mean."""
        return f"Dist({self.minimum} to {self.maximum}, mean {brief(self.mean)})"

    def _repr_html_(self) -> str:
        return distribution_html(list(self._weights()), self._total, self.mean, self.variance)
