"""Results as notebooks show them: a line or a small table of HTML each. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from html import escape

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.attacks.options import Trade
from combatkit.combat.fights.approximate import DuelApprox
from combatkit.combat.fights.duel import Duel
from combatkit.combat.fights.race import Race
from combatkit.combat.health.dying import DyingOdds
from combatkit.combat.health.survival import Survival
from combatkit.combat.maneuvers.result import ENDS, Maneuver
from combatkit.combat.sweeps.sweep_over import SweepResult
from combatkit.combat.turns.price import Price
from combatkit.errors import CombatkitError
from combatkit.rules import Tally
from combatkit.view.receipt import remarks_html, tally_html
from combatkit.view.text import decimal, fraction_text, percent


@singledispatch
def result_html(result: object) -> str:
    """Write a result as the HTML that notebooks show for it.

    Parameters
    ----------
    result : Strike, FullAttack, Survival, Duel, Tally, ...
        Whatever :data:`combatkit.SHOWN` lists; importing combatkit in a notebook sees to it that
        such a result, as the last line of a cell, is shown by this.

    Returns
    -------
    str
        Percent first, the exact fraction beside it or in the title of its cell.

    Raises
    ------
    CombatkitError
        For anything else.

    Examples
    --------
    >>> import combatkit as ck
    >>> odds = ck.dying(ck.load_ruleset("phased"), -1)
    >>> result_html(odds)[:39]
    '<p>Dying at -1 hit points: death 38.7% '
    """
    raise CombatkitError(f"this is no result that can be shown: {result!r:.60}")


@result_html.register
def _strike(result: Strike) -> str:
    attacker, defender = result.attempt.attacker.name, result.attempt.defender.name
    head = (
        f"<p><b>{escape(attacker)}</b> strikes <b>{escape(defender)}</b> with "
        f"{escape(result.weapon.label)}: hit {percent(result.p_hit)} "
        f"({fraction_text(result.p_hit)}), critical {percent(result.p_critical)} "
        f"({fraction_text(result.p_critical)}), expected damage {decimal(result.damage.mean)} "
        f"({fraction_text(result.damage.mean)}).</p>"
    )
    if not result.possible:
        head += f"<p role='alert'>Not possible: {escape(result.why_not)}</p>"
    receipts = (result.attack_bonus, result.armor_class, result.damage_bonus)
    return head + "".join(map(tally_html, receipts)) + remarks_html(result)


@result_html.register
def _full_attack(result: FullAttack) -> str:
    rows = [
        f"<td>{escape(strike.weapon.label)}</td>"
        f"<td>{strike.attack_bonus.total:+d} against {strike.armor_class.total}</td>"
        f"<td title='{fraction_text(strike.p_hit)}'>{percent(strike.p_hit)}</td>"
        f"<td title='{fraction_text(strike.damage.mean)}'>{decimal(strike.damage.mean)}</td>"
        for strike in result.strikes
    ]
    heads = ("Strike", "Attack", "Hit chance", "Expected damage")
    mean = result.damage.mean
    return (
        f"{_table(heads, rows)}<p>Round: {decimal(result.expected_hits)} hits, "
        f"{decimal(mean)} damage ({fraction_text(mean)}).</p>"
    )


@result_html.register
def _trade(result: Trade) -> str:
    rows = [
        f"<td>{_bold(amount == result.best, str(amount))}</td><td>{decimal(worth)}</td>"
        f"<td>{fraction_text(worth)}</td>"
        for amount, worth in enumerate(result.worth)
    ]
    return _table(("Points", escape(result.what), "exactly"), rows)


@result_html.register
def _survival(result: Survival) -> str:
    rounds = [*enumerate(result.by_round), ("in the end", result.in_the_end)]
    rows = [
        f"<th scope='row'>{name}</th>"
        + "".join(
            f"<td title='{fraction_text(odds[state])}'>{percent(odds[state])}</td>"
            for state in result.states
        )
        for name, odds in rounds
    ]
    return _table(("Round", *(escape(result.labels[state]) for state in result.states)), rows)


@result_html.register
def _dying(result: DyingOdds) -> str:
    return (
        f"<p>Dying at {result.hit_points} hit points: death {percent(result.p_death)} "
        f"({fraction_text(result.p_death)}), stable {percent(result.p_stable)}; decided after "
        f"{decimal(result.expected_turns())} turns on average.</p>"
    )


@result_html.register
def _price(result: Price) -> str:
    named = "; ".join(f"{escape(name)}: {escape(why)}" for name, why in result.refused)
    return (
        f"<p>{len(result.strikes)} attacks of opportunity: {decimal(result.expected_damage)} "
        f"damage expected ({fraction_text(result.expected_damage)}); hurt "
        f"{percent(result.p_hurt)}, dropped {percent(result.p_dropped)}, act interrupted "
        f"{percent(result.p_interrupted)} ({fraction_text(result.p_interrupted)}).</p>"
        + (f"<p>No attack by {named}.</p>" if named else "")
    )


@result_html.register
def _maneuver(result: Maneuver) -> str:
    rows = [
        f"<th scope='row'>{ENDS[end]}</th>"
        f"<td>{percent(chance)}</td><td>{fraction_text(chance)}</td>"
        for end, chance in result.outcomes.items()
    ]
    rule, said = result.rule, [*result.remarks]
    if result.damage.maximum:
        said.insert(0, f"Expected damage: {result.damage.mean}")
    return (
        f"<p><b>{escape(rule.label)}</b>: {escape(rule.note)}</p>"
        + (f"<p role='alert'>Not possible: {escape(result.why_not)}</p>" if result.why_not else "")
        + _table(("End", "Chance", "exactly"), rows)
        + "".join(f"<p>{escape(line)}</p>" for line in said)
        + (_price(result.price) if result.price else "")
        + "".join(map(tally_html, result.receipts))
    )


@result_html.register(Duel)
@result_html.register(DuelApprox)
@result_html.register(Race)
def _fight(result: Duel | DuelApprox | Race) -> str:
    return f"<p>{escape(repr(result))}</p>"


@result_html.register
def _sweep(result: SweepResult) -> str:
    table = str(result.frame.to_html())  # which escapes
    return table if result.complete else f"<p>Interrupted: {result.told} measured.</p>{table}"


@result_html.register
def _tally(result: Tally) -> str:
    return tally_html(result)


def _table(heads: Iterable[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _bold(best: bool, text: str) -> str:
    return f"<b>{text}</b>" if best else text
