"""Recovery of somebody stable: waking up, and dying after all with nobody to tend them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from combatkit.combat.health.fate import DYING
from combatkit.errors import CombatkitError, expect
from combatkit.prob import Chain
from combatkit.prob.exact import whole, within
from combatkit.rules import Ruleset

MOST_HOURS = 1000


@dataclass(frozen=True)
class Recovery:
    """What becomes of somebody stable.

    Attributes
    ----------
    p_death : Fraction
        Chance to die after all.
    conscious : tuple of Fraction
        Chance to be alive and to have woken up, after each hour from 0 on.
    dead : tuple of Fraction
        Chance to be dead after each hour.
    mean_hours : Fraction
        Mean number of hours until awake, or dead.
    """

    p_death: Fraction
    conscious: tuple[Fraction, ...]
    dead: tuple[Fraction, ...]
    mean_hours: Fraction


def recovery(rules: Ruleset, hit_points: int, tended: bool = False, hours: int = 24) -> Recovery:
    """Work out how somebody stable recovers.

    Parameters
    ----------
    rules : Ruleset
        One in which the dying are unconscious.
    hit_points : int
        At which they lie stable.
    tended : bool, optional
        Whether somebody looks after them: then they lose nothing more.
    hours : int, optional
        0 to 1000.

    Returns
    -------
    Recovery

    Raises
    ------
    CombatkitError
        For hit points that are not those of the dying, or rules in which the dying stay awake.

    Notes
    -----
    Untended, each missed roll costs a hit point: hourly until awake, daily from then on until the
    first success. Source: srd, Injury and death, recovering with and without help.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> recovery(rules, -9).p_death, recovery(rules, -9, tended=True).mean_hours
    (Fraction(99, 100), Fraction(10, 1))
    """
    expect(rules, Ruleset, "rules")
    expect(tended, bool, "tended")
    within(hours, "hours", 0, MOST_HOURS)
    if rules.dying.acts:
        raise CombatkitError(f"the dying stay awake in ruleset '{rules.id}': nobody wakes up")
    if rules.state_of(whole(hit_points, "hit_points")) != DYING:
        raise CombatkitError(
            f"recovery: somebody stable has hit points of the dying, not {hit_points}"
        )
    rows = _asleep(rules, hit_points, tended)
    chain = Chain(rows)
    after = [chain.after(("asleep", hit_points), hour) for hour in range(hours + 1)]
    return Recovery(
        _p_death(rules, hit_points, tended),
        tuple(sum((p for state, p in odds.items() if state[0] == "awake"), Fraction(0))
              for odds in after),
        tuple(odds.get(("dead", 0), Fraction(0)) for odds in after),
        chain.expected_steps(("asleep", hit_points)),
    )  # fmt: skip


def _asleep(rules: Ruleset, hit_points: int, tended: bool) -> dict[Any, dict[Any, Fraction]]:
    """Hour by hour until awake or dead."""
    wakes = rules.fraction("recovery.each_hour")
    loss = 0 if tended else rules.number("recovery.loss")
    rows: dict[Any, dict[Any, Fraction]] = {}
    points = hit_points
    while points > rules.dead_at and ("asleep", points) not in rows:
        left = points - loss
        lower = ("asleep", left) if left > rules.dead_at else ("dead", 0)
        rows["asleep", points] = {("awake", points): wakes, lower: 1 - wakes}
        points = left
    return rows


def _p_death(rules: Ruleset, hit_points: int, tended: bool) -> Fraction:
    """Chance to die, asleep or awake: every roll until the first success costs a hit point."""
    if tended:
        return Fraction(0)
    heals, loss = rules.fraction("recovery.each_day"), rules.number("recovery.loss")
    ends = Chain(_asleep(rules, hit_points, tended)).absorption(("asleep", hit_points))
    dies = Fraction(0)
    for (state, points), chance in ends.items():
        rolls = -(-(points - rules.dead_at) // loss) if state == "awake" else 0
        dies += chance * (1 - heals) ** rolls
    return dies
