"""The explorer's panels of one attack; each holds the controls that go with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any, Protocol

import ipywidgets as W

from combatkit import view
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.health.dying import dying
from combatkit.combat.sweeps.sweep import SweepRow
from combatkit.rules import Ruleset
from combatkit_widgets.downloads import download_links
from combatkit_widgets.encounter import FOE
from combatkit_widgets.figure_view import FigureView
from combatkit_widgets.forms import (
    Field,
    changed,
    grid,
    labelled,
    maybe_number,
    part,
    tick,
    whole_number,
)
from combatkit_widgets.light import light
from combatkit_widgets.shown import Shown

if TYPE_CHECKING:
    import plotly.graph_objects as go

MEASURES = [
    ("hit chance", "hit_chance"),
    ("critical chance", "critical_chance"),
    ("expected damage", "expected_damage"),
    ("rounds to kill", "rounds_to_kill"),
    ("survival", "survival"),
]


class Panel(Protocol):
    """One page of the explorer."""

    title: str
    box: Any

    @property
    def fields(self) -> Sequence[Field]:
        """Controls that belong to it."""

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""


def draw(place: FigureView, figure: go.Figure) -> None:
    """Show a figure; its title, which says the numbers that matter, is read to the blind."""
    title = figure.layout.title.text or ""
    words = unescape(re.sub(r"<[^>]+>", " ", title.replace("<br>", ". ")))
    place.show(figure, alt=" ".join(words.split()))


class AttackPanel:
    """Chance to hit: against every armor class, and by attack bonus and armor class."""

    title = "Attack"

    def __init__(self) -> None:
        self._curve, self._map = FigureView(), FigureView()
        measure = part("map_measure", labelled(W.Dropdown, "Heat map of", options=MEASURES[:3:2]))
        self.fields = [measure]
        self.box = light(W.VBox, [self._curve, grid([measure]), self._map])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        draw(self._curve, view.hit_chance_by_armor_class(shown.fight.strike))
        draw(self._map, view.heat_map(shown.fight.strike, shown.encounter.map_measure))


class DamagePanel:
    """Damage of the attack: each amount, and at least so much."""

    title = "Damage"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._pmf, self._at_least = FigureView(), FigureView()
        self.box = light(W.VBox, [self._pmf, self._at_least])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        draw(self._pmf, view.damage_pmf(shown.fight.attack))
        draw(self._at_least, view.damage_at_least(shown.fight.attack))


class FullAttackPanel:
    """Every attack of the round, one by one."""

    title = "Full attack"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._list = light(W.HTML)
        self.box = light(W.VBox, [self._list])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        made = FullAttack(shown.fight.strikes)
        self._list.value = (
            f"<div class='ck-scroll'>{view.result_html(made)}"
            f"<p>At least one hits: {_told(made.p_any_hit)}; all hit: {_told(made.p_all_hit)}.</p>"
            "</div>"
        )


class KillTimePanel:
    """Rounds until the other is down."""

    title = "Kill time"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._rounds = FigureView()
        self.box = light(W.VBox, [self._rounds])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        draw(self._rounds, view.rounds_to_kill(shown.fight.kill_time))


class SurvivalPanel:
    """The health of each of the two by round, and what becomes of the dying."""

    title = "Survival"

    def __init__(self) -> None:
        self._heads = {who: light(W.HTML) for who in FOE}
        self._states = {who: FigureView() for who in FOE}
        self._fate = light(W.HTML)
        course = [
            whole_number("rounds", "Rounds", 0, 100),
            tick("keeps_striking", "An attacker keeps striking the fallen"),
        ]
        fate = [
            whole_number("dying_at", "Dying at hit points", -1000, 0),
            maybe_number("first_aid", "Ally's Heal bonus, first aid", "nobody helps"),
        ]
        self.fields = [*course, *fate]
        drawn = [part for who in FOE for part in (self._heads[who], self._states[who])]
        head = light(W.HTML, "<h4 class='ck-heading'>The fate of the dying</h4>")
        self.box = light(W.VBox, [grid(course), *drawn, head, grid(fate), self._fate])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        for who, foe in FOE.items():
            name, other = escape(shown.name(foe)), escape(shown.name(who))
            self._heads[who].value = f"<h4 class='ck-heading'>{name}, attacked by {other}</h4>"
            draw(self._states[who], view.state_odds(shown.fights[who].survival))
        given = shown.encounter
        self._fate.value = _fate_html(shown.rules, given.dying_at, given.first_aid)


def _told(chance: Fraction) -> str:
    return f"{view.percent(chance)} ({view.fraction_text(chance)})"


@lru_cache(maxsize=64)
def _fate_html(rules: Ruleset, hit_points: int, first_aid: int | None) -> str:
    odds = dying(rules, hit_points, heal=first_aid)
    helped = "alone" if first_aid is None else f"with first aid at {first_aid:+d}"
    dies, lives = (
        f"<b>{view.percent(chance)}</b> ({view.fraction_text(chance)})"
        for chance in (odds.p_death, odds.p_stable)
    )
    return (
        f"<p>Somebody dying at {hit_points} hit points, {helped}: dies {dies}, becomes stable "
        f"{lives}; decided after {float(odds.expected_turns()):.1f} turns on average. "
        f"<span class='ck-note'>{escape(str(rules.dying.cite))}</span></p>"
    )


class TablesPanel:
    """What each row of the modifier tables would change."""

    title = "Modifier tables"

    def __init__(self) -> None:
        self._tornado, self._table = FigureView(), light(W.HTML)
        self._tables = labelled(W.Dropdown, "Table", options=[("all tables", "")])
        table = Field(
            self._tables,
            lambda scenario: scenario.table or "",
            lambda scenario, key: changed(scenario, table=key or None),
        )
        measure = part("measure", labelled(W.Dropdown, "Measure", options=MEASURES))
        self.fields = [table, measure]
        self.box = light(W.VBox, [grid(self.fields), self._tornado, self._table])

    def offer(self, rules: Ruleset) -> None:
        """Fill the menu with the tables of a ruleset."""
        tables = [(table.label, key) for key, table in rules.tables.items()]
        options = (("all tables", ""), *tables)
        if self._tables.options != options:
            self._tables.options = options

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        given, sweep = shown.encounter, shown.fight.sweep
        draw(self._tornado, view.tornado(sweep, given.measure, given.table))
        rows = tuple(row for row in sweep.rows if given.table in (None, row.row.table))
        table = view.sweep_frame_display(replace(sweep, rows=rows))
        links = download_links("modifiers", *_exact(rows))
        self._table.value = f"<div class='ck-scroll'>{table}{links}</div>"


def _exact(rows: Sequence[SweepRow]) -> tuple[list[str], list[list[str]]]:
    """Return the measures of the rows as exact fractions, for other programs."""
    heads = ["table", "row", *(label for label, _ in MEASURES), "note"]
    cells = [
        [
            row.table_label,
            row.row.label,
            *(str(getattr(row.measured, key)) for _, key in MEASURES),
            row.note,
        ]
        for row in rows
    ]
    return heads, cells


class FormulaPanel:
    """The same numbers as formulas."""

    title = "Formula"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._formulas = light(W.HTMLMath)
        self.box = light(W.VBox, [self._formulas])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        self._formulas.value = "".join(
            f"<h4 class='ck-heading'>{escape(title)}</h4>"
            f"<div class='ck-formula' tabindex='0'>$${escape(latex)}$$</div>"
            for title, latex in view.formula_latex(shown.fight.strike).items()
        )


class ReceiptPanel:
    """Every modifier with its rule, and the code that works out the same."""

    title = "Receipt"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._receipts, self._code = light(W.HTML), light(W.HTML)
        self.box = light(W.VBox, [self._receipts, self._code])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        receipts = "".join(view.receipt_html(strike) for strike in shown.fight.strikes)
        self._receipts.value = f"<div class='ck-scroll'>{receipts}</div>"
        self._code.value = (
            "<details><summary>The same as Python code, to copy into a cell</summary>"
            f"<pre class='ck-code' tabindex='0'>{escape(shown.encounter.code())}</pre></details>"
        )
