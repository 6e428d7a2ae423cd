"""Adapters: opposed checks, maneuvers, initiative with other dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import Rules, Value


def opposed_check(
    rules: Rules, bonuses: list[int], rolls: Any = ("normal", "normal"), tie: Any = None
) -> Value:
    mine, other = (ck.checks.Check(*one) for one in zip(bonuses, rolls, strict=True))
    return ck.checks.opposed_check(rules, mine, other, tie).p_success


def maneuver(
    rules: Rules,
    name: str,
    attacker: dict[str, Any],
    defender: dict[str, Any],
    quantity: str = "success",
    **options: Any,
) -> Value:
    work = getattr(ck.maneuvers, name)
    situation = ck.Situation(**options.pop("situation", {}))
    made = work(
        rules, ck.Combatant(**attacker), ck.Combatant(**defender), situation=situation, **options
    )
    if quantity in made.outcomes:
        return made.outcomes[quantity]
    if quantity == "expected_feet":
        return made.feet.mean
    return {"expected_damage": made.damage.mean, "p_breaks": getattr(made, "p_breaks", 0)}[quantity]


def initiative_rolls(rules: Rules, rolls: list[list[Any]], who: int, tie: str) -> Value:
    chosen = rules.with_switches(initiative_tie=tie)
    entrants = [ck.turns.InitiativeRoll(*roll) for roll in rolls]
    return ck.turns.initiative_order(chosen, entrants).p_first(who)


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter for adapter in (opposed_check, maneuver, initiative_rolls)
}
