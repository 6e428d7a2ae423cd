"""Healing, temporary hit points, exertion, dying resumed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError, Dist, dying, load_ruleset
from combatkit.combat.health.healing import (
    HitPoints,
    after_exertion,
    gain_temporary,
    heal,
    p_death_resumed,
    take_damage,
    temporary_loss,
)

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))


@given(st.integers(-5, 40), st.integers(0, 15), st.lists(st.integers(0, 12), max_size=5))
def test_damage_point_by_point(points: int, temporary: int, blows: list[int]) -> None:
    health, slow = HitPoints(points, temporary), [points, temporary]
    for blow in blows:
        health = take_damage(health, blow)
        for _ in range(blow):
            slow[1 if slow[1] else 0] -= 1
    assert [health.points, health.temporary] == slow


@given(st.integers(-12, 30), st.integers(0, 9), st.integers(0, 20), st.integers(0, 20))
def test_healing_point_by_point(points: int, temporary: int, amount: int, full: int) -> None:
    slow = points
    for _ in range(amount if points > -10 else 0):
        slow += slow < full
    health = heal(PHASED, HitPoints(points, temporary), amount, full)
    assert health == HitPoints(slow, temporary)


def test_the_dead_stay_dead() -> None:
    assert heal(PHASED, HitPoints(-10), 50) == HitPoints(-10)
    assert heal(SRD, HitPoints(-9), 50, full=20) == HitPoints(20)


def test_pools_never_add_up() -> None:
    assert [gain_temporary(5, 8, keep) for keep in ("better", "old", "new")] == [8, 5, 8]  # type: ignore[arg-type]
    assert [gain_temporary(8, 5, keep) for keep in ("better", "old", "new")] == [8, 8, 5]  # type: ignore[arg-type]


@given(st.integers(0, 20), st.dictionaries(st.integers(0, 25), st.integers(1, 5), min_size=1))
def test_what_gets_through_a_pool(temporary: int, weights: dict[int, int]) -> None:
    damage = Dist(weights)
    slow = sum((max(0, hurt - temporary) * p for hurt, p in damage.items()), Fraction(0))
    assert temporary_loss(temporary, damage).mean == slow
    assert temporary_loss(temporary, damage).p(0) == damage.cdf(temporary)


@pytest.mark.parametrize(
    "rules, start, turns, left",
    [
        (PHASED, -3, 2, -5),
        (PHASED, 0, 1, -1),
        (PHASED, -8, 9, -10),
        (PHASED, 3, 5, 3),
        (SRD, 0, 1, -1),
        (SRD, 0, 4, -1),  # unconscious: it stops
        (SRD, -3, 2, -3),
        (CLASSIC, 0, 1, -1),
        (SRD, 7, 3, 7),
    ],
)
def test_what_exertion_costs(rules: Any, start: int, turns: int, left: int) -> None:
    assert after_exertion(rules, start, turns) == left


@pytest.mark.parametrize(
    "rules, points, options, chance",
    [
        (PHASED, -5, {}, 0),
        (PHASED, -5, {"damage": 1}, dying(PHASED, -6).p_death),
        (PHASED, -5, {"strenuous_turns": 2}, dying(PHASED, -7).p_death),
        (PHASED, -5, {"damage": 2, "strenuous_turns": 1}, dying(PHASED, -8).p_death),
        (PHASED, -5, {"damage": 5}, 1),
        (PHASED, -9, {"strenuous_turns": 3}, 1),
        (PHASED, -5, {"damage": 1, "aid": 4}, dying(PHASED, -6, heal=4).p_death),
        (
            PHASED,
            -5,
            {"damage": 1, "aid": 4, "order": "save_first"},
            dying(PHASED, -6, heal=4, order="save_first").p_death,
        ),
        (SRD, -5, {"damage": 1}, dying(SRD, -6).p_death),
        (SRD, -5, {"strenuous_turns": 3}, 0),  # nobody unconscious exerts himself
        (PHASED, 8, {"damage": 3}, 0),
    ],
)
def test_dying_resumed(rules: Any, points: int, options: dict[str, Any], chance: Fraction) -> None:
    assert p_death_resumed(rules, points, **options) == chance


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: take_damage(HitPoints(5), -1), "damage"),
        (lambda: take_damage(HitPoints(5), 10**9), "damage"),
        (lambda: take_damage(HitPoints(5, -1), 3), "temporary"),
        (lambda: heal(PHASED, HitPoints(5), -1), "healing"),
        (lambda: heal(PHASED, HitPoints(5), 1.5), "whole number"),  # type: ignore[arg-type]
        (lambda: gain_temporary(5, -8), "temporary"),
        (lambda: gain_temporary(5, 8, "both"), "better"),  # type: ignore[arg-type]
        (lambda: temporary_loss(-1, Dist.die(6)), "temporary"),
        (lambda: after_exertion(PHASED, 0, -1), "turns"),
        (lambda: after_exertion(PHASED, 0, 10**9), "turns"),
        (lambda: p_death_resumed(PHASED, -5, damage=-1), "damage"),
        (lambda: p_death_resumed(PHASED, 10**9), "hit points"),
    ],
)
def test_what_cannot_be_is_told(work: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()
