"""Health round by round: exact weights of the damage somebody has taken.

One polynomial holds those alive and one those stable; its index is the damage taken, temporary hit
points first. A strike multiplies them, cut off where death begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.within_round import START, Moment, blow_total, outcomes
from combatkit.errors import CombatkitError
from combatkit.prob import Chain, Dist

Parts = dict[Moment, tuple[fmpz_poly, fmpz_poly]]  # alive and stable
AID_UNIT = 400  # chances of a check are whole numbers of this, even of two dice

Odds = dict[str, Fraction]
Weights = tuple[dict[str, int], int]


def as_odds(weights: Weights) -> Odds:
    """Divide the weights of states by their sum."""
    return {state: Fraction(weight, weights[1]) for state, weight in weights[0].items()}


class Fate(NamedTuple):
    """What a ruleset says of hit points and dying, as plain numbers.

    Attributes
    ----------
    lowest : tuple of (str, int or None)
        States with the lowest hit points of each.
    """

    lowest: tuple[tuple[str, int | None], ...]
    dead_at: int
    die: int
    lose: int
    stabilize: int

    def state(self, points: int) -> str:
        """Tell the state of health at some hit points."""
        return next(name for name, low in self.lowest if low is None or points >= low)

    def states(self, falls: Mapping[int, Fraction]) -> Odds:
        """Gather chances by hit points into chances by state."""
        odds: Odds = {}
        for points, chance in falls.items():
            odds[self.state(points)] = odds.get(self.state(points), Fraction(0)) + chance
        return odds

    def in_the_end(self, falls: Mapping[int, Fraction]) -> Odds:
        """Gather chances by hit points into ends, the dying being left to their fate."""
        odds = self.states(falls) | {"dying": Fraction(0)}
        dead, decides = self.lowest[-1][0], self.lose + self.stabilize
        for points, chance in falls.items():
            if self.state(points) == "dying":
                sinks = Fraction(self.lose, decides) if decides else Fraction(0)
                dies = chance * sinks ** (points - self.dead_at)
                odds[dead] = odds.get(dead, Fraction(0)) + dies
                odds["stable"] = odds.get("stable", Fraction(0)) + chance - dies
        return {state: chance for state, chance in odds.items() if state != "dying"}


class Care(NamedTuple):
    """What an ally does each round, as plain numbers.

    Attributes
    ----------
    saved : tuple of (int, int)
        Hit points of the dying, and the chance of first aid there, of ``AID_UNIT``.
    healing : Dist
        Hit points restored.
    stabilizes : bool
        Whether any healing stabilizes.
    first : bool
        Whether it comes before the roll of the dying.
    full : int
        Hit points that healing does not exceed.
    """

    saved: tuple[tuple[int, int], ...]
    healing: Dist
    stabilizes: bool
    first: bool
    full: int

    @property
    def heals(self) -> bool:
        """Whether any hit points are restored at all."""
        return self.healing.maximum > 0


def with_stable(states: list[str]) -> list[str]:
    """Put the stable after the dying."""
    place = states.index("dying") + 1
    return [*states[:place], "stable", *states[place:]]


class Health:
    """Weights of damage taken: one polynomial for those alive, one for those stable."""

    def __init__(self, points: int, temporary: int, rule: Fate, care: Care | None = None) -> None:
        self.rule, self.care = rule, care
        wounds = care.full - points if care is not None and care.heals else 0
        if wounds and temporary:
            raise CombatkitError(
                "survival: temporary hit points of somebody already wounded cannot be followed "
                "together with healing"
            )
        points, self.temporary = points + wounds, temporary
        deadly = temporary + points - rule.dead_at
        # damage 0 .. span-1 leaves the defender alive; temporary hit points do not raise the dead
        self.span = max(0, deadly) if points > rule.dead_at else 0
        self.full = points
        self.states = [self.rule.state(self._left(taken)) for taken in range(self.span)]
        self.standing = next(
            (taken for taken, state in enumerate(self.states) if state == "dying"), self.span
        )
        self.alive = fmpz_poly([1]).left_shift(wounds).truncate(self.span)
        self.stable = fmpz_poly()
        self.later: Parts = {}  # by the moment of the round, once something is remembered of it
        self.total = 1

    def _left(self, taken: int) -> int:
        return self.full - max(0, taken - self.temporary)

    def strike(self, blow: Blow, at_fallen: Blow | None) -> None:
        """Strike everybody up, and those who lie there where a second blow is given."""
        total, whole = blow_total(blow), blow_total(at_fallen) if at_fallen is not None else 1
        alive, stable = (defaultdict[Moment, fmpz_poly](fmpz_poly) for _ in range(2))
        for now, (living, resting) in ({START: (self.alive, self.stable)} | self.later).items():
            up = living.truncate(self.standing)
            down = living - up
            for after, damage in outcomes(blow, now):
                alive[after] += up.mul_low(damage, self.span) * whole
            if at_fallen is None:
                alive[now] += down * total
                stable[now] += resting * total
                continue
            for after, damage in outcomes(at_fallen, now):
                unhurt = damage.truncate(1)
                again = resting.mul_low(damage - unhurt, self.span)  # dying once more
                alive[after] += (down.mul_low(damage, self.span) + again) * total
                stable[after] += resting * unhurt * total
        self.alive, self.stable = alive.pop(START, fmpz_poly()), stable.pop(START, fmpz_poly())
        self.later = {now: (alive[now], stable[now]) for now in alive.keys() | stable.keys()}
        self.total *= total * whole

    def end_round(self) -> None:
        """Let the dying roll, and their ally act before or after."""
        for living, resting in self.later.values():
            self.alive, self.stable = self.alive + living, self.stable + resting
        self.later = {}
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
            self._heal(care)
        if care.saved:
            up = self.alive.truncate(self.standing)
            down = [int(weight) for weight in (self.alive - up).coeffs()]
            chances = dict(care.saved)
            saved = [
                weight * chances[self._left(taken)] if weight else 0
                for taken, weight in enumerate(down)
            ]
            self.stable = self.stable * AID_UNIT + fmpz_poly(saved)
            self.alive = self.alive * AID_UNIT - fmpz_poly(saved)
            self.total *= AID_UNIT

    def _heal(self, care: Care) -> None:
        alive = stable = fmpz_poly()
        for points, weight in enumerate(care.healing.poly.coeffs(), care.healing.low):
            healed = self._healed(self.alive, points) * weight
            rested = self._healed(self.stable, points) * weight
            up, woken = healed.truncate(self.standing), rested.truncate(self.standing)
            still = healed - up
            alive += up + woken
            stable += rested - woken
            if care.stabilizes and points:
                stable += still
            else:
                alive += still
        self.alive, self.stable = alive, stable
        self.total *= care.healing.total

    def _healed(self, taken: fmpz_poly, points: int) -> fmpz_poly:
        """Move damage down; what temporary hit points soaked stays gone."""
        soaked, lost = taken.truncate(self.temporary), taken.right_shift(self.temporary)
        whole = int(lost.truncate(points)(1))
        return soaked + (lost.right_shift(points) + whole).left_shift(self.temporary)

    def roll_for_the_dying(self) -> None:
        """Let the dying roll once."""
        rule = self.rule
        up = self.alive.truncate(self.standing)
        down = self.alive - up
        rest = rule.die - rule.lose - rule.stabilize
        worse = (down * rule.lose).left_shift(1).truncate(self.span)
        self.alive = up * rule.die + down * rest + worse
        self.stable = self.stable * rule.die + down * rule.stabilize
        self.total *= rule.die

    def _by_state(self) -> dict[str, int]:
        weights = dict.fromkeys(with_stable([name for name, _ in self.rule.lowest]), 0)
        for taken, weight in enumerate(self.alive.coeffs()):
            weights[self.states[taken]] += int(weight)
        weights["stable"] = int(self.stable(1))
        return weights

    def weights(self) -> Weights:
        """Weight of each state now, and their sum."""
        weights = self._by_state()
        weights[self.rule.lowest[-1][0]] = self.total - sum(weights.values())
        common = gcd(self.total, *weights.values())
        return {state: weight // common for state, weight in weights.items()}, self.total // common

    def odds(self) -> Odds:
        """Chance of each state now."""
        return as_odds(self.weights())

    def in_the_end(self) -> Odds:
        """Let the dying roll until each is stable or dead (unless nothing ever changes)."""
        if self.care is not None:
            return self._cared_for_to_the_end(self.care)
        odds, rule = self.odds(), self.rule
        if rule.lose + rule.stabilize == 0:
            return odds
        sinks = Fraction(rule.lose, rule.lose + rule.stabilize)
        dies = sum(
            (
                Fraction(int(weight), self.total) * sinks ** (self.span - taken)
                for taken, weight in enumerate(self.alive.coeffs())
                if taken >= self.standing
            ),
            start=Fraction(0),
        )
        dead = rule.lowest[-1][0]
        return {
            **odds,
            "dying": Fraction(0),
            "stable": odds["stable"] + odds["dying"] - dies,
            dead: odds[dead] + dies,
        }

    def _cared_for_to_the_end(self, care: Care) -> Odds:
        odds, rule = self.odds(), self.rule
        if (
            rule.lose + rule.stabilize == 0
            and not care.heals
            and not any(dict(care.saved).values())
        ):
            return odds
        dying = range(self.standing, self.span)
        chain = Chain({self._left(taken): self._turn(self._left(taken), care) for taken in dying})
        odds["dying"] = Fraction(0)
        for taken, weight in enumerate(self.alive.coeffs()):
            if weight and taken >= self.standing:
                for state, chance in chain.absorption(self._left(taken)).items():
                    odds[state] += Fraction(int(weight), self.total) * chance
        return odds

    def _turn(self, left: int, care: Care) -> dict[int | str, Fraction]:
        """One round of somebody dying: where it leads, as hit points or a state."""

        def rolls(points: int) -> dict[int | str, Fraction]:
            rule, worse = self.rule, points - 1
            rest = rule.die - rule.lose - rule.stabilize
            lower = worse if worse > rule.dead_at else self.rule.state(worse)
            parts: dict[int | str, int] = {
                "stable": rule.stabilize,
                points: rest,
                lower: rule.lose,
            }
            return {state: Fraction(part, rule.die) for state, part in parts.items()}

        def cares(points: int) -> dict[int | str, Fraction]:
            odds: dict[int | str, Fraction] = {}
            saved = dict(care.saved)
            for more, chance in care.healing.items():
                better = min(self.full, points + more)
                bound = Fraction(saved.get(better, 0), AID_UNIT)
                ends: dict[int | str, Fraction] = {"stable": bound, better: 1 - bound}
                if self.rule.state(better) != "dying":
                    ends = {self.rule.state(better): Fraction(1)}
                elif more and care.stabilizes:
                    ends = {"stable": Fraction(1)}
                for state, share in ends.items():
                    odds[state] = odds.get(state, Fraction(0)) + chance * share
            return odds

        odds: dict[int | str, Fraction] = {left: Fraction(1)}
        for step in (cares, rolls) if care.first else (rolls, cares):
            later: dict[int | str, Fraction] = {}
            for state, chance in odds.items():
                for end, share in step(state).items() if isinstance(state, int) else [(state, 1)]:
                    later[end] = later.get(end, Fraction(0)) + chance * share
            odds = later
        return odds
