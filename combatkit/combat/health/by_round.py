"""Health round by round: exact weights of the damage somebody has taken.

Polynomials hold those up, down and stable; their index is the damage taken, temporary hit
points first, or the pair of lethal and nonlethal damage. A strike multiplies them, cut off where
death begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.health.care import AID_UNIT, Care, Dying, cared_for
from combatkit.combat.health.fate import (
    DYING,
    NONE,
    RISEN,
    STABLE,
    STAGGERED,
    UNCONSCIOUS,
    Fate,
    Odds,
    Rolled,
    Tally,
    ends,
)
from combatkit.combat.health.pairs import (
    blow_total,
    counted,
    mended,
    outcomes,
    rows_of,
    within_room,
)
from combatkit.errors import CombatkitError

Weights = tuple[dict[str, int], int]


def as_odds(weights: Weights) -> Odds:
    """Divide the weights of states by their sum."""
    return {state: Fraction(weight, weights[1]) for state, weight in weights[0].items()}


def with_stable(states: list[str]) -> list[str]:
    """Put the stable after the dying."""
    place = states.index(DYING) + 1
    return [*states[:place], STABLE, *states[place:]]


def with_nonlethal(states: list[str]) -> list[str]:
    """Put the staggered and the unconscious before the dying."""
    place = states.index(DYING)
    return [*states[:place], STAGGERED, UNCONSCIOUS, *states[place:]]


@dataclass
class Bodies:
    """Weights of damage taken, as pairs: of those up, those down and those who lie stable.

    Attributes
    ----------
    down : dict
        The unconscious and the dying, by what the dying have counted.
    """

    up: fmpz_poly = field(default_factory=fmpz_poly)
    down: dict[Tally, fmpz_poly] = field(default_factory=dict)
    stable: fmpz_poly = field(default_factory=fmpz_poly)

    def lay(self, tally: Tally, poly: fmpz_poly) -> None:
        """Add weights of some who are down."""
        self.down[tally] = self.down[tally] + poly if tally in self.down else poly

    def add(self, other: Bodies) -> None:
        """Add the weights of others."""
        self.up += other.up
        self.stable += other.stable
        for tally, poly in other.down.items():
            self.lay(tally, poly)

    def scale(self, factor: int) -> None:
        """Multiply every weight."""
        self.up *= factor
        self.stable *= factor
        self.down = {tally: poly * factor for tally, poly in self.down.items()}


def _join(groups: dict[bool, Bodies], key: bool, some: Bodies) -> None:
    if key in groups:
        groups[key].add(some)
    else:
        groups[key] = some


class Body(NamedTuple):
    """What of somebody's nature their health depends on.

    Attributes
    ----------
    points, temporary : int
        Hit points.
    regenerates : int
        Nonlethal damage that goes away each round.
    """

    points: int
    temporary: int = 0
    regenerates: int = 0


class Health:
    """Weights of damage taken by everybody alive, and their sum with the dead."""

    def __init__(self, body: Body, rule: Fate, care: Care | None = None, width: int = 1) -> None:
        self.rule, self.care, self.width = rule, care, width
        points, self.temporary, self.regenerates = body
        self.alike = len(set(rule.rolls)) == 1
        rises = any(rolled.end == RISEN for outcomes in rule.rolls for rolled in outcomes)
        most = max(points, 1) if rises else points
        wounds = (care.full if care is not None and care.heals else most) - points
        if wounds and self.temporary:
            raise CombatkitError(
                "survival: temporary hit points of somebody already wounded cannot be followed "
                "together with healing"
            )
        points += wounds
        deadly = self.temporary + points - rule.dead_at
        # damage 0 .. span-1 leaves the defender alive; temporary hit points do not raise the dead
        self.span = max(0, deadly) if points > rule.dead_at else 0
        self.length = self.span * width
        self.full = points
        self.states = [self.rule.state(self._left(taken)) for taken in range(self.span)]
        self.standing = next(
            (taken for taken, state in enumerate(self.states) if state == DYING), self.span
        )
        self.room = [
            1 if width == 1 else max(1, self._left_of(taken) + 1) for taken in range(self.standing)
        ]
        begin = fmpz_poly([1]).left_shift(wounds * width).truncate(self.length)
        up = self._up(begin)
        self.bodies = {False: Bodies(up, {NONE: begin - up})}  # by whether a blow has hit
        self.total = 1

    def _left(self, taken: int) -> int:
        return self.full - max(0, taken - self.temporary)

    def _left_of(self, taken: int) -> int:
        """Hit points left, temporary ones included."""
        return self._left(taken) + max(0, self.temporary - taken)

    def _up(self, poly: fmpz_poly) -> fmpz_poly:
        """Keep those who are neither unconscious nor dying."""
        return within_room(poly, self.width, self.room)

    def _dying(self, poly: fmpz_poly) -> fmpz_poly:
        """Keep the dying of those who are down."""
        if self.width == 1:
            return poly  # nobody is merely unconscious
        return poly - poly.truncate(self.standing * self.width)

    def strike(self, blow: Blow, at_fallen: Blow | None) -> None:
        """Strike everybody up, and those who lie there where a second blow is given."""
        total = blow_total(blow, self.width)
        whole = blow_total(at_fallen, self.width) if at_fallen is not None else 1
        later: dict[bool, Bodies] = {}
        for before, now in self.bodies.items():
            for hit, damage in outcomes(blow, before, self.width):
                hurt = self._counted(now.up.mul_low(damage, self.length)) * whole
                up = self._up(hurt)
                _join(later, hit or before, Bodies(up, {NONE: hurt - up}))
            lying = Bodies(down=now.down, stable=now.stable)
            if at_fallen is None:
                lying.scale(total)
                _join(later, before, lying)
                continue
            for hit, damage in outcomes(at_fallen, before, self.width):
                struck = self._struck_down(lying, damage)
                struck.scale(total)
                _join(later, hit or before, struck)
        self.bodies = later
        self.total *= total * whole

    def _struck_down(self, lying: Bodies, damage: fmpz_poly) -> Bodies:
        """Strike those who lie there: the stable are dying once more, the dying nearer death."""
        unhurt = damage.truncate(1)
        harm = damage - unhurt
        after = Bodies(stable=lying.stable * unhurt)
        hurt = self._hurt(lying.stable, harm)
        for tally, poly in lying.down.items():
            after.lay(tally, poly * unhurt)
            dying = self._dying(poly)
            after.lay(NONE, self._hurt(poly - dying, harm))
            if not self.rule.when_hurt:
                after.lay(tally, self._hurt(dying, harm))
            elif (more := tally.failures + self.rule.when_hurt) < self.rule.enough.failures:
                after.lay(tally._replace(failures=more), self._hurt(dying, harm))
        if self.rule.when_hurt < max(1, self.rule.enough.failures):
            after.lay(Tally(0, self.rule.when_hurt), hurt)
        return after

    def _hurt(self, poly: fmpz_poly, harm: fmpz_poly) -> fmpz_poly:
        return self._counted(poly.mul_low(harm, self.length))

    def _counted(self, poly: fmpz_poly) -> fmpz_poly:
        """Count no more nonlethal damage than is told apart."""
        if self.width == 1:
            return poly
        most, kept = counted(self.width), list[int]()
        for row in rows_of(poly, self.width):
            short = [*row[:most], sum(row[most:])]
            kept += [*short, *[0] * (self.width - len(short))]
        return fmpz_poly(kept)

    def end_round(self) -> None:
        """Let nonlethal damage regenerate, the dying roll, and their ally act before or after."""
        now = Bodies()
        for bodies in self.bodies.values():
            now.add(bodies)
        self.bodies = {False: now}
        if self.regenerates and self.width > 1:
            self.bodies[False] = self._healed(0, self.regenerates, False)
        if self.care is None:
            self.roll_for_the_dying()
        elif self.care.first:
            self.mend(self.care)
            self.roll_for_the_dying()
        else:
            self.roll_for_the_dying()
            self.mend(self.care)

    def mend(self, care: Care) -> None:
        """Heal everybody alive, then give first aid to those still dying."""
        if care.heals:
            healed = Bodies()
            for points, weight in enumerate(care.healing.poly.coeffs(), care.healing.low):
                some = self._healed(points, 0, care.stabilizes)
                some.scale(int(weight))
                healed.add(some)
            self.bodies[False] = healed
            self.total *= care.healing.total
        if care.saved:
            self._aid(dict(care.saved))

    def _healed(self, points: int, nonlethal: int, stabilizes: bool) -> Bodies:
        """Heal so many points of both kinds of damage, and more of the nonlethal."""

        def better(poly: fmpz_poly) -> fmpz_poly:
            return mended(poly, self.width, self.temporary, points, nonlethal)

        now = self.bodies[False]
        after = Bodies(up=better(now.up))
        rested = better(now.stable)
        up = self._up(rested)
        still = self._dying(rested - up)
        after.add(Bodies(up, {NONE: rested - up - still}, still))
        for tally, poly in now.down.items():
            healed = better(poly)
            up = self._up(healed)
            dying = self._dying(healed - up)
            after.add(Bodies(up, {NONE: healed - up - dying}))
            if stabilizes and points:
                after.stable += dying
            else:
                after.lay(tally, dying)
        return after

    def _aid(self, chances: dict[int, int]) -> None:
        now = self.bodies[False]
        after = Bodies(now.up * AID_UNIT, {}, now.stable * AID_UNIT)
        for tally, poly in now.down.items():
            saved = fmpz_poly(
                [
                    weight * chances[self._left(pair // self.width)] if weight else 0
                    for pair, weight in enumerate(map(int, self._dying(poly).coeffs()))
                ]
            )
            after.stable += saved
            after.lay(tally, poly * AID_UNIT - saved)
        self.bodies[False] = after
        self.total *= AID_UNIT

    def roll_for_the_dying(self) -> None:
        """Let the dying roll once."""
        rule, now = self.rule, self.bodies[False]
        after = Bodies(now.up * rule.die, {}, now.stable * rule.die)
        for tally, poly in now.down.items():
            dying = self._dying(poly)
            if self.width > 1:
                after.lay(NONE, (poly - dying) * rule.die)
            for rolled, some in self._rolled(dying):
                self._let(after, tally, rolled, some * rolled.faces)
        self.bodies[False] = after
        self.total *= rule.die

    def _rolled(self, dying: fmpz_poly) -> Iterator[tuple[Rolled, fmpz_poly]]:
        """Tell who meets which outcome of the roll: all alike, or by their hit points."""
        if self.alike:
            for rolled in self.rule.rolls[0]:
                yield rolled, dying
            return
        for taken in range(self.standing, self.span):
            row = dying.truncate((taken + 1) * self.width) - dying.truncate(taken * self.width)
            for rolled in self.rule.roll(self._left(taken)):
                yield rolled, row

    def _let(self, after: Bodies, tally: Tally, rolled: Rolled, some: fmpz_poly) -> None:
        """Let an outcome of the roll happen to some."""
        # what is counted does not depend on the hit points, which fall by one at most
        state, _, now = self.rule.after(self.rule.dead_at + 1, tally, rolled._replace(lost=0))
        if state == STABLE:
            after.stable += some
        elif state == RISEN:
            risen = sum((fmpz_poly(row) for row in rows_of(some, self.width)), start=fmpz_poly())
            risen = risen.left_shift((self.full + self.temporary - 1) * self.width)
            up = self._up(risen)
            after.add(Bodies(up, {NONE: risen - up}))
        elif state == DYING:
            after.lay(now, some.left_shift(rolled.lost * self.width).truncate(self.length))

    def _by_state(self) -> dict[str, int]:
        names = with_stable([name for name, _ in self.rule.lowest])
        weights = dict.fromkeys(with_nonlethal(names) if self.width > 1 else names, 0)
        for bodies in self.bodies.values():
            for poly in (bodies.up, *bodies.down.values()):
                for pair, weight in enumerate(poly.coeffs()):
                    if weight:
                        weights[self._state(pair)] += int(weight)
            weights[STABLE] += int(bodies.stable(1))
        return weights

    def _state(self, pair: int) -> str:
        taken, nonlethal = divmod(pair, self.width)
        if not nonlethal:
            return self.states[taken]
        return self.rule.state(self._left_of(taken), nonlethal)

    def weights(self) -> Weights:
        """Weight of each state now, and their sum."""
        weights = self._by_state()
        weights[self.rule.dead] = self.total - sum(weights.values())
        common = gcd(self.total, *weights.values())
        return {state: weight // common for state, weight in weights.items()}, self.total // common

    def odds(self) -> Odds:
        """Chance of each state now."""
        return as_odds(self.weights())

    def in_the_end(self) -> Odds:
        """Let the dying roll until each is stable or dead (unless nothing ever changes)."""
        odds = self.odds() | {DYING: Fraction(0)}
        dying = list(self._all_dying())
        if self.care is not None and (self.care.heals or any(dict(self.care.saved).values())):
            fates = cared_for(dying, self._left_of(0), self.rule, self.care)
        else:
            fates = {who: ends(self.rule)[who.points, who.tally] for who, _ in dying}
        for who, chance in dying:
            for state, share in fates[who].items():
                odds[state] = odds.get(state, Fraction(0)) + chance * share
        return odds

    def _all_dying(self) -> Iterator[tuple[Dying, Fraction]]:
        for tally, poly in self.bodies[False].down.items():
            for pair, weight in enumerate(self._dying(poly).coeffs()):
                if weight:
                    taken, nonlethal = divmod(pair, self.width)
                    who = Dying(self._left(taken), nonlethal, tally)
                    yield who, Fraction(int(weight), self.total)
