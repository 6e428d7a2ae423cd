"""Shooting into a melee: a penalty, or the risk of striking somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack
from combatkit.combat.attacks.blow import hits
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import face_weights
from combatkit.errors import CombatkitError
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset, Weapon, tally
from combatkit.rules.equipment import Grip

MOST_OTHERS = 20
LARGE = ("large", "huge", "gargantuan", "colossal")


@dataclass(frozen=True, eq=False)
class MeleeShot:
    """A shot at somebody in a melee.

    Attributes
    ----------
    strike : Strike
        The shot at its target.
    p_stray : Fraction
        Chance that the shot strays and is rolled again against somebody else; 0 where there is no
        such rule or no risk.
    stray : tuple of Strike
        The roll against each of the others, with the bonuses that still count.
    p_struck, p_struck_critically : tuple of Fraction
        Chance that each of the others is hit after all, criticals included, and critically.
    """

    strike: Strike
    p_stray: Fraction
    stray: tuple[Strike, ...]
    p_struck: tuple[Fraction, ...]
    p_struck_critically: tuple[Fraction, ...]

    @property
    def p_wrong(self) -> Fraction:
        """Chance to hit anybody but the target."""
        return sum(self.p_struck, Fraction(0))

    @property
    def p_nothing(self) -> Fraction:
        """Chance to hit nobody."""
        return 1 - self.strike.p_hit - self.p_wrong

    def damage_to(self, other: int) -> Dist:
        """Damage to one of the others by index, 0 where it is not struck."""
        index = within(other, "another's index", 0, len(self.stray) - 1) if self.stray else None
        if index is None:
            return Dist.constant(0)
        made = self.stray[index]
        struck, critical = self.p_struck[index], self.p_struck_critically[index]
        return Dist.mix(
            [
                (1 - struck, Dist.constant(0)),
                (struck - critical, made.hit_damage),
                (critical, made.critical_damage),
            ]
        )


def shoot_into_melee(
    rules: Ruleset,
    attacker: Combatant,
    target: Combatant,
    others: Sequence[Combatant] = (),
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    clear_feet: int = 0,
) -> MeleeShot:
    """Work out a shot at somebody engaged in melee.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``shot_into_melee`` says what the risk is.
    attacker, target : Combatant
    others : sequence of Combatant
        Whoever is engaged with the target, up to 20; one of them at random is the new target.
    weapon, situation, grip : optional
        As for :func:`attack`. A reach weapon used from a distance may stray too.
    clear_feet : int, optional
        How far the part of the target aimed at is from anybody else.

    Returns
    -------
    MeleeShot

    Notes
    -----
    Simplified 3.5, Shooting or Throwing into a Melee: -4 (the row ``into_melee``), not with
    Precise Shot or 10 feet clear. Phased combat: no penalty, but a failed shot with a natural 1 or
    a total of 9 or less is rolled again at another, adding magic bonuses only; no risk when a part
    of a Large or larger target is 5 feet clear.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> archer = Combatant(attack_bonus=6, weapons=["longbow"])
    >>> orc, friend = Combatant(armor_class=15), Combatant(armor_class=16)
    >>> shoot_into_melee(load_ruleset("classic"), archer, orc, [friend]).strike.p_hit
    Fraction(2, 5)
    >>> shot = shoot_into_melee(load_ruleset("phased"), archer, orc, [friend])
    >>> shot.strike.p_hit, shot.p_stray, shot.p_wrong
    (Fraction(3, 5), Fraction(3, 20), Fraction(3, 80))
    """
    within(clear_feet, "clear_feet", 0, 10_000)
    within(len(others), "the number of others in the melee", 0, MOST_OTHERS)
    if rules.switch("shot_into_melee") == "penalty":
        there = _penalized(rules, situation, clear_feet)
        return _no_risk(attack(rules, attacker, target, weapon, there, grip))
    strike = attack(rules, attacker, target, weapon, situation, grip)
    attempt = strike.attempt
    if attempt.mode == "melee" and not attempt.weapon.reach:
        raise CombatkitError(f"{strike.weapon.label or strike.weapon.id}: only a shot strays")
    safe = target.size in LARGE and clear_feet >= rules.number("stray.clear_feet")
    if safe or not others or not strike.possible:
        return _no_risk(strike)
    at_others = [attack(rules, attacker, other, weapon, situation, grip) for other in others]
    return _strayed(strike, at_others)


def _no_risk(strike: Strike) -> MeleeShot:
    return MeleeShot(strike, Fraction(0), (), (), ())


def _penalized(rules: Ruleset, situation: Situation, clear_feet: int) -> Situation:
    """Tick the penalty's row, unless the target is clear or a friend's cover stands for it."""
    row = rules.find("condition", rules.conditions["attacker"], "into_melee")
    clear = clear_feet >= rules.number("melee_shot.clear_feet")
    covered = situation.cover == "soft" and rules.switch("soft_cover_into_melee") == "one"
    return situation if clear or covered else situation.with_row(rules, row)


def _strayed(strike: Strike, at_others: list[Strike]) -> MeleeShot:
    rules = strike.attempt.rules
    stripped = tuple(_stripped(made) for made in at_others)
    p_stray = _p_stray(strike)
    thrown_off = Fraction(0)  # chance that a stray shot strays again
    if rules.switch("stray_again") == "yes":
        thrown_off = sum(map(_p_stray, stripped), Fraction(0)) / len(stripped)
    rolls = p_stray / (1 - thrown_off) if thrown_off < 1 else Fraction(0)
    share = rolls / len(stripped)
    return MeleeShot(
        strike,
        p_stray,
        stripped,
        tuple(share * made.p_hit for made in stripped),
        tuple(share * made.p_critical for made in stripped),
    )


def _stripped(strike: Strike) -> Strike:
    """Make the same shot with the bonuses that still count: magic, and nothing of skill or size."""
    rules = strike.attempt.rules
    kept = {row.id for row in rules.lookups.values() if row.table == "stray_bonus"}
    if not strike.weapon.enhancement:
        kept -= {rules.terms["attack.enhancement"].type}  # a masterwork weapon is not magic
    lines = (
        line if line.type in kept else line.struck("a stray shot is not aimed")
        for line in strike.attack_bonus.lines
    )
    bonus = tally(lines, rules.stacking, "Attack bonus of the stray shot")
    blow = strike.blow._replace(needs=strike.armor_class.total - bonus.total)
    return Strike(strike.attempt, bonus, strike.armor_class, strike.damage_bonus, blow)


def _p_stray(strike: Strike) -> Fraction:
    """Chance that an attack fails with a natural 1 or a low total."""
    blow, bonus = strike.blow, strike.attack_bonus.total
    weights, low = face_weights(blow.roll), strike.attempt.rules.number("stray.total")
    strays = sum(
        weight
        for face, weight in enumerate(weights, 1)
        if (face == 1 or face + bonus <= low) and not hits(face, blow.needs, blow.procedures)
    )
    return Fraction(strays, sum(weights))
