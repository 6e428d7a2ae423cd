"""The attack roll: attack bonus against armor class, one blow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import get_args

from combatkit.combat.attacks.armor_class import armor_class
from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import Blow, Odds, blow_odds, landing, procedures
from combatkit.combat.attacks.damage import blow_damage, critical_damage, hit_damage
from combatkit.combat.attacks.damage_bonus import (
    burst_dice,
    damage_bonus,
    damage_dice,
    extra_dice,
    hit_multiplier,
    sneak_dice,
    soak,
    volley_extra,
    weapon_remarks,
)
from combatkit.combat.attacks.feats import Remark, check_option_feat, remarks
from combatkit.combat.attacks.images import p_image_struck
from combatkit.combat.attacks.nonlethal import nonlethal_kinds, other_kind_penalty
from combatkit.combat.attacks.situation import Situation
from combatkit.errors import CombatkitError, check_word, expect, nearest
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Line, Ruleset, Tally, Weapon, modifier_of, tally
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
        """Chance that a hit misses after all, by concealment or a mirror image."""
        return 1 - (1 - self.blow.miss_chance) / (self.blow.images + 1)

    @property
    def odds(self) -> Odds:
        """Integer weights of the d20, before any miss chance."""
        return blow_odds(self.blow)

    @property
    def p_hit(self) -> Fraction:
        """Chance to hit, criticals included, after any miss chance."""
        missed, hit, critical = landing(self.blow)
        return Fraction((hit + critical) * self.possible, missed + hit + critical)

    @property
    def p_critical(self) -> Fraction:
        """Chance of a critical hit, after any miss chance and fortification."""
        missed, hit, critical = landing(self.blow)
        return Fraction(critical * self.possible, missed + hit + critical)

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
    threat_from, weapon = _threat_from(attempt), attempt.weapon
    blow = Blow(
        needs=target.total - bonus.total,
        roll=attempt.roll,
        threat_from=threat_from,
        miss_chance=attempt.miss_chance,
        dice=damage_dice(attempt),
        flat=damage.total,
        extra=extra_dice(attempt),
        hit_multiplier=hit_multiplier(attempt),
        multiplier=weapon.multiplier,
        procedures=procedures(attempt.rules),
        confirmation=confirmation_bonus(attempt).total,
        soak=soak(attempt),
        first_hit=attempt.situation.first_hit,
        burst=burst_dice(attempt),
        precise=sneak_dice(attempt) if attempt.fortification else "",
        fortification=attempt.fortification,
        rend=weapon.rend,
        rend_hits=attempt.rules.number("rend.hits") if weapon.rend else 0,
        images=attempt.situation.images,
        image_hit=p_image_struck(attempt, target.total, bonus.total, threat_from),
        nonlethal=nonlethal_kinds(attempt),
        volley=attempt.situation.arrows - 1,
        volley_extra=volley_extra(attempt),
    )
    return Strike(attempt, bonus, target, damage, blow)


def _threat_from(attempt: Attempt) -> int:
    if attempt.defender.critical_immune:
        return 21
    weapon = attempt.weapon
    if weapon.damage_bonus is not None:  # as printed, feats included
        return weapon.threat_from
    if weapon.keen and weapon.types and not {"piercing", "slashing"}.intersection(weapon.types):
        raise CombatkitError(f"{weapon.label}: only what pierces or slashes can be keen")
    wider = weapon.keen or attempt.granted("double_threat_range")  # the two do not add up
    return 21 - (21 - weapon.threat_from) * (2 if wider else 1)


def attack_bonus(attempt: Attempt) -> Tally:
    """Tally the attack bonus of an attempt.

    Source: SRD combat statistics, Attack bonus; Simplified 3.5, Attack Bonus; Phased combat,
    attack rolls.
    """
    given = _given(attempt)
    own = _own_lines(attempt) if given is None else [attempt.term("attack.printed", given)]
    lines = [*own, *attempt.bonus_lines("attack"), *_circumstances(attempt)]
    return tally([*lines, *attempt.lines("attack")], attempt.rules.stacking, "Attack bonus")


def _given(attempt: Attempt) -> int | None:
    """Attack bonus as printed, for the weapon or for the whole combatant."""
    whole, printed = attempt.attacker.attack_bonus, attempt.weapon.attack_bonuses
    if printed and whole is not None:
        raise CombatkitError(
            f"{attempt.attacker.name or 'attacker'}: attack_bonus {whole:+d}, and {printed[0]:+d} "
            f"printed for {attempt.weapon.label or 'the weapon'}: give one of them"
        )
    return printed[0] if printed else whole


def confirmation_bonus(attempt: Attempt) -> Tally:
    """Tally what is added to the confirmation roll only."""
    lines = [*attempt.feat_lines("confirmation"), *attempt.bonus_lines("confirmation")]
    return tally([*lines, *attempt.lines("confirmation")], attempt.rules.stacking, "Confirmation")


def _own_lines(attempt: Attempt) -> Iterator[Line]:
    rules, who, weapon = attempt.rules, attempt.attacker, attempt.weapon
    yield attempt.term("attack.base_attack", who.base_attack)
    yield _ability_line(attempt)
    size = int(rules.lookup("size", who.size).number("modifier"))
    if size:
        line = attempt.term("attack.size", size, why=who.size)
        used = rules.switch("size_in_attack") == "yes"
        yield line if used else line.struck(f"option chosen: {rules.option('size_in_attack')}")
    if weapon.enhancement:
        yield attempt.term("attack.enhancement", weapon.enhancement)
    if weapon.masterwork:
        yield attempt.term("attack.enhancement", rules.number("attack.masterwork"), "Masterwork")
    yield from attempt.feat_lines("attack")
    yield from _shield_lines(attempt)
    if weapon.composite and who.strength < weapon.strength_rating:
        yield attempt.term("attack.weak_pull", rules.number("attack.weak_pull"))


def _shield_lines(attempt: Attempt) -> Iterator[Line]:
    if attempt.attacker.shield is None:
        return
    shield = attempt.rules.armor(attempt.attacker.shield)
    if shield.attack_penalty:
        yield attempt.term("attack.armor_penalty", shield.attack_penalty)
    arm = attempt.grip == "off_hand" or (attempt.grip == "two_handed" and attempt.mode == "melee")
    if arm and shield.arm_penalty:
        yield attempt.term("attack.shield_arm", shield.arm_penalty)
    if attempt.by_dexterity and attempt.finessed and attempt.shield_check:
        light = attempt.weapon.light and attempt.rules.switch("light_weapon_ability") == "better"
        if not light:
            yield attempt.term("attack.finesse_shield", attempt.shield_check)


def _ability_line(attempt: Attempt) -> Line:
    if attempt.mode == "melee" and not attempt.by_dexterity:
        return attempt.term("attack.ability", attempt.attacker.strength, "Strength modifier")
    score, reasons = attempt.dexterity("attacker")
    value, why = modifier_of(score), "; ".join(reasons)
    return attempt.term("attack.ability", value, "Dexterity modifier", why)


def _circumstances(attempt: Attempt) -> Iterator[Line]:
    rules, weapon = attempt.rules, attempt.weapon
    if weapon.hand == "natural_secondary":
        number = (
            "attack.multiattack" if attempt.granted("multiattack") else "attack.natural_secondary"
        )
        if _given(attempt) is None:
            yield attempt.term("attack.natural_secondary", rules.number(number))
    yield from _traded(attempt)
    if penalty := other_kind_penalty(attempt):
        yield attempt.term("attack.other_kind", penalty)
    if attempt.order:
        yield attempt.term("attack.order", attempt.order)
    if attempt.two_weapon:
        yield attempt.term(
            "attack.two_weapon", attempt.two_weapon, why=attempt.grip.replace("_", " ")
        )
    yield from attempt.further
    if weapon.hand == "two_handed" and attempt.grip != "two_handed" and weapon.one_hand:
        yield attempt.term("attack.one_hand", weapon.one_hand)
    distance = attempt.situation.distance
    if attempt.mode == "ranged" and distance and weapon.range_increment:
        steps = distance // attempt.range_increment
        if steps:
            yield attempt.term(
                "attack.range",
                steps * rules.number("range.penalty"),
                why=f"{distance} feet, {steps} full increments of {attempt.range_increment}",
            )


def _traded(attempt: Attempt) -> Iterator[Line]:
    """Points given up for damage, for armor class or for further arrows."""
    rules, who, there = attempt.rules, attempt.attacker, attempt.situation
    traded = there.power_attack + there.combat_expertise
    if traded and traded > max(0, who.base_attack):
        raise CombatkitError(
            f"situation: power_attack and combat_expertise trade {traded} points of attack, more "
            f"than the base attack bonus of {who.base_attack}"
        )
    if points := there.power_attack:
        check_option_feat(rules, who, "power_attack")
        line = attempt.term("attack.power_attack", -points)
        yield line if attempt.mode == "melee" else line.struck("Power Attack is for melee")
    if points := there.combat_expertise:
        within(points, "situation: combat_expertise", 0, rules.number("combat_expertise.most"))
        check_option_feat(rules, who, "combat_expertise")
        yield attempt.term("attack.combat_expertise", -points)
    if there.arrows > 1:
        check_option_feat(rules, who, "manyshot")
        needed = rules.series("manyshot.base_attack")[there.arrows - 2]
        if who.base_attack < needed:
            raise CombatkitError(
                f"situation: {there.arrows} arrows at once take a base attack bonus of {needed}, "
                f"not {who.base_attack}"
            )
        penalty = rules.series("manyshot.penalty")[there.arrows - 2]
        yield attempt.term("attack.manyshot", penalty, why=f"{there.arrows} arrows")
