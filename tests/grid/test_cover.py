"""Cover by corners and between adjacent squares, against lines drawn one by one with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from combatkit.grid import Border, Ground, Space, distance, free_corners
from combatkit.grid.cover import blow, corner_views, inside, shot
from combatkit.grid.squares import Square, Thing, Things

SMALL = st.integers(-3, 3)
SQUARES = st.tuples(SMALL, SMALL)
BORDERS = st.builds(
    lambda at, up: Border.between(at, (at[0], at[1] + 1) if up else (at[0] + 1, at[1])),
    SQUARES,
    st.booleans(),
)
THINGS = st.frozensets(SQUARES | BORDERS, max_size=4)


def sampled(start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction], at: Square) -> bool:
    """Whether some point of the line, of 420 looked at, is strictly inside a square."""
    run, rise = end[0] - start[0], end[1] - start[1]
    points = ((start[0] + run * k / 420, start[1] + rise * k / 420) for k in range(421))
    return any(at[0] < x < at[0] + 1 and at[1] < y < at[1] + 1 for x, y in points)


@settings(max_examples=25)
@given(SQUARES, st.lists(SQUARES, min_size=1, max_size=2))
def test_corners_without_cover_by_looking_at_points(target: Square, blockers: list[Square]) -> None:
    blockers = [square for square in blockers if square not in ((0, 0), target)]
    one, other = Space(0, 0), Space(*target)
    slow = [
        corner
        for corner in one.corners
        if not any(
            sampled((Fraction(corner[0]), Fraction(corner[1])), (Fraction(x), Fraction(y)), square)
            for x, y in other.corners
            for square in blockers
        )
    ]
    assert list(free_corners(one, other, Ground((frozenset(blockers),)))) == slow


@pytest.mark.parametrize(
    "target, blockers, interior, closed",
    [
        ((3, 0), [(1, 0)], 0, 0),  # straight between
        ((2, 1), [(1, 0)], 2, 0),  # a knight's move
        ((5, 0), [(2, 1), (2, -1)], 4, 0),  # down an alley one square wide
        ((3, 0), [(1, 1)], 4, 2),  # beside the line of fire
        ((2, 2), [(1, 1)], 0, 0),
        ((3, 3), [(0, 1), (1, 0)], 1, 0),  # out of a gap between two corners
        ((4, 0), [], 4, 4),
    ],
)
def test_known_corners(target: Square, blockers: list[Square], interior: int, closed: int) -> None:
    ground = Ground((frozenset(blockers),))
    one, other = Space(0, 0), Space(*target)
    assert len(free_corners(one, other, ground)) == interior
    assert len(free_corners(one, other, ground._replace(touching="closed"))) == closed


@settings(max_examples=40)
@given(SQUARES, THINGS, THINGS, THINGS)
def test_the_attacker_chooses_the_best_corner(
    target: Square, soft: Things, hard: Things, better: Things
) -> None:
    one, other = Space(0, 0), Space(*target)
    ground = Ground((soft, hard, better))
    views = corner_views(one, other, ground)
    best = shot(one, other, ground)
    assert best.layer == min(view.layer for view in views)
    assert best in views and 0 <= best.share <= 1
    for view in views:
        layers = [line.layer for line in view.blocked]
        assert view.layer == max(layers, default=0)
        assert view.lines == 4 and all(line.start == view.corner for line in view.blocked)
    more = Ground((soft, hard | soft, better | soft))
    assert shot(one, other, more).layer >= best.layer
    worst = shot(one, other, ground, rank=lambda view: (-view.layer, -len(view.blocked)))
    assert worst.layer == max(view.layer for view in views)


def through_hull(one: Square, other: Square, wall: Thing) -> bool:
    """Whether a line between points of two squares, of many tried, goes through a wall."""
    grid = [Fraction(step, 4) for step in range(5)]
    points = list(product(grid, grid))
    for a, b in points:
        for c, d in points:
            start, end = (one[0] + a, one[1] + b), (other[0] + c, other[1] + d)
            if isinstance(wall, Border):
                if _over(start, end, wall):
                    return True
            elif _inside_midway(start, end, wall):
                return True
    return False


def _over(start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction], border: Border) -> bool:
    axis = 0 if border.one[1] == border.other[1] else 1  # the axis it lies across
    at, low = border.other[axis], border.other[1 - axis]
    if not min(start[axis], end[axis]) < at < max(start[axis], end[axis]):
        return False
    part = (at - start[axis]) / (end[axis] - start[axis])
    met = start[1 - axis] + part * (end[1 - axis] - start[1 - axis])
    return low < met < low + 1


def _inside_midway(
    start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction], at: Square
) -> bool:
    points = [
        tuple(start[axis] + (end[axis] - start[axis]) * k / 8 for axis in (0, 1)) for k in range(9)
    ]
    return any(at[0] < x < at[0] + 1 and at[1] < y < at[1] + 1 for x, y in points)


NEAR = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]
AROUND = [square for square in product(range(-1, 3), range(-1, 3)) if square != (0, 0)]


@pytest.mark.parametrize("target", [(1, 0), (1, 1)])
def test_adjacent_cover_is_any_line_between_the_squares(target: Square) -> None:
    walls: list[Thing] = [square for square in AROUND if square != target]
    for square in [*AROUND, (0, 0)]:
        walls += [
            Border.between(square, (square[0] + dx, square[1] + dy)) for dx, dy in [(1, 0), (0, 1)]
        ]
    for wall in walls:
        ground = Ground((frozenset({wall}),), frozenset({wall}))
        view = blow(Space(0, 0), Space(*target), ground, ground)
        assert (view.layer == 1) == through_hull((0, 0), target, wall), wall


@settings(max_examples=40)
@given(st.sampled_from(NEAR), THINGS)
def test_adjacent_cover_is_mutual(target: Square, things: Things) -> None:
    one, other = Space(0, 0), Space(*target)
    walls = things - {(0, 0), target}
    ground = Ground((walls,), walls)
    there, back = blow(one, other, ground, ground), blow(other, one, ground, ground)
    assert (there.layer, there.share) == (back.layer, back.share)


@settings(max_examples=30)
@given(st.integers(-4, 4), st.integers(-4, 4), st.integers(1, 3), st.integers(1, 2), THINGS)
def test_the_large_choose_their_squares(
    x: int, y: int, side: int, other_side: int, things: Things
) -> None:
    one, other = Space(0, 0, side), Space(x, y, other_side)
    assume(set(one.squares).isdisjoint(other.squares))
    walls = things - {*one.squares, *other.squares}
    ground = Ground((walls,), walls)
    slow = []
    for pair in product(one.singles, other.singles):
        if distance(one, other, "single") > 1:
            slow.append(shot(*pair, ground).layer)
        else:
            slow.append(min(1, len(ground.lines(pair[0].corners, pair))))
    assert blow(one, other, ground, ground).layer == min(slow)


def test_a_creature_in_the_same_square_has_no_cover() -> None:
    ground = Ground((frozenset({(0, 1), (1, 0)}),))
    view = blow(Space(0, 0), Space(0, 0), ground, ground)
    assert (view.layer, view.lines, view.share) == (0, 0, 0)


def test_a_wall_does_not_leak_at_its_joints() -> None:
    fence: Things = frozenset(Border.between((0, y), (1, y)) for y in range(-1, 6))
    one, other = Space(0, 0), Space(3, -4)  # the fence ends below the attacker
    assert distance(one, other) > 1
    literal = Ground((fence,))
    whole = Ground((fence,), fence)
    assert len(free_corners(one, other, literal)) > len(free_corners(one, other, whole)) == 0


def test_inside_means_the_whole_space() -> None:
    fog = frozenset(product(range(2), range(2)))
    assert inside(Space(0, 0, 2), fog) and inside(Space(1, 1), fog)
    assert not inside(Space(1, 1, 2), fog)
