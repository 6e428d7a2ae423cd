"""Steps from square to square: what a space fits into, and what a step crosses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

from combatkit.grid.squares import Border, Space, Things

STEPS = tuple(step for step in product((-1, 0, 1), repeat=2) if step != (0, 0))


def moved(space: Space, dx: int, dy: int) -> Space:
    """Return the same space some squares to the right and up."""
    return Space(space.x + dx, space.y + dy, space.side)


def fits(space: Space, walls: Things) -> bool:
    """Whether a space holds no wall, neither a square nor a border inside it.

    Examples
    --------
    >>> wall = frozenset({Border.between((0, 0), (1, 0))})
    >>> fits(Space(0, 0), wall), fits(Space(0, 0, 2), wall)
    (True, False)
    """
    return walls.isdisjoint(space.squares) and walls.isdisjoint(_inside(space))


def _inside(space: Space) -> Iterator[Border]:
    for x, y in space.squares:
        if x + 1 < space.x + space.side:
            yield Border((x, y), (x + 1, y))
        if y + 1 < space.y + space.side:
            yield Border((x, y), (x, y + 1))


def _legs(space: Space, dx: int, dy: int) -> tuple[tuple[Space, ...], ...]:
    """Return the straight ways of a step: one, or both ways round the corner of a diagonal."""
    end = moved(space, dx, dy)
    if not (dx and dy):
        return ((space, end),)
    return (space, moved(space, dx, 0), end), (space, moved(space, 0, dy), end)


def _edge(one: Space, other: Space) -> Iterator[Border]:
    """Borders passed by a straight step of one square."""
    step = (other.x - one.x, other.y - one.y)
    own = set(one.squares)
    for x, y in own:
        there = (x + step[0], y + step[1])
        if there not in own:
            yield Border.between((x, y), there)


def crossed(space: Space, dx: int, dy: int) -> frozenset[Border]:
    """Borders that a step passes, a diagonal one on either way round its corner.

    Examples
    --------
    >>> [len(crossed(Space(0, 0), *step)) for step in ((1, 0), (1, 1))]
    [1, 4]
    """
    ways = _legs(space, dx, dy)
    return frozenset(b for way in ways for leg in pairwise(way) for b in _edge(*leg))


def may_step(space: Space, dx: int, dy: int, walls: Things) -> bool:
    """Whether a space may move by one square; a diagonal step does not cut a wall's corner.

    Parameters
    ----------
    space : Space
    dx, dy : int
        -1, 0 or 1 each.
    walls : frozenset of Square or Border

    Examples
    --------
    >>> pillar = frozenset({(1, 0)})
    >>> [may_step(Space(0, 0), *step, pillar) for step in ((0, 1), (1, 0), (1, 1))]
    [True, False, False]
    """
    return all(fits(there, walls) for way in _legs(space, dx, dy) for there in way[1:]) and (
        walls.isdisjoint(crossed(space, dx, dy))
    )
