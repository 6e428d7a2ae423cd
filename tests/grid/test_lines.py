"""Lines against clipping with fractions, and against lines moved a hair's breadth."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.grid import Border, Space, crosses, line_of_effect
from combatkit.grid.lines import Touching, unbroken
from combatkit.grid.squares import Corner, Thing

Point = tuple[Fraction, Fraction]
SMALL = st.integers(-3, 3)
CORNERS = st.tuples(SMALL, SMALL)
SQUARES = st.tuples(SMALL, SMALL)
BORDERS = st.builds(
    lambda at, up: Border.between(at, (at[0], at[1] + 1) if up else (at[0] + 1, at[1])),
    SQUARES,
    st.booleans(),
)
THINGS = SQUARES | BORDERS


def edges(thing: Thing) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the span of a thing along both axes."""
    if isinstance(thing, Border):
        (x, y), (right, upper) = thing
        return (right, x + 1), (upper, y + 1)
    return (thing[0], thing[0] + 1), (thing[1], thing[1] + 1)


def clipped(start: Point, end: Point, thing: Thing) -> tuple[Fraction, Fraction] | None:
    """Return the part of a line inside a closed thing, from 0 to 1 along it (Liang and Barsky)."""
    first, last = Fraction(0), Fraction(1)
    for axis, (low, high) in enumerate(edges(thing)):
        run = Fraction(end[axis]) - start[axis]
        if run == 0:
            if not low <= start[axis] <= high:
                return None
            continue
        enters, leaves = sorted(((low - start[axis]) / run, (high - start[axis]) / run))
        first, last = max(first, enters), min(last, leaves)
    return (first, last) if first <= last else None


def crosses_slowly(start: Corner, end: Corner, thing: Thing, touching: Touching) -> bool:
    points = [(Fraction(x), Fraction(y)) for x, y in (start, end)]
    part = clipped(points[0], points[1], thing)
    if part is None or touching == "closed":
        return part is not None
    middle = [
        points[0][axis] + (points[1][axis] - points[0][axis]) * sum(part) / 2 for axis in (0, 1)
    ]
    spans = edges(thing)
    wide = [axis for axis in (0, 1) if spans[axis][0] < spans[axis][1]]
    within = all(spans[axis][0] < middle[axis] < spans[axis][1] for axis in wide)
    along = any(
        points[0][axis] == points[1][axis] for axis in (0, 1) if axis not in wide
    )  # it runs along the border
    return within and not along


@settings(max_examples=400)
@given(CORNERS, CORNERS, THINGS, st.sampled_from(["interior", "closed"]))
def test_crossing_is_clipping(start: Corner, end: Corner, thing: Thing, touching: Touching) -> None:
    slow = crosses_slowly(start, end, thing, touching)
    assert crosses(start, end, thing, touching) == slow == crosses(end, start, thing, touching)
    if crosses(start, end, thing):
        assert crosses(start, end, thing, "closed")


@pytest.mark.parametrize(
    "start, end, thing, interior, closed",
    [
        ((0, 0), (3, 3), (1, 1), True, True),  # corner to corner
        ((0, 0), (3, 3), (1, 0), False, True),  # by its corner
        ((0, 1), (3, 1), (1, 1), False, True),  # along its edge
        ((0, 0), (3, 0), (1, 1), False, False),
        ((0, 0), (0, 0), (0, 0), False, True),  # no line at all
        ((0, 0), (2, 1), Border.between((0, 0), (1, 0)), True, True),
        ((0, 0), (2, 2), Border.between((0, 0), (1, 0)), False, True),  # by its end
        ((1, -1), (1, 2), Border.between((0, 0), (1, 0)), False, True),  # along it
    ],
)
def test_touching(start: Corner, end: Corner, thing: Thing, interior: bool, closed: bool) -> None:
    assert crosses(start, end, thing) is interior
    assert crosses(start, end, thing, "closed") is closed


FINE = 32  # small cells along a side of a square


