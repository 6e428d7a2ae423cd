"""Disarming: an attack roll against an attack roll, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combatkit.combat.attacks.attack import ORDINARY, choose_weapon, prepare
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import Maneuver, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    answering,
    contest,
    improved,
    in_melee,
    provoked,
    rule_of,
    weapon_roll,
)
from combatkit.combat.turns.price import Threat
from combatkit.rules import Combatant, Line, Ruleset, Weapon
from combatkit.rules.equipment import Grip


def disarm(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    held: str | Weapon | None = None,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
    counters: bool = True,
) -> Maneuver:
    """Work out an attempt to strike a weapon out of somebody's hand.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    weapon : str or Weapon, optional
        The attacker's; the first of theirs when left out.
    situation, grip
        Of the attacker's roll, as for an attack.
    held : str or Weapon, optional
        What the defender holds; the first of theirs when left out.
    threats : sequence of Threat, optional
        Who may make an attack of opportunity; the defender alone when left out.
    defender_roll : {"normal", "advantage", "disadvantage"}, optional
        How the defender's rolls are made.
    counters : bool, optional
        Whether the defender answers a lost roll, which Improved Disarm does not allow.

    Returns
    -------
    Maneuver
        ``countered``: the attacker is disarmed instead. Damage by an attack of opportunity stops
        the attempt.

    Notes
    -----
    Source: srd, Special attacks, Disarm; Feats, Improved Disarm. No natural roll is special.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(base_attack=6, weapons=["flail"], feats=["improved_disarm"])
    >>> disarm(rules, hero, Combatant(base_attack=6, weapons=["longsword"])).p_success
    Fraction(309, 400)
    """
    rule = rule_of(rules, "disarm", attacker, defender, situation)
    made = prepare(rules, attacker, defender, weapon, situation, grip)
    target = choose_weapon(rules, defender, held)
    why_not = made.why_impossible
    if made.mode == "ranged":
        why_not = f"{made.weapon.label} makes no melee attack"
    elif target.natural or target.hand == "unarmed":
        why_not = f"{defender.name or 'the defender'} holds no weapon"
    if why_not:
        return impossible(rule, why_not)
    price = provoked(rules, attacker, defender, threats, str(rule.cells["action"]))
    back = answering(made, in_melee(target), defender_roll)
    mine = weapon_roll(made, rule, [*improved(made, rule, attacker), *_made_for_it(made)])
    own = contest(made, back, mine, weapon_roll(back, rule, _not_melee(back, target)))
    spared = attacker.has_feat(str(rule.cells["no_counter"]))
    held_too = not (made.weapon.natural or made.weapon.hand == "unarmed" or target.ranged)
    answer = None
    if counters and held_too and not spared:
        theirs = weapon_roll(back, rule, [*improved(back, rule, defender), *_made_for_it(back)])
        answer = contest(back, made, theirs, weapon_roll(made, rule, _made_for_it(made)))
    remarks: tuple[str, ...] = ()
    if spared and counters:
        remarks = (f"{rules.feat('improved_disarm').label} leaves no chance to answer",)
    return Maneuver(
        rule,
        outcomes(price, None, own, answer),
        price,
        contest=own,
        counter=answer,
        situation_after=situation,
        remarks=remarks,
    )


def _made_for_it(made: Attempt) -> Iterator[Line]:
    """Yield what a flail or the like adds, also against the answer to its own attempt."""
    if bonus := made.weapon.disarm_bonus:
        yield made.term("maneuver.weapon", bonus, why=made.weapon.label)


def _not_melee(back: Attempt, target: Weapon) -> Iterator[Line]:
    if target.ranged:
        value = back.rules.number("disarm.not_melee")
        yield back.term("maneuver.held", value, why=target.label)
