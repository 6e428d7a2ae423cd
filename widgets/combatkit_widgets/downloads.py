"""Links that save a table: CSV, Markdown, LaTeX."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape

from combatkit import view

FORMATS = (
    ("CSV", "csv", "text/csv", view.to_csv),
    ("Markdown", "md", "text/markdown", view.to_markdown),
    ("LaTeX", "tex", "text/x-tex", view.to_latex),
)


def download_links(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return links that save a table under a name; the content stands in the links themselves.

    Examples
    --------
    >>> links = download_links("odds", ["Row"], [["Prone"]])
    >>> "download='odds.csv'" in links, "download='odds.md'" in links
    (True, True)
    """
    links = []
    for label, ending, kind, write in FORMATS:
        content = base64.b64encode(write(heads, rows).encode()).decode()
        links.append(
            f"<a download='{escape(name)}.{ending}' href='data:{kind};base64,{content}'>{label}</a>"
        )
    return f"<p class='ck-note'>Save this table: {' · '.join(links)}</p>"
