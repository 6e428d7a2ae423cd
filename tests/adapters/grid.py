"""Adapters: squares, reach, lines and flanking."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import combatkit as ck
from adapters.common import Rules, Value


def occupancy(rules: Rules, size: str) -> Value:
    return ck.board.size_of(rules, size).per_square


def threatened_count(
    rules: Rules, space_squares: int, reach_squares: int, reach_weapon: bool
) -> Value:
    reach = (
        ck.grid.Reach.weapon(reach_squares)
        if reach_weapon
        else ck.grid.Reach.natural(reach_squares)
    )
    return len(ck.grid.threatened_squares(ck.grid.Space(0, 0, space_squares), reach, "single"))


def cover_free_corners(
    rules: Rules, attacker: list[int], target: list[int], blockers: list[list[int]], touching: Any
) -> Value:
    in_the_way = frozenset((x, y) for x, y in blockers)
    ground = ck.grid.Ground((in_the_way,), touching=touching)
    return len(ck.grid.free_corners(ck.grid.Space(*attacker), ck.grid.Space(*target), ground))


def flanks(rules: Rules, a: list[int], b: list[int], target_squares: int) -> Value:
    return ck.grid.flanks(ck.grid.Space(*a), ck.grid.Space(*b), ck.grid.Space(0, 0, target_squares))


def flanking_pairs(rules: Rules, target_squares: int, quantity: str) -> Value:
    target = ck.grid.Space(0, 0, target_squares)
    around = sorted(ck.grid.threatened_squares(target, ck.grid.Reach.natural(1)))
    found = [
        ck.grid.flanks(ck.grid.Space(*one), ck.grid.Space(*other), target)
        for one, other in combinations(around, 2)
    ]
    return sum(found) if quantity == "count" else Fraction(sum(found), len(found))


def path_feet(rules: Rules, to: list[int], ground: dict[str, Any]) -> Value:
    there = ck.Map(creatures=[{"id": "mover", "at": [0, 0]}], **ground)
    return ck.board.cheapest_path(rules, there, "mover", (to[0], to[1])).feet


def path_strikes(rules: Rules, path: list[list[int]], foes: list[list[int]], act: str) -> Value:
    creatures = [{"id": f"foe {at}", "at": at} for at in foes]
    there = ck.Map(creatures=[{"id": "mover", "at": [0, 0]}, *creatures])
    squares = [(x, y) for x, y in path]
    walk = ck.board.walk_on(rules, there, "mover", squares, ck.board.Going(act=act))
    return len(walk.opportunities)


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        occupancy,
        threatened_count,
        cover_free_corners,
        flanks,
        flanking_pairs,
        path_feet,
        path_strikes,
    )
}
