"""What a blow does: the damage of a hit, of a critical hit, of an attack and of a round."""

from __future__ import annotations

from functools import lru_cache, reduce
from math import lcm
from operator import add
from typing import NamedTuple

from combatkit.combat.attacks.blow import MEMORY, Blow, Procedures, Soak, blow_odds
from combatkit.combat.attacks.nonlethal import parts
from combatkit.prob import Dist, dice, terms

ENERGY = ("fire", "cold", "acid", "electricity", "sonic", "force", "positive", "negative")
NOTHING = Dist.constant(0)
SMALL = 1000  # most damage of what needs no check of its size


def hit_damage(blow: Blow) -> Dist:
    """Damage of an ordinary hit, lethal and nonlethal together."""
    if blow.volley:
        return hit_damage(blow._replace(volley=0)) + _volley(blow)
    if blow.nonlethal:
        lethal, nonlethal = parts(blow)
        return hit_damage(lethal) + hit_damage(nonlethal)
    if not blow.dice:
        return _extra_alone(blow)
    times = blow.hit_multiplier
    return rolled_damage(blow.dice, blow.flat, _extra(blow), times, blow.soak, blow.procedures)


def critical_damage(blow: Blow) -> Dist:
    """Damage of a critical hit: rolled several times, multiplied, or at its maximum."""
    if blow.volley:
        return critical_damage(blow._replace(volley=0)) + _volley(blow)
    if blow.nonlethal:
        lethal, nonlethal = parts(blow)
        return critical_damage(lethal) + critical_damage(nonlethal)
    if not blow.dice:
        return _extra_alone(blow)
    times, extra = blow.hit_multiplier, _extra(blow)
    if blow.procedures.critical == "maximum_damage":
        return maximum_damage(blow.dice, blow.flat, extra, times, blow.soak, blow.procedures)
    times = combined_multiplier(times, blow.multiplier)
    return rolled_damage(blow.dice, blow.flat, extra, times, blow.soak, blow.procedures)


def _volley(blow: Blow) -> Dist:
    """Damage of the further arrows of a shot: no critical hits, and precision counts once."""
    return blow.volley @ hit_damage(blow._replace(volley=0, extra=blow.volley_extra, first_hit=""))


def combined_multiplier(*multipliers: int) -> int:
    """Combine multipliers, each of which works off the original damage.

    Source: SRD combat statistics and Simplified 3.5, Multiplying damage; that x2 and x2 make x3 is
    the public SRD's sum.

    Examples
    --------
    >>> combined_multiplier(2, 2), combined_multiplier(3), combined_multiplier()
    (3, 3, 1)
    """
    return 1 + sum(multiplier - 1 for multiplier in multipliers)


def _extra(blow: Blow) -> str:
    return "+".join(text for text in (blow.extra, blow.first_hit) if text)


def _extra_alone(blow: Blow) -> Dist:
    """Damage of what has no dice of its own: a net deals none, a flask of acid its extra dice."""
    extra = _extra(blow)
    return _landed(NOTHING, _by_type(extra), blow.soak, 0) if extra else NOTHING


class Extra(NamedTuple):
    """Extra damage: what counts as the weapon's, and what each energy adds."""

    plain: Dist
    energies: tuple[tuple[str, Dist], ...]


@lru_cache(maxsize=MEMORY)
def _by_type(text: str) -> Extra:
    plain, energies = NOTHING, dict[str, Dist]()
    for term in terms(text) if text else ():
        if term.damage_type in ENERGY:
            energies[term.damage_type] = energies.get(term.damage_type, NOTHING) + term.dist
        else:
            plain = plain + term.dist
    return Extra(plain, tuple(energies.items()))


