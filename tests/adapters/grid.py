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


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (occupancy, threatened_count, cover_free_corners, flanks, flanking_pairs)
}
