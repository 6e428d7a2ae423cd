"""The duel: two combatants take turns until one is out of the fight, exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Literal, get_args, overload

from flint import fmpz_poly

from combatkit.combat.fights.approximate import DuelApprox, approximate
from combatkit.combat.fights.closed_form import (
    FOE,
    Bout,
    Part,
    Side,
    Sums,
    course,
    fight,
    told_rounds,
)
from combatkit.combat.fights.plan import Plan, read_plan
from combatkit.combat.fights.turns import Turns
from combatkit.combat.health.damage_taken import Target, target_of
from combatkit.combat.health.fate import STAGGERED, UNCONSCIOUS, Fate, fate
from combatkit.combat.turns.initiative import initiative_order, phase_initiative
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset

First = Literal["initiative", "a", "b"]
MOST_ROUNDS = 1000


@dataclass(frozen=True, eq=False)
class Duel:
    """A duel's odds.

    Attributes
    ----------
    bouts : tuple of (Fraction, Bout)
        Who moves first decides between them: chance, and what is fought then.
    p_a_first : Fraction
        Chance that A moves first, a surprise round left aside.
    names : dict
        By side, what the combatant is called; A and B where that tells nothing.
    """

    bouts: tuple[tuple[Fraction, Bout], ...]
    p_a_first: Fraction
    rules: dict[Side, Fate]
    full: dict[Side, int]
    names: dict[str, str]

    @cached_property
    def _parts(self) -> list[tuple[Fraction, list[Part], bool]]:
        return [(chance, *fight(bout)) for chance, bout in self.bouts]

    def _gathered(self) -> Iterator[tuple[Fraction, Sums]]:
        for chance, parts, _ in self._parts:
            for part in parts:
                yield chance / part.total, part.sums

    def _width(self, side: Side) -> int:
        return self.bouts[0][1].targets[side].width

    @property
    def method(self) -> str:
        """How it was solved: ``"closed form"``, or ``"chain"`` where somebody heals."""
        return "chain" if any(bout.heals for _, bout in self.bouts) else "closed form"

    def p_wins(self, side: Side) -> Fraction:
        """Chance that a side wins.

        Raises
        ------
        CombatkitError
            For a side other than ``"a"`` and ``"b"``.
        """
        check_word(side, FOE, "side")
        gathered = (int(sums.left[side](1)) * share for share, sums in self._gathered())
        return sum(gathered, Fraction(0))

    @cached_property
    def p_a_wins(self) -> Fraction:
        """Chance that A wins."""
        return self.p_wins("a")

    @cached_property
    def p_b_wins(self) -> Fraction:
        """Chance that B wins."""
        return self.p_wins("b")

    @property
    def p_endless(self) -> Fraction:
        """Chance that neither ever leaves the fight."""
        return 1 - self.p_a_wins - self.p_b_wins

    @cached_property
    def mean_rounds(self) -> Fraction | None:
        """Expected number of rounds begun, a surprise round being one; None for no sure end."""
        if any(for_ever for _, _, for_ever in self._parts):
            return None
        return sum((sums.stand * share for share, sums in self._gathered()), Fraction(0))

    def left(self, winner: Side) -> dict[int, Fraction]:
        """Chance that a side wins with so many hit points left, temporary ones included."""
        return dict(sorted(self._by_points(winner, lambda sums: sums.left[winner]).items()))

    def remaining(self, winner: Side) -> Dist:
        """Hit points a side has left when it wins.

        Raises
        ------
        CombatkitError
            When this side never wins.
        """
        if not (odds := self.left(winner)):
            raise CombatkitError(f"side '{winner}' never wins this duel")
        return Dist(odds)

    def loser(self, side: Side) -> dict[str, Fraction]:
        """Chance of each state in which a side leaves the fight: disabled, dying, dead or fled.

        Where it takes nonlethal damage, it may be unconscious too.
        """
        return self._ends(side, self.rules[side].states(self._falls(side)))

    def in_the_end(self, side: Side) -> dict[str, Fraction]:
        """Chance of each end of a side that loses, once the dying have met their fate."""
        return self._ends(side, self.rules[side].in_the_end(self._falls(side)))

    def _ends(self, side: Side, odds: dict[str, Fraction]) -> dict[str, Fraction]:
        out = self._by_pair(side, lambda sums: sums.fallen[side]).items()
        unconscious = sum((p for pair, p in out if self._is_out(side, *pair)), Fraction(0))
        knocked_out = {UNCONSCIOUS: unconscious} if self._width(side) > 1 else {}
        return odds | knocked_out | {"fled": self._fled(side)}

    def _is_out(self, side: Side, points: int, nonlethal: int) -> bool:
        return self.rules[side].state(points, nonlethal) in (UNCONSCIOUS, STAGGERED)

    def by_round(self, rounds: int) -> list[dict[str, Fraction]]:
        """Chances after each round (0 to 1000 of them) that ``"a"`` or ``"b"`` has won.

        The first entry is the start, the second a surprise round where there is one; ``"both"``
        is the chance that both still stand.

        Raises
        ------
        CombatkitError
            For more rounds than can be followed exactly.
        """
        last = within(rounds, "rounds", 0, MOST_ROUNDS)
        odds = [dict.fromkeys(("a", "b", "both"), Fraction(0)) for _ in range(last + 1)]
        for chance, bout in self.bouts:
            for number, now in enumerate(course(bout, last)):
                for end in now:
                    odds[number][end] += chance * now[end]
        return odds

    def over_by(self, rounds: int) -> Fraction:
        """Chance that the duel is over after so many rounds (0 to 1000)."""
        return 1 - self.by_round(rounds)[-1]["both"]

    def _falls(self, side: Side) -> dict[int, Fraction]:
        """Chances by hit points of a side that falls, those knocked unconscious left aside."""
        odds: dict[int, Fraction] = {}
        for pair, chance in self._by_pair(side, lambda sums: sums.fallen[side]).items():
            if not self._is_out(side, *pair):
                odds[pair[0]] = odds.get(pair[0], Fraction(0)) + chance
        return odds

    def _by_points(self, side: Side, taken_in: Callable[[Sums], fmpz_poly]) -> dict[int, Fraction]:
        odds: dict[int, Fraction] = {}
        for (points, _), chance in self._by_pair(side, taken_in).items():
            odds[points] = odds.get(points, Fraction(0)) + chance
        return odds

    def _by_pair(
        self, side: Side, taken_in: Callable[[Sums], fmpz_poly]
    ) -> dict[tuple[int, int], Fraction]:
        """Gather weights by damage taken into chances by hit points left and nonlethal damage."""
        check_word(side, FOE, "side")
        odds: dict[tuple[int, int], Fraction] = {}
        width = self._width(side)
        for share, sums in self._gathered():
            for pair, weight in enumerate(taken_in(sums).coeffs()):
                if weight:
                    taken, nonlethal = divmod(pair, width)
                    key = self.full[side] - taken, nonlethal
                    odds[key] = odds.get(key, Fraction(0)) + int(weight) * share
        return odds

    def _fled(self, side: Side) -> Fraction:
        return sum((sums.fled[side] * share for share, sums in self._gathered()), Fraction(0))

    def __repr__(self) -> str:
        one, other = self.names["a"], self.names["b"]
        wins = f"{one} wins {float(self.p_a_wins):.2%}, {other} wins {float(self.p_b_wins):.2%}"
        return f"Duel: {wins}; {told_rounds(self.mean_rounds)} ({self.method})"


@overload
def duel(
    rules: Ruleset,
    a: Combatant,
    b: Combatant,
    plan_a: Plan | None = None,
    plan_b: Plan | None = None,
    first: First = "initiative",
    surprise: Side | None = None,
    down_at: int = 0,
    approx: Literal[False] = False,
) -> Duel: ...


@overload
def duel(
    rules: Ruleset,
    a: Combatant,
    b: Combatant,
    plan_a: Plan | None = None,
    plan_b: Plan | None = None,
    first: First = "initiative",
    surprise: Side | None = None,
    down_at: int = 0,
    *,
    approx: Literal[True],
) -> DuelApprox: ...


def duel(
    rules: Ruleset,
    a: Combatant,
    b: Combatant,
    plan_a: Plan | None = None,
    plan_b: Plan | None = None,
    first: First = "initiative",
    surprise: Side | None = None,
    down_at: int = 0,
    approx: bool = False,
) -> Duel | DuelApprox:
    """Work out a duel.

    Parameters
    ----------
    rules : Ruleset
    a, b : Combatant
        In ``phased``, A is the players' side.
    plan_a, plan_b : Plan, optional
        What each does turn by turn; one attack with the first weapon when left out.
    first : {"initiative", "a", "b"}, optional
        Who moves first; by the ruleset's initiative when left out.
    surprise : {"a", "b"} or None, optional
        Who has a surprise round: one attack at a foe caught off guard.
    down_at : int, optional
        A side is out of the fight at this many hit points or fewer.
    approx : bool, optional
        Whether to follow the fight round by round with shortened weights: for sliders, and for
        fights too large to be exact.

    Returns
    -------
    Duel or DuelApprox

    Raises
    ------
    CombatkitError
        For a plan that never attacks, an unknown row, or a fight too large to follow exactly.

    Notes
    -----
    Sources: Simplified 3.5, Combat Procedures and Initiative; Phased combat, player phase and
    enemy phase.

    Examples
    --------
    >>> from combatkit.rules import Combatant, load_ruleset
    >>> club = {"damage": "1d6+1"}
    >>> guard = Combatant(attack_bonus=3, armor_class=13, hit_points=8, weapons=[club])
    >>> duel(load_ruleset("classic"), guard, guard, first="a").p_a_wins
    Fraction(4706226608665674371, 8048102290727040000)
    """
    expect(rules, Ruleset, "rules")
    expect(approx, bool, "approx")
    who: dict[Side, Combatant] = {"a": expect(a, Combatant, "a"), "b": expect(b, Combatant, "b")}
    plans: dict[Side, Plan] = {"a": read_plan(plan_a, "a"), "b": read_plan(plan_b, "b")}
    if surprise is not None:
        check_word(surprise, FOE, "side")
    full = {side: one.hit_points + one.temporary_hit_points for side, one in who.items()}
    targets = {side: _target(rules, side, who[side], plans[side], down_at) for side in FOE}
    movers = _movers(rules, a, b, first)
    bouts = tuple(
        (chance, _bout(rules, who, plans, targets, mover, surprise))
        for mover, chance in movers.items()
        if chance
    )
    if approx:
        return approximate(bouts)
    ends = {side: fate(rules, one) for side, one in who.items()}
    return Duel(bouts, movers["a"], ends, full, _names(a, b))


def _names(a: Combatant, b: Combatant) -> dict[str, str]:
    if not a.name or not b.name or a.name == b.name:
        return {"a": "A", "b": "B"}
    return {"a": a.name, "b": b.name}


def _movers(rules: Ruleset, a: Combatant, b: Combatant, first: str) -> dict[Side, Fraction]:
    check_word(first, get_args(First), "first:")
    if first == "initiative":
        if rules.switch("initiative") == "phases":
            chance = phase_initiative(rules, [a], [b]).each[0]
        else:
            chance = initiative_order(rules, [a, b]).p_first(0)
        return {"a": chance, "b": 1 - chance}
    return {"a": Fraction(first == "a"), "b": Fraction(first == "b")}


def _target(rules: Ruleset, side: Side, who: Combatant, plan: Plan, down_at: int) -> Target:
    target = target_of(rules, who, down_at, side)
    target = target._replace(heals=target.heals + plan.heals)
    if plan.holds is None:
        return target
    if plan.checks_at is None and "morale.share" not in rules.numbers:
        raise CombatkitError(
            f"plan of {side}: ruleset '{rules.id}' does not say when morale is checked; "
            "give 'checks_at' too, such as \"1/2\""
        )
    share = rules.fraction("morale.share") if plan.checks_at is None else plan.checks_at
    half = ceil((who.hit_points + who.temporary_hit_points) * share)
    nerve = plan.holds.numerator, plan.holds.denominator - plan.holds.numerator
    return target._replace(half=max(1, half), nerve=nerve)


def _bout(
    rules: Ruleset,
    who: dict[Side, Combatant],
    plans: dict[Side, Plan],
    targets: dict[Side, Target],
    first: Side,
    surprise: Side | None,
) -> Bout:
    """Work out the blows of the rounds until every later one is the same."""
    opening: list[tuple[Side, ...]] = [] if surprise is None else [(surprise,)]
    leader = first
    if rules.switch("initiative") == "phases":
        # A's phase always comes first; too slow, A only misses the first one
        opening += [] if first == "a" else [("b",)]
        leader = "a"
    length = max(len(plan.opening) for plan in plans.values()) + 1
    opening += [(leader, FOE[leader])] * length
    turns = Turns(rules, who, plans, surprise)
    rounds = [turns.round(number, sides) for number, sides in enumerate([*opening, opening[-1]])]
    facing = {
        side: target.facing(blow for blows in rounds for blow in blows.get(FOE[side], ()))
        for side, target in targets.items()
    }
    return Bout(facing, tuple(rounds[:-1]), rounds[-1], leader)
