"""The explorer's panels of both sides together: the duel, and what each may do on a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from typing import Any

import ipywidgets as W

from combatkit import view
from combatkit.combat.attacks.options import Trade, best_combat_expertise, best_power_attack
from combatkit.combat.checks.saves import p_save, save_bonus
from combatkit.combat.fights.duel import Duel
from combatkit.combat.fights.plan import Action
from combatkit.combat.turns.actions import all_actions
from combatkit.combat.turns.initiative import (
    initiative_bonus,
    initiative_order,
    phase_initiative,
    phase_initiative_dc,
)
from combatkit.combat.turns.price import Threat, price_of_provoking
from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset
from combatkit_widgets.encounter import FOE, Encounter, Who
from combatkit_widgets.figure_view import FigureView
from combatkit_widgets.forms import Field, changed, grid, labelled, whole_number
from combatkit_widgets.light import light
from combatkit_widgets.panels import draw
from combatkit_widgets.shown import Shown

ACTIONS: dict[Action, str] = {
    "attack": "one attack",
    "full": "full attack",
    "charge": "charge",
    "move": "move, no attack",
    "defensive": "attack defensively",
    "defensive_full": "full attack defensively",
    "total_defense": "total defense",
}
SAVES = ("fortitude", "reflex", "will")


class DuelPanel:
    """Who wins, when, with how much left, and what becomes of the loser."""

    title = "Duel"

    def __init__(self) -> None:
        self._told = light(W.HTML)
        self._won, self._left = FigureView(), FigureView()
        self.fields = [field for who in FOE for field in _plan_fields(who)]
        self.box = light(W.VBox, [self._told, grid(self.fields), self._won, self._left])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        duel = shown.duel
        self._told.value = "".join(f"<p>{line}</p>" for line in _duel_told(shown, duel))
        draw(self._won, view.won_by_round(duel))
        draw(self._left, view.hit_points_left(duel))


def _plan_fields(who: Who) -> Iterator[Field]:
    """First turn and later turns of one side."""
    letter = who.upper()
    options = [(label, key) for key, label in ACTIONS.items()]
    later = [option for option in options if option[1] not in ("move", "total_defense", "charge")]

    def with_side(shown: Encounter, **fields: Any) -> Encounter:
        return changed(shown, **{who: changed(shown.side(who), **fields)})

    yield Field(
        labelled(W.Dropdown, f"{letter}'s first turn", options=[("like the others", ""), *options]),
        lambda shown: next(iter(shown.side(who).opening), ""),
        lambda shown, act: with_side(shown, opening=(act,) if act else ()),
    )
    yield Field(
        labelled(W.Dropdown, f"{letter}'s later turns", options=[("as shown", ""), *later]),
        lambda shown: shown.side(who).then or "",
        lambda shown, act: with_side(shown, then=act or None),
    )


def _duel_told(shown: Shown, duel: Duel) -> Iterator[str]:
    wins = (f"<b>{escape(shown.name(who))}</b> wins {_chance(duel.p_wins(who))}" for who in FOE)
    yield "; ".join(wins) + "."
    mean = duel.mean_rounds
    rounds = "It may never end" if mean is None else f"It lasts {float(mean):.1f} rounds on average"
    yield f"{rounds}; {escape(shown.name('a'))} moves first {_chance(duel.p_a_first)}."
    for who in FOE:
        ends = {state: chance for state, chance in duel.in_the_end(who).items() if chance}
        said = ", ".join(f"{state} {view.percent(chance)}" for state, chance in ends.items())
        name = escape(shown.name(who))
        yield (
            f"What becomes of {name} if it loses: {escape(said)}."
            if said
            else f"{name} never loses."
        )


class OptionsPanel:
    """What can be traded, and what a stance is worth."""

    title = "Best options"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._table = light(W.HTML)
        self.box = light(W.VBox, [self._table])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        parts = [_stances(shown), *_trades(shown)]
        self._table.value = f"<div class='ck-scroll'>{''.join(parts)}</div>"


def _stances(shown: Shown) -> str:
    """Compare the attack with its alternatives: what is dealt, and what the other deals back."""
    given, me = shown.encounter, shown.encounter.shown
    known = shown.rules.conditions
    choices: list[tuple[str, Encounter]] = [("as shown", given)]

    def with_me(**fields: Any) -> Encounter:
        return changed(given, **{me: changed(given.side(me), **fields)})

    mine = given.side(me)
    other = "one attack" if mine.all_attacks else "full attack"
    choices.append((other, with_me(full=not mine.all_attacks, off_hand=None)))
    stances = {"fighting defensively": {"fighting_defensively"}, "charge": {"charging", "charged"}}
    for label, rows in stances.items():
        words = {word for word in rows if word in known["attacker"] or word in known["defender"]}
        if words and not words <= mine.conditions:
            single = {"full": False, "off_hand": None} if label == "charge" else {}
            choices.append((label, with_me(conditions=mine.conditions | words, **single)))
    rows_html = "".join(_stance_row(label, Shown(one, shown.rules), me) for label, one in choices)
    name, foe = escape(shown.name(me)), escape(shown.name(FOE[me]))
    heads = ("Choice", f"{name} hits", f"{name} deals a round", f"{foe} hits back", f"{foe} deals")
    head = "".join(f"<th scope='col'>{text}</th>" for text in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows_html}</tbody></table>"


def _stance_row(label: str, shown: Shown, me: Who) -> str:
    try:
        attack, back = shown.fights[me], shown.fights[FOE[me]]
    except CombatkitError as error:
        return f"<tr><th scope='row'>{label}</th><td colspan='4'>{escape(str(error))}</td></tr>"
    if not attack.strike.possible:
        why = escape(attack.strike.why_not)
        return f"<tr><th scope='row'>{label}</th><td colspan='4'>{why}</td></tr>"
    cells = (
        _chance(attack.strike.p_hit),
        _number(attack.attack.damage.mean),
        _chance(back.strike.p_hit),
        _number(back.attack.damage.mean),
    )
    return f"<tr><th scope='row'>{label}</th>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _trades(shown: Shown) -> Iterator[str]:
    fight, given = shown.fight, shown.fight.scenario
    first = fight.strike.attempt
    common = (shown.rules, first.attacker, first.defender, given.weapon, given.situation)
    full = given.full or given.off_hand is not None
    answer = shown.fights[FOE[shown.encounter.shown]].scenario.situation
    asked = (
        ("Power Attack", lambda: best_power_attack(*common, given.grip, full=full)),
        ("Combat Expertise", lambda: best_combat_expertise(*common, answer, full=full)),
    )
    for name, work in asked:
        yield f"<h4 class='ck-heading'>{name}</h4>{_trade(work)}"


def _trade(work: Any) -> str:
    try:
        trade: Trade = work()
    except CombatkitError as error:
        return f"<p>{escape(str(error))}</p>"
    return f"<p>Best: {trade.best} points.</p>{view.result_html(trade)}"


class InitiativePanel:
    """Who acts first."""

    title = "Initiative"
    fields: Sequence[Field] = ()

    def __init__(self) -> None:
        self._told = light(W.HTML)
        self.box = light(W.VBox, [self._told])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        both = [shown.who(who) for who in FOE]
        receipts = "".join(
            f"<h4 class='ck-heading'>{escape(shown.name(who))}</h4>"
            f"{view.tally_html(initiative_bonus(shown.rules, shown.who(who)))}"
            for who in FOE
        )
        self._told.value = (
            f"<p>{_first_told(shown, both)}</p><div class='ck-scroll'>{receipts}</div>"
        )


def _first_told(shown: Shown, both: list[Any]) -> str:
    name = escape(shown.name("a"))
    if shown.rules.switch("initiative") == "phases":
        chance = phase_initiative(shown.rules, both[:1], both[1:]).each[0]
        dc = phase_initiative_dc(shown.rules, both[1:])
        return f"<b>{name}</b> acts before the enemies (DC {dc}): {_chance(chance)}."
    order = initiative_order(shown.rules, both)
    chances = "; ".join(
        f"<b>{escape(shown.name(who))}</b> acts first {_chance(order.p_first(number))}"
        for number, who in enumerate(FOE)
    )
    return f"{chances}."


class OpportunityPanel:
    """What an action of the one shown costs when the other may strike at the opportunity."""

    title = "Opportunity"

    def __init__(self) -> None:
        self._told, self._acts = (
            light(W.HTML),
            labelled(W.Dropdown, "Action", options=[("any", "")]),
        )
        act = Field(
            self._acts,
            lambda shown: shown.act or "",
            lambda shown, key: changed(shown, act=key or None),
        )
        self.fields = [act]
        self.box = light(W.VBox, [grid(self.fields), self._told])

    def offer(self, rules: Ruleset) -> None:
        """Fill the menu with the actions of a ruleset."""
        actions = sorted((act.label, act.id) for act in all_actions(rules))
        options = (("any that provokes", ""), *actions)
        if self._acts.options != options:
            self._acts.options = options

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        me, foe = shown.encounter.shown, FOE[shown.encounter.shown]
        given = shown.fights[foe].scenario
        threat = Threat(shown.who(foe), given.weapon, given.situation, target=True)
        price = price_of_provoking(shown.rules, shown.who(me), [threat], shown.encounter.act)
        receipts = "".join(view.receipt_html(strike) for strike in price.strikes)
        who, other = escape(shown.name(me)), escape(shown.name(foe))
        self._told.value = (
            f"<p>{who} acts where {other} threatens.</p>{view.result_html(price)}"
            f"<div class='ck-scroll'>{receipts}</div>"
        )


class SavesPanel:
    """Saving throws of both against one difficulty class."""

    title = "Saves"

    def __init__(self) -> None:
        self._table = light(W.HTML)
        self.fields = [whole_number("save_dc", "Difficulty class", 0, 100)]
        self.box = light(W.VBox, [grid(self.fields), self._table])

    def show(self, shown: Shown) -> None:
        """Draw an encounter."""
        dc = shown.encounter.save_dc
        rows = "".join(
            f"<tr><th scope='row'>{escape(shown.name(who))}</th>"
            + "".join(f"<td>{_save(shown, who, save, dc)}</td>" for save in SAVES)
            + "</tr>"
            for who in FOE
        )
        head = "".join(f"<th scope='col'>{save.capitalize()}</th>" for save in SAVES)
        self._table.value = (
            "<div class='ck-scroll'><table><thead><tr><th scope='col'>Saves</th>"
            f"{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        )


def _save(shown: Shown, who: Who, save: Any, dc: int) -> str:
    there = shown.fights[FOE[who]].scenario.situation
    bonus = save_bonus(shown.rules, shown.who(who), save, there).total
    return f"{bonus:+d}: {_chance(p_save(shown.rules, bonus, dc))}"


def _chance(value: Fraction) -> str:
    return f"<span title='{view.fraction_text(value)}'>{view.percent(value)}</span>"


def _number(value: Fraction) -> str:
    return f"<span title='{view.fraction_text(value)}'>{float(value):.2f}</span>"
