"""Combat: one file per chapter of the rules, pure functions over frozen models."""

from combatkit.combat.actions import (
    Action,
    Verdict,
    all_actions,
    find_action,
    standard_action_table,
)
from combatkit.combat.armor import armor_class
from combatkit.combat.attack import Strike, attack
from combatkit.combat.chase import (
    LongChase,
    Runner,
    hiding,
    long_chase,
    short_chase,
    speed_modifier,
)
from combatkit.combat.coup_de_grace import CoupDeGrace, coup_de_grace, sneak_attack_dice
from combatkit.combat.duel import Duel, duel
from combatkit.combat.duel_approx import DuelApprox
from combatkit.combat.dying import DyingOdds, dying, first_aid_dc
from combatkit.combat.engagement import Fighter, Melee, abreast, movement_left, moves_past, reach_of
from combatkit.combat.harm import combined_multiplier
from combatkit.combat.healing import (
    HitPoints,
    after_exertion,
    gain_temporary,
    heal,
    p_death_resumed,
    take_damage,
    temporary_loss,
)
from combatkit.combat.initiative import (
    Initiative,
    initiative_bonus,
    initiative_order,
    phase_initiative,
    phase_initiative_dc,
)
from combatkit.combat.kill_time import KillTime, kill_time
from combatkit.combat.map import Map, Placed
from combatkit.combat.missile import MeleeShot, shoot_into_melee
from combatkit.combat.morale import (
    MoraleFight,
    group_morale,
    morale_trigger,
    p_morale,
    solitary_morale,
)
from combatkit.combat.movement import (
    action_for_a_square,
    dashing_attacks,
    move_distance,
    p_climb,
    p_fast_mount,
    run_rounds,
    speed_of,
    terrain_distance,
)
from combatkit.combat.opportunity import (
    Provocation,
    approach_provokes,
    attacks_of_opportunity,
    is_armed,
    opportunity_limit,
    provokes,
)
from combatkit.combat.opposed import Check, Selection
from combatkit.combat.options import (
    Trade,
    aided_hit_chance,
    best_combat_expertise,
    best_power_attack,
    p_aid_another,
)
from combatkit.combat.plan import Plan
from combatkit.combat.position import Position, position_on, situation_on
from combatkit.combat.product_sweep import SweepResult, SweepStopped, sweep_over
from combatkit.combat.provoking import Price, Threat, may_strike, price_of_provoking
from combatkit.combat.race import Race, race
from combatkit.combat.rounds import (
    dodge_lasts_in,
    seconds,
    turns_in_order,
    turns_in_phases,
    who_faces,
)
from combatkit.combat.saves import base_save, evasion_of, p_check, p_save, save_bonus, save_damage
from combatkit.combat.scene import Finding, percent_band
from combatkit.combat.situation import Situation
from combatkit.combat.size import Punch, SizeOf, punch, size_of
from combatkit.combat.stand import threatened_on
from combatkit.combat.strikes import FullAttack, attacks_per_round, full_attack
from combatkit.combat.surprise import SurpriseRound, awareness, surprise_round
from combatkit.combat.survival import Ally, Survival, survival
from combatkit.combat.sweep import Sweep, SweepRow, sweep
from combatkit.combat.turns import Turn, five_foot_step, surprise_turn, turn

__all__ = [
    "Action",
    "Ally",
    "Check",
    "CoupDeGrace",
    "Duel",
    "DuelApprox",
    "DyingOdds",
    "Fighter",
    "Finding",
    "FullAttack",
    "HitPoints",
    "Initiative",
    "KillTime",
    "LongChase",
    "Map",
    "Melee",
    "MeleeShot",
    "MoraleFight",
    "Placed",
    "Plan",
    "Position",
    "Price",
    "Provocation",
    "Punch",
    "Race",
    "Runner",
    "Selection",
    "Situation",
    "SizeOf",
    "Strike",
    "SurpriseRound",
    "Survival",
    "Sweep",
    "SweepResult",
    "SweepRow",
    "SweepStopped",
    "Threat",
    "Trade",
    "Turn",
    "Verdict",
    "abreast",
    "action_for_a_square",
    "after_exertion",
    "aided_hit_chance",
    "all_actions",
    "approach_provokes",
    "armor_class",
    "attack",
    "attacks_of_opportunity",
    "attacks_per_round",
    "awareness",
    "base_save",
    "best_combat_expertise",
    "best_power_attack",
    "combined_multiplier",
    "coup_de_grace",
    "dashing_attacks",
    "dodge_lasts_in",
    "duel",
    "dying",
    "evasion_of",
    "find_action",
    "first_aid_dc",
    "five_foot_step",
    "full_attack",
    "gain_temporary",
    "group_morale",
    "heal",
    "hiding",
    "initiative_bonus",
    "initiative_order",
    "is_armed",
    "kill_time",
    "long_chase",
    "may_strike",
    "morale_trigger",
    "move_distance",
    "movement_left",
    "moves_past",
    "opportunity_limit",
    "p_aid_another",
    "p_check",
    "p_climb",
    "p_death_resumed",
    "p_fast_mount",
    "p_morale",
    "p_save",
    "percent_band",
    "phase_initiative",
    "phase_initiative_dc",
    "position_on",
    "price_of_provoking",
    "provokes",
    "punch",
    "race",
    "reach_of",
    "run_rounds",
    "save_bonus",
    "save_damage",
    "seconds",
    "shoot_into_melee",
    "short_chase",
    "situation_on",
    "size_of",
    "sneak_attack_dice",
    "solitary_morale",
    "speed_modifier",
    "speed_of",
    "standard_action_table",
    "surprise_round",
    "surprise_turn",
    "survival",
    "sweep",
    "sweep_over",
    "take_damage",
    "temporary_loss",
    "terrain_distance",
    "threatened_on",
    "turn",
    "turns_in_order",
    "turns_in_phases",
    "who_faces",
]
