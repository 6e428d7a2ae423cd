"""What turn after turn of attacks does to one target: who still stands, who has fallen how far.

A target's damage taken is a polynomial over pairs of lethal and nonlethal damage (pairs.py); a turn
multiplies it. Weights are whole numbers over a total that grows by the same factor each turn, so
nothing is reduced on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.damage import blow_damage
from combatkit.combat.health.pairs import (
    blow_total,
    capped,
    deals_any,
    mended,
    outcomes,
    width_for,
    within_room,
)
from combatkit.errors import CombatkitError
from combatkit.prob.exact import whole
from combatkit.rules import Combatant, Ruleset


class Target(NamedTuple):
    """How much damage brings a target down, and what happens half-way.

    Attributes
    ----------
    needed : int
        Damage at which it is out of the fight.
    deadly : int
        Damage at which it is dead, at least `needed`.
    half : int
        Damage at which its nerve is tested, once, after the foe's turn; 0 for never.
    nerve : (int, int)
        Weights of holding out and of fleeing at that test.
    heals : int
        Hit points it regains at the start of each of its turns.
    temporary : int
        Of its hit points, those that are lost first and not restored.
    full : int
        Its hit points: with more nonlethal damage than it has left it is out of the fight.
    regenerates : int
        Nonlethal damage that goes away beside at the start of each of its turns.
    width : int
        Of the pairs of lethal and nonlethal damage; 1 where nothing is nonlethal.
    lethal : bool
        Whether it takes any damage that is not nonlethal.
    """

    needed: int
    deadly: int
    half: int = 0
    nerve: tuple[int, int] = (1, 0)
    heals: int = 0
    temporary: int = 0
    full: int = 0
    regenerates: int = 0
    width: int = 1
    lethal: bool = True

    @property
    def mends(self) -> bool:
        """Whether any damage it has taken goes away."""
        return bool(self.heals or (self.regenerates and self.width > 1))

    @property
    def length(self) -> int:
        """How many pairs are followed at most."""
        return self.width * (self.deadly if self.lethal else 1)

    def facing(self, blows: Iterable[Blow]) -> Target:
        """Return it with room for the nonlethal damage that these blows may deal."""
        met = tuple(blows)
        width = width_for(met, self.full + 1)
        return self._replace(width=width, lethal=any(deals_any(blow, False) for blow in met))

    def standing(self, taken: fmpz_poly) -> fmpz_poly:
        """Keep those who are still in the fight."""
        return within_room(taken, self.width, _room(self.needed, self.full, self.width))


def steps(blows: Sequence[Blow], target: Target) -> int:
    """Most turns with any damage that leave the target standing."""
    most = max(target.needed - 1, target.full if target.width > 1 else 0)
    least = least_damage(blows)
    return max(0, most) // least if least else 0


def closing_weights(idle: int, base: int, terms: int) -> list[int]:
    """Weights w_n with sum over all n of F(n) = sum of w_n f_n / (base - idle)**(terms + 1) * base.

    F(n) = f_n / base**n is (idle / base)**n times a polynomial in n of degree at most `terms`. By
    Newton's forward differences the weights are the coefficients of
    ((z - idle)**(terms + 1) - (base - idle)**(terms + 1)) / (z - base).
    """
    power = fmpz_poly([-idle, 1]) ** (terms + 1) - (base - idle) ** (terms + 1)
    quotient = power // fmpz_poly([-base, 1])
    return [int(weight) for weight in quotient.coeffs()]


@lru_cache(maxsize=256)
def _room(needed: int, full: int, width: int) -> tuple[int, ...]:
    """How many amounts of nonlethal damage leave somebody standing, by lethal damage."""
    return tuple(1 if width == 1 else max(1, full - taken + 1) for taken in range(needed))


@dataclass(frozen=True)
class Standing:
    """Weights of a target that still fights, by damage taken, over one total.

    Attributes
    ----------
    calm, tested : fmpz_poly
        Before and after its nerve was tested.
    total : int
    """

    calm: fmpz_poly
    tested: fmpz_poly
    total: int

    @property
    def taken(self) -> fmpz_poly:
        """Weights by damage taken."""
        return self.calm + self.tested

    @property
    def mass(self) -> int:
        """Weight of still fighting."""
        return int(self.taken(1))


class Out(NamedTuple):
    """Weights of leaving the fight in one turn.

    Attributes
    ----------
    fallen : fmpz_poly
        By damage taken; `deadly` stands for all beyond.
    fled : int
    """

    fallen: fmpz_poly
    fled: int

    @property
    def mass(self) -> int:
        """Weight of leaving in any way."""
        return int(self.fallen(1)) + self.fled


def target_of(rules: Ruleset, who: Combatant, down_at: int, side: str) -> Target:
    """Tell how much damage somebody takes, temporary hit points included.

    Raises
    ------
    CombatkitError
        For somebody who is down to begin with, whatever temporary hit points they have.
    """
    full = who.hit_points + who.temporary_hit_points
    deadly = full - rules.dead_at
    needed = min(full - whole(down_at, "down_at"), deadly)
    if needed <= who.temporary_hit_points:
        name = f"{side} ({who.name})" if who.name else side
        raise CombatkitError(
            f"{name} is already down: {who.hit_points} hit points, and down at {full - needed} or "
            "fewer"
        )
    return Target(
        needed,
        deadly,
        heals=who.fast_healing,
        temporary=who.temporary_hit_points,
        full=full,
        regenerates=who.regeneration,
    )


def unhurt() -> Standing:
    """Return a standing that has taken no damage."""
    return Standing(fmpz_poly([1]), fmpz_poly(), 1)


def start_turn(standing: Standing, target: Target) -> Standing:
    """Let a target heal at the start of its own turn."""
    if not target.mends:
        return standing
    calm, tested = (
        mended(poly, target.width, target.temporary, target.heals, target.regenerates)
        for poly in (standing.calm, standing.tested)
    )
    return Standing(calm, tested, standing.total)


def turn_total(blows: Sequence[Blow], target: Target) -> int:
    """Factor by which totals grow in a turn."""
    start = _nerve_total(target) if blows else 1
    return prod((blow_total(blow, target.width) for blow in blows), start=start)


def idle_weight(blows: Sequence[Blow], target: Target) -> int:
    """Weight, over :func:`turn_total`, of a turn that does no damage at all."""
    standing, _ = take_turn(unhurt(), blows, target)
    return int(standing.calm[0])


def least_damage(blows: Sequence[Blow]) -> int:
    """Least damage above 0 that a turn can do; 0 where it does none."""
    harms = (blow_damage(blow) for blow in blows)
    amounts = (next((amount for amount, _ in harm.items() if amount), 0) for harm in harms)
    return min(filter(None, amounts), default=0)


def bits_of_turns(blows: Sequence[Blow], needed: int) -> int:
    """Estimate the length of a chance after as many turns as it may take to do that damage."""
    least = least_damage(blows)
    turns = -(-needed // least) if least else 1
    return turns * sum(blow_total(blow).bit_length() for blow in blows)


def _nerve_total(target: Target) -> int:
    return sum(target.nerve) if target.half else 1


def take_turn(standing: Standing, blows: Sequence[Blow], target: Target) -> tuple[Standing, Out]:
    """Let an attacker strike a turn's blows, stopping when the target is out.

    Returns
    -------
    Standing, Out
        What still stands and what left the fight in this turn, over the same new total.
    """
    # calm and tested, each before and after the first hit of the turn
    parts = {(False, False): standing.calm, (True, False): standing.tested}
    fallen, total = fmpz_poly(), standing.total
    for blow in blows:
        parts, down = _struck(parts, blow, target)
        whole = blow_total(blow, target.width)
        fallen = fallen * whole + down
        total *= whole
    calm = parts.get((False, False), fmpz_poly()) + parts.get((False, True), fmpz_poly())
    tested = parts.get((True, False), fmpz_poly()) + parts.get((True, True), fmpz_poly())
    after = Standing(calm, tested, total)
    return _nerve_tested(after, fallen, target) if blows else (after, Out(fallen, 0))


def _nerve_tested(standing: Standing, fallen: fmpz_poly, target: Target) -> tuple[Standing, Out]:
    """Test those who have lost half and are still up."""
    if not target.half:
        return standing, Out(fallen, 0)
    holds, flees = target.nerve
    total = holds + flees
    calm = standing.calm.truncate(target.half * target.width)
    shaken = standing.calm - calm
    after = Standing(calm * total, standing.tested * total + shaken * holds, standing.total * total)
    return after, Out(fallen * total, int(shaken(1)) * flees)


Parts = dict[tuple[bool, bool], fmpz_poly]


def _struck(parts: Parts, blow: Blow, target: Target) -> tuple[Parts, fmpz_poly]:
    """Strike one blow: what is left standing, and what falls."""
    moved, fallen, width = Parts(), fmpz_poly(), target.width
    for (tested, hit_before), taken in parts.items():
        for hit, damage in outcomes(blow, hit_before, width):
            hurt = capped(taken * damage, target.deadly * width)
            up = target.standing(hurt)
            fallen += hurt - up
            key = (tested, hit or hit_before)
            moved[key] = moved.get(key, fmpz_poly()) + up
    if blow.massive is not None:
        fallen += _dead_at_once(parts, blow, target, moved, fallen)
    return moved, fallen


def _dead_at_once(
    parts: Parts, blow: Blow, target: Target, moved: Parts, fallen: fmpz_poly
) -> fmpz_poly:
    """Weights of those whom a blow kills whatever they have left: all that is missing."""
    before = sum(int(taken(1)) for taken in parts.values()) * blow_total(blow, target.width)
    after = sum(int(up(1)) for up in moved.values()) + int(fallen(1))
    return fmpz_poly([before - after]).left_shift(target.deadly * target.width)
