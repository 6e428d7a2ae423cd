"""What is in the way between two spaces, judged by lines from corner to corner."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from combatkit.grid.lines import Touching, crosses, unbroken
from combatkit.grid.squares import Corner, Space, Thing, Things, distance

Layers = tuple[Things, ...]  # what may be in the way, in rising order of the protection it gives
NOTHING: Things = frozenset()


class Blocked(NamedTuple):
    """A line that passes through something: where from, where to, the thing and its layer."""

    start: Corner
    end: Corner
    thing: Thing | None
    layer: int


class View(NamedTuple):
    """How one sees another past what is in the way.

    Attributes
    ----------
    layer : int
        0 when nothing counts, else 1 for the first of the layers, 2 for the second, ...
    corner : (int, int) or None
        The corner chosen; None where every line counts.
    lines : int
        How many lines were drawn.
    blocked : tuple of Blocked
        Those that pass through something.
    start, end : Space
        The space or square that each was judged by.
    """

    layer: int
    corner: Corner | None
    lines: int
    blocked: tuple[Blocked, ...]
    start: Space
    end: Space

    @property
    def share(self) -> Fraction:
        """Share of the lines drawn that are blocked, exactly."""
        return Fraction(len(self.blocked), self.lines) if self.lines else Fraction(0)


Rank = Callable[[View], Any]


def least(view: View) -> tuple[int, int]:
    """Tell what an attacker may go by: the lowest layer, then the fewest lines blocked."""
    return view.layer, len(view.blocked)


class Ground(NamedTuple):
    """Layers of what may be in the way, and how lines are read.

    Attributes
    ----------
    layers : tuple of frozenset
        In rising order of the protection they give.
    solid : frozenset
        What no line gets past by a seam or joint either; it belongs to a layer as well.
    solid_layer : int
        Number of that layer, from 1.
    touching : {"interior", "closed"}
    """

    layers: Layers
    solid: Things = NOTHING
    solid_layer: int = 1
    touching: Touching = "interior"

    def line(self, start: Corner, end: Corner, spaces: tuple[Space, Space]) -> Blocked | None:
        """Tell what a line passes through: of several things one of the highest layer."""
        for layer in range(len(self.layers), 0, -1):
            for thing in self.layers[layer - 1]:
                if crosses(start, end, thing, self.touching):
                    return Blocked(start, end, thing, layer)
            if layer == self.solid_layer and self.solid:
                own, other = spaces[0].squares, spaces[1].squares
                if not unbroken(start, end, own, other, self.solid):
                    return Blocked(start, end, None, layer)
        return None

    def lines(self, starts: Iterable[Corner], spaces: tuple[Space, Space]) -> tuple[Blocked, ...]:
        """List the blocked ones among the lines from some corners to the four of the target."""
        pairs = product(starts, spaces[1].corners)
        found = (self.line(here, there, spaces) for here, there in pairs)
        return tuple(line for line in found if line is not None)


def corner_views(start: Space, end: Space, ground: Ground) -> tuple[View, ...]:
    """Judge by each of the four corners that an attacker may choose.

    Source: SRD combat modifiers, Cover: it counts as soon as one line to a corner of the target's
    space passes through something.

    Examples
    --------
    >>> pillar = Ground((frozenset({(1, 0)}),))
    >>> [view.layer for view in corner_views(Space(0, 0), Space(2, 1), pillar)]
    [1, 0, 1, 0]
    """
    views = []
    for corner in start.corners:
        blocked = ground.lines([corner], (start, end))
        layer = max((line.layer for line in blocked), default=0)
        views.append(View(layer, corner, len(end.corners), blocked, start, end))
    return tuple(views)


def free_corners(start: Space, end: Space, ground: Ground) -> tuple[Corner, ...]:
    """Corners from which nothing counts as in the way."""
    return tuple(
        view.corner
        for view in corner_views(start, end, ground)
        if view.corner is not None and not view.layer
    )


def shot(start: Space, end: Space, ground: Ground, rank: Rank = least) -> View:
    """Judge a ranged attack: the attacker chooses the best corner of the space, by ``rank``.

    Examples
    --------
    >>> pillar = Ground((frozenset({(1, 0)}),))
    >>> straight = shot(Space(0, 0), Space(3, 0), pillar)
    >>> straight.layer, straight.share
    (1, Fraction(1, 2))
    """
    return min(corner_views(start, end, ground), key=rank)


def blow(start: Space, end: Space, adjacent: Ground, beyond: Ground, rank: Rank = least) -> View:
    """Judge a melee attack: any line counts between the adjacent, beyond them a shot's rule.

    Source: SRD combat modifiers, Cover and Big creatures and cover: who is larger than a square
    chooses which of the squares to judge by, and so does who attacks such a creature.

    Parameters
    ----------
    start, end : Space
    adjacent : Ground
        What counts between adjacent spaces (walls).
    beyond : Ground
        What counts with reach.
    rank : callable, optional
        What an attacker who may choose makes as small as possible.

    Examples
    --------
    >>> wall = Ground((frozenset({(1, 0)}),))
    >>> blow(Space(0, 0), Space(1, 1), wall, wall).layer  # round the corner of a wall
    1
    """
    pairs = product(start.singles, end.singles)
    if distance(start, end, "single") > 1:
        return min((shot(*pair, beyond, rank) for pair in pairs), key=rank)
    return min((_side_by_side(*pair, adjacent) for pair in pairs), key=rank)


def _side_by_side(start: Space, end: Space, ground: Ground) -> View:
    if start == end:
        return View(0, None, 0, (), start, end)
    blocked = ground.lines(start.corners, (start, end))
    lines = len(start.corners) * len(end.corners)
    layer = max((line.layer for line in blocked), default=0)
    return View(layer, None, lines, blocked, start, end)


def inside(space: Space, things: Things) -> bool:
    """Whether a whole space lies within some squares.

    Source: SRD combat modifiers, Concealment, melee.
    """
    return things.issuperset(space.squares)
