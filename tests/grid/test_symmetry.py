"""Turned, mirrored or moved, a map gives the same verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.grid import (
    Border,
    Ground,
    Reach,
    Space,
    crosses,
    distance,
    flanks,
    free_corners,
    line_of_effect,
    threatened_squares,
)
from combatkit.grid.cover import blow, shot
from combatkit.grid.squares import Corner, Thing


class Move(NamedTuple):
    """A quarter turn a number of times, perhaps a mirror, and a shift."""

    turns: int
    mirrored: bool
    right: int
    up: int

    def corner(self, corner: Corner) -> Corner:
        x, y = corner
        if self.mirrored:
            x = -x
        for _ in range(self.turns):
            x, y = -y, x
        return x + self.right, y + self.up

    def space(self, space: Space) -> Space:
        corners = [self.corner(corner) for corner in space.corners]
        return Space(min(x for x, _ in corners), min(y for _, y in corners), space.side)

    def thing(self, thing: Thing) -> Thing:
        if isinstance(thing, Border):
            one, other = (self.space(Space(*square)) for square in thing)
            return Border.between((one.x, one.y), (other.x, other.y))
        moved = self.space(Space(*thing))
        return moved.x, moved.y


MOVES = st.builds(
    Move, st.integers(0, 3), st.booleans(), st.integers(-50, 50), st.integers(-50, 50)
)
SMALL = st.integers(-4, 4)
SQUARES = st.tuples(SMALL, SMALL)
SPACES = st.builds(Space, SMALL, SMALL, st.integers(1, 2))
BORDERS = st.builds(
    lambda at, up: Border.between(at, (at[0], at[1] + 1) if up else (at[0] + 1, at[1])),
    SQUARES,
    st.booleans(),
)
THINGS = st.frozensets(SQUARES | BORDERS, max_size=6)
TOUCHING = st.sampled_from(["interior", "closed"])


@given(MOVES, SQUARES, SQUARES, SQUARES | BORDERS, TOUCHING)
def test_crossing(move: Move, start: Corner, end: Corner, thing: Thing, touching: str) -> None:
    moved = crosses(move.corner(start), move.corner(end), move.thing(thing), touching)  # type: ignore[arg-type]
    assert moved == crosses(start, end, thing, touching)  # type: ignore[arg-type]


@given(MOVES, SPACES, SPACES, st.sampled_from(["single", "alternating", "reach"]))
def test_distance(move: Move, one: Space, other: Space, rule: str) -> None:
    away = distance(one, other, rule)  # type: ignore[arg-type]
    assert distance(move.space(one), move.space(other), rule) == away  # type: ignore[arg-type]


@settings(max_examples=30)
@given(MOVES, SPACES, st.sampled_from([Reach.natural(1), Reach.natural(2), Reach.weapon(1)]))
def test_threatened_squares(move: Move, space: Space, reach: Reach) -> None:
    moved = {move.thing(square) for square in threatened_squares(space, reach)}
    assert threatened_squares(move.space(space), reach) == moved


@given(MOVES, SPACES, SPACES, SPACES)
def test_flanking(move: Move, one: Space, other: Space, between: Space) -> None:
    turned = flanks(move.space(one), move.space(other), move.space(between))
    assert turned == flanks(one, other, between)


@settings(max_examples=50)
@given(MOVES, SPACES, SPACES, THINGS)
def test_line_of_effect(move: Move, one: Space, other: Space, things: frozenset[Thing]) -> None:
    walls = things - {*one.squares, *other.squares}
    moved = frozenset(map(move.thing, walls))
    turned = line_of_effect(move.space(one), move.space(other), moved)
    assert turned == line_of_effect(one, other, walls)


@settings(max_examples=40)
@given(MOVES, SPACES, SPACES, THINGS, THINGS, TOUCHING)
def test_cover(
    move: Move,
    one: Space,
    other: Space,
    creatures: frozenset[Thing],
    things: frozenset[Thing],
    touching: str,
) -> None:
    own = {*one.squares, *other.squares}

    def ground(change: Callable[[Thing], Thing]) -> Ground:
        walls = frozenset(map(change, things - own))
        soft = frozenset(map(change, creatures - own))
        return Ground((soft, walls), walls, 2, touching)  # type: ignore[arg-type]

    here, there = ground(lambda thing: thing), ground(move.thing)
    spaces = move.space(one), move.space(other)
    still, moved = shot(one, other, here), shot(*spaces, there)
    assert (still.layer, still.share) == (moved.layer, moved.share)
    free = {move.corner(corner) for corner in free_corners(one, other, here)}
    assert set(free_corners(*spaces, there)) == free
    still, moved = blow(one, other, here, here), blow(*spaces, there, there)
    assert (still.layer, still.share) == (moved.layer, moved.share)
