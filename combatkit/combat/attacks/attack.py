"""The attack roll: attack bonus against armor class, one blow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import get_args

from combatkit.combat.attacks.armor_class import armor_class
from combatkit.combat.attacks.attack_bonus import attack_bonus, confirmation_bonus
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import Blow, Odds, blow_odds, procedures
from combatkit.combat.attacks.damage import blow_damage, critical_damage, hit_damage
from combatkit.combat.attacks.damage_bonus import (
    damage_bonus,
    damage_dice,
    extra_dice,
    hit_multiplier,
    soak,
    weapon_remarks,
)
from combatkit.combat.attacks.feats import Remark, remarks
from combatkit.combat.attacks.nonlethal import (
    felt_extra,
    is_harmless,
    nonlethal_kinds,
)
from combatkit.combat.attacks.situation import Situation
from combatkit.errors import CombatkitError, check_word, expect, nearest
from combatkit.prob import Dist
from combatkit.rules import Combatant, Ruleset, Tally, Weapon
from combatkit.rules.equipment import Grip
from combatkit.rules.printed import weapons_of

ORDINARY = Situation()


@dataclass(frozen=True, eq=False)
class Strike:
    """One attack: its receipts and its exact odds.

    Attributes
    ----------
    attack_bonus, armor_class, damage_bonus : Tally
    blow : Blow
        What the dice see of it.
    why_not : str
        Why the attack cannot be made; empty where it can.
    """

    attempt: Attempt
    attack_bonus: Tally
    armor_class: Tally
    damage_bonus: Tally
    blow: Blow

    @property
    def strikes(self) -> tuple[Strike, ...]:
        """Itself alone, as a full attack lists its strikes."""
        return (self,)

    @property
    def weapon(self) -> Weapon:
        """Weapon it is made with."""
        return self.attempt.weapon

    @property
    def why_not(self) -> str:
        """Why the attack cannot be made; empty where it can."""
        return self.attempt.why_impossible

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """What leaves these odds as they are, and why: feats of either side, and the weapon."""
        return (*remarks(self.attempt), *weapon_remarks(self.attempt))

    @property
    def possible(self) -> bool:
        """Whether the attack can be made at all."""
        return not self.why_not

    @property
    def needs(self) -> int:
        """Natural roll that reaches the armor class; it may be below 1 or above 20."""
        return self.blow.needs

    @property
    def miss_chance(self) -> Fraction:
        """Chance that a hit misses after all, by concealment."""
        return self.blow.miss_chance

    @property
    def odds(self) -> Odds:
        """Integer weights of the d20, before any miss chance."""
        return blow_odds(self.blow)

    def _chance(self, weight: int) -> Fraction:
        if not self.possible:
            return Fraction(0)
        return Fraction(weight, self.odds.total) * (1 - self.miss_chance)

    @property
    def p_hit(self) -> Fraction:
        """Chance to hit, criticals included, after any miss chance."""
        return self._chance(self.odds.hit + self.odds.critical)

    @property
    def p_critical(self) -> Fraction:
        """Chance of a critical hit, after any miss chance."""
        return self._chance(self.odds.critical)

    @property
    def p_threat(self) -> Fraction:
        """Chance to threaten a critical hit, before any miss chance."""
        return Fraction(self.odds.threat, self.odds.total) if self.possible else Fraction(0)

    @property
    def hit_damage(self) -> Dist:
        """Damage of an ordinary hit."""
        return hit_damage(self.blow)

    @property
    def critical_damage(self) -> Dist:
        """Damage of a critical hit."""
        return critical_damage(self.blow)

    @cached_property
    def damage(self) -> Dist:
        """Damage of the attack, 0 where it misses."""
        return blow_damage(self.blow) if self.possible else Dist.constant(0)

    def explain(self) -> str:
        """Put the receipt in words, with citations."""
        blow = self.blow
        receipts = (self.attack_bonus, self.armor_class, self.damage_bonus)
        parts = [receipt.explain() for receipt in receipts]
        if not self.possible:
            parts.append(f"Not possible: {self.why_not}")
        extra = f" + {blow.extra} extra" if blow.extra else ""
        parts.append(
            f"Needs {self.needs} on the d20: hit {self.p_hit} ({float(self.p_hit):.2%}); "
            f"critical {self.p_critical}; damage {blow.dice}{blow.flat:+d}{extra}, "
            f"expected {self.damage.mean} a swing"
        )
        parts += [f"Does not change these odds: {remark.text}" for remark in self.remarks]
        return "\n".join(parts)


def attack(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
) -> Strike:
    """Work out one attack at the full attack bonus.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    weapon : str or Weapon, optional
        One of the attacker's weapons or any weapon of the ruleset, by id; the attacker's first
        weapon when left out.
    situation : Situation, optional
    grip : {"primary", "two_handed", "off_hand", "thrown"}, optional
        How the weapon is held; two-handed for a two-handed weapon when left out.

    Returns
    -------
    Strike

    Raises
    ------
    CombatkitError
        For a weapon, row, feat or armor the ruleset does not have.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> fighter = Combatant(abilities={"str": 16}, base_attack=6, weapons=["longsword"])
    >>> guard = Combatant(name="Guard", armor_class=17, hit_points=20)
    >>> swing = attack(rules, fighter, guard, situation=Situation(attacker={"flanking"}))
    >>> swing.attack_bonus.total, swing.p_hit, swing.p_critical, swing.damage.mean
    (11, Fraction(3, 4), Fraction(3, 40), Fraction(99, 16))
    """
    return strike(prepare(rules, attacker, defender, weapon, situation, grip))


def prepare(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
) -> Attempt:
    """Check the parts of an attack and put them together; see :func:`attack`."""
    check_parts(rules, attacker, defender, situation)
    held = choose_weapon(rules, attacker, weapon)
    how = usual_grip(held, grip)
    return Attempt(rules, attacker, defender, held, how, situation, thrown=grip == "thrown")


def check_parts(
    rules: Ruleset, attacker: Combatant, defender: Combatant, situation: Situation
) -> None:
    """Refuse what is no ruleset, combatant or situation."""
    expect(rules, Ruleset, "rules")
    expect(attacker, Combatant, "attacker")
    expect(defender, Combatant, "defender")
    expect(situation, Situation, "situation")


def choose_weapon(rules: Ruleset, who: Combatant, weapon: str | Weapon | None) -> Weapon:
    """Find the weapon meant: the combatant's own by id, else the ruleset's."""
    own = weapons_of(rules, who)
    if weapon is None:
        return own[0] if own else rules.weapon("unarmed_strike")
    if isinstance(weapon, Weapon):
        return rules.weapon(weapon)
    word = weapon if isinstance(weapon, str) else ""
    for held in own:
        if word and word in (held.id, held.base):
            return held
    if word in rules.weapons:
        return rules.weapon(word)
    known = [*(held.id for held in own), *rules.weapons]
    raise CombatkitError(
        f"weapon {weapon!r:.60} is neither {who.name or 'the combatant'}'s nor in ruleset "
        f"'{rules.id}'{nearest(weapon, known)}"
    )


def usual_grip(weapon: Weapon, grip: Grip | None) -> Grip:
    """Tell how a weapon is held: as said, or with two hands where it takes two."""
    if grip is None:
        return "two_handed" if weapon.hand == "two_handed" else "primary"
    check_word(grip, get_args(Grip), "grip")
    one_hand = grip in ("primary", "off_hand") and weapon.hand == "two_handed"
    if one_hand and weapon.one_hand is None and not weapon.double:
        raise CombatkitError(f"{weapon.label or weapon.id} takes two hands: grip {grip!r} has one")
    return "primary" if grip == "thrown" else grip


def strike(attempt: Attempt) -> Strike:
    """Resolve an attempt into receipts and odds."""
    bonus, target, damage = attack_bonus(attempt), armor_class(attempt), damage_bonus(attempt)
    harmless = is_harmless(attempt)
    blow = Blow(
        needs=target.total - bonus.total,
        roll=attempt.roll,
        threat_from=_threat_from(attempt),
        miss_chance=attempt.miss_chance,
        dice="" if harmless else damage_dice(attempt),
        flat=damage.total,
        extra=felt_extra(extra_dice(attempt), harmless),
        hit_multiplier=hit_multiplier(attempt),
        multiplier=attempt.weapon.multiplier,
        procedures=procedures(attempt.rules),
        confirmation=confirmation_bonus(attempt).total,
        soak=soak(attempt),
        first_hit=felt_extra(attempt.situation.first_hit, harmless),
        nonlethal=() if harmless else nonlethal_kinds(attempt),
        volley=attempt.situation.arrows - 1,
        volley_extra=felt_extra(_each_arrow(attempt), harmless),
    )
    return Strike(attempt, bonus, target, damage, blow)


def _each_arrow(attempt: Attempt) -> str:
    """Extra dice of the further arrows of a shot: the weapon's own."""
    return attempt.weapon.extra if attempt.situation.arrows > 1 else ""


def _threat_from(attempt: Attempt) -> int:
    if attempt.defender.critical_immune:
        return 21
    weapon = attempt.weapon
    if weapon.damage_bonus is not None:  # as printed, feats included
        return weapon.threat_from
    if weapon.keen and weapon.types and not {"piercing", "slashing"}.intersection(weapon.types):
        raise CombatkitError(f"{weapon.label}: only what pierces or slashes can be keen")
    if weapon.damage_bonus is not None:  # as printed, feats included
        return weapon.threat_from
    wider = weapon.keen or attempt.granted("double_threat_range")  # the two do not add up
    return 21 - (21 - weapon.threat_from) * (2 if wider else 1)
