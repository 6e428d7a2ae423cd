"""Adapters: the attack roll and range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import FIGHTERS, WEAPONS, Rules, Value, striker, swing, target


def p_hit(rules: Rules, attack_bonus: int, ac: int) -> Value:
    return swing(rules, attack_bonus, ac).p_hit


def p_hit_miss_chance(rules: Rules, attack_bonus: int, ac: int, miss_percents: list[int]) -> Value:
    return swing(rules, attack_bonus, ac, miss_chances=miss_percents).p_hit


def p_hit_two_dice(rules: Rules, attack_bonus: int, ac: int, mode: str, quantity: str) -> Value:
    made = swing(rules, attack_bonus, ac, roll=mode)
    return {"hit": made.p_hit, "crit": made.p_critical, "miss": 1 - made.p_hit}[quantity]


def p_hit_table(
    rules: Rules,
    attack_bonus: int,
    attack_type: str,
    attacker_conditions: list[str],
    defender: str,
    defender_conditions: list[str],
    target_blinded: bool = False,
) -> Value:
    there = ck.Situation(
        attacker=attacker_conditions, defender=defender_conditions + ["blinded"] * target_blinded
    )
    made = ck.attack(rules, striker(attack_bonus), FIGHTERS[defender], WEAPONS[attack_type], there)
    # the file's convention: 0 where a ticked row does not exist for this kind of attack
    absent = any("does not apply to" in why_not for _, why_not in made.attempt.judged)
    return 0 if absent else made.p_hit


def p_hit_sizes(
    rules: Rules,
    bab: int,
    ability_mod: int,
    attacker_size: str,
    defender_size: str,
    defender_ac_without_size: int,
    formula: str,
) -> Value:
    rules = rules.with_switches(size_in_attack={"hyb": "no", "srd": "yes"}[formula])
    attacker = ck.Combatant(
        base_attack=bab, abilities={"str": 10 + 2 * ability_mod}, size=attacker_size
    )
    defender = ck.Combatant(size=defender_size, natural_armor=defender_ac_without_size - 10)
    return ck.attack(rules, attacker, defender, WEAPONS["melee"]).p_hit


def attack_total(
    rules: Rules,
    bab: int,
    ability_mod: int,
    size_mod: int = 0,
    range_penalty: int = 0,
    formula: str = "srd",
) -> Value:
    rules = rules.with_switches(size_in_attack={"hyb": "no", "srd": "yes"}[formula])
    sizes = {
        int(row.number("modifier")): row.id for row in rules.lookups.values() if row.table == "size"
    }
    attacker = ck.Combatant(
        base_attack=bab, abilities={"str": 10 + 2 * ability_mod}, size=sizes[size_mod]
    )
    there = ck.Situation(attack_bonus=range_penalty)
    return ck.attack(rules, attacker, target(10), WEAPONS["melee"], there).attack_bonus.total


def crit_quantity(
    rules: Rules, attack_bonus: int, ac: int, threat_min: int, quantity: str
) -> Value:
    made = swing(rules, attack_bonus, ac, ck.Weapon(damage="1d8", threat_from=threat_min))
    return {"threat": made.p_threat, "crit": made.p_critical, "hit": made.p_hit}[quantity]


def shot(
    rules: Rules, bonus: int, ac: int, distance: int, increment: int, weapon: str
) -> ck.attacks.Strike:
    use = {"projectile": "bow", "thrown": "thrown"}[weapon]
    arm = ck.Weapon(damage="1d6", use=use, range_increment=increment)
    return swing(rules, bonus, ac, arm, distance=distance)


def range_penalty(rules: Rules, distance: int, increment: int) -> Value:
    return shot(rules, 0, 10, distance, increment, "projectile").attack_bonus.total


def range_legal(rules: Rules, distance: int, increment: int, weapon: str) -> Value:
    return shot(rules, 0, 10, distance, increment, weapon).possible


def p_hit_range(rules: Rules, bonus_before_range: int, **case: Any) -> Value:
    return shot(rules, bonus_before_range, **case).p_hit


def missile_hyb(
    rules: Rules,
    attack_bonus: int,
    target_ac: int,
    precise_shot: bool,
    clear_10ft: bool,
    soft_cover: bool,
) -> Value:
    archer = striker(attack_bonus, feats=["precise_shot"] if precise_shot else [])
    there = ck.Situation(
        attacker=[] if clear_10ft else ["into_melee"], cover="soft" if soft_cover else None
    )
    return ck.attack(rules, archer, target(target_ac), WEAPONS["ranged"], there).p_hit


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        p_hit,
        p_hit_miss_chance,
        p_hit_two_dice,
        p_hit_table,
        p_hit_sizes,
        attack_total,
        crit_quantity,
        range_penalty,
        range_legal,
        p_hit_range,
        missile_hyb,
    )
}
