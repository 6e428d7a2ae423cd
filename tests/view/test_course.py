from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import plotly.graph_objects as go
import pytest

import combatkit as ck
from combatkit.combat.sweeps.sweep import MEASURES
from combatkit.view import rounds_to_kill, state_odds, tornado
from combatkit.view.style import BLUE

EVIL = "<img src=x onerror=alert(1)>"


def check(figure: go.Figure) -> go.Figure:
    layout = figure.to_dict()["layout"]
    assert "transition" not in layout
    assert layout["title"]["text"]
    assert layout["xaxis"]["title"]["text"]
    assert "<img" not in str(figure.to_dict())
    validated = go.Figure(figure.to_dict())
    assert json.loads(validated.to_json()) == json.loads(figure.to_json())
    return figure


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
@pytest.mark.parametrize("rounds", [0, 1, 20])
def test_states_are_the_engines_and_fill_the_whole(ruleset: str, rounds: int) -> None:
    rules = ck.load_ruleset(ruleset)
    attack = ck.attack(rules, rules.combatant("ogre"), rules.combatant("human_warrior"))
    odds = ck.survival(attack, rounds=rounds)
    figure = check(state_odds(odds))
    assert [trace.name for trace in figure.data] == [odds.labels[state] for state in odds.states]
    columns = [*odds.by_round, odds.in_the_end, odds.in_the_end]
    for state, trace in zip(odds.states, figure.data, strict=True):
        assert trace.x[: rounds + 1] == tuple(range(rounds + 1))
        assert trace.y == tuple(float(column[state]) for column in columns)
        assert trace.stackgroup == figure.data[0].stackgroup
        for (_, text), column in zip(trace.customdata, columns, strict=True):
            assert text.startswith("≈") or Fraction(text) == column[state]
    when = [name for name, _ in figure.data[0].customdata]
    assert (when[0], when[-1]) == ("before round 1", "in the end")
    assert figure.layout.xaxis.ticktext[-1] == "in the end"
    assert figure.layout.yaxis.range == (0, 1)
    assert len({trace.fillcolor for trace in figure.data}) == len(odds.states)


def test_labels_of_states_are_only_text(strike: ck.attacks.Strike) -> None:
    odds = ck.survival(strike, rounds=2)
    named = replace(odds, labels=dict.fromkeys(odds.labels, EVIL))
    assert check(state_odds(named)).data[0].name.startswith("&lt;img")


def test_a_blow_far_beyond_need_over_20_rounds(rules: ck.rules.Ruleset) -> None:
    arms = [{"label": "Doom", "damage": "1d8", "extra": "1000d6"}]
    attack = ck.attack(rules, ck.Combatant(attack_bonus=1, weapons=arms), rules.combatant("ogre"))
    check(state_odds(ck.survival(attack, rounds=20)))
    check(rounds_to_kill(ck.kill_time(attack)))


@pytest.mark.parametrize("hit_points", [0, 1, 29, 700])
def test_rounds_to_kill_are_the_engines(strike: ck.attacks.Strike, hit_points: int) -> None:
    time = ck.kill_time(strike, hit_points)
    figure = check(rounds_to_kill(time))
    line = figure.data[0]
    assert line.y == tuple(float(time.by(rounds)) for rounds in line.x)
    for rounds, text in zip(line.x, line.customdata, strict=True):
        assert text.startswith("≈") or Fraction(text) == time.by(rounds)
    assert line.y[-1] > 0.95
    assert len(line.x) <= 52
    assert time.mean is not None
    assert figure.layout.shapes[0].path == f"M{float(time.mean)},0V1"


def test_rounds_named_in_the_title(round_: ck.attacks.FullAttack) -> None:
    time = ck.kill_time(round_)
    assert "50% by round 2; 95% by round 3" in rounds_to_kill(time).layout.title.text
    assert time.by(1) < Fraction(1, 2) <= time.by(2)
    assert time.by(2) < Fraction(95, 100) <= time.by(3)


def test_a_target_that_never_falls(rules: ck.rules.Ruleset) -> None:
    nets = ck.Combatant(attack_bonus=5, weapons=["net"])
    figure = check(rounds_to_kill(ck.kill_time(ck.attack(rules, nets, rules.combatant("ogre")))))
    assert set(figure.data[0].y) == {0}
    assert "no attack ever does damage" in figure.layout.title.text


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("table", [None, "cover"])
def test_bars_are_the_changes_largest_first(
    swept: ck.sweeps.Sweep, measure: str, table: str | None
) -> None:
    bars = check(tornado(swept, measure, table)).data[0]
    changes = [
        getattr(row.change, measure)
        for row in swept.rows
        if table is None or row.row.table == table
    ]
    effects = sorted((change for change in changes if change), key=lambda change: -abs(change))
    assert bars.x == tuple(float(change) for change in effects)
    assert list(bars.y) == list(range(len(effects)))
    for (_, text, _, _), change in zip(bars.customdata, effects, strict=True):
        assert text.startswith("≈") or Fraction(text) == change
    assert [color == BLUE for color in bars.marker.color] == [change > 0 for change in effects]


def test_rows_without_a_bar_are_accounted_for(swept: ck.sweeps.Sweep) -> None:
    idle = sum(row.change.hit_chance == 0 for row in swept.rows)
    assert f"now 85.0%; {idle} rows without effect left out" in tornado(swept).layout.title.text
    text = tornado(swept, "rounds_to_kill").layout.title.text
    assert "now 3.33; never with Total cover; " in text
    alone = tornado(swept, "rounds_to_kill", "cover").layout.title.text
    assert alone.endswith("never with Total cover; 1 row without effect left out</span>")


def test_a_base_without_end(rules: ck.rules.Ruleset) -> None:
    hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    hidden = ck.Situation(cover="total")
    swept = ck.sweep(rules, hero, rules.combatant("ogre"), situation=hidden, table="cover")
    figure = check(tornado(swept, "rounds_to_kill"))
    assert not figure.data[0].x
    assert "now never; an end only with Cover, Soft cover" in figure.layout.title.text


def test_two_rows_of_one_name_name_their_table(swept: ck.sweeps.Sweep) -> None:
    names = tornado(swept).layout.yaxis.ticktext
    assert len(names) == len(set(names))
    assert "Prone (Attack roll modifiers)" in names
    assert "Flanking the defender" in names


def test_labels_of_rows_are_only_text(swept: ck.sweeps.Sweep) -> None:
    rows = tuple(
        replace(row, row=row.row.model_copy(update={"label": EVIL}), table_label=EVIL, note=EVIL)
        for row in swept.rows
    )
    figure = check(tornado(replace(swept, rows=rows)))
    assert all(name.startswith("&lt;img") for name in figure.layout.yaxis.ticktext)


def test_what_was_not_swept_or_measured_is_refused(swept: ck.sweeps.Sweep) -> None:
    with pytest.raises(ck.CombatkitError, match="did you mean 'survival'"):
        tornado(swept, "surviva")
    with pytest.raises(ck.CombatkitError, match="did you mean 'cover'"):
        tornado(swept, table="kover")
