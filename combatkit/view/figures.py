"""Figures of one attack or one round: hit chance and damage. Floats only where drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Literal

import plotly.graph_objects as go

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.blow import Blow, landing
from combatkit.combat.attacks.damage import hit_damage
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.errors import CombatkitError, nearest
from combatkit.prob import Dist
from combatkit.view.style import (
    BLUE,
    CIVIDIS,
    SKY,
    VERMILION,
    Parts,
    axis,
    exactly,
    figure,
    note,
    percent_axis,
    upright,
)
from combatkit.view.text import decimal, first_strike, fraction_text, percent, plain, subject

WIDEST = 60  # armor classes drawn at most
MOST_POINTS = 200  # more outcomes of damage than these are drawn in groups
AROUND = 7  # cells of the heat map on each side of the current one
NEVER, ALWAYS = 1000, -1000  # natural rolls needed that no die shows, and that every die shows


def hit_chance_by_armor_class(strike: Strike) -> go.Figure:
    """Draw the chances to hit and to score a critical hit against the armor class.

    Parameters
    ----------
    strike : Strike

    Returns
    -------
    plotly.graph_objects.Figure
        The first trace is the hit chance, the second the critical chance. The armor classes reach
        beyond both ends of the slope, where only a natural 1 misses or a natural 20 hits; the
        current one is marked.

    Examples
    --------
    >>> import combatkit as ck
    >>> rules = ck.load_ruleset("srd35")
    >>> strike = ck.attack(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))
    >>> curve = hit_chance_by_armor_class(strike).data[0]
    >>> dict(zip(curve.x, curve.customdata))[strike.armor_class.total]
    '17/20'
    """
    bonus, current = strike.attack_bonus.total, strike.armor_class.total
    classes = _armor_classes(bonus, current)
    chances = [chances_needing(strike, armor_class - bonus) for armor_class in classes]
    hits = [hit for hit, _ in chances]
    now = f"armor class {current}: hit {percent(strike.p_hit)}, "
    now += f"critical {percent(strike.p_critical)}"
    return figure(
        [
            _stairs(classes, hits, "hit", BLUE),
            _stairs(classes, [critical for _, critical in chances], "critical hit", VERMILION),
        ],
        f"Hit chance: {subject(strike)}<br>{_unless_impossible(strike, now)}",
        axis("armor class", unifiedhovertitle={"text": "armor class %{x}"}),
        percent_axis("chance", range=[0, 1.02]),
        shapes=[upright(current)],
        annotations=_plateaus(strike, classes, hits),
        legend={"x": 1, "y": 1, "xanchor": "right"},
        hovermode="x unified",
    )


def _armor_classes(bonus: int, current: int) -> range:
    low, high = min(bonus - 3, current - 2), max(bonus + 25, current + 2)
    if high - low > WIDEST:  # far off the slope: stay with the current one
        low, high = (low, low + WIDEST) if current < bonus else (high - WIDEST, high)
    return range(low, high + 1)


def chances_needing(strike: Strike, needs: int) -> tuple[Fraction, Fraction]:
    """Chance of a hit and of a critical hit if the die had to show `needs`."""
    if not strike.possible:
        return Fraction(0), Fraction(0)
    return _blow_chances(strike.blow._replace(needs=needs))


@lru_cache(maxsize=4096)
def _blow_chances(blow: Blow) -> tuple[Fraction, Fraction]:
    missed, hit, critical = landing(blow)
    total = missed + hit + critical
    return Fraction(hit + critical, total), Fraction(critical, total)


def _stairs(xs: Sequence[int], ys: list[Fraction], name: str, color: str) -> Parts:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        **exactly(xs, ys),
        "hovertemplate": "%{y:.1%} (%{customdata})",
        "line": {"shape": "hvh", "color": color, "width": 1.5},
        "marker": {"size": 5},
    }


def _plateaus(strike: Strike, classes: range, hits: list[Fraction]) -> list[Parts]:
    """Words at the two ends of the curve, where a natural 1 and a natural 20 decide."""
    rule, notes = strike.blow.procedures, []
    most, least = chances_needing(strike, ALWAYS)[0], chances_needing(strike, NEVER)[0]
    if rule.attack_natural_1 == "misses" and 0 < hits[0] == most:
        notes.append(
            note("natural 1 misses", classes[0], float(most), yref="y", xanchor="left", yshift=-11)
        )
    if rule.attack_natural_20 == "hits" and 0 < hits[-1] == least:
        notes.append(
            note("natural 20 hits", classes[-1], float(least), yref="y", xanchor="right", yshift=11)
        )
    return notes


def _unless_impossible(attack: Strike | FullAttack, text: str) -> str:
    first = first_strike(attack)
    return text if first.possible else f"not possible: {plain(first.why_not, 70)}"


def damage_pmf(attack: Strike | FullAttack) -> go.Figure:
    """Draw the chance of each amount of damage, with the mean and the quartiles.

    Parameters
    ----------
    attack : Strike or FullAttack

    Returns
    -------
    plotly.graph_objects.Figure
        Bars of damage above 0: the chance of none would dwarf them, so the second line of the title
        says it. More than 200 amounts are drawn in groups of equal width.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> bars = damage_pmf(swing).data[0]
    >>> bars.x[0], bars.customdata[0]
    (1, ['1', '99/1600'])
    """
    damage = attack.damage
    groups, width = _groups(damage)
    quartiles = [damage.quantile(Fraction(part, 4)) for part in (1, 2, 3)]
    mean, seen = damage.mean, _seen(damage)
    below = f"no damage {percent(damage.p(0))} (not drawn); mean {decimal(mean)}; "
    below += "quartiles " + ", ".join(map(str, quartiles)) + f"; most {damage.maximum}"
    each = "exactly this damage" if width == 1 else f"{width} points together"
    middle = (width - 1) / 2
    return figure(
        [
            {
                "type": "bar",
                "marker": {"color": SKY},
                "x": [low + middle if middle else low for low, _ in groups],
                "y": [float(chance) for _, chance in groups],
                "customdata": [
                    [_span(low, width), fraction_text(chance)] for low, chance in groups
                ],
                "hovertemplate": "damage %{customdata[0]}<br>%{y:.2%} (%{customdata[1]})"
                "<extra></extra>",
            }
        ],
        f"Damage: {subject(attack)}<br>{_unless_impossible(attack, below)}",
        axis("damage (hit points)", range=[-0.7, seen + width]),
        percent_axis(f"chance of {each}", **({} if groups else {"range": [0, 1]})),
        shapes=[
            upright(float(mean), color=VERMILION, dash="solid"),
            upright(*dict.fromkeys(quartiles), dash="dot"),
        ],
        annotations=_marks(quartiles, mean, seen),
        bargap=0.15,
    )


def _seen(damage: Dist) -> int:
    """Return the damage up to which bars can be seen: beyond it lies a chance of 1 in 2,000."""
    return damage.quantile(Fraction(1999, 2000)) or 10


def _groups(damage: Dist) -> tuple[list[tuple[int, Fraction]], int]:
    """Chances of the amounts above 0, in groups of one width where there are many."""
    least = max(1, damage.minimum)
    width = max(1, -(-(damage.maximum - least + 1) // MOST_POINTS))
    if width == 1:
        return [(x, chance) for x, chance in damage.items() if x > 0], 1
    lows = range(least, damage.maximum + 1, width)
    reached = [*_at_least(damage, lows), Fraction(0)]
    return [(low, reached[i] - reached[i + 1]) for i, low in enumerate(lows)], width


def _at_least(damage: Dist, xs: range) -> list[Fraction]:
    """Chances of x or more, in one pass over the weights."""
    weights = [int(weight) for weight in damage.poly.coeffs()]
    reached = [0, *accumulate(weights)]
    below = (reached[min(max(x - damage.low, 0), len(weights))] for x in xs)
    return [Fraction(damage.total - weight, damage.total) for weight in below]


def _span(low: int, width: int) -> str:
    return str(low) if width == 1 else f"{low} to {low + width - 1}"


def _marks(quartiles: list[int], mean: Fraction, seen: int) -> list[Parts]:
    """Labels above the lines of mean and quartiles; those too near to each other share one."""
    names: list[tuple[float, str]] = [
        *zip(quartiles, ("25%", "50%", "75%"), strict=True),
        (float(mean), "mean"),
    ]
    marks: list[tuple[list[float], list[str]]] = []
    for place, name in sorted(names, key=lambda mark: mark[0]):
        if not marks or place - marks[-1][0][-1] > seen / 14:
            marks.append(([], []))
        marks[-1][0].append(place)
        marks[-1][1].append(name)
    return [
        note(", ".join(labels), (places[0] + places[-1]) / 2, 1, yanchor="bottom")
        for places, labels in marks
    ]


def damage_at_least(attack: Strike | FullAttack) -> go.Figure:
    """Draw the chance to deal at least so much damage.

    Parameters
    ----------
    attack : Strike or FullAttack

    Returns
    -------
    plotly.graph_objects.Figure
        The survival function of the damage from 1 point up; the defender's hit points are marked
        where they are within reach. More than 200 amounts are drawn in equal steps.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> line = damage_at_least(swing).data[0]
    >>> line.x[0], line.customdata[0]
    (1, '11/20')
    """
    damage = attack.damage
    most = max(1, damage.maximum)
    xs = range(1, most + 1, -(-most // MOST_POINTS))
    ys = _at_least(damage, xs)
    target = first_strike(attack).attempt.defender
    points = target.hit_points + target.temporary_hit_points
    below = f"any damage at all {percent(damage.at_least(1))}"
    marks: Parts = {}
    if 0 < points <= most:
        below += f"; all {points} hit points {percent(damage.at_least(points))}"
        marks = {
            "shapes": [upright(points)],
            "annotations": [note(f"{points} hit points", points, 1, yanchor="bottom")],
        }
    return figure(
        [
            {
                "type": "scatter",
                "mode": "lines",
                **exactly(xs, ys),
                "fill": "tozeroy",
                "fillcolor": "rgba(86,180,233,0.3)",
                "line": {"shape": "vh", "color": BLUE, "width": 2},
                "hovertemplate": "%{x} or more<br>%{y:.2%} (%{customdata})<extra></extra>",
            }
        ],
        f"At least so much: {subject(attack)}<br>{_unless_impossible(attack, below)}",
        axis("damage (hit points)", range=[0, _seen(damage) + 1]),
        percent_axis("chance of at least this damage", rangemode="tozero"),
        hovermode="x",
        **marks,
    )


Measure = Literal["hit_chance", "expected_damage"]


def heat_map(strike: Strike, measure: Measure = "hit_chance") -> go.Figure:
    """Draw hit chance or expected damage over attack bonus and armor class.

    Parameters
    ----------
    strike : Strike
    measure : {"hit_chance", "expected_damage"}, optional

    Returns
    -------
    plotly.graph_objects.Figure
        15 by 15 cells around the current one, which is framed.

    Raises
    ------
    CombatkitError
        For another measure.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> heat_map(swing).data[0].customdata[7][7]
    '11/20'
    """
    if measure not in ("hit_chance", "expected_damage"):
        known = nearest(measure, ("hit_chance", "expected_damage"))
        raise CombatkitError(f"heat_map: {measure!r} is not a measure{known}")
    bonus, current = strike.attack_bonus.total, strike.armor_class.total
    multiplied = strike.critical_damage.mean
    values = []  # by natural roll needed, lowest first: all that bonus and armor class do
    for needs in range(current - bonus - 2 * AROUND, current - bonus + 2 * AROUND + 1):
        hit, critical = chances_needing(strike, needs)
        ordinary = hit_damage(strike.blow._replace(needs=needs)).mean
        damage = (hit - critical) * ordinary + critical * multiplied
        values.append(hit if measure == "hit_chance" else damage)
    size = 2 * AROUND + 1
    z, texts = [float(value) for value in values], [fraction_text(value) for value in values]
    starts = range(size - 1, -1, -1)  # a higher bonus needs less
    chance = measure == "hit_chance"
    shown = ".0%" if chance else ".1f"
    title = "Hit chance" if chance else "Expected damage"
    framed = f"framed: attack bonus {bonus:+d} against armor class {current}"
    return figure(
        [
            {
                "type": "heatmap",
                "x0": current - AROUND,
                "y0": bonus - AROUND,
                "xgap": 1,
                "ygap": 1,
                "z": [z[start : start + size] for start in starts],
                "customdata": [texts[start : start + size] for start in starts],
                "colorscale": CIVIDIS,
                "zmin": 0,
                "zmax": 1 if chance else None,
                "colorbar": {"tickformat": ".0%" if chance else "", "thickness": 12},
                "texttemplate": f"%{{z:{shown}}}",
                "textfont": {"size": 9},
                "hovertemplate": f"attack bonus %{{y}}, armor class %{{x}}<br>%{{z:{shown}}} "
                "(%{customdata})<extra></extra>",
            }
        ],
        f"{title}: {subject(strike)}<br>{_unless_impossible(strike, framed)}",
        axis("armor class", dtick=1, showgrid=False),
        axis("attack bonus", dtick=1, showgrid=False, tickformat="+d"),
        height=420,
        shapes=[
            {
                "type": "rect",
                "x0": current - 0.5,
                "x1": current + 0.5,
                "y0": bonus - 0.5,
                "y1": bonus + 0.5,
                "line": {"color": VERMILION, "width": 3},
            }
        ],
    )
