"""The sweep: a row measures what the same attack measures when that row is ticked by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    attack,
    full_attack,
    kill_time,
    load_ruleset,
    survival,
    sweep,
)
from combatkit.combat.sweeps.sweep import MEASURES

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
HERO = Combatant(
    abilities={"str": 16, "dex": 13},
    base_attack=6,
    sneak_attack="1d6",
    weapons=["longsword", "longbow"],
)
GUARD = Combatant(abilities={"dex": 14}, armor="chain_shirt", dodge=1, hit_points=12)


def _by_hand(made: Any, rounds: int) -> dict[str, Any]:
    first = made.strikes[0] if hasattr(made, "strikes") else made
    return {
        "hit_chance": first.p_hit,
        "critical_chance": first.p_critical,
        "expected_damage": made.damage.mean,
        "rounds_to_kill": kill_time(made).mean,
        "survival": 1 - survival(made, rounds).in_the_end["dead"],
    }


@pytest.mark.parametrize("weapon", ["longsword", "longbow"])
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_every_row_equals_the_attack_made_separately(name: str, full: bool, weapon: str) -> None:
    rules = RULES[name]
    base = Situation(attacker=set() if name == "phased" else {"shaken"}, armor_class_bonus=1)
    result = sweep(rules, HERO, GUARD, weapon, base, full=full, rounds=3)
    assert [row.row for row in result.rows] == list(rules.rows.values())
    make = full_attack if full else attack
    base_measures = _by_hand(make(rules, HERO, GUARD, weapon, base), 3)
    assert {name: getattr(result.base, name) for name in MEASURES} == base_measures
    for row in result.rows:
        table = rules.tables[row.row.table]
        if table.slot:
            there = base.model_copy(update={table.slot: row.row.id})
        else:
            ticked = getattr(base, table.on) | {row.row.id}
            there = base.model_copy(update={table.on: ticked})
        expected = _by_hand(make(rules, HERO, GUARD, weapon, there), 3)
        assert {name: getattr(row.measured, name) for name in MEASURES} == expected
        for measure in MEASURES:
            now, before = expected[measure], base_measures[measure]
            change = getattr(row.change, measure)
            assert change == (None if None in (now, before) else now - before)


def test_one_table_only() -> None:
    result = sweep(RULES["srd35"], HERO, GUARD, table="cover")
    assert [row.row.id for row in result.rows] == ["standard", "soft", "improved", "total"]
    with pytest.raises(CombatkitError, match="did you mean 'cover'"):
        sweep(RULES["srd35"], HERO, GUARD, table="cove")


def test_notes_say_why_nothing_changes() -> None:
    base = Situation(attacker={"flanking"}, cover="standard")
    rows = {
        (r.row.table, r.row.id): r for r in sweep(RULES["srd35"], HERO, GUARD, "longbow", base).rows
    }
    assert (
        rows["attack", "flanking"].note
        == rows["cover", "standard"].note
        == "already part of the base"
    )
    assert rows["attack", "flanking"].change.hit_chance == 0
    assert rows["cover", "total"].note == "Total cover: no attack is possible"
    assert rows["cover", "total"].measured.rounds_to_kill is None
    assert rows["attack_tactics", "charging"].note == "does not apply to ranged attacks"
    assert rows["cover", "improved"].change.hit_chance == Fraction(
        -4, 20
    )  # instead of +4, not on top


def test_the_frame_holds_exact_values() -> None:
    result = sweep(RULES["srd35"], HERO, GUARD, table="armor_class")
    frame = result.to_frame()
    assert len(frame) == 14
    assert list(frame.columns) == [
        "table",
        "row",
        "label",
        "note",
        *(c for m in MEASURES for c in (m, f"{m}_change")),
    ]
    prone = frame.set_index("row").loc["prone"]
    assert prone["hit_chance"] - frame.attrs["base"]["hit_chance"] == prone["hit_chance_change"]
    assert isinstance(prone["hit_chance"], Fraction)


def test_an_off_hand_makes_it_a_full_attack() -> None:
    base = sweep(RULES["srd35"], HERO, GUARD, off_hand="dagger", table="cover").base
    made = full_attack(RULES["srd35"], HERO, GUARD, off_hand="dagger")
    assert base.expected_damage == made.damage.mean
