"""The blows of a round one after the other, and what the round remembers of them.

Dice for the first hit, rending and mirror images depend on the blows before. Each blow leads from a
:class:`Moment` to others, with a chance and a damage; everything that follows blows in order (a
round, a fight, a dying target) follows these moments. Blows that nothing depends on stay as they
are, one polynomial.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import gcd, lcm
from operator import add
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.blow import MEMORY, Blow, landing
from combatkit.combat.attacks.damage import (
    NOTHING,
    blow_damage,
    critical_damage,
    hit_damage,
    rend_damage,
)
from combatkit.prob import Dist
from combatkit.prob.exact import check_size


class Moment(NamedTuple):
    """What a round remembers of its blows so far.

    Attributes
    ----------
    hit : bool
        Whether the dice of the first hit are used up.
    images : int
        Mirror images struck.
    rends : int
        Hits that may rend.
    """

    hit: bool = False
    images: int = 0
    rends: int = 0

    def at_another(self) -> Moment:
        """Turn to another target: nothing is known of its images, and nothing of it is torn."""
        return Moment(self.hit)


START = Moment()


class Branch(NamedTuple):
    """One way a blow may go.

    Attributes
    ----------
    chance : Fraction
    after : Moment
    rolled : Blow or None
        What strikes the target itself: without dice that are used up, and without rending where
        nothing is torn; None for a miss.
    critical : bool
    """

    chance: Fraction
    after: Moment
    rolled: Blow | None = None
    critical: bool = False

    @property
    def damage(self) -> Dist:
        """Damage done."""
        return struck_damage(self.rolled, self.critical) if self.rolled else NOTHING


def struck_damage(blow: Blow, critical: bool) -> Dist:
    """Damage of a hit of either kind, with what it tears."""
    struck = critical_damage(blow) if critical else hit_damage(blow)
    return struck + rend_damage(blow.rend, blow.soak) if blow.rend else struck


def remembers(blow: Blow) -> bool:
    """Whether what the blow does depends on the blows before it."""
    return bool(blow.first_hit or blow.images or blow.rend)


@lru_cache(maxsize=MEMORY)
def branches(blow: Blow, now: Moment = START) -> tuple[Branch, ...]:
    """Every way a blow may go at a moment of the round: a miss, an image struck, a hit, a critical.

    Source: srd, Mirror image; Rend.
    """
    missed, hit, critical = landing(blow, now.images)
    total, left = missed + hit + critical, max(0, blow.images - now.images)
    image = Fraction(left, left + 1) * blow.image_hit
    after = _after_a_hit(blow, now)
    torn = now.rends + 1 == blow.rend_hits
    rolled = blow._replace(
        first_hit="" if now.hit else blow.first_hit, rend=blow.rend if torn else ""
    )
    ways = (
        Branch(Fraction(missed, total) - image, now),
        Branch(image, now._replace(images=now.images + 1)),
        Branch(Fraction(hit, total), after, rolled),
        Branch(Fraction(critical, total), after, rolled, critical=True),
    )
    return tuple(way for way in ways if way.chance)


def _after_a_hit(blow: Blow, now: Moment) -> Moment:
    rends = min(now.rends + 1, blow.rend_hits) if blow.rend else now.rends
    return now._replace(hit=now.hit or bool(blow.first_hit), rends=rends)


@lru_cache(maxsize=MEMORY)
def weights(blow: Blow) -> tuple[fmpz_poly, int]:
    """Weights of a blow's damage from 0 up, and their sum, as small as they may be."""
    damage = blow_damage(blow)
    common = gcd(int(damage.poly.content()), damage.total)
    return damage.poly.left_shift(damage.low) / common, damage.total // common


@lru_cache(maxsize=MEMORY)
def blow_total(blow: Blow) -> int:
    """Sum of the weights that :func:`outcomes` gives, the same at every moment."""
    if not remembers(blow):
        return weights(blow)[1]
    ways = (way for now in moments(blow) for way in branches(blow, now))
    return lcm(*(way.chance.denominator * way.damage.total for way in ways))


def moments(blow: Blow) -> Iterator[Moment]:
    """Yield the moments of a round that make a difference to the blow."""
    hits = (False, True) if blow.first_hit else (False,)
    return map(Moment._make, product(hits, range(blow.images + 1), range(blow.rend_hits + 1)))


def count_moments(blow: Blow) -> int:
    """How many moments of a round make a difference to the blow."""
    return sum(1 for _ in moments(blow))


@lru_cache(maxsize=MEMORY)
def outcomes(blow: Blow, now: Moment) -> tuple[tuple[Moment, fmpz_poly], ...]:
    """Weights of a blow's damage by the moment it leads to."""
    if not remembers(blow):
        return ((now, weights(blow)[0]),)
    total, found = blow_total(blow), defaultdict[Moment, fmpz_poly](fmpz_poly)
    for way in branches(blow, now):
        share = way.chance * total / way.damage.total
        found[way.after] += way.damage.poly.left_shift(way.damage.low) * int(share)
    return tuple(found.items())


@lru_cache(maxsize=MEMORY)
def blows_damage(blows: tuple[Blow, ...]) -> Dist:
    """Damage of the blows of a round."""
    if not any(map(remembers, blows)):
        return reduce(add, map(blow_damage, blows)) if blows else NOTHING
    now, total = {START: fmpz_poly([1])}, 1
    for blow in blows:
        later = defaultdict[Moment, fmpz_poly](fmpz_poly)
        for moment, dealt in now.items():
            for after, damage in outcomes(blow, moment):
                later[after] += dealt * damage
        now, total = later, total * blow_total(blow)
        check_size(max(poly.degree() for poly in now.values()) + 1, total.bit_length())
    dealt = sum(now.values(), fmpz_poly())
    low = next(index for index, weight in enumerate(dealt.coeffs()) if weight)
    return Dist._from_poly(dealt.right_shift(low), low, total)


def strike_by_strike(blows: tuple[Blow, ...]) -> list[tuple[Fraction, Fraction]]:
    """Chance to hit and mean damage of each blow of a round, whatever the ones before did."""
    now, found = {START: Fraction(1)}, []
    for blow in blows:
        later, lands, mean = defaultdict[Moment, Fraction](Fraction), Fraction(0), Fraction(0)
        for moment, reached in now.items():
            for way in branches(blow, moment):
                chance = reached * way.chance
                later[way.after] += chance
                lands += chance * (way.rolled is not None)
                mean += chance * way.damage.mean
        now = later
        found.append((lands, mean))
    return found


def p_all(blows: tuple[Blow, ...], land: bool) -> Fraction:
    """Chance that every blow of a round lands, or that none does."""
    now = {START: Fraction(1)}
    for blow in blows:
        later = defaultdict[Moment, Fraction](Fraction)
        for moment, reached in now.items():
            for way in branches(blow, moment):
                if (way.rolled is not None) == land:
                    later[way.after] += reached * way.chance
        now = later
    return sum(now.values(), Fraction(0))
