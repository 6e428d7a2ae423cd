"""Tables as text that other programs take: CSV, Markdown, LaTeX. All content is escaped."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from combatkit.view.receipt import markdown_cell

Cells = Sequence[str]
LATEX = {
    "\\": r"\textbackslash{}",
    **{mark: rf"\{mark}" for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "≈": r"$\approx$",
}


def to_csv(heads: Cells, rows: Iterable[Cells]) -> str:
    r"""Write a table as CSV with commas.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.

    Examples
    --------
    >>> to_csv(["Row", "Hit"], [["=1+1", "17/20"]])
    "Row,Hit\r\n'=1+1,17/20\r\n"
    """
    text = io.StringIO()
    csv.writer(text).writerows([_plain(cell) for cell in row] for row in (heads, *rows))
    return text.getvalue()


def _plain(cell: str) -> str:
    number = cell.lstrip("+-").replace("/", "").replace(".", "").replace("%", "").isdigit()
    return cell if number or not cell.startswith(("=", "+", "-", "@", "\t")) else f"'{cell}"


def to_markdown(heads: Cells, rows: Iterable[Cells]) -> str:
    r"""Write a table in Markdown.

    Examples
    --------
    >>> print(to_markdown(["Row", "Hit"], [["Prone", "19/20"]]))
    | Row | Hit |
    | --- | --- |
    | Prone | 19/20 |
    """
    lines = [heads, ["---"] * len(heads)]
    body = [[markdown_cell(cell) for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in (*lines, *body))


def to_latex(heads: Cells, rows: Iterable[Cells]) -> str:
    r"""Write a table in LaTeX.

    Examples
    --------
    >>> print(to_latex(["Row", "Hit"], [["A & B", "19/20"]]))
    \begin{tabular}{ll}
    Row & Hit \\
    \hline
    A \& B & 19/20 \\
    \end{tabular}
    """
    written = [" & ".join(map(_latex, row)) + r" \\" for row in (heads, *rows)]
    body = "\n".join([written[0], r"\hline", *written[1:]])
    return f"\\begin{{tabular}}{{{'l' * len(heads)}}}\n{body}\n\\end{{tabular}}"


def _latex(cell: str) -> str:
    return "".join(LATEX.get(mark, mark) for mark in cell)
