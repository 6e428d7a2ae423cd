"""The attack bonus: what is added to the d20 of an attack, and to a confirmation roll only."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.feats import check_option_feat
from combatkit.combat.attacks.nonlethal import other_kind_penalty
from combatkit.errors import CombatkitError
from combatkit.prob.exact import within
from combatkit.rules import Line, Tally, modifier_of, tally


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
