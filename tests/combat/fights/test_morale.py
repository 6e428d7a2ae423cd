"""Morale: checks face by face, whole fights hit point by hit point."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Dist,
    attack,
    dice,
    full_attack,
    kill_time,
    load_ruleset,
)
from combatkit.combat.fights.morale import group_morale, morale_trigger, p_morale, solitary_morale

PHASED, SRD = load_ruleset("phased"), load_ruleset("srd35")
FAILS = Fraction(9, 20)
Odds = dict[str, Fraction]


@pytest.mark.parametrize("roll", ["normal", "advantage", "disadvantage"])
@pytest.mark.parametrize("leader", [-20, -1, 0, 3, 9])
def test_a_check_face_by_face(leader: int, roll: Any) -> None:
    pick = {"normal": lambda a, b: a, "advantage": max, "disadvantage": min}[roll]
    good = sum(pick(a, b) + leader >= 10 for a, b in product(range(1, 21), repeat=2))
    for checks in range(4):
        assert p_morale(PHASED, leader, roll, checks) == Fraction(good, 400) ** checks


def test_triggers() -> None:
    for total, lost in product(range(1, 12), range(12)):
        assert morale_trigger(PHASED, "solitary", total, lost) == (2 * lost >= total)
        assert morale_trigger(PHASED, "group", total, lost) == (2 * lost >= total)
        assert morale_trigger(PHASED, "group", total, lost, leader_defeated=True)
        assert morale_trigger(PHASED, "solitary", total, lost, True) == (2 * lost >= total)


def slow_solitary(damage: Dist, points: int, fails: Fraction, rounds: int) -> list[Odds]:
    odds: dict[Any, Fraction] = {(points, False) if points > 0 else "down": Fraction(1)}
    history = []
    for _ in range(rounds + 1):
        told = {"fighting": Fraction(0), "fled": Fraction(0), "down": Fraction(0)}
        for state, chance in odds.items():
            told[state if isinstance(state, str) else "fighting"] += chance
        history.append(told)
        later: dict[Any, Fraction] = {}
        for state, chance in odds.items():
            if isinstance(state, str):
                later[state] = later.get(state, Fraction(0)) + chance
                continue
            left, tested = state
            for hurt, share in damage.items():
                ends = [((left - hurt, tested), Fraction(1))]
                if left - hurt <= 0:
                    ends = [("down", Fraction(1))]
                elif not tested and 2 * (points - left + hurt) >= points:
                    ends = [("fled", fails), ((left - hurt, True), 1 - fails)]
                for end, part in ends:
                    later[end] = later.get(end, Fraction(0)) + chance * share * part
        odds = later
    return history


DAMAGES = [
    Dist({0: 1, 4: 1}),
    Dist({0: 3, 1: 1, 2: 1, 9: 2}),
    Dist.constant(3),
    Dist.die(6),
    Dist({0: 1, 30: 1}),
]


@pytest.mark.parametrize("roll", ["normal", "advantage", "disadvantage"])
@pytest.mark.parametrize("points", [0, 1, 2, 7, 10])
@pytest.mark.parametrize("damage", DAMAGES, ids=repr)
def test_a_solitary_creature_round_by_round(damage: Dist, points: int, roll: Any) -> None:
    told = solitary_morale(PHASED, damage, points, rounds=6, roll=roll)
    fails = 1 - p_morale(PHASED, 0, roll)
    assert list(told.by_round) == slow_solitary(damage, points, fails, 6)
    late = slow_solitary(damage, points, fails, 150)[-1]
    for state, chance in told.in_the_end.items():
        assert abs(chance - late[state]) < Fraction(1, 10**6)
    assert sum(told.in_the_end.values()) == 1 and told.in_the_end["fighting"] == 0


def test_an_attack_of_the_engine() -> None:
    ogre = Combatant(armor_class=14, hit_points=29, temporary_hit_points=1)
    hero = Combatant(attack_bonus=5, weapons=["longsword"])
    for made in (attack(PHASED, hero, ogre), full_attack(PHASED, hero, ogre)):
        told = solitary_morale(PHASED, made, rounds=30)
        bare = solitary_morale(PHASED, made.damage, 30, rounds=30)
        assert told == bare
        assert 1 - told.by_round[30]["fighting"] >= kill_time(made).by(30)


def slow_group(
    by: list[Fraction], members: int, leader: int | None, charisma: int, still: bool, rounds: int
) -> list[Odds]:
    """Follow who is down, and whether they still fight, one after the other."""
    state: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}  # fallen, round
    fled = [Fraction(0)] * (rounds + 1)
    down = [Fraction(0)] * (rounds + 1)
    while state:
        later: dict[tuple[int, int], Fraction] = {}
        for (fallen, when), chance in state.items():
            for takes in range(rounds + 1 - when):
                share = by[takes] - (by[takes - 1] if takes else 0)
                part, now, then = chance * share, fallen + 1, when + takes
                if not part:
                    continue
                due = now == -(-members // 2) or now == leader
                if now == members:
                    down[then] += part
                    continue
                if due:
                    led = leader is not None and (now < leader or still)
                    passes = p_morale(PHASED, charisma if led else 0)
                    fled[then] += part * (1 - passes)
                    part *= passes
                later[now, then] = later.get((now, then), Fraction(0)) + part
        state = later
    return [
        {
            "fled": sum(fled[: n + 1], Fraction(0)),
            "down": sum(down[: n + 1], Fraction(0)),
            "fighting": 1 - sum(fled[: n + 1], Fraction(0)) - sum(down[: n + 1], Fraction(0)),
        }
        for n in range(rounds + 1)
    ]


@pytest.mark.parametrize("reading", ["adds_nothing", "still_counts"])
@pytest.mark.parametrize(
    "members, leader, charisma",
    [(1, None, 0), (2, 1, 3), (4, 3, 2), (5, 3, 4), (5, 5, -2), (3, None, 5)],
)
@pytest.mark.parametrize("damage", DAMAGES[:4], ids=repr)
def test_a_group_one_after_the_other(
    damage: Dist, members: int, leader: int | None, charisma: int, reading: str
) -> None:
    rules = PHASED.with_switches(fallen_leader=reading)
    told = group_morale(rules, damage, members, 4, 7, charisma, leader)
    time = kill_time(damage, 4)
    by = [time.by(number) for number in range(8)]
    slow = slow_group(by, members, leader, charisma, reading == "still_counts", 7)
    assert list(told.by_round) == slow
    assert sum(told.in_the_end.values()) == 1
    assert told.p_flees >= told.by_round[-1]["fled"]


def test_two_checks_or_one_at_once() -> None:
    two = group_morale(PHASED, Dist.constant(9), 4, 5, leader_falls=1)
    one = group_morale(PHASED, Dist.constant(9), 4, 5, leader_falls=2)
    assert two.p_flees == 1 - (1 - FAILS) ** 2
    assert one.p_flees == FAILS
    # the leader falls first: his Charisma is gone for both checks, unless read otherwise
    bold = group_morale(PHASED, Dist.constant(9), 4, 5, charisma=9, leader_falls=1)
    still = PHASED.with_switches(fallen_leader="still_counts")
    assert bold.p_flees == two.p_flees
    assert group_morale(still, Dist.constant(9), 4, 5, charisma=9, leader_falls=1).p_flees == 0
    # he falls last: it counts at half, and nobody is left to check after him
    assert group_morale(PHASED, Dist.constant(9), 4, 5, charisma=9, leader_falls=4).p_flees == 0


def test_harmless_attacks_frighten_nobody() -> None:
    nothing = Dist.constant(0)
    for told in (solitary_morale(PHASED, nothing, 5), group_morale(PHASED, nothing, 3, 5)):
        assert told.in_the_end["fighting"] == told.by_round[10]["fighting"] == 1


@settings(max_examples=40)
@given(st.sampled_from(DAMAGES), st.integers(1, 30))
def test_cowards_flee_more_and_odds_add_up(damage: Dist, points: int) -> None:
    coward, plain, brave = (
        solitary_morale(PHASED, damage, points, 5, roll)
        for roll in ("disadvantage", "normal", "advantage")
    )
    assert coward.p_flees >= plain.p_flees >= brave.p_flees
    for told in (coward, plain, brave):
        assert all(sum(odds.values()) == 1 for odds in told.by_round)
        assert told.p_flees >= told.by_round[-1]["fled"]
        assert told.p_flees <= 1 - p_morale(PHASED, 0, "disadvantage")


@pytest.mark.parametrize(
    "work",
    [
        lambda: solitary_morale(PHASED, dice("10d6"), 5000, rounds=200),
        lambda: solitary_morale(PHASED, dice("10d6"), 5000, rounds=20),
        lambda: solitary_morale(PHASED, dice("100d6"), 5000, rounds=1),
        lambda: group_morale(PHASED, dice("10d6"), 100, 2000, rounds=200),
        lambda: group_morale(PHASED, dice("10d6"), 100, 100, rounds=20),
        lambda: group_morale(PHASED, dice("1d4"), 30, 2000, rounds=50),
        lambda: group_morale(PHASED, dice("100d6"), 10, 5000, rounds=200),
    ],
)
def test_mountains_are_worked_out_or_refused(work: Any, soon: Any) -> None:
    with soon():
        try:
            assert sum(work().in_the_end.values()) == 1
        except CombatkitError as error:
            assert "too many" in str(error)


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: morale_trigger(PHASED, "pack", 5, 1), "group"),  # type: ignore[arg-type]
        (lambda: morale_trigger(PHASED, "group", 0, 0), "total"),
        (lambda: morale_trigger(PHASED, "group", 5, -1), "lost"),
        (lambda: morale_trigger(SRD, "group", 5, 1), "morale.share"),
        (lambda: p_morale(SRD), "morale.dc"),
        (lambda: p_morale(PHASED, 10**6), "Charisma"),
        (lambda: p_morale(PHASED, checks=-1), "checks"),
        (lambda: p_morale(PHASED, checks=10**9), "checks"),
        (lambda: p_morale(PHASED, roll="lucky"), "advantage"),  # type: ignore[arg-type]
        (lambda: solitary_morale(PHASED, Dist.die(6)), "hit_points"),
        (lambda: solitary_morale(PHASED, Dist.die(6), 10, rounds=201), "rounds"),
        (lambda: solitary_morale(PHASED, Dist.die(6) - 3, 10), "negative"),
        (lambda: group_morale(PHASED, Dist.die(6), 0, 10), "members"),
        (lambda: group_morale(PHASED, Dist.die(6), 101, 10), "members"),
        (lambda: group_morale(PHASED, Dist.die(6), 3, 10, leader_falls=4), "leader_falls"),
        (lambda: group_morale(PHASED, Dist.die(6), 3, 10, rounds=-1), "rounds"),
    ],
)
def test_what_cannot_be_is_told(work: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()


def test_a_round_that_deals_a_trillion() -> None:
    flood = Dist({10**12: 1})
    assert solitary_morale(PHASED, flood, 9).by_round[1] == {"fighting": 0, "fled": 0, "down": 1}
    assert group_morale(PHASED, flood, members=2, hit_points=9).by_round[2]["fighting"] == 0
