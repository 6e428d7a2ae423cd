"""What counts as exact input, and how large it may be: the limits every distribution keeps to."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from numbers import Integral, Rational
from typing import cast

from combatkit.errors import CombatkitError

Weight = int | Fraction

MAX_SPAN = 100_000  # outcomes from the lowest to the highest
MAX_BITS = 100_000_000  # span times the bits of the total: about 12 MB of exact weights
MAX_ROLLS = 10_000  # independent copies in one sum or one pool
MAX_WHOLE = 10**12  # how far from 0 an outcome or a bonus may lie


def whole(value: object, what: str) -> int:
    """Return `value` as an int; refuse floats, truth values and numbers beyond ±10**12."""
    if type(value) is int:  # the usual case, told much faster than an abstract class
        number = value
    elif isinstance(value, bool) or not isinstance(value, Integral):
        raise CombatkitError(f"{what} must be a whole number, not {value!r:.60}")
    else:
        number = int(value)
    if abs(number) > MAX_WHOLE:
        raise CombatkitError(f"{what} is too far from 0; at most {MAX_WHOLE:,} either way")
    return number


def within(value: object, what: str, least: int, most: int) -> int:
    """Return `value` as an int from `least` to `most`."""
    number = whole(value, what)
    if not least <= number <= most:
        raise CombatkitError(f"{what} must be {least:,} to {most:,}, not {number:,}")
    return number


def whole_weights(weights: Iterable[object], where: str) -> list[int]:
    """Scale exact weights (int or Fraction) to whole numbers in the same ratios."""
    given = list(weights)
    if {type(weight) for weight in given} == {int}:
        return _checked_signs(cast("list[int]", given), where)
    exact: list[Rational] = []
    for weight in given:
        if isinstance(weight, bool) or not isinstance(weight, Rational):
            hint = "; write Fraction(1, 20), not 0.05" if isinstance(weight, float) else ""
            raise CombatkitError(
                f"{where}: a weight must be an exact int or Fraction, not {weight!r:.60}{hint}"
            )
        exact.append(weight)
    scale = lcm(*(int(weight.denominator) for weight in exact))
    scaled = [int(weight.numerator) * (scale // int(weight.denominator)) for weight in exact]
    return _checked_signs(scaled, where)


def _checked_signs(scaled: list[int], where: str) -> list[int]:
    if scaled and min(scaled) < 0:
        raise CombatkitError(f"{where}: a weight must not be negative")
    if not any(scaled):
        raise CombatkitError(f"{where}: at least one weight must be above 0")
    return scaled


def check_size(span: int, total_bits: int) -> None:
    """Refuse weights too many, or too long to work with in about a second."""
    if span > MAX_SPAN:
        raise CombatkitError(f"distribution too wide: at most {MAX_SPAN:,} from lowest to highest")
    if span * total_bits > MAX_BITS:
        raise CombatkitError("distribution too large to keep exact; use fewer or smaller dice")
