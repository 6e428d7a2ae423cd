"""Somebody standing on a map: the space taken, the weapon in hand, and what it threatens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from combatkit.combat.attacks.attack import choose_weapon
from combatkit.combat.board.map import Map, Placed
from combatkit.combat.board.size import size_of
from combatkit.combat.turns.opportunity import is_armed
from combatkit.grid import (
    Border,
    Diagonals,
    Reach,
    Space,
    distance,
    line_of_effect,
    threatened_squares,
)
from combatkit.grid.squares import Square, Thing, Things
from combatkit.grid.threat import reaches
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.equipment import Size

ORDINARY = Weapon(label="Melee weapon")


@dataclass(frozen=True, eq=False)
class Stand:
    """A creature of a map with everything the ruleset says about it filled in.

    Attributes
    ----------
    who : Combatant or None
    weapon : Weapon
        In hand.
    """

    rules: Ruleset
    placed: Placed
    who: Combatant | None
    weapon: Weapon

    @cached_property
    def space(self) -> Space:
        """Squares it takes."""
        return Space(*self.placed.at, size_of(self.rules, self.size).squares)

    @property
    def size(self) -> Size:
        """Size category: the map's, the combatant's, or medium."""
        return self.placed.size or (self.who.size if self.who else "medium")

    @cached_property
    def fighter(self) -> Combatant:
        """The combatant as it stands here, with the size and reach that the map gives it."""
        who = self.who or Combatant()
        here = {"size": self.size, "reach": self.natural_reach, "name": self.placed.id}
        return who.model_copy(update=here)

    def moved(self, to: Square) -> Stand:
        """Return the same creature on another square."""
        placed = self.placed.model_copy(update={"at": to})
        return Stand(self.rules, placed, self.who, self.weapon)

    @cached_property
    def natural_reach(self) -> int:
        """Natural reach in feet."""
        if self.placed.reach is not None:
            return self.placed.reach
        if self.who and not self.placed.build and self.placed.size in (None, self.who.size):
            return self.who.reach
        size = size_of(self.rules, self.size)
        return size.reach_long if self.placed.build == "long" else size.reach_tall

    @cached_property
    def reach(self) -> Reach:
        """Distances at which it can strike in melee with the weapon in hand, in squares."""
        square, weapon = self.rules.number("grid.square"), self.weapon
        natural = self.natural_reach // square
        reach = (
            Reach.weapon(natural, weapon.reach_adjacent) if weapon.reach else Reach.natural(natural)
        )
        return reach._replace(upto=weapon.reach_feet // square) if weapon.reach_feet else reach

    @cached_property
    def measure(self) -> Diagonals:
        """How its reach in melee is counted."""
        return measure(self.rules, melee=True)

    @cached_property
    def why_threatens_nothing(self) -> str:
        """Why it threatens no square at all; empty where it may."""
        if not self.placed.armed:
            return "is not armed"
        if not self.natural_reach:
            return "has a reach of 0"
        armed = is_armed(self.rules, self.who or Combatant(), self.weapon)
        return "" if armed else f"holds no weapon that threatens ({self.weapon.label.lower()})"

    def is_friend(self, other: Stand) -> bool:
        """Whether the two are of the same side."""
        return bool(self.placed.side) and self.placed.side == other.placed.side

    def feet_to(self, other: Stand, melee: bool) -> int:
        """Distance in feet, as melee reach or as range counts it."""
        squares = distance(self.space, other.space, measure(self.rules, melee))
        return squares * self.rules.number("grid.square")


def stand(rules: Ruleset, map: Map, key: str, weapon: str | Weapon | None = None) -> Stand:
    """Fill in what the ruleset says about a creature of a map, with some weapon in hand.

    Raises
    ------
    CombatkitError
        For a creature that is not on the map, or a combatant or weapon that is not known.
    """
    placed = map.creature(key)
    who = placed.combatant
    who = rules.combatant(who) if isinstance(who, str) else who
    meant = weapon if weapon is not None else placed.weapon
    if meant is None and who is None:
        return Stand(rules, placed, who, ORDINARY)
    return Stand(rules, placed, who, choose_weapon(rules, who or Combatant(), meant))


def measure(rules: Ruleset, melee: bool) -> Diagonals:
    """Tell how distance is counted, for melee reach or for range."""
    if rules.switch("diagonals") == "single":
        return "single"
    return "reach" if melee and rules.switch("reach_diagonal") == "within" else "alternating"


def beside(things: Iterable[Thing], one: Space, other: Space) -> Things:
    """Those things that a line from one space to another may meet or touch."""
    left, right = min(one.x, other.x), max(one.x + one.side, other.x + other.side)
    low, high = min(one.y, other.y), max(one.y + one.side, other.y + other.side)

    def meets(thing: Thing) -> bool:
        x, y = thing.one if isinstance(thing, Border) else thing
        return left - 2 <= x <= right + 1 and low - 2 <= y <= high + 1

    return frozenset(filter(meets, things))


def near(things: Iterable[Thing], one: Space, other: Space) -> Things:
    """Those of them that may be in the way: never the squares of the two themselves."""
    return beside(things, one, other) - {*one.squares, *other.squares}


def threatens(map: Map, one: Stand, other: Stand) -> bool:
    """Whether one could strike at the other in melee just now, walls considered.

    Source: Simplified 3.5, Threatened squares.
    """
    return threatens_space(map, one, other.space)


def threatens_space(map: Map, one: Stand, space: Space) -> bool:
    """Whether one could strike at somebody in a space in melee just now, walls considered."""
    if one.why_threatens_nothing:
        return False
    there = reaches(one.space, space, one.reach, one.measure)
    return there and line_of_effect(one.space, space, near(map.walls, one.space, space))


def threatened_on(
    rules: Ruleset, map: Map, key: str, weapon: str | Weapon | None = None
) -> frozenset[Square]:
    """Squares that a creature of a map threatens, without those behind walls.

    Source: Simplified 3.5, Threatened squares; Big and little creatures in combat.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> here = Map(creatures=[{"id": "Ann", "at": [0, 0]}], walls=[[1, 0]])
    >>> len(threatened_on(rules, here, "Ann")), len(threatened_on(rules, here, "Ann", "longspear"))
    (7, 16)
    """
    who = stand(rules, map, key, weapon)
    if who.why_threatens_nothing:
        return frozenset()
    around = threatened_squares(who.space, who.reach, measure(rules, melee=True))
    walls = frozenset(map.walls)
    return frozenset(
        square
        for square in around - walls
        if line_of_effect(who.space, Space(*square), near(walls, who.space, Space(*square)))
    )
