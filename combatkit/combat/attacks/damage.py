"""What a blow does: the damage of a hit, of a critical hit and of an attack.

Damage is kept by kind until the target has felt it: the weapon's own, and each energy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor, lcm
from types import MappingProxyType

from combatkit.combat.attacks.blow import (
    MEMORY,
    NO_SOAK,
    WEAPON,
    Blow,
    Procedures,
    Soak,
    blow_odds,
    landing,
)
from combatkit.prob import Dist, terms
from combatkit.rules.equipment import ENERGIES

NOTHING = Dist.constant(0)
SMALL = 1000  # most damage of what needs no check of its size

Kinds = Mapping[str, Dist]
Burst = tuple[str, int]  # dice, and how often they are rolled
NO_BURST: Burst = ("", 0)


def hit_damage(blow: Blow) -> Dist:
    """Damage of a hit that is not critical, or no longer is."""
    ways = hit_ways(blow)
    if len(ways) == 1:
        return _rolled_hit(blow)
    return Dist.mix([(chance, _rolled_hit(rolled)) for chance, rolled in ways])


def hit_ways(blow: Blow) -> list[tuple[Fraction, Blow]]:
    """List what a hit that is not critical may be: with its precise dice, or without them."""
    if not (blow.fortification and blow.precise):
        return [(Fraction(1), blow)]
    chances, undone = blow_odds(blow), Fraction(blow.fortification)
    hit = chances.hit or not chances.critical
    kept, lost = hit * (1 - undone), (hit + chances.critical) * undone
    plain = blow._replace(precise="")
    return [(kept / (kept + lost), blow), (lost / (kept + lost), plain)]


def critical_damage(blow: Blow) -> Dist:
    """Damage of a critical hit: rolled several times, multiplied, or at its maximum."""
    if blow.volley:
        return critical_damage(blow._replace(volley=0)) + _volley(blow)
    extra, burst = _extra(blow), (blow.burst, blow.multiplier - 1)
    if not blow.dice:
        return extra_damage(extra, blow.soak, burst)
    times = blow.hit_multiplier
    known = blow.soak, blow.procedures
    if blow.procedures.critical == "maximum_damage":
        return maximum_damage(blow.dice, blow.flat, extra, times, *known, burst)
    times = combined_multiplier(times, blow.multiplier)
    return rolled_damage(blow.dice, blow.flat, extra, times, *known, burst)


def sure_critical_damage(blow: Blow) -> Dist:
    """Damage of what would be a critical hit, if fortification did not undo some."""
    if not (undone := blow.fortification):
        return critical_damage(blow)
    return Dist.mix([(1 - undone, critical_damage(blow)), (undone, _plain_hit(blow))])


def ordinary_damage(blow: Blow) -> Dist:
    """Damage of what the die makes an ordinary hit, of whose precise dice some are undone."""
    if not (undone := blow.fortification):
        return _rolled_hit(blow)
    return Dist.mix([(1 - undone, _rolled_hit(blow)), (undone, _plain_hit(blow))])


def _plain_hit(blow: Blow) -> Dist:
    return _rolled_hit(blow._replace(precise=""))


def _volley(blow: Blow) -> Dist:
    """Damage of the further arrows of a shot: no critical hits, and precision counts once."""
    arrow = blow._replace(volley=0, extra=blow.volley_extra, precise="", first_hit="")
    return blow.volley @ _rolled_hit(arrow)


def _rolled_hit(blow: Blow) -> Dist:
    if blow.volley:
        return _rolled_hit(blow._replace(volley=0)) + _volley(blow)
    if not blow.dice:
        return extra_damage(_extra(blow), blow.soak)
    return rolled_damage(
        blow.dice, blow.flat, _extra(blow), blow.hit_multiplier, blow.soak, blow.procedures
    )


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
    return "+".join(text for text in (blow.extra, blow.precise, blow.first_hit) if text)


@lru_cache(maxsize=MEMORY)
def extra_damage(extra: str, soak: Soak, burst: Burst = NO_BURST) -> Dist:
    """Damage of what has no dice of its own: a net deals none, a flask of acid its extra dice."""
    return _landed(_joined(_by_kind(extra), _burst(burst, WEAPON)), WEAPON, soak, 0)


@lru_cache(maxsize=MEMORY)
def _by_kind(text: str, own: str = WEAPON) -> Kinds:
    """Damage dice by kind; those without a type are of the weapon's own kind."""
    kinds: dict[str, Dist] = {}
    for term in terms(text) if text else ():
        kind = _kind(term.damage_type, own)
        kinds[kind] = kinds[kind] + term.dist if kind in kinds else term.dist
    return MappingProxyType(kinds)


