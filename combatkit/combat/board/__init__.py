"""The board: who stands where on a map, and what that means for an attack."""

from combatkit.combat.board.dangers import Going
from combatkit.combat.board.map import Placed
from combatkit.combat.board.path import cheapest_path, safest_path
from combatkit.combat.board.position import Position, position_on
from combatkit.combat.board.sight import Finding, percent_band
from combatkit.combat.board.size import Punch, SizeOf, punch, size_of
from combatkit.combat.board.standing import threatened_on
from combatkit.combat.board.walk import Opportunity, Walk
from combatkit.combat.board.walking import walk_on

__all__ = [
    "Finding",
    "Going",
    "Opportunity",
    "Placed",
    "Position",
    "Punch",
    "SizeOf",
    "Walk",
    "cheapest_path",
    "percent_band",
    "position_on",
    "punch",
    "safest_path",
    "size_of",
    "threatened_on",
    "walk_on",
]


def __dir__() -> list[str]:
    return sorted(__all__)
