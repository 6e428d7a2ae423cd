"""What the ground of a map does to movement: where somebody may step, and what a step costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import NamedTuple

from combatkit.combat.board.map import Map
from combatkit.combat.board.size import size_of
from combatkit.combat.board.standing import Stand, stand
from combatkit.grid import Border, Space, crossed, may_step
from combatkit.grid.squares import Square, Thing, Things
from combatkit.grid.ways import STEPS
from combatkit.rules import Ruleset

GROUND = ("walls", "low_walls", "covering", "slits", "fog", "shadow", "darkness", "difficult")
Feet = int | Fraction


class Step(NamedTuple):
    """A step to a neighboring square.

    Attributes
    ----------
    to : (int, int)
        Lower left square of the space afterwards.
    feet : tuple of int or Fraction
        What it costs after an even and after an odd number of plain diagonal steps.
    turns : bool
        Whether it is a plain diagonal step, which makes the next one cost differently.
    """

    to: Square
    feet: tuple[Feet, Feet]
    turns: bool


@dataclass(frozen=True, eq=False)
class Terrain:
    """The ground of a map for one creature that moves."""

    rules: Ruleset
    map: Map
    mover: Stand

    @cached_property
    def others(self) -> tuple[Stand, ...]:
        """Everybody else on the map."""
        own = self.mover.placed.id
        return tuple(
            stand(self.rules, self.map, one.id) for one in self.map.creatures if one.id != own
        )

    def space(self, square: Square) -> Space:
        """Squares that the mover takes with its lower left on a square."""
        return Space(*square, self.mover.space.side)

    def _things(self, *effects: str) -> Iterator[frozenset[Thing]]:
        """Things of the map, kind by kind, that do such a thing to movement."""
        for kind in GROUND:
            if self.rules.lookup("ground", kind).cells["movement"] in effects:
                yield frozenset(getattr(self.map, kind))

    @cached_property
    def walls(self) -> Things:
        """What blocks movement."""
        return frozenset[Thing]().union(*self._things("blocks"))

    @cached_property
    def hampering(self) -> tuple[frozenset[Thing], ...]:
        """What hampers movement, kind by kind."""
        blind = () if self.mover.placed.darkvision else ("hampers_unseeing",)
        return tuple(filter(None, self._things("hampers", *blind)))

    @cached_property
    def _obstacles(self) -> frozenset[Border]:
        things = frozenset[Thing]().union(*self.hampering)
        return frozenset(thing for thing in things if isinstance(thing, Border))

    # ---- others in the way

    @cached_property
    def _barred(self) -> frozenset[Square]:
        """Squares of those who let the mover through neither as friends nor by their size."""
        return frozenset(
            square
            for other in self.others
            if not self.passes(other)
            for square in other.space.squares
        )

    @cached_property
    def _taken(self) -> frozenset[Square]:
        return frozenset(square for other in self.others for square in other.space.squares)

    @cached_property
    def is_tiny(self) -> bool:
        """Whether several of its size share a square, so that it enters those of others."""
        return size_of(self.rules, self.mover.size).per_square > 1

    def passes(self, other: Stand) -> bool:
        """Whether the mover may move through another's square.

        Source: srd, Moving through a square: a friend's; anybody's by 3 sizes of difference; those
        smaller than a square enter anybody's.
        """
        sizes = [row.id for row in self.rules.lookups.values() if row.table == "size"]
        apart = abs(sizes.index(self.mover.size) - sizes.index(other.size))
        by_size = apart >= self.rules.number("movement.through_sizes")
        return self.mover.is_friend(other) or self.is_tiny or by_size

    def in_the_way(self, square: Square) -> tuple[Stand, ...]:
        """Those who let nobody through, where the mover would take a square of theirs."""
        taken = set(self.space(square).squares)
        return tuple(
            other
            for other in self.others
            if not self.passes(other) and taken & {*other.space.squares}
        )

    def why_no_end(self, square: Square) -> str:
        """Why the mover cannot stay on a square; empty where it can."""
        taken = set(self.space(square).squares)
        if self.is_tiny or not taken & self._taken or square == self.mover.placed.at:
            return ""
        who = next(other for other in self.others if taken & {*other.space.squares})
        return f"{square} is taken by {who.placed.id}; nobody ends a move there"

    # ---- steps

    def steps(self, square: Square) -> Iterator[Step]:
        """List the steps from a square that no wall and nobody stands in the way of."""
        for dx, dy in STEPS:
            if found := self.step(square, dx, dy):
                there = self.space(found.to).squares
                if not self._barred or self._barred.isdisjoint(there):
                    yield found

    def step(self, square: Square, dx: int, dy: int) -> Step | None:
        """Judge one step by the ground alone; None where a wall is in the way.

        Source: srd, Measuring distance; Hampered movement, whose factors multiply; Obstacles.
        """
        space = self.space(square)
        if not may_step(space, dx, dy, self.walls):
            return None
        to = (square[0] + dx, square[1] + dy)
        factor = self._factor(to)
        over = bool(self._obstacles) and not self._obstacles.isdisjoint(crossed(space, dx, dy))
        more = self.rules.number("movement.obstacle") if over else 0
        alternates = bool(dx and dy) and self._alternating
        even: Feet = factor
        odd: Feet = factor
        if alternates and factor == 1:
            odd = 2
        elif alternates:
            even = odd = whole_feet(factor * self.rules.fraction("movement.hampered_diagonal"))
        side = self._square_feet
        return Step(to, ((even + more) * side, (odd + more) * side), alternates and factor == 1)

    @cached_property
    def _alternating(self) -> bool:
        return self.rules.switch("diagonals") != "single"

    @cached_property
    def _square_feet(self) -> int:
        return self.rules.number("grid.square")

    def _factor(self, to: Square) -> int:
        """Multiply what hampers on the worst square of a space."""
        if not self.hampering:
            return 1
        cost = self.rules.number("movement.difficult_cost")
        squares = self.space(to).squares
        return max(
            prod(cost for things in self.hampering if square in things) for square in squares
        )


def whole_feet(feet: Fraction) -> Feet:
    """Write whole feet as a whole number."""
    return int(feet) if feet.denominator == 1 else feet
