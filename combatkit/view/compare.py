"""Figures that show several encounters together, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil

import plotly.graph_objects as go

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.fights.duel import Duel
from combatkit.combat.health.kill_time import KillTime
from combatkit.combat.health.survival import Survival
from combatkit.prob import Dist
from combatkit.view.figures import chances_needing
from combatkit.view.style import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    Parts,
    axis,
    exactly,
    figure,
    percent_axis,
)
from combatkit.view.text import decimal, percent, plain

COLORS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_ROUNDS = 60
MOST_POINTS = 200
AROUND = 12  # armor classes to each side of the targets'
Curve = tuple[Sequence[int], list[Fraction]]


def hit_chances_together(strikes: Mapping[str, Strike]) -> go.Figure:
    """Draw the chance to hit against each armor class around the targets', a line for each name."""
    targets = [strike.armor_class.total for strike in strikes.values()]
    classes = range(min(targets, default=0) - AROUND, max(targets, default=0) + AROUND + 1)
    classes = classes[:MOST_POINTS]
    curves = {
        name: (classes, [chances_needing(one, x - one.attack_bonus.total)[0] for x in classes])
        for name, one in strikes.items()
    }
    told = {
        name: f"{percent(one.p_hit)} against {one.armor_class.total}"
        for name, one in strikes.items()
    }
    return _together(curves, "Hit chance", "armor class", told, rangemode="normal")


def damage_together(damages: Mapping[str, Dist]) -> go.Figure:
    """Draw the chance to deal at least so much damage, a line for each name.

    Examples
    --------
    >>> import combatkit as ck
    >>> drawn = damage_together({"a d6": ck.dice("1d6"), "a d8": ck.dice("1d8")})
    >>> [trace.name for trace in drawn.data]
    ['a d6', 'a d8']
    """
    most = max((damage.maximum for damage in damages.values()), default=1)
    xs = range(1, max(1, most) + 1, max(1, -(-most // MOST_POINTS)))
    curves = {name: (xs, [one.at_least(x) for x in xs]) for name, one in damages.items()}
    means = {name: f"mean {decimal(one.mean)}" for name, one in damages.items()}
    return _together(curves, "Damage of a round, at least", "damage (hit points)", means)


def kills_together(times: Mapping[str, KillTime]) -> go.Figure:
    """Draw the chance that the target is down by each round, a line for each name."""
    means = [time.mean for time in times.values()]
    last = max((ceil(2 * mean) for mean in means if mean is not None), default=10)
    rounds = range(min(MOST_ROUNDS, max(4, last)) + 1)
    curves = {name: (rounds, [one.by(r) for r in rounds]) for name, one in times.items()}
    told = {
        name: "never" if mean is None else f"mean {decimal(mean)} rounds"
        for name, mean in zip(times, means, strict=True)
    }
    return _together(curves, "Down by each round", "rounds", told)


def survival_together(survivals: Mapping[str, Survival]) -> go.Figure:
    """Draw the chance to be up after each round, a line for each name."""
    curves = {
        name: (range(len(one.by_round)), [odds["up"] for odds in one.by_round])
        for name, one in survivals.items()
    }
    last = {name: percent(ys[-1]) for name, (_, ys) in curves.items()}
    return _together(curves, "Up after each round", "rounds", last)


def wins_together(duels: Mapping[str, Duel]) -> go.Figure:
    """Draw the chance that the first side has won by each round, a line for each name."""
    means = [duel.mean_rounds for duel in duels.values()]
    last = max((ceil(2 * mean) for mean in means if mean is not None), default=10)
    rounds = range(min(MOST_ROUNDS, max(4, last)) + 1)
    curves = {
        name: (rounds, [odds["a"] for odds in duel.by_round(rounds[-1])])
        for name, duel in duels.items()
    }
    winner = plain(next(iter(duels.values())).names["a"], 40) if duels else "The first"
    told = {name: percent(duel.p_a_wins) for name, duel in duels.items()}
    return _together(curves, f"{winner} has won the duel by each round", "rounds", told)


def _together(
    curves: Mapping[str, Curve],
    title: str,
    x: str,
    told: Mapping[str, str],
    rangemode: str = "tozero",
) -> go.Figure:
    below = "; ".join(f"{plain(name, 24)}: {said}" for name, said in told.items())
    return figure(
        list(_lines(curves)),
        f"{title}<br>{below}",
        axis(x, rangemode=rangemode),
        percent_axis("chance", range=[0, 1.02]),
        legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"},
        margin={"l": 58, "r": 14, "t": 62, "b": 72},
        hovermode="x unified",
    )


def _lines(curves: Mapping[str, Curve]) -> Iterator[Parts]:
    for number, (name, (xs, ys)) in enumerate(curves.items()):
        look = {
            "color": COLORS[number % len(COLORS)],
            "dash": DASHES[number % len(DASHES)],
            "width": 2,
            "shape": "hv",
        }
        yield {
            "type": "scatter",
            "mode": "lines",
            "name": plain(name, 40),
            **exactly(xs, ys),
            "line": look,
            "hovertemplate": "%{y:.1%} (%{customdata})",
        }
