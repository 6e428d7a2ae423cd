"""Figures of a duel or a team race: who has won by when, and what is left of the winner."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

import plotly.graph_objects as go

from combatkit.combat.fights.duel import Duel
from combatkit.combat.fights.race import Race
from combatkit.errors import CombatkitError, expect
from combatkit.view.style import (
    BLUE,
    VERMILION,
    Parts,
    axis,
    exactly,
    figure,
    note,
    percent_axis,
    upright,
)
from combatkit.view.text import decimal, percent, plain

LIGHT = "#DDDDDD"
MOST_ROUNDS = 100  # drawn of a long fight
NO_MEAN = 20  # rounds drawn of a fight that may never end


def won_by_round(fight: Duel | Race) -> go.Figure:
    """Draw the chance of each side to have won by each round, stacked to 100 %.

    Parameters
    ----------
    fight : Duel or Race

    Returns
    -------
    plotly.graph_objects.Figure
        Three traces: the first side has won, both fight on, the second side has won. To about two
        and a half times the mean, at most 100 rounds; the mean is marked.

    Examples
    --------
    >>> import combatkit as ck
    >>> rules = ck.load_ruleset("srd35")
    >>> fight = ck.duel(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))
    >>> [trace.name for trace in won_by_round(fight).data]
    ['Fighter, level 6 has won', 'both fight on', 'Ogre has won']
    """
    if not isinstance(fight, Duel | Race):
        raise CombatkitError(f"won_by_round: an exact Duel or Race is needed, not {fight!r:.60}")
    mean = fight.mean_rounds
    last = NO_MEAN if mean is None else min(MOST_ROUNDS, max(4, ceil(mean * Fraction(5, 2))))
    odds, (one, two) = fight.by_round(last), fight.names
    below, marks = _chances(fight), Parts()
    if mean is not None:
        below += f"; mean {decimal(mean)} rounds"
    if mean is not None and mean <= last:
        marks["shapes"] = [upright(float(mean))]
        marks["annotations"] = [note("mean", float(mean), 1, yanchor="bottom")]
    return figure(
        [
            _area(odds, one, f"{_name(fight, one)} has won", BLUE),
            _area(odds, "both", "both fight on", LIGHT),
            _area(odds, two, f"{_name(fight, two)} has won", VERMILION),
        ],
        f"Who has won by each round<br>{below}",
        axis("rounds", range=[0, last], unifiedhovertitle={"text": "after round %{x}"}),
        percent_axis("chance", range=[0, 1]),
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top", "traceorder": "normal"},
        margin={"l": 58, "r": 14, "t": 76, "b": 72},
        hovermode="x unified",
        **marks,
    )


def hit_points_left(fight: Duel) -> go.Figure:
    """Draw the chances that a side wins a duel with so many hit points left.

    Parameters
    ----------
    fight : Duel

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a side; together the bars hold all wins of both.

    Examples
    --------
    >>> import combatkit as ck
    >>> rules = ck.load_ruleset("srd35")
    >>> fight = ck.duel(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))
    >>> [(min(trace.x), max(trace.x)) for trace in hit_points_left(fight).data]
    [(1, 49), (1, 29)]
    """
    expect(fight, Duel, "hit_points_left")
    return figure(
        [
            _bars(fight.left("a"), f"{_name(fight, 'a')} wins", BLUE),
            _bars(fight.left("b"), f"{_name(fight, 'b')} wins", VERMILION),
        ],
        f"Hit points left of the winner<br>{_chances(fight)}",
        axis("hit points left"),
        axis("chance", tickformat=".2~%", rangemode="tozero"),
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        margin={"l": 58, "r": 14, "t": 62, "b": 72},
        bargap=0.1,
    )


def _name(fight: Duel | Race, side: str) -> str:
    return plain(fight.names[side], 26)


def _chances(fight: Duel | Race) -> str:
    wins = (
        {"a": fight.p_a_wins, "b": fight.p_b_wins}
        if isinstance(fight, Duel)
        else {"team": fight.p_team_wins, "foe": fight.p_foe_wins}
    )
    return ", ".join(f"{_name(fight, side)} wins {percent(p)}" for side, p in wins.items())


def _area(odds: list[dict[str, Fraction]], end: str, name: str, color: str) -> Parts:
    return {
        "type": "scatter",
        "mode": "lines",
        "stackgroup": "fight",
        **exactly(range(len(odds)), [now[end] for now in odds]),
        "name": name,
        "line": {"width": 0},
        "fillcolor": color,
        "hovertemplate": "%{y:.2%} (%{customdata})",
    }


def _bars(odds: Mapping[int, Fraction], name: str, color: str) -> Parts:
    return {
        "type": "bar",
        **exactly(odds, odds.values()),
        "name": name,
        "marker": {"color": color, "line": {"width": 0}},
        "hovertemplate": f"{name} with %{{x}} left<br>%{{y:.2%}} (%{{customdata}})<extra></extra>",
    }
