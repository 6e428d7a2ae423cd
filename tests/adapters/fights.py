"""Adapters: duels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import CRITICALS, Rules, Value, dice_text


def fighter(attack: dict[str, Any], armor_class: int, hit_points: int) -> ck.Combatant:
    weapon = ck.Weapon(
        label="Weapon",
        damage=f"{dice_text(attack['dice'])}{attack['flat']:+d}",
        threat_from=attack.get("threat_min", 20),
        multiplier=attack.get("multiplier", 2),
    )
    return ck.Combatant(
        attack_bonus=attack["attack_bonus"],
        armor_class=armor_class,
        hit_points=hit_points,
        weapons=[weapon],
    )


def duel(
    rules: Rules,
    attack_a: dict[str, Any],
    attack_b: dict[str, Any],
    hp_a: int,
    hp_b: int,
    down_at: int = 0,
) -> Value:
    rules = rules.with_switches(critical=CRITICALS[attack_a["crit_rule"]])
    a = fighter(attack_a, attack_b["ac"], hp_a)
    b = fighter(attack_b, attack_a["ac"], hp_b)
    return ck.duel(rules, a, b, first="a", down_at=down_at).p_a_wins


ADAPTERS: dict[str, Callable[..., Value]] = {"duel": duel}
