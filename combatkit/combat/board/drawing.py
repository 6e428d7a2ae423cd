"""What a picture of a map shows: the lines an attack is judged by, and how far the map goes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from combatkit.combat.board.flanking import why_no_flank
from combatkit.combat.board.map import Map
from combatkit.combat.board.sight import Scene, scene_on
from combatkit.combat.board.standing import stand
from combatkit.grid import Border
from combatkit.grid.flanking import flanking_squares
from combatkit.grid.squares import Corner, Square
from combatkit.rules import Ruleset, Weapon


class SightLine(NamedTuple):
    """A line from corner to corner, and whether something is in its way.

    Attributes
    ----------
    start, end : (int, int)
    blocked : bool
    """

    start: Corner
    end: Corner
    blocked: bool


@dataclass(frozen=True)
class Lines:
    """The lines that one attack is judged by.

    Attributes
    ----------
    corner : (int, int) or None
        The corner that the attacker chose; None where every line counts.
    cover : tuple of SightLine
    flanking : tuple of ((int, int), (int, int))
        Pairs of squares from center to center of which a line passes opposite borders of the
        defender: the attacker's and that of a friend who threatens it.
    """

    corner: Corner | None
    cover: tuple[SightLine, ...]
    flanking: tuple[tuple[Square, Square], ...]


def lines_on(
    rules: Ruleset,
    map: Map,
    attacker: str,
    defender: str,
    weapon: str | Weapon | None = None,
    thrown: bool = False,
) -> Lines:
    """Return the lines that :func:`position_on` judges cover and flanking by.

    Parameters
    ----------
    rules, map, attacker, defender, weapon, thrown
        As for :func:`position_on`, whose errors it raises.

    Returns
    -------
    Lines
        Source: SRD combat modifiers, Cover; Flanking.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> here = Map(
    ...     creatures=[{"id": "Ann", "at": [0, 0]}, {"id": "orc", "at": [6, 0]}],
    ...     low_walls=[[5, 0]],
    ... )
    >>> seen = lines_on(load_ruleset("srd35"), here, "Ann", "orc", weapon="longbow")
    >>> seen.corner, [line.end for line in seen.cover if line.blocked]
    ((0, 0), [(6, 1), (7, 1)])
    """
    scene = scene_on(rules, map, attacker, defender, weapon, thrown)
    view = scene.cover_view()
    blocked = {(line.start, line.end) for line in view.blocked}
    starts = view.start.corners if view.corner is None else (view.corner,)
    pairs = product(starts, view.end.corners) if view.lines else ()
    cover = tuple(SightLine(start, end, (start, end) in blocked) for start, end in pairs)
    return Lines(view.corner, cover, _flanking(scene))


def _flanking(scene: Scene) -> tuple[tuple[Square, Square], ...]:
    if scene.mode != "melee" or "flanking" not in scene.rules.conditions["attacker"]:
        return ()
    found = []
    for friend in filter(scene.attacker.is_friend, scene.others):
        pair = flanking_squares(scene.attacker.space, friend.space, scene.defender.space)
        if pair and not why_no_flank(scene, friend):
            here, there = pair
            found.append(((here.x, here.y), (there.x, there.y)))
    return tuple(found)


def extent_on(rules: Ruleset, map: Map, room: int = 2) -> tuple[Square, Square]:
    """Return the lowest and the highest square of all that is on a map, with room around it.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> here = Map(creatures=[{"id": "ogre", "at": [1, 1], "size": "large"}], fog=[[5, 0]])
    >>> extent_on(load_ruleset("srd35"), here, room=1)
    ((0, -1), (6, 3))
    """
    held = [square for key in map.creatures for square in stand(rules, map, key.id).space.squares]
    for kind in type(map).model_fields.keys() - {"creatures"}:
        for thing in getattr(map, kind):
            held.extend((thing.one, thing.other) if isinstance(thing, Border) else [thing])
    xs, ys = zip(*(held or [(0, 0)]), strict=True)
    return (min(xs) - room, min(ys) - room), (max(xs) + room, max(ys) + room)
