"""What the procedures in code ask a ruleset for: ids, kinds and ranges, and what each is for.

Data, read by :mod:`combatkit.rules.check` when a ruleset is loaded and held against the code by
``tests/rules/test_needs.py``: nothing is read that does not stand here, and nothing stands here
that is not read.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Whole(NamedTuple):
    """A whole number in a range."""

    low: int
    high: int


class Exact(NamedTuple):
    """A whole number or a fraction in a range."""

    low: int | Fraction
    high: int


class Listed(NamedTuple):
    """A list of ``least`` to ``most`` whole numbers, each above the one before where it rises."""

    low: int
    high: int
    least: int
    most: int
    rises: bool = False


PENALTY, BONUS, FEET, DC = Whole(-50, 0), Whole(0, 50), Whole(0, 10_000), Whole(-100, 200)
LENGTH = Whole(1, 10_000)  # feet by which something is divided

# what for -> id -> kind and range
NUMBERS: dict[str, dict[str, Whole | Exact | Listed]] = {
    "attack rolls": {
        "attack.masterwork": BONUS,
        "attack.weak_pull": PENALTY,
        "attack.natural_secondary": PENALTY,
        "attack.multiattack": PENALTY,
        "range.penalty": PENALTY,
        "range.thrown_increments": Whole(1, 100),
        "range.projectile_increments": Whole(1, 100),
        "combat_expertise.most": Whole(0, 60),
        "aid_another.dc": DC,
        "critical.maximum_damage_from": Whole(2, 20),
        "attack.other_kind": PENALTY,
        "armor.masterwork": BONUS,
        "far_shot.projectile": Exact(1, 10),
        "far_shot.thrown": Exact(1, 10),
        "manyshot.base_attack": Listed(-5, 60, 3, 3, rises=True),
        "manyshot.penalty": Listed(-50, 0, 3, 3),
        "manyshot.range": FEET,
    },
    "full attacks": {
        "attack.iterative_thresholds": Listed(-5, 60, 0, 20, rises=True),
        "attack.iterative_step": PENALTY,
    },
    "damage": {
        "damage.minimum": Whole(0, 100),
        "damage.off_hand_strength": Exact(0, 10),
        "damage.two_handed_strength": Exact(0, 10),
        "power_attack.one_handed": Whole(0, 10),
        "power_attack.two_handed": Whole(0, 10),
        "sneak_attack.range": FEET,
        "sneak_attack.levels_per_die": Whole(1, 100),
    },
    "kinds of damage": {
        "vulnerability.factor": Exact(1, 100),
        "damage.epic": Whole(0, 100),
        "rend.hits": Whole(1, 20),
    },
    "mirror images": {"images.armor_class": Whole(-100, 200)},
    "a coup de grace": {
        "coup_de_grace.base_dc": DC,
        "coup_de_grace.adjacent": FEET,
        "coup_de_grace.total_concealment": Whole(0, 100),
        "coup_de_grace.hidden_rounds": Whole(1, 10),
    },
    "shots into a melee": {
        "melee_shot.clear_feet": FEET,
        "stray.total": Whole(-100, 100),
        "stray.clear_feet": FEET,
    },
    "massive damage": {"massive_damage.least": Whole(1, 10_000), "massive_damage.dc": DC},
    "recovery": {
        "recovery.each_hour": Exact(0, 100),
        "recovery.each_day": Exact(0, 100),
        "recovery.loss": Whole(0, 100),
    },
    "maneuvers": {
        "maneuver.size": BONUS,
        "maneuver.stability": BONUS,
        "maneuver.feat": BONUS,
        "maneuver.two_handed": BONUS,
        "maneuver.light": PENALTY,
        "disarm.not_melee": PENALTY,
        "bull_rush.feet": LENGTH,
        "bull_rush.points": LENGTH,
        "feint.nonhumanoid": PENALTY,
        "feint.animal": PENALTY,
        "sunder.hardness": BONUS,
        "sunder.hit_points": BONUS,
        "sunder.adamantine": Whole(0, 1000),
    },
    "exertion": {"exertion.loss": Whole(0, 100)},
    "turns": {
        "round.seconds": Whole(1, 3600),
        "opportunity.per_round": Whole(0, 100),
        "opportunity.combat_reflexes": Whole(0, 10),
        "concentration.damage": DC,
        "initiative.phase_base": DC,
        "check.passive": DC,
    },
    "movement": {
        "step.feet": FEET,
        "step.speed_above": FEET,
        "movement.difficult_cost": Whole(1, 100),
        "movement.hampered_diagonal": Exact(1, 10),
        "movement.obstacle": Whole(0, 100),
        "movement.through_sizes": Whole(0, 9),
        "climb.accelerated": PENALTY,
        "ride.fast_mount": DC,
        "run.check_dc": DC,
        "run.check_step": Whole(1, 100),
    },
    "the grid": {"grid.square": LENGTH, "cover.low_obstacle": FEET},
    "hiding": {
        "cover.improved_hide": BONUS,
        "concealment.dense_hide": BONUS,
        "invisible.hide_moving": BONUS,
        "invisible.hide_still": BONUS,
        "torch.radius": FEET,
        "torch.radius_low_light": FEET,
    },
    "tumbling": {
        "tumble.past": DC,
        "tumble.through": DC,
        "tumble.further": BONUS,
        "tumble.speed": Exact(0, 1),
    },
    "chases": {
        "chase.speed_step": LENGTH,
        "chase.per_step": BONUS,
        "chase.per_increment": PENALTY,
        "chase.rest_minutes": Whole(0, 10_000),
    },
    "engagements": {
        "engagement.reach": FEET,
        "engagement.reach_weapon": FEET,
        "engagement.space": LENGTH,
    },
    "morale checks": {"morale.dc": DC, "morale.share": Exact(0, 1)},
}

# what for -> id -> the options known
SWITCHES: dict[str, dict[str, tuple[str, ...]]] = {
    "attack rolls": {
        "attack_natural_1": ("misses", "total_decides"),
        "attack_natural_20": ("hits", "total_decides"),
        "attack_tie": ("hits", "misses"),
        "critical": ("confirm", "maximum_damage", "none"),
        "confirmation_natural_1": ("misses", "total_decides"),
        "confirmation_natural_20": ("hits", "total_decides"),
        "natural_20_confirms": ("rolls", "automatic"),
        "natural_20_threatens": ("threatens", "only_if_total_hits"),
        "threat_must_hit": ("must_hit", "always_hits"),
        "miss_chance": ("largest", "each"),
        "concealment": ("miss_chance", "armor_class", "both"),
        "size_in_attack": ("yes", "no"),
        "light_weapon_ability": ("strength", "better"),
        "stunned_touch": ("formula", "text"),
        "option_feats": ("open", "needed"),
    },
    "damage": {
        "critical_damage": ("roll_each", "roll_once"),
        "extra_dice": ("not_multiplied", "multiplied"),
        "minimum_damage": ("total", "each_roll"),
        "rounding": ("down", "up"),
        "light_punch": ("full", "half"),
    },
    "mirror images": {
        "image_armor_class": ("own", "target"),
        "image_miss_chance": ("real", "images"),
    },
    "shots into a melee": {
        "shot_into_melee": ("penalty", "stray"),
        "soft_cover_into_melee": ("both", "one"),
        "stray_again": ("no", "yes"),
    },
    "saving throws": {
        "save_natural_1": ("fails", "total_decides"),
        "save_natural_20": ("succeeds", "total_decides"),
        "half_damage": ("down", "up"),
    },
    "massive damage": {"massive_damage": ("none", "save_or_die")},
    "maneuvers": {
        "opposed_check_tie": ("higher_bonus", "roll_again", "attacker_wins", "defender_wins"),
    },
    "the dying": {
        "self_aid": ("success_sticks", "literal"),
        "healing_stabilizes": ("yes", "no"),
        "strenuous_save": ("no_roll", "twenty_stabilizes"),
    },
    "turns": {
        "surprise_turn": ("general", "procedures", "section", "whole"),
        "surprise_acts": ("aware", "planned"),
        "unlisted_provokes": ("unknown", "as_srd", "no"),
        "unarmed_provokes": ("target", "everyone"),
        "step_into_square": ("provokes", "never"),
        "fighting_defensively_lasts": ("next_turn", "end_of_round"),
        "dodge_lasts": ("opposing", "literal"),
        "initiative": ("each_rolls", "phases"),
        "initiative_dc": ("modifier", "score"),
        "initiative_tie": ("higher_bonus", "random"),
        "opposed_tie": ("higher_bonus", "seeker_wins", "seeker_loses"),
        "before_first_turn": ("off_guard", "ready"),
    },
    "the grid": {
        "diagonals": ("alternating", "single"),
        "reach_diagonal": ("within", "as_distance"),
        "line_touching": ("interior", "closed"),
        "reach_past_creatures": ("cover", "none"),
    },
    "percent cover on a map": {"cover_table": ("flat", "percent")},
    "chases": {"chase_tie": ("higher_bonus", "caught", "escapes")},
    "morale checks": {"fallen_leader": ("adds_nothing", "still_counts")},
}

# what for -> ids
TERMS: dict[str, tuple[str, ...]] = {
    "attack rolls": (
        "attack.base_attack",
        "attack.ability",
        "attack.size",
        "attack.range",
        "attack.enhancement",
        "attack.order",
        "attack.two_weapon",
        "attack.natural_secondary",
        "attack.armor_penalty",
        "attack.weak_pull",
        "attack.other_kind",
        "attack.power_attack",
        "attack.combat_expertise",
        "attack.manyshot",
        "attack.finesse_shield",
        "attack.shield_arm",
        "attack.one_hand",
        "attack.printed",
    ),
    "armor class": (
        "armor_class.base",
        "armor_class.armor",
        "armor_class.armor_enhancement",
        "armor_class.shield",
        "armor_class.shield_enhancement",
        "armor_class.natural_armor",
        "armor_class.natural_armor_enhancement",
        "armor_class.dexterity",
        "armor_class.dodge",
        "armor_class.deflection",
        "armor_class.size",
        "armor_class.expertise",
        "armor_class.printed",
    ),
    "damage": ("damage.strength", "damage.enhancement", "damage.power_attack", "damage.printed"),
    "health": ("health.staggered", "health.unconscious"),
    "maneuvers": (
        "maneuver.strength",
        "maneuver.dexterity",
        "maneuver.base_attack",
        "maneuver.size",
        "maneuver.stability",
        "maneuver.feat",
        "maneuver.weapon",
        "maneuver.grip",
        "maneuver.held",
        "maneuver.skill",
        "maneuver.strange",
    ),
    "initiative": ("initiative.dexterity",),
    "saving throws": ("save.total",),
}

# groups that rules may be without as a whole
OPTIONAL = frozenset(
    {"chases", "engagements", "morale checks", "percent cover on a map", "tumbling"}
)
# bonus types that procedures give out by name
BONUS_TYPES = ("untyped", "base", "cover", "size", "circumstance")
# what rows of a modifier table, and bonuses, can change
TABLE_TARGETS = ("attack", "armor_class", "damage", "confirmation")
FEAT_TARGETS = (*TABLE_TARGETS, "initiative")
