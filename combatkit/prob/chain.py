"""Absorbing Markov chains, exact: what happens in the end, after n steps, and how long it takes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from flint import fmpq_mat

from combatkit.errors import CombatkitError, nearest
from combatkit.prob.exact import Weight, whole_weights, within

MAX_STATES = 400  # states to pass through in one exact solution
MAX_SYMBOLIC = 40  # the same, with sympy expressions
MAX_STEPS = 10_000
MAX_STEP_WORK = 20_000_000_000  # bits handled by one `after`


class Chain:
    """A Markov chain over hashable states, some of which are never left.

    Parameters
    ----------
    rows : mapping of state to mapping of state to weight
        The weights (int or Fraction, at least 0) of the states that may follow; a row is divided
        by its sum. A state without a row, or leading to itself only, is absorbing. Weights may be
        sympy expressions; then only `symbolic_absorption` answers.

    Raises
    ------
    CombatkitError
        For a float, a negative weight or a row without any weight.

    Notes
    -----
    Source: J. G. Kemeny and J. L. Snell, *Finite Markov Chains*, ch. III.

    Examples
    --------
    Three points behind, a gambler bets one point at a time until ruined or at five.

    >>> game = Chain({x: {x - 1: 1, x + 1: 1} for x in range(1, 5)})
    >>> game.absorption(3)
    {0: Fraction(2, 5), 5: Fraction(3, 5)}
    >>> game.expected_steps(3)
    Fraction(6, 1)
    """

    def __init__(self, rows: Mapping[Any, Mapping[Any, Weight | Any]]) -> None:
        for row in [rows, *(rows.values() if isinstance(rows, Mapping) else [])]:
            if not isinstance(row, Mapping):
                raise CombatkitError(f"chain: needs {{state: {{state: weight}}}}, not {row!r:.60}")
        self._rows: dict[Hashable, dict[Hashable, Any]] = {}
        self._symbolic = any(_is_symbolic(w) for row in rows.values() for w in row.values())
        targets: dict[Hashable, None] = {}
        for state, row in rows.items():
            where = f"chain, from state {state!r:.60}"
            weights = _symbols(row, where) if self._symbolic else _integers(row, where)
            targets |= dict.fromkeys([state, *row])
            if set(weights) != {state}:
                self._rows[state] = weights
        self.states: tuple[Any, ...] = tuple(targets)
        self.absorbing: tuple[Any, ...] = tuple(s for s in targets if s not in self._rows)

    def __repr__(self) -> str:
        """Count the states."""
        return f"Chain({len(self.states)} states, {len(self.absorbing)} absorbing)"

    def after(self, start: Hashable, steps: int) -> dict[Any, Fraction]:
        """Return the chance of each state after `steps` (0 to 10,000) steps; none 0.

        Examples
        --------
        >>> Chain({"up": {"up": 1, "down": 1}}).after("up", 3)
        {'up': Fraction(1, 8), 'down': Fraction(7, 8)}
        """
        self._check(start, exact=True)
        steps = within(steps, "the number of steps", 0, MAX_STEPS)
        reachable = self._reachable(start)
        unit = lcm(*(sum(self._rows[state].values()) for state in reachable))
        edges = sum(len(self._rows[state]) for state in reachable)
        if edges * unit.bit_length() * steps**2 > MAX_STEP_WORK:
            raise CombatkitError(f"{steps} steps are too many to follow exactly in this chain")
        rows = {state: _scaled(self._rows[state], unit) for state in reachable}
        now: dict[Hashable, int] = {start: 1}
        for _ in range(steps):
            later: dict[Hashable, int] = {}
            for state, mass in now.items():
                for target, weight in rows.get(state, {state: unit}).items():
                    later[target] = later.get(target, 0) + mass * weight
            now = later
        total = unit**steps
        return {state: Fraction(now[state], total) for state in self.states if state in now}

    def absorption(self, start: Hashable) -> dict[Any, Fraction]:
        """Return how likely each absorbing state is to be the end; none 0.

        Raises
        ------
        CombatkitError
            If the chain can reach a state from which no absorbing state can be reached.
        """
        self._check(start, exact=True)
        if start not in self._rows:
            return {start: Fraction(1)}
        return self._ends(self._visits(start))

    def expected_steps(self, start: Hashable, given: Hashable | None = None) -> Fraction:
        """Return the mean number of steps until absorption.

        Parameters
        ----------
        start : state
            Where the chain begins.
        given : state, optional
            An absorbing state: the mean over the histories that end there.

        Raises
        ------
        CombatkitError
            If absorption is not certain, or `given` cannot be the end.
        """
        self._check(start, exact=True)
        if given is not None:
            self._check(given, exact=True)
        visits = self._visits(start) if start in self._rows else {}
        if given is None:
            return sum(visits.values(), Fraction(0))
        ends = self._ends(visits) if visits else {start: Fraction(1)}
        if given not in ends:
            raise CombatkitError(f"chain: from state {start!r} the end is never {given!r}")
        # Each visit counts in so far as the chain still ends in `given` from there.
        weights = {state: self._rows[state].get(given, 0) for state in visits}
        chances = self._solve(list(visits), weights, transposed=False)
        return sum((visits[s] * chances[s] for s in visits), Fraction(0)) / ends[given]

    def symbolic_absorption(self, start: Hashable) -> dict[Any, Any]:
        """Return how likely each absorbing state is, as sympy expressions.

        Examples
        --------
        >>> import sympy
        >>> p = sympy.Symbol("p")
        >>> game = Chain({x: {x - 1: 1 - p, x + 1: p} for x in (1, 2)})
        >>> game.symbolic_absorption(2)[3]
        p/(p**2 - p + 1)
        """
        import sympy
        from sympy.polys.matrices import DomainMatrix

        self._check(start, exact=False)
        if start not in self._rows:
            return {start: sympy.Integer(1)}
        inner = self._transient(start)
        sums = {s: sympy.Add(*self._rows[s].values()) for s in inner}
        matrix = sympy.Matrix(
            len(inner),
            len(inner),
            lambda i, j: sums[inner[j]] * (i == j) - self._rows[inner[j]].get(inner[i], 0),
        )
        first = sympy.Matrix([1] + [0] * (len(inner) - 1))
        # Over the field of rational functions, where zero is always recognized.
        left, right = DomainMatrix.from_Matrix(matrix).unify(DomainMatrix.from_Matrix(first))
        solved = left.to_field().lu_solve(right.to_field()).to_Matrix()
        visits = dict(zip(inner, solved, strict=True))
        ends: dict[Any, Any] = {}
        for state, visit in visits.items():
            for target, weight in self._rows[state].items():
                if target not in self._rows:
                    ends[target] = ends.get(target, 0) + visit * weight
        return {s: sympy.factor(sympy.cancel(ends[s])) for s in self.absorbing if s in ends}

    # How it is solved

    def _check(self, state: Hashable, *, exact: bool) -> None:
        if state not in self.states:
            raise CombatkitError(f"chain: no state {state!r:.60}{nearest(state, self.states)}")
        if exact and self._symbolic:
            raise CombatkitError("chain: weights are sympy expressions; use symbolic_absorption")

    def _reachable(self, start: Hashable) -> list[Hashable]:
        """List the states with a row that can be reached, the start first."""
        found = dict.fromkeys([start] if start in self._rows else [])
        waiting = list(found)
        while waiting:
            new = [t for t in self._rows[waiting.pop()] if t in self._rows and t not in found]
            found |= dict.fromkeys(new)
            waiting += new
        return list(found)

    def _transient(self, start: Hashable) -> list[Hashable]:
        """List the reachable states with a row; refuse any that can never be left for good."""
        inner = self._reachable(start)
        most = MAX_SYMBOLIC if self._symbolic else MAX_STATES
        if len(inner) > most:
            raise CombatkitError(f"chain: {len(inner)} states to solve; at most {most}")
        leaving: set[Hashable] = set()
        size = -1
        while len(leaving) > size:
            size = len(leaving)
            leaving |= {
                s for s in inner if any(t not in self._rows or t in leaving for t in self._rows[s])
            }
        for state in inner:
            if state not in leaving:
                raise CombatkitError(
                    f"chain: state {state!r:.60} can never reach an absorbing state"
                )
        return inner

    def _visits(self, start: Hashable) -> dict[Hashable, Fraction]:
        """Return the mean number of visits to each state before absorption."""
        inner = self._transient(start)
        solution = self._solve(inner, {start: 1}, transposed=True)
        return {s: solution[s] * sum(self._rows[s].values()) for s in inner}

    def _solve(
        self, inner: list[Hashable], right: Mapping[Hashable, int], *, transposed: bool
    ) -> dict[Hashable, Fraction]:
        """Solve (I - Q) x = right in whole numbers: each equation times the sum of its row."""
        place = {state: i for i, state in enumerate(inner)}
        matrix = [[0] * len(inner) for _ in inner]
        for state, i in place.items():
            matrix[i][i] = sum(self._rows[state].values())
            for target, weight in self._rows[state].items():
                if target in place:
                    matrix[i][place[target]] -= weight
        left = fmpq_mat(matrix)
        column = fmpq_mat([[right.get(state, 0)] for state in inner])
        solved = (left.transpose() if transposed else left).solve(column).entries()
        return {s: Fraction(int(x.p), int(x.q)) for s, x in zip(inner, solved, strict=True)}

    def _ends(self, visits: Mapping[Hashable, Fraction]) -> dict[Any, Fraction]:
        ends: dict[Hashable, Fraction] = {}
        for state, mean in visits.items():
            per_unit = mean / sum(self._rows[state].values())
            for target, weight in self._rows[state].items():
                if target not in self._rows:
                    ends[target] = ends.get(target, Fraction(0)) + per_unit * weight
        return {state: ends[state] for state in self.absorbing if state in ends}


def _is_symbolic(weight: object) -> bool:
    # Known by its attribute, so that sympy is not imported for numbers.
    return bool(getattr(weight, "free_symbols", None))


def _integers(row: Mapping[Hashable, object], where: str) -> dict[Hashable, int]:
    scaled = whole_weights(row.values(), where)
    return {state: weight for state, weight in zip(row, scaled, strict=True) if weight}


def _symbols(row: Mapping[Hashable, Any], where: str) -> dict[Hashable, Any]:
    numbers = [weight for weight in row.values() if not _is_symbolic(weight)]
    if len(numbers) == len(row):
        return dict(_integers(row, where))
    # The plain numbers must be exact and not negative; so must those inside the expressions be.
    whole_weights([*numbers, 1], where)
    for weight in row.values():
        if _is_symbolic(weight) and any(atom.is_Float for atom in weight.atoms()):
            raise CombatkitError(f"{where}: a weight must be exact, without decimals, not {weight}")
    return {state: weight for state, weight in row.items() if weight != 0}


def _scaled(row: Mapping[Hashable, int], unit: int) -> dict[Hashable, int]:
    factor = unit // sum(row.values())
    return {state: weight * factor for state, weight in row.items()}
