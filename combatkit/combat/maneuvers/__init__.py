"""Maneuvers: grapple, trip, disarm, bull rush, overrun, sunder and feint, and what follows them."""

from combatkit.combat.maneuvers.bull_rush import BullRush, bull_rush
from combatkit.combat.maneuvers.disarm import disarm
from combatkit.combat.maneuvers.feint import feint
from combatkit.combat.maneuvers.grapple import escape_grapple, grapple, pin
from combatkit.combat.maneuvers.overrun import overrun
from combatkit.combat.maneuvers.result import Contest, Maneuver
from combatkit.combat.maneuvers.sunder import Item, Sunder, sunder
from combatkit.combat.maneuvers.trip import trip

__all__ = [
    "BullRush",
    "Contest",
    "Item",
    "Maneuver",
    "Sunder",
    "bull_rush",
    "disarm",
    "escape_grapple",
    "feint",
    "grapple",
    "overrun",
    "pin",
    "sunder",
    "trip",
]


def __dir__() -> list[str]:
    return sorted(__all__)
