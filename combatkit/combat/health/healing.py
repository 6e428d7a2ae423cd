"""Healing, temporary hit points, and what exertion costs the badly wounded."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, get_args

from combatkit.combat.health.dying import Order, dying
from combatkit.errors import check_word
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Ruleset

Keep = Literal["better", "old", "new"]
MOST = 10**6


class HitPoints(NamedTuple):
    """Ordinary hit points, and the separate pool of temporary ones."""

    points: int
    temporary: int = 0


def take_damage(health: HitPoints, damage: int) -> HitPoints:
    """Take damage off the temporary hit points first, the rest off the others.

    Parameters
    ----------
    health : HitPoints
    damage : int
        0 or more.

    Notes
    -----
    Source: Phased combat, temporary hit points; the public SRD agrees.

    Examples
    --------
    >>> take_damage(HitPoints(12, temporary=5), 8)
    HitPoints(points=9, temporary=0)
    """
    soaked = min(_pool(health.temporary), within(damage, "damage", 0, MOST))
    return HitPoints(health.points - damage + soaked, health.temporary - soaked)


def gain_temporary(have: int, new: int, keep: Keep = "better") -> int:
    """Temporary hit points after gaining a new pool: pools never add up, one is chosen.

    Parameters
    ----------
    have, new : int
        0 or more.
    keep : {"better", "old", "new"}, optional
        What the owner chooses.

    Notes
    -----
    Source: Phased combat, temporary hit points from multiple sources.

    Examples
    --------
    >>> gain_temporary(5, 8), gain_temporary(5, 8, keep="old")
    (8, 5)
    """
    check_word(keep, get_args(Keep), "keep")
    return {"better": max(_pool(have), _pool(new)), "old": have, "new": new}[keep]


def _pool(points: int) -> int:
    return within(points, "temporary hit points", 0, MOST)


def temporary_loss(temporary: int, damage: Dist) -> Dist:
    """Distribution of the ordinary hit points that damage costs behind a temporary pool.

    Examples
    --------
    >>> loss = temporary_loss(5, Dist.die(8) + 3)
    >>> loss.mean, loss.p(0)
    (Fraction(21, 8), Fraction(1, 4))
    """
    return (damage - _pool(temporary)).clip(low=0)


def heal(rules: Ruleset, health: HitPoints, amount: int, full: int = MOST) -> HitPoints:
    """Heal ordinary hit points, from below 0 upward, to at most the full ones.

    Parameters
    ----------
    rules : Ruleset
        Which says when somebody is dead and past healing.
    health : HitPoints
    amount : int
        0 or more.
    full : int, optional
        Hit points of the unhurt, which healing does not exceed.

    Returns
    -------
    HitPoints
        The temporary ones as before: healing does not restore them.

    Notes
    -----
    Source: Phased combat, Healing negative hit points; Dead. The limit is the public SRD's.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> once = heal(load_ruleset("phased"), HitPoints(-7), 5)
    >>> once.points, heal(load_ruleset("phased"), once, 5).points
    (-2, 3)
    """
    within(amount, "healing", 0, MOST)
    if health.points <= rules.dead_at:
        return health
    return health._replace(points=max(health.points, min(health.points + amount, full)))


def after_exertion(rules: Ruleset, hit_points: int, turns: int = 1) -> int:
    """Hit points after so many strenuous turns (0 to 1000) of somebody disabled or dying.

    Each costs a hit point; somebody up pays nothing, and where the dying cannot act they stop.
    Source: Phased combat, Dying; the disabled of the public SRD.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> after_exertion(load_ruleset("phased"), -3, 2), after_exertion(load_ruleset("srd35"), 0, 2)
    (-5, -1)
    """
    loss = rules.number("exertion.loss")
    for _ in range(within(turns, "turns", 0, 1000)):
        state = rules.state_of(hit_points)
        if state == "disabled" or (state == "dying" and rules.dying.acts):
            hit_points -= loss
    return hit_points


def p_death_resumed(
    rules: Ruleset,
    hit_points: int,
    damage: int = 0,
    strenuous_turns: int = 0,
    aid: int | None = None,
    order: Order = "aid_first",
) -> Fraction:
    """Chance to die after all of somebody stabilized who is hurt or exerts itself.

    Parameters
    ----------
    rules : Ruleset
    hit_points : int
        At which it lies stable.
    damage : int, optional
        Taken first.
    strenuous_turns : int, optional
        Turns of a strenuous action, after which it rests.
    aid, order : optional
        Heal bonus of an ally who gives first aid from then on, as for :func:`dying`.

    Returns
    -------
    Fraction
        0 where nothing disturbs it or it is no longer dying.

    Notes
    -----
    Sources: Phased combat, Stabilization; Dying.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> p_death_resumed(rules, -8), p_death_resumed(rules, -8, strenuous_turns=1)
    (Fraction(0, 1), Fraction(9, 10))
    """
    left = within(hit_points, "hit points", -MOST, MOST) - within(damage, "damage", 0, MOST)
    left = after_exertion(rules, left, strenuous_turns)
    disturbed = damage > 0 or (strenuous_turns > 0 and rules.dying.acts)
    if left <= rules.dead_at:
        return Fraction(1)
    if not disturbed or rules.state_of(left) != "dying":
        return Fraction(0)
    return dying(rules, left, heal=aid, order=order).p_death
