"""What turn after turn of attacks does to one target: who still stands, who has fallen how far.

A target's damage taken is a polynomial; a turn multiplies it. Weights are whole numbers over a
total that grows by the same factor each turn, so nothing is reduced on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.damage import blow_damage
from combatkit.combat.attacks.within_round import START, Moment, blow_total, outcomes
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
    """

    needed: int
    deadly: int
    half: int = 0
    nerve: tuple[int, int] = (1, 0)
    heals: int = 0
    temporary: int = 0


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
        By damage taken, from `needed` up to `deadly`, which stands for all beyond.
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
    return Target(needed, deadly, temporary=who.temporary_hit_points)


def unhurt() -> Standing:
    """Return a standing that has taken no damage."""
    return Standing(fmpz_poly([1]), fmpz_poly(), 1)


def start_turn(standing: Standing, target: Target) -> Standing:
    """Let a target heal at the start of its own turn."""
    if not target.heals:
        return standing
    calm, tested = _mended(standing.calm, target), _mended(standing.tested, target)
    return Standing(calm, tested, standing.total)


def _mended(taken: fmpz_poly, target: Target) -> fmpz_poly:
    """Move weights down by the healing; lost temporary hit points stay lost."""
    kept = taken.truncate(target.temporary)
    hurt = (taken - kept).right_shift(target.temporary)
    low = hurt.truncate(target.heals + 1)
    rest = hurt.right_shift(target.heals) - int(hurt[target.heals])
    return kept + (rest + int(low(1))).left_shift(target.temporary)


def turn_total(blows: Sequence[Blow], target: Target) -> int:
    """Factor by which totals grow in a turn."""
    return prod(map(blow_total, blows), start=_nerve_total(target) if blows else 1)


def idle_weight(blows: Sequence[Blow], target: Target) -> int:
    """Weight, over :func:`turn_total`, of a turn that does no damage at all."""
    standing, _ = take_turn(unhurt(), blows, target)
    return int(standing.calm[0])


def least_damage(blows: Sequence[Blow]) -> int:
    """Least damage above 0 that a turn can do; 0 where it does none."""
    amounts = [
        points
        for damage in map(blow_damage, blows)
        for points, weight in enumerate(damage.poly.coeffs(), damage.low)
        if weight and points
    ]
    return min(amounts, default=0)


def _nerve_total(target: Target) -> int:
    return sum(target.nerve) if target.half else 1


def take_turn(standing: Standing, blows: Sequence[Blow], target: Target) -> tuple[Standing, Out]:
    """Let an attacker strike a turn's blows, stopping when the target is out.

    Returns
    -------
    Standing, Out
        What still stands and what left the fight in this turn, over the same new total.
    """
    parts = {(False, START): standing.calm, (True, START): standing.tested}
    fallen, total = fmpz_poly(), standing.total
    for blow in blows:
        parts, down = _struck(parts, blow, target)
        fallen = fallen * blow_total(blow) + down
        total *= blow_total(blow)
    calm, tested = (
        sum((taken for (nerve, _), taken in parts.items() if nerve == was), fmpz_poly())
        for was in (False, True)
    )
    after = Standing(calm, tested, total)
    return _nerve_tested(after, fallen, target) if blows else (after, Out(fallen, 0))


def _nerve_tested(standing: Standing, fallen: fmpz_poly, target: Target) -> tuple[Standing, Out]:
    """Test those who have lost half and are still up."""
    if not target.half:
        return standing, Out(fallen, 0)
    holds, flees = target.nerve
    total = holds + flees
    calm = standing.calm.truncate(target.half)
    shaken = standing.calm - calm
    after = Standing(calm * total, standing.tested * total + shaken * holds, standing.total * total)
    return after, Out(fallen * total, int(shaken(1)) * flees)


# damage taken, by whether the nerve was tested and by the moment of the turn
Parts = dict[tuple[bool, Moment], fmpz_poly]


def _struck(parts: Parts, blow: Blow, target: Target) -> tuple[Parts, fmpz_poly]:
    """Strike one blow: what is left standing, and what falls."""
    moved, fallen = defaultdict[tuple[bool, Moment], fmpz_poly](fmpz_poly), fmpz_poly()
    for (tested, now), taken in parts.items():
        for after, damage in outcomes(blow, now):
            hurt = capped(taken * damage, target.deadly)
            up = hurt.truncate(target.needed)
            fallen += hurt - up
            moved[tested, after] += up
    return moved, fallen


def capped(poly: fmpz_poly, most: int) -> fmpz_poly:
    """Move everything beyond `most` to `most`."""
    if poly.degree() <= most:
        return poly
    below = poly.truncate(most)
    return below + (fmpz_poly([int((poly - below)(1))])).left_shift(most)
