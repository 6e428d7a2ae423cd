"""Every row of the chapters' tables, typed here by hand from the texts, against the rulesets.

Nothing in this file is read from the TOML files: a slip there shows up here.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from combatkit import Combatant, Situation, attack, full_attack, load_ruleset
from combatkit.combat.attacks.attack import Strike
from combatkit.rules import Ruleset

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
GRID = ("srd35", "classic")  # srd_modifiers and Simplified 3.5 print the same two tables

# srd_modifiers, table 8-5 (attacker is ...): melee, ranged; None is a dash
TABLE_8_5 = {
    "dazzled": (-1, -1),
    "entangled": (-2, -2),  # note 1: Dexterity -4
    "flanking": (2, None),
    "invisible": (2, 2),  # note 2: no Dexterity bonus to AC; not against the blinded
    "higher_ground": (1, 0),
    "prone": (-4, None),  # note 3: ranged only with crossbow or shuriken
    "shaken": (-2, -2),
    "squeezing": (-4, -4),
}

# srd_modifiers, table 8-6 (defender is ...): melee, ranged, note, miss chance
TABLE_8_6 = {
    "cover": (4, 4, "", 0),
    "blinded": (-2, -2, "no Dexterity", 0),
    "concealed": (None, None, "", 20),
    "invisible": (None, None, "", 50),
    "cowering": (-2, -2, "no Dexterity", 0),
    "entangled": (0, 0, "Dexterity -4", 0),
    "flat_footed": (0, 0, "no Dexterity", 0),
    "grappling": (0, 0, "no Dexterity", 0),
    "helpless": (-4, 0, "Dexterity 0", 0),
    "kneeling": (-2, 2, "", 0),
    "pinned": (-4, 0, "Dexterity 0", 0),
    "prone": (-4, 4, "", 0),
    "squeezing": (-4, -4, "", 0),
    "stunned": (-2, -2, "no Dexterity", 0),
}
# rows against which a rogue's sneak attack counts: those that deny Dexterity, and notes 1 and 4
SNEAKY = {
    row for row, (_, _, note, _) in TABLE_8_6.items() if note in ("no Dexterity", "Dexterity 0")
}

HERO = Combatant(
    abilities={"str": 14, "dex": 16},
    base_attack=5,
    sneak_attack="1d6",
    weapons=["longsword", "longbow", "heavy_crossbow"],
)
GUARD = Combatant(abilities={"dex": 16}, dodge=1, hit_points=10)  # armor class 10 + 3 + 1
WEAPON = {"melee": "longsword", "ranged": "longbow"}


def _attack(rules: Ruleset, mode: str = "melee", **there: object) -> Strike:
    return attack(rules, HERO, GUARD, weapon=WEAPON[mode], situation=Situation(**there))


@pytest.mark.parametrize("name", GRID)
def test_the_two_tables_hold_these_rows_and_no_others(name: str) -> None:
    rules = RULES[name]
    assert [row.id for row in rules.rows_of("attack")] == list(TABLE_8_5)
    assert [row.id for row in rules.rows_of("armor_class")] == list(TABLE_8_6)


@pytest.mark.parametrize("name", GRID)
@pytest.mark.parametrize("row", TABLE_8_5)
def test_attack_roll_modifiers(name: str, row: str) -> None:
    rules, (melee, ranged) = RULES[name], TABLE_8_5[row]
    printed = rules.rows[f"attack.{row}"]
    assert (printed.column("melee"), printed.column("ranged")) == (melee, ranged)
    here = _attack(rules, attacker={row}), _attack(rules, "ranged", attacker={row})
    plain = _attack(rules), _attack(rules, "ranged")
    change = [
        new.attack_bonus.total - old.attack_bonus.total
        for new, old in zip(here, plain, strict=True)
    ]
    dexterity = -2 if row == "entangled" else 0  # 16 to 12: +3 to +1, which a bow feels
    assert change == [melee, (ranged or 0) + dexterity]
    loses = row == "invisible"
    assert [one.armor_class.total for one in here] == [10 if loses else 14] * 2
    assert [bool(one.blow.extra) for one in here] == [row in ("flanking", "invisible"), loses]


@pytest.mark.parametrize("name", GRID)
@pytest.mark.parametrize("row", TABLE_8_6)
def test_armor_class_modifiers(name: str, row: str) -> None:
    rules, (melee, ranged, note, miss) = RULES[name], TABLE_8_6[row]
    printed = rules.rows[f"armor_class.{row}"]
    assert (printed.column("melee"), printed.column("ranged")) == (melee, ranged)
    left = {"": 4, "no Dexterity": 0, "Dexterity -4": 2, "Dexterity 0": -5}[note]
    for mode, value in (("melee", melee), ("ranged", ranged)):
        one = _attack(rules, mode, defender={row})
        assert one.armor_class.total == 10 + left + (value or 0)
        assert one.miss_chance == Fraction(miss, 100)
        assert bool(one.blow.extra) == (row in SNEAKY)
        assert one.attack_bonus.total == _attack(rules, mode).attack_bonus.total


@pytest.mark.parametrize("name", GRID)
def test_a_prone_attacker_shoots_crossbows_and_shuriken_only(name: str) -> None:
    there = Situation(attacker={"prone"})
    tried = {
        w: attack(RULES[name], HERO, GUARD, weapon=w, situation=there)
        for w in (
            "heavy_crossbow",
            "hand_crossbow",
            "shuriken",
            "longbow",
            "sling",
            "dart",
            "javelin",
            "longsword",
        )
    }
    assert {w for w, one in tried.items() if not one.possible} == {
        "longbow",
        "sling",
        "dart",
        "javelin",
    }
    free = attack(RULES[name], HERO, GUARD, weapon="heavy_crossbow").attack_bonus.total
    assert tried["heavy_crossbow"].attack_bonus.total == free
    assert not attack(
        RULES[name], HERO, GUARD, weapon="dagger", grip="thrown", situation=there
    ).possible


@pytest.mark.parametrize("name", GRID)
def test_an_invisible_attacker_gains_nothing_on_the_blinded(name: str) -> None:
    one = _attack(RULES[name], attacker={"invisible"}, defender={"blinded"})
    assert one.attack_bonus.total == _attack(RULES[name]).attack_bonus.total
    assert one.armor_class.total == 10 - 2  # blindness itself denies Dexterity and dodge


# cover and concealment: value to AC, miss chance in percent
COVER = {"standard": 4, "soft": None, "improved": 8}
CONCEALMENT = {"light": 10, "standard": 20, "dense": 40, "total": 50}
COVER_PERCENT = {"25": 2, "50": 4, "75": 7, "90": 10}
CONCEALMENT_PERCENT = {"25": 1, "50": 2, "75": 3, "90": 4}


@pytest.mark.parametrize("name", GRID)
def test_cover(name: str) -> None:
    rules = RULES[name]
    assert [row.id for row in rules.rows_of("cover")] == ["standard", "soft", "improved", "total"]
    for row, value in COVER.items():
        assert _attack(rules, "ranged", cover=row).armor_class.total == 14 + (value or 4)
        assert _attack(rules, cover=row).armor_class.total == 14 + (value or 0)  # soft: ranged only
    assert not _attack(rules, cover="total").possible
    assert not _attack(rules, "ranged", cover="total").possible
    both = _attack(rules, cover="improved", defender={"cover"})
    assert both.armor_class.total == 14 + 8  # cover does not stack with cover


@pytest.mark.parametrize("name", GRID)
def test_concealment(name: str) -> None:
    rules = RULES[name]
    assert [row.id for row in rules.rows_of("concealment")] == list(CONCEALMENT)
    for row, percent in CONCEALMENT.items():
        for mode in WEAPON:
            one = _attack(rules, mode, concealment=row)
            assert (one.miss_chance, one.armor_class.total) == (Fraction(percent, 100), 14)
    several = _attack(rules, concealment="standard", defender={"concealed", "invisible"})
    assert several.miss_chance == Fraction(1, 2)  # they do not stack


def test_percent_tables_of_the_classic_rules() -> None:
    rules = RULES["classic"]
    assert [row.id for row in rules.rows_of("cover_percent")] == list(COVER_PERCENT)
    assert [row.id for row in rules.rows_of("concealment_percent")] == list(CONCEALMENT_PERCENT)
    by_armor = rules.with_switches(concealment="armor_class")
    both = rules.with_switches(concealment="both")
    for row, value in COVER_PERCENT.items():
        assert _attack(rules, cover=row).armor_class.total == 14 + value
    for row, value in CONCEALMENT_PERCENT.items():
        read = [
            (one.armor_class.total - 14, one.miss_chance)
            for one in (_attack(which, concealment=row) for which in (rules, by_armor, both))
        ]
        assert read == [(0, Fraction(1, 5)), (value, 0), (value, Fraction(1, 5))]


@pytest.mark.parametrize("name", GRID)
def test_tactics(name: str) -> None:
    rules = RULES[name]
    attacker = {
        "fighting_defensively": (-4, -4),
        "into_melee": (0, -4),
        "charging": (2, 0),
        "lethal_unarmed": (-4, 0),
        "aided": (2, 0),
        "hasted": (1, 1),
        "mounted_charge": (0, 0),
        "braced": (0, 0),
    }
    defender = {
        "fighting_defensively": 2,
        "total_defense": 4,
        "charged": -2,
        "running": -4,  # the guard's Dexterity bonus of 3 and dodge of 1
        "aided": 2,
        "hasted": 1,
        "moving_away": 0,  # but for Mobility
        "shield_idle": 0,  # the guard has none
    }
    assert [row.id for row in rules.rows_of("attack_tactics")] == list(attacker)
    assert [row.id for row in rules.rows_of("defense_tactics")] == [*defender, "feinted"]
    for row, columns in attacker.items():
        for mode, value in zip(WEAPON, columns, strict=True):
            one = _attack(rules, mode, attacker={row})
            assert one.attack_bonus.total == _attack(rules, mode).attack_bonus.total + value
    for row, value in defender.items():
        for mode in WEAPON:
            assert _attack(rules, mode, defender={row}).armor_class.total == 14 + value
    fooled = [_attack(rules, mode, defender={"feinted"}).armor_class.total for mode in WEAPON]
    assert dict(zip(WEAPON, fooled, strict=True)) == {"melee": 10, "ranged": 14}
    flat = _attack(rules, defender={"total_defense", "flat_footed"})
    assert flat.armor_class.total == 10  # a dodge bonus goes with Dexterity


def test_the_phased_tables() -> None:
    rules = RULES["phased"]
    assert set(rules.tables) == {"attacker", "defender"}
    assert set(rules.conditions["attacker"]) == {"unseen", "dashing"}
    assert set(rules.conditions["defender"]) == {"stunned", "surprised", "dodging"}
    assert rules.slots == {"cover": {}, "concealment": {}}
    assert _attack(rules).armor_class.total == 14
    for there in ({"attacker": {"unseen"}}, {"defender": {"stunned"}}, {"defender": {"surprised"}}):
        one = _attack(rules, **there)
        assert (one.armor_class.total, one.attack_bonus.total) == (10, 5 + 2)  # no +2, no -2
    assert _attack(rules, defender={"dodging"}).armor_class.total == 18
    assert _attack(rules, defender={"dodging", "stunned"}).armor_class.total == 10
    assert _attack(rules, attacker={"dashing"}).attempt.roll == "normal"
    assert _attack(rules, "ranged", attacker={"dashing"}).attempt.roll == "disadvantage"


# simplified, size and scale; SRD combat statistics prints the first column, with the same values
SIZES = {  # modifier, grapple, hide, height, weight, space, reach tall, reach long
    "fine": (8, -16, 16, "6 in. or less", "1/8 lb. or less", Fraction(1, 2), 0, 0),
    "diminutive": (4, -12, 12, "6 in. to 1 ft.", "1/8 lb. to 1 lb.", 1, 0, 0),
    "tiny": (2, -8, 8, "1 ft. to 2 ft.", "1 lb. to 8 lb.", Fraction(5, 2), 0, 0),
    "small": (1, -4, 4, "2 ft. to 4 ft.", "8 lb. to 60 lb.", 5, 5, 5),
    "medium": (0, 0, 0, "4 ft. to 8 ft.", "60 lb. to 500 lb.", 5, 5, 5),
    "large": (-1, 4, -4, "8 ft. to 16 ft.", "500 lb. to 2 tons", 10, 10, 5),
    "huge": (-2, 8, -8, "16 ft. to 32 ft.", "2 tons to 16 tons", 15, 15, 10),
    "gargantuan": (-4, 12, -12, "32 ft. to 64 ft.", "16 tons to 125 tons", 20, 20, 15),
    "colossal": (-8, 16, -16, "64 ft. or more", "125 tons or more", 30, 30, 20),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_sizes(name: str, size: str) -> None:
    rules, row = RULES[name], SIZES[size]
    entry = rules.lookup("size", size)
    numbers = ("modifier", "grapple", "hide")
    assert tuple(entry.number(column) for column in numbers) == row[:3]
    assert (entry.cells["height"], entry.cells["weight"]) == row[3:5]
    assert tuple(entry.number(c) for c in ("space", "reach_tall", "reach_long")) == row[5:]
    other = Combatant(size=size, weapons=[{"label": "Claw", "damage": "1d4"}], base_attack=3)
    medium = Combatant(weapons=[{"label": "Club", "damage": "1d4"}], base_attack=3)
    assert attack(rules, other, medium).attack_bonus.total == 3 + row[0]
    assert attack(rules, medium, other).armor_class.total == 10 + row[0]
    assert attack(rules, other, other).needs == 7  # equal sizes strike each other normally


TWO_WEAPONS = {  # (off hand is light, feat): primary, off hand
    (False, False): (-6, -10),
    (True, False): (-4, -8),
    (False, True): (-4, -4),
    (True, True): (-2, -2),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("light, feat", TWO_WEAPONS)
def test_two_weapon_penalties(name: str, light: bool, feat: bool) -> None:
    who = Combatant(feats=["two_weapon_fighting"] if feat else [], weapons=["longsword"])
    made = full_attack(RULES[name], who, GUARD, off_hand="dagger" if light else "longsword").strikes
    assert tuple(one.attack_bonus.total for one in made) == TWO_WEAPONS[light, feat]


# the readings that the chapters themselves give, or that follow where they are silent
DEFAULTS = {
    "attack_natural_1": "misses",
    "attack_natural_20": "hits",
    "attack_tie": "hits",  # "equals or beats"
    "save_natural_1": "fails",
    "save_natural_20": "succeeds",
    "critical": "confirm",
    "confirmation_natural_1": "misses",
    "confirmation_natural_20": "hits",
    "natural_20_confirms": "rolls",
    "natural_20_threatens": "threatens",
    "threat_must_hit": "must_hit",
    "critical_damage": "roll_each",
    "extra_dice": "not_multiplied",
    "minimum_damage": "total",
    "miss_chance": "largest",
    "concealment": "miss_chance",
    "rounding": "down",
    "size_in_attack": "yes",
    "light_weapon_ability": "strength",
    "light_punch": "full",
    "before_first_turn": "off_guard",
    "stunned_touch": "text",
    "self_aid": "success_sticks",
    "surprise_turn": "general",
    "unlisted_provokes": "unknown",
    "unarmed_provokes": "target",
    "step_into_square": "provokes",
    "fighting_defensively_lasts": "next_turn",
    "dodge_lasts": "opposing",
    "initiative": "each_rolls",
    "initiative_tie": "higher_bonus",
    "initiative_dc": "modifier",
    "opposed_check_tie": "higher_bonus",
    "opposed_tie": "higher_bonus",
    "surprise_acts": "aware",
    "half_damage": "down",
    "shot_into_melee": "penalty",
    "soft_cover_into_melee": "both",
    "stray_again": "no",
    "massive_damage": "none",
    "healing_stabilizes": "yes",
    "strenuous_save": "no_roll",
    "diagonals": "alternating",
    "reach_diagonal": "within",
    "line_touching": "interior",
    "reach_past_creatures": "cover",
    "option_feats": "open",
}
PHASED = {
    "critical": "maximum_damage",
    "extra_dice": "multiplied",
    "light_weapon_ability": "better",
    "light_punch": "half",
    "before_first_turn": "ready",
    "stunned_touch": "formula",
    "surprise_turn": "whole",
    "initiative": "phases",
    "surprise_acts": "planned",
    "shot_into_melee": "stray",
    "healing_stabilizes": "no",
    "chase_tie": "higher_bonus",
    "fallen_leader": "adds_nothing",
}


@pytest.mark.parametrize(
    "name, own", [("srd35", {}), ("classic", {"cover_table": "flat"}), ("phased", PHASED)]
)
def test_default_readings(name: str, own: dict[str, str]) -> None:
    assert dict(RULES[name].chosen) == DEFAULTS | own


def test_numbers() -> None:
    for rules in RULES.values():
        assert rules.number("damage.minimum") == 1
        assert rules.fraction("damage.off_hand_strength") == Fraction(1, 2)
        assert rules.fraction("damage.two_handed_strength") == Fraction(3, 2)
        assert rules.number("range.penalty") == -2
        assert rules.number("range.thrown_increments") == 5
        assert rules.number("range.projectile_increments") == 10
    assert RULES["srd35"].series("attack.iterative_thresholds") == (6, 11, 16)
    assert RULES["phased"].series("attack.iterative_thresholds") == ()


def test_the_phased_unarmed_strike_deals_one_point() -> None:
    """phases: 1 bludgeoning damage plus Strength (the other two systems roll 1d3)."""
    brawler = Combatant(abilities={"str": 14})
    for name, most in (("srd35", 5), ("classic", 5), ("phased", 3)):
        assert (
            attack(RULES[name], brawler, GUARD, weapon="unarmed_strike").hit_damage.maximum == most
        )
