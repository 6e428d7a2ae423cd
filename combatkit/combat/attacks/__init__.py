"""Attacks: who strikes whom with what, the modifiers that count, and what the dice make of it."""

from combatkit.combat.attacks.armor_class import armor_class
from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.damage import combined_multiplier
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.attacks.missile import MeleeShot, shoot_into_melee
from combatkit.combat.attacks.options import (
    Trade,
    aided_hit_chance,
    best_combat_expertise,
    best_power_attack,
    p_aid_another,
)
from combatkit.rules.classes import attacks_per_round

__all__ = [
    "FullAttack",
    "MeleeShot",
    "Strike",
    "Trade",
    "aided_hit_chance",
    "armor_class",
    "attacks_per_round",
    "best_combat_expertise",
    "best_power_attack",
    "combined_multiplier",
    "p_aid_another",
    "shoot_into_melee",
]


def __dir__() -> list[str]:
    return sorted(__all__)
