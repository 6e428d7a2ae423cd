"""Lethal and nonlethal damage taken, as one number: a pair of counts in one polynomial.

A pair is ``lethal * width + nonlethal``; the width leaves room for more nonlethal damage than
matters. Where no damage is nonlethal the width is 1, and the pair is the damage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import gcd, lcm

from flint import fmpz_poly

from combatkit.combat.attacks.blow import MEMORY, Blow, Massive
from combatkit.combat.attacks.damage import (
    blow_damage,
    critical_damage,
    hit_damage,
    landing,
)
from combatkit.combat.attacks.nonlethal import parts
from combatkit.prob import Dist


def width_for(blows: Iterable[Blow], most: int) -> int:
    """Width for so much nonlethal damage at most, twice over; 1 where no blow deals any."""
    return 2 * most + 2 if any(deals_any(blow) for blow in blows) else 1


def counted(width: int) -> int:
    """Most nonlethal damage that is told apart."""
    return width // 2 - 1


@lru_cache(maxsize=MEMORY)
def deals_any(blow: Blow, nonlethal: bool = True) -> bool:
    """Whether a blow may deal any damage of a kind."""
    part = parts(blow)[nonlethal] if blow.nonlethal else blow
    return (nonlethal == bool(blow.nonlethal) or not nonlethal) and blow_damage(part).maximum > 0


@lru_cache(maxsize=MEMORY)
def weights(blow: Blow, width: int = 1) -> tuple[fmpz_poly, int]:
    """Weights of a blow's damage, as pairs, and their sum: less is there where it may kill at once.

    Nonlethal damage beyond what is told apart counts as the most that is.
    """
    if width == 1 and blow.massive is None:
        damage = blow_damage(blow)
        common = 1 if blow.first_hit else gcd(int(damage.poly.content()), damage.total)
        return damage.poly.left_shift(damage.low) / common, damage.total // common
    missed, hit, critical = landing(blow)
    struck, unit = _pair(blow, hit_damage, width)
    crushed, other = _pair(blow, critical_damage, width)
    total = lcm(unit, other)
    poly = struck * (hit * (total // unit)) + crushed * (critical * (total // other))
    return poly + missed * total, total * (missed + hit + critical)


def _pair(blow: Blow, of: Callable[[Blow], Dist], width: int) -> tuple[fmpz_poly, int]:
    """Weights of the pairs of a hit, and their total before anybody dies at once."""
    lethal, nonlethal = (of(part) for part in parts(blow))
    if width > 1:
        nonlethal = nonlethal.clip(high=counted(width))
    poly, total = lethal.poly.left_shift(lethal.low), lethal.total
    if blow.massive is not None:
        poly, total = (
            _survived(poly, blow.massive),
            total * (blow.massive.dies + blow.massive.lives),
        )
    other = nonlethal.poly.left_shift(nonlethal.low)
    return poly.inflate(width) * other, total * nonlethal.total


def _survived(poly: fmpz_poly, massive: Massive) -> fmpz_poly:
    """Scale weights by the chance to live on; what is massive and kills is left out."""
    small = poly.truncate(massive.least)
    return small * (massive.dies + massive.lives) + (poly - small) * massive.lives


def _later(blow: Blow) -> Blow:
    return blow._replace(first_hit="")


def blow_total(blow: Blow, width: int = 1) -> int:
    """Sum of the weights that :func:`outcomes` gives, those who die at once included."""
    total = weights(blow, width)[1]
    return total * weights(_later(blow), width)[1] if blow.first_hit else total


def outcomes(blow: Blow, hit_before: bool, width: int = 1) -> list[tuple[bool, fmpz_poly]]:
    """Weights of a blow's damage, told apart by whether it hits where that matters."""
    if not blow.first_hit:
        return [(False, weights(blow, width)[0])]
    (first, total), (later, later_total) = weights(blow, width), weights(_later(blow), width)
    if hit_before:
        return [(True, later * total)]
    missed, hit, critical = landing(blow)
    miss = fmpz_poly([missed * (total // (missed + hit + critical))])
    return [(False, miss * later_total), (True, (first - miss) * later_total)]


def within_room(poly: fmpz_poly, width: int, room: Sequence[int]) -> fmpz_poly:
    """Keep the pairs with less nonlethal damage than there is room for, by lethal damage."""
    if width == 1:
        return poly.truncate(len(room))
    kept: list[int] = []
    for most, row in zip(room, rows_of(poly, width), strict=False):
        kept += [*row[:most], *[0] * (width - min(most, len(row)))]
    return fmpz_poly(kept)


def rows_of(poly: fmpz_poly, width: int) -> Iterator[list[int]]:
    """Weights by nonlethal damage, for each amount of lethal damage from 0 up."""
    listed = [int(weight) for weight in poly.coeffs()]
    for start in range(0, len(listed), width):
        yield listed[start : start + width]


def mended(
    poly: fmpz_poly, width: int, temporary: int, points: int, nonlethal: int = 0
) -> fmpz_poly:
    """Heal points of both kinds and so many more of the nonlethal; temporary ones stay lost."""
    if width == 1:
        return _moved_down(poly, temporary, points)
    healed = [_lowered(row, points + nonlethal, width) for row in rows_of(poly, width)]
    by_rows = fmpz_poly([weight for row in healed for weight in row])
    if not points:
        return by_rows
    columns = [
        _moved_down(fmpz_poly([row[place] for row in healed]), temporary, points)
        for place in range(width)
    ]
    return sum((column.inflate(width).left_shift(n) for n, column in enumerate(columns)),
               start=fmpz_poly())  # fmt: skip


def _moved_down(taken: fmpz_poly, temporary: int, points: int) -> fmpz_poly:
    soaked, lost = taken.truncate(temporary), taken.right_shift(temporary)
    whole = int(lost.truncate(points)(1))
    return soaked + (lost.right_shift(points) + whole).left_shift(temporary)


def _lowered(row: list[int], points: int, width: int) -> list[int]:
    short = [sum(row[: points + 1]), *row[points + 1 :]]
    return short + [0] * (width - len(short))


def capped(poly: fmpz_poly, most: int) -> fmpz_poly:
    """Move everything beyond `most` to `most`."""
    if poly.degree() <= most:
        return poly
    below = poly.truncate(most)
    return below + (fmpz_poly([int((poly - below)(1))])).left_shift(most)
