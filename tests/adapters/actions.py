"""Adapters: actions, attacks of opportunity, movement."""

from __future__ import annotations

from collections.abc import Callable

import combatkit as ck
from adapters.common import Rules, Value

AIDED = {None: None, True: "cast_spell", False: "feint"}  # acts that provoke and do not
TYPES = {"full": "full_round"}
READINGS = {"proc": "procedures", "surprise": "section", "general": "general"}
MODES = {
    "double": "double_move",
    "accelerated_climb": "climb_fast",
    "climb_accelerated": "climb_fast",
    "fast_climb": "climb_fast",
}


def aoo_standard(
    rules: Rules,
    action: str,
    aided_action_provokes: bool | None = None,
    object_attended: bool | None = None,
    opponent_armed: bool | None = None,
) -> Value:
    table = ck.turns.standard_action_table(rules)
    act = next(one for one in table if one.label.lower().startswith(action.lower()))
    aided = AIDED[aided_action_provokes]
    found = ck.turns.provokes(
        rules, act, aided=aided, attended=object_attended, target_armed=opponent_armed
    )
    assert found.likely is not None, found
    return found.likely


def aoo_table_count(rules: Rules, answer: str) -> Value:
    return sum(act.provokes == answer.lower() for act in ck.turns.standard_action_table(rules))


def aoo_allowed(
    rules: Rules,
    armed: bool,
    provocations: int,
    cover: bool,
    total_concealment: bool,
    total_defense: bool,
) -> Value:
    return ck.turns.attacks_of_opportunity(
        rules, provocations, armed, cover, total_concealment, total_defense
    )


def five_foot_step(
    rules: Rules,
    moved_distance: int,
    steps_taken: int,
    speed: int,
    hampered: bool,
    ran: bool,
    listed_speed: bool = True,
) -> Value:
    moved = moved_distance + speed * ran
    return bool(ck.turns.five_foot_step(rules, speed, moved, steps_taken, hampered, listed_speed))


def turn_legal(rules: Rules, actions: list[str]) -> Value:
    return ck.turns.turn(rules, [TYPES.get(kind, kind) for kind in actions]).legal


def surprise_turn_legal(rules: Rules, actions: list[str], rule: str) -> Value:
    rules = rules.with_switches(surprise_turn=READINGS[rule])
    return ck.turns.surprise_turn(rules, [TYPES.get(kind, kind) for kind in actions]).legal


def speed_srd(rules: Rules, race: str, armour: str) -> Value:
    return ck.turns.speed_of(rules, race.lower().replace("-", "_"), armour)


def move_distance(rules: Rules, speed: int, mode: str, heavy: bool = False) -> Value:
    return ck.turns.move_distance(rules, speed, MODES.get(mode, mode), heavy)


def terrain_distance(rules: Rules, speed: int, dash: bool, cost: int) -> Value:
    return ck.turns.terrain_distance(rules, speed, cost, dash)


def next_turn_movement(rules: Rules, speed: int, reactive: int) -> Value:
    return ck.turns.movement_left(speed, reactive)


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        aoo_standard,
        aoo_table_count,
        aoo_allowed,
        five_foot_step,
        turn_legal,
        surprise_turn_legal,
        speed_srd,
        move_distance,
        terrain_distance,
        next_turn_movement,
    )
}
