"""Survival with an ally who heals and gives first aid, against single hit points."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Dist, attack, dice, dying, load_ruleset, survival
from combatkit.combat.d20 import p_check
from combatkit.combat.health.survival import Ally

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


def struck(name: str, body: Body, upright: Dist) -> list[tuple[Body, Fraction]]:
    if state_of(name, body) in ("dying", "stable", "dead"):
        return [(body, Fraction(1))]
    ends = []
    for harm, share in upright.items():
        soaked = min(body.temporary, harm)
        left = Body(max(-10, body.points - harm + soaked), body.temporary - soaked)
        ends.append((left, share))
    return ends


def saved(name: str, body: Body) -> list[tuple[Body, Fraction]]:
    if state_of(name, body) != "dying":
        return [(body, Fraction(1))]
    worse, better = body._replace(points=body.points - 1), body._replace(stable=True)
    if name == "phased":
        return [(worse, Fraction(9, 20)), (body, Fraction(1, 2)), (better, Fraction(1, 20))]
    return [(worse, Fraction(9, 10)), (better, Fraction(1, 10))]


def healed(name: str, body: Body, healing: Dist, full: int) -> list[tuple[Body, Fraction]]:
    if state_of(name, body) == "dead":
        return [(body, Fraction(1))]
    ends = []
    for points, share in healing.items():
        new = body._replace(points=max(body.points, min(full, body.points + points)))
        if state_of(name, new) not in ("dying", "stable"):
            new = new._replace(stable=False)
        elif points and name != "phased":  # phases knows nothing of this
            new = new._replace(stable=True)
        ends.append((new, share))
    return ends


def aided(name: str, body: Body, ally: Ally) -> list[tuple[Body, Fraction]]:
    if state_of(name, body) != "dying" or ally.aid is None:
        return [(body, Fraction(1))]
    good = p_check(ally.aid, 10 - body.points if name == "phased" else 15, ally.roll)
    return [(body._replace(stable=True), good), (body, 1 - good)]


def after(odds: Odds, step: Any, *args: Any) -> Odds:
    later: Odds = {}
    for body, chance in odds.items():
        for new, share in step(body, *args):
            if share:
                later[new] = later.get(new, Fraction(0)) + chance * share
    return later


def by_state(name: str, odds: Odds) -> dict[str, Fraction]:
    states = ["up", "disabled", "dying", "stable", "dead"]
    result = dict.fromkeys((s for s in states if s != "disabled" or name != "phased"), Fraction(0))
    for body, chance in odds.items():
        result[state_of(name, body)] += chance
    return result


def slow(
    name: str, upright: Dist, ally: Ally, body: Body, rounds: int, full: int
) -> tuple[list[dict[str, Fraction]], dict[str, Fraction]]:
    healing = dice(ally.healing) if isinstance(ally.healing, str) else Dist.constant(ally.healing)  # type: ignore[arg-type]

    def help_and_roll(odds: Odds, fallen_only: bool = False) -> Odds:
        def cares(body: Body) -> list[tuple[Body, Fraction]]:
            if fallen_only and state_of(name, body) != "dying":
                return [(body, Fraction(1))]
            return [
                (end, share * part)
                for new, share in healed(name, body, healing, full)
                for end, part in aided(name, new, ally)
            ]

        def rolls(body: Body) -> list[tuple[Body, Fraction]]:
            return saved(name, body)

        for step in (cares, rolls) if ally.order == "aid_first" else (rolls, cares):
            odds = after(odds, step)
        return odds

    odds: Odds = {body: Fraction(1)}
    history = [by_state(name, odds)]
    for _ in range(rounds):
        odds = help_and_roll(after(odds, lambda body: struck(name, body, upright)))
        history.append(by_state(name, odds))
    for _ in range(120):  # no more attacks: only the dying are looked after
        odds = help_and_roll(odds, fallen_only=True)
    return history, by_state(name, odds)


ALLIES = [
    Ally(aid=4),
    Ally(aid=0, order="save_first"),
    Ally(aid=6, roll="advantage"),
    Ally(aid=2, roll="disadvantage"),
    Ally(healing=2),
    Ally(healing="1d4-1", order="save_first"),
    Ally(aid=3, healing="1d2-1"),
    Ally(),
]
CLUB = Combatant(abilities={"str": 14}, base_attack=2, weapons=[{"damage": "1d6"}])


@pytest.mark.parametrize("ally", ALLIES, ids=repr)
@pytest.mark.parametrize("points, temporary", [(5, 0), (3, 3), (9, 0), (-3, 0)])
@pytest.mark.parametrize("name", RULES)
def test_round_by_round(name: str, points: int, temporary: int, ally: Ally) -> None:
    body = Combatant(armor_class=12, hit_points=points, temporary_hit_points=temporary)
    made = attack(RULES[name], CLUB, body)
    told = survival(made, rounds=5, ally=ally)
    history, end = slow(name, made.damage, ally, Body(points, temporary), 5, points)
    assert list(told.by_round) == history
    for state, chance in told.in_the_end.items():
        assert abs(chance - end[state]) <= end["dying"]  # still open after 120 more turns
    assert end["dying"] < Fraction(1, 100)
    assert sum(told.in_the_end.values()) == 1 and told.in_the_end["dying"] == 0


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("start", [-8, -3, 2])
def test_healing_from_below_to_the_full_hit_points(name: str, start: int) -> None:
    body = Combatant(armor_class=12, hit_points=6)
    made = attack(RULES[name], CLUB, body)
    ally = Ally(aid=2, healing="1d3")
    told = survival(made, rounds=4, hit_points=start, ally=ally)
    history, _ = slow(name, made.damage, ally, Body(start, 0), 4, 6)
    assert list(told.by_round) == history


@pytest.mark.parametrize("order", ["aid_first", "save_first"])
@pytest.mark.parametrize("name, points", [("srd35", -4), ("phased", -4), ("phased", 0)])
def test_it_agrees_with_dying(name: str, points: int, order: Any) -> None:
    body = Combatant(armor_class=12, hit_points=10)
    fate = dying(RULES[name], points, heal=3, order=order)
    made = attack(RULES[name], CLUB, body)
    told = survival(made, rounds=4, hit_points=points, ally=Ally(aid=3, order=order))
    for turn, odds in enumerate(told.by_round):
        assert {state: odds[state] for state in ("dying", "stable", "dead")} == fate.after(turn)
    assert told.in_the_end["dead"] == fate.p_death


def test_an_ally_who_does_nothing_changes_nothing() -> None:
    for rules in RULES.values():
        made = attack(rules, CLUB, Combatant(armor_class=12, hit_points=7))
        for keeps in (False, True):
            alone = survival(made, 6, keeps_striking=keeps)
            assert survival(made, 6, keeps_striking=keeps, ally=Ally()) == alone
            assert survival(made, 6, keeps_striking=keeps, ally=Ally(aid=-1000)) == alone


@settings(max_examples=40)
@given(
    st.sampled_from(list(RULES)),
    st.integers(1, 20),
    st.integers(-5, 12),
    st.integers(0, 5),
    st.booleans(),
)
def test_help_never_kills(name: str, points: int, aid: int, healing: int, keeps: bool) -> None:
    made = attack(RULES[name], CLUB, Combatant(armor_class=12, hit_points=points))
    told = survival(made, 5, keeps_striking=keeps, ally=Ally(aid, healing=healing))
    assert all(sum(odds.values()) == 1 for odds in told.by_round)
    assert all(now["dead"] <= later["dead"] for now, later in pairwise(told.by_round))
    if keeps:  # one who stops at the fallen strikes again whoever is healed
        alone = survival(made, 5, keeps_striking=True)
        assert told.in_the_end["dead"] <= alone.in_the_end["dead"] or healing


def test_healing_that_stabilizes_or_not() -> None:
    rules = RULES["srd35"]
    made = attack(rules, CLUB, Combatant(armor_class=90, hit_points=9))
    for reading, state in (("yes", "stable"), ("no", "dying")):
        told = survival(
            attack(rules.with_switches(healing_stabilizes=reading), CLUB, made.attempt.defender),
            1,
            hit_points=-6,
            ally=Ally(healing=1),
        )
        assert told.by_round[1][state] >= Fraction(9, 10)


@pytest.mark.parametrize("ally", [Ally(aid=4, healing="2d8+3"), Ally(healing="100d6")], ids=repr)
def test_long_fights_are_followed_or_refused(ally: Ally, soon: Any) -> None:
    body = Combatant(armor_class=12, hit_points=2000)
    made = attack(RULES["srd35"], CLUB, body)
    for rounds in (10, 40, 200):
        with soon():
            try:
                assert sum(survival(made, rounds, ally=ally).in_the_end.values()) == 1
            except CombatkitError as error:
                assert "too many" in str(error)


@pytest.mark.parametrize(
    "ally, words",
    [
        (Ally(healing=-1), "healing"),
        (Ally(healing=1001), "healing"),
        (Ally(healing="1d4-2"), "healing"),
        (Ally(healing="1d"), "dice"),
        (Ally(healing=1.5), "whole number"),  # type: ignore[arg-type]
        (Ally(aid=3, roll="advantge"), "advantage"),  # type: ignore[arg-type]
        (Ally(aid=3, order="aid"), "aid_first"),  # type: ignore[arg-type]
        ("Bob", "Ally"),
    ],
)
def test_what_cannot_be_is_told(ally: Any, words: str) -> None:
    made = attack(RULES["srd35"], CLUB, Combatant(hit_points=5))
    with pytest.raises(CombatkitError, match=words):
        survival(made, 3, ally=ally)


def test_wounds_behind_a_temporary_pool_cannot_be_healed_exactly() -> None:
    body = Combatant(hit_points=9, temporary_hit_points=4)
    made = attack(RULES["srd35"], CLUB, body)
    with pytest.raises(CombatkitError, match="temporary"):
        survival(made, 3, hit_points=5, ally=Ally(healing=2))
    assert survival(made, 3, hit_points=5, ally=Ally(aid=2)).by_round[0]["up"] == 1
