"""Rounds until a target is down, against damage added up round by round."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Dist,
    Situation,
    attack,
    full_attack,
    kill_time,
    load_ruleset,
    survival,
)
from combatkit.combat.attacks.full_attack import FullAttack

SRD = load_ruleset("srd35")
rounds_of_damage = st.dictionaries(st.integers(0, 6), st.integers(1, 5), min_size=1, max_size=4)


def slow_by(damage: Dist, hit_points: int, rounds: int) -> Fraction:
    left = {max(0, hit_points): Fraction(1)}
    for _ in range(rounds):
        after: dict[int, Fraction] = {}
        for points, chance in left.items():
            for harm, share in damage.items():
                rest = max(0, points - harm)
                after[rest] = after.get(rest, Fraction(0)) + chance * share
        left = after
    return left.get(0, Fraction(0))


def slow_mean(damage: Dist, hit_points: int) -> Fraction | None:
    """Condition on the first round that does damage."""
    nothing = damage.p(0)

    @cache
    def mean(points: int) -> Fraction:
        if points <= 0:
            return Fraction(0)
        later = sum((p * mean(points - harm) for harm, p in damage.items() if harm), Fraction(0))
        return (1 + later) / (1 - nothing)

    return None if nothing == 1 and hit_points > 0 else mean(hit_points)


@given(rounds_of_damage, st.integers(-2, 14))
def test_agrees_with_its_slow_twin(weights: dict[int, int], hit_points: int) -> None:
    damage = Dist(weights)
    time = kill_time(damage, hit_points)
    for rounds in range(6):
        assert time.by(rounds) == slow_by(damage, hit_points, rounds)
        assert time.exactly(rounds) == time.by(rounds) - (time.by(rounds - 1) if rounds else 0)
    assert time.mean == slow_mean(damage, hit_points)


@settings(max_examples=30)
@given(st.integers(0, 12), st.integers(8, 25), st.integers(1, 40))
def test_more_rounds_never_make_it_less_likely(bonus: int, ac: int, hit_points: int) -> None:
    hero = Combatant(attack_bonus=bonus, base_attack=6, weapons=["longsword"])
    time = kill_time(full_attack(SRD, hero, Combatant(armor_class=ac, hit_points=hit_points)))
    odds = [time.by(rounds) for rounds in range(12)]
    assert all(0 <= now <= later <= 1 for now, later in pairwise(odds))
    assert time.mean is not None
    assert time.mean >= Fraction(1)


def test_hit_points_are_the_defenders_own_with_temporary_ones() -> None:
    hero = Combatant(attack_bonus=5, weapons=["club"])
    tough = Combatant(armor_class=10, hit_points=4, temporary_hit_points=3)
    made = attack(SRD, hero, tough)
    assert kill_time(made).needed == 7
    assert kill_time(made, down_at=-10).needed == 17
    assert kill_time(made, hit_points=2).needed == 2
    assert kill_time(made, hit_points=2, down_at=5).mean == 0


def test_what_never_does_damage_never_kills() -> None:
    net = attack(SRD, Combatant(), Combatant(hit_points=3), weapon="net")
    assert kill_time(net).mean is None
    assert (kill_time(net).by(100), kill_time(net, hit_points=0).mean) == (0, 0)


@pytest.mark.parametrize("rounds", [-1, 1001, 10**9])
def test_rounds_have_limits(rounds: int) -> None:
    with pytest.raises(CombatkitError, match="rounds must be 0 to 1,000"):
        kill_time(Dist({0: 1, 1: 1}), 5).by(rounds)


def test_wants_hit_points_and_honest_damage() -> None:
    with pytest.raises(CombatkitError, match="give hit_points"):
        kill_time(Dist({0: 1, 1: 1}))
    with pytest.raises(CombatkitError, match="negative"):
        kill_time(Dist({-1: 1, 1: 1}), 5)


@pytest.mark.parametrize("wrong", [5.0, float("nan"), Fraction(5), True, "5"])
def test_hit_points_and_rounds_are_whole_numbers(wrong: Any) -> None:
    coin = Dist({0: 1, 1: 1})
    with pytest.raises(CombatkitError, match="hit_points must be a whole number"):
        kill_time(coin, wrong)
    with pytest.raises(CombatkitError, match="down_at must be a whole number"):
        kill_time(coin, 5, down_at=wrong)
    with pytest.raises(CombatkitError, match="rounds must be a whole number"):
        kill_time(coin, 5).by(wrong)
    with pytest.raises(CombatkitError, match="rounds must be a whole number"):
        kill_time(coin, 5).exactly(wrong)


def test_a_round_that_deals_a_trillion() -> None:
    sure = kill_time(Dist({10**12: 1}), 5)
    assert (sure.mean, sure.by(0), sure.by(3), sure.exactly(1)) == (1, 0, 1, 1)
    half = kill_time(Dist({0: 1, 10**4: 1}), 5)
    assert (half.mean, half.by(3)) == (2, Fraction(7, 8))


def test_numpys_whole_numbers_will_do() -> None:
    coin = Dist({0: 1, 1: 1})
    assert kill_time(coin, np.int64(2)).by(np.int64(2)) == Fraction(1, 4)


@pytest.mark.parametrize("wrong", [None, 5, "x", Combatant(), FullAttack(())])
def test_wants_something_that_does_damage(wrong: Any) -> None:
    with pytest.raises(CombatkitError, match="kill_time: a"):
        kill_time(wrong)
    with pytest.raises(CombatkitError, match="survival: a"):
        survival(wrong)


@pytest.mark.parametrize("gate", [attack, full_attack])
def test_the_parts_of_an_attack_are_what_they_say(gate: Any) -> None:
    hero = Combatant(weapons=["club"])
    for parts, field in [
        ((None, hero, hero), "rules: a Ruleset"),
        (("srd35", hero, hero), "rules: a Ruleset"),
        ((SRD, "hero", hero), "attacker: a Combatant"),
        ((SRD, hero, 5), "defender: a Combatant"),
        ((SRD, hero, hero, None, {}), "situation: a Situation"),
        ((SRD, hero, hero, None, None), "situation: a Situation"),
        ((SRD, hero, hero, ["club"]), "weapon .* is neither"),
        ((SRD, hero, hero, hero), "weapon .* is neither"),
        ((SRD, hero, hero, "club", Situation(), np.array(["primary", "thrown"])), "grip array"),
    ]:
        with pytest.raises(CombatkitError, match=field):
            gate(*parts)
