"""Tables as text: what is in them comes out of the other program as it went in."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from combatkit.view import to_csv, to_latex, to_markdown

CELLS = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20)
TABLES = st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=4)


@given(TABLES)
def test_csv_comes_back(rows: list[list[str]]) -> None:
    heads, *back = csv.reader(io.StringIO(to_csv(["a", "b"], rows), newline=""))
    assert heads == ["a", "b"] and len(back) == len(rows)
    for wanted, got in zip(rows, back, strict=True):
        assert [cell.removeprefix("'") for cell in got] == [
            cell.removeprefix("'") for cell in wanted
        ]


def test_a_spreadsheet_gets_no_formula() -> None:
    rows = [["=HYPERLINK(1)", "@x"], ["-cmd", "+1"], ["-4", "+17/20"], ["-1.5%", "−5"]]
    got = list(csv.reader(io.StringIO(to_csv(["a", "b"], rows))))[1:]
    assert got == [["'=HYPERLINK(1)", "'@x"], ["'-cmd", "+1"], ["-4", "+17/20"], ["-1.5%", "−5"]]


@given(TABLES)
def test_markdown_keeps_its_cells(rows: list[list[str]]) -> None:
    lines = to_markdown(["a", "b"], rows).splitlines()
    assert len(lines) == 2 + len(rows)
    assert all(line.count("|") == 3 for line in lines)


@given(TABLES)
def test_latex_escapes_what_it_would_run(rows: list[list[str]]) -> None:
    text = to_latex(["a", "b"], rows)
    body = text.replace(r"\textbackslash{}", "").replace(r"\\", "")
    assert body.count("%") == body.count(r"\%") and body.count("$") >= body.count(r"\$")
    assert text.count(" & ") >= 1 + len(rows)
