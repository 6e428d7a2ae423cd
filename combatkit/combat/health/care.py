"""An ally who looks after somebody each round, and what becomes of the dying in such care."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from combatkit.combat.health.fate import DYING, RISEN, STABLE, Fate, Odds, Tally
from combatkit.prob import Chain, Dist

AID_UNIT = 400  # chances of a check are whole numbers of this, even of two dice


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


class Dying(NamedTuple):
    """Somebody dying: hit points, nonlethal damage taken, successes and failures counted."""

    points: int
    nonlethal: int
    tally: Tally


End = Dying | str  # still dying, or a state of health


def cared_for(
    dying: Iterable[tuple[Dying, object]], full: int, rule: Fate, care: Care
) -> dict[Dying, Odds]:
    """Chance of each end of those dying, their ally acting every round until it is decided."""
    starts = [who for who, _ in dying]
    rows: dict[End, dict[End, Fraction]] = {}
    waiting = list(starts)
    while waiting:
        who = waiting.pop()
        if who not in rows:
            rows[who] = _turn(who, full, rule, care)
            waiting += [end for end in rows[who] if isinstance(end, Dying)]
    chain = Chain(rows)
    return {who: chain.absorption(who) for who in dict.fromkeys(starts)}


def _turn(who: Dying, full: int, rule: Fate, care: Care) -> dict[End, Fraction]:
    """One round of somebody dying."""
    odds: dict[End, Fraction] = {who: Fraction(1)}
    for step in (_cares, _rolls) if care.first else (_rolls, _cares):
        later: dict[End, Fraction] = {}
        for end, chance in odds.items():
            after = step(end, full, rule, care) if isinstance(end, Dying) else {end: Fraction(1)}
            for then, share in after.items():
                later[then] = later.get(then, Fraction(0)) + chance * share
        odds = later
    return odds


def _rolls(who: Dying, full: int, rule: Fate, care: Care) -> dict[End, Fraction]:
    odds: dict[End, Fraction] = {}
    for rolled in rule.roll(who.points):
        state, points, tally = rule.after(who.points, who.tally, rolled)
        end: End = Dying(points, who.nonlethal, tally) if state == DYING else state
        end = rule.state(1, who.nonlethal) if state == RISEN else end
        odds[end] = odds.get(end, Fraction(0)) + Fraction(rolled.faces, rule.die)
    return odds


def _cares(who: Dying, full: int, rule: Fate, care: Care) -> dict[End, Fraction]:
    odds: dict[End, Fraction] = {}
    saved = dict(care.saved)
    for more, chance in care.healing.items():
        better, nonlethal = min(full, who.points + more), max(0, who.nonlethal - more)
        bound = Fraction(saved.get(better, 0), AID_UNIT)
        ends: dict[End, Fraction] = {
            STABLE: bound,
            Dying(better, nonlethal, who.tally): 1 - bound,
        }
        if (state := rule.state(better, nonlethal)) != DYING:
            ends = {state: Fraction(1)}
        elif more and care.stabilizes:
            ends = {STABLE: Fraction(1)}
        for end, share in ends.items():
            odds[end] = odds.get(end, Fraction(0)) + chance * share
    return odds
