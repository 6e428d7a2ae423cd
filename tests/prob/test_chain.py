"""Chains against a step-by-step simulation with fractions, and against sympy's matrices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.errors import CombatkitError
from combatkit.prob import Chain

Rows = dict[Any, dict[Any, Any]]

weights = st.one_of(st.integers(0, 5), st.fractions(0, 2, max_denominator=6))
light = settings(max_examples=40, deadline=None)


@st.composite
def chains(draw: st.DrawFn) -> Rows:
    """Up to five inner states, each with some way down to the next; two ends."""
    size = draw(st.integers(1, 5))
    states: list[Any] = [*range(size), "won", "lost"]
    rows: Rows = {}
    for state in range(size):
        row = draw(st.dictionaries(st.sampled_from(states), weights, max_size=5))
        rows[state] = {**row, states[state + 1]: draw(st.integers(1, 4))}
    return rows


def one_step(rows: Rows, now: dict[Any, Fraction]) -> dict[Any, Fraction]:
    later: dict[Any, Fraction] = {}
    for state, p in now.items():
        row = rows.get(state, {state: 1})
        total = sum(Fraction(w) for w in row.values())
        for target, w in row.items():
            later[target] = later.get(target, Fraction(0)) + p * Fraction(w) / total
    return {state: p for state, p in later.items() if p}


@light
@given(chains(), st.integers(0, 12))
def test_after_is_step_by_step(rows: Rows, steps: int) -> None:
    slow = {0: Fraction(1)}
    for _ in range(steps):
        slow = one_step(rows, slow)
    assert Chain(rows).after(0, steps) == slow


def first_step_solution(rows: Rows, end: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Chances of `end` and steps times that chance, by the textbook's equations, in sympy."""
    inner = list(rows)
    total = {s: sum(map(sympy.Rational, map(str, rows[s].values()))) for s in inner}

    def step(s: Any, t: Any) -> Any:
        return sympy.Rational(str(rows[s].get(t, 0))) / total[s]

    identity_less_q = sympy.Matrix([[int(s == t) - step(s, t) for t in inner] for s in inner])
    chances = identity_less_q.LUsolve(sympy.Matrix([step(s, end) for s in inner]))
    steps = identity_less_q.LUsolve(chances)
    return dict(zip(inner, chances, strict=True)), dict(zip(inner, steps, strict=True))


@light
@given(chains())
def test_first_step_equations(rows: Rows) -> None:
    chain, mean = Chain(rows), Fraction(0)
    for end in ("won", "lost"):
        chances, steps = first_step_solution(rows, end)
        chance = chain.absorption(0).get(end, Fraction(0)) if end in chain.states else Fraction(0)
        assert chance == chances[0]
        if chance:
            assert chain.expected_steps(0, given=end) == steps[0] / chances[0]
            mean += chain.expected_steps(0, given=end) * chance
    assert sum(chain.absorption(0).values()) == 1
    assert chain.expected_steps(0) == mean


@light
@given(chains(), st.integers(0, 6))
def test_absorption_does_not_depend_on_the_moment(rows: Rows, steps: int) -> None:
    chain = Chain(rows)
    later: dict[Any, Fraction] = {}
    for state, p in chain.after(0, steps).items():
        for end, q in chain.absorption(state).items():
            later[end] = later.get(end, Fraction(0)) + p * q
    assert later == chain.absorption(0)


def death_saves() -> Chain:
    """Each turn 9 faces of 20 lose a hit point, 10 change nothing, 1 stabilizes; dead at -10."""
    rows: Rows = {}
    for hit_points in range(-9, 0):
        worse = hit_points - 1 if hit_points > -9 else "dead"
        rows[hit_points] = {worse: 9, hit_points: 10, "stable": 1}
    return Chain(rows)


def test_death_saves_measured() -> None:
    chain = death_saves()
    after = chain.after(-1, 20)
    assert after[-1] == Fraction(1, 1048576)
    assert after["dead"] == Fraction(151990094301057, 524288000000000)
    assert after["stable"] == Fraction(309677953323093, 524288000000000)
    assert sum(after.values()) == 1
    # Each hit point is lost, sooner or later, in 9 of the 10 ways that change anything.
    assert chain.absorption(-1) == {
        "dead": Fraction(9, 10) ** 9,
        "stable": 1 - Fraction(9, 10) ** 9,
    }
    assert chain.expected_steps(-9) == 2
    assert chain.expected_steps(-1, given="dead") == 18
    assert repr(chain) == "Chain(11 states, 2 absorbing)"
    assert set(chain.absorbing) == {"dead", "stable"}


