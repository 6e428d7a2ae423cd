"""Health: how long a target lasts, and what becomes of it: dying, first aid, healing, the end."""

from combatkit.combat.health.coup_de_grace import CoupDeGrace, sneak_attack_dice
from combatkit.combat.health.dying import DyingOdds, first_aid_dc
from combatkit.combat.health.healing import (
    HitPoints,
    after_exertion,
    gain_temporary,
    heal,
    p_death_resumed,
    take_damage,
    temporary_loss,
)
from combatkit.combat.health.kill_time import KillTime
from combatkit.combat.health.recovery import Recovery, recovery
from combatkit.combat.health.survival import Ally, Survival

__all__ = [
    "Ally",
    "CoupDeGrace",
    "DyingOdds",
    "HitPoints",
    "KillTime",
    "Recovery",
    "Survival",
    "after_exertion",
    "first_aid_dc",
    "gain_temporary",
    "heal",
    "p_death_resumed",
    "recovery",
    "sneak_attack_dice",
    "take_damage",
    "temporary_loss",
]


def __dir__() -> list[str]:
    return sorted(__all__)
