"""The headline: a sentence for each side, and who would win."""

from __future__ import annotations

from fractions import Fraction
from html import escape

from combatkit import view
from combatkit.errors import CombatkitError
from combatkit_widgets.encounter import FOE, Who
from combatkit_widgets.shown import Shown
from combatkit_widgets.words import weapon_name


def headline(shown: Shown) -> str:
    """Say what each side does to the other, and who wins; escaped HTML.

    Examples
    --------
    >>> from combatkit_widgets import Encounter
    >>> said = headline(Shown(Encounter(), Encounter().rules()))
    >>> "Ogre, up after 10 rounds" in said
    True
    """
    sides = "".join(f"<li>{_side(shown, who)}</li>" for who in FOE)
    return f"<ul class='ck-sides'>{sides}<li>{_duel(shown)}</li></ul>"


def picture(shown: Shown) -> str:
    """Write what is shown without any kernel: the headline, and the chances by round."""
    survival = "".join(
        f"<h4>{escape(shown.name(foe))}, attacked by {escape(shown.name(who))}</h4>"
        f"{view.result_html(shown.fights[who].survival)}"
        for who, foe in FOE.items()
    )
    return f"<div>{headline(shown)}{survival}</div>"


def _side(shown: Shown, who: Who) -> str:
    fight, foe = shown.fights[who], FOE[who]
    name, other = escape(shown.name(who)), escape(shown.name(foe))
    weapon = escape(weapon_name(shown.rules, fight.strike.weapon))
    if not fight.strike.possible:
        why = escape(fight.strike.why_not)
        return f"<b>{name}</b>, {weapon}: <span class='ck-alert'>not possible: {why}</span>"
    several = len(fight.strikes) > 1
    each = ", ".join(_chance(strike.p_hit) for strike in fight.strikes)
    rounds = fight.kill_time.mean
    down = "never" if rounds is None else f"after {_number(rounds)} rounds on average"
    up = fight.survival.by_round[-1]["up"]
    last = fight.scenario.rounds
    return (
        f"<b>{name}</b>, {weapon}: hits {each}, critical hit {_chance(fight.strike.p_critical)}, "
        f"{_number(fight.attack.damage.mean)} damage a {'round' if several else 'turn'}. "
        f"{other} is down {down}; <b>{other}, up after {last} rounds: {_chance(up)}</b>"
    )


def _duel(shown: Shown) -> str:
    try:
        duel = shown.duel
        wins = ", ".join(
            f"{escape(shown.name(who))} wins {_chance(duel.p_wins(who))}" for who in FOE
        )
    except CombatkitError:
        return _nearly(shown)
    return f"<b>If they fight it out: {wins}</b>"


def _nearly(shown: Shown) -> str:
    """Say who would win a duel too large to be exact, or why there is none."""
    try:
        near = shown.encounter.duel_approx(shown.rules)
    except CombatkitError as error:
        return f"<span class='ck-note'>No duel: {escape(str(error))}</span>"
    chances = near.p_a_wins_approx, near.p_b_wins_approx
    wins = ", ".join(
        f"{escape(shown.name(who))} wins about {chance:.1%}"
        for who, chance in zip(FOE, chances, strict=True)
    )
    return f"<b>If they fight it out: {wins}</b> (too large to be exact; within {near.error:.0e})"


def _chance(value: Fraction) -> str:
    return f"<span title='{view.fraction_text(value)}'>{view.percent(value)}</span>"


def _number(value: Fraction) -> str:
    return f"<span title='{view.fraction_text(value)}'>{float(value):.1f}</span>"
