"""Dist against a plain dictionary of fractions, against icepool, and against the laws."""

from __future__ import annotations

import copy
import pickle
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import icepool
import numpy as np
import pandas as pd
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.errors import CombatkitError
from combatkit.prob import Dist, dice

Plain = dict[int, Fraction]

weights = st.one_of(st.integers(0, 9), st.fractions(0, 3, max_denominator=12))
tables = st.dictionaries(st.integers(-12, 12), weights, min_size=1, max_size=6).filter(
    lambda table: any(table.values())
)
dists = tables.map(Dist)
light = settings(max_examples=40, deadline=None)


# The slow twins


def plain(table: Plain) -> Plain:
    total = sum(table.values(), Fraction(0))
    return {x: w / total for x, w in sorted(table.items()) if w}


def combine(a: Plain, b: Plain, join: Callable[[int, int], int]) -> Plain:
    result: defaultdict[int, Fraction] = defaultdict(Fraction)
    for x, p in a.items():
        for y, q in b.items():
            result[join(x, y)] += p * q
    return dict(sorted(result.items()))


def as_plain(dist: Dist) -> Plain:
    return dict(dist.items())


def from_icepool(die: icepool.Die[int]) -> Plain:
    return {x: Fraction(w, die.denominator()) for x, w in die.items() if w}


# Against the twins


@light
@given(tables)
def test_construction_is_normalization(table: Plain) -> None:
    assert as_plain(Dist(table)) == plain(table)


@light
@given(tables, tables)
def test_sum_and_difference(a: Plain, b: Plain) -> None:
    p, q = plain(a), plain(b)
    assert as_plain(Dist(a) + Dist(b)) == combine(p, q, lambda x, y: x + y)
    assert as_plain(Dist(a) - Dist(b)) == combine(p, q, lambda x, y: x - y)


@light
@given(tables, st.integers(0, 4))
def test_repeat(table: Plain, n: int) -> None:
    slow: Plain = {0: Fraction(1)}
    for _ in range(n):
        slow = combine(slow, plain(table), lambda x, y: x + y)
    assert as_plain(n @ Dist(table)) == as_plain(Dist(table).repeat(n)) == slow


@light
@given(st.lists(st.tuples(weights, tables), min_size=1, max_size=4))
def test_mix(alternatives: list[tuple[Fraction, Plain]]) -> None:
    total = sum((Fraction(w) for w, _ in alternatives), Fraction(0))
    pairs = [(w, Dist(table)) for w, table in alternatives]
    if not total:
        with pytest.raises(CombatkitError, match="at least one weight"):
            Dist.mix(pairs)
        return
    slow: defaultdict[int, Fraction] = defaultdict(Fraction)
    for w, table in alternatives:
        for x, p in plain(table).items():
            slow[x] += p * w / total
    assert as_plain(Dist.mix(pairs)) == {x: p for x, p in sorted(slow.items()) if p}


@light
@given(tables, st.integers(-3, 3))
def test_map_and_scale(table: Plain, k: int) -> None:
    scaled = combine(plain(table), {k: Fraction(1)}, lambda x, y: x * y)
    squares = combine(plain(table), {0: Fraction(1)}, lambda x, _: x * x)
    assert as_plain(Dist(table).scale(k)) == scaled
    assert as_plain(Dist(table).map(lambda x: x * x)) == squares


@light
@given(tables, st.integers(-15, 15), st.integers(0, 12))
def test_clip(table: Plain, low: int, width: int) -> None:
    dist, p, one, high = Dist(table), plain(table), {0: Fraction(1)}, low + width
    both = combine(p, one, lambda x, _: min(max(x, low), high))
    assert as_plain(dist.clip(low, high)) == both
    assert as_plain(dist.clip(low=low)) == combine(p, one, lambda x, _: max(x, low))
    assert as_plain(dist.clip(high=high)) == combine(p, one, lambda x, _: min(x, high))
    assert dist.clip() == dist


@light
@given(tables, tables)
def test_comparisons(a: Plain, b: Plain) -> None:
    duel = combine(plain(a), plain(b), lambda x, y: (x > y) - (x < y))
    d, e = Dist(a), Dist(b)
    assert [d.p_less(e), d.p_equal(e), d.p_greater(e)] == [duel.get(x, 0) for x in (-1, 0, 1)]
    assert d.p_less(e) + d.p_equal(e) + d.p_greater(e) == 1


# Against icepool


