"""Lines between corners, and what they pass through: integers only, so no corner case is rounded.

A line is given by two corners. Whether one that merely touches a square or border passes through
it is a matter of reading: ``interior`` says no, ``closed`` says yes.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from math import gcd
from typing import Literal

from combatkit.grid.squares import Border, Corner, Space, Square, Thing, Things

Touching = Literal["interior", "closed"]

# the eight directions around a corner, counterclockwise from east
AROUND = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def crosses(start: Corner, end: Corner, thing: Thing, touching: Touching = "interior") -> bool:
    """Whether the line between two corners passes through a square or border.

    Parameters
    ----------
    start, end : (int, int)
    thing : Square or Border
    touching : {"interior", "closed"}, optional
        ``interior``: only through the inside of a square, or across a border between its ends.
        ``closed``: touching an edge, a corner or an end is enough.

    Returns
    -------
    bool
        Exact: a convex shape and a line are apart if and only if one of the two axes or the line
        itself divides them.

    Examples
    --------
    >>> [crosses((0, 0), (4, 2), (1, y)) for y in (0, 1)]
    [True, False]
    >>> [crosses((0, 0), (3, 0), (1, 0), touching) for touching in ("interior", "closed")]
    [False, True]
    """
    low, high = _box(thing)
    spans = [
        (min(start[axis], end[axis]), max(start[axis], end[axis]), low[axis], high[axis])
        for axis in (0, 1)
    ]
    corners = product((low[0], high[0]), (low[1], high[1]))
    turns = [_turn(start, end, corner) for corner in corners]
    if touching == "closed":
        near = all(one <= top and other >= bottom for one, other, bottom, top in spans)
        return near and min(turns) <= 0 <= max(turns)
    near = all(one < top and other > bottom for one, other, bottom, top in spans)
    return near and min(turns) < 0 < max(turns)


def _box(thing: Thing) -> tuple[Corner, Corner]:
    """Lower left and upper right corner; a border is a box without breadth."""
    if isinstance(thing, Border):
        (x, y), (right, upper) = thing
        return (right, upper), (x + 1, y + 1)
    return thing, (thing[0] + 1, thing[1] + 1)


def _turn(start: Corner, end: Corner, point: Corner) -> int:
    """Return which side of a line a point is on: positive left, negative right, 0 on it."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def line_of_effect(start: Space, end: Space, walls: Things) -> bool:
    """Whether any line from a corner of one space to a corner of the other gets past the walls.

    A line that only touches walls gets past, but not where it would have to squeeze through a
    point: between two walls that meet there, or along the seam of two wall squares.

    Parameters
    ----------
    start, end : Space
    walls : frozenset of Square or Border

    Examples
    --------
    >>> wall = frozenset(Border.between((1, y), (2, y)) for y in range(-3, 4))
    >>> line_of_effect(Space(0, 0), Space(3, 0), wall)
    False
    >>> line_of_effect(Space(0, 0), Space(3, 0), wall - {Border.between((1, 1), (2, 1))})
    True
    """
    if not walls:
        return True
    own, other = start.squares, end.squares
    return any(
        unbroken(here, there, own, other, walls) for here, there in product(start.rim, end.rim)
    )


def unbroken(
    start: Corner,
    end: Corner,
    start_squares: Collection[Square],
    end_squares: Collection[Square],
    walls: Things,
) -> bool:
    """Whether a line from a corner of some squares to a corner of others gets past the walls.

    The line may run on either side of what it touches. So this looks for a way from the start's
    squares to the end's through squares, and over borders, that lie at the line.
    """
    if any(crosses(start, end, wall) for wall in walls):
        return False
    steps = gcd(end[0] - start[0], end[1] - start[1])
    dx, dy = ((end[axis] - start[axis]) // (steps or 1) for axis in (0, 1))
    ahead = AROUND.index((_sign(dx), _sign(dy))) if steps else 0
    reached: set[Thing] = set(start_squares)
    for step in range(steps + 1):
        ring = _ring((start[0] + step * dx, start[1] + step * dy))
        if dx and dy and step:  # it comes through the inside of squares, which are free
            reached = {ring[ahead - 4]}
        _spread(reached, ring, walls)
        if dx and dy and step < steps and ring[ahead] not in reached:
            return False
    return not reached.isdisjoint(end_squares)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _ring(corner: Corner) -> list[Thing]:
    """List the four squares around a corner and the borders between them, in order around it."""
    x, y = corner
    east, north, west, south = (x, y), (x - 1, y), (x - 1, y - 1), (x, y - 1)
    squares = (east, north, west, south)  # each begins at its ray: north-east, north-west, ...
    ring: list[Thing] = []
    for number, square in enumerate(squares):
        ring += [Border.between(squares[number - 1], square), square]
    return ring


def _spread(reached: set[Thing], ring: list[Thing], walls: Things) -> None:
    """Add what can be got to around a corner without passing a wall."""
    for place in [place for place, thing in enumerate(ring) if thing in reached]:
        for turn in (1, -1):
            at = place + turn
            while (near := ring[at % len(ring)]) not in walls and near not in reached:
                reached.add(near)
                at += turn