@lru_cache(maxsize=MEMORY)
def rolled_damage(
    text: str, flat: int, extra: str, times: int, soak: Soak, rule: Procedures
) -> Dist:
    """Damage rolled with its bonus so many times, extra dice, then the least damage of a hit."""
    roll = _one_roll(text, flat, rule)
    if times == 1:
        return _landed(roll, _by_type(extra), soak, rule.least_damage)

    def many(once: Dist) -> Dist:
        return times @ once if rule.critical_damage == "roll_each" else once.scale(times)

    added = _by_type(extra)
    if rule.extra_dice == "multiplied":
        roll = roll + added.plain
        added = Extra(NOTHING, tuple((name, many(part)) for name, part in added.energies))
    return _landed(many(roll), added, soak, rule.least_damage)


@lru_cache(maxsize=MEMORY)
def maximum_damage(
    text: str, flat: int, extra: str, times: int, soak: Soak, rule: Procedures
) -> Dist:
    """Take the most a roll can give; extra dice are at their maximum too where the rules say so."""
    top, added = Dist.constant(_one_roll(text, flat, rule).maximum * times), _by_type(extra)
    if rule.extra_dice == "multiplied":
        most = tuple((name, Dist.constant(part.maximum)) for name, part in added.energies)
        added = Extra(Dist.constant(added.plain.maximum), most)
    return _landed(top, added, soak, rule.least_damage)


@lru_cache(maxsize=MEMORY)
def _one_roll(text: str, flat: int, rule: Procedures) -> Dist:
    roll = dice(text) + flat
    return roll.clip(low=rule.least_damage) if rule.minimum_damage == "each_roll" else roll


def _landed(weapon: Dist, added: Extra, soak: Soak, least: int) -> Dist:
    """Add up a hit. Penalties leave at least the least damage; what the target takes off may not.

    Source: SRD combat statistics, Minimum damage; srd, Damage reduction and Resistance to energy.
    """
    if added.plain is not NOTHING:
        weapon = weapon + added.plain
    if not soak.reduction and not soak.resistances:
        return sum((part for _, part in added.energies), start=weapon).clip(low=least)
    weapon = (weapon.clip(low=least) - soak.reduction).clip(low=0)
    off = dict(soak.resistances)
    felt = ((part - off.get(name, 0)).clip(low=0) for name, part in added.energies)
    return sum(felt, start=weapon)


@lru_cache(maxsize=MEMORY)
def blow_damage(blow: Blow) -> Dist:
    """Damage of one attack, 0 where it misses.

    Returns
    -------
    Dist
        Its mass is exactly 1.
    """
    missed, hit, critical = landing(blow)
    struck, crushed = hit_damage(blow), critical_damage(blow)
    if not missed or crushed.maximum > SMALL:
        return Dist.mix([(missed, NOTHING), (hit, struck), (critical, crushed)])
    # the same mixture without its checks, for this is asked most of all
    unit = lcm(struck.total, crushed.total)
    poly = struck.poly.left_shift(struck.low) * (hit * (unit // struck.total))
    poly += crushed.poly.left_shift(crushed.low) * (critical * (unit // crushed.total))
    return Dist._from_poly(poly + missed * unit, 0, unit * (missed + hit + critical))


def landing(blow: Blow) -> tuple[int, int, int]:
    """Weights of missing, hitting and hitting critically, any miss chance included."""
    chances, bottom = blow_odds(blow), blow.miss_chance.denominator
    top = bottom - blow.miss_chance.numerator
    hit, critical = chances.hit * top, chances.critical * top
    return chances.total * bottom - hit - critical, hit, critical


@lru_cache(maxsize=MEMORY)
def blows_damage(blows: tuple[Blow, ...]) -> Dist:
    """Damage of the blows of a round, dice for the first hit counted once."""
    if not any(blow.first_hit for blow in blows):
        return reduce(add, map(blow_damage, blows)) if blows else NOTHING
    fresh = 1  # weight of no hit so far
    hurt: list[tuple[int, Dist]] = []
    for blow in blows:
        missed, hit, critical = landing(blow)
        later, whole = blow_damage(blow._replace(first_hit="")), missed + hit + critical
        hurt = [(weight * whole, damage + later) for weight, damage in hurt]
        hurt += [(fresh * hit, hit_damage(blow)), (fresh * critical, critical_damage(blow))]
        fresh *= missed
    return Dist.mix([(fresh, NOTHING), *hurt])
