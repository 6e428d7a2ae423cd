"""What a duelist does turn by turn, and the blows that come of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer, PlainValidator

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack
from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.full_attack import full_attack
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.health.damage_taken import Target
from combatkit.combat.health.massive import suffered
from combatkit.errors import CombatkitError, expect
from combatkit.rules import Combatant, Ruleset
from combatkit.rules.creature import Held
from combatkit.rules.equipment import Grip
from combatkit.rules.modifier import Side, parse_number
from combatkit.rules.validation import Model

Action = Literal["move", "attack", "full", "charge", "defensive", "defensive_full", "total_defense"]


def _share(value: object) -> Fraction:
    number = parse_number(value)
    if not 0 <= number <= 1:
        raise ValueError(f"a chance or a share is from 0 to 1, not {number}")
    return number


Share = Annotated[Fraction, PlainValidator(_share), PlainSerializer(str, return_type=str)]

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
        Chance to pass its morale check and fight on; None for the fearless. ``p_morale`` gives it.
    checks_at : Fraction or None
        Share of its hit points, temporary ones included, that it has lost when it checks: once,
        after the foe's turn. The ruleset's ``morale.share`` when left out.
    heals : int
        Hit points it regains at the start of each of its turns, beside its own fast healing.

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
    holds: Share | None = None
    checks_at: Share | None = None
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
    """Blows of one turn; see :func:`turn_strikes`."""
    made = turn_strikes(rules, attacker, defender, plan, action, stance, surprised)
    return tuple(map(suffered, made))


def turn_strikes(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    plan: Plan,
    action: Action,
    stance: Action | None,
    surprised: str = "",
) -> tuple[Strike, ...]:
    """Strikes of one turn.

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
    ticked: list[tuple[Side, str, str]] = [
        ("attacker", ROWS[action][0], action),
        ("defender", ROWS[stance][1] if stance else "", stance or ""),
        ("defender", surprised, surprised),
    ]
    for side, key, why in ticked:
        if key and key not in rules.conditions[side]:
            raise CombatkitError(f"plan: ruleset '{rules.id}' has no rule for {why!r}")
        if key:
            there = there.with_row(rules, rules.conditions[side][key])
    strikes = _made(rules, attacker, defender, plan, action, there)
    if not any(strike.possible for strike in strikes):
        raise CombatkitError(f"plan: {action!r} is not possible: {strikes[0].why_not}")
    return tuple(strike for strike in strikes if strike.possible)


def _made(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    plan: Plan,
    action: Action,
    there: Situation,
) -> tuple[Strike, ...]:
    if action in ("full", "defensive_full"):
        held = plan.weapon, there, plan.grip, plan.off_hand
        return full_attack(rules, attacker, defender, *held).strikes
    one = attack(rules, attacker, defender, plan.weapon, there, plan.grip)
    if action == "charge" and one.attempt.mode != "melee":
        raise CombatkitError(
            f"plan: a charge ends in a melee attack, not one with {one.weapon.label}"
        )
    return (one,)


def read_plan(plan: Plan | None, who: str) -> Plan:
    """Return the plan, an ordinary one where none is given; refuse one that never attacks."""
    if plan is None:
        return Plan()
    if expect(plan, Plan, f"plan of {who}").then in ("move", "total_defense"):
        raise CombatkitError(f"plan of {who}: 'then' must be an action that attacks")
    return plan


def one_kind(target: Target, blows: tuple[Blow, ...], who: str) -> tuple[Target, tuple[Blow, ...]]:
    """Make of nonlethal damage the only count, where nothing else is dealt; refuse what heals."""
    facing = target.facing(blows)
    if facing.mends:
        raise CombatkitError(
            f"{who}: a race follows nobody who heals; use duel, or fast_healing=0 and "
            "regeneration=0"
        )
    if any(blow.massive is not None for blow in blows):
        raise CombatkitError(
            f"{who}: a race does not follow massive damage; use duel, or the switch massive_damage "
            "= none"
        )
    if facing.width == 1:
        return target, blows
    if facing.lethal:
        raise CombatkitError(
            f"{who}: a race cannot follow lethal and nonlethal damage to the same side; use duel, "
            "or Situation(nonlethal=...) in the plan for one kind"
        )
    unconscious = target.full + 1
    alone = target._replace(needed=unconscious, deadly=unconscious, lethal=False)
    return alone, tuple(blow._replace(nonlethal=(), massive=None) for blow in blows)
