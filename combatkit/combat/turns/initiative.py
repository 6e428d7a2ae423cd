"""Initiative: in which order combatants act, or who acts before the enemies' phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, permutations, product
from math import comb, factorial, prod
from operator import add, itemgetter

from combatkit.combat.checks.opposed import FARTHEST, MOST, Check, Selection, check_total
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Line, Ruleset, Tally, modifier_of, tally

FACES = 20
MOST_IN_ORDER = 8  # all their orders: 40,320
MOST_IN_FIGHT = 40


def initiative_bonus(rules: Ruleset, who: Combatant) -> Tally:
    """Tally what a combatant adds to an initiative check: Dexterity, feats, bonuses.

    Source: Simplified 3.5, Initiative Checks; Phased combat, initiative check.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> quick = Combatant(abilities={"dex": 16}, feats=["improved_initiative"])
    >>> initiative_bonus(load_ruleset("classic"), quick).total
    7
    """
    return tally(_lines(rules, who), rules.stacking, "Initiative")


def _lines(rules: Ruleset, who: Combatant) -> Iterator[Line]:
    term = rules.find("term", rules.terms, "initiative.dexterity")
    yield Line.of(term, modifier_of(who.score("dex")), term.id, term.type)
    for feat in map(rules.feat, who.feats):
        for bonus in feat.bonuses:
            if bonus.to == "initiative":
                yield Line.of(feat, bonus.value, f"feat.{feat.id}", bonus.type)
    for index, given in enumerate(who.bonuses):
        kind = rules.bonus_type(given.type)
        if given.to == "initiative":
            label = given.label or "Bonus"
            yield Line(f"bonus.{index}", label, given.value, kind, given.cite)


@dataclass(frozen=True)
class Initiative:
    """The order of a fight where everyone rolls: exact odds.

    A higher result acts first; a tie goes to the higher modifier; those still tied roll again, so
    that each order of them is equally likely.

    Attributes
    ----------
    modifiers : tuple of int
        Total initiative modifier of each combatant.
    """

    modifiers: tuple[int, ...]

    def place(self, who: int) -> Dist:
        """Distribution of a combatant's place in the order, 1 being first.

        Examples
        --------
        >>> Initiative((0, 0, 0)).place(1)
        Dist(1 to 3, mean 2)
        """
        mine = self.modifiers[self._index(who)]
        equals = self.modifiers.count(mine) - 1
        weights = [0] * len(self.modifiers)
        for face in range(1, FACES + 1):
            ahead = [1]  # weights of how many of those with another modifier act earlier
            for other in self.modifiers:
                if other != mine:
                    earlier = min(FACES, max(0, FACES - (face + mine - other) + (other > mine)))
                    ahead = _convolved(ahead, [FACES - earlier, earlier])
            for before, tied, weight in _equals(equals, face):
                # those tied with it stand in any order, so it has each place among them equally
                share = weight * factorial(equals + 1) // (tied + 1)
                for step, (count, chance) in product(range(tied + 1), enumerate(ahead)):
                    weights[before + count + step] += chance * share
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
        return Initiative((self.modifiers[who], self.modifiers[other])).p_first(0)

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
        walk = _Walk(self.modifiers)
        for index in order:
            walk.step(self.modifiers[index])
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
        walk = _Walk(self.modifiers)
        alike = {
            modifier: [i for i, other in enumerate(self.modifiers) if other == modifier]
            for modifier in walk.left
        }
        arranged = [list(permutations(indices)) for indices in alike.values()]
        found: dict[tuple[int, ...], Fraction] = {}
        for pattern, weight in _patterns(walk, len(self.modifiers)):
            chance = Fraction(weight, walk.total)
            for choice in product(*arranged):
                queues = dict(zip(alike, map(iter, choice), strict=True))
                found[tuple([next(queues[modifier]) for modifier in pattern])] = chance
        return found

    def _index(self, who: int) -> int:
        return within(who, "initiative: a combatant's index", 0, len(self.modifiers) - 1)


def _convolved(one: list[int], two: list[int]) -> list[int]:
    result = [0] * (len(one) + len(two) - 1)
    for (i, a), (j, b) in product(enumerate(one), enumerate(two)):
        result[i + j] += a * b
    return result


def _equals(count: int, face: int) -> Iterator[tuple[int, int, int]]:
    """Yield how many of so many equals roll higher and how many the same, with its weight."""
    for tied in range(count + 1):
        for before in range(count - tied + 1):
            ways = comb(count, tied) * comb(count - tied, before)
            weight = (FACES - face) ** before * (face - 1) ** (count - tied - before)
            yield before, tied, ways * weight


class _Walk:
    """A way down the order, one combatant after the other, told apart by modifier only.

    After each step it knows, for every face of the last one's die, the weight of all rolls that
    lead there: the results of those before are higher, or equal with a higher modifier. Those with
    the same modifier and result come as one run, in ``comb(left, run)`` ways.
    """

    def __init__(self, modifiers: tuple[int, ...]) -> None:
        self.left = {modifier: modifiers.count(modifier) for modifier in modifiers}
        # those alike share the weight of a pattern equally
        self.total = FACES ** len(modifiers) * prod(map(factorial, self.left.values()))
        self.path: list[int] = []
        # after each step: weight of all rolls in which the last one shows one of the highest
        # 0, 1, ... 20 faces
        self.sums: list[list[int]] = [[1] * (FACES + 1)]
        self.pick = {
            (above, below): _picker(above, below) for above, below in product(self.left, self.left)
        }

    @property
    def weight(self) -> int:
        return self.sums[-1][-1]

    def step(self, modifier: int) -> None:
        path = self.path
        self.left[modifier] -= 1
        faces, run = self._faces(modifier, 1), 1
        while run <= len(path) and path[-run] == modifier:
            run += 1  # a run of equals that reaches back one further
            faces = tuple(map(add, faces, self._faces(modifier, run)))
        path.append(modifier)
        self.sums.append(list(accumulate(faces, initial=0)))

    def _faces(self, modifier: int, run: int) -> tuple[int, ...]:
        """Weight of each face, from 20 down, of a run of equals that starts so many back."""
        start, ways = len(self.path) + 1 - run, comb(self.left[modifier] + run, run)
        if not start:
            return (ways,) * FACES
        before = self.pick[self.path[start - 1], modifier](self.sums[start])
        return before if ways == 1 else tuple([ways * weight for weight in before])

    def back(self) -> None:
        self.left[self.path.pop()] += 1
        self.sums.pop()


def _picker(above: int, below: int) -> Callable[[list[int]], tuple[int, ...]]:
    """Pick, for each face of the later one from 20 down, the sum over those that go ahead of it."""
    least = below - above + (below >= above)  # how much higher the other's face must be
    return itemgetter(*(min(FACES, max(0, place - least)) for place in range(1, FACES + 1)))


def _patterns(walk: _Walk, size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every order of modifiers that can come about, with its weight."""
    if len(walk.path) == size:
        yield tuple(walk.path), walk.weight
        return
    for modifier, left in walk.left.items():
        if left:
            walk.step(modifier)
            if walk.weight:
                yield from _patterns(walk, size)
            walk.back()