def passes_slowly(
    start: Corner, end: Corner, one: Space, other: Space, walls: frozenset[Thing]
) -> bool:
    """Flood a narrow tube of small cells around the line, from one space to the other."""
    samples = 8 * FINE
    tube = set()
    for step in range(samples + 1):
        x, y = (
            (start[axis] * samples + step * (end[axis] - start[axis])) * FINE // samples
            for axis in (0, 1)
        )
        tube |= {(x + right, y + up) for right, up in product((-1, 0, 1), repeat=2)}

    def square(cell: Corner) -> Corner:
        return cell[0] // FINE, cell[1] // FINE

    waiting = [cell for cell in tube if square(cell) in one.squares]
    seen = set(waiting)
    while waiting:
        x, y = waiting.pop()
        if square((x, y)) in other.squares:
            return True
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            here, there = square((x, y)), square(near)
            walled = there in walls or (here != there and Border.between(here, there) in walls)
            if near in tube and near not in seen and not walled:
                seen.add(near)
                waiting.append(near)
    return False


@settings(max_examples=150)
@given(
    st.integers(0, 3),
    st.integers(-2, 3),
    st.sets(THINGS, min_size=1, max_size=9),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_a_line_gets_past_where_a_narrow_tube_does(
    x: int, y: int, things: set[Thing], here: int, there: int
) -> None:
    one, other = Space(0, 0), Space(x, y)
    walls = frozenset(things - {(0, 0), (x, y)})
    start, end = one.corners[here], other.corners[there]
    slow = passes_slowly(start, end, one, other, walls)
    assert unbroken(start, end, one.squares, other.squares, walls) == slow


@settings(max_examples=15)
@given(st.integers(1, 3), st.integers(0, 3), st.sets(THINGS, min_size=4, max_size=12))
def test_line_of_effect_is_any_line(x: int, y: int, things: set[Thing]) -> None:
    one, other = Space(-1, -1, 2), Space(x, y)
    walls = frozenset(things - {*one.squares, *other.squares})
    slow = any(
        passes_slowly(start, end, one, other, walls) for start, end in product(one.rim, other.rim)
    )
    assert line_of_effect(one, other, walls) == slow


@given(st.integers(1, 3), st.integers(-3, 3), st.sets(THINGS, max_size=12))
def test_line_of_effect_goes_both_ways(x: int, y: int, walls: set[Thing]) -> None:
    one, other = Space(-2, 0, 2), Space(x, y)
    free = frozenset(walls - {*one.squares, *other.squares})
    assert line_of_effect(one, other, free) == line_of_effect(other, one, free)


def fence(low: int, high: int) -> frozenset[Thing]:
    return frozenset(Border.between((1, y), (2, y)) for y in range(low, high))


@pytest.mark.parametrize("y", range(-2, 3))
def test_nothing_passes_a_wall_that_goes_on(y: int) -> None:
    for walls in (fence(-9, 9), frozenset((2, at) for at in range(-9, 9))):
        for x in (3, 4, 6):
            assert not line_of_effect(Space(1, 0), Space(x, y), walls)
            assert not line_of_effect(Space(-1, 0, 2), Space(x, y, 2), walls)


def test_the_near_side_of_a_wall_stays_near() -> None:
    beside = Space(1, 0)  # its right border is the wall
    assert not line_of_effect(beside, Space(2, 0), fence(-9, 9))
    assert line_of_effect(beside, Space(1, 5), fence(-9, 9))
    assert line_of_effect(beside, Space(2, 1), fence(-9, 1))  # round the end
    assert not line_of_effect(beside, Space(2, 2), fence(-9, 9))


def test_walls_that_meet_in_a_point_leave_no_gap() -> None:
    diagonal: frozenset[Thing] = frozenset({(0, 1), (1, 0)})
    assert not line_of_effect(Space(0, 0), Space(1, 1), diagonal)
    assert line_of_effect(Space(0, 0), Space(1, 1), frozenset({(0, 1)}))
