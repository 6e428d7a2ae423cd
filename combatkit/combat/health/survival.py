"""Survival: in which state of health a defender is after each round of attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple, get_args

from combatkit.combat.attacks.attack import Strike, strike
from combatkit.combat.attacks.blow import MEMORY, Blow
from combatkit.combat.attacks.damage import blow_damage
from combatkit.combat.attacks.full_attack import FullAttack, strikes_of
from combatkit.combat.d20 import Roll, p_check
from combatkit.combat.health.by_round import (
    Body,
    Health,
    Weights,
    as_odds,
)
from combatkit.combat.health.care import AID_UNIT, Care
from combatkit.combat.health.dying import Order, first_aid_dc
from combatkit.combat.health.fate import STABLE, STAGGERED, UNCONSCIOUS, Fate, Odds, fate
from combatkit.combat.health.massive import suffered
from combatkit.combat.health.pairs import deals_any, width_for
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.prob import Dist, dice
from combatkit.prob.exact import whole, within
from combatkit.rules import Ruleset

MAX_ROUNDS = 200
MAX_HEALING = 1000  # hit points a round
MAX_WORK = 800_000_000  # bits of exact weights times strikes: about a second


@dataclass(frozen=True)
class Survival:
    """State odds of a defender by round.

    Attributes
    ----------
    states : tuple of str
        From healthy to dead; ``stable`` is somebody who was dying and no longer is. The
        ``staggered`` and ``unconscious`` are there where any damage is nonlethal.
    labels : dict
        The ruleset's words for the states.
    weights : tuple
        Weight of each state before the first round and after each, with their sum.
    in_the_end : dict
        When no more attacks come and the dying have met their fate.
    """

    states: tuple[str, ...]
    labels: dict[str, str]
    weights: tuple[Weights, ...]
    in_the_end: dict[str, Fraction]

    @cached_property
    def by_round(self) -> tuple[dict[str, Fraction], ...]:
        """Chance of each state; index 0 is before the first round."""
        return tuple(map(as_odds, self.weights))

    @property
    def p_alive(self) -> Fraction:
        """Chance not to be dead in the end."""
        return 1 - self.in_the_end["dead"]


class Ally(NamedTuple):
    """Somebody who looks after the defender every round.

    Attributes
    ----------
    aid : int or None
        Heal bonus for first aid to the dying; None for no first aid.
    roll : {"normal", "advantage", "disadvantage"}
        How the Heal check is rolled.
    healing : int, str or Dist
        Hit points restored each round, such as ``"1d8+1"``; 0 for none.
    order : {"aid_first", "save_first"}
        Whether the ally acts before or after the dying defender rolls.
    """

    aid: int | None = None
    roll: Roll = "normal"
    healing: int | str | Dist = 0
    order: Order = "aid_first"


def survival(
    attack: Strike | FullAttack,
    rounds: int = 10,
    hit_points: int | None = None,
    keeps_striking: bool = False,
    ally: Ally | None = None,
) -> Survival:
    """Work out in which state the defender is after each round.

    Each round the attacker strikes, then a dying defender rolls once. A disabled or dying defender
    rests; nobody helps but the ally, if there is one, and the defender's own fast healing and
    regeneration, at the end of each round. Nonlethal damage is a count of its own.

    Parameters
    ----------
    attack : Strike or FullAttack
        What the attacker does every round.
    rounds : int, optional
        0 to 200.
    hit_points : int, optional
        The defender's, when they differ from its full ones.
    keeps_striking : bool, optional
        Whether the attacker strikes somebody already dying (helpless, where the rules say so) or
        stops when the defender falls. Damage to somebody stable makes them dying again.
    ally : Ally, optional
        Heals first, then gives first aid to whoever is still dying; goes on, when the attacks are
        over, until nobody is dying. Healing does not exceed the defender's full hit points.

    Returns
    -------
    Survival

    Notes
    -----
    The distribution of damage taken is one polynomial; a strike multiplies it, cut off where death
    begins. Sources: SRD combat statistics, Hit points; Phased combat, Dying; srd, Injury and death.

    Examples
    --------
    >>> from combatkit.combat.attacks.attack import attack
    >>> from combatkit.rules import Combatant, load_ruleset
    >>> ogre = Combatant(name="Ogre", attack_bonus=8, weapons=[{"label": "Club", "damage": "2d8"}])
    >>> squire = Combatant(name="Squire", armor_class=15, hit_points=6)
    >>> odds = survival(attack(load_ruleset("srd35"), ogre, squire), rounds=2)
    >>> odds.states, sum(odds.by_round[2].values())
    (('up', 'disabled', 'dying', 'stable', 'dead'), Fraction(1, 1))
    """
    within(rounds, "rounds", 0, MAX_ROUNDS)
    expect(keeps_striking, bool, "keeps_striking")
    strikes = strikes_of(attack, "survival")
    made = [one for one in strikes if one.possible]
    attempt = strikes[0].attempt
    rules, defender = attempt.rules, attempt.defender
    points = defender.hit_points if hit_points is None else hit_points
    within(points, "hit points", -100, 5000)
    condition = rules.dying.help_condition
    fallen = [_against_fallen(one, condition) for one in made] if keeps_striking else []
    weights, end = _rounds(
        tuple(map(suffered, made)),
        tuple(map(suffered, fallen)),
        Body(points, defender.temporary_hit_points, defender.regeneration),
        fate(rules, defender),
        rounds,
        care(rules, ally, max(points, defender.hit_points), defender.fast_healing),
    )
    labels = {state.id: state.label for state in rules.states.values()} | {STABLE: "Stable"}
    for state in (STAGGERED, UNCONSCIOUS):
        labels[state] = rules.terms[f"health.{state}"].label
    states = tuple(weights[0][0])
    return Survival(states, {state: labels[state] for state in states}, weights, end)


def care(rules: Ruleset, ally: Ally | None, full: int, fast_healing: int = 0) -> Care | None:
    """Work out what an ally and fast healing do each round, as plain numbers; None for nothing."""
    if ally is None and not fast_healing:
        return None
    ally = Ally() if ally is None else expect(ally, Ally, "ally")
    check_word(ally.order, get_args(Order), "order")
    aid = None if ally.aid is None else whole(ally.aid, "ally: aid")
    healing = dice(ally.healing) if isinstance(ally.healing, str) else ally.healing
    healing = healing if isinstance(healing, Dist) else Dist.constant(healing)
    if healing.minimum < 0 or healing.maximum > MAX_HEALING:
        raise CombatkitError(f"ally: healing must be 0 to {MAX_HEALING} a round")
    healing = healing + fast_healing
    saved = {
        points: int(AID_UNIT * p_check(aid, first_aid_dc(rules, points), ally.roll))
        for points in range(rules.dead_at + 1, full + 1)
        if aid is not None and rules.state_of(points) == "dying"
    }
    return Care(
        tuple(saved.items()),
        healing,
        rules.switch("healing_stabilizes") == "yes",
        ally.order == "aid_first",
        full,
    )


def alone(fast_healing: int, full: int, stabilizes: bool) -> Care | None:
    """Tell what somebody without an ally regains each round; None for nothing."""
    if not fast_healing:
        return None
    return Care((), Dist.constant(fast_healing), stabilizes, True, full)


def _against_fallen(one: Strike, condition: str) -> Strike:
    """Make the same strike at somebody dying, with the condition the ruleset gives them."""
    attempt = one.attempt
    if not condition:
        return one
    row = attempt.rules.find("condition", attempt.rules.conditions["defender"], condition)
    return strike(replace(attempt, situation=attempt.situation.with_row(attempt.rules, row)))


@lru_cache(maxsize=MEMORY)
def _rounds(
    blows: tuple[Blow, ...],
    fallen: tuple[Blow, ...],
    body: Body,
    rule: Fate,
    rounds: int,
    care: Care | None,
) -> tuple[tuple[Weights, ...], Odds]:
    health = followed(blows, fallen, body, rule, rounds, care)
    pairs = [(blow, fallen[index] if fallen else None) for index, blow in enumerate(blows)]
    history = [health.weights()]
    for _ in range(rounds):
        for blow, at_fallen in pairs:
            health.strike(blow, at_fallen)
        health.end_round()
        history.append(health.weights())
    return tuple(history), health.in_the_end()


def followed(
    blows: tuple[Blow, ...],
    fallen: tuple[Blow, ...],
    body: Body,
    rule: Fate,
    rounds: int,
    care: Care | None,
) -> Health:
    """Begin with somebody whose health can be followed so long.

    Raises
    ------
    CombatkitError
        When that is too much work.
    """
    most = body.points + body.temporary + 1
    if body.regenerates or (care is not None and care.heals):
        # what goes away must be counted in full
        most = max(most, care.full + body.temporary + 1) if care is not None else most
        harms = [blow_damage(blow).maximum for blow in (*blows, *fallen)]
        most += rounds * sum(harms) if fallen else max(harms, default=0)
    health = Health(body, rule, care, width_for((*blows, *fallen), max(1, most)))
    kills = any(deals_any(blow, False) for blow in (*blows, *fallen))
    length = health.length if kills or care is not None else health.width
    _refuse_long_work(blows, fallen, length, rounds, care)
    return health


def _refuse_long_work(
    blows: tuple[Blow, ...], fallen: tuple[Blow, ...], span: int, rounds: int, care: Care | None
) -> None:
    bits = sum(blow_damage(blow).total.bit_length() for blow in (*blows, *fallen))
    steps = len(blows) + len(fallen)
    if care is not None:
        bits += care.healing.total.bit_length() + AID_UNIT.bit_length()
        steps += len(care.healing)
    # weights grow by that many bits a round, and every step goes through all of them
    if span * bits * steps * rounds**2 // 2 > MAX_WORK:
        raise CombatkitError(
            f"{rounds} rounds of {len(blows)} strikes against {span} hit points are too many to "
            "follow exactly; ask for fewer rounds"
        )
