from __future__ import annotations

import json
from fractions import Fraction

import plotly.graph_objects as go
import pytest

import combatkit as ck
from combatkit.view import fraction_text, hit_points_left, result_html, won_by_round

EVIL = "<img src=x onerror=alert(1)>"


def check(figure: go.Figure) -> go.Figure:
    validated = go.Figure(figure.to_dict())
    assert json.loads(validated.to_json()) == json.loads(figure.to_json())
    assert "<img" not in str(figure.to_dict())
    assert figure.layout.xaxis.title.text and figure.layout.yaxis.title.text
    assert all("customdata" in trace.hovertemplate for trace in figure.data)
    return figure


def pair(rules: ck.rules.Ruleset, name: str, other: str) -> ck.fights.Duel:
    return ck.duel(rules, rules.combatant(name), rules.combatant(other))


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
def test_areas_are_the_engines_and_fill_the_whole(ruleset: str) -> None:
    rules = ck.load_ruleset(ruleset)
    wolf, ogre = rules.combatant("human_warrior"), rules.combatant("ogre")
    for fight in (ck.duel(rules, wolf, ogre), ck.race(rules, wolf, 3, ogre)):
        figure = check(won_by_round(fight))
        last = figure.data[0].x[-1]
        odds = fight.by_round(last)
        order = [trace.name for trace in figure.data]
        assert order[1] == "both fight on" and order[2] == "Ogre has won"
        ends = [*fight.names]
        for end, trace in zip((ends[0], "both", ends[1]), figure.data, strict=True):
            assert trace.x == tuple(range(last + 1))
            assert trace.y == tuple(float(now[end]) for now in odds)
            assert trace.customdata == tuple(fraction_text(now[end]) for now in odds)
        mean = fight.mean_rounds
        assert mean is not None and last >= mean
        assert figure.layout.shapes[0].path == f"M{float(mean)},0V1"


def test_bars_hold_all_wins(rules: ck.rules.Ruleset) -> None:
    fight = pair(rules, "fighter_6", "ogre")
    figure = check(hit_points_left(fight))
    for side, trace in zip(("a", "b"), figure.data, strict=True):
        left = fight.left(side)  # type: ignore[arg-type]
        assert dict(zip(trace.x, trace.y, strict=True)) == {x: float(p) for x, p in left.items()}
    assert sum(map(sum, (trace.y for trace in figure.data))) == pytest.approx(1)
    assert "wins 97.7%" in figure.layout.title.text


def test_fighters_alike_are_a_and_b(rules: ck.rules.Ruleset) -> None:
    names = [trace.name for trace in won_by_round(pair(rules, "wolf", "wolf")).data]
    assert names == ["A has won", "both fight on", "B has won"]


def test_a_fight_without_end_and_a_very_long_one(rules: ck.rules.Ruleset) -> None:
    net = ck.Combatant(name="Net", attack_bonus=5, hit_points=5, weapons=["net"])
    figure = check(won_by_round(ck.duel(rules, net, rules.combatant("ogre"), first="a")))
    assert len(figure.data[0].x) > 1 and set(figure.data[0].y) == {0}
    doll = ck.Combatant(name="Doll", hit_points=5, weapons=["net"])
    figure = check(won_by_round(ck.duel(rules, net, doll)))
    assert set(figure.data[1].y) == {1} and not figure.layout.shapes
    slow = ck.Combatant(attack_bonus=0, armor_class=40, hit_points=60, weapons=[{"damage": "1"}])
    fight = ck.duel(rules, slow, slow, first="a")
    assert fight.mean_rounds is not None and fight.mean_rounds > 100
    figure = check(won_by_round(fight))
    assert len(figure.data[0].x) == 101 and not figure.layout.shapes
    assert figure.data[1].y[-1] == float(1 - fight.over_by(100)) > Fraction(1, 2)


def test_names_are_only_text(rules: ck.rules.Ruleset) -> None:
    evil = rules.combatant("ogre").model_copy(update={"name": EVIL})
    fight = ck.duel(rules, evil, rules.combatant("wolf"))
    assert check(won_by_round(fight)).data[0].name.startswith("&lt;img")
    check(hit_points_left(fight))
    check(won_by_round(ck.race(rules, evil, 2, rules.combatant("wolf"))))
    assert "<img" not in result_html(fight)
    sly = evil.model_copy(update={"name": "%{x} $1$"})
    fight = ck.duel(rules, sly, evil)
    for figure in (won_by_round(fight), hit_points_left(fight)):
        assert all("%{x} " not in (trace.name or "") for trace in figure.data)
        assert all(not trace.hovertemplate.startswith("%{x}") for trace in figure.data)
    assert "<img" not in result_html(ck.race(rules, evil, 2, evil))


def test_only_exact_fights_are_drawn(rules: ck.rules.Ruleset) -> None:
    wolf, ogre = rules.combatant("wolf"), rules.combatant("ogre")
    for wrong in (None, ck.duel(rules, wolf, ogre, approx=True)):
        with pytest.raises(ck.CombatkitError, match="an exact Duel or Race"):
            won_by_round(wrong)  # type: ignore[arg-type]
    with pytest.raises(ck.CombatkitError, match="hit_points_left: a Duel"):
        hit_points_left(ck.race(rules, wolf, 2, ogre))  # type: ignore[arg-type]
