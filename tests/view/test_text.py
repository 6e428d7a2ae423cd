from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.view.text import (
    LONGEST,
    Html,
    decimal,
    fraction_text,
    percent,
    plain,
    signed,
    signed_percent,
    subject,
)


@given(st.fractions())
def test_a_fraction_is_exact_or_says_that_it_is_not(value: Fraction) -> None:
    text = fraction_text(value)
    assert len(text) <= LONGEST
    if text.startswith("≈ "):
        assert len(str(value)) > LONGEST
        assert float(text[2:]) == pytest.approx(float(value), rel=1e-5)
    else:
        assert Fraction(text) == value


@pytest.mark.parametrize(
    "value",
    [
        Fraction(1, 7**9000),  # too long even for str
        Fraction(-(3**4000), 2),
        Fraction(10**400),
        Fraction(10**17 + 1, 10**21),  # one character too long
    ],
    ids=["tiny", "negative", "huge", "41 characters"],
)
def test_a_fraction_of_any_size(value: Fraction) -> None:
    near = Decimal(value.numerator) / Decimal(value.denominator)
    shown = fraction_text(value)
    assert shown.startswith("≈ ")
    assert abs(Decimal(shown[2:]) / near - 1) < Decimal("0.005")


@given(st.fractions(0, 1), st.integers(0, 3))
def test_percent_keeps_none_and_all_for_0_and_1(value: Fraction, digits: int) -> None:
    text = percent(value, digits)
    number = float(text.removeprefix("under ").removeprefix("over ").removesuffix("%"))
    assert abs(number - float(100 * value)) <= 10**-digits
    assert (number == 0) == (value == 0)
    assert (number == 100) == (value == 1)


def test_signs() -> None:
    assert signed_percent(Fraction(1, 3)) == "+33.3%"
    assert signed_percent(Fraction(-1, 3), 0) == "−33%"
    assert signed_percent(Fraction(1, 10_000)) == "+0.01%"
    assert signed_percent(Fraction(-1, 10**9)) == "≈ 0"
    assert signed(Fraction(7, 3)) == "+2.33"
    assert signed(Fraction(0)) == "0"


def test_decimals() -> None:
    assert decimal(Fraction(0)) == "0.00"
    assert decimal(Fraction(1, 3000)) == "0.000333333"
    assert decimal(Fraction(10**400)) == "1e+400"


def test_names_are_only_text() -> None:
    assert plain("<b>&'\"$x$") == "&lt;b&gt;&amp;&#x27;&quot;&#36;x&#36;"
    assert plain("a\n b\t c") == "a b c"
    assert plain("x" * 99, longest=5) == "xxxx…"


def test_html_shows_itself_in_a_notebook() -> None:
    assert Html("<p>x</p>")._repr_html_() == "<p>x</p>"


def test_subject(
    strike: ck.attacks.Strike, round_: ck.attacks.FullAttack, evil: ck.attacks.Strike
) -> None:
    assert subject(strike) == "Longsword against Ogre"
    assert subject(round_) == "Longsword against Ogre (full attack)"
    assert "<" not in subject(evil)
