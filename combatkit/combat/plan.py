"""What a duelist does turn by turn, and the blows that come of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from combatkit.combat.attack import ORDINARY, attack
from combatkit.combat.blow import Blow
from combatkit.combat.situation import Situation
from combatkit.combat.strikes import FullAttack, full_attack
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Ruleset
from combatkit.rules.creature import Held
from combatkit.rules.equipment import Grip
from combatkit.rules.modifier import Side, parse_number
from combatkit.rules.validation import Model

Action = Literal["move", "attack", "full", "charge", "defensive", "defensive_full", "total_defense"]
Chance = Annotated[Fraction, PlainValidator(parse_number), PlainSerializer(str, return_type=str)]

# rows an action ticks: for its own attack, and for the foe's attacks until its next turn
ROWS: dict[Action, tuple[str, str]] = {
    "move": ("", ""),
    "attack": ("", ""),
    "full": ("", ""),
    "charge": ("charging", "charged"),
    "defensive": ("fighting_defensively", "fighting_defensively"),
    "defensive_full": ("fighting_defensively", "fighting_defensively"),
    "total_defense": ("", "total_defense"),
}


class Plan(Model):
    """What a duelist does.

    Attributes
    ----------
    opening : tuple of str
        Actions of the first turns: ``move`` (no attack), ``attack``, ``full``, ``charge``,
        ``defensive``, ``defensive_full`` (fighting defensively), ``total_defense`` (no attack).
    then : str
        The action of every later turn.
    weapon, off_hand : str, Weapon or None
    grip : {"primary", "two_handed", "off_hand", "thrown"} or None
    situation : Situation
        Of its own attacks; what its actions tick is added.
    holds : Fraction or None
        Chance to pass a morale check at half its hit points and fight on; None for the fearless.
        ``p_morale`` gives it.
    heals : int
        Hit points it regains at the start of each of its turns.

    Examples
    --------
    >>> Plan(opening=["move", "charge"], then="full", holds="11/20").to_json()
    '{"opening":["move","charge"],"then":"full","holds":"11/20"}'
    """

    opening: tuple[Action, ...] = Field((), max_length=20)
    then: Action = "attack"
    weapon: Held | None = None
    off_hand: Held | None = None
    grip: Grip | None = None
    situation: Situation = ORDINARY
    holds: Chance | None = None
    heals: int = Field(0, ge=0, le=1000)

    def action(self, turn: int) -> Action:
        """Tell the action of a turn, the first being 0."""
        return self.opening[turn] if turn < len(self.opening) else self.then


def turn_blows(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    plan: Plan,
    action: Action,
    stance: Action | None,
    surprised: str = "",
) -> tuple[Blow, ...]:
    """Blows of one turn.

    Parameters
    ----------
    action : str
        What the attacker does.
    stance : str or None
        What the defender did on its last turn.
    surprised : str, optional
        Row of a defender caught off guard.
    """
    if action in ("move", "total_defense"):
        return ()
    there = plan.situation
    ticked: list[tuple[Side, str]] = [("attacker", ROWS[action][0]), ("defender", surprised)]
    if stance is not None:
        ticked.append(("defender", ROWS[stance][1]))
    for side, key in ticked:
        if key:
            known = rules.conditions[side]
            there = there.with_row(rules, rules.find(f"{side}'s action", known, key))
    strikes = _made(rules, attacker, defender, plan, action, there).strikes
    return tuple(strike.blow for strike in strikes if strike.possible)


def _made(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    plan: Plan,
    action: Action,
    there: Situation,
) -> FullAttack:
    if action in ("full", "defensive_full"):
        return full_attack(rules, attacker, defender, plan.weapon, there, plan.grip, plan.off_hand)
    return FullAttack((attack(rules, attacker, defender, plan.weapon, there, plan.grip),))


def check_plan(rules: Ruleset, plan: Plan, who: str) -> None:
    """Raise a CombatkitError when a plan never attacks or its chance is none."""
    if plan.then in ("move", "total_defense"):
        raise CombatkitError(f"plan of {who}: 'then' must be an action that attacks")
    if plan.holds is not None and not 0 <= plan.holds <= 1:
        raise CombatkitError(f"plan of {who}: 'holds' is a chance from 0 to 1, not {plan.holds}")
