"""The battle grid: squares, distance, reach, lines, flanking. Knows no game; exact integers."""

from combatkit.grid.cover import Ground, View, free_corners
from combatkit.grid.flanking import flanks
from combatkit.grid.lines import crosses, line_of_effect
from combatkit.grid.squares import Border, Diagonals, Space, distance, per_square, squares_across
from combatkit.grid.threat import Reach, threatened_squares
from combatkit.grid.ways import crossed, fits, may_step

__all__ = [
    "Border",
    "Diagonals",
    "Ground",
    "Reach",
    "Space",
    "View",
    "crossed",
    "crosses",
    "distance",
    "fits",
    "flanks",
    "free_corners",
    "line_of_effect",
    "may_step",
    "per_square",
    "squares_across",
    "threatened_squares",
]


def __dir__() -> list[str]:
    return sorted(__all__)
