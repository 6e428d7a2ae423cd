"""Dying: what becomes of somebody at the edge, alone or with help."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from combatkit.combat.d20 import Roll, p_check
from combatkit.combat.health.fate import DYING, NONE, RISEN, STABLE, Fate, Rolled, Tally, fate_with
from combatkit.errors import CombatkitError, check_word
from combatkit.prob import Chain
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset

Order = Literal["aid_first", "save_first"]


@dataclass(frozen=True, eq=False)
class DyingOdds:
    """The fate of a dying creature, as an absorbing Markov chain over its hit points.

    Attributes
    ----------
    hit_points : int
        Where it starts.
    chain : Chain
        States are hit points, ``"stable"`` and ``"dead"``; a step is one turn. Where successes
        and failures are counted, they are (hit points, successes, failures), and whoever rises to
        1 hit point is ``"up"``.
    start : state
    """

    hit_points: int
    chain: Chain
    start: Any

    @property
    def in_the_end(self) -> dict[str, Fraction]:
        """Chance to end stable and dead, or up where the dying may rise."""
        ends = self.chain.absorption(self.start)
        return {state: Fraction(0) for state in ("stable", "dead")} | ends

    @property
    def p_death(self) -> Fraction:
        """Chance to die in the end."""
        return self.in_the_end["dead"]

    @property
    def p_stable(self) -> Fraction:
        """Chance to be stabilized in the end."""
        return self.in_the_end["stable"]

    def expected_turns(self, given: Literal["stable", "dead"] | None = None) -> Fraction:
        """Mean number of turns until it is decided, or among those that end one way."""
        return self.chain.expected_steps(self.start, given)

    def after(self, turns: int) -> dict[str, Fraction]:
        """Chance to be dying, stable and dead after so many turns."""
        states = self.chain.after(self.start, turns)
        odds = {"dying": Fraction(0), "stable": Fraction(0), "dead": Fraction(0)}
        for state, chance in states.items():
            key = state if isinstance(state, str) else "dying"
            odds[key] = odds.get(key, Fraction(0)) + chance
        return odds


def first_aid_dc(rules: Ruleset, hit_points: int) -> int:
    """Difficulty class of the Heal check that stabilizes somebody at these hit points.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> first_aid_dc(load_ruleset("phased"), -8), first_aid_dc(load_ruleset("srd35"), -8)
    (18, 15)
    """
    return rules.dying.first_aid_dc - rules.dying.first_aid_dc_per_negative * min(0, hit_points)


def dying(
    rules: Ruleset,
    hit_points: int,
    heal: int | Combatant | None = None,
    heal_roll: Roll = "normal",
    order: Order = "aid_first",
    self_aid: int | None = None,
    strenuous: bool = False,
    modifier: int = 0,
) -> DyingOdds:
    """Work out what becomes of somebody dying.

    Parameters
    ----------
    rules : Ruleset
    hit_points : int
        Within the ruleset's dying state.
    heal : int or Combatant, optional
        Heal bonus of an ally, or the ally, who gives first aid every turn; None for nobody.
    heal_roll : {"normal", "advantage", "disadvantage"}, optional
    order : {"aid_first", "save_first"}, optional
        Whether the ally acts before or after the dying creature rolls.
    self_aid : int, optional
        Heal bonus of the dying creature, which binds its own wounds every turn.
    strenuous : bool, optional
        Whether it exerts itself every turn, which loses the roll (switch ``strenuous_save``).
    modifier : int, optional
        Modifier of the ability that the ruleset adds to the roll, -50 to 50.

    Returns
    -------
    DyingOdds

    Raises
    ------
    CombatkitError
        When these hit points are not dying, or the ruleset does not let the dying act.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> dying(load_ruleset("phased"), -2).p_death
    Fraction(43046721, 100000000)
    >>> dying(load_ruleset("srd35"), -9).expected_turns()
    Fraction(1, 1)
    """
    heal = heal.heal if isinstance(heal, Combatant) else heal
    if not isinstance(hit_points, int):
        raise CombatkitError(f"hit points are whole, not {hit_points!r:.60}")
    check_word(order, get_args(Order), "order")
    if rules.state_of(hit_points) != "dying":
        raise CombatkitError(
            f"{hit_points} hit points are '{rules.state_of(hit_points)}' in ruleset '{rules.id}', "
            f"not dying; dying is {_range(rules)}"
        )
    if strenuous and not rules.dying.acts:
        raise CombatkitError(f"the dying cannot act in ruleset '{rules.id}'")
    if self_aid is not None and rules.dying.self_aid == "none":
        raise CombatkitError(f"the dying cannot bind their own wounds in ruleset '{rules.id}'")

    if within(modifier, "modifier", -50, 50) and not rules.dying.ability:
        raise CombatkitError(f"the dying add no ability to their roll in ruleset '{rules.id}'")

    rule = fate_with(rules, modifier)
    rows: dict[Any, dict[Any, Fraction]] = {}
    start = _key(rule, hit_points, NONE)
    waiting = [(hit_points, NONE)]
    while waiting:
        point, tally = waiting.pop()
        if (key := _key(rule, point, tally)) in rows:
            continue
        turn = _own_turn(rules, rule, point, tally, self_aid, strenuous)
        if heal is not None:
            turn = _with_ally(rules, turn, heal, heal_roll, order, point)
        rows[key] = _merged(rule, turn)
        waiting += [(left, now) for state, left, now in turn if state == DYING]
    return DyingOdds(hit_points, Chain(rows), start)


Turn = dict[tuple[str, int, Tally], Fraction]  # state of health, hit points, what is counted


def _key(rule: Fate, points: int, tally: Tally) -> Any:
    return (points, *tally) if rule.enough.failures else points


def _merged(rule: Fate, turn: Turn) -> dict[Any, Fraction]:
    """Name the states that a turn leads to."""
    row: dict[Any, Fraction] = {}
    for (state, points, tally), chance in turn.items():
        key = _key(rule, points, tally) if state == DYING else _word(rule, state)
        row[key] = row.get(key, Fraction(0)) + chance
    return row


def _word(rule: Fate, state: str) -> str:
    """Name an end: whoever rises is in the state of 1 hit point, the last state is death."""
    return rule.state(1) if state == RISEN else "dead" if state == rule.dead else state


def _range(rules: Ruleset) -> str:
    points = [p for p in range(rules.dead_at, 1000) if rules.state_of(p) == "dying"]
    return f"{points[-1]} to {points[0]}"


def _lost(rule: Fate, points: int, tally: Tally) -> tuple[str, int, Tally]:
    """Tell where a lost roll leads: a hit point less, or a failure more."""
    if rule.enough.failures:
        return rule.after(points, tally, Rolled("", 0, Tally(0, 1), 1))
    return rule.after(points, tally, Rolled("", 1, NONE, 1))


def _own_turn(
    rules: Ruleset, rule: Fate, point: int, tally: Tally, self_aid: int | None, strenuous: bool
) -> Turn:
    kept = {rolled: Fraction(rolled.faces, rule.die) for rolled in rule.roll(point)}
    if self_aid is None and not strenuous:
        turn: Turn = {}
        for rolled, chance in kept.items():
            end = rule.after(point, tally, rolled)
            turn[end] = turn.get(end, Fraction(0)) + chance
        return turn
    if self_aid is not None:
        # a standard action loses the roll; read literally it undoes even a success
        saved = p_check(self_aid, first_aid_dc(rules, point), "disadvantage")
        saved = Fraction(0) if rules.switch("self_aid") == "literal" else saved
    else:
        rolls = rules.switch("strenuous_save") == "twenty_stabilizes"
        saved = sum((kept[one] for one in kept if rolls and one.end == STABLE), Fraction(0))
    return {(STABLE, point, NONE): saved, _lost(rule, point, tally): 1 - saved}


def _with_ally(rules: Ruleset, turn: Turn, heal: int, roll: Roll, order: Order, point: int) -> Turn:
    def helped(at: int) -> Fraction:
        return p_check(heal, first_aid_dc(rules, at), roll)

    if order == "aid_first":
        saved = helped(point)
        mixed = {end: chance * (1 - saved) for end, chance in turn.items()}
        mixed[STABLE, point, NONE] = mixed.get((STABLE, point, NONE), Fraction(0)) + saved
        return mixed
    mixed = {(STABLE, point, NONE): Fraction(0)}
    for end, chance in turn.items():
        saved = helped(end[1]) if end[0] == DYING else Fraction(0)
        mixed[STABLE, point, NONE] += chance * saved
        mixed[end] = mixed.get(end, Fraction(0)) + chance * (1 - saved)
    return mixed
