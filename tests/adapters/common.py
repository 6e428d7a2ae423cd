"""What adapters share: the example fighters, one swing, the statistics that cases name."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import combatkit as ck

RULESETS = {
    "HYB": "classic",
    "MOD": "srd35",
    "SRD": "srd35",
    "PHS": "phased",
    "ALL": "srd35",
    "OUT": "srd35",
}
CRITICALS = {"confirm": "confirm", "max": "maximum_damage", "none": "none"}
FLOORS = {"total": "total", "each": "each_roll"}
TABLES = {"ac": "armor_class", "cover": "cover_percent", "concealment": "concealment_percent"}
COLUMNS = {"size_modifier": "modifier", "primary": "primary", "off": "off_hand"}
Rules = ck.rules.Ruleset
Value = Fraction | int | bool

# the four example fighters of the worked values
PLAIN = {"shield": {"label": "Shield", "kind": "shield", "bonus": 2}, "hit_points": 50}
MAIL = {"label": "Armor", "kind": "light", "bonus": 5}
FIGHTERS = {
    "F1": ck.Combatant(
        name="F1", abilities={"dex": 16}, armor=MAIL, dodge=1, deflection=1, **PLAIN
    ),
    "F2": ck.Combatant(name="F2", abilities={"dex": 7}, armor=MAIL, dodge=1, deflection=1, **PLAIN),
    "F3": ck.Combatant(
        name="F3",
        abilities={"dex": 18},
        **PLAIN,
        armor={"label": "Plate", "kind": "heavy", "bonus": 8, "max_dexterity": 1},
    ),
    "F4": ck.Combatant(
        name="F4", abilities={"dex": 14}, natural_armor=3, size="large", hit_points=50
    ),
}
WEAPONS = {
    "melee": ck.Weapon(label="Blade", damage="1d8"),
    "ranged": ck.Weapon(label="Bow", damage="1d8", use="bow", range_increment=100),
}


def striker(bonus: int, **fields: Any) -> ck.Combatant:
    return ck.Combatant(name="Striker", attack_bonus=bonus, **fields)


def target(armor_class: int, **fields: Any) -> ck.Combatant:
    return ck.Combatant(name="Target", armor_class=armor_class, **fields)


def dice_text(dice: list[int]) -> str:
    return "+".join(f"1d{sides}" for sides in dice) or "0"


def swing(
    rules: Rules, bonus: int, ac: int, weapon: Any = WEAPONS["melee"], **there: Any
) -> ck.attacks.Strike:
    return ck.attack(rules, striker(bonus), target(ac), weapon, ck.Situation(**there))


def damaging(rules: Rules, case: dict[str, Any]) -> ck.attacks.Strike:
    """One attack with the dice, threat range and readings a case describes."""
    chosen = {
        "critical": CRITICALS[case.get("crit_rule", "confirm")],
        "extra_dice": "multiplied" if case.get("extra_multiplied") else "not_multiplied",
        "minimum_damage": FLOORS[case.get("floor", "total")],
    }
    weapon = ck.Weapon(
        label="Weapon",
        damage=dice_text(case["dice"]),
        extra=dice_text(case.get("extra_dice", [])),
        threat_from=case.get("threat_min", 20),
        multiplier=case.get("multiplier", 2),
    )
    there = {"miss_chances": case.get("miss_percent", 0), "damage_bonus": case["flat"]}
    return swing(rules.with_switches(**chosen), case["attack_bonus"], case["ac"], weapon, **there)


def statistic(dist: ck.Dist, name: str) -> Fraction:
    name, _, argument = name.partition(":")
    if name == "p_ge":
        return dist.at_least(int(argument))
    return Fraction(getattr(dist, {"max": "maximum", "min": "minimum"}.get(name, name)))


def round_statistic(made: ck.attacks.FullAttack, name: str) -> Fraction:
    if name == "expected_damage":
        return made.damage.mean
    return 1 - made.p_any_hit if name == "p_no_hit" else getattr(made, name)
