"""Adapters: damage, full attacks, kill time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import (
    Rules,
    Value,
    damaging,
    dice_text,
    round_statistic,
    statistic,
    striker,
    target,
)


def damage_of_attack(rules: Rules, stat: str, **case: Any) -> Value:
    return statistic(damaging(rules, case).damage, stat)


def damage_of_hit(rules: Rules, stat: str, times: int, mode: str, **case: Any) -> Value:
    case |= {"attack_bonus": 0, "ac": 10, "multiplier": times}
    if mode == "maximum":
        case["crit_rule"] = "max"
    else:
        rules = rules.with_switches(critical_damage=mode)
    return statistic(damaging(rules, case).critical_damage, stat)


def multiply_stack(rules: Rules, original: int, multipliers: list[int]) -> Value:
    return original * ck.attacks.combined_multiplier(*multipliers)


USES: dict[str, dict[str, Any]] = {
    "melee": {},
    "off_hand": {"grip": "off_hand"},
    "two_handed": {"grip": "two_handed"},
    "light_two_handed": {"grip": "two_handed", "hand": "light"},
    "two_handed_light": {"grip": "two_handed", "hand": "light"},
    "thrown": {"use": "thrown"},
    "sling": {"use": "sling"},
    "bow": {"use": "bow"},
    "crossbow": {"use": "crossbow"},
    "composite": {"use": "bow", "composite": True, "strength_rating": 30},
    "composite_bow": {"use": "bow", "composite": True, "strength_rating": 30},
}


def strength_to_damage(rules: Rules, str_mod: int, use: str) -> Value:
    how = dict(USES[use])
    grip = how.pop("grip", None)
    attacker = ck.Combatant(abilities={"str": 10 + 2 * str_mod})
    weapon = ck.Weapon(damage="1d8", **how)
    return ck.attack(rules, attacker, target(10), weapon, grip=grip).damage_bonus.total


def iterative_count(rules: Rules, bab: int) -> Value:
    return len(
        ck.full_attack(rules, ck.Combatant(base_attack=bab), target(10), "longsword").strikes
    )


def full_attack(
    rules: Rules, attack_bonuses: list[int], damages: list[Any], ac: int, stat: str, **case: Any
) -> Value:
    strikes = [
        damaging(rules, {**case, "attack_bonus": bonus, "ac": ac, "dice": dice, "flat": flat})
        for bonus, (dice, flat) in zip(attack_bonuses, damages, strict=True)
    ]
    return round_statistic(ck.attacks.FullAttack(tuple(strikes)), stat)


def two_weapons(
    rules: Rules,
    off_hand_light: bool,
    feat: bool,
    bonus: int = 0,
    ac: int = 10,
    str_mod: int = 0,
    primary_dice: list[int] | None = None,
    off_dice: list[int] | None = None,
) -> ck.attacks.FullAttack:
    main = ck.Weapon(label="Main", damage=dice_text(primary_dice or [8]))
    second = ck.Weapon(
        label="Second",
        damage=dice_text(off_dice or [6]),
        hand="light" if off_hand_light else "one_handed",
    )
    fighter = striker(
        bonus, abilities={"str": 10 + 2 * str_mod}, feats=["two_weapon_fighting"] if feat else []
    )
    return ck.full_attack(rules, fighter, target(ac), main, off_hand=second)


def twf_penalty(rules: Rules, off_hand_light: bool, feat: bool, hand: str) -> Value:
    made = two_weapons(rules, off_hand_light, feat).strikes[{"primary": 0, "off": 1}[hand]]
    return sum(line.value for line in made.attack_bonus.lines if line.id == "attack.two_weapon")


def twf_round(rules: Rules, base_bonus: int, stat: str, **case: Any) -> Value:
    return round_statistic(two_weapons(rules, bonus=base_bonus, **case), stat)


def kill_time(
    rules: Rules, attacks: list[dict[str, Any]], hp: int, down_at: int, rounds: int, quantity: str
) -> Value:
    made = ck.attacks.FullAttack(tuple(damaging(rules, case) for case in attacks))
    time = ck.kill_time(made, hp, down_at)
    if quantity == "expected_rounds":
        assert time.mean is not None
        return time.mean
    return {"p_down_by": time.by, "p_down_in": time.exactly}[quantity](rounds)


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        damage_of_attack,
        damage_of_hit,
        multiply_stack,
        strength_to_damage,
        iterative_count,
        full_attack,
        twf_penalty,
        twf_round,
        kill_time,
    )
}
