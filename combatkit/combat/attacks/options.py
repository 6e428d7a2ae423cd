"""Choices before rolling: how much to trade for damage or defense, and a friend who helps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from combatkit.combat.attacks.attack import ORDINARY, Strike, attack
from combatkit.combat.attacks.attack import strike as make_strike
from combatkit.combat.attacks.full_attack import FullAttack, full_attack
from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll, p_check
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Ruleset, Weapon
from combatkit.rules.equipment import Grip


@dataclass(frozen=True)
class Trade:
    """Every amount that can be traded, and what each is worth.

    Attributes
    ----------
    what : str
        What the worth measures.
    worth : tuple of Fraction
        By amount, from 0 up.
    """

    what: str
    worth: tuple[Fraction, ...]

    @property
    def best(self) -> int:
        """Smallest amount of the highest worth."""
        return self.worth.index(max(self.worth))


def best_power_attack(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    grip: Grip | None = None,
    full: bool = False,
) -> Trade:
    """Find how many points of attack bonus are best traded for damage.

    Parameters
    ----------
    rules, attacker, defender, weapon, situation, grip
        As for :func:`attack`; the situation's own ``power_attack`` is left aside.
    full : bool, optional
        Whether a full attack is made.

    Returns
    -------
    Trade
        Expected damage for 0 points up to the base attack bonus. Source: srd, Power Attack.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> hero = Combatant(abilities={"str": 18}, base_attack=6, weapons=["greatsword"])
    >>> trade = best_power_attack(load_ruleset("srd35"), hero, Combatant(armor_class=20))
    >>> trade.best, [str(worth) for worth in trade.worth[:4]]
    (2, ['1573/200', '33/4', '1683/200', '209/25'])
    """

    def dealt(points: int) -> Fraction:
        there = situation.model_copy(update={"power_attack": points})
        return _make(rules, attacker, defender, weapon, there, grip, full).damage.mean

    most = max(0, attacker.base_attack - situation.combat_expertise)
    return _compare("expected damage", dealt, most)


def best_combat_expertise(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None = None,
    situation: Situation = ORDINARY,
    answer: Situation = ORDINARY,
    full: bool = False,
) -> Trade:
    """Find how many points of attack bonus are best traded for armor class.

    Parameters
    ----------
    rules, attacker, defender, weapon, situation
        As for :func:`attack`.
    answer : Situation, optional
        The situation of the defender's attack in return, with its first weapon.
    full : bool, optional
        Whether both make full attacks.

    Returns
    -------
    Trade
        Expected damage dealt less expected damage taken. Source: srd, Combat Expertise.
    """

    def gained(points: int) -> Fraction:
        there = situation.model_copy(update={"combat_expertise": points})
        back = answer.model_copy(update={"defender_expertise": points})
        dealt = _make(rules, attacker, defender, weapon, there, None, full).damage.mean
        return dealt - _make(rules, defender, attacker, None, back, None, full).damage.mean

    room = max(0, attacker.base_attack - situation.power_attack)
    most = min(rules.number("combat_expertise.most"), room)
    return _compare("damage dealt less damage taken", gained, most)


def _compare(what: str, worth: Callable[[int], Fraction], most: int) -> Trade:
    return Trade(what, tuple(worth(points) for points in range(most + 1)))


def _make(
    rules: Ruleset,
    attacker: Combatant,
    defender: Combatant,
    weapon: str | Weapon | None,
    situation: Situation,
    grip: Grip | None,
    full: bool,
) -> Strike | FullAttack:
    make = full_attack if full else attack
    return make(rules, attacker, defender, weapon, situation, grip)


def p_aid_another(rules: Ruleset, bonus: int, roll: Roll = "normal") -> Fraction:
    """Chance that somebody aids another: an attack roll with this bonus reaches the aid's DC.

    Source: srd, Aid another. A success ticks the row ``aided`` for the friend's next attack, or
    for the next attack on the friend.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> p_aid_another(load_ruleset("srd35"), 4)
    Fraction(3, 4)
    """
    return p_check(bonus, rules.number("aid_another.dc"), roll)


def aided_hit_chance(strike: Strike, bonus: int) -> Fraction:
    """Chance to hit when a friend with this attack bonus first tries to aid the attack.

    Raises
    ------
    CombatkitError
        When the attack is aided already, or the rules have no row for it.
    """
    attempt = strike.attempt
    row = attempt.rules.find("condition", attempt.rules.conditions["attacker"], "aided")
    if row.id in attempt.situation.attacker:
        raise CombatkitError("situation: the attacker is aided already")
    helped = make_strike(replace(attempt, situation=attempt.situation.with_row(attempt.rules, row)))
    chance = p_aid_another(attempt.rules, bonus)
    return chance * helped.p_hit + (1 - chance) * strike.p_hit
