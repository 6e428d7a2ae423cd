"""What the dice see of an attack, and the exact odds that follow from it.

A :class:`Blow` holds no names and no citations, only what is rolled. Attacks that look different
to a player often are the same blow, so every function here remembers its answers.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, get_args

from combatkit.combat.situation import Roll
from combatkit.errors import CombatkitError, nearest
from combatkit.prob import Dist, dice
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


class Odds(NamedTuple):
    """Integer weights of one d20 attack over one total, before any miss chance."""

    miss: int
    hit: int
    critical: int
    threat: int
    total: int


def face_weights(roll: Roll) -> list[int]:
    """Weight of each d20 face from 1 to 20: of 20, or of 400 when two dice are rolled.

    Examples
    --------
    >>> face_weights("disadvantage")[-1]
    1
    """
    if roll == "normal":
        return [1] * 20
    if roll not in ("advantage", "disadvantage"):
        raise CombatkitError(f"roll {roll!r:.60} is not known{nearest(roll, get_args(Roll))}")
    rising = [2 * face - 1 for face in range(1, 21)]
    return rising if roll == "advantage" else rising[::-1]


@lru_cache(maxsize=MEMORY)
def odds(needs: int, threat_from: int, roll: Roll, rule: Procedures) -> Odds:
    """Count misses, ordinary hits and critical hits of one attack roll.

    Parameters
    ----------
    needs : int
        Natural roll that reaches the armor class.
    threat_from : int
        Lowest natural roll that threatens; 21 for none.

    Returns
    -------
    Odds
        ``miss + hit + critical == total``.
    """
    weights = face_weights(roll)
    total = sum(weights)
    confirmed = sum(w for face, w in enumerate(weights, 1) if _confirms(face, needs, rule))
    hit = threat = critical = 0
    for face, weight in enumerate(weights, 1):
        threatens = _threatens(face, needs, threat_from, rule)
        if threatens:
            sure = rule.critical != "confirm" or (
                face == 20 and rule.natural_20_confirms == "automatic"
            )
            threat += weight * total
            critical += weight * (total if sure else confirmed)
        if threatens or _hits(face, needs, rule):
            hit += weight * total
    return Odds(total * total - hit, hit - critical, critical, threat, total * total)


def _reaches(face: int, needs: int, rule: Procedures) -> bool:
    return face >= needs if rule.attack_tie == "hits" else face > needs


def _hits(face: int, needs: int, rule: Procedures) -> bool:
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
        return face >= rule.maximum_damage_from and _hits(face, needs, rule)
    if face < threat_from:
        return False
    if face == 20 and rule.natural_20_threatens == "only_if_total_hits":
        return _reaches(face, needs, rule)
    return _hits(face, needs, rule) or (face > 1 and rule.threat_must_hit == "always_hits")


def blow_odds(blow: Blow) -> Odds:
    """Odds of the attack roll of a blow, before any miss chance."""
    return odds(blow.needs, blow.threat_from, blow.roll, blow.procedures)


@lru_cache(maxsize=MEMORY)
def rolled_damage(text: str, flat: int, extra: str, times: int, rule: Procedures) -> Dist:
    """Damage rolled with its bonus so many times, extra dice, then the least damage of a hit."""
    roll = _one_roll(text, flat, rule)
    if extra and rule.extra_dice == "multiplied":
        roll, extra = roll + dice(extra), ""
    if times == 1:
        return _with_extra(roll, extra, rule)
    many = times @ roll if rule.critical_damage == "roll_each" else roll.scale(times)
    return _with_extra(many, extra, rule)


@lru_cache(maxsize=MEMORY)
def maximum_damage(text: str, flat: int, extra: str, times: int, rule: Procedures) -> Dist:
    """Take the most a roll can give; extra dice are at their maximum too where the rules say so."""
    top = _one_roll(text, flat, rule).maximum * times
    if extra and rule.extra_dice == "multiplied":
        top, extra = top + dice(extra).maximum, ""
    return _with_extra(Dist.constant(top), extra, rule)


@lru_cache(maxsize=MEMORY)
def _one_roll(text: str, flat: int, rule: Procedures) -> Dist:
    roll = dice(text) + flat
    return roll.clip(low=rule.least_damage) if rule.minimum_damage == "each_roll" else roll


def _with_extra(damage: Dist, extra: str, rule: Procedures) -> Dist:
    return (damage + dice(extra) if extra else damage).clip(low=rule.least_damage)


def _extra_alone(blow: Blow) -> Dist:
    """Damage of what has no dice of its own: a net deals none, a flask of acid its extra dice."""
    return dice(blow.extra) if blow.extra else Dist.constant(0)


def hit_damage(blow: Blow) -> Dist:
    """Damage of an ordinary hit."""
    if not blow.dice:
        return _extra_alone(blow)
    return rolled_damage(blow.dice, blow.flat, blow.extra, blow.hit_multiplier, blow.procedures)


def critical_damage(blow: Blow) -> Dist:
    """Damage of a critical hit: rolled several times, multiplied, or at its maximum."""
    if not blow.dice:
        return _extra_alone(blow)
    if blow.procedures.critical == "maximum_damage":
        times = blow.hit_multiplier
        return maximum_damage(blow.dice, blow.flat, blow.extra, times, blow.procedures)
    times = combined_multiplier(blow.hit_multiplier, blow.multiplier)
    return rolled_damage(blow.dice, blow.flat, blow.extra, times, blow.procedures)


def combined_multiplier(*multipliers: int) -> int:
    """Combine multipliers, each of which works off the original damage.

    Source: seed004 and seed000, Multiplying damage; that x2 and x2 make x3 is the public SRD's sum.

    Examples
    --------
    >>> combined_multiplier(2, 2), combined_multiplier(3), combined_multiplier()
    (3, 3, 1)
    """
    return 1 + sum(multiplier - 1 for multiplier in multipliers)


@lru_cache(maxsize=MEMORY)
def blow_damage(blow: Blow) -> Dist:
    """Damage of one attack, 0 where it misses.

    Returns
    -------
    Dist
        Its mass is exactly 1.
    """
    chances, bottom = blow_odds(blow), blow.miss_chance.denominator
    top = bottom - blow.miss_chance.numerator
    missed = chances.total * bottom - (chances.hit + chances.critical) * top
    return Dist.mix(
        [
            (missed, Dist.constant(0)),
            (chances.hit * top, hit_damage(blow)),
            (chances.critical * top, critical_damage(blow)),
        ]
    )