@light
@given(tables, tables, st.integers(1, 4))
def test_icepool_agrees(a: Plain, b: Plain, n: int) -> None:
    ours, theirs = Dist(a), icepool.Die({x: int(p * 27720) for x, p in a.items() if p})
    other, their_other = Dist(b), icepool.Die({x: int(p * 27720) for x, p in b.items() if p})
    assert as_plain(n @ ours + other) == from_icepool(n @ theirs + their_other)
    mixed = icepool.Die([theirs, their_other], times=[2, 5])
    assert as_plain(Dist.mix([(2, ours), (5, other)])) == from_icepool(mixed)


def attack(miss: int, hit: int, critical: int) -> Dist:
    damage = dice("2d6+7")
    return Dist.mix([(miss, Dist.constant(0)), (hit, damage), (critical, damage + damage)])


def test_measured_vectors() -> None:
    blows = [attack(180, 198, 22), attack(280, 108, 12), attack(380, 19, 1), attack(380, 19, 1)]
    means = [Fraction(847, 100), Fraction(231, 50), Fraction(147, 200), Fraction(147, 200)]
    assert [blow.mean for blow in blows] == means
    whole_round = blows[0] + blows[1] + blows[2] + blows[3]
    assert whole_round.mean == Fraction(364, 25)
    assert (10 @ Dist.die(6)).p(35) == Fraction(7631, 104976)
    damage = 2 @ icepool.d6 + 7
    slow = icepool.Die([0, damage, 2 @ damage], times=[180, 198, 22])
    assert as_plain(blows[0]) == from_icepool(slow)


# Laws


@light
@given(dists, dists, st.integers(-9, 9))
def test_moments(d: Dist, e: Dist, k: int) -> None:
    assert sum(p for _, p in d.items()) == 1
    assert (d + e).mean == d.mean + e.mean
    assert (d + e).variance == (d - e).variance == d.variance + e.variance
    assert d.mean == sum(x * p for x, p in d.items())
    assert d.variance == sum((x - d.mean) ** 2 * p for x, p in d.items())
    assert (-d).mean == -d.mean and (d + k).mean == d.mean + k
    assert d.scale(k).variance == k * k * d.variance


@light
@given(dists, st.integers(-9, 9))
def test_shift_and_negation(d: Dist, k: int) -> None:
    mirrored = -d
    assert -mirrored == d
    assert d + k - k == d == k + d - k
    assert k - d == -(d - k)
    assert (d + k).p(d.maximum + k) == d.p(d.maximum) == (-d).p(-d.maximum)
    assert sum([d, d, d]) == 3 @ d


@light
@given(dists)
def test_cumulative(d: Dist) -> None:
    reach = range(d.minimum - 2, d.maximum + 3)
    chances = [d.cdf(x) for x in reach]
    assert all(a <= b for a, b in pairwise(chances))
    assert chances[0] == 0 and chances[-1] == 1
    for x in reach:
        assert d.cdf(x) == sum(p for y, p in d.items() if y <= x)
        assert d.cdf(x) + d.survival(x) == 1
        assert d.at_least(x) == d.survival(x) + d.p(x)


@light
@given(dists, st.fractions(0, 1, max_denominator=60))
def test_quantile_is_the_inverse(d: Dist, q: Fraction) -> None:
    x = d.quantile(q)
    assert d.p(x) > 0
    assert d.cdf(x) >= q
    assert q == 0 or d.cdf(x - 1) < q
    assert all(d.quantile(d.cdf(y)) == y for y, _ in d.items())


@light
@given(tables, st.integers(2, 6))
def test_equality_is_on_reduced_values(table: Plain, k: int) -> None:
    d, same = Dist(table), Dist({x: w * k for x, w in table.items()})
    unreduced = Dist.mix([(k, d), (k, d)])
    assert d == same == unreduced and hash(d) == hash(same) == hash(unreduced)
    assert d != d + 1 and d != Dist({-50: 1, **table}) and d != "d"
    assert pickle.loads(pickle.dumps(d)) == d == copy.deepcopy(d)


# What is exposed


def test_parts() -> None:
    d = Dist({-2: Fraction(1, 2), 3: Fraction(1, 3), 5: 0})
    assert (d.low, d.minimum, d.maximum, d.total, len(d)) == (-2, -2, 3, 5, 2)
    assert [int(w) for w in d.poly.coeffs()] == [3, 0, 0, 0, 0, 2]
    d.poly[0] = 99  # a copy: the distribution itself cannot be changed
    assert d.p(-2) == Fraction(3, 5)
    with pytest.raises(AttributeError):
        d.low = 4  # type: ignore[misc]
    assert repr(d) == "Dist(-2 to 3, mean 0)"
    assert repr(1000 @ Dist.die(6) + Dist.mix([(1, d), (3**50, d + 1)])).startswith(
        "Dist(998 to 6004, mean about 3501"
    )


