"""Figures of several encounters: a line each, told apart without color, exact on hover."""

from __future__ import annotations

from fractions import Fraction

import plotly.graph_objects as go
import pytest

import combatkit as ck
from combatkit.combat.fights.duel import Duel
from combatkit.rules import Bonus
from combatkit.view import (
    damage_together,
    fraction_text,
    hit_chances_together,
    kills_together,
    survival_together,
    wins_together,
)

RULES = ck.load_ruleset("srd35")
FIGHTER, OGRE = RULES.combatant("fighter_6"), RULES.combatant("ogre")
PLAIN = ck.attack(RULES, FIGHTER, OGRE)
PRONE = ck.attack(RULES, FIGHTER, OGRE, situation=ck.Situation(defender={"prone"}))


def against(strike: ck.Strike, armor_class: int) -> Fraction:
    """Make the same attack on an ogre whose armor class comes to this."""
    attempt = strike.attempt
    shift = armor_class - strike.armor_class.total
    bonus = Bonus(to="armor_class", value=shift)
    ogre = OGRE.model_copy(update={"bonuses": (*OGRE.bonuses, bonus)})
    return ck.attack(RULES, FIGHTER, ogre, situation=attempt.situation).p_hit


def wins(strike: ck.Strike, rounds: int) -> Fraction:
    """Fight it out, the fighter making this attack again and again."""
    return duel_with(strike).by_round(rounds)[rounds]["a"]


def duel_with(strike: ck.Strike) -> Duel:
    return ck.duel(RULES, FIGHTER, OGRE, ck.Plan(situation=strike.attempt.situation))


BOTH = {"as it is": PLAIN, "<b>prone</b>": PRONE}


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (
            damage_together({name: one.damage for name, one in BOTH.items()}),
            lambda one, x: one.damage.at_least(x),
        ),
        (
            kills_together({name: ck.kill_time(one) for name, one in BOTH.items()}),
            lambda one, x: ck.kill_time(one).by(x),
        ),
        (
            survival_together({name: ck.survival(one, 8) for name, one in BOTH.items()}),
            lambda one, x: ck.survival(one, 8).by_round[x]["up"],
        ),
        (hit_chances_together(BOTH), against),
        (
            wins_together({name: duel_with(one) for name, one in BOTH.items()}),
            wins,
        ),
    ],
    ids=["damage", "kills", "survival", "hits", "wins"],
)
def test_each_line_is_exact(figure: go.Figure, value: object) -> None:
    go.Figure(figure.to_dict())  # which checks every part
    assert [trace.name for trace in figure.data] == ["as it is", "&lt;b&gt;prone&lt;/b&gt;"]
    assert len({trace.line.dash for trace in figure.data}) == 2
    for trace, one in zip(figure.data, BOTH.values(), strict=True):
        for x, told in zip(trace.x, trace.customdata, strict=True):
            assert told == fraction_text(value(one, x))  # type: ignore[operator]


def test_a_target_that_never_falls_is_drawn() -> None:
    mouse = ck.Combatant(armor_class=10, weapons=[{"damage": "1d4"}])
    wall = ck.Combatant(armor_class=10, hit_points=30, damage_reduction=50)
    figure = kills_together({"mouse": ck.kill_time(ck.attack(RULES, mouse, wall))})
    assert "mouse: never" in figure.layout.title.text
