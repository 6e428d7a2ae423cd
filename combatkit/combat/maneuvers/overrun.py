"""Overrunning: through the defender's space, Strength against Strength or Dexterity."""

from __future__ import annotations

from collections.abc import Sequence

from combatkit.combat.attacks.attack import ORDINARY, prepare
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import Maneuver, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    answering,
    contest,
    provoked,
    resistance,
    rule_of,
    situation_with,
    strength_check,
    too_large,
)
from combatkit.combat.turns.price import Threat
from combatkit.rules import Combatant, Ruleset


def overrun(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    situation: Situation = ORDINARY,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
    avoids: bool = False,
    counters: bool = True,
) -> Maneuver:
    """Work out an attempt to run through somebody's space.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    situation : Situation, optional
        Its roll is that of the Strength check; of its rows only those that count on checks do.
    threats : sequence of Threat, optional
        Who may make an attack of opportunity; the defender alone when left out, whose space is
        entered.
    defender_roll, counters : optional
        As for :func:`trip`.
    avoids : bool, optional
        Whether the defender steps aside, which Improved Overrun does not allow.

    Returns
    -------
    Maneuver
        A success leaves the defender prone; on a defender who steps aside nothing is rolled.

    Notes
    -----
    Source: srd, Special attacks, Overrun; Feats, Improved Overrun. The answer counts size only.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> ogre = Combatant(abilities={"str": 21}, size="large")
    >>> overrun(rules, ogre, Combatant()).p_success
    Fraction(69, 80)
    >>> overrun(rules, ogre, Combatant(), avoids=True).outcomes
    {'avoided': Fraction(1, 1)}
    """
    rule = rule_of(rules, "overrun", attacker, defender, situation)
    made = prepare(rules, attacker, defender, None, situation)
    if why_not := too_large(rule, attacker, defender):
        return impossible(rule, why_not)
    price = provoked(rules, attacker, defender, threats, None)
    remarks: tuple[str, ...] = ()
    if avoids and attacker.has_feat("improved_overrun"):
        remarks = (f"{rules.feat('improved_overrun').label} keeps the defender from avoiding it",)
    elif avoids:
        stopped = price.p_interrupted
        ends = {"avoided": 1 - stopped, "stopped": stopped}
        return Maneuver(rule, {end: p for end, p in ends.items() if p or end == "avoided"}, price)
    back = answering(made, None, defender_roll)
    own = contest(made, back, strength_check(made, rule), resistance(made, rule))
    answer = None
    if counters:
        resisting = resistance(back, rule, stable=False)
        answer = contest(back, made, strength_check(back, rule, plain=True), resisting)
    return Maneuver(
        rule,
        outcomes(price, None, own, answer),
        price,
        contest=own,
        counter=answer,
        situation_after=situation_with(rules, situation, "prone"),
        situation_if_countered=situation_with(rules, ORDINARY, "prone"),
        remarks=remarks,
    )
