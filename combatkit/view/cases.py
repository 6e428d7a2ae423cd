"""The shape of an attack's odds as the armor class changes, for formulas.

Whether to hit, to threaten or to confirm, the faces of a d20 are of three kinds: those that always
do it (a natural 20, say), those that never do, and those that do it by reaching the natural roll
needed, ``n = A - b`` (one more where a tie misses). So every chance is a constant plus, between two
values of n, the chance of rolling n or more. Nothing is fitted to the engine; the tests compare.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.blow import Procedures
from combatkit.combat.d20 import Roll, face_weights

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
    """A chance for a range of n: a constant, plus where it moves the chance of n - shift or more.

    Attributes
    ----------
    shift : int
        Bonus on this roll alone: on the confirmation roll.
    """

    moves: bool
    rest: Fraction
    shift: int = 0


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
def _cases(roll: Roll, threat_from: int, rule: Procedures, confirmation: int) -> tuple[Case, ...]:
    attack = _rolled(rule.attack_natural_1 == "misses", rule.attack_natural_20 == "hits")
    threat = _threat(attack, threat_from, rule)
    confirm = _rolled(
        rule.confirmation_natural_1 == "misses", rule.confirmation_natural_20 == "hits"
    )
    at_once = FACES if rule.critical != "confirm" else frozenset[int]()
    if rule.natural_20_confirms == "automatic":
        at_once |= {20}
    hit = attack.or_else(threat)
    shift = confirmation if threat.within(FACES - at_once) != Faces() else 0
    kinds = (hit, threat.within(FACES - at_once), threat.within(at_once), confirm)
    rolls = tuple(zip(kinds, (0, 0, 0, shift), strict=True))
    ends = sorted({end + by for faces, by in rolls for end in _ends(faces.reaching)}) or [1]
    ranges = zip([None, *ends], [*ends, None], strict=True)  # None: without a bound
    return tuple(
        Case(high, *(_part(faces, roll, low, high, by) for faces, by in rolls))
        for low, high in ranges
    )


def _ends(faces: frozenset[int]) -> Iterable[int]:
    """First and last face of every unbroken run."""
    return (face for face in faces if face - 1 not in faces or face + 1 not in faces)


def _part(faces: Faces, roll: Roll, low: int | None, high: int | None, shift: int) -> Part:
    """Chance of the faces while low < n <= high, n - shift being the natural roll needed."""
    weights = face_weights(roll)

    def chance(some: Iterable[int]) -> Fraction:
        return Fraction(sum(weights[face - 1] for face in some), sum(weights))

    if high is None:
        return Part(False, chance(faces.always))
    high -= shift
    sure = chance(faces.always) + chance(face for face in faces.reaching if face >= high)
    if low is not None and high - (low - shift) > 1 and low - shift + 1 in faces.reaching:
        return Part(True, sure - chance(range(high, 21)), shift)
    return Part(False, sure)


def cases_of(strike: Strike) -> tuple[Case, ...]:
    """Chances of a strike, by ranges of the natural roll needed, the miss chance left out."""
    blow = strike.blow
    return _cases(blow.roll, blow.threat_from, blow.procedures, blow.confirmation)


def tie_step(strike: Strike) -> int:
    """Return 1 where the total has to beat the armor class, 0 where it may equal it."""
    return int(strike.blow.procedures.attack_tie == "misses")
