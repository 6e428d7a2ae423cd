"""Initiative: the order against every roll of the dice, and the players' check face by face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, load_ruleset
from combatkit.combat.turns.initiative import (
    Initiative,
    InitiativeRoll,
    initiative_bonus,
    initiative_order,
    phase_initiative,
    phase_initiative_dc,
)
from combatkit.rules import Bonus

CLASSIC, SRD, PHASED = (load_ruleset(name) for name in ("classic", "srd35", "phased"))


def slow_orders(modifiers: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
    """Roll every die; whoever is still tied stands in every order equally often."""
    orders: dict[tuple[int, ...], Fraction] = {}
    seats = list(permutations(range(len(modifiers))))
    for faces in product(range(1, 21), repeat=len(modifiers)):
        keys = [(face + mod, mod) for face, mod in zip(faces, modifiers, strict=True)]
        best = sorted(keys, reverse=True)
        fitting = [seat for seat in seats if [keys[who] for who in seat] == best]
        for seat in fitting:
            share = Fraction(1, len(fitting) * 20 ** len(modifiers))
            orders[seat] = orders.get(seat, Fraction(0)) + share
    return orders


@pytest.mark.parametrize(
    "modifiers", [(3,), (0, 0), (4, -1), (20, 0), (0, 0, 0), (2, 2, 1), (5, 1, -2), (15, 0, 0)]
)
def test_every_roll_of_the_dice(modifiers: tuple[int, ...]) -> None:
    told, slow = initiative_order(CLASSIC, modifiers), slow_orders(modifiers)
    assert told.orders == slow
    for order in permutations(range(len(modifiers))):
        assert told.p_order(order) == slow.get(order, 0)
    for who, place in product(range(len(modifiers)), repeat=2):
        chance = sum(p for order, p in slow.items() if order[place] == who)
        assert told.place(who).p(place + 1) == chance
    for who, other in permutations(range(len(modifiers)), 2):
        chance = sum(p for order, p in slow.items() if order.index(who) < order.index(other))
        assert told.p_before(who, other) == chance


FACES = {
    "1d20": [(face,) for face in range(1, 21)],
    "1d6": [(face,) for face in range(1, 7)],
    "2d4": list(product(range(1, 5), repeat=2)),
}


def slow_mixed(entrants: list[InitiativeRoll], tie: str) -> dict[tuple[int, ...], Fraction]:
    """Roll every die of everybody, twice where so said; the tied stand in any order."""
    pick = {"normal": lambda a, _: a, "advantage": max, "disadvantage": min}
    each = []
    for who in entrants:
        rolls = [sum(faces) for faces in FACES[who.die]]
        again = rolls if who.roll != "normal" else [0]
        shown = Counter(pick[who.roll](a, b) + who.bonus for a, b in product(rolls, again))
        each.append([(result, Fraction(n, shown.total())) for result, n in shown.items()])
    orders: dict[tuple[int, ...], Fraction] = {}
    seats = list(permutations(range(len(entrants))))
    for results in product(*each):
        keys = [
            (result, who.bonus if tie == "higher_bonus" else 0)
            for (result, _), who in zip(results, entrants, strict=True)
        ]
        best = sorted(keys, reverse=True)
        fitting = [seat for seat in seats if [keys[i] for i in seat] == best]
        chance = prod((weight for _, weight in results), start=Fraction(1))
        for seat in fitting:
            orders[seat] = orders.get(seat, Fraction(0)) + chance / len(fitting)
    return orders


ROLL = InitiativeRoll


@pytest.mark.parametrize("tie", ["higher_bonus", "random"])
@pytest.mark.parametrize(
    "entrants",
    [
        [ROLL(3, "advantage"), ROLL(3), ROLL(1, "disadvantage")],
        [ROLL(0, die="1d6"), ROLL(2, die="2d4"), ROLL(2, "advantage", "1d6"), ROLL(2, die="2d4")],
        [ROLL(1), ROLL(1), ROLL(1, die="1d6")],
        [ROLL(0, die="1d6"), ROLL(1, die="1d6"), ROLL(2, die="1d6"), ROLL(3, die="1d6")],
    ],
)
def test_every_roll_of_any_dice(entrants: list[InitiativeRoll], tie: str) -> None:
    told = initiative_order(SRD.with_switches(initiative_tie=tie), entrants)
    slow = slow_mixed(entrants, tie)
    assert told.orders == slow and sum(slow.values()) == 1
    for order in permutations(range(len(entrants))):
        assert told.p_order(order) == slow.get(order, 0)
    for who, place in product(range(len(entrants)), repeat=2):
        chance = sum(p for order, p in slow.items() if order[place] == who)
        assert told.place(who).p(place + 1) == chance
    for who, other in permutations(range(len(entrants)), 2):
        chance = sum(p for order, p in slow.items() if order.index(who) < order.index(other))
        assert told.p_before(who, other) == chance


def test_the_quick_one_who_rolls_twice() -> None:
    """It has the highest modifier, so that under the rule of 3.5 no tie is lost."""
    entrants = [ROLL(8, "advantage"), 1, 0, 2, 3, 4]
    assert initiative_order(SRD, entrants).p_first(0) == Fraction(2818913, 4000000)
    anyhow = initiative_order(SRD.with_switches(initiative_tie="random"), entrants)
    assert anyhow.p_first(0) == Fraction(866029139, 1280000000)


def test_a_combatant_may_roll_twice() -> None:
    quick = Combatant(abilities={"dex": 26})
    told = initiative_order(SRD, [ROLL(quick, "advantage"), 0])
    assert told == initiative_order(SRD, [ROLL(8, "advantage"), ROLL(0)])
    twice = phase_initiative(PHASED, [ROLL(0, "advantage"), 0], [12])
    assert twice.each == (1 - Fraction(11, 20) ** 2, Fraction(9, 20))


def test_many_with_random_ties_are_worked_out(soon: Callable[..., Any]) -> None:
    rules = SRD.with_switches(initiative_tie="random")
    with soon():
        many = initiative_order(rules, [*range(38), ROLL(8, "advantage"), ROLL(3, die="2d10")])
        ahead = sum(many.p_before(other, 39) for other in range(39))
        assert many.place(39).mean == 1 + ahead
        few = initiative_order(rules, [7, 6, 5, 4, 2, 1, 0, -1])
        assert few.place(3).p(8) == sum(p for order, p in few.orders.items() if order[7] == 3)


modifier_lists = st.lists(st.integers(-6, 12), min_size=1, max_size=5)


@settings(max_examples=25)
@given(modifier_lists)
def test_orders_places_and_pairs_agree(modifiers: list[int]) -> None:
    told = Initiative(tuple(modifiers))
    everyone = range(len(modifiers))
    assert sum(told.orders.values()) == 1
    for who in everyone:
        assert told.place(who).mean == 1 + sum(
            told.p_before(other, who) for other in everyone if other != who
        )
        assert told.p_first(who) == sum(p for order, p in told.orders.items() if order[0] == who)
    assert sum(told.p_first(who) for who in everyone) == 1


@settings(max_examples=40)
@given(modifier_lists, st.integers(1, 5))
def test_more_dexterity_never_acts_later(modifiers: list[int], more: int) -> None:
    quicker = Initiative((modifiers[0] + more, *modifiers[1:]))
    slower = Initiative(tuple(modifiers))
    assert quicker.p_first(0) >= slower.p_first(0)
    assert all(
        quicker.place(0).cdf(place) >= slower.place(0).cdf(place)
        for place in range(1, len(modifiers) + 1)
    )


@given(modifier_lists, st.integers(-30, 30))
def test_only_differences_matter(modifiers: list[int], shift: int) -> None:
    assert (
        Initiative(tuple(m + shift for m in modifiers)).orders
        == Initiative(tuple(modifiers)).orders
    )


def test_eight_are_worked_out(soon: Callable[..., Any]) -> None:
    for modifiers in ((7, 6, 5, 4, 2, 1, 0, -1), (3, 3, 3, 3, 0, 0, 1, 1), (0,) * 8):
        told = initiative_order(SRD, modifiers)
        with soon():
            orders = told.orders
        assert len(orders) == 40_320
        assert sum(orders.values()) == 1
        assert told.place(3).p(8) == sum(p for order, p in orders.items() if order[7] == 3)
        assert told.p_order((3, 1, 0, 2, 5, 4, 6, 7)) == orders[3, 1, 0, 2, 5, 4, 6, 7]
    assert orders[0, 1, 2, 3, 4, 5, 6, 7] == Fraction(1, 40_320)


def test_far_apart_only_one_order_is_left(soon: Callable[..., Any]) -> None:
    with soon():
        told = initiative_order(SRD, [-1000, 1000, 0])
        assert told.orders == {(1, 2, 0): 1}
        assert initiative_order(SRD, [0] * 40).place(7).mean == Fraction(41, 2)


def test_a_combatants_own_bonus() -> None:
    quick = Combatant(
        abilities={"dex": 17},
        feats=["improved_initiative", "dodge"],
        bonuses=[Bonus(to="initiative", value=2), Bonus(to="attack", value=9)],
    )
    receipt = initiative_bonus(CLASSIC, quick)
    assert [line.value for line in receipt.lines] == [3, 4, 2]
    assert initiative_order(CLASSIC, [quick, 9]).p_before(0, 1) == Fraction(1, 2)


@pytest.mark.parametrize(
    "work, words",
    [
        (lambda: initiative_order(SRD, []), "1 to 40"),
        (lambda: initiative_order(SRD, [0] * 41), "1 to 40"),
        (lambda: initiative_order(SRD, [10**9]), "modifier"),
        (lambda: initiative_order(SRD, ["2"]), "whole number"),  # type: ignore[list-item]
        (lambda: initiative_order(SRD, "22"), "a list"),  # type: ignore[arg-type]
        (lambda: initiative_order(SRD, [ROLL(0, "advantge")]), "did you mean 'advantage'"),  # type: ignore[arg-type]
        (lambda: initiative_order(SRD, [ROLL(0, die="1x6")]), "1x6"),
        (lambda: initiative_order(SRD, [ROLL(0, die=20)]), "a str"),  # type: ignore[arg-type]
        (lambda: initiative_order(SRD, [ROLL(0, die="1d1000")]), "1 to 200"),
        (lambda: initiative_order(SRD, ROLL(0)), "a list"),
        (lambda: initiative_order(SRD, [0] * 9).orders, "1 to 8"),
        (lambda: initiative_order(SRD, [0, 0]).p_order([0, 0]), "once"),
        (lambda: initiative_order(SRD, [0, 0]).p_order([0]), "once"),
        (lambda: initiative_order(SRD, [0, 0]).p_order(5), "once"),  # type: ignore[arg-type]
        (lambda: initiative_order(SRD, [0, 0]).p_first(2), "index"),
        (lambda: initiative_order(SRD, [0, 0]).p_before(1, 1), "themselves"),
        (lambda: initiative_order(PHASED, [0, 0]), "phase_initiative"),
        (lambda: phase_initiative(SRD, [0], [10]), "initiative_order"),
        (lambda: phase_initiative(PHASED, [], [10]), "1 to 10"),
        (lambda: phase_initiative(PHASED, [0], []), "at least one"),
        (lambda: phase_initiative(PHASED, [0], [10], important=1), "important"),
        (lambda: phase_initiative(PHASED, [0], [-1]), "score"),
    ],
)
def test_what_cannot_be_is_told(work: Callable[[], object], words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()


def slow_phase(bonuses: list[int], dc: int) -> dict[tuple[int, ...], Fraction]:
    sets: dict[tuple[int, ...], Fraction] = {}
    for faces in product(range(1, 21), repeat=len(bonuses)):
        found = tuple(i for i, face in enumerate(faces) if face + bonuses[i] >= dc)
        sets[found] = sets.get(found, Fraction(0)) + Fraction(1, 20 ** len(bonuses))
    return sets


@pytest.mark.parametrize("bonuses", [[0], [3, -1], [5, 0, 12], [-20, 30]])
@pytest.mark.parametrize("score", [7, 10, 18])
def test_the_players_check_face_by_face(bonuses: list[int], score: int) -> None:
    slow = slow_phase(bonuses, 11 + (score - 10) // 2)
    first = phase_initiative(PHASED, bonuses, [score])
    assert first.sets == slow
    assert first.count.mean == sum(first.each)
    assert first.p_all == slow.get(tuple(range(len(bonuses))), 0)
    assert first.p_any == 1 - slow.get((), 0)


def test_the_most_important_enemy_and_both_readings() -> None:
    goblin, chief = Combatant(abilities={"dex": 13}), Combatant(abilities={"dex": 16})
    assert phase_initiative_dc(PHASED, [goblin, chief]) == 12
    assert phase_initiative_dc(PHASED, [goblin, chief], important=1) == 14
    literal = PHASED.with_switches(initiative_dc="score")
    assert phase_initiative_dc(literal, [goblin, chief], important=1) == 27
    assert phase_initiative(literal, [8], [chief]).p_any == Fraction(1, 10)


def test_any_table_may_choose_phases() -> None:
    rules = SRD.with_switches(initiative="phases")
    assert phase_initiative(rules, [1], [10]).each == (Fraction(11, 20),)
    assert initiative_order(PHASED.with_switches(initiative="each_rolls"), [0, 0]).p_first(0) == (
        Fraction(1, 2)
    )
