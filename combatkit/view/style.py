"""How every figure looks: one layout, and colors that color-blind people can tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import plotly.graph_objects as go
from plotly.colors import make_colorscale, sequential

from combatkit.view.text import fraction_text

# Okabe and Ito, "Color Universal Design" (2008); its black softened.
BLACK, ORANGE, SKY, GREEN = "#333333", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GRAY = "#666666"

CIVIDIS = make_colorscale(sequential.Cividis)  # even and safe for the color-blind

Parts = dict[str, Any]
NO_TEMPLATE: Parts = {"data": {"scatter": [{"type": "scatter"}]}}  # what plotly's "none" holds


def figure(traces: list[Parts], title: str, x: Parts, y: Parts, **more: Any) -> go.Figure:
    """Put traces into the common layout.

    Parameters
    ----------
    traces : list of dict
    title : str
        Text already safe; what follows ``<br>`` is a smaller second line.
    x, y : dict
        The axes.
    **more
        Further layout.
    """
    head, _, below = title.partition("<br>")
    if below:
        head += f"<br><span style='font-size:12px;color:{GRAY}'>{below}</span>"
    return go.Figure(
        _validate=False,  # tests validate every figure once; the explorer draws seven at a time
        data=traces,
        layout={
            "template": NO_TEMPLATE,
            "title": {
                "text": head,
                "font": {"size": 15},
                "x": 0.015,
                "y": 1,
                "yanchor": "top",
                "pad": {"t": 14},
            },
            "font": {"size": 12, "color": BLACK},
            "margin": {"l": 58, "r": 14, "t": 62, "b": 44},
            "height": 340,
            "xaxis": {"zeroline": False, **x},
            "yaxis": {"zeroline": False, **y},
            **{name: part for name, part in more.items() if part != []},
        },
    )


def exactly(xs: Iterable[int], chances: Iterable[Fraction]) -> Parts:
    """Return points to draw, each with its exact fraction for the hover text."""
    exact = list(chances)
    return {
        "x": list(xs),
        "y": [float(chance) for chance in exact],
        "customdata": [fraction_text(chance) for chance in exact],
    }


def axis(title: str, **more: Any) -> Parts:
    """Return an axis with its title."""
    return {"title": {"text": title, "standoff": 8}, **more}


def percent_axis(title: str, **more: Any) -> Parts:
    """Return an axis of chances."""
    return axis(title, tickformat=".0%", **more)


def upright(*xs: float, color: str = GRAY, dash: str = "dash") -> Parts:
    """Return one shape: a line from bottom to top at each x."""
    return {
        "type": "path",
        "path": "".join(f"M{x},0V1" for x in xs),
        "yref": "paper",
        "line": {"color": color, "width": 1.5, "dash": dash},
    }


def note(text: str, x: float, y: float, **more: Any) -> Parts:
    """Return words on the picture: `x` in data, `y` from 0 (bottom) to 1 (top)."""
    return {
        "text": text,
        "x": x,
        "y": y,
        "yref": "paper",
        "showarrow": False,
        "font": {"size": 11, "color": GRAY},
        **more,
    }
