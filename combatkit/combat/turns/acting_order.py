"""The order of a fight where everyone rolls: exact odds of every place, pair and whole order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, permutations, product
from math import comb, factorial, prod
from operator import add, itemgetter, mul
from typing import Literal, NamedTuple

from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.prob.exact import within

D20 = Dist.die(20)
MOST_IN_ORDER = 8  # all their orders: 40,320
Tie = Literal["higher_bonus", "random"]


class Roller(NamedTuple):
    """One combatant's results: those with the same rank tie, of others the higher rank wins a tie.

    Attributes
    ----------
    rank : int
    results : tuple of (int, int)
        Each result and its weight, from the highest down.
    """

    rank: int
    results: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(weight for _, weight in self.results)

    def split(self, result: int, rank: int) -> tuple[int, int, int]:
        """Weights of acting before, level with and after somebody with this result and rank."""
        before = sum(w for mine, w in self.results if (mine, self.rank) > (result, rank))
        level = sum(w for mine, w in self.results if (mine, self.rank) == (result, rank))
        return before, level, self.total - before - level


@dataclass(frozen=True)
class Initiative:
    """The order of a fight where everyone rolls: exact odds.

    A higher result acts first; a tie goes to the higher modifier; those still tied roll off, so
    that each order of them is equally likely.

    Attributes
    ----------
    modifiers : tuple of int
        Total initiative modifier of each combatant.
    dice : tuple of Dist
        What each of them rolls; everybody a d20 when left out.
    tie : {"higher_bonus", "random"}
        With ``random`` all who are tied roll off, whatever their modifiers.
    """

    modifiers: tuple[int, ...]
    dice: tuple[Dist, ...] = ()
    tie: Tie = "higher_bonus"

    @cached_property
    def _rollers(self) -> tuple[Roller, ...]:
        made = []
        for modifier, die in zip(
            self.modifiers, self.dice or (D20,) * len(self.modifiers), strict=True
        ):
            weights = enumerate(map(int, die.poly.coeffs()), die.low + modifier)
            results = tuple((result, weight) for result, weight in weights if weight)
            made.append(Roller(modifier if self.tie == "higher_bonus" else 0, results[::-1]))
        return tuple(made)

    def place(self, who: int) -> Dist:
        """Distribution of a combatant's place in the order, 1 being first.

        Examples
        --------
        >>> Initiative((0, 0, 0)).place(1)
        Dist(1 to 3, mean 2)
        """
        mine = self._rollers[self._index(who)]
        others = [roller for index, roller in enumerate(self._rollers) if index != who]
        rivals = [roller for roller in others if roller.rank == mine.rank]
        shares = factorial(len(rivals) + 1)
        weights = [0] * len(self.modifiers)
        for result, chance in mine.results:
            ahead = [chance]  # weights of how many of those of another rank act earlier
            for other in others:
                if other.rank != mine.rank:
                    before, _, after = other.split(result, mine.rank)
                    ahead = _convolved(ahead, [after, before])
            for (before, level), weight in _levels(rivals, result).items():
                # those level with it stand in any order, so it has each place among them equally
                share = weight * (shares // (level + 1))
                for step, (count, ways) in product(range(level + 1), enumerate(ahead)):
                    weights[before + count + step] += ways * share
        return Dist(dict(enumerate(weights, 1)))

    def p_first(self, who: int) -> Fraction:
        """Chance to act before everybody else."""
        return self.place(who).p(1)

    def p_before(self, who: int, other: int) -> Fraction:
        """Chance that one acts before another.

        Examples
        --------
        >>> Initiative((1, 0)).p_before(0, 1)
        Fraction(229, 400)
        """
        if self._index(who) == self._index(other):
            raise CombatkitError("initiative: nobody acts before themselves")
        dice = (self.dice[who], self.dice[other]) if self.dice else ()
        return Initiative((self.modifiers[who], self.modifiers[other]), dice, self.tie).p_first(0)

    def p_order(self, order: Sequence[int]) -> Fraction:
        """Chance of one whole order, as indices from first to last.

        Examples
        --------
        >>> Initiative((2, 2, 2)).p_order((1, 0, 2))
        Fraction(1, 6)
        """
        listed = isinstance(order, Sequence) and not isinstance(order, str)
        if not listed or sorted(map(self._index, order)) != list(range(len(self.modifiers))):
            raise CombatkitError(
                f"initiative: an order names each of 0 to {len(self.modifiers) - 1} once, not "
                f"{order!r:.60}"
            )
        walk = _Walk(self._rollers)
        for index in order:
            walk.step(walk.kinds.index(self._rollers[index]))
        return Fraction(walk.weight, walk.total)

    @cached_property
    def orders(self) -> dict[tuple[int, ...], Fraction]:
        """Every order that can come about and its chance; at most eight combatants.

        Examples
        --------
        >>> sorted(Initiative((30, 0, 9)).orders.items())[0]
        ((0, 1, 2), Fraction(11, 80))
        """
        within(len(self.modifiers), "the number of combatants in all orders", 1, MOST_IN_ORDER)
        walk = _Walk(self._rollers)
        alike = [
            [i for i, roller in enumerate(self._rollers) if roller == kind] for kind in walk.kinds
        ]
        arranged = [list(permutations(indices)) for indices in alike]
        found: dict[tuple[int, ...], Fraction] = {}
        for pattern, weight in _patterns(walk, len(self.modifiers)):
            chance = Fraction(weight, walk.total)
            for choice in product(*arranged):
                queues = [iter(indices) for indices in choice]
                found[tuple([next(queues[kind]) for kind in pattern])] = chance
        return found

    def _index(self, who: int) -> int:
        return within(who, "initiative: a combatant's index", 0, len(self.modifiers) - 1)


def _convolved(one: list[int], two: list[int]) -> list[int]:
    result = [0] * (len(one) + len(two) - 1)
    for (i, a), (j, b) in product(enumerate(one), enumerate(two)):
        result[i + j] += a * b
    return result


def _levels(rivals: Sequence[Roller], result: int) -> dict[tuple[int, int], int]:
    """Weight of how many of those of one rank act before a result, and how many level with it."""
    counts = {(0, 0): 1}
    for rival in rivals:
        before, level, after = rival.split(result, rival.rank)
        grown: dict[tuple[int, int], int] = {}
        for (b, t), weight in counts.items():
            for key, chance in (((b + 1, t), before), ((b, t + 1), level), ((b, t), after)):
                if chance:
                    grown[key] = grown.get(key, 0) + weight * chance
        counts = grown
    return counts


class _Walk:
    """A way down the order, one combatant after the other, told apart by kind of roller only.

    After each step it knows, for every result of the last one, the weight of all rolls that lead
    there: those before have higher results, or equal ones and a higher rank. Those of one rank with
    the same result come as one run, in ``comb(left, run)`` ways.
    """

    def __init__(self, rollers: tuple[Roller, ...]) -> None:
        self.kinds = list(dict.fromkeys(rollers))
        self.ranks = [kind.rank for kind in self.kinds]
        self.left = [rollers.count(kind) for kind in self.kinds]
        self.in_rank = {rank: sum(r.rank == rank for r in rollers) for rank in self.ranks}
        # those of one rank share the weight of a run equally
        self.total = prod(r.total for r in rollers) * prod(map(factorial, self.in_rank.values()))
        self.path: list[int] = []
        # after each step: weight of all rolls in which the last one has one of its highest
        # 0, 1, ... results
        self.sums: list[list[int]] = [[1]]
        self.own = [tuple(weight for _, weight in kind.results) for kind in self.kinds]
        pairs = list(product(range(len(self.kinds)), repeat=2))
        self.pick = {(a, b): _picker(self.kinds[a], self.kinds[b]) for a, b in pairs}
        # weight with which one kind ties each result of another of its rank
        self.level = {
            (a, b): tuple(
                self.kinds[a].split(result, self.ranks[b])[1] for result, _ in self.kinds[b].results
            )
            for a, b in pairs
            if self.ranks[a] == self.ranks[b]
        }

    @property
    def weight(self) -> int:
        return self.sums[-1][-1]

    def step(self, kind: int) -> None:
        path, rank = self.path, self.ranks[kind]
        self.left[kind] -= 1
        self.in_rank[rank] -= 1
        rolled, run = self.own[kind], 1
        found = self._led_to(kind, 1, rolled)
        while run <= len(path) and self.ranks[path[-run]] == rank:
            rolled = tuple(map(mul, rolled, self.level[path[-run], kind]))
            if not any(rolled):
                break
            run += 1  # a run of equals that reaches back one further
            found = tuple(map(add, found, self._led_to(kind, run, rolled)))
        path.append(kind)
        self.sums.append(list(accumulate(found, initial=0)))

    def _led_to(self, kind: int, run: int, rolled: tuple[int, ...]) -> tuple[int, ...]:
        """Weight of each result, from the highest down, of a run that starts so many back."""
        start, ways = len(self.path) + 1 - run, comb(self.in_rank[self.ranks[kind]] + run, run)
        if start:
            rolled = tuple(
                map(mul, rolled, self.pick[self.path[start - 1], kind](self.sums[start]))
            )
        return rolled if ways == 1 else tuple([ways * weight for weight in rolled])

    def back(self) -> None:
        kind = self.path.pop()
        self.left[kind] += 1
        self.in_rank[self.ranks[kind]] += 1
        self.sums.pop()


def _picker(above: Roller, below: Roller) -> Callable[[list[int]], tuple[int, ...]]:
    """Pick, for each result of the later one, the sum over the other's results ahead of it."""
    places = [
        sum((other, above.rank) > (result, below.rank) for other, _ in above.results)
        for result, _ in below.results
    ]
    if len(places) == 1:
        return lambda sums: (sums[places[0]],)
    return itemgetter(*places)


def _patterns(walk: _Walk, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every order of kinds that can come about, with its weight."""
    if len(walk.path) == size:
        yield tuple(walk.path), walk.weight
        return
    for kind, left in enumerate(walk.left):
        if left:
            walk.step(kind)
            if walk.weight:
                yield from _patterns(walk, size)
            walk.back()
