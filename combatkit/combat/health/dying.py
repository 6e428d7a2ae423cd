"""Dying: what becomes of somebody at the edge, alone or with help."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from combatkit.combat.d20 import Roll, p_check
from combatkit.errors import CombatkitError, check_word
from combatkit.prob import Chain
from combatkit.rules import Ruleset

Order = Literal["aid_first", "save_first"]


@dataclass(frozen=True, eq=False)
class DyingOdds:
    """The fate of a dying creature, as an absorbing Markov chain over its hit points.

    Attributes
    ----------
    hit_points : int
        Where it starts.
    chain : Chain
        States are hit points, ``"stable"`` and ``"dead"``; a step is one turn.
    """

    hit_points: int
    chain: Chain

    @property
    def in_the_end(self) -> dict[str, Fraction]:
        """Chance to end stable and dead."""
        ends = self.chain.absorption(self.hit_points)
        return {state: ends.get(state, Fraction(0)) for state in ("stable", "dead")}

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
        return self.chain.expected_steps(self.hit_points, given)

    def after(self, turns: int) -> dict[str, Fraction]:
        """Chance to be dying, stable and dead after so many turns."""
        states = self.chain.after(self.hit_points, turns)
        odds = {"dying": Fraction(0), "stable": Fraction(0), "dead": Fraction(0)}
        for state, chance in states.items():
            odds[state if isinstance(state, str) else "dying"] += chance
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
    heal: int | None = None,
    heal_roll: Roll = "normal",
    order: Order = "aid_first",
    self_aid: int | None = None,
    strenuous: bool = False,
) -> DyingOdds:
    """Work out what becomes of somebody dying.

    Parameters
    ----------
    rules : Ruleset
    hit_points : int
        Within the ruleset's dying state.
    heal : int, optional
        Heal bonus of an ally who gives first aid every turn; None for nobody.
    heal_roll : {"normal", "advantage", "disadvantage"}, optional
    order : {"aid_first", "save_first"}, optional
        Whether the ally acts before or after the dying creature rolls.
    self_aid : int, optional
        Heal bonus of the dying creature, which binds its own wounds every turn.
    strenuous : bool, optional
        Whether it exerts itself every turn, which loses the roll (switch ``strenuous_save``).

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

    rows: dict[Any, dict[Any, Fraction]] = {}
    point = hit_points
    while point > rules.dead_at:
        turn = _own_turn(rules, point, self_aid, strenuous)
        if heal is not None:
            turn = _with_ally(rules, point, turn, heal, heal_roll, order)
        rows[point] = turn
        point -= 1
    return DyingOdds(hit_points, Chain(rows))


def _range(rules: Ruleset) -> str:
    points = [p for p in range(rules.dead_at, 1000) if rules.state_of(p) == "dying"]
    return f"{points[-1]} to {points[0]}"


def _below(rules: Ruleset, hit_points: int) -> int | str:
    return "dead" if hit_points - 1 <= rules.dead_at else hit_points - 1


def _own_turn(
    rules: Ruleset, point: int, self_aid: int | None, strenuous: bool
) -> dict[Any, Fraction]:
    rule, lower = rules.dying, _below(rules, point)
    if self_aid is not None:
        # a standard action loses the roll; read literally it undoes even a success
        bound = p_check(self_aid, first_aid_dc(rules, point), "disadvantage")
        if rules.switch("self_aid") == "literal":
            bound = Fraction(0)
        return {"stable": bound, lower: 1 - bound}
    if strenuous:
        rolls = rules.switch("strenuous_save") == "twenty_stabilizes"
        kept = Fraction(rule.count("stabilize") if rolls else 0, rule.die)
        return {"stable": kept, lower: 1 - kept}
    return {
        "stable": Fraction(rule.count("stabilize"), rule.die),
        point: Fraction(rule.count("unchanged"), rule.die),
        lower: Fraction(rule.count("lose_hit_point"), rule.die),
    }


def _with_ally(
    rules: Ruleset, point: int, turn: dict[Any, Fraction], heal: int, roll: Roll, order: Order
) -> dict[Any, Fraction]:
    def helped(at: int) -> Fraction:
        return p_check(heal, first_aid_dc(rules, at), roll)

    if order == "aid_first":
        saved = helped(point)
        mixed = {state: chance * (1 - saved) for state, chance in turn.items()}
        mixed["stable"] = mixed.get("stable", Fraction(0)) + saved
        return mixed
    mixed = {"stable": turn.get("stable", Fraction(0))}
    for state, chance in turn.items():
        if state == "dead":
            mixed["dead"] = chance
        elif state != "stable":
            mixed["stable"] += chance * helped(state)
            mixed[state] = chance * (1 - helped(state))
    return mixed
