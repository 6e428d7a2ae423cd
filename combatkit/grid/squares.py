"""Squares, the space a creature takes, and distance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Literal, NamedTuple

from combatkit.errors import CombatkitError

Square = tuple[int, int]  # the unit square whose lower left corner this is
Corner = tuple[int, int]  # a point where squares meet
Diagonals = Literal["single", "alternating", "reach"]


class Border(NamedTuple):
    """The border between two squares that share a side.

    Examples
    --------
    >>> Border.between((1, 0), (0, 0))
    Border(one=(0, 0), other=(1, 0))
    >>> Border.between((0, 0), (1, 1))
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: squares (0, 0) and (1, 1) share no border
    """

    one: Square
    other: Square

    @classmethod
    def between(cls, one: Square, other: Square) -> Border:
        """Name the border of two squares, in whichever order they are given."""
        if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1:
            raise CombatkitError(f"squares {one} and {other} share no border")
        return cls(*sorted((one, other)))


Thing = Square | Border  # what may stand in the way of a line
Things = frozenset[Thing]


class Space(NamedTuple):
    """The square block of squares somebody takes: lower left square, and squares along a side.

    Examples
    --------
    >>> Space(0, 0, 2).squares
    ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> Space(0, 0, 2).corners
    ((0, 0), (0, 2), (2, 0), (2, 2))
    """

    x: int
    y: int
    side: int = 1

    @property
    def squares(self) -> tuple[Square, ...]:
        """Every square of the space."""
        return tuple(product(range(self.x, self.x + self.side), range(self.y, self.y + self.side)))

    @property
    def corners(self) -> tuple[Corner, ...]:
        """The four corners of the space as a whole."""
        return tuple(product((self.x, self.x + self.side), (self.y, self.y + self.side)))

    @property
    def singles(self) -> tuple[Space, ...]:
        """Every square of the space, as a space of its own."""
        return tuple(Space(*square) for square in self.squares)

    @property
    def rim(self) -> tuple[Corner, ...]:
        """Corners of its squares that lie on its edge."""
        low, high = (self.x, self.y), (self.x + self.side, self.y + self.side)
        points = product(range(low[0], high[0] + 1), range(low[1], high[1] + 1))
        return tuple(p for p in points if p[0] in (low[0], high[0]) or p[1] in (low[1], high[1]))


def squares_across(space: Fraction | int, square: int = 5) -> int:
    """Squares along a side of a creature's space; a creature smaller than a square takes one.

    Parameters
    ----------
    space, square : Fraction or int
        Feet.

    Examples
    --------
    >>> [squares_across(feet) for feet in (Fraction(5, 2), 5, 10, 30)]
    [1, 1, 2, 6]
    """
    return max(1, ceil(Fraction(space) / square))


def per_square(space: Fraction | int, square: int = 5) -> int:
    """How many creatures of a space fit into one square; 0 for those larger than one.

    Examples
    --------
    >>> [per_square(feet) for feet in (Fraction(1, 2), 1, Fraction(5, 2), 5, 10)]
    [100, 25, 4, 1, 0]
    """
    along: int = floor(square / Fraction(space))
    return along * along


def gaps(one: Space, other: Space) -> tuple[int, int]:
    """Count the steps from one space to the other along both axes; (0, 0) where they overlap."""

    def gap(low: int, side: int, other_low: int, other_side: int) -> int:
        return max(0, other_low - (low + side - 1), low - (other_low + other_side - 1))

    return (
        gap(one.x, one.side, other.x, other.side),
        gap(one.y, one.side, other.y, other.side),
    )


def distance(one: Space, other: Space, diagonals: Diagonals = "alternating") -> int:
    """Squares between two spaces, from the nearest square of each.

    Parameters
    ----------
    one, other : Space
    diagonals : {"single", "alternating", "reach"}, optional
        Every diagonal step counts 1; or 1, 2, 1, 2, ... (5, 10, 5 feet); or that, except that two
        diagonal steps in all count 2, which is how a reach of 10 feet is measured.

    Returns
    -------
    int
        0 where they share a square, 1 where they are adjacent.

    Examples
    --------
    >>> [distance(Space(0, 0), Space(3, 3), rule) for rule in ("single", "alternating")]
    [3, 4]
    >>> [distance(Space(0, 0), Space(2, 2), rule) for rule in ("alternating", "reach")]
    [3, 2]
    """
    short, long = sorted(gaps(one, other))
    if diagonals == "single" or (diagonals == "reach" and (short, long) == (2, 2)):
        return long
    return long + short // 2


def distance_to(thing: Thing, space: Space, diagonals: Diagonals = "alternating") -> int:
    """Squares between a space and a square or border; 0 where the border is its own."""
    squares = thing if isinstance(thing, Border) else (thing,)
    return min(distance(Space(*square), space, diagonals) for square in squares)
