"""Grappling: grab and hold, pin, and get loose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from combatkit.combat.attacks.attack import ORDINARY, prepare, strike
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import NOTHING, Maneuver, dealt, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    answering,
    check_bonuses,
    contest,
    grapple_check,
    provoked,
    rows_on_checks,
    rule_of,
    situation_with,
    skill_line,
    too_large,
    touch_attack,
)
from combatkit.combat.turns.price import Threat
from combatkit.errors import CombatkitError, check_word
from combatkit.prob import Dist
from combatkit.rules import Combatant, Lookup, Ruleset, Tally, tally

Way = Literal["better", "grapple", "escape_artist"]


def grapple(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    situation: Situation = ORDINARY,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
) -> Maneuver:
    """Work out an attempt to grab somebody and hold on.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    situation, threats, defender_roll : optional
        As for :func:`trip`; damage by an attack of opportunity stops the attempt.

    Returns
    -------
    Maneuver
        ``damage`` is that of an unarmed strike, dealt by a success; ``situation_after`` is that of
        an attack on the defender by somebody outside the grapple.

    Notes
    -----
    Source: srd, Special attacks, Grapple; Feats, Improved Grapple.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(abilities={"str": 16}, base_attack=6, feats=["improved_grapple"])
    >>> made = grapple(rules, hero, Combatant(armor_class=14, base_attack=3))
    >>> made.p_success, made.damage.mean
    (Fraction(71, 100), Fraction(71, 20))
    """
    rule = rule_of(rules, "grapple", attacker, defender, situation)
    made = prepare(rules, attacker, defender, "unarmed_strike", situation)
    touch = touch_attack(made)
    if why_not := too_large(rule, attacker, defender) or touch.why_not:
        return impossible(rule, why_not)
    price = provoked(rules, attacker, defender, threats, str(rule.cells["action"]))
    back = answering(made, None, defender_roll)
    own = contest(
        made, back, grapple_check(made, rule, attacker), grapple_check(made, rule, defender)
    )
    ends = outcomes(price, touch, own)
    harm, remarks = _unarmed_damage(made)
    return Maneuver(
        rule,
        ends,
        price,
        touch,
        own,
        damage=dealt(ends["success"], harm),
        situation_after=_from_outside(rules, situation, "grappling"),
        remarks=remarks,
    )


def pin(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    situation: Situation = ORDINARY,
    defender_roll: Roll = "normal",
) -> Maneuver:
    """Work out an attempt to pin somebody already grappled.

    Parameters
    ----------
    rules, attacker, defender, situation, defender_roll
        As for :func:`grapple`; nothing is provoked.

    Returns
    -------
    Maneuver
        ``situation_after`` is that of an attack on the pinned by somebody outside the grapple.

    Notes
    -----
    Source: srd, Special attacks, Grapple, Pin your opponent.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> pin(load_ruleset("srd35"), Combatant(base_attack=2), Combatant()).p_success
    Fraction(247, 400)
    """
    rule = rule_of(rules, "pin", attacker, defender, situation)
    made = prepare(rules, attacker, defender, "unarmed_strike", situation)
    back = answering(made, None, defender_roll)
    mine, theirs = (grapple_check(made, rule, who) for who in (attacker, defender))
    own = contest(made, back, mine, theirs)
    after = _from_outside(rules, situation, "pinned")
    return Maneuver(rule, outcomes(None, None, own), contest=own, situation_after=after)


def escape_grapple(
    rules: Ruleset,
    attacker: Combatant,
    holder: Combatant,
    situation: Situation = ORDINARY,
    holder_roll: Roll = "normal",
    way: Way = "better",
) -> Maneuver:
    """Work out an attempt to get loose, or to break a pin.

    Parameters
    ----------
    rules : Ruleset
    attacker, holder : Combatant
        Who tries to get loose, and from whom.
    situation : Situation, optional
        Its roll is that of the one who tries.
    holder_roll : {"normal", "advantage", "disadvantage"}, optional
        How the holder's grapple check is rolled.
    way : {"better", "grapple", "escape_artist"}, optional
        What is rolled against the holder's grapple check.

    Returns
    -------
    Maneuver

    Notes
    -----
    Source: srd, Special attacks, Grapple, Escape from grapple.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> eel = Combatant(skills={"escape_artist": 9})
    >>> escape_grapple(load_ruleset("srd35"), eel, Combatant(base_attack=6)).p_success
    Fraction(33, 50)
    """
    check_word(way, get_args(Way), "way:")
    rule = rule_of(rules, "escape_grapple", attacker, holder, situation)
    made = prepare(rules, attacker, holder, "unarmed_strike", situation)
    back = answering(made, None, holder_roll)
    ways = {"grapple": grapple_check(made, rule, attacker), "escape_artist": _slip(made, rule)}
    mine = ways.get(way) or max(ways.values(), key=lambda side: side.total)
    own = contest(made, back, mine, grapple_check(made, rule, holder))
    return Maneuver(rule, outcomes(None, None, own), contest=own)


def _unarmed_damage(made: Attempt) -> tuple[Dist, tuple[str, ...]]:
    """Damage of a hold; none is counted for a size whose unarmed dice are not listed."""
    try:
        return strike(made).hit_damage, ()
    except CombatkitError as error:
        return NOTHING, (f"no damage is counted: {error}",)


def _slip(made: Attempt, rule: Lookup) -> Tally:
    lines = [
        skill_line(made, made.attacker, "escape_artist"),
        *check_bonuses(made, made.attacker),
        *rows_on_checks(made, rule),
    ]
    return tally(lines, made.rules.stacking, "Escape Artist check")


def _from_outside(rules: Ruleset, situation: Situation, condition: str) -> Situation:
    """Return the situation of an attack by somebody else: the grappler's own rows do not hold."""
    return situation_with(rules, Situation(defender=situation.defender), condition)
