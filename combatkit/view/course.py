"""Figures of a whole fight, and of what modifiers are worth in it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil

import plotly.graph_objects as go

from combatkit.combat.health.kill_time import KillTime
from combatkit.combat.health.survival import Survival
from combatkit.combat.sweeps.sweep import MEASURES, Sweep, SweepRow
from combatkit.errors import CombatkitError, nearest
from combatkit.prob import Dist
from combatkit.view.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    Parts,
    axis,
    exactly,
    figure,
    note,
    percent_axis,
    upright,
)
from combatkit.view.text import (
    decimal,
    fraction_text,
    percent,
    plain,
    signed,
    signed_percent,
)

STATE_COLORS = {
    "up": GREEN,
    "staggered": BLUE,
    "unconscious": PURPLE,
    "disabled": YELLOW,
    "dying": ORANGE,
    "stable": SKY,
    "dead": BLACK,
}
MOST_ROUNDS = 1000  # drawn of a long fight
STEPS = 50  # points drawn of a long fight, about


def state_odds(survival: Survival) -> go.Figure:
    """Draw the odds of each state of health after each round, stacked to 100 %.

    Parameters
    ----------
    survival : Survival

    Returns
    -------
    plotly.graph_objects.Figure
        One trace a state, healthiest at the bottom. Set apart at the right: in the end, when the
        dying have met their fate.

    Examples
    --------
    >>> import combatkit as ck
    >>> rules = ck.load_ruleset("srd35")
    >>> swing = ck.attack(rules, rules.combatant("ogre"), rules.combatant("human_warrior"))
    >>> [trace.name for trace in state_odds(ck.survival(swing, rounds=3)).data]
    ['Up', 'Disabled', 'Dying', 'Stable', 'Dead']
    """
    rounds = len(survival.by_round) - 1
    end_from, end_to = rounds + 0.08 * (rounds + 2), rounds + 0.18 * (rounds + 2)
    xs = [*range(rounds + 1), end_from, end_to]
    when = [*(f"after round {number}" for number in range(rounds + 1)), "in the end", "in the end"]
    when[0] = "before round 1"
    columns = [*survival.by_round, survival.in_the_end, survival.in_the_end]
    step = max(1, ceil(rounds / 10))
    ticks = [*range(0, rounds + 1, step), (end_from + end_to) / 2]
    return figure(
        [
            {
                "type": "scatter",
                "mode": "lines",
                "stackgroup": "health",
                "x": xs,
                "name": plain(survival.labels[state], 24),
                "y": [float(odds[state]) for odds in columns],
                "customdata": [
                    [name, fraction_text(odds[state])]
                    for name, odds in zip(when, columns, strict=True)
                ],
                "line": {"width": 0},
                "fillcolor": STATE_COLORS.get(state, PURPLE),
                # the hover box's title knows only x, so its first line says which round
                "hovertemplate": "%{y:.2%} (%{customdata[1]})<extra>"
                f"{'' if index else '%{customdata[0]}<br>'}%{{fullData.name}}</extra>",
            }
            for index, state in enumerate(survival.states)
        ],
        f"State of the defender<br>not dead in the end: {percent(survival.p_alive)}",
        axis(
            "round",
            range=[0, end_to],
            tickvals=ticks,
            ticktext=[*map(str, ticks[:-1]), "in the end"],
            showgrid=False,
            unifiedhovertitle={"text": "Chance of each state"},
        ),
        percent_axis("chance", range=[0, 1]),
        # a gap where the areas would run on from the last round into the end
        shapes=[
            {
                "type": "rect",
                "x0": rounds,
                "x1": end_from,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "fillcolor": "white",
                "line": {"width": 0},
            }
        ],
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "traceorder": "normal"},
        margin={"l": 58, "r": 14, "t": 84, "b": 44},
        hovermode="x unified",
        hoverlabel={"font": {"size": 11}},
    )


def rounds_to_kill(kill_time: KillTime) -> go.Figure:
    """Draw the chance that the target is down by each round.

    Parameters
    ----------
    kill_time : KillTime

    Returns
    -------
    plotly.graph_objects.Figure
        To about two and a half times the mean, at most 1,000 rounds; the mean is marked. A long
        fight is drawn in steps of several rounds.

    Examples
    --------
    >>> import combatkit as ck
    >>> time = ck.kill_time(ck.Dist({0: 1, 1: 1}), hit_points=2)
    >>> line = rounds_to_kill(time).data[0]
    >>> line.x[:4], line.customdata[:4]
    ((0, 1, 2, 3), ('0', '0', '1/4', '1/2'))
    """
    mean = kill_time.mean
    last = 10 if mean is None else min(MOST_ROUNDS, max(4, ceil(mean * Fraction(5, 2))))
    stride = ceil(last / STEPS)
    chances = _down_by(kill_time, stride, ceil(last / stride))
    xs = [stride * number for number in range(len(chances))]
    if mean is None:
        never = (
            "no attack ever does damage" if kill_time.damage.maximum == 0 else "it is never down"
        )
        below, marks = never, {}
    else:
        below = f"mean {decimal(mean)} rounds" + _reached(xs, chances)
        marks = {
            "shapes": [upright(float(mean), color=VERMILION)],
            "annotations": [note("mean", float(mean), 1, yanchor="bottom")],
        }
    return figure(
        [
            {
                "type": "scatter",
                "mode": "lines+markers",
                **exactly(xs, chances),
                "line": {"shape": "hv", "color": BLUE, "width": 2},
                "marker": {"size": 6},
                "hovertemplate": "by round %{x}<br>%{y:.1%} (%{customdata})<extra></extra>",
            }
        ],
        f"Rounds to bring {kill_time.needed} hit points down<br>{below}",
        axis("rounds", range=[-0.01 * last, 1.02 * xs[-1]]),
        percent_axis("chance to be down by then", range=[0, 1.02]),
        **marks,
    )


def _down_by(kill_time: KillTime, stride: int, steps: int) -> list[Fraction]:
    """Chances to be down after every `stride` rounds, one after the other."""
    needed = max(0, kill_time.needed)
    if kill_time.course is not None and needed:
        return kill_time.course.down_by(stride * steps)[::stride]
    blow = kill_time.damage.clip(high=needed)
    for _ in range(stride - 1):
        blow = (blow + kill_time.damage.clip(high=needed)).clip(high=needed)
    taken, chances = Dist.constant(0), []
    for _ in range(steps + 1):
        chances.append(taken.at_least(needed))
        taken = (taken + blow).clip(high=needed)
    return chances


def _reached(rounds: list[int], chances: list[Fraction]) -> str:
    """Say by which rounds the target is down with even odds and almost surely."""
    if rounds[1] - rounds[0] > 1:
        return ""
    text = ""
    for level in (50, 95):
        first = next((n for n, p in zip(rounds, chances, strict=True) if 100 * p >= level), None)
        text += f"; {level}% by round {first}" if first is not None else ""
    return text


POINTS = "percentage points"
UNITS = {
    "hit_chance": ("hit chance", POINTS),
    "critical_chance": ("critical chance", POINTS),
    "expected_damage": ("expected damage", "hit points a round"),
    "rounds_to_kill": ("mean rounds to kill", "rounds"),
    "survival": ("the defender's survival", POINTS),
}


def tornado(sweep: Sweep, measure: str = "hit_chance", table: str | None = None) -> go.Figure:
    """Draw what each row of the modifier tables changes, the largest effect on top.

    Parameters
    ----------
    sweep : Sweep
    measure : {"hit_chance", "critical_chance", "expected_damage", "rounds_to_kill", "survival"}
    table : str, optional
        Id of one modifier table; all that were swept when left out.

    Returns
    -------
    plotly.graph_objects.Figure
        Rows without an effect are left out and
        counted; where the rounds to kill have no end there is no bar, and the row is named instead.

    Raises
    ------
    CombatkitError
        For another measure, or a table that was not swept.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> guard = ck.Combatant(armor_class=16)
    >>> swept = ck.sweep(ck.load_ruleset("srd35"), hero, guard, table="cover")
    >>> bars = tornado(swept).data[0]
    >>> bars.customdata[0][1], bars.x[0]
    ('-11/20', -0.55)
    """
    if measure not in MEASURES:
        raise CombatkitError(f"tornado: {measure!r} is not a measure{nearest(measure, MEASURES)}")
    swept = {row.row.table for row in sweep.rows}
    if table is not None and table not in swept:
        raise CombatkitError(f"tornado: table {table!r} was not swept{nearest(table, swept)}")
    changes = [
        (row, getattr(row.change, measure))
        for row in sweep.rows
        if table is None or row.row.table == table
    ]
    bars = [(row, change) for row, change in changes if change]
    bars.sort(key=lambda bar: -abs(bar[1]))  # rows of equal effect keep the order of the text
    name, unit = UNITS[measure]
    write = signed_percent if unit == POINTS else signed
    texts = [write(change) for _, change in bars]
    names = _labels([row for row, _ in bars])
    return figure(
        [
            {
                "type": "bar",
                "orientation": "h",
                "y": list(range(len(bars))),
                "x": [float(change) for _, change in bars],
                "customdata": [
                    [name, fraction_text(change), plain(row.table_label), plain(row.note, 90)]
                    for name, (row, change) in zip(names, bars, strict=True)
                ],
                "hovertemplate": "<b>%{customdata[0]}</b><br>%{text} (%{customdata[1]})"
                "<br>%{customdata[2]}<br>%{customdata[3]}<extra></extra>",
                "text": texts,
                "textposition": "outside",
                "cliponaxis": False,
                "marker": {"color": [BLUE if change > 0 else VERMILION for _, change in bars]},
            }
        ],
        f"What changes {name}<br>{_summary(sweep, measure, changes)}",
        axis(
            f"change of {name} ({unit})",
            tickformat="+.0%" if unit == POINTS else "+",
            zeroline=True,
            **_room([float(change) for _, change in bars]),
        ),
        {
            "tickvals": list(range(len(bars))),
            "ticktext": names,
            "automargin": True,
            "showgrid": False,
            "range": [len(bars) - 0.4, -0.6],
        },
        height=120 + 21 * max(4, len(bars)),
        bargap=0.25,
    )


def _room(changes: list[float]) -> Parts:
    """Reach from the largest loss to the largest gain, with room for the numbers at the bars."""
    low, high = min(0.0, *changes, 0.0), max(0.0, *changes, 0.0)
    if low == high:
        return {"range": [-1, 1], "showticklabels": False}
    room = 0.33 * (high - low)
    return {"range": [low - room * (low < 0), high + room * (high > 0)]}


def _labels(rows: list[SweepRow]) -> list[str]:
    """Name the rows; those whose name comes twice with their table."""
    often = Counter(row.row.label for row in rows)
    return [
        plain(row.row.label, 32)
        + (f" ({plain(row.table_label, 24)})" if often[row.row.label] > 1 else "")
        for row in rows
    ]


def _summary(sweep: Sweep, measure: str, changes: list[tuple[SweepRow, Fraction | None]]) -> str:
    """Say what holds now, which rows have no bar as no fight ends, and what is left out."""
    base = getattr(sweep.base, measure)
    share = UNITS[measure][1] == POINTS
    parts = [f"now {'never' if base is None else percent(base) if share else decimal(base)}"]
    endless = [
        row
        for row, change in changes
        if change is None and (base is None) != (row.measured.rounds_to_kill is None)
    ]
    if endless:
        head = "an end only with" if base is None else "never with"
        more = f" and {len(endless) - 3} more" if len(endless) > 3 else ""
        parts.append(f"{head} {', '.join(plain(row.row.label, 24) for row in endless[:3])}{more}")
    idle = sum(not change for _, change in changes) - len(endless)
    if idle:
        parts.append(f"{idle} row{'s' if idle > 1 else ''} without effect left out")
    return "; ".join(parts)
