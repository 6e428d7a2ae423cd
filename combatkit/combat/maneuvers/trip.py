"""Tripping: a touch attack, Strength against Strength or Dexterity, and the answer."""

from __future__ import annotations

from collections.abc import Sequence

from combatkit.combat.attacks.attack import ORDINARY, attack, choose_weapon, prepare
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import (
    NOTHING,
    Maneuver,
    dealt,
    impossible,
    outcomes,
)
from combatkit.combat.maneuvers.rolls import (
    answering,
    contest,
    provoked,
    resistance,
    rule_of,
    situation_with,
    strength_check,
    too_large,
    touch_attack,
)
from combatkit.combat.turns.price import Threat
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Lookup, Ruleset, Weapon


def trip(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
    counters: bool = True,
    lets_go: bool = False,
) -> Maneuver:
    """Work out an attempt to trip.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    weapon : str or Weapon, optional
        A weapon made for it, a natural weapon, or ``"unarmed_strike"``; the attacker's first where
        that one trips, else bare hands.
    situation : Situation, optional
        Of the touch attack; its roll is that of the Strength check, too.
    threats : sequence of Threat, optional
        Who may make an attack of opportunity; the defender alone when left out.
    defender_roll : {"normal", "advantage", "disadvantage"}, optional
        How the defender's checks are rolled.
    counters : bool, optional
        Whether the defender answers a lost check.
    lets_go : bool, optional
        Whether the attacker drops the weapon rather than be tripped by the answer.

    Returns
    -------
    Maneuver
        With Improved Trip, ``follow_up`` is the free attack on the prone defender.

    Raises
    ------
    CombatkitError
        For a weapon that cannot trip, or rules that have no such maneuver.

    Notes
    -----
    Source: srd, Special attacks, Trip; Feats, Improved Trip.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(abilities={"str": 16}, base_attack=6, weapons=["flail"])
    >>> made = trip(rules, hero, Combatant(armor_class=16), counters=False)
    >>> made.p_success, made.situation_after.defender
    (Fraction(231, 500), frozenset({'prone'}))
    """
    rule = rule_of(rules, "trip", attacker, defender, situation)
    held = _tripping(rules, attacker, weapon)
    made = prepare(rules, attacker, defender, held, situation)
    touch = touch_attack(made)
    if why_not := too_large(rule, attacker, defender) or touch.why_not:
        return impossible(rule, why_not)
    act = _provoking_act(rule, held)
    price = provoked(rules, attacker, defender, threats, act) if act else None
    back = answering(made, None, defender_roll)
    own = contest(made, back, strength_check(made, rule), resistance(made, rule))
    answer = None
    if counters and not held.ranged and not too_large(rule, defender, attacker):
        answer = contest(back, made, strength_check(back, rule), resistance(back, rule))
    ends = outcomes(price, touch, own, answer)
    remarks: tuple[str, ...] = ()
    if lets_go and held.trips and "countered" in ends:
        ends["failed"] = ends.get("failed", 0) + ends.pop("countered")
        remarks = (f"{held.label} is dropped where the answer would trip the attacker",)
    after = situation_with(rules, situation, "prone")
    at_once = attacker.has_feat("improved_trip")
    follow_up = attack(rules, attacker, defender, held, after) if at_once else None
    return Maneuver(
        rule,
        ends,
        price,
        touch,
        own,
        answer,
        dealt(ends["success"], follow_up.damage) if follow_up else NOTHING,
        follow_up,
        after,
        situation_with(rules, ORDINARY, "prone"),
        remarks,
    )


def _provoking_act(rule: Lookup, held: Weapon) -> str:
    """Act that provokes; none with a weapon made for it, or one that is part of the body."""
    if held.ranged:
        return "attack_ranged"
    bare = held.hand == "unarmed" and not held.trips
    return str(rule.cells["action"]) if bare else ""


def _tripping(rules: Ruleset, who: Combatant, weapon: str | Weapon | None) -> Weapon:
    held = choose_weapon(rules, who, weapon)
    if held.trips or held.natural or held.hand == "unarmed":
        return held
    if weapon is None:
        return rules.weapon("unarmed_strike")
    known = ", ".join(known.label for known in rules.weapons.values() if known.trips)
    raise CombatkitError(
        f"{held.label or held.id} cannot trip; bare hands can (unarmed_strike), and: {known}"
    )
