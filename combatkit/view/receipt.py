"""Receipts and sweeps as tables: HTML, Markdown and DataFrames. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.nonlethal import is_harmless
from combatkit.combat.sweeps.sweep import MEASURES, Sweep, SweepRow
from combatkit.rules import Line, Tally
from combatkit.rules.equipment import ENERGIES
from combatkit.view.text import (
    Html,
    decimal,
    fraction_text,
    percent,
    signed,
    signed_percent,
)

if TYPE_CHECKING:
    import pandas as pd

# What Markdown, its tables or MathJax would take for more than text.
MARKUP = str.maketrans({mark: f"&#{ord(mark)};" for mark in "\\`*_[]|~$#!^"})


def receipt_html(strike: Strike) -> Html:
    """Write the receipt of an attack: the three tallies, the results, the options chosen.

    Parameters
    ----------
    strike : Strike

    Returns
    -------
    Html
        Text that notebooks show as HTML. A modifier that does not count is struck through and has
        its reason; an attack that cannot be made says why in an element with ``role="alert"``.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(name="<b>Hero</b>", attack_bonus=6, weapons=["longsword"])
    >>> receipt = receipt_html(ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant()))
    >>> "&lt;b&gt;Hero&lt;/b&gt;" in receipt
    True
    """
    parts = [f"<p>{escape(_heading(strike))}</p>"]
    if not strike.possible:
        parts.append(f"<p role='alert'>Not possible: {escape(strike.why_not)}</p>")
    parts += [tally_html(tally) for tally in _tallies(strike)]
    results = "".join(
        f"<tr><th scope='row'>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in _results(strike)
    )
    parts.append(
        f"<table class='ck-receipt'><caption>Result</caption><tbody>{results}</tbody></table>"
    )
    if options := "".join(f"<li>{escape(option)}</li>" for option in _options(strike)):
        parts.append(f"<p>Options chosen:</p><ul>{options}</ul>")
    parts.append(remarks_html(strike))
    return Html("".join(parts))


def remarks_html(strike: Strike) -> Html:
    """List the feats, and what else leaves the odds of an attack as they are, with the reasons."""
    listed = "".join(f"<li>{escape(remark.text)}</li>" for remark in strike.remarks)
    return Html(f"<p>Does not change these odds:</p><ul>{listed}</ul>" if listed else "")


def tally_html(tally: Tally) -> Html:
    """Write one tally as a table: value, modifier, rule; words and full citation on hover."""
    heads = "".join(f"<th scope='col'>{head}</th>" for head in ("Value", "Modifier", "Rule"))
    return Html(
        "<table class='ck-receipt'>"
        f"<caption>{escape(tally.title)}: <b>{tally.total}</b></caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(map(_tally_row, tally.lines))}</tbody>"
        "</table>"
    )


def _tally_row(line: Line) -> str:
    value = f"{line.value:+d}" if line.counted else f"<s>{line.value:+d}</s>"
    why = f"<br><small>{escape(line.why)}</small>" if line.why else ""
    return (
        f"<tr><td style='text-align:right'>{value}</td>"
        f"<td{_hover(line.note)}>{escape(line.label)}{why}</td>"
        f"<td{_hover(str(line.cite))}><small>{escape(line.cite.short)}</small></td></tr>"
    )


def _hover(text: str) -> str:
    return f" title='{escape(text)}'" if text else ""


def receipt_markdown(strike: Strike) -> str:
    r"""Write the receipt of an attack in Markdown; see :func:`receipt_html`.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(name="Hero", attack_bonus=6, weapons=["longsword"])
    >>> receipt = receipt_markdown(ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant()))
    >>> print("\n".join(receipt.splitlines()[:3]))
    Hero strikes the target with Longsword.
    <BLANKLINE>
    **Attack bonus: 6**
    """
    blocks = [markdown_cell(_heading(strike))]
    if not strike.possible:
        blocks.append(f"**Not possible:** {markdown_cell(strike.why_not)}")
    for tally in _tallies(strike):
        blocks.append(f"**{markdown_cell(tally.title)}: {tally.total}**")
        blocks.append(
            "\n".join(
                [
                    "| Value | Modifier | Rule |",
                    "| ---: | --- | --- |",
                    *map(_markdown_row, tally.lines),
                ]
            )
        )
    rows = [f"| {markdown_cell(name)} | {markdown_cell(text)} |" for name, text in _results(strike)]
    blocks.append("\n".join(["| Result | |", "| --- | --- |", *rows]))
    blocks += [f"- Option chosen: {markdown_cell(option)}" for option in _options(strike)]
    blocks += [f"- Does not change these odds: {markdown_cell(one.text)}" for one in strike.remarks]
    return "\n\n".join(blocks)


def receipt_frame(strike: Strike) -> pd.DataFrame:
    """Return the receipt of an attack as a DataFrame, one row a modifier.

    Returns
    -------
    pandas.DataFrame
        Columns ``tally``, ``value``, ``modifier``, ``type``, ``counted``, ``why`` and ``rule``;
        ``attrs["totals"]`` has the totals. Cells are plain text, which pandas escapes.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> frame = receipt_frame(ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant()))
    >>> frame.attrs["totals"]["Attack bonus"]
    6
    """
    import pandas as pd

    frame = pd.DataFrame(
        [
            (tally.title, line.value, line.label, line.type, line.counted, line.why, str(line.cite))
            for tally in _tallies(strike)
            for line in tally.lines
        ],
        columns=["tally", "value", "modifier", "type", "counted", "why", "rule"],
    )
    frame.attrs["totals"] = {tally.title: tally.total for tally in _tallies(strike)}
    return frame


def _tallies(strike: Strike) -> tuple[Tally, Tally, Tally]:
    return strike.attack_bonus, strike.armor_class, strike.damage_bonus


def _heading(strike: Strike) -> str:
    attacker = strike.attempt.attacker.name or "The attacker"
    defender = strike.attempt.defender.name or "the target"
    return f"{attacker} strikes {defender} with {strike.weapon.label or 'a weapon'}."


def _results(strike: Strike) -> Iterator[tuple[str, str]]:
    blow = strike.blow
    yield "Natural roll needed", str(strike.needs)
    if blow.roll != "normal":
        yield "Roll", blow.roll
    if strike.miss_chance:
        yield "Miss chance", _chance(strike.miss_chance)
    yield "Hit chance", _chance(strike.p_hit)
    yield "Critical chance", _chance(strike.p_critical)
    if blow.confirmation:
        yield "Bonus on the confirmation roll", f"{blow.confirmation:+d}"
    times = f", times {blow.hit_multiplier}" if blow.hit_multiplier != 1 else ""
    extra = f" and {blow.extra} extra" if blow.extra else ""
    rolled = f"{blow.dice}{blow.flat:+d}{times}{extra}"
    yield "Damage of a hit", rolled if blow.dice else blow.extra or "none"
    if blow.nonlethal:
        kinds = (kind if kind in ENERGIES else "the weapon's own" for kind in blow.nonlethal)
        yield "Nonlethal to the target", ", ".join(kinds)
    if is_harmless(strike.attempt):
        yield "Nonlethal to the target", "it is immune: the weapon's own damage does nothing"
    if blow.first_hit:
        yield "Extra on the first hit of a round", blow.first_hit
    if blow.soak.reduction:
        yield "Damage reduction", str(blow.soak.reduction)
    for energy, amount in blow.soak.resistances:
        yield f"Resistance to {energy}", str(amount)
    mean = strike.damage.mean
    yield "Expected damage", f"{decimal(mean)} ({fraction_text(mean)})"


def _chance(value: Fraction) -> str:
    return f"{percent(value)} ({fraction_text(value)})"


def _options(strike: Strike) -> Iterator[str]:
    """Switches that are not at their defaults, with their sources."""
    rules = strike.attempt.rules
    for key, option in rules.chosen.items():
        switch = rules.switches[key]
        if option != switch.default:
            yield f"{rules.option(key)} [{switch.cite}]"


def markdown_cell(text: str) -> str:
    """Make text safe in Markdown and in a cell of its tables."""
    return escape(" ".join(text.split())).translate(MARKUP)


def _markdown_row(line: Line) -> str:
    value = f"{line.value:+d}" if line.counted else f"~~{line.value:+d}~~"
    why = f": {line.why}" if line.why else ""
    return f"| {value} | {markdown_cell(line.label + why)} | {markdown_cell(str(line.cite))} |"


NUMBERS = "text-align:right;white-space:nowrap"
HEADS = {
    "hit_chance": "Hit chance",
    "critical_chance": "Critical chance",
    "expected_damage": "Expected damage",
    "rounds_to_kill": "Rounds to kill",
    "survival": "Defender survives",
}


def sweep_frame_display(sweep: Sweep) -> Html:
    """Write a sweep as an HTML table: each measure with its change against the base.

    Parameters
    ----------
    sweep : Sweep

    Returns
    -------
    Html
        Rows grouped by their table, in the order of the text. A cell's title has the exact
        fraction.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> guard = ck.Combatant(armor_class=16)
    >>> swept = ck.sweep(ck.load_ruleset("srd35"), hero, guard, table="cover")
    >>> "title='7/20'>35.0% <small>−20.0%</small></td>" in sweep_frame_display(swept)
    True
    """
    heads = "".join(f"<th scope='col'>{HEADS[measure]}</th>" for measure in MEASURES)
    base = "".join(_cell(measure, getattr(sweep.base, measure)) for measure in MEASURES)
    groups = "".join(
        "<tbody><tr><th scope='rowgroup' colspan='6' style='text-align:left'>"
        f"{escape(label)}</th></tr>{''.join(map(_sweep_row, rows))}</tbody>"
        for label, rows in groupby(sweep.rows, key=lambda row: row.table_label)
    )
    return Html(
        f"<table class='ck-sweep'><thead><tr><th scope='col'>Modifier</th>{heads}</tr></thead>"
        f"<tbody><tr>{_row_head('As it is now')}{base}</tr></tbody>{groups}</table>"
    )


def _sweep_row(row: SweepRow) -> str:
    remark = f"<br><small>{escape(row.note)}</small>" if row.note else ""
    cells = "".join(
        _cell(measure, getattr(row.measured, measure), getattr(row.change, measure))
        for measure in MEASURES
    )
    return f"<tr>{_row_head(escape(row.row.label) + remark)}{cells}</tr>"


def _row_head(html: str) -> str:
    return f"<th scope='row' style='text-align:left;font-weight:normal'>{html}</th>"


def _cell(measure: str, value: Fraction | None, change: Fraction | None = None) -> str:
    if value is None:
        return f"<td style='{NUMBERS}'>never</td>"
    share = measure not in ("expected_damage", "rounds_to_kill")
    text = percent(value) if share else decimal(value)
    if change:
        text += f" <small>{signed_percent(change) if share else signed(change)}</small>"
    return f"<td style='{NUMBERS}' title='{fraction_text(value)}'>{text}</td>"
