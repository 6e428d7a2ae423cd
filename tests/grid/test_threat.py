"""Reach: counts known from the texts, and every square asked one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit.grid import Diagonals, Reach, Space, distance, threatened_squares
from combatkit.grid.threat import reaches

REACHES = st.integers(0, 4).flatmap(
    lambda squares: st.sampled_from(
        [Reach.natural(squares), Reach.weapon(squares), Reach.weapon(squares, adjacent=True)]
    )
)
RULES = st.sampled_from(["single", "alternating", "reach"])


@pytest.mark.parametrize(
    "side, reach, rule, count",
    [
        (1, Reach.natural(1), "single", 8),  # simplified: all adjacent squares, diagonals included
        (1, Reach.weapon(1), "single", 16),
        (1, Reach.weapon(1), "reach", 16),
        (1, Reach.weapon(1), "alternating", 12),  # the four second diagonals are 15 feet away
        (1, Reach.weapon(1, adjacent=True), "reach", 24),
        (2, Reach.natural(1), "reach", 12),  # Large (Long)
        (2, Reach.natural(2), "reach", 32),  # Large (Tall)
        (2, Reach.weapon(2), "single", 100 - 36),
        (3, Reach.natural(3), "single", 72),
        (3, Reach.natural(3), "alternating", 72 - 12),  # of each corner 3 squares are too far
        (1, Reach.natural(0), "reach", 0),
        (1, Reach.weapon(0), "reach", 0),
    ],
)
def test_counts(side: int, reach: Reach, rule: Diagonals, count: int) -> None:
    assert len(threatened_squares(Space(0, 0, side), reach, rule)) == count


@given(st.integers(1, 3), REACHES, RULES)
def test_every_square_asked(side: int, reach: Reach, rule: Diagonals) -> None:
    space = Space(0, 0, side)
    slow = {
        (x, y)
        for x in range(-10, 14)
        for y in range(-10, 14)
        if (x, y) not in space.squares
        and any(reach.above < distance(own, Space(x, y), rule) for own in space.singles)
        and reach.above < min(distance(own, Space(x, y), rule) for own in space.singles)
        and any(distance(own, Space(x, y), rule) <= reach.upto for own in space.singles)
    }
    assert threatened_squares(space, reach, rule) == slow


@given(st.integers(1, 3), st.integers(1, 3), st.integers(-9, 9), st.integers(-9, 9), REACHES, RULES)
def test_reaching_a_creature_is_reaching_one_of_its_squares(
    side: int, other_side: int, x: int, y: int, reach: Reach, rule: Diagonals
) -> None:
    space, other = Space(0, 0, side), Space(x, y, other_side)
    threatened = threatened_squares(space, reach, rule)
    if set(space.squares).isdisjoint(other.squares):
        assert reaches(space, other, reach, rule) == (not threatened.isdisjoint(other.squares))
    else:
        assert reaches(space, other, Reach.natural(max(reach.upto, 0)), rule)


def test_a_natural_reach_strikes_into_its_own_square_and_a_reach_weapon_does_not() -> None:
    here = Space(0, 0)
    assert reaches(here, here, Reach.natural(0)) and reaches(here, here, Reach.natural(1))
    assert not reaches(here, here, Reach.weapon(1))
