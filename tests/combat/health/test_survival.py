"""Survival by round against a simulation over single hit points."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

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
    load_ruleset,
    survival,
)
from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.rules import Ruleset
from combatkit.view import result_html

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}


class Body(NamedTuple):
    points: int
    temporary: int
    stable: bool = False


Odds = dict[Body, Fraction]


def state_of(name: str, body: Body) -> str:
    if body.points <= -10:
        return "dead"
    if body.points >= 1:
        return "up"
    if body.points == 0 and name != "phased":
        return "disabled"
    return "stable" if body.stable else "dying"


def hurt(body: Body, harm: int) -> Body:
    soaked = min(body.temporary, harm)
    return Body(
        max(-10, body.points - harm + soaked), body.temporary - soaked, body.stable and not harm
    )


def slow_survival(
    name: str, upright: list[Dist], fallen: list[Dist] | None, body: Body, rounds: int
) -> list[dict[str, Fraction]]:
    odds: Odds = {body: Fraction(1)}
    history = [by_state(name, odds)]
    for _ in range(rounds):
        for index in range(len(upright)):
            odds = struck(name, odds, upright[index], fallen[index] if fallen else None)
        odds = saved(name, odds)
        history.append(by_state(name, odds))
    for _ in range(400):  # then only the dying roll on
        odds = saved(name, odds)
    return [*history, by_state(name, odds)]


def struck(name: str, odds: Odds, upright: Dist, fallen: Dist | None) -> Odds:
    after: Odds = {}
    for body, chance in odds.items():
        damage: Dist | None = upright
        if state_of(name, body) in ("dying", "stable"):
            damage = fallen
        elif state_of(name, body) == "dead":
            damage = None
        for harm, share in damage.items() if damage is not None else [(0, Fraction(1))]:
            new = hurt(body, harm)
            after[new] = after.get(new, Fraction(0)) + chance * share
    return after


def saved(name: str, odds: Odds) -> Odds:
    after: Odds = {}
    for body, chance in odds.items():
        ends = [(body, Fraction(1))]
        if state_of(name, body) == "dying":
            worse, better = body._replace(points=body.points - 1), body._replace(stable=True)
            ends = (
                [(worse, Fraction(9, 20)), (body, Fraction(1, 2)), (better, Fraction(1, 20))]
                if name == "phased"
                else [(worse, Fraction(9, 10)), (better, Fraction(1, 10))]
            )
        for new, share in ends:
            after[new] = after.get(new, Fraction(0)) + chance * share
    return after


def by_state(name: str, odds: Odds) -> dict[str, Fraction]:
    states = ["up", "disabled", "dying", "stable", "dead"]
    if name == "phased":
        states.remove("disabled")
    result = dict.fromkeys(states, Fraction(0))
    for body, chance in odds.items():
        result[state_of(name, body)] += chance
    return result


def against_fallen(rules: Ruleset, made: Strike) -> Dist:
    """srd35 and classic: somebody dying is helpless. phases says nothing of the kind."""
    attempt = made.attempt
    there = attempt.situation
    if rules.id != "phased":
        there = there.model_copy(update={"defender": there.defender | {"helpless"}})
    return attack(
        rules, attempt.attacker, attempt.defender, attempt.weapon, there, attempt.grip
    ).damage


CLUB = Combatant(
    abilities={"str": 14},
    base_attack=2,
    sneak_attack="1d3",
    weapons=[{"label": "Club", "damage": "1d4"}],
)
POINTS = [(1, 0), (3, 0), (6, 2), (0, 0), (-3, 0), (-9, 0), (2, 5)]


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("points, temporary", POINTS)
@pytest.mark.parametrize("name", RULES)
def test_one_strike_a_round(name: str, points: int, temporary: int, keeps: bool) -> None:
    rules = RULES[name]
    body = Combatant(
        armor_class=13, abilities={"dex": 14}, hit_points=points, temporary_hit_points=temporary
    )
    made = attack(rules, CLUB, body)
    fallen = [against_fallen(rules, made)] if keeps else None
    told = survival(made, rounds=5, keeps_striking=keeps)
    slow = slow_survival(name, [made.damage], fallen, Body(points, temporary), 5)
    assert list(told.by_round) == slow[:-1]
    assert list(told.states) == list(slow[0])
    for state, chance in told.in_the_end.items():  # after 400 more turns hardly anything is open
        assert abs(chance - slow[-1][state]) < Fraction(1, 10**9)
    assert sum(told.in_the_end.values()) == 1
    assert told.p_alive == 1 - told.in_the_end["dead"]


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("name", ["srd35", "phased"])
def test_a_full_attack_a_round(name: str, keeps: bool) -> None:
    rules = RULES[name]
    hero = CLUB.model_copy(update={"base_attack": 6, "weapons": ("short_sword",)})
    body = Combatant(armor_class=15, hit_points=7)
    made = full_attack(rules, hero, body, off_hand="dagger")
    assert len(made.strikes) == (3 if name == "srd35" else 2)
    strikes = [one.damage for one in made.strikes]
    fallen: list[Dist] | None = None
    if keeps:
        there = Situation(defender={"helpless"} if name == "srd35" else ())
        again = full_attack(rules, hero, body, situation=there, off_hand="dagger")
        fallen = [one.damage for one in again.strikes]
    told = survival(made, rounds=3, keeps_striking=keeps)
    slow = slow_survival(name, strikes, fallen, Body(7, 0), 3)
    assert list(told.by_round) == slow[:-1]


def _duel(name: str, bonus: int, ac: int, points: int) -> FullAttack:
    hero = Combatant(attack_bonus=bonus, base_attack=6, weapons=["longsword"])
    return full_attack(RULES[name], hero, Combatant(armor_class=ac, hit_points=points))


duels = st.tuples(
    st.sampled_from(list(RULES)), st.integers(0, 12), st.integers(8, 24), st.integers(-9, 30)
)


@settings(max_examples=40)
@given(duels, st.booleans())
def test_odds_sum_to_one_and_the_dead_stay_dead(
    duel: tuple[str, int, int, int], keeps: bool
) -> None:
    told = survival(_duel(*duel), rounds=6, keeps_striking=keeps)
    assert all(sum(odds.values()) == 1 for odds in told.by_round)
    assert all(chance >= 0 for odds in told.by_round for chance in odds.values())
    assert all(now["dead"] <= later["dead"] for now, later in pairwise(told.by_round))
    assert told.by_round[-1]["dead"] <= told.in_the_end["dead"]
    assert told.in_the_end["dying"] == 0


@settings(max_examples=40)
@given(duels, st.integers(1, 10), st.booleans())
def test_more_hit_points_keep_somebody_up_longer(
    duel: tuple[str, int, int, int], more: int, keeps: bool
) -> None:
    name, bonus, ac, points = duel
    one = survival(_duel(name, bonus, ac, points), rounds=4, keeps_striking=keeps)
    two = survival(_duel(name, bonus, ac, points + more), rounds=4, keeps_striking=keeps)
    assert all(
        less["up"] <= more_["up"] for less, more_ in zip(one.by_round, two.by_round, strict=True)
    )


def test_more_hit_points_may_kill_when_the_attacker_stops() -> None:
    """No law: 5 a blow leaves 1 hit point at -4, but 5 hit points at 0, still worth a blow."""
    hero = Combatant(attack_bonus=20, weapons=[{"damage": "5"}])

    def death(points: int) -> Fraction:
        body = Combatant(armor_class=10, critical_immune=True, hit_points=points)
        return survival(attack(RULES["srd35"], hero, body), rounds=30).in_the_end["dead"]

    assert death(5) > death(1)
    assert abs(death(1) - Fraction(9, 10) ** 6) < Fraction(1, 10**9)


def test_an_attack_that_cannot_be_made_harms_nobody() -> None:
    there = Situation(cover="total")
    made = attack(RULES["srd35"], CLUB, Combatant(hit_points=3), situation=there)
    for keeps in (False, True):
        told = survival(made, rounds=4, keeps_striking=keeps)
        assert told.by_round[-1]["up"] == told.in_the_end["up"] == 1


def test_hit_points_may_be_given() -> None:
    made = attack(RULES["srd35"], CLUB, Combatant(armor_class=10, hit_points=50))
    assert survival(made, 0, hit_points=-4).by_round == (
        {"up": 0, "disabled": 0, "dying": 1, "stable": 0, "dead": 0},
    )
    assert survival(made, 0, hit_points=-4).in_the_end["dead"] == Fraction(9, 10) ** 6
    assert survival(made, 0, hit_points=-50).by_round[0]["dead"] == 1


@pytest.mark.parametrize("points", [-10, -12])
def test_temporary_hit_points_do_not_raise_the_dead(points: int) -> None:
    ghoul = Combatant(armor_class=12, temporary_hit_points=5)
    told = survival(attack(RULES["srd35"], CLUB, ghoul), 3, hit_points=points)
    for odds in (*told.by_round, told.in_the_end):
        assert odds["dead"] == sum(odds.values()) == 1


@pytest.mark.parametrize(
    "options", [{"rounds": -1}, {"rounds": 201}, {"hit_points": 5001}, {"hit_points": -101}]
)
def test_limits(options: dict[str, int]) -> None:
    made = attack(RULES["srd35"], CLUB, Combatant(hit_points=3))
    with pytest.raises(CombatkitError, match="must be"):
        survival(made, **options)  # type: ignore[arg-type]
    with pytest.raises(CombatkitError, match="keeps_striking: a bool"):
        survival(made, keeps_striking="no")  # type: ignore[arg-type]


def test_labels_are_the_systems_own() -> None:
    made = attack(RULES["phased"], CLUB, Combatant(name="<b>", hit_points=3))
    told = survival(made, 1)
    assert told.states == ("up", "dying", "stable", "dead")
    assert told.labels["stable"] == "Stable"
    assert "<th scope='row'>in the end</th>" in result_html(told)
