"""Sweeps: what each row of a table, and any product of values, is worth."""

from combatkit.combat.sweeps.sweep import Sweep, SweepRow
from combatkit.combat.sweeps.sweep_over import SweepResult, SweepStopped

__all__ = [
    "Sweep",
    "SweepResult",
    "SweepRow",
    "SweepStopped",
]


def __dir__() -> list[str]:
    return sorted(__all__)
