"""Squares and distance against counting steps one by one."""

from __future__ import annotations

import heapq
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError
from combatkit.grid import Border, Diagonals, Space, distance, per_square, squares_across
from combatkit.grid.squares import distance_to, gaps

SPACES = st.builds(Space, st.integers(-6, 6), st.integers(-6, 6), st.integers(1, 4))
STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


def walked(dx: int, dy: int, alternating: bool) -> int:
    """Cheapest walk over so many squares, every step looked at: the slow twin."""
    waiting = [(0, 0, 0, 0)]
    seen = set()
    while waiting:
        spent, x, y, odd = heapq.heappop(waiting)
        if (x, y) == (dx, dy):
            return spent
        if (x, y, odd) in seen:
            continue
        seen.add((x, y, odd))
        for right, up in STEPS:
            diagonal = bool(right and up)
            price = 2 if diagonal and odd and alternating else 1
            turned = odd ^ diagonal if alternating else 0
            if max(abs(x + right), abs(y + up)) <= 8:
                heapq.heappush(waiting, (spent + price, x + right, y + up, turned))
    raise AssertionError("unreachable")


@pytest.mark.parametrize("dx", range(7))
@pytest.mark.parametrize("dy", range(7))
def test_distance_is_the_cheapest_walk(dx: int, dy: int) -> None:
    one, other = Space(0, 0), Space(dx, dy)
    assert distance(one, other, "single") == walked(dx, dy, alternating=False)
    assert distance(one, other, "alternating") == walked(dx, dy, alternating=True)
    assert distance(one, other, "reach") == (2 if dx == dy == 2 else walked(dx, dy, True))


@given(SPACES, SPACES, st.sampled_from(["single", "alternating", "reach"]))
def test_distance_of_spaces_is_that_of_their_nearest_squares(
    one: Space, other: Space, rule: Diagonals
) -> None:
    nearest = min(distance(a, b, rule) for a, b in product(one.singles, other.singles))
    assert distance(one, other, rule) == nearest == distance(other, one, rule)
    shared = set(one.squares) & set(other.squares)
    assert (distance(one, other, rule) == 0) == bool(shared) == (gaps(one, other) == (0, 0))


@given(SPACES)
def test_squares_and_corners(space: Space) -> None:
    assert len(space.squares) == len(set(space.squares)) == space.side**2
    assert len(set(space.corners)) == 4 and set(space.corners) <= set(space.rim)
    assert len(space.rim) == len(set(space.rim)) == 4 * space.side
    assert [single.squares[0] for single in space.singles] == list(space.squares)


def test_sizes_of_the_table() -> None:
    feet = [Fraction(1, 2), 1, Fraction(5, 2), 5, 5, 10, 15, 20, 30]
    assert [per_square(space) for space in feet] == [100, 25, 4, 1, 1, 0, 0, 0, 0]
    assert [squares_across(space) for space in feet] == [1, 1, 1, 1, 1, 2, 3, 4, 6]


def test_borders() -> None:
    assert Border.between((0, 0), (0, 1)) == Border.between((0, 1), (0, 0))
    assert distance_to(Border.between((2, 0), (3, 0)), Space(0, 0)) == 2
    assert distance_to(Border.between((0, 0), (1, 0)), Space(0, 0)) == 0
    assert distance_to((4, 0), Space(0, 0)) == 4
    for other in ((0, 0), (2, 0), (1, 1)):
        with pytest.raises(CombatkitError, match="share no border"):
            Border.between((0, 0), other)