def initiative_order(rules: Ruleset, combatants: Sequence[int | Combatant]) -> Initiative:
    """Work out the order of a fight.

    Parameters
    ----------
    rules : Ruleset
        Where everyone rolls (switch ``initiative``).
    combatants : sequence of int or Combatant
        1 to 40 combatants, or their total initiative modifiers (-1000 to 1000).

    Returns
    -------
    Initiative

    Raises
    ------
    CombatkitError
        Where sides act in phases, or the modifiers are none.

    Notes
    -----
    Sources: Simplified 3.5, Initiative Checks and ties; the public SRD agrees.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> order = initiative_order(load_ruleset("classic"), [4, -1])
    >>> order.p_before(0, 1), order.place(1).mean
    (Fraction(59, 80), Fraction(139, 80))
    """
    if rules.switch("initiative") == "phases":
        raise CombatkitError(
            f"in ruleset '{rules.id}' sides act in phases: ask phase_initiative, or choose "
            "initiative = each_rolls"
        )
    return Initiative(tuple(_bonuses(rules, combatants, MOST_IN_FIGHT)))


def _bonuses(rules: Ruleset, combatants: Sequence[int | Combatant], most: int) -> Iterator[int]:
    if isinstance(combatants, str) or not isinstance(combatants, Sequence):
        raise CombatkitError(f"combatants: a list is needed, not {combatants!r:.60}")
    within(len(combatants), "the number of combatants", 1, most)
    for who in combatants:
        bonus = initiative_bonus(rules, who).total if isinstance(who, Combatant) else who
        yield within(bonus, "an initiative modifier", -FARTHEST, FARTHEST)


