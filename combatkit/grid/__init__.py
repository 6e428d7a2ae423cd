"""The battle grid: squares, distance, reach, lines, flanking. Knows no game; exact integers."""

from combatkit.grid.cover import Ground, View, blow, corner_views, free_corners, inside, shot
from combatkit.grid.flanking import flanking_squares, flanks
from combatkit.grid.lines import Touching, crosses, line_of_effect, unbroken
from combatkit.grid.squares import (
    Border,
    Corner,
    Diagonals,
    Space,
    Square,
    Thing,
    Things,
    distance,
    distance_to,
    gaps,
    per_square,
    squares_across,
)
from combatkit.grid.threat import Reach, reaches, threatened_squares

__all__ = [
    "Border",
    "Corner",
    "Diagonals",
    "Ground",
    "Reach",
    "Space",
    "Square",
    "Thing",
    "Things",
    "Touching",
    "View",
    "blow",
    "corner_views",
    "crosses",
    "distance",
    "distance_to",
    "flanking_squares",
    "flanks",
    "free_corners",
    "gaps",
    "inside",
    "line_of_effect",
    "per_square",
    "reaches",
    "shot",
    "squares_across",
    "threatened_squares",
    "unbroken",
]