def _kind(damage_type: str | None, own: str) -> str:
    if damage_type is None:
        return own
    return damage_type if damage_type in ENERGIES else WEAPON


@lru_cache(maxsize=MEMORY)
def _own_kind(text: str) -> str:
    """Kind of the weapon itself, and of its bonus: an energy where all its dice are of energies."""
    first, *others = terms(text)
    kinds = [_kind(term.damage_type, WEAPON) for term in others if term.sides > 1]
    return WEAPON if WEAPON in kinds else _kind(first.damage_type, WEAPON)


def _joined(*several: Kinds) -> Kinds:
    """Add damage up by kind."""
    filled = [kinds for kinds in several if kinds]
    if len(filled) == 1:
        return filled[0]
    joined: dict[str, Dist] = {}
    for kinds in filled:
        for kind, part in kinds.items():
            joined[kind] = joined[kind] + part if kind in joined else part
    return joined


def _each(kinds: Kinds, change: Callable[[Dist], Dist]) -> Kinds:
    return {kind: change(part) for kind, part in kinds.items()}


def _burst(burst: Burst, own: str) -> Kinds:
    text, times = burst
    return _each(_by_kind(text, own), lambda part: times @ part) if times else {}


@lru_cache(maxsize=MEMORY)
def rolled_damage(
    text: str,
    flat: int,
    extra: str,
    times: int,
    soak: Soak,
    rule: Procedures,
    burst: Burst = NO_BURST,
) -> Dist:
    """Damage rolled with its bonus so many times, extra dice, then the least damage of a hit."""
    own = _own_kind(text)
    base, added = _one_roll(text, flat, rule, own), _by_kind(extra, own)
    if times > 1:
        if rule.extra_dice == "multiplied":
            base, added = _joined(base, added), {}
        many = (
            (lambda once: times @ once)
            if rule.critical_damage == "roll_each"
            else lambda once: once.scale(times)
        )
        base = _each(base, many)
    return _landed(_joined(base, added, _burst(burst, own)), own, soak, rule.least_damage)


@lru_cache(maxsize=MEMORY)
def maximum_damage(
    text: str,
    flat: int,
    extra: str,
    times: int,
    soak: Soak,
    rule: Procedures,
    burst: Burst = NO_BURST,
) -> Dist:
    """Take the most a roll can give; extra dice are at their maximum too where the rules say so."""
    own = _own_kind(text)
    base = _each(_one_roll(text, flat, rule, own), lambda once: Dist.constant(once.maximum * times))
    added = _joined(_by_kind(extra, own), _burst(burst, own))
    if rule.extra_dice == "multiplied":
        added = _each(added, lambda part: Dist.constant(part.maximum))
    return _landed(_joined(base, added), own, soak, rule.least_damage)


@lru_cache(maxsize=MEMORY)
def rend_damage(text: str, soak: Soak) -> Dist:
    """Damage of rending, which the target soaks like a hit of its own."""
    return _landed(_by_kind(text), _own_kind(text), soak, 0)


@lru_cache(maxsize=MEMORY)
def _one_roll(text: str, flat: int, rule: Procedures, own: str) -> Kinds:
    parts = _by_kind(text, own)
    roll = parts[own] + flat
    if rule.minimum_damage == "each_roll":
        roll = roll.clip(low=rule.least_damage)
    return {**parts, own: roll}


def _landed(kinds: Kinds, own: str, soak: Soak, least: int) -> Dist:
    """Add up a hit. Penalties leave at least the least damage; what the target takes off may not.

    Source: SRD combat statistics, Minimum damage; srd, Damage reduction, Resistance to energy,
    Vulnerability to energy.
    """
    total = NOTHING
    for kind, part in kinds.items():
        lowest = least if kind == own else 0
        if part.minimum < lowest:
            part = part.clip(low=lowest)
        if soak is not NO_SOAK:
            part = _felt(kind, part, soak)
        total = part if total is NOTHING else total + part
    return total


def _felt(kind: str, part: Dist, soak: Soak) -> Dist:
    """Return what a target feels of damage of one kind."""
    if kind in soak.immune:
        return NOTHING
    if kind == WEAPON:
        return (part - soak.reduction).clip(low=0) if soak.reduction else part
    if kind in soak.vulnerable:
        part = part.map(lambda points: floor(points * soak.factor))
    off = dict(soak.resistances).get(kind, 0)
    return (part - off).clip(low=0) if off else part


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
