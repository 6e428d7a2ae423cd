"""Numbers and names as people read them: percent, short fractions, text made harmless."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import floor, log10

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack

LONGEST = 40  # characters of a fraction written out
_BITS = 140  # numerator and denominator together: no more can be 40 characters long


class Html(str):
    """HTML text that a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(self)


def fraction_text(value: Fraction) -> str:
    """Write a fraction exactly while it is short, else about six digits of it.

    Parameters
    ----------
    value : Fraction

    Returns
    -------
    str
        At most 40 characters.

    Examples
    --------
    >>> fraction_text(Fraction(11, 20)), fraction_text(Fraction(1, 3**90))
    ('11/20', '≈ 1.14574e-43')
    """
    if value.numerator.bit_length() + value.denominator.bit_length() <= _BITS:
        text = str(value)
        if len(text) <= LONGEST:
            return text
    return f"≈ {_six_digits(value)}"


def _six_digits(value: Fraction) -> str:
    try:
        near = float(value)
    except OverflowError:
        near = 0.0
    if near:
        return f"{near:.6g}"
    # beyond what a float holds, so its logarithm
    power = log10(abs(value.numerator)) - log10(value.denominator)
    return f"{'-' * (value < 0)}{10 ** (power - floor(power)):.3g}e{floor(power):+d}"


def percent(value: Fraction, digits: int = 1) -> str:
    """Write a chance as a percentage; only 0 and 1 themselves read as none and all.

    Parameters
    ----------
    value : Fraction
        0 to 1.
    digits : int, optional
        Digits after the point.

    Examples
    --------
    >>> percent(Fraction(11, 20)), percent(Fraction(1, 9000)), percent(Fraction(8999, 9000))
    ('55.0%', 'under 0.1%', 'over 99.9%')
    """
    step = Fraction(1, 10**digits)
    rounded = round(100 * value, digits)
    if rounded == 0 and value > 0:
        return f"under {float(step):.{digits}f}%"
    if rounded == 100 and value < 1:
        return f"over {float(100 - step):.{digits}f}%"
    return f"{float(rounded):.{digits}f}%"


def signed_percent(value: Fraction, digits: int = 1) -> str:
    """Write a change of a chance in percentage points, with its sign; a tiny one as about 0.

    Examples
    --------
    >>> signed_percent(Fraction(1, 10)), signed_percent(Fraction(-1, 5))
    ('+10.0%', '−20.0%')
    """
    text = signed(100 * value, digits)
    return text + "%" if text[0] in "+−" else text


def signed(value: Fraction, digits: int = 2) -> str:
    """Write a change with its sign; a small one with its first digit, a tiny one as about 0.

    Examples
    --------
    >>> signed(Fraction(5, 4)), signed(Fraction(-1, 2)), signed(Fraction(0))
    ('+1.25', '−0.50', '0')
    >>> signed(Fraction(1, 300)), signed(Fraction(1, 3**30))
    ('+0.003', '≈ 0')
    """
    if not value:
        return "0"
    if abs(value) < Fraction(1, 1000):
        return "≈ 0"
    small = abs(value) * 2 < Fraction(1, 10**digits)
    return format(float(value), "+.1g" if small else f"+.{digits}f").replace("-", "−")


def decimal(value: Fraction) -> str:
    """Write a number with two digits after the point, or as it can be read.

    Examples
    --------
    >>> decimal(Fraction(17, 2)), decimal(Fraction(10**400))
    ('8.50', '1e+400')
    """
    if value and not Fraction(1, 200) <= abs(value) < 10**9:
        return _six_digits(value)
    return f"{float(value):.2f}"


def plain(text: str, longest: int = 60) -> str:
    """Make text from people safe where ``<b>`` or ``$x$`` would be read as more than text.

    Plotly's labels know some HTML, ``%{x}`` for a value and, where MathJax is loaded, LaTeX.

    Examples
    --------
    >>> plain("<b>Grog</b> $1"), plain("Grog the Unspeakable", longest=10)
    ('&lt;b&gt;Grog&lt;/b&gt; &#36;1', 'Grog the …')
    """
    text = " ".join(text.split())
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return escape(text).replace("$", "&#36;").replace("%{", "&#37;{")


def first_strike(attack: Strike | FullAttack) -> Strike:
    """Return the strike itself, or the first of a round."""
    return attack.strikes[0] if isinstance(attack, FullAttack) else attack


def subject(attack: Strike | FullAttack) -> str:
    """Say what strikes whom, short and safe for a title."""
    first = first_strike(attack)
    weapon, target = first.weapon.label or "Attack", first.attempt.defender.name or "the target"
    round_ = " (full attack)" if isinstance(attack, FullAttack) else ""
    return f"{plain(weapon, 26)} against {plain(target, 26)}{round_}"
