"""Flanking against meeting points of lines and borders, worked out with fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit.grid import Reach, Space, flanks, threatened_squares

PLACES = st.integers(-4, 6)
SINGLE = st.builds(Space, PLACES, PLACES)


def flanks_slowly(one: Space, other: Space, between: Space) -> bool:
    half = Fraction(1, 2)
    for a in one.squares:
        for b in other.squares:
            start = (a[0] + half, a[1] + half)
            end = (b[0] + half, b[1] + half)
            for axis in (0, 1):
                low, high = between[axis], between[axis] + between.side
                side_low = between[1 - axis]
                side_high = side_low + between.side
                met = []
                for border in (low, high):
                    if start[axis] == end[axis]:
                        continue
                    part = (border - start[axis]) / (end[axis] - start[axis])
                    at = start[1 - axis] + part * (end[1 - axis] - start[1 - axis])
                    met.append(0 <= part <= 1 and side_low <= at <= side_high)
                if met == [True, True]:
                    return True
    return False


@given(SINGLE, SINGLE, st.integers(1, 3), st.integers(1, 3), st.integers(1, 2))
def test_flanking_is_meeting_both_borders(
    one: Space, other: Space, between: int, side: int, other_side: int
) -> None:
    middle = Space(0, 0, between)
    one, other = one._replace(side=side), other._replace(side=other_side)
    assert flanks(one, other, middle) == flanks_slowly(one, other, middle)
    assert flanks(one, other, middle) == flanks(other, one, middle)


@pytest.mark.parametrize("side, pairs, flanking", [(1, 28, 4), (2, 66, 10), (3, 120, 20)])
def test_pairs_around_a_target(side: int, pairs: int, flanking: int) -> None:
    target = Space(0, 0, side)
    around = [Space(*square) for square in threatened_squares(target, Reach.natural(1))]
    found = [flanks(one, other, target) for one, other in combinations(around, 2)]
    assert (len(found), sum(found)) == (pairs, flanking)
    assert sum(flanks_slowly(*pair, target) for pair in combinations(around, 2)) == flanking


def test_a_large_flanker_counts_by_any_square() -> None:
    target = Space(0, 0)
    assert not flanks(Space(-1, 0), Space(1, 1), target)
    assert flanks(Space(-1, 0), Space(1, 0, 2), target)  # its square (1, 0) is opposite
    assert flanks(Space(-1, 0), Space(1, -1, 2), target)


def test_nobody_flanks_from_the_same_side_or_from_within() -> None:
    target = Space(0, 0, 2)
    assert not flanks(Space(-1, 0), Space(-1, 1), target)
    assert not flanks(Space(0, 0), Space(3, 0), target)
    assert not flanks(Space(-1, 0), Space(-1, 0), target)
