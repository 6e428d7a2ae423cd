"""Adapters: checks, saves, dying."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import combatkit as ck
from adapters.common import RULESETS, Rules, Value


def p_save(rules: Rules, bonus: int, dc: int) -> Value:
    return ck.checks.p_save(rules, bonus, dc)


def p_check(rules: Rules, bonus: int, dc: int, mode: Any = "normal") -> Value:
    return ck.checks.p_check(bonus, dc, mode)


def fate_after(odds: ck.health.DyingOdds, turns: int, quantity: str) -> Fraction:
    after = odds.after(turns)
    return 1 - after["dead"] if quantity == "alive" else after[quantity]


def death_save_p_death(rules: Rules, hp: int) -> Value:
    return ck.dying(rules, hp).p_death


def death_save_turns(rules: Rules, hp: int, given: str) -> Value:
    return ck.dying(rules, hp).expected_turns("dead" if given == "death" else None)


def death_save_after(
    rules: Rules, hp: int, turns: int, quantity: str, strenuous: bool = False
) -> Value:
    return fate_after(ck.dying(rules, hp, strenuous=strenuous), turns, quantity)


def first_aid_phs(
    rules: Rules, hp: int, heal_bonus: int, order: Any, mode: Any = "normal"
) -> Value:
    return ck.dying(rules, hp, heal=heal_bonus, heal_roll=mode, order=order).p_death


def self_aid_phs(rules: Rules, hp: int, heal_bonus: int) -> Value:
    return ck.dying(rules, hp, self_aid=heal_bonus).p_death


def first_aid_dc(rules: Rules, hp: int) -> Value:
    return ck.health.first_aid_dc(rules, hp)


def d35_p_death(rules: Rules, hp: int, heal_bonus: int | None = None) -> Value:
    return ck.dying(rules, hp, heal=heal_bonus).p_death


def d35_rounds(rules: Rules, hp: int) -> Value:
    return ck.dying(rules, hp).expected_turns()


def d35_after(rules: Rules, hp: int, rounds: int, quantity: str) -> Value:
    return fate_after(ck.dying(rules, hp), rounds, quantity)


def hp_state(rules: Rules, hp: int, system: str) -> Value:
    return ["up", "disabled", "dying", "dead"].index(ck.load_ruleset(RULESETS[system]).state_of(hp))


ADAPTERS: dict[str, Callable[..., Value]] = {
    adapter.__name__: adapter
    for adapter in (
        p_save,
        p_check,
        death_save_p_death,
        death_save_turns,
        death_save_after,
        first_aid_phs,
        self_aid_phs,
        first_aid_dc,
        d35_p_death,
        d35_rounds,
        d35_after,
        hp_state,
    )
}