def test_numpy_numbers_are_numbers() -> None:
    two: Any = np.int64(2)
    large: Any = np.int64(2**62)
    d = Dist({two - 1: large, 2: large, 3: 2**62})
    assert d == Dist.die(3)
    assert two @ d + two == two + (2 @ d) == 2 @ d + 2


def test_drawing_keeps_tiny_chances_and_huge_weights() -> None:
    d = 1000 @ Dist.die(6)
    outcomes, chances = d.approx()
    assert outcomes == list(range(1000, 6001))
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert chances[2500] == float(d.p(3500))
    assert Dist({0: 1, 1: 10**300}).approx()[1] == [1e-300, 1.0]


def test_pgf_and_series() -> None:
    x = sympy.Symbol("t")
    d = Dist({-1: 1, 2: 3})
    assert sympy.simplify(d.pgf(x) - (1 / (4 * x) + 3 * x**2 / 4)) == 0
    assert (2 @ Dist.die(3)).pgf("t") == sympy.expand(Dist.die(3).pgf(x) ** 2)
    series = d.to_series()
    assert isinstance(series, pd.Series)
    assert (series.name, series.index.name, list(series.index)) == (
        "probability",
        "outcome",
        [-1, 2],
    )
    assert series[2] == Fraction(3, 4) and isinstance(series[2], Fraction)


# Refusals

REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: Dist({1.0: 1}), "an outcome must be a whole number, not 1.0"),  # type: ignore[dict-item]
    (lambda: Dist({True: 1}), "an outcome must be a whole number, not True"),
    (lambda: Dist({1: 0.05}), r"exact int or Fraction, not 0.05; write Fraction\(1, 20\)"),  # type: ignore[dict-item]
    (lambda: Dist({1: True}), "exact int or Fraction, not True"),
    (lambda: Dist({1: -1, 2: 2}), "must not be negative"),
    (lambda: Dist({1: 0}), "at least one weight"),
    (lambda: Dist({}), "at least one weight"),
    (lambda: Dist([1, 2]), "Dist needs {outcome: weight}"),  # type: ignore[arg-type]
    (lambda: Dist({0: 1, 100_000: 1}), "too wide"),
    (lambda: Dist({10**13: 1}), "too far from 0"),
    (lambda: Dist.die(0), "sides must be 1 to 100,000, not 0"),
    (lambda: Dist.die(6.0), "must be a whole number, not 6.0"),  # type: ignore[arg-type]
    (lambda: Dist.uniform(3, 2), "low 3 is above high 2"),
    (lambda: Dist.uniform(0, 10**9), "too wide"),
    (lambda: Dist.mix([(-1, Dist.die(6)), (2, Dist.die(4))]), "mix: a weight must not be negative"),
    (lambda: Dist.mix([(0.5, Dist.die(6))]), "mix: a weight must be an exact int"),  # type: ignore[list-item]
    (lambda: Dist.mix([(1, 6)]), "mix: an alternative must be a Dist, not 6"),  # type: ignore[list-item]
    (lambda: Dist.mix([]), "at least one weight"),
    (lambda: Dist.mix([(1, Dist.constant(0)), (1, Dist.constant(10**6))]), "too wide"),
    (lambda: Dist.die(6) + 0.5, "a bonus must be a whole number"),  # type: ignore[operator]
    (lambda: Dist.die(6) - 0.5, "a penalty must be a whole number"),  # type: ignore[operator]
    (lambda: 10_001 @ Dist.die(6), "copies must be 0 to 10,000, not 10,001"),
    (lambda: -1 @ Dist.die(6), "copies must be 0 to 10,000, not -1"),
    (lambda: 10_000 @ Dist.die(6), "too large to keep exact"),
    (lambda: Dist.die(6).scale(10**6), "too wide"),
    (lambda: Dist.die(6).map(lambda x: x / 2), "the mapped outcome of 1 must be"),  # type: ignore
    (lambda: Dist.die(6).clip(4, 3), "clip: low 4 is above high 3"),
    (lambda: Dist.die(6).p(1.5), "an outcome must be a whole number"),  # type: ignore[arg-type]
    (lambda: Dist.die(6).cdf(1.5), "an outcome must be a whole number"),  # type: ignore[arg-type]
    (lambda: Dist.die(6).quantile(0.5), "a quantile needs an exact Fraction"),  # type: ignore[arg-type]
    (lambda: Dist.die(6).quantile(2), "a quantile needs an exact Fraction"),
    (lambda: Dist.die(3_000).pgf(), "outcomes must be 1 to 2,000"),
]


@pytest.mark.parametrize(("act", "message"), REFUSED)
def test_refused(act: Callable[[], object], message: str) -> None:
    with pytest.raises(CombatkitError, match=message):
        act()
