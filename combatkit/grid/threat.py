"""Reach: which squares somebody can strike into, and so threatens."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from combatkit.grid.squares import Diagonals, Space, Square, distance


class Reach(NamedTuple):
    """Distances in squares at which somebody can strike: more than ``above``, at most ``upto``.

    Examples
    --------
    >>> Reach.natural(1), Reach.weapon(1), Reach.weapon(2, adjacent=True)
    (Reach(above=-1, upto=1), Reach(above=1, upto=2), Reach(above=-1, upto=4))
    """

    above: int
    upto: int

    @classmethod
    def natural(cls, squares: int) -> Reach:
        """Natural reach: everything up to it, one's own square included."""
        return cls(-1, squares)

    @classmethod
    def weapon(cls, natural: int, adjacent: bool = False) -> Reach:
        """Reach weapon: up to double the natural reach, but not the natural reach or less.

        Source: Simplified 3.5, Big and little creatures; ``adjacent`` is for weapons that strike
        nearby as well (a spiked chain).
        """
        return cls(-1 if adjacent else natural, 2 * natural)

    def covers(self, squares: int) -> bool:
        """Whether it reaches that far, and that near."""
        return self.above < squares <= self.upto


def reaches(one: Space, other: Space, reach: Reach, diagonals: Diagonals = "reach") -> bool:
    """Whether one can strike at any part of the other.

    Examples
    --------
    >>> longspear = Reach.weapon(1)
    >>> [reaches(Space(0, 0), Space(x, 0), longspear) for x in (1, 2, 3)]
    [False, True, False]
    """
    if reach.covers(distance(one, other, diagonals)):
        return True
    if other.side == 1:
        return False
    return any(reach.covers(distance(one, part, diagonals)) for part in other.singles)


def threatened_squares(
    space: Space, reach: Reach, diagonals: Diagonals = "reach"
) -> frozenset[Square]:
    """Squares around somebody into which they can strike.

    Source: Simplified 3.5, Threatened squares.

    Parameters
    ----------
    space : Space
    reach : Reach
    diagonals : {"single", "alternating", "reach"}, optional
        How distance is counted, see :func:`distance`.

    Returns
    -------
    frozenset of (int, int)
        Without the squares of the space itself; empty for a reach of 0.

    Examples
    --------
    >>> len(threatened_squares(Space(0, 0), Reach.natural(1)))
    8
    >>> len(threatened_squares(Space(0, 0), Reach.weapon(1)))
    16
    """
    far = range(-reach.upto, space.side + reach.upto)
    around = ((space.x + dx, space.y + dy) for dx, dy in product(far, far))
    return frozenset(
        square
        for square in around
        if (away := distance(space, Space(*square), diagonals)) > 0 and reach.covers(away)
    )
