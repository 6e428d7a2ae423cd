"""What the page draws of a battle map, as plain data with a sentence for every square."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from combatkit.combat.board.drawing import Lines, extent_on, lines_on
from combatkit.combat.board.map import Map, Placed
from combatkit.combat.board.path import cheapest_path, safest_path
from combatkit.combat.board.position import Position, position_on
from combatkit.combat.board.standing import stand, threatened_on
from combatkit.combat.board.walk import Walk
from combatkit.errors import CombatkitError
from combatkit.grid import Border, Space
from combatkit.grid.squares import Square, Thing
from combatkit.rules import Ruleset

LABELS = {
    "walls": "Wall",
    "low_walls": "Low wall",
    "covering": "Tree or other cover",
    "slits": "Arrow slit",
    "fog": "Fog",
    "shadow": "Shadow",
    "darkness": "Darkness",
    "difficult": "Difficult terrain",
}
KINDS = {
    kind: LABELS.get(kind, kind.replace("_", " ").capitalize())
    for kind in Map.model_fields
    if kind != "creatures"
}
TOOLS = {"move": "Move", "way": "Way there", "place": "Place a creature", **KINDS, "erase": "Erase"}
EDGES = {  # what a thing stands on: the square, or the border to a neighbor
    "square": (0, 0),
    "upper border": (0, 1),
    "lower border": (0, -1),
    "left border": (-1, 0),
    "right border": (1, 0),
}
MOST = 60  # squares shown along a side


@dataclass(frozen=True)
class Seen:
    """A map under its rules, with who attacks whom; worked out once for a picture.

    Attributes
    ----------
    attacker, defender : str
        Ids, or empty where nobody is chosen.
    held : str
        Id of the creature picked up, or empty.
    names : mapping
        What creatures are called, by id; the id itself where there is none.
    thrown : frozenset of str
        Ids of those who throw the weapon in hand.
    goal : (int, int) or None
        Square to which the way of the creature in focus is shown.
    """

    rules: Ruleset
    map: Map
    attacker: str = ""
    defender: str = ""
    held: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    thrown: frozenset[str] = frozenset()
    goal: Square | None = None

    def name(self, key: str) -> str:
        """Return what a creature is called."""
        return self.names.get(key, key)

    def space(self, one: Placed) -> Space:
        """Return the space of a creature; a square where its combatant is not known."""
        try:
            return stand(self.rules, self.map, one.id).space
        except CombatkitError:
            return Space(*one.at)

    @property
    def are_two(self) -> bool:
        """Whether attacker and defender are chosen and stand on the map."""
        here = {one.id for one in self.map.creatures}
        return {self.attacker, self.defender} <= here and self.attacker != self.defender

    def position(self) -> Position:
        """Return what the map says about the attack."""
        return position_on(self.rules, self.map, self.attacker, self.defender,
                           thrown=self.attacker in self.thrown)  # fmt: skip

    def lines(self) -> Lines:
        """Return the lines that the attack is judged by."""
        return lines_on(self.rules, self.map, self.attacker, self.defender,
                        thrown=self.attacker in self.thrown)  # fmt: skip

    def threatened(self) -> frozenset[Square]:
        """Return the squares that the creature in focus threatens."""
        return threatened_on(self.rules, self.map, self.focus) if self.focus else frozenset()

    @property
    def focus(self) -> str:
        """The creature whose threatened squares are shown: the one picked up, or the attacker."""
        here = {one.id for one in self.map.creatures}
        return next((key for key in (self.held, self.attacker) if key in here), "")

    def walks(self) -> Iterator[Walk]:
        """Yield the cheapest way to the goal, then the safest where that is another."""
        if self.goal is None or not self.focus:
            return
        cheap = cheapest_path(self.rules, self.map, self.focus, self.goal)
        yield cheap
        if cheap.opportunities:
            safe = safest_path(self.rules, self.map, self.focus, self.goal)
            if safe.squares != cheap.squares:
                yield safe

    def creatures_at(self, square: Square) -> list[str]:
        """Ids of those whose space takes a square."""
        return [one.id for one in self.map.creatures if square in self.space(one).squares]

    def things_at(self, square: Square) -> dict[str, list[Thing]]:
        """Return the things that stand on a square or on a border of it, by kind."""
        found = {
            kind: [thing for thing in getattr(self.map, kind) if touches(thing, square)]
            for kind in KINDS
        }
        return {kind: things for kind, things in found.items() if things}


def touches(thing: Thing, square: Square) -> bool:
    """Whether a thing stands on a square or on one of its borders."""
    return square in (thing.one, thing.other) if isinstance(thing, Border) else thing == square


def window(seen: Seen, area: tuple[Square, Square]) -> tuple[list[int], list[int], str]:
    """Return columns and rows shown, the highest first, and in words what is not."""
    try:
        low, high = extent_on(seen.rules, seen.map)
    except CombatkitError:
        low, high = area  # the sentence on what is wrong stands elsewhere
    spans = [_span((low[axis], high[axis]), (area[0][axis], area[1][axis])) for axis in (0, 1)]
    columns, rows = (list(span)[:MOST] for span in spans)
    whole = all(len(span) <= MOST for span in spans)
    said = "" if whole else f"Shown are {MOST} squares along a side; the map goes farther."
    return columns, rows[::-1], said


def _span(held: tuple[int, int], shown: tuple[int, int]) -> range:
    """Squares along one axis: all that is held, and what was shown before where there is room."""
    both = range(min(held[0], shown[0]), max(held[1], shown[1]) + 1)
    return both if len(both) <= MOST else range(held[0], held[1] + 1)


def picture(seen: Seen, area: tuple[Square, Square]) -> dict[str, Any]:
    """Return all that the page draws, as plain data."""
    columns, rows, left_out = window(seen, area)
    problems, said = [left_out] if left_out else [], []
    lines, threatened = Lines(None, (), ()), frozenset[Square]()
    walks: list[Walk] = []
    try:
        threatened = seen.threatened()
        if seen.are_two:
            said = [_finding(found.text) for found in seen.position().findings]
            lines = seen.lines()
        for walk in seen.walks():
            walks.append(walk)
    except CombatkitError as error:
        problems.append(str(error))
    shown = {(x, y) for x in columns for y in rows}
    return {
        "columns": columns,
        "rows": rows,
        "cells": _cells(seen, columns, rows, threatened),
        "tokens": [_token(seen, one) for one in seen.map.creatures if one.at in shown],
        "borders": [
            {"kind": kind, "one": list(thing.one), "other": list(thing.other)}
            for kind in KINDS
            for thing in getattr(seen.map, kind)
            if isinstance(thing, Border) and thing.one in shown
        ],
        "cover": [
            {"from": list(line.start), "to": list(line.end), "blocked": line.blocked}
            for line in lines.cover
        ],
        "corner": list(lines.corner) if lines.corner else None,
        "flanking": [[list(here), list(there)] for here, there in lines.flanking],
        "attacker": seen.attacker,
        "defender": seen.defender,
        "creatures": [[one.id, seen.name(one.id)] for one in seen.map.creatures],
        "ways": [[list(square) for square in walk.squares] for walk in walks],
        "findings": [*said, *_told(walks)],
        "problems": problems,
    }


def _told(walks: list[Walk]) -> list[str]:
    """Tell each way in words: what it costs, and who may strike."""
    kinds = ("Cheapest way", "Safest way") if len(walks) > 1 else ("Way",)
    return [
        f"{kind}: {line}"
        for kind, walk in zip(kinds, walks, strict=False)
        for line in walk.explain().splitlines()
    ]


def _finding(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _token(seen: Seen, one: Placed) -> dict[str, Any]:
    space = seen.space(one)
    sides = sorted({other.side for other in seen.map.creatures} - {""})
    beside = [other.id for other in seen.map.creatures if other.at == one.at]
    roles = {seen.attacker: "attacker", seen.defender: "defender"}
    return {
        "id": one.id,
        "name": seen.name(one.id),
        "at": list(one.at),
        "across": space.side,
        "side": sides.index(one.side) + 1 if one.side else 0,
        "sharing": [beside.index(one.id), len(beside)],
        "role": roles.get(one.id, ""),
        "held": one.id == seen.held,
    }


def _cells(
    seen: Seen, columns: list[int], rows: list[int], threatened: frozenset[Square]
) -> list[list[dict[str, Any]]]:
    who: dict[Square, list[str]] = {}
    for one in seen.map.creatures:
        for square in seen.space(one).squares:
            who.setdefault(square, []).append(one.id)
    things: dict[Square, list[tuple[str, Thing]]] = {}
    for kind in KINDS:
        for thing in getattr(seen.map, kind):
            for square in (thing.one, thing.other) if isinstance(thing, Border) else (thing,):
                things.setdefault(square, []).append((kind, thing))

    def cell(square: Square) -> dict[str, Any]:
        there = things.get(square, [])
        words = [*map(seen.name, who.get(square, [])), *_named(square, there)]
        if square in threatened:
            words.append(f"threatened by {seen.name(seen.focus)}")
        if seen.held in who.get(square, []):
            words.append("picked up")
        return {
            "label": f"column {square[0]}, row {square[1]}: {', '.join(words) or 'empty'}",
            "kinds": [kind for kind, thing in there if not isinstance(thing, Border)],
            "threatened": square in threatened,
        }

    return [[cell((x, y)) for x in columns] for y in rows]


def _named(square: Square, there: Iterable[tuple[str, Thing]]) -> list[str]:
    """Name what stands on a square and on its borders."""
    sides = {(square[0] + dx, square[1] + dy): edge for edge, (dx, dy) in EDGES.items()}
    return [
        f"{KINDS[kind].lower()} on the {sides[thing.other if thing.one == square else thing.one]}"
        if isinstance(thing, Border)
        else KINDS[kind].lower()
        for kind, thing in there
    ]
