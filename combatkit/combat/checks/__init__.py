"""Checks: saving throws, plain and opposed checks, and the chases decided by them."""

from combatkit.combat.checks.chase import (
    LongChase,
    Runner,
    hiding,
    long_chase,
    short_chase,
    speed_modifier,
    winded_rounds,
)
from combatkit.combat.checks.opposed import Check, OpposedCheck, Selection, opposed_check
from combatkit.combat.checks.saves import evasion_of, p_save, save_bonus, save_damage
from combatkit.combat.checks.stealth import hide_bonus, sees_by_torch
from combatkit.combat.d20 import p_check
from combatkit.rules.classes import base_save

__all__ = [
    "Check",
    "LongChase",
    "OpposedCheck",
    "Runner",
    "Selection",
    "base_save",
    "evasion_of",
    "hide_bonus",
    "hiding",
    "long_chase",
    "opposed_check",
    "p_check",
    "p_save",
    "save_bonus",
    "save_damage",
    "sees_by_torch",
    "short_chase",
    "speed_modifier",
    "winded_rounds",
]


def __dir__() -> list[str]:
    return sorted(__all__)
