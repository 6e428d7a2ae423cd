"""Adapters: initiative, surprise, saves, helpless, missiles, healing, morale, chases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import Rules, Value, dice_text, target


def initiative_order(rules: Rules, modifiers: list[int], order: list[int]) -> Value:
    return ck.turns.initiative_order(rules, modifiers).p_order(order)


def initiative_first(rules: Rules, modifiers: list[int], who: int) -> Value:
    return ck.turns.initiative_order(rules, modifiers).p_first(who)


def _enemy(value: int) -> list[int]:
    return [10 + 2 * value]  # a score whose modifier is the value


def phase_initiative(rules: Rules, dex_modifier: int, enemy_value: int) -> Value:
    return ck.turns.phase_initiative(rules, [dex_modifier], _enemy(enemy_value)).p_any


def phase_initiative_party(
    rules: Rules, dex_modifiers: list[int], enemy_value: int, quantity: str
) -> Value:
    first = ck.turns.phase_initiative(rules, dex_modifiers, _enemy(enemy_value))
    if quantity == "expected":
        return first.count.mean
    return first.p_all if quantity == "all" else 1 - first.p_any


def surprise_round(rules: Rules, aware: list[int]) -> Value:
    return ck.turns.surprise_round(rules, [flag == 1 for flag in aware]).happens


def surprise_initiates_phs(rules: Rules, coordinated: Any, rows: Any = 1) -> Value:
    count = sum(coordinated) if isinstance(coordinated, list) else int(coordinated)
    aware = [True] * max(1, count) + [False]
    return len(ck.turns.surprise_round(rules, aware, planned=range(count)).acts)


def save_damage(rules: Rules, dice: list[int], bonus: int, dc: int, rule: str) -> Value:
    evasion: Any = "none" if rule == "half" else rule
    return ck.checks.save_damage(rules, dice_text(dice), bonus, dc, evasion=evasion).mean


def coup_de_grace(
    rules: Rules,
    dice: list[int],
    flat: int,
    multiplier: int,
    extra_dice: list[int],
    extra_multiplied: bool,
    fort: int,
    hp: int,
    stat: str,
    dead_at: int = -10,
) -> Value:
    assert rules.dead_at == dead_at
    rules = rules.with_switches(extra_dice="multiplied" if extra_multiplied else "not_multiplied")
    weapon = ck.Weapon(
        damage=dice_text(dice), extra=dice_text(extra_dice), multiplier=multiplier, label="Blade"
    )
    victim = ck.Combatant(hit_points=hp, saves={"fortitude": fort})
    there = ck.Situation(damage_bonus=flat)
    end = ck.coup_de_grace(rules, ck.Combatant(), victim, weapon, there)
    if stat == "expected_damage":
        return end.damage.mean
    return {
        "p_survive": end.p_survives,
        "p_killed_by_damage": end.p_killed_by_damage,
        "p_killed_by_save": end.p_killed_by_save,
    }[stat]


def missile_phs(
    rules: Rules,
    attack_bonus: int,
    target_ac: int,
    other_acs: list[int],
    magic_bonus: int,
    quantity: str,
) -> Value:
    bow = ck.Weapon(label="Bow", damage="1d8", use="bow", enhancement=magic_bonus)
    archer = ck.Combatant(base_attack=attack_bonus - magic_bonus, weapons=[bow])
    others = [target(armor_class) for armor_class in other_acs]
    shot = ck.attacks.shoot_into_melee(rules, archer, target(target_ac), others)
    return {
        "hit_target": shot.strike.p_hit,
        "stray": shot.p_stray,
        "hit_wrong": shot.p_wrong,
        "crit_wrong": sum(shot.p_struck_critically),
        "nothing": shot.p_nothing,
    }[quantity]


def temp_hp(rules: Rules, temp: int, hp: int, damages: list[int], quantity: str) -> Value:
    health = ck.health.HitPoints(hp, temp)
    for damage in damages:
        health = ck.health.take_damage(health, damage)
    return {"hp": health.points, "temp": health.temporary}[quantity]


def temp_gain(rules: Rules, have: int, new: int) -> Value:
    return ck.health.gain_temporary(have, new)


def temp_expected_loss(rules: Rules, temp: int, dice: list[int], flat: int) -> Value:
    return ck.health.temporary_loss(temp, ck.dice(dice_text(dice)) + flat).mean


def heal(rules: Rules, hp: int, amounts: list[int]) -> Value:
    health = ck.health.HitPoints(hp)
    for amount in amounts:
        health = ck.health.heal(rules, health, amount)
    return health.points


def morale(rules: Rules, modifier: int, mode: Any, checks: int = 1) -> Value:
    return ck.fights.p_morale(rules, modifier, mode, checks)


def morale_trigger(
    rules: Rules, kind_of_creature: Any, total: int, lost: int, leader_defeated: bool = False
) -> Value:
    return ck.fights.morale_trigger(rules, kind_of_creature, total, lost, leader_defeated)


def _chase(rules: Rules, tie: str, pursuers: Any, fugitive: Any, distance: int) -> Any:
    return ck.checks.short_chase(
        rules.with_switches(chase_tie=tie),
        pursuers,
        [fugitive],
        distance,
    ).p_any


def _caught(rules: Rules, pursuers: Any, fugitive: Any, distance: int, quantity: str) -> Value:
    strict, tied = (
        _chase(rules, tie, pursuers, fugitive, distance) for tie in ("escapes", "caught")
    )
    return {"p_catch_strict": strict, "p_catch_or_tie": tied, "p_tie": tied - strict}[quantity]


def chase(
    rules: Rules, pursuers: list[list[int]], fugitive: list[int], distance: int, quantity: str
) -> Value:
    runners = [ck.checks.Runner(*pursuer) for pursuer in pursuers]
    return _caught(rules, runners, ck.checks.Runner(*fugitive), distance, quantity)


def chase_passive(
    rules: Rules, pursuer: list[int], fugitive: list[int], distance: int, quantity: str
) -> Value:
    return _caught(
        rules,
        [ck.checks.Runner(*pursuer, passive=True)],
        ck.checks.Runner(*fugitive),
        distance,
        quantity,
    )


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        initiative_order,
        initiative_first,
        phase_initiative,
        phase_initiative_party,
        surprise_round,
        surprise_initiates_phs,
        save_damage,
        coup_de_grace,
        missile_phs,
        temp_hp,
        temp_gain,
        temp_expected_loss,
        heal,
        morale,
        morale_trigger,
        chase,
        chase_passive,
    )
}
