"""How a distribution looks in a notebook: an accessible table with bars."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import sqrt

MAX_ROWS = 40  # more outcomes than these: the unlikelier tails are summed up in one line each
_SHORT_BITS = 30  # a fraction with longer numbers is shown rounded

Weights = list[tuple[int, int]]


def brief(value: Fraction) -> str:
    """Write a fraction exactly while it is short, rounded otherwise.

    Examples
    --------
    >>> brief(Fraction(7, 2)), brief(Fraction(1, 3**40))
    ('7/2', 'about 8.22526e-20')
    """
    if value.denominator.bit_length() <= _SHORT_BITS:
        return str(value)
    return f"about {float(value):.6g}"


def distribution_html(weights: Weights, total: int, mean: Fraction, variance: Fraction) -> str:
    """Return an HTML table of the outcomes: number, chance, bar.

    Parameters
    ----------
    weights : list of (outcome, weight)
        Ascending, weights above 0 over `total`.
    total : int
        The sum of the weights.
    mean, variance : Fraction
        For the caption.

    Returns
    -------
    str
        At most 40 rows of outcomes; a tail left out is one line that says so. The exact fraction is
        the tooltip of its percentage; the bars are hidden from screen readers.
    """
    lower, shown, upper = _split(weights)
    caption = f"{weights[0][0]} to {weights[-1][0]}, mean {brief(mean)}, standard deviation "
    caption += brief(Fraction(0)) if variance == 0 else f"{sqrt(variance):.4g}"
    tallest = max(weight for _, weight in shown)
    rows = [_row(x, Fraction(weight, total), weight / tallest) for x, weight in shown]
    rows = [*_elided(lower, total, "lower"), *rows, *_elided(upper, total, "higher")]
    head = '<th scope="col">outcome</th><th scope="col">chance</th><td aria-hidden="true"></td>'
    return (
        '<table class="combatkit-dist">'
        f'<caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _split(weights: Weights) -> tuple[Weights, Weights, Weights]:
    """Cut the lighter end, again and again, until few enough rows are left."""
    first, last = 0, len(weights) - 1
    while last - first >= MAX_ROWS:
        if weights[first][1] < weights[last][1]:
            first += 1
        else:
            last -= 1
    return weights[:first], weights[first : last + 1], weights[last + 1 :]


def _percent(chance: Fraction) -> str:
    if chance < Fraction(1, 20_000):
        return "under 0.01%"
    if chance < 1 and chance > 1 - Fraction(1, 20_000):
        return "over 99.99%"
    return f"{float(100 * chance):.2f}%"


def _row(outcome: int, chance: Fraction, share: float) -> str:
    bar = f"height:0.8em;width:{160 * share:.1f}px;min-width:1px;background:#4c78a8"
    return (
        f'<tr><th scope="row">{outcome}</th>'
        f'<td title="{escape(brief(chance))}">{escape(_percent(chance))}</td>'
        f'<td aria-hidden="true" style="text-align:left"><div style="{bar}"></div></td></tr>'
    )


def _elided(tail: Weights, total: int, which: str) -> list[str]:
    if not tail:
        return []
    chance = Fraction(sum(weight for _, weight in tail), total)
    reach = str(tail[0][0]) if len(tail) == 1 else f"{tail[0][0]} to {tail[-1][0]}"
    text = f"{len(tail)} {which} not shown ({reach}): {_percent(chance)} together"
    return [f'<tr><td colspan="3" style="text-align:left">{escape(text)}</td></tr>']
