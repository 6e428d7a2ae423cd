"""What a ruleset makes of hit points and of the dying, as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from combatkit.rules import Combatant, Ruleset, modifier_of
from combatkit.rules.procedure import Dying

Odds = dict[str, Fraction]
DYING, STABLE, RISEN = "dying", "stable", "risen"
STAGGERED, UNCONSCIOUS = "staggered", "unconscious"


class Tally(NamedTuple):
    """Successes and failures somebody dying has counted."""

    successes: int = 0
    failures: int = 0


NONE = Tally()


class Rolled(NamedTuple):
    """One outcome of the roll of the dying, and how many faces give it.

    Attributes
    ----------
    end : str
        ``stable``, ``risen`` (back at 1 hit point), or "" for still dying, or dead.
    lost : int
        Hit points lost.
    tally : Tally
        Added to what is counted.
    """

    end: str
    lost: int
    tally: Tally
    faces: int


class Fate(NamedTuple):
    """What a ruleset says of hit points and dying, as plain numbers.

    Attributes
    ----------
    lowest : tuple of (str, int or None)
        States with the lowest hit points of each.
    die : int
    rolls : tuple of (Rolled, ...)
        What the die does, by hit points from just above death upward.
    enough : Tally
        Successes that make stable and failures that kill; 0 where nothing is counted.
    when_hurt : int
        Failures that damage to somebody dying counts as.
    """

    lowest: tuple[tuple[str, int | None], ...]
    dead_at: int
    die: int
    rolls: tuple[tuple[Rolled, ...], ...]
    enough: Tally = NONE
    when_hurt: int = 0

    def state(self, points: int, nonlethal: int = 0) -> str:
        """Tell the state of health at some hit points, temporary ones included."""
        name = next(name for name, low in self.lowest if low is None or points >= low)
        if not nonlethal or nonlethal < points or name in (DYING, self.dead):
            return name
        return STAGGERED if nonlethal == points else UNCONSCIOUS

    @property
    def dead(self) -> str:
        """Id of the last state."""
        return self.lowest[-1][0]

    def roll(self, points: int) -> tuple[Rolled, ...]:
        """Tell what the die does to somebody dying at these hit points."""
        return self.rolls[points - self.dead_at - 1]

    def after(self, points: int, tally: Tally, rolled: Rolled) -> tuple[str, int, Tally]:
        """Tell where an outcome leads: a state of health, hit points and what is counted."""
        if rolled.end:
            return rolled.end, points, NONE
        successes, failures = (have + more for have, more in zip(tally, rolled.tally, strict=True))
        if self.enough.failures and failures >= self.enough.failures:
            return self.dead, points, NONE
        if self.enough.successes and successes >= self.enough.successes:
            return STABLE, points, NONE
        left = points - rolled.lost
        return self.state(left), left, Tally(successes, failures)

    def states(self, falls: Mapping[int, Fraction]) -> Odds:
        """Gather chances by hit points into chances by state."""
        odds: Odds = {}
        for points, chance in falls.items():
            odds[self.state(points)] = odds.get(self.state(points), Fraction(0)) + chance
        return odds

    def in_the_end(self, falls: Mapping[int, Fraction]) -> Odds:
        """Gather chances by hit points into ends, the dying being left to their fate."""
        odds = self.states(falls) | {DYING: Fraction(0)}
        for points, chance in falls.items():
            if self.state(points) == DYING:
                for state, share in ends(self)[points, NONE].items():
                    odds[state] = odds.get(state, Fraction(0)) + chance * share
        return {state: chance for state, chance in odds.items() if chance or state != DYING}

    @property
    def tallies(self) -> list[Tally]:
        """Everything that may have been counted, the most first."""
        most = self.enough
        return [
            Tally(successes, failures)
            for successes in range(max(most.successes - 1, 0), -1, -1)
            for failures in range(max(most.failures - 1, 0), -1, -1)
        ]


@lru_cache(maxsize=256)
def ends(rule: Fate) -> dict[tuple[int, Tally], Odds]:
    """Chance of each end of somebody dying who is left alone, by hit points and what is counted.

    Whoever rises is in the state of 1 hit point; where nothing ever changes they stay dying.
    """
    found: dict[tuple[int, Tally], Odds] = {}
    for points, outcomes in enumerate(rule.rolls, rule.dead_at + 1):
        for tally in rule.tallies:
            odds: Odds = {}
            stays = 0
            for rolled in outcomes:
                state, left, now = rule.after(points, tally, rolled)
                if (state, left, now) == (DYING, points, tally):
                    stays += rolled.faces
                    continue
                parts = {rule.state(1) if state == RISEN else state: Fraction(1)}
                for end, share in (found[left, now] if state == DYING else parts).items():
                    odds[end] = odds.get(end, Fraction(0)) + share * rolled.faces
            moves = rule.die - stays
            found[points, tally] = (
                {end: chance / moves for end, chance in odds.items()}
                if moves
                else {DYING: Fraction(1)}
            )
    return found


def fate(rules: Ruleset, who: Combatant | None = None) -> Fate:
    """Collect what a ruleset says of dying, for somebody whose abilities may count."""
    ability = rules.dying.ability
    modifier = modifier_of(who.score(ability)) if ability and who is not None else 0
    return fate_with(rules, modifier)


@lru_cache(maxsize=64)
def fate_with(rules: Ruleset, modifier: int) -> Fate:
    """Collect what a ruleset says of dying, with a modifier on the roll."""
    rule, rolls = rules.dying, []
    points = rules.dead_at + 1
    while rules.state_of(points) == DYING:
        rolls.append(_rolls(rule, modifier + rule.penalty_per_negative * min(0, points)))
        points += 1
    return Fate(
        tuple((state.id, state.lowest) for state in rules.states.values()),
        rules.dead_at,
        rule.die,
        tuple(rolls),
        Tally(rule.successes, rule.failures),
        rule.failures_when_hurt,
    )


def _rolls(rule: Dying, modifier: int) -> tuple[Rolled, ...]:
    counts: dict[tuple[str, int, Tally], int] = {}
    for face in range(1, rule.die + 1):
        outcome, much = rule.outcome(face, modifier), 1 + rule.twice(face)
        end = {"stabilize": STABLE, "rise": RISEN}.get(outcome, "")
        tally = Tally(much * (outcome == "success"), much * (outcome == "failure"))
        key = end, int(outcome == "lose_hit_point"), tally
        counts[key] = counts.get(key, 0) + 1
    return tuple(Rolled(*key, faces) for key, faces in counts.items())
