"""The notebook table: well formed, few rows, nothing hidden without saying so."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from combatkit.prob import Dist
from combatkit.prob.show import MAX_ROWS, brief


def table(dist: Dist) -> ElementTree.Element:
    return ElementTree.fromstring(dist._repr_html_())


def texts(dist: Dist) -> list[str]:
    return ["".join(row.itertext()) for row in table(dist).findall("./tbody/tr")]


def test_small_table_shows_everything() -> None:
    assert texts(Dist({-1: 1, 2: 3})) == ["-125.00%", "275.00%"]
    caption = table(2 @ Dist.die(6)).findtext("caption")
    assert caption == "2 to 12, mean 7, standard deviation 2.415"
    assert table(Dist.constant(4)).findtext("caption") == "4 to 4, mean 4, standard deviation 0"


def test_exact_fraction_and_hidden_bar() -> None:
    row = table(Dist.die(6)).findall("./tbody/tr")[0]
    head, chance, bar = list(row)
    assert (head.tag, head.get("scope")) == ("th", "row")
    assert (chance.text, chance.get("title")) == ("16.67%", "1/6")
    assert bar.get("aria-hidden") == "true"


def test_long_tails_are_summed_up() -> None:
    dist = 100 @ Dist.die(6)
    rows = texts(dist)
    assert len(rows) == MAX_ROWS + 2
    lower = re.fullmatch(r"(\d+) lower not shown \((\d+) to (\d+)\): ([\d.]+)% together", rows[0])
    upper = re.fullmatch(r"(\d+) higher not shown \((\d+) to (\d+)\): ([\d.]+)% together", rows[-1])
    assert lower and upper
    assert (int(lower[2]), int(upper[3])) == (100, 600)
    assert int(lower[1]) + int(upper[1]) + MAX_ROWS == len(dist)
    assert float(lower[4]) == pytest.approx(float(100 * dist.cdf(int(lower[3]))), abs=0.005)


def test_extremes_are_not_rounded_to_certainty() -> None:
    rows = texts(Dist({0: 1, 1: 10**9}))
    assert rows == ["0under 0.01%", "1over 99.99%"]
    assert len(texts(Dist.uniform(1, 41))) == MAX_ROWS + 1
    assert "1 higher not shown (41)" in texts(Dist.uniform(1, 41))[-1]


def test_brief() -> None:
    assert brief(Fraction(-7, 2)) == "-7/2"
    assert brief(Fraction(1, 3**60)).startswith("about 2.3")
