"""The explorer as a page of its own: one HTML file that needs no kernel and no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

import ipywidgets as W

from combatkit_widgets.figure_view import FigureView
from combatkit_widgets.forms import STYLE, everything
from combatkit_widgets.light import hidden

# what JupyterLab would give; the fonts of the system, on white paper
COLORS = """
:root { --jp-ui-font-size0: 12px; --jp-ui-font-size1: 14px; --jp-ui-font-size2: 17px;
  --jp-ui-font-color1: #212121; --jp-ui-font-color2: #595959; --jp-border-color1: #bdbdbd;
  --jp-border-color2: #e0e0e0; --jp-layout-color1: white; --jp-layout-color2: #eeeeee;
  --jp-brand-color1: #0d5aa7; --jp-error-color1: #b3261e; }
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; font: 15px/1.45 sans-serif; }
@media print { section { break-inside: avoid; } details, .ck-save { display: none; } }
"""


def page_html(title: str, headline: str, pages: Iterable[tuple[str, Any]]) -> str:
    """Write boxes of widgets as one HTML page: their texts, tables and charts, without controls.

    Parameters
    ----------
    title : str
        Of the page; escaped here.
    headline : str
        HTML that stands first.
    pages : iterable of (str, widget)
        Title and box of each part; a box without texts and charts is left out.

    Returns
    -------
    str
        Some 5 MB, since the chart library goes along.

    Examples
    --------
    >>> import ipywidgets as W
    >>> page = page_html("A < B", "<p>85 %</p>", [("Odds", W.VBox([W.HTML("<b>17/20</b>")]))])
    >>> "<title>A &lt; B</title>" in page, "<h2>Odds</h2>" in page, "<b>17/20</b>" in page
    (True, True, True)
    """
    from plotly.offline import get_plotlyjs

    sections = "".join(
        f"<section><h2>{escape(name)}</h2>{''.join(parts)}</section>"
        for name, box in pages
        if (parts := list(_parts(box)))
    )
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        f"<meta name='viewport' content='width=device-width'><title>{escape(title)}</title>"
        f"<style>{COLORS}</style>{STYLE}<script>{get_plotlyjs()}</script></head>"
        f"<body class='ck-form ck-explorer'><h1>{escape(title)}</h1>{headline}{sections}"
        "</body></html>\n"
    )


def _parts(box: Any) -> Iterator[str]:
    """Yield the HTML of what a box shows."""
    from plotly.io import to_html

    for part in everything(box):
        if isinstance(part, FigureView) and part.figure.get("data"):
            alone = to_html(part.figure, full_html=False, include_plotlyjs=False, validate=False)
            yield f"<figure aria-label='{escape(part.alt)}'>{alone}</figure>"
        elif type(part) is W.HTML and part.value and not hidden(part):
            yield part.value
