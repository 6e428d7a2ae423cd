"""What the dice see of an attack, and the exact odds of its d20.

A :class:`Blow` holds no names and no citations, only what is rolled. Attacks that look different
to a player often are the same blow, so functions of blows remember their answers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from combatkit.combat.d20 import Roll, face_weights
from combatkit.rules import Ruleset

MEMORY = 4096  # distinct blows remembered


class Procedures(NamedTuple):
    """Readings in force that decide how dice are read; see the ruleset's switches."""

    attack_natural_1: str
    attack_natural_20: str
    attack_tie: str
    critical: str
    confirmation_natural_1: str
    confirmation_natural_20: str
    natural_20_confirms: str
    natural_20_threatens: str
    threat_must_hit: str
    critical_damage: str
    extra_dice: str
    minimum_damage: str
    least_damage: int
    maximum_damage_from: int


@lru_cache(maxsize=64)
def procedures(rules: Ruleset) -> Procedures:
    """Collect a ruleset's readings."""
    readings: dict[str, Any] = {name: rules.switch(name) for name in Procedures._fields[:-2]}
    return Procedures(
        **readings,
        least_damage=rules.number("damage.minimum"),
        maximum_damage_from=rules.number("critical.maximum_damage_from"),
    )


class Soak(NamedTuple):
    """What a target takes off the damage of a hit.

    Attributes
    ----------
    reduction : int
        Off the weapon's own damage.
    resistances : tuple of (str, int)
        Off the extra damage of each energy type.
    """

    reduction: int = 0
    resistances: tuple[tuple[str, int], ...] = ()


NO_SOAK = Soak()


class Massive(NamedTuple):
    """Lethal damage of one attack from which somebody may die at once.

    Attributes
    ----------
    least : int
        Points from which a save is due.
    dies, lives : int
        Weights of failing and of passing it.
    """

    least: int
    dies: int
    lives: int


class Blow(NamedTuple):
    """One attack as the dice see it.

    Attributes
    ----------
    needs : int
        Natural roll that reaches the armor class: armor class less attack bonus.
    roll : {"normal", "advantage", "disadvantage"}
    threat_from : int
        Lowest natural roll that threatens; 21 where nothing does.
    miss_chance : Fraction
    dice, extra : str
        Damage dice and extra dice that are not multiplied; no dice, no damage but the extra.
    flat : int
        Added to the damage dice.
    hit_multiplier, multiplier : int
        What a hit, and a critical hit on top of that, multiply damage by.
    confirmation : int
        Bonus on the confirmation roll only.
    soak : Soak
        What the target takes off the damage.
    first_hit : str
        Extra dice on the first hit of a round.
    volley : int
        Further arrows of the same roll: ordinary hits where it hits.
    volley_extra : str
        Extra dice of each of them.
    nonlethal : tuple of str
        Kinds of damage that are nonlethal to the target: ``"weapon"`` and energies.
    massive : Massive or None
        What a great deal of damage at once may do beside; None where it does nothing.
    """

    needs: int
    roll: Roll
    threat_from: int
    miss_chance: Fraction
    dice: str
    flat: int
    extra: str
    hit_multiplier: int
    multiplier: int
    procedures: Procedures
    confirmation: int = 0
    soak: Soak = NO_SOAK
    first_hit: str = ""
    volley: int = 0
    volley_extra: str = ""
    nonlethal: tuple[str, ...] = ()
    massive: Massive | None = None


class Odds(NamedTuple):
    """Integer weights of one d20 attack over one total, before any miss chance."""

    miss: int
    hit: int
    critical: int
    threat: int
    total: int


@lru_cache(maxsize=MEMORY)
def odds(needs: int, threat_from: int, roll: Roll, rule: Procedures, confirmation: int = 0) -> Odds:
    """Count misses, ordinary hits and critical hits of one attack roll.

    Parameters
    ----------
    needs : int
        Natural roll that reaches the armor class.
    threat_from : int
        Lowest natural roll that threatens; 21 for none.
    confirmation : int, optional
        Bonus on the confirmation roll only.

    Returns
    -------
    Odds
        ``miss + hit + critical == total``.
    """
    weights = face_weights(roll)
    total = sum(weights)
    easier = needs - confirmation
    confirmed = sum(w for face, w in enumerate(weights, 1) if _confirms(face, easier, rule))
    hit = threat = critical = 0
    for face, weight in enumerate(weights, 1):
        threatens = _threatens(face, needs, threat_from, rule)
        if threatens:
            sure = rule.critical != "confirm" or (
                face == 20 and rule.natural_20_confirms == "automatic"
            )
            threat += weight * total
            critical += weight * (total if sure else confirmed)
        if threatens or hits(face, needs, rule):
            hit += weight * total
    return Odds(total * total - hit, hit - critical, critical, threat, total * total)


def _reaches(face: int, needs: int, rule: Procedures) -> bool:
    return face >= needs if rule.attack_tie == "hits" else face > needs


def hits(face: int, needs: int, rule: Procedures) -> bool:
    """Whether a face of the d20 hits, threats left aside."""
    if face == 1 and rule.attack_natural_1 == "misses":
        return False
    if face == 20 and rule.attack_natural_20 == "hits":
        return True
    return _reaches(face, needs, rule)


def _confirms(face: int, needs: int, rule: Procedures) -> bool:
    if face == 1 and rule.confirmation_natural_1 == "misses":
        return False
    if face == 20 and rule.confirmation_natural_20 == "hits":
        return True
    return _reaches(face, needs, rule)


def _threatens(face: int, needs: int, threat_from: int, rule: Procedures) -> bool:
    if rule.critical == "none" or threat_from > 20:
        return False
    if rule.critical == "maximum_damage":
        return face >= rule.maximum_damage_from and hits(face, needs, rule)
    if face < threat_from:
        return False
    if face == 20 and rule.natural_20_threatens == "only_if_total_hits":
        return _reaches(face, needs, rule)
    return hits(face, needs, rule) or (face > 1 and rule.threat_must_hit == "always_hits")


def blow_odds(blow: Blow) -> Odds:
    """Odds of the attack roll of a blow, before any miss chance."""
    return odds(blow.needs, blow.threat_from, blow.roll, blow.procedures, blow.confirmation)