def phase_initiative_dc(
    rules: Ruleset, enemies: Sequence[int | Combatant], important: int = 0
) -> int:
    """Difficulty class of the players' initiative check.

    Parameters
    ----------
    rules : Ruleset
    enemies : sequence of int or Combatant
        Enemies, or their Dexterity scores.
    important : int, optional
        Index of the most important one, whose Dexterity counts when they differ.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> phase_initiative_dc(rules, [14]), phase_initiative_dc(rules, [10, 18], important=1)
    (13, 15)
    >>> phase_initiative_dc(rules.with_switches(initiative_dc="score"), [14])
    25
    """
    if isinstance(enemies, str) or not isinstance(enemies, Sequence) or not enemies:
        raise CombatkitError(f"enemies: a list of at least one is needed, not {enemies!r:.60}")
    enemy = enemies[within(important, "the most important enemy's index", 0, len(enemies) - 1)]
    score = enemy.score("dex") if isinstance(enemy, Combatant) else enemy
    within(score, "the enemy's Dexterity score", 0, FARTHEST)
    value = score if rules.switch("initiative_dc") == "score" else modifier_of(score)
    return rules.number("initiative.phase_base") + value


def phase_initiative(
    rules: Ruleset,
    players: Sequence[int | Combatant],
    enemies: Sequence[int | Combatant],
    important: int = 0,
) -> Selection:
    """Work out who acts in the first player phase, before the enemies.

    Parameters
    ----------
    rules : Ruleset
        Where sides act in phases (switch ``initiative``).
    players : sequence of int or Combatant
        1 to 10 players' characters, or their Dexterity modifiers.
    enemies, important
        As for :func:`phase_initiative_dc`.

    Returns
    -------
    Selection
        Of the players by index; whoever is not in a set first acts in the second player phase.

    Notes
    -----
    Source: Phased combat, initiative check. No natural roll is special.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> first = phase_initiative(load_ruleset("phased"), [0, 3], enemies=[12])
    >>> first.each, first.count.mean, first.p_all
    ((Fraction(9, 20), Fraction(3, 5)), Fraction(21, 20), Fraction(27, 100))
    """
    if rules.switch("initiative") != "phases":
        raise CombatkitError(
            f"in ruleset '{rules.id}' everyone rolls: ask initiative_order, or choose "
            "initiative = phases"
        )
    dc = phase_initiative_dc(rules, enemies, important)
    sets: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    bonuses = list(_bonuses(rules, players, MOST))
    for index, bonus in enumerate(bonuses):
        passed = check_total(rules, Check(bonus)).at_least(dc)
        sets = {
            found: chance
            for old, before in sets.items()
            for found, chance in (((*old, index), before * passed), (old, before * (1 - passed)))
            if chance
        }
    return Selection(len(bonuses), dict(sorted(sets.items())))
