"""Keeping the best or the worst rolls, against listing every roll and against icepool."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.errors import CombatkitError
from combatkit.prob import Dist

tables = st.dictionaries(st.integers(-5, 5), st.integers(1, 4), min_size=1, max_size=4)
light = settings(max_examples=40, deadline=None)


def listed(table: dict[int, int], n: int, keep: int, best: bool) -> dict[int, Fraction]:
    """Roll every possible way."""
    ways: Counter[int] = Counter()
    for rolls in product(table, repeat=n):
        kept = sorted(rolls, reverse=best)[:keep]
        ways[sum(kept)] += prod(table[x] for x in rolls)
    total = sum(table.values()) ** n
    return {x: Fraction(w, total) for x, w in sorted(ways.items())}


@light
@given(tables, st.integers(1, 5), st.data())
def test_every_roll_listed(table: dict[int, int], n: int, data: st.DataObject) -> None:
    keep = data.draw(st.integers(1, n))
    assert dict(Dist(table).highest(n, keep).items()) == listed(table, n, keep, best=True)
    assert dict(Dist(table).lowest(n, keep).items()) == listed(table, n, keep, best=False)


@pytest.mark.parametrize(("sides", "n", "keep"), [(20, 2, 1), (6, 4, 3), (6, 9, 4), (10, 12, 7)])
def test_icepool_agrees(sides: int, n: int, keep: int) -> None:
    best = icepool.d(sides).highest(n, keep)
    worst = icepool.d(sides).lowest(n, keep)
    for ours, theirs in [
        (Dist.die(sides).highest(n, keep), best),
        (Dist.die(sides).lowest(n, keep), worst),
    ]:
        denominator = theirs.denominator()
        assert dict(ours.items()) == {x: Fraction(w, denominator) for x, w in theirs.items()}


def test_advantage() -> None:
    better = Dist.die(20).highest(2)
    assert better.mean == Fraction(553, 40) and better.p(20) == Fraction(39, 400)
    assert better.mean + Dist.die(20).lowest(2).mean == 21
    assert better.minimum == 1


def test_keeping_all_is_the_sum() -> None:
    assert Dist.die(6).highest(5, 5) == Dist.die(6).lowest(5, 5) == 5 @ Dist.die(6)


@pytest.mark.parametrize(
    ("n", "keep", "message"),
    [
        (0, 1, "copies must be 1 to 10,000, not 0"),
        (10_001, 1, "copies must be 1 to 10,000, not 10,001"),
        (4, 5, "kept must be 1 to 4, not 5"),
        (4, 0, "kept must be 1 to 4, not 0"),
        (2000, 1000, "too much work"),
        (10_000, 9_999, "too large"),
        (2.0, 1, "must be a whole number, not 2.0"),
    ],
)
def test_refused(n: int, keep: int, message: str) -> None:
    with pytest.raises(CombatkitError, match=message):
        Dist.die(6).highest(n, keep)
