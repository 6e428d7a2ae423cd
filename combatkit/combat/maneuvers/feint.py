"""Feinting: Bluff against Sense Motive and base attack, for a target that loses Dexterity."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.combat.attacks.attack import ORDINARY, attack
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import Maneuver, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    answering,
    check_bonuses,
    contest,
    rows_on_checks,
    rule_of,
    situation_with,
    skill_line,
)
from combatkit.prob import Dist
from combatkit.rules import Combatant, Line, Ruleset, Weapon, tally
from combatkit.rules.equipment import Grip

ANIMAL = 2  # highest Intelligence of an animal mind


def feint(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    defender_roll: Roll = "normal",
) -> Maneuver:
    """Work out a feint and the melee attack that follows it.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
        Their ``skills`` hold Bluff and Sense Motive; untrained it is the ability modifier.
    weapon, situation, grip
        Of the next melee attack; the situation's roll is that of the Bluff check, too.
    defender_roll : {"normal", "advantage", "disadvantage"}, optional
        How Sense Motive is rolled.

    Returns
    -------
    Maneuver
        ``follow_up`` is the next attack where the feint works, ``damage`` that of the next attack
        whether it works or not. Nothing is provoked.

    Notes
    -----
    Source: srd, Special attacks, Feint. A creature without Intelligence cannot be fooled: one of
    Intelligence 0, or one whose Wisdom and Charisma are given and whose Intelligence is not.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> rogue = Combatant(skills={"bluff": 9}, sneak_attack="3d6", weapons=["dagger"])
    >>> made = feint(rules, rogue, Combatant(abilities={"dex": 14}, base_attack=4))
    >>> made.p_success, made.situation_after.defender
    (Fraction(59, 80), frozenset({'feinted'}))
    """
    rule = rule_of(rules, "feint", attacker, defender, situation)
    usual = attack(rules, attacker, defender, weapon, situation, grip)
    made = usual.attempt
    if why_not := _mindless(defender) or usual.why_not:
        return impossible(rule, why_not)
    if made.mode == "ranged":
        return impossible(rule, f"{made.weapon.label} makes no melee attack")
    back = answering(made, None, defender_roll)
    bluff = [skill_line(made, attacker, "bluff"), *_strange(made), *check_bonuses(made, attacker)]
    sense = [
        skill_line(made, defender, "sense_motive"),
        made.term("maneuver.base_attack", defender.base_attack),
        *check_bonuses(made, defender),
    ]
    own = contest(
        made,
        back,
        tally([*bluff, *rows_on_checks(made, rule)], rules.stacking, "Bluff check"),
        tally(sense, rules.stacking, "Sense Motive check"),
    )
    ends = outcomes(None, None, own)
    after = situation_with(rules, situation, "feinted")
    fooled = attack(rules, attacker, defender, weapon, after, grip)
    won = ends["success"]
    damage = Dist.mix([(won, fooled.damage), (1 - won, usual.damage)])
    return Maneuver(rule, ends, contest=own, damage=damage, follow_up=fooled, situation_after=after)


def _mindless(who: Combatant) -> str:
    given = who.abilities
    mindless = "int" not in given and {"wis", "cha"} <= given.keys()
    if mindless or who.score("int") == 0:
        return f"{who.name or 'the defender'} has no Intelligence to be fooled"
    return ""


def _strange(made: Attempt) -> Iterator[Line]:
    """Yield what makes a creature hard to fool: another kind, or an animal mind."""
    who, rules = made.defender, made.rules
    if who.score("int") <= ANIMAL:
        value = rules.number("feint.animal")
        yield made.term("maneuver.strange", value, why=f"Intelligence {who.score('int')}")
    elif not who.kind.lower().startswith("humanoid"):
        yield made.term("maneuver.strange", rules.number("feint.nonhumanoid"), why=who.kind)
