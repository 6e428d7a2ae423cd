"""Fights: two sides trading attacks until one is out: duels, team races, morale."""

from combatkit.combat.fights.approximate import DuelApprox
from combatkit.combat.fights.duel import Duel
from combatkit.combat.fights.morale import (
    MoraleFight,
    group_morale,
    morale_trigger,
    p_morale,
    solitary_morale,
)
from combatkit.combat.fights.race import Race

__all__ = [
    "Duel",
    "DuelApprox",
    "MoraleFight",
    "Race",
    "group_morale",
    "morale_trigger",
    "p_morale",
    "solitary_morale",
]


def __dir__() -> list[str]:
    return sorted(__all__)
