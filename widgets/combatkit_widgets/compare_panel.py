"""The explorer's page that compares what is shown with what was pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from html import escape

import ipywidgets as W

from combatkit import view
from combatkit.combat.fights.duel import Duel
from combatkit.errors import CombatkitError
from combatkit_widgets.downloads import download_links
from combatkit_widgets.encounter import FOE, Who
from combatkit_widgets.figure_view import FigureView
from combatkit_widgets.forms import Field
from combatkit_widgets.light import light
from combatkit_widgets.panels import draw
from combatkit_widgets.shown import Shown

NOW = "shown now"
Value = Fraction | None  # None where it never comes to that
Measure = tuple[str, Callable[[Shown], Value], bool]  # label, what it is, whether it is a chance


class ComparePanel:
    """Measures of all that is pinned, their differences, and the charts together."""

    title = "Compare"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._table, self._receipts = light(W.HTML), light(W.HTML)
        self._hits, self._damage, self._kills = FigureView(), FigureView(), FigureView()
        self._up, self._wins = FigureView(), FigureView()
        charts = [self._hits, self._damage, self._kills, self._up, self._wins]
        self.box = light(W.VBox, [self._table, *charts, self._receipts])

    def show(self, shown: Shown) -> None:
        """Draw an encounter beside what is pinned."""
        all_of_them = {NOW: shown, **shown.pins}
        heads = ["Measure", *all_of_them]
        rows = list(_rows(shown, all_of_them))
        hint = "" if shown.pins else "<p>Nothing is pinned yet: see <i>Pin</i> above.</p>"
        self._table.value = (
            f"{hint}<div class='ck-scroll'>{_html(heads, rows)}"
            f"{download_links('compare', heads, rows)}</div>"
        )
        fights = {name: one.fights[shown.encounter.shown] for name, one in all_of_them.items()}
        draw(self._hits, view.hit_chances_together({n: f.strike for n, f in fights.items()}))
        damages = {name: fight.attack.damage for name, fight in fights.items()}
        draw(self._damage, view.damage_together(damages))
        draw(self._kills, view.kills_together({n: fight.kill_time for n, fight in fights.items()}))
        draw(self._up, view.survival_together({n: fight.survival for n, fight in fights.items()}))
        draw(self._wins, view.wins_together(dict(_duels(all_of_them))))
        self._receipts.value = f"<div class='ck-scroll'>{''.join(_differences(shown))}</div>"


def _duels(all_of_them: dict[str, Shown]) -> Iterator[tuple[str, Duel]]:
    """Yield the duels that can be worked out exactly; of the others the table says why not."""
    for name, one in all_of_them.items():
        with suppress(CombatkitError):
            yield name, one.duel


def _measures(shown: Shown) -> Iterator[Measure]:
    """Name the measures of both sides, as the one shown now calls them."""
    last = shown.encounter.rounds
    for who, foe in FOE.items():
        name, other = shown.name(who), shown.name(foe)
        yield f"{name} hits", partial(_hits, who), True
        yield f"{name}, damage a round", partial(_damage, who), False
        yield f"rounds until {other} is down", partial(_rounds, who), False
        yield f"{other}, up after {last} rounds", partial(_up, who), True
    yield f"{shown.name('a')} wins a duel", lambda one: one.duel.p_wins("a"), True


def _hits(who: Who, shown: Shown) -> Value:
    return shown.fights[who].strike.p_hit


def _damage(who: Who, shown: Shown) -> Value:
    return shown.fights[who].attack.damage.mean


def _rounds(who: Who, shown: Shown) -> Value:
    return shown.fights[who].kill_time.mean


def _up(who: Who, shown: Shown) -> Value:
    return shown.fights[who].survival.by_round[-1]["up"]


def _rows(shown: Shown, all_of_them: dict[str, Shown]) -> Iterator[list[str]]:
    for label, measure, is_chance in _measures(shown):
        now = _value(measure, shown)
        yield [
            label,
            _told(now, is_chance),
            *(
                _with_change(_value(measure, one), now, is_chance)
                for name, one in all_of_them.items()
                if name != NOW
            ),
        ]


def _value(measure: Callable[[Shown], Value], shown: Shown) -> Value | str:
    try:
        return measure(shown)
    except CombatkitError as error:
        return str(error)


def _told(value: Value | str, is_chance: bool) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "never"
    return view.percent(value) if is_chance else f"{float(value):.2f}"


def _with_change(value: Value | str, now: Value | str, is_chance: bool) -> str:
    """Tell a value, and how far it is from the one shown now."""
    told = _told(value, is_chance)
    if not isinstance(value, Fraction) or not isinstance(now, Fraction) or value == now:
        return told
    change = view.signed_percent(value - now) if is_chance else view.signed(value - now)
    return f"{told} ({change})"


def _html(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th scope='col'>{escape(one)}</th>" for one in heads)
    body = "".join(
        f"<tr><th scope='row'>{escape(row[0])}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _differences(shown: Shown) -> Iterator[str]:
    """List the modifiers of the attack shown that only one of two receipts counts."""
    mine = _lines(shown, shown)
    for name, other in shown.pins.items():
        theirs = _lines(other, shown)
        only = [*(f"{NOW}: {line}" for line in mine if line not in theirs)]
        only += [f"{name}: {line}" for line in theirs if line not in mine]
        said = "".join(f"<li>{escape(line)}</li>" for line in only) or "<li>the same</li>"
        yield f"<h4 class='ck-heading'>Only in one receipt: {escape(name)}</h4><ul>{said}</ul>"


def _lines(one: Shown, shown: Shown) -> list[str]:
    strike = one.fights[shown.encounter.shown].strike
    tallies = (strike.attack_bonus, strike.armor_class, strike.damage_bonus)
    return [
        f"{tally.title.lower()} {line.value:+d} {line.label}"
        for tally in tallies
        for line in tally.lines
        if line.counted and line.value
    ]
