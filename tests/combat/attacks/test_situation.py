"""Situations: the order of words does not matter, and a row can be added."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, Situation, attack, load_ruleset

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
HERO = Combatant(abilities={"str": 14, "dex": 16}, base_attack=3, weapons=["dagger", "longbow"])
GUARD = Combatant(abilities={"dex": 14}, armor="leather", dodge=1, hit_points=9)


@settings(max_examples=40)
@given(st.sampled_from(list(RULES)), st.data())
def test_the_order_of_conditions_never_matters(name: str, data: st.DataObject) -> None:
    rules = RULES[name]
    sides: dict[str, Any] = {}
    for side in ("attacker", "defender"):
        words = st.lists(st.sampled_from(sorted(rules.conditions[side])), unique=True, max_size=5)
        sides[side] = data.draw(words)
    there = Situation(**sides)
    turned = Situation(**{side: words[::-1] for side, words in sides.items()})
    assert there == turned
    one, two = (attack(rules, HERO, GUARD, situation=each) for each in (there, turned))
    assert one.blow == two.blow
    assert one.explain() == two.explain()
    added = Situation()
    for side, words in sides.items():
        for word in words:
            added = added.with_row(rules, rules.conditions[side][word])  # type: ignore[index]
    assert added == there


def test_with_row_ticks_or_chooses() -> None:
    rules = RULES["srd35"]
    base = Situation(defender={"prone"}, cover="soft")
    assert base.with_row(rules, rules.rows["attack.prone"]) == Situation(
        attacker={"prone"}, defender={"prone"}, cover="soft"
    )
    assert base.with_row(rules, rules.rows["cover.improved"]).cover == "improved"
    assert base.with_row(rules, rules.rows["concealment.dense"]).concealment == "dense"
    assert base.with_row(rules, rules.rows["armor_class.prone"]) == base


@pytest.mark.parametrize("name", RULES)
def test_every_single_row_can_be_ticked(name: str) -> None:
    rules = RULES[name]
    for row in rules.rows.values():
        there = Situation().with_row(rules, row)
        assert there.rows(rules) == (row,)
        for weapon in ("dagger", "longbow"):
            made = attack(rules, HERO, GUARD, weapon, there)
            receipts = (*made.attack_bonus.lines, *made.armor_class.lines)
            assert [line.id for line in receipts].count(f"{row.table}.{row.id}") == 1
            assert row.label in made.explain()
