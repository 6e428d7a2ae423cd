"""Who may strike at which step of a movement on a map, and with what situation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from pydantic import Field

from combatkit.combat.attacks.situation import Situation
from combatkit.combat.board.position import position_on
from combatkit.combat.board.standing import Stand, threatens_space
from combatkit.combat.board.terrain import Terrain
from combatkit.combat.d20 import p_check
from combatkit.combat.turns.actions import Action, all_actions, find_action
from combatkit.combat.turns.engagement import moves_past
from combatkit.combat.turns.price import Threat, may_strike
from combatkit.errors import CombatkitError, check_word
from combatkit.grid.squares import Space, Square
from combatkit.rules import Ruleset
from combatkit.rules.validation import Model

MOVING = {"moving_away"}  # the row that Mobility counts with, where the rules have it
ACTS = ("move", "withdraw", "five_foot_step", "dash")


class Going(Model):
    """How somebody moves on a map.

    Attributes
    ----------
    act : str
        Action of the ruleset: ``move``, ``withdraw`` or ``five_foot_step``; in ``phased`` ``move``
        or ``dash``.
    tumble : int or None
        Tumble bonus of one who tumbles all the way, which takes twice the movement.
    engaged : tuple of str
        Who is engaged with the mover, where the rules have engagement (``phased``).
    spent : tuple of str
        Who has no attack of opportunity (or reaction) left this round.
    situation : Situation
        What holds for each attack of opportunity, besides what the map says.

    Examples
    --------
    >>> Going(act="withdraw").to_json()
    '{"act":"withdraw"}'
    """

    act: str = "move"
    tumble: int | None = Field(None, ge=-20, le=100)
    engaged: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    situation: Situation = Situation()


class Provoked(NamedTuple):
    """Somebody who might strike at a step.

    Attributes
    ----------
    foe : Stand
    square : (int, int)
        Where the mover stands when struck.
    why : str
    threat : Threat
    why_not : str
        Why there is no strike after all; empty where there is.
    """

    foe: Stand
    square: Square
    why: str
    threat: Threat
    why_not: str


@dataclass(frozen=True, eq=False)
class Dangers:
    """The foes of one who moves, and what they may do about it."""

    terrain: Terrain
    going: Going
    _threats: dict[tuple[str, Square], tuple[Threat, str]] = field(default_factory=dict)
    _threatened: dict[tuple[str, Square], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rules, going = self.rules, self.going
        known = [action.id for action in all_actions(rules) if action.id in ACTS]
        check_word(going.act, known, "way of moving on a map")
        if going.tumble is not None and "tumble.past" not in rules.numbers:
            raise CombatkitError(f"ruleset '{rules.id}' has no Tumble")
        if going.tumble is not None and self.is_step:
            raise CombatkitError("nobody tumbles in a 5-foot step: it provokes from nobody anyway")
        if going.engaged and not self.engages:
            raise CombatkitError(
                f"ruleset '{rules.id}' has no engagement: who may strike is read off the map"
            )
        for key in (*going.engaged, *going.spent):
            placed = self.terrain.map.creature(key)
            if placed.side and placed.side == self.mover.placed.side:
                raise CombatkitError(f"{key} is on the side of {self.mover.placed.id}")
            if key == self.mover.placed.id:
                raise CombatkitError(f"{key} is the one who moves")

    @property
    def rules(self) -> Ruleset:
        """The rules in force."""
        return self.terrain.rules

    @property
    def mover(self) -> Stand:
        """The one who moves."""
        return self.terrain.mover

    @cached_property
    def engages(self) -> bool:
        """Whether the rules go by engagement and not by threatened squares."""
        return "engagement.reach" in self.rules.numbers

    @cached_property
    def act(self) -> Action:
        """The ruleset's action by which it moves."""
        return find_action(self.rules, self.going.act)

    @property
    def is_step(self) -> bool:
        """Whether the movement is a 5-foot step."""
        return self.act.type == "step"

    @cached_property
    def foes(self) -> tuple[Stand, ...]:
        """Everybody who may have a strike left, in the order of the map."""
        return tuple(
            other
            for other in self.terrain.others
            if not self.mover.is_friend(other) and other.placed.id not in self.going.spent
        )

    # ---- one step

    def provoked(self, at: Square, to: Square, first: bool) -> Iterator[Provoked]:
        """List those whom a step gives an opportunity, whether they can use it or not."""
        for foe in self.foes:
            square, why = self._opening(foe, at, to, first)
            if why:
                threat, why_not = self.threat(foe, square)
                yield Provoked(foe, square, why, threat, why_not)

    def _opening(self, foe: Stand, at: Square, to: Square, first: bool) -> tuple[Square, str]:
        """Where and why a step gives a foe an opportunity; no reason where it gives none."""
        if self.engages:
            return at, self._engaged_opening(foe, at, to, first)
        safe = self.is_step or (first and self.act.cell("exempt") == "first_square")
        if not safe and self.threatens(foe, at):
            return at, f"leaves {at}, which {foe.placed.id} threatens"
        never = self.is_step and self.rules.switch("step_into_square") == "never"
        if not never and self._enters(foe, at, to) and self.threatens(foe, to):
            return to, f"enters the square of {foe.placed.id}"
        return at, ""

    def _enters(self, foe: Stand, at: Square, to: Square) -> bool:
        """Whether one smaller than a square comes into a foe's space."""
        squares = foe.space.squares
        return self.terrain.is_tiny and to in squares and at not in squares

    def _engaged_opening(self, foe: Stand, at: Square, to: Square, first: bool) -> str:
        """Source: Phased combat, Running away, Moving past."""
        if foe.placed.id not in self.going.engaged:
            return ""
        if self.going.act == "dash":
            return f"turns the back on {foe.placed.id} to dash away" if first else ""
        start, near, far = (_center(self.terrain.space(s)) for s in (self.start, at, to))
        there = _center(foe.space)
        passes = moves_past([start, far], there) and not moves_past([start, near], there)
        return f"moves past {foe.placed.id}" if passes else ""

    @property
    def start(self) -> Square:
        """The square it stands on."""
        return self.mover.placed.at

    def threatens(self, foe: Stand, square: Square) -> bool:
        """Whether a foe could strike at the mover on a square."""
        key = foe.placed.id, square
        if key not in self._threatened:
            self._threatened[key] = threatens_space(
                self.terrain.map, foe, self.terrain.space(square)
            )
        return self._threatened[key]

    def threat(self, foe: Stand, square: Square) -> tuple[Threat, str]:
        """Return a foe's strike at the mover on a square, and why it may not be made."""
        key = foe.placed.id, square
        if key not in self._threats:
            threat = Threat(foe.fighter, foe.weapon, self._situation(foe, square))
            verdict = may_strike(self.rules, threat, self.mover.fighter)
            self._threats[key] = threat, verdict.why_not
        return self._threats[key]

    def _situation(self, foe: Stand, square: Square) -> Situation:
        there = self.mover.moved(square).placed
        creatures = tuple(
            there if one.id == there.id else one for one in self.terrain.map.creatures
        )
        moved = self.terrain.map.model_copy(update={"creatures": creatures})
        found = position_on(
            self.rules, moved, foe.placed.id, there.id, situation=self.going.situation
        )
        leaving = MOVING & {*self.rules.conditions["defender"]}
        ticked = found.situation.defender | leaving
        return found.situation.model_copy(update={"defender": ticked})

    # ---- Tumble

    def tumble_dc(self, before: int, through: bool = False) -> int:
        """DC of the check against one more opponent, after so many others (srd, Tumble)."""
        base = self.rules.number("tumble.through" if through else "tumble.past")
        return base + before * self.rules.number("tumble.further")

    def p_tumble(self, before: int, through: bool = False) -> Fraction:
        """Chance of that check; 0 for one who does not tumble."""
        if self.going.tumble is None:
            return Fraction(0)
        return p_check(self.going.tumble, self.tumble_dc(before, through))


def _center(space: Space) -> tuple[Fraction, Fraction]:
    half = Fraction(space.side, 2)
    return space.x + half, space.y + half
