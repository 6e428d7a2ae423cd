"""Combat: one file per chapter of the rules, pure functions over frozen models."""

from combatkit.combat.armor import armor_class
from combatkit.combat.attack import Strike, attack
from combatkit.combat.dying import DyingOdds, dying, first_aid_dc
from combatkit.combat.harm import combined_multiplier
from combatkit.combat.kill_time import KillTime, kill_time
from combatkit.combat.options import (
    Trade,
    aided_hit_chance,
    best_combat_expertise,
    best_power_attack,
    p_aid_another,
)
from combatkit.combat.saves import p_check, p_save
from combatkit.combat.situation import Situation
from combatkit.combat.strikes import FullAttack, attacks_per_round, full_attack
from combatkit.combat.survival import Survival, survival
from combatkit.combat.sweep import Sweep, SweepRow, sweep

__all__ = [
    "DyingOdds",
    "FullAttack",
    "KillTime",
    "Situation",
    "Strike",
    "Survival",
    "Sweep",
    "SweepRow",
    "Trade",
    "aided_hit_chance",
    "armor_class",
    "attack",
    "attacks_per_round",
    "best_combat_expertise",
    "best_power_attack",
    "combined_multiplier",
    "dying",
    "first_aid_dc",
    "full_attack",
    "kill_time",
    "p_aid_another",
    "p_check",
    "p_save",
    "survival",
    "sweep",
]
