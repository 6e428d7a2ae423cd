"""Survival: in which state of health a defender is after each round of attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attack import Strike, strike
from combatkit.combat.blow import MEMORY, Blow
from combatkit.combat.harm import blow_damage
from combatkit.combat.strikes import FullAttack
from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset

MAX_ROUNDS = 200
MAX_WORK = 800_000_000  # bits of exact weights times strikes: about a second


@dataclass(frozen=True)
class Survival:
    """State odds of a defender by round.

    Attributes
    ----------
    states : tuple of str
        From healthy to dead; ``stable`` is somebody who was dying and no longer is.
    labels : dict
        The ruleset's words for the states.
    by_round : tuple of dict
        Chance of each state; index 0 is before the first round.
    in_the_end : dict
        When no more attacks come and the dying have met their fate.
    """

    states: tuple[str, ...]
    labels: dict[str, str]
    by_round: tuple[dict[str, Fraction], ...]
    in_the_end: dict[str, Fraction]

    @property
    def p_alive(self) -> Fraction:
        """Chance not to be dead in the end."""
        return 1 - self.in_the_end["dead"]

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(
            f"<th scope='col'>{escape(self.labels[state])}</th>" for state in self.states
        )
        rounds = [
            *((str(number), odds) for number, odds in enumerate(self.by_round)),
            ("in the end", self.in_the_end),
        ]
        body = "".join(
            f"<tr><th scope='row'>{name}</th>"
            + "".join(
                f"<td title='{odds[state]}'>{float(odds[state]):.2%}</td>" for state in self.states
            )
            + "</tr>"
            for name, odds in rounds
        )
        return (
            f"<table><thead><tr><th scope='col'>Round</th>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )


class Fate(NamedTuple):
    """What a ruleset says of hit points and dying, as plain numbers.

    Attributes
    ----------
    lowest : tuple of (str, int or None)
        States with the lowest hit points of each.
    """

    lowest: tuple[tuple[str, int | None], ...]
    dead_at: int
    die: int
    lose: int
    stabilize: int


@lru_cache(maxsize=64)
def fate(rules: Ruleset) -> Fate:
    """Collect what a ruleset says of dying."""
    rule = rules.dying
    return Fate(
        tuple((state.id, state.lowest) for state in rules.states.values()),
        rules.dead_at,
        rule.die,
        rule.count("lose_hit_point"),
        rule.count("stabilize"),
    )


def survival(
    attack: Strike | FullAttack,
    rounds: int = 10,
    hit_points: int | None = None,
    keeps_striking: bool = False,
) -> Survival:
    """Work out in which state the defender is after each round.

    Each round the attacker strikes, then a dying defender rolls once. A disabled or dying defender
    rests; nobody helps.

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

    Returns
    -------
    Survival

    Notes
    -----
    The distribution of damage taken is one polynomial; a strike multiplies it, cut off where death
    begins. Sources: seed004, Hit points; seed003, Dying; srd, Injury and death.

    Examples
    --------
    >>> from combatkit.combat.attack import attack
    >>> from combatkit.rules import Combatant, load_ruleset
    >>> ogre = Combatant(name="Ogre", attack_bonus=8, weapons=[{"label": "Club", "damage": "2d8"}])
    >>> squire = Combatant(name="Squire", armor_class=15, hit_points=6)
    >>> odds = survival(attack(load_ruleset("srd35"), ogre, squire), rounds=2)
    >>> odds.states, sum(odds.by_round[2].values())
    (('up', 'disabled', 'dying', 'stable', 'dead'), Fraction(1, 1))
    """
    if not 0 <= rounds <= MAX_ROUNDS:
        raise CombatkitError(f"rounds must be 0 to {MAX_ROUNDS}, not {rounds}")
    made = [one for one in attack.strikes if one.possible]
    attempt = attack.strikes[0].attempt
    rules, defender = attempt.rules, attempt.defender
    points = defender.hit_points if hit_points is None else hit_points
    if points < -100 or points > 5000:
        raise CombatkitError(f"hit points must be -100 to 5000, not {points}")
    condition = rules.dying.help_condition
    fallen = [_against_fallen(one, condition) for one in made] if keeps_striking else []
    by_round, end = _rounds(
        tuple(one.blow for one in made),
        tuple(one.blow for one in fallen),
        points,
        defender.temporary_hit_points,
        fate(rules),
        rounds,
    )
    states = _with_stable([state.id for state in rules.states.values()])
    labels = {state.id: state.label for state in rules.states.values()} | {"stable": "Stable"}
    return Survival(tuple(states), labels, by_round, end)


def _against_fallen(one: Strike, condition: str) -> Strike:
    """Make the same strike at somebody dying, with the condition the ruleset gives them."""
    attempt = one.attempt
    if not condition:
        return one
    row = attempt.rules.find("condition", attempt.rules.conditions["defender"], condition)
    return strike(replace(attempt, situation=attempt.situation.with_row(attempt.rules, row)))


def _with_stable(states: list[str]) -> list[str]:
    place = states.index("dying") + 1
    return [*states[:place], "stable", *states[place:]]


Odds = dict[str, Fraction]


@lru_cache(maxsize=MEMORY)
def _rounds(
    blows: tuple[Blow, ...],
    fallen: tuple[Blow, ...],
    points: int,
    temporary: int,
    rule: Fate,
    rounds: int,
) -> tuple[tuple[Odds, ...], Odds]:
    health = _Health(points, temporary, rule)
    _refuse_long_work(blows, fallen, health.span, rounds)
    pairs = [(blow, fallen[index] if fallen else None) for index, blow in enumerate(blows)]
    history = [health.odds()]
    for _ in range(rounds):
        for blow, at_fallen in pairs:
            health.strike(blow, at_fallen)
        health.roll_for_the_dying()
        history.append(health.odds())
    return tuple(history), health.in_the_end()


def _refuse_long_work(
    blows: tuple[Blow, ...], fallen: tuple[Blow, ...], span: int, rounds: int
) -> None:
    bits = sum(blow_damage(blow).total.bit_length() for blow in (*blows, *fallen))
    # weights grow by that many bits a round, and every strike goes through all of them
    if span * bits * (len(blows) + len(fallen)) * rounds**2 // 2 > MAX_WORK:
        raise CombatkitError(
            f"{rounds} rounds of {len(blows)} strikes against {span} hit points are too many to "
            "follow exactly; ask for fewer rounds"
        )


class _Health:
    """Weights of damage taken: one polynomial for those alive, one for those stable."""

    def __init__(self, points: int, temporary: int, rule: Fate) -> None:
        self.rule = rule
        deadly = temporary + points - rule.dead_at
        self.span = max(0, deadly)  # damage 0 .. span-1 leaves the defender alive
        self.states = [self._state(points, temporary, taken) for taken in range(self.span)]
        self.standing = next(
            (taken for taken, state in enumerate(self.states) if state == "dying"), self.span
        )
        self.alive = fmpz_poly([1] if self.span else [])
        self.stable = fmpz_poly()
        self.total = 1

    def _state(self, points: int, temporary: int, taken: int) -> str:
        left = points - max(0, taken - temporary)
        return next(name for name, low in self.rule.lowest if low is None or left >= low)

    def strike(self, blow: Blow, at_fallen: Blow | None) -> None:
        damage = blow_damage(blow)
        poly, total = damage.poly.left_shift(damage.low), damage.total
        up = self.alive.truncate(self.standing)
        down = self.alive - up
        hurt = up.mul_low(poly, self.span)
        if at_fallen is None:
            self.alive, self.stable = hurt + down * total, self.stable * total
            self.total *= total
            return
        harm = blow_damage(at_fallen)
        blade, whole = harm.poly.left_shift(harm.low), harm.total
        unhurt = blade.truncate(1)
        again = self.stable.mul_low(blade - unhurt, self.span)  # dying once more
        self.alive = hurt * whole + (down.mul_low(blade, self.span) + again) * total
        self.stable = self.stable * unhurt * total
        self.total *= total * whole

    def roll_for_the_dying(self) -> None:
        rule = self.rule
        up = self.alive.truncate(self.standing)
        down = self.alive - up
        rest = rule.die - rule.lose - rule.stabilize
        worse = (down * rule.lose).left_shift(1).truncate(self.span)
        self.alive = up * rule.die + down * rest + worse
        self.stable = self.stable * rule.die + down * rule.stabilize
        self.total *= rule.die

    def _by_state(self) -> dict[str, int]:
        weights = dict.fromkeys(_with_stable([name for name, _ in self.rule.lowest]), 0)
        for taken, weight in enumerate(self.alive.coeffs()):
            weights[self.states[taken]] += int(weight)
        weights["stable"] = int(self.stable(1))
        return weights

    def odds(self) -> Odds:
        weights = self._by_state()
        dead = self.rule.lowest[-1][0]
        weights[dead] = self.total - sum(weights.values())
        return {state: Fraction(weight, self.total) for state, weight in weights.items()}

    def in_the_end(self) -> Odds:
        """Let the dying roll until each is stable or dead (unless nothing ever changes)."""
        odds, rule = self.odds(), self.rule
        if rule.lose + rule.stabilize == 0:
            return odds
        sinks = Fraction(rule.lose, rule.lose + rule.stabilize)
        dies = sum(
            (
                Fraction(int(weight), self.total) * sinks ** (self.span - taken)
                for taken, weight in enumerate(self.alive.coeffs())
                if taken >= self.standing
            ),
            start=Fraction(0),
        )
        dead = rule.lowest[-1][0]
        return {
            **odds,
            "dying": Fraction(0),
            "stable": odds["stable"] + odds["dying"] - dies,
            dead: odds[dead] + dies,
        }
