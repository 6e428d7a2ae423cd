"""Turns: who acts when, what fits into a turn, and who may strike whom meanwhile."""

from combatkit.combat.turns.acting_order import Initiative
from combatkit.combat.turns.actions import (
    Action,
    Verdict,
    all_actions,
    find_action,
    standard_action_table,
)
from combatkit.combat.turns.engagement import (
    Fighter,
    Melee,
    abreast,
    movement_left,
    moves_past,
    reach_of,
)
from combatkit.combat.turns.gear import check_penalty, gear_weight, spell_failure
from combatkit.combat.turns.initiative import (
    InitiativeRoll,
    initiative_bonus,
    initiative_order,
    phase_initiative,
    phase_initiative_dc,
)
from combatkit.combat.turns.movement import (
    action_for_a_square,
    dashing_attacks,
    move_distance,
    p_climb,
    p_fast_mount,
    run_rounds,
    speed_of,
    terrain_distance,
)
from combatkit.combat.turns.opportunity import (
    Provocation,
    approach_provokes,
    attacks_of_opportunity,
    is_armed,
    opportunity_limit,
    provokes,
)
from combatkit.combat.turns.order import (
    dodge_lasts_in,
    seconds,
    turns_in_order,
    turns_in_phases,
    who_faces,
)
from combatkit.combat.turns.price import Price, Threat, may_strike, price_of_provoking
from combatkit.combat.turns.surprise import SurpriseRound, awareness, surprise_round
from combatkit.combat.turns.turn import Turn, five_foot_step, surprise_turn, turn

__all__ = [
    "Action",
    "Fighter",
    "Initiative",
    "InitiativeRoll",
    "Melee",
    "Price",
    "Provocation",
    "SurpriseRound",
    "Threat",
    "Turn",
    "Verdict",
    "abreast",
    "action_for_a_square",
    "all_actions",
    "approach_provokes",
    "attacks_of_opportunity",
    "awareness",
    "check_penalty",
    "dashing_attacks",
    "dodge_lasts_in",
    "find_action",
    "five_foot_step",
    "gear_weight",
    "initiative_bonus",
    "initiative_order",
    "is_armed",
    "may_strike",
    "move_distance",
    "movement_left",
    "moves_past",
    "opportunity_limit",
    "p_climb",
    "p_fast_mount",
    "phase_initiative",
    "phase_initiative_dc",
    "price_of_provoking",
    "provokes",
    "reach_of",
    "run_rounds",
    "seconds",
    "speed_of",
    "spell_failure",
    "standard_action_table",
    "surprise_round",
    "surprise_turn",
    "terrain_distance",
    "turn",
    "turns_in_order",
    "turns_in_phases",
    "who_faces",
]


def __dir__() -> list[str]:
    return sorted(__all__)
