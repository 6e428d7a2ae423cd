"""Bull rush: Strength against Strength, and how far the defender is pushed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from combatkit.combat.attacks.attack import ORDINARY, prepare
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll
from combatkit.combat.maneuvers.result import NOTHING, Contest, Maneuver, impossible, outcomes
from combatkit.combat.maneuvers.rolls import (
    answering,
    contest,
    provoked,
    resistance,
    rule_of,
    strength_check,
    too_large,
)
from combatkit.combat.turns.price import Threat
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset

FARTHEST = 500  # feet


@dataclass(frozen=True, eq=False)
class BullRush(Maneuver):
    """A bull rush, and how far it pushes.

    Attributes
    ----------
    feet : Dist
        Feet the defender is pushed back, 0 where the attempt does not succeed.
    """

    feet: Dist = field(default=NOTHING)


def bull_rush(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    situation: Situation = ORDINARY,
    threats: Sequence[Threat] | None = None,
    defender_roll: Roll = "normal",
    most_feet: int = FARTHEST,
) -> BullRush:
    """Work out an attempt to push somebody back.

    Parameters
    ----------
    rules : Ruleset
    attacker, defender : Combatant
    situation : Situation, optional
        Its roll is that of the Strength check; ``charging`` adds 2.
    threats : sequence of Threat, optional
        Who may make an attack of opportunity; the defender alone when left out.
    defender_roll : {"normal", "advantage", "disadvantage"}, optional
        How the defender's check is rolled.
    most_feet : int, optional
        How far the attacker is able and willing to push, 5 to 500: beyond 5 feet the attacker
        moves along.

    Returns
    -------
    BullRush
        Where the check is lost, the attacker moves 5 feet back.

    Notes
    -----
    Source: srd, Special attacks, Bull rush; Feats, Improved Bull Rush.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> hero = Combatant(abilities={"str": 16})
    >>> made = bull_rush(rules, hero, Combatant(), Situation(attacker={"charging"}))
    >>> made.p_success, made.feet.mean
    (Fraction(59, 80), Fraction(139, 16))
    """
    rule = rule_of(rules, "bull_rush", attacker, defender, situation)
    most = within(most_feet, "most_feet", rules.number("bull_rush.feet"), FARTHEST)
    made = prepare(rules, attacker, defender, None, situation)
    if why_not := too_large(rule, attacker, defender):
        return BullRush(rule, impossible(rule, why_not).outcomes, why_not=why_not)
    price = provoked(rules, attacker, defender, threats, str(rule.cells["action"]))
    back = answering(made, None, defender_roll)
    own = contest(made, back, strength_check(made, rule), resistance(made, rule, dexterity=False))
    ends = outcomes(price, None, own)
    feet = _pushed(rules, own, 1 - price.p_interrupted, most)
    said = f"{defender.name or 'the defender'} is pushed {feet.mean} feet on average"
    return BullRush(
        rule, ends, price, contest=own, situation_after=situation, feet=feet, remarks=(said,)
    )


def _pushed(rules: Ruleset, own: Contest, reached: Fraction, most: int) -> Dist:
    """Feet pushed, by how much the check is won; a tie that is won counts as won by nothing."""
    first, points = rules.number("bull_rush.feet"), rules.number("bull_rush.points")
    won = {margin: chance for margin, chance in own.check.margin.items() if margin > 0}
    won[0] = own.p_success - sum(won.values())
    weights = {0: 1 - reached * own.p_success}
    for margin, chance in won.items():
        feet = min(most // first, 1 + margin // points) * first
        weights[feet] = weights.get(feet, Fraction(0)) + reached * chance
    return Dist(weights)
