"""A walk on a map: what its squares cost, who may strike at which step, and the price of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, prod
from typing import NamedTuple

from combatkit.combat.board.dangers import Going
from combatkit.combat.board.standing import Stand
from combatkit.combat.board.terrain import Feet, whole_feet
from combatkit.combat.turns.actions import find_action
from combatkit.combat.turns.movement import move_distance
from combatkit.combat.turns.price import Price, Threat, price_of_provoking
from combatkit.errors import CombatkitError
from combatkit.grid.squares import Square
from combatkit.prob import Dist
from combatkit.rules import Ruleset


class Opportunity(NamedTuple):
    """A foe's chance to strike at a walk: one for the whole movement.

    Attributes
    ----------
    step : int
        At which step, from 1; the strike comes before the step is done.
    foe : str
    square : (int, int)
        Where the mover stands when struck.
    why : str
    threat : Threat
        Who strikes with what in which situation; ``avoided`` is the chance of the Tumble check.
    dc : int or None
        Of that check, where the mover tumbles.
    through : Fraction or None
        Chance to get through the foe's square; None where the way does not lead through it. Who
        fails stops before it, and the foe may strike if it has not.
    """

    step: int
    foe: str
    square: Square
    why: str
    threat: Threat
    dc: int | None = None
    through: Fraction | None = None


class Branch(NamedTuple):
    """One course of a walk: its chance, the strikes it takes, and whether it is stopped."""

    chance: Fraction
    threats: tuple[Threat, ...]
    stopped: bool


@dataclass(frozen=True, eq=False)
class Walk:
    """A way on a map and what walking it costs.

    Attributes
    ----------
    squares : tuple of (int, int)
        Lower left square of the mover's space, from the start on.
    costs : tuple of int or Fraction
        Feet each step costs.
    opportunities : tuple of Opportunity
        Who may strike, in order.
    spared : tuple of (str, str)
        Whom the way gives an opportunity that they cannot use, and why.
    """

    rules: Ruleset
    mover: Stand
    going: Going
    squares: tuple[Square, ...]
    costs: tuple[Feet, ...]
    opportunities: tuple[Opportunity, ...]
    spared: tuple[tuple[str, str], ...]
    strikers: tuple[Stand, ...]

    @property
    def feet(self) -> Feet:
        """Feet of movement the way costs by its ground and diagonals."""
        return sum(self.costs)

    @property
    def movement(self) -> Feet:
        """Feet of movement it takes: more than :attr:`feet` for one who tumbles."""
        if self.going.tumble is None:
            return self.feet
        return whole_feet(self.feet / self.rules.fraction("tumble.speed"))

    @property
    def turns(self) -> int:
        """Turns it takes, with all of a turn's movement spent on it."""
        if self.mover.who is None:
            raise CombatkitError(f"{self.mover.placed.id} has no combatant on the map, so no speed")
        speed, act = self.mover.who.speed, self.going.act
        if not self.movement or act == "five_foot_step":
            return 1
        has_two = act == "move" and "movement.double_move" in self.rules.lookups
        reach = move_distance(self.rules, speed, "double_move" if has_two else act)
        if not reach:
            raise CombatkitError(f"{self.mover.placed.id} has a speed of 0 feet")
        return ceil(self.movement / reach)

    # ---- the price

    @cached_property
    def _branches(self) -> tuple[Branch, ...]:
        """Every course of the walk: how far the checks to get through foes' squares carry it."""
        found, chance = [], Fraction(1)
        taken: dict[str, Threat] = {}
        for one in self.opportunities:
            if one.through is None:
                taken[one.foe] = one.threat
                continue
            fails = chance * (1 - one.through)
            before = taken.get(one.foe)
            avoided = before.avoided if before else Fraction(1)
            if before and avoided < 1:  # it has struck already: nothing more
                struck = {**taken, one.foe: replace(before, avoided=Fraction(0))}
                found.append(Branch(fails * (1 - avoided), tuple(struck.values()), True))
            rest = [threat for foe, threat in taken.items() if foe != one.foe]
            found.append(Branch(fails * avoided, (*rest, one.threat), True))
            chance *= one.through
        found.append(Branch(chance, tuple(taken.values()), False))
        return tuple(branch for branch in found if branch.chance)

    @cached_property
    def _prices(self) -> tuple[Price, ...]:
        if self.opportunities:
            need_combatants(self.mover, *self.strikers)
        return tuple(
            price_of_provoking(self.rules, self.mover.fighter, branch.threats)
            for branch in self._branches
        )

    @cached_property
    def price(self) -> Price:
        """What the strikes do before the mover is there, exactly.

        ``p_interrupted`` is the chance not to arrive: dropped, or stopped before a foe's square.
        """
        pairs = tuple(zip(self._branches, self._prices, strict=True))
        if len(pairs) == 1 and not pairs[0][0].stopped:
            return pairs[0][1]
        return Price(
            pairs[-1][1].strikes,
            self.spared,
            Dist.mix((branch.chance, price.damage) for branch, price in pairs),
            {
                state: sum((b.chance * p.states.get(state, 0) for b, p in pairs), Fraction(0))
                for state in {state: 0 for _, price in pairs for state in price.states}
            },
            sum((b.chance * (1 if b.stopped else p.p_interrupted) for b, p in pairs), Fraction(0)),
        )

    @property
    def p_struck(self) -> Fraction:
        """Chance that at least one strike hits."""
        missed = Fraction(0)
        for branch, price in zip(self._branches, self._prices, strict=True):
            pairs = zip(branch.threats, price.strikes, strict=True)
            missed += branch.chance * prod(1 - (1 - t.avoided) * s.p_hit for t, s in pairs)
        return 1 - missed

    @property
    def p_dropped(self) -> Fraction:
        """Chance to be dying or dead before arriving."""
        return self.price.p_dropped

    @property
    def p_arrives(self) -> Fraction:
        """Chance to get to the end: not dropped, and not stopped before a foe's square."""
        return 1 - self.price.p_interrupted

    @property
    def damage(self) -> Dist:
        """Damage taken on the way."""
        return self.price.damage

    @property
    def expected_damage(self) -> Fraction:
        """Mean damage taken on the way."""
        return self.price.expected_damage

    # ---- words

    def explain(self) -> str:
        """Tell the way step by step: what it costs, who may strike, and what is left out."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        steps, act = len(self.costs), find_action(self.rules, self.going.act)
        measured = self.rules.switches["diagonals"].cite
        yield (
            f"{self.mover.placed.id}, {self.squares[0]} to {self.squares[-1]}: {self.feet} feet in "
            f"{steps} step{'' if steps == 1 else 's'}  [{measured}]"
        )
        if self.going.tumble is not None:
            cite = self.rules.numbers["tumble.past"].cite
            yield f"Tumbling takes {self.movement} feet of movement  [{cite}]"
        for one in self.opportunities:
            text = f"Step {one.step}: {one.foe} may strike at {one.square}: {one.why}"
            yield f"{text}{_check(one)}  [{act.cite}]"
        for name, why_not in self.spared:
            yield f"No strike by {name}: {why_not}"
        if self.opportunities and all(one.who for one in (self.mover, *self.strikers)):
            yield (
                f"Struck {self.p_struck}; damage expected {self.expected_damage}; down before "
                f"arriving {self.p_dropped}; arrives {self.p_arrives}"
            )
        if self.mover.who is not None and self.movement and self.turns > 1:
            yield (
                f"It takes {self.turns} turns; each foe's opportunity is counted once, and what "
                "happens between the turns is left out"
            )
        yield ENGAGED if "engagement.reach" in self.rules.numbers else THREATENED


THREATENED = "Each foe strikes when it first can; left out: squeezing, jumping, climbing"
ENGAGED = (
    "Only those named in `engaged` may strike; left out: pursuit, interception, disengaging, "
    "squeezing"
)


def need_combatants(*stands: Stand) -> None:
    """Refuse to work strikes out for those of whom the map only says where they stand."""
    for one in stands:
        if one.who is None:
            raise CombatkitError(
                f"{one.placed.id} has no combatant on the map, so a strike has no odds: "
                "give Placed.combatant"
            )


def _check(one: Opportunity) -> str:
    if one.through is not None:
        return f"; Tumble {one.dc} to get through: {one.through}"
    return f"; Tumble {one.dc} to avoid it: {one.threat.avoided}" if one.dc is not None else ""
