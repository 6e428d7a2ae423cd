"""The odds of an attack as algebra in the armor class, and of dying in the hit points below 0."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.d20 import Roll
from combatkit.errors import CombatkitError
from combatkit.rules import Ruleset
from combatkit.view.cases import Part, cases_of, tie_step


def hit_chance(strike: Strike) -> Any:
    """Chance to hit as a function of the armor class.

    Parameters
    ----------
    strike : Strike

    Returns
    -------
    sympy.Expr
        A Piecewise in the symbol ``A``, exact for every whole armor class; 0 for an attack that
        cannot be made.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> hit_chance(swing)
    Piecewise((19/20, A <= 8), (27/20 - A/20, A <= 25), (1/20, True))
    >>> hit_chance(swing).subs("A", 16)
    11/20
    """
    return _piecewise(strike, lambda hit, critical: hit)


def critical_chance(strike: Strike) -> Any:
    """Chance of a critical hit as a function of the armor class; see :func:`hit_chance`.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> critical_chance(swing).subs("A", 16)
    11/200
    """
    return _piecewise(strike, lambda hit, critical: critical)


def expected_damage(strike: Strike) -> Any:
    """Mean damage of the attack as a function of the armor class; see :func:`hit_chance`.

    Ordinary and critical hits, each with its mean damage and weighted with its chance.

    Examples
    --------
    >>> import combatkit as ck
    >>> hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    >>> swing = ck.attack(ck.load_ruleset("srd35"), hero, ck.Combatant(armor_class=16))
    >>> expected_damage(swing).subs("A", 16)
    1089/400
    """
    ordinary = _rational(strike.hit_damage.mean)
    multiplied = _rational(strike.critical_damage.mean)
    return _piecewise(
        strike, lambda hit, critical: ((hit - critical) * ordinary + critical * multiplied).expand()
    )


def death_odds(rules: Ruleset) -> Any:
    """Chance to die in the end, unaided, as a function of the hit points below 0.

    Parameters
    ----------
    rules : Ruleset

    Returns
    -------
    sympy.Expr
        In the symbol ``k``: the creature is dying at -k hit points. Each further hit point is lost
        before it stabilizes with the same chance, until it is dead.

    Examples
    --------
    >>> import combatkit as ck
    >>> death_odds(ck.load_ruleset("srd35"))
    (9/10)**(10 - k)
    >>> death_odds(ck.load_ruleset("srd35")).subs("k", 9)
    9/10
    """
    import sympy

    if not rules.dying.is_plain:
        raise CombatkitError(
            f"death_odds: in ruleset '{rules.id}' the roll of the dying changes or is counted, so "
            "that there is no one formula; use ck.dying"
        )
    return _rational(sinks(rules)) ** (-rules.dead_at - sympy.Symbol("k"))


def sinks(rules: Ruleset) -> Fraction:
    """Chance that one more hit point is lost before the dying creature stabilizes."""
    lose, stabilize = rules.dying.count("lose_hit_point"), rules.dying.count("stabilize")
    return Fraction(lose, lose + stabilize) if lose else Fraction(0)


def _piecewise(strike: Strike, value: Callable[[Any, Any], Any]) -> Any:
    """Put a value of hit and critical chance together from the cases."""
    import sympy

    if not strike.possible:
        return sympy.Integer(0)
    symbol, shift = sympy.Symbol("A"), tie_step(strike) - strike.attack_bonus.total
    lands = _rational(1 - strike.miss_chance)
    pieces: list[tuple[Any, Any]] = []
    for case in cases_of(strike):
        hit, threat, sure, confirm = (
            _algebra(part, symbol + shift, strike.blow.roll) for part in case[1:]
        )
        piece = value(lands * hit, lands * (threat * confirm + sure))
        if pieces and pieces[-1][0] == piece:
            pieces.pop()
        pieces.append((piece, True if case.up_to is None else symbol <= case.up_to - shift))
    return sympy.Piecewise(*pieces)


def _algebra(part: Part, n: Any, roll: Roll) -> Any:
    import sympy

    twenty, rest = sympy.Integer(20), _rational(part.rest)
    if not part.moves:
        return rest
    n -= part.shift
    if roll == "advantage":
        return rest + 1 - ((n - 1) / twenty) ** 2
    return rest + ((21 - n) / twenty) ** (2 if roll == "disadvantage" else 1)


def _rational(value: Fraction) -> Any:
    import sympy

    return sympy.Rational(value.numerator, value.denominator)
