r"""Formulas: the same odds as the engine's, as algebra in the armor class and as LaTeX.

An attack's d20 faces fall into three kinds whatever the armor class: those that always do it (a
natural 20, say), those that never do, and those that do it when they reach the natural roll needed,
``n = A - b``. The chance is then a constant plus, between two values of n, the chance of rolling
n or more. Everything here follows from that; nothing is fitted to the engine, which the tests
compare it with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from combatkit.combat import Strike
from combatkit.combat.blow import Procedures, face_weights
from combatkit.combat.situation import Roll
from combatkit.rules import Ruleset
from combatkit.view.text import fraction_text

FACES = frozenset(range(1, 21))


class Faces(NamedTuple):
    """Faces of a d20 that bring something about: always, or by reaching the roll needed."""

    always: frozenset[int] = frozenset()
    reaching: frozenset[int] = frozenset()

    def within(self, kept: frozenset[int]) -> Faces:
        """Only some of the faces."""
        return Faces(self.always & kept, self.reaching & kept)

    def or_else(self, other: Faces) -> Faces:
        """Faces that do one or the other."""
        always = self.always | other.always
        return Faces(always, (self.reaching | other.reaching) - always)


class Part(NamedTuple):
    """A chance for a range of n: a constant, plus the chance of n or more where it moves."""

    moves: bool
    rest: Fraction


class Case(NamedTuple):
    """Chances while the natural roll needed is at most `up_to` (None: however high).

    Attributes
    ----------
    hit, confirm : Part
        Of a hit, criticals included; of a confirmation.
    threat, sure : Part
        Of a threat that must be confirmed; of one that is a critical hit at once.
    """

    up_to: int | None
    hit: Part
    threat: Part
    sure: Part
    confirm: Part


def _rolled(misses_on_1: bool, hits_on_20: bool) -> Faces:
    always = frozenset({20}) if hits_on_20 else frozenset()
    return Faces(always, FACES - always - ({1} if misses_on_1 else set()))


def _threat(attack: Faces, threat_from: int, rule: Procedures) -> Faces:
    if rule.critical == "none" or threat_from > 20:
        return Faces()
    if rule.critical == "maximum_damage":
        return attack.within(frozenset(range(rule.maximum_damage_from, 21)))
    threat = attack.within(frozenset(range(threat_from, 21)))
    if rule.threat_must_hit == "always_hits":
        threat = threat.or_else(Faces(frozenset(range(max(2, threat_from), 21))))
    if rule.natural_20_threatens == "only_if_total_hits":
        threat = Faces(threat.always - {20}, threat.reaching | {20})
    return threat


@lru_cache(maxsize=1024)
def _cases(roll: Roll, threat_from: int, rule: Procedures) -> tuple[Case, ...]:
    attack = _rolled(rule.attack_natural_1 == "misses", rule.attack_natural_20 == "hits")
    threat = _threat(attack, threat_from, rule)
    confirm = _rolled(rule.confirmation_natural_1 == "misses", rule.confirmation_natural_20 == "hits")
    at_once = FACES if rule.critical != "confirm" else frozenset[int]()
    if rule.natural_20_confirms == "automatic":
        at_once |= {20}
    kinds = (attack.or_else(threat), threat.within(FACES - at_once), threat.within(at_once), confirm)
    ends = sorted({end for faces in kinds for end in _ends(faces.reaching)}) or [1]
    ranges = zip([0, *ends], [*ends, None], strict=True)
    return tuple(
        Case(high, *(_part(faces, roll, low, high) for faces in kinds)) for low, high in ranges
    )


def _ends(faces: frozenset[int]) -> Iterable[int]:
    """First and last face of every unbroken run."""
    return (face for face in faces if face - 1 not in faces or face + 1 not in faces)


def _part(faces: Faces, roll: Roll, low: int, high: int | None) -> Part:
    """Chance of the faces while low < n <= high."""
    weights = face_weights(roll)

    def chance(some: Iterable[int]) -> Fraction:
        return Fraction(sum(weights[face - 1] for face in some), sum(weights))

    if high is None:
        return Part(False, chance(faces.always))
    sure = chance(faces.always) + chance(face for face in faces.reaching if face >= high)
    if low and high - low > 1 and low + 1 in faces.reaching:
        return Part(True, sure - chance(range(high, 21)))
    return Part(False, sure)


def _of(strike: Strike) -> tuple[Case, ...]:
    return _cases(strike.blow.roll, strike.blow.threat_from, strike.blow.procedures)


def _extra(strike: Strike) -> int:
    """1 where the total has to beat the armor class, not only to equal it."""
    return int(strike.blow.procedures.attack_tie == "misses")


# ---- algebra


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
    return _piecewise(strike, lambda case: case[0])


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
    return _piecewise(strike, lambda case: case[1])


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
    hit_mean, critical_mean = strike.hit_damage.mean, strike.critical_damage.mean
    return _piecewise(
        strike,
        lambda case: (case[0] - case[1]) * _rational(hit_mean) + case[1] * _rational(critical_mean),
    )