def test_gambler_in_numbers_and_symbols() -> None:
    p = sympy.Symbol("p")
    symbolic = Chain({x: {x - 1: 1 - p, x + 1: p} for x in range(1, 5)})
    exact = Chain({x: {x - 1: 2, x + 1: 3} for x in range(1, 5)})
    for start in range(1, 5):
        formula = symbolic.symbolic_absorption(start)
        assert list(formula) == [0, 5]
        numbers = {end: value.subs(p, sympy.Rational(3, 5)) for end, value in formula.items()}
        assert numbers == exact.absorption(start) == exact.symbolic_absorption(start)
    assert symbolic.symbolic_absorption(0) == {0: 1}


def test_absorbing_start() -> None:
    chain = Chain({"up": {"down": 1}, "rock": {"rock": 3}})
    assert chain.absorbing == ("down", "rock")
    assert chain.absorption("rock") == {"rock": 1} == chain.after("rock", 5)
    assert chain.expected_steps("down") == chain.expected_steps("down", given="down") == 0
    assert chain.after("up", 0) == {"up": 1}
    unreached = Chain({"up": {"down": 1, "rock": 0}})
    assert unreached.absorption("rock") == {"rock": 1}
    assert unreached.absorption("up") == {"down": 1}


def test_never_absorbed_is_refused_only_where_it_matters() -> None:
    chain = Chain({"a": {"b": 1, "end": 1}, "b": {"c": 1}, "c": {"b": 1}})
    assert chain.after("a", 3) == {"b": Fraction(1, 2), "end": Fraction(1, 2)}
    for ask in (chain.absorption, chain.expected_steps, chain.symbolic_absorption):
        with pytest.raises(CombatkitError, match="state 'b' can never reach an absorbing state"):
            ask("a")


P = sympy.Symbol("P")
build: Any = Chain  # what follows is wrong on purpose, types included

REFUSED: list[tuple[Any, str]] = [
    (lambda: Chain({"a": {"b": 0.5, "c": 0.5}}), "from state 'a': a weight must be an exact int"),
    (lambda: Chain({"a": {"b": True}}), "exact int or Fraction, not True"),
    (lambda: Chain({"a": {"b": -1, "c": 2}}), "from state 'a': a weight must not be negative"),
    (lambda: Chain({"a": {}}), "from state 'a': at least one weight"),
    (lambda: build([("a", "b")]), "needs {state: {state: weight}}"),
    (lambda: build({"a": ["b"]}), "needs {state: {state: weight}}, not \\['b'\\]"),
    (lambda: Chain({"a": {"b": P, "c": 0.5}}), "must be an exact int or Fraction, not 0.5"),
    (lambda: Chain({"a": {"b": P * 0.5, "c": 1}}), "must be exact, without decimals"),
    (lambda: Chain({"a": {"b": P, "c": 1 - P}}).absorption("a"), "use symbolic_absorption"),
    (lambda: death_saves().absorption("ded"), "no state 'ded'; did you mean 'dead'"),
    (lambda: death_saves().expected_steps(-1, given="Stable"), "did you mean 'stable'"),
    (lambda: death_saves().expected_steps(-1, given=-2), "from state -1 the end is never -2"),
    (lambda: death_saves().expected_steps("dead", given="stable"), "the end is never 'stable'"),
    (lambda: death_saves().after(-1, -1), "steps must be 0 to 10,000, not -1"),
    (lambda: build({1: {2: 1}}).after(1, 2.0), "must be a whole number, not 2.0"),
    (lambda: death_saves().after(-1, 10**6), "steps must be 0 to 10,000, not 1,000,000"),
    (lambda: Chain({x: {x + 1: 1} for x in range(500)}).absorption(0), "500 states to solve"),
    (
        lambda: Chain({x: {y: 1 for y in range(101)} for x in range(100)}).after(0, 9_999),
        "9999 steps are too many",
    ),
]


@pytest.mark.parametrize(("act", "message"), REFUSED)
def test_refused(act: Any, message: str) -> None:
    with pytest.raises(CombatkitError, match=message):
        act()
