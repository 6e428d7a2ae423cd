"""One against several: a blow may find the next where one falls (Cleave, Great Cleave)."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from flint import fmpz_poly

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.blow import Blow
from combatkit.combat.health.damage_taken import Target
from combatkit.combat.health.pairs import blow_total, capped, outcomes

# damage taken by the member under attack, by members fallen, whether a blow of the turn has hit and
# whether the turn's Cleave is spent
Hurt = dict[tuple[int, bool, bool], fmpz_poly]


class Swing(NamedTuple):
    """A blow, and how often it may be struck in a row where each fells somebody.

    Attributes
    ----------
    blow : Blow
    most : int
    once : bool
        Whether only one fall of the turn gives a further blow.
    """

    blow: Blow
    most: int = 1
    once: bool = False

    @property
    def total(self) -> int:
        """Sum of the weights of all that it leads to."""
        return int(blow_total(self.blow) ** self.most)


def swing_of(strike: Strike, blow: Blow, count: int) -> Swing:
    """Tell what a strike at one of so many, felt as this blow, leads to by the feats that hold.

    Source: srd, Cleave and Great Cleave: the further blow is like the one that felled.
    """
    if strike.attempt.granted("great_cleave"):
        return Swing(blow, count)
    cleaves = strike.attempt.granted("cleave") and count > 1
    return Swing(blow, 2, once=True) if cleaves else Swing(blow)


def swing_at(swing: Swing, now: Hurt, member: Target, count: int) -> tuple[Hurt, fmpz_poly]:
    """Strike a blow, and again at the next where one falls and it cleaves.

    Returns
    -------
    Hurt, fmpz_poly
        How the members stand then, and those that fall by damage taken, both over a total that has
        grown by ``swing.total``.
    """
    later, falls = defaultdict[tuple[int, bool, bool], fmpz_poly](fmpz_poly), fmpz_poly()
    unit = blow_total(swing.blow)
    for left in reversed(range(swing.most)):
        rest, again = unit**left, defaultdict[tuple[int, bool, bool], fmpz_poly](fmpz_poly)
        for (fallen, hit_before, spent), taken in now.items():
            if fallen == count:
                later[fallen, hit_before, spent] += taken * unit * rest
                continue
            cleaves = left > 0 and not spent
            for hit, damage in outcomes(swing.blow, hit_before):
                hurt = capped(taken * damage, member.deadly)
                up = hurt.truncate(member.needed)
                down, hit_by_now = hurt - up, hit or hit_before
                falls += down * rest
                later[fallen, hit_by_now, spent] += up * rest
                if cleaves:
                    again[fallen + 1, hit_by_now, swing.once] += int(down(1))
                else:
                    later[fallen + 1, hit_by_now, spent] += int(down(1)) * rest
        now = again
    return later, falls
