"""Adapters: armor class and plain tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from adapters.common import COLUMNS, FIGHTERS, TABLES, WEAPONS, Rules, Value, striker, target


def ac_table(
    rules: Rules, defender: str, attack_type: str, conditions: list[str], touch: bool = False
) -> Value:
    there = ck.Situation(defender=conditions, touch=touch)
    return ck.attack(
        rules, striker(0), FIGHTERS[defender], WEAPONS[attack_type], there
    ).armor_class.total


def ac_phase(rules: Rules, defender: str, which: str) -> Value:
    name, _, reading = which.rpartition("_")
    if reading in ("formula", "text"):
        rules, which = rules.with_switches(stunned_touch=reading), name
    there = ck.Situation(defender=["stunned"] * ("stunned" in which), touch="touch" in which)
    return ck.attack(
        rules, striker(0), FIGHTERS[defender], WEAPONS["melee"], there
    ).armor_class.total


def dex_modifier(rules: Rules, score: int) -> Value:
    return ck.rules.modifier_of(score)


def entangled_attack(
    rules: Rules, dex_score: int, bab: int, attack_type: str, str_mod: int
) -> Value:
    who = ck.Combatant(abilities={"dex": dex_score, "str": 10 + 2 * str_mod}, base_attack=bab)
    there = ck.Situation(attacker=["entangled"])
    return ck.attack(rules, who, target(10), WEAPONS[attack_type], there).attack_bonus.total


def table_row(rules: Rules, table: str, row: str | int, column: str) -> Value:
    if table in ("size", "twf", "two_weapon"):
        entry = rules.lookup({"twf": "two_weapon"}.get(table, table), str(row).lower())
        return entry.number(COLUMNS.get(column, column))
    mode: Any = "melee" if column == "ac_bonus" else column
    value = rules.rows[f"{TABLES.get(table, table)}.{row}"].column(mode)
    return 0 if value is None else value


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        ac_table,
        ac_phase,
        dex_modifier,
        entangled_attack,
        table_row,
    )
}
