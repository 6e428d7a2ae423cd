"""Thin adapters from the kinds of worked values to the public API, one module an area.

An adapter only builds combatants and a situation and reads a result; the rules stay in combatkit.
"""

from adapters import actions, armor, attack, checks, damage, dying, fights, grid, maneuvers

ADAPTERS = (
    actions.ADAPTERS
    | checks.ADAPTERS
    | attack.ADAPTERS
    | armor.ADAPTERS
    | damage.ADAPTERS
    | dying.ADAPTERS
    | fights.ADAPTERS
    | grid.ADAPTERS
    | maneuvers.ADAPTERS
)
