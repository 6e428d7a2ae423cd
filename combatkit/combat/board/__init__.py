"""The board: who stands where on a map, and what that means for an attack."""

from combatkit.combat.board.drawing import Line, Lines, extent_on, lines_on
from combatkit.combat.board.map import Placed
from combatkit.combat.board.position import Position, position_on
from combatkit.combat.board.sight import Finding, percent_band
from combatkit.combat.board.size import Punch, SizeOf, punch, size_of
from combatkit.combat.board.standing import threatened_on

__all__ = [
    "Finding",
    "Line",
    "Lines",
    "Placed",
    "Position",
    "Punch",
    "SizeOf",
    "extent_on",
    "lines_on",
    "percent_band",
    "position_on",
    "punch",
    "size_of",
    "threatened_on",
]


def __dir__() -> list[str]:
    return sorted(__all__)
