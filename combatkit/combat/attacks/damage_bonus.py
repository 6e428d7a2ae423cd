"""Damage: the dice a weapon rolls and what is added to them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, inf

from combatkit.combat.attacks.armor_class import armor_class
from combatkit.combat.attacks.attempt import CHARGES, Attempt
from combatkit.combat.attacks.blow import NO_SOAK, Soak
from combatkit.combat.attacks.damage import combined_multiplier
from combatkit.combat.attacks.feats import Remark
from combatkit.errors import CombatkitError
from combatkit.rules import Line, Tally, tally


def damage_bonus(attempt: Attempt) -> Tally:
    """Tally what is added to the damage dice.

    Parameters
    ----------
    attempt : Attempt

    Returns
    -------
    Tally
        Strength by grip and weapon, enhancement, feats, bonuses.
        Source: SRD combat statistics, Damage; Simplified 3.5, Damage; Phased combat, Strength
        modifier.
    """
    return tally(_lines(attempt), attempt.rules.stacking, "Damage bonus")


def _lines(attempt: Attempt) -> Iterator[Line]:
    printed = attempt.weapon.damage_bonus
    if printed is None:
        yield from _own_lines(attempt)
    else:
        yield attempt.term("damage.printed", printed, why=attempt.weapon.note)
    if power := attempt.situation.power_attack * _power_share(attempt):
        yield attempt.term("damage.power_attack", power)
    yield from attempt.bonus_lines("damage")
    yield from attempt.lines("damage")


def _own_lines(attempt: Attempt) -> Iterator[Line]:
    strength, why = strength_share(attempt)
    if strength or why:
        yield attempt.term("damage.strength", strength, why=why)
    if enhancement := attempt.weapon.enhancement:
        yield attempt.term("damage.enhancement", enhancement)
    yield from attempt.feat_lines("damage")


def strength_share(attempt: Attempt) -> tuple[int, str]:
    """How much of the Strength modifier is added to damage, and why not all of it.

    A penalty is never halved or enlarged; halves are rounded as the ruleset says.
    """
    strength, weapon = attempt.attacker.strength, attempt.weapon
    if weapon.use == "crossbow":
        return 0, "a crossbow adds no Strength" if strength else ""
    if weapon.use == "bow":
        return _bow_share(attempt, strength)
    if strength <= 0:
        return strength, ""
    punch = weapon.hand == "unarmed" and attempt.by_dexterity
    halved = punch and attempt.rules.switch("light_punch") == "half"
    if attempt.grip == "off_hand" or weapon.hand == "natural_secondary" or halved:
        return _part(attempt, strength, "damage.off_hand_strength"), f"half of {strength:+d}"
    if attempt.two_handed or weapon.hand == "natural_sole":
        return _part(
            attempt, strength, "damage.two_handed_strength"
        ), f"one and a half of {strength:+d}"
    return strength, ""


def _bow_share(attempt: Attempt, strength: int) -> tuple[int, str]:
    if strength <= 0:
        return strength, ""
    limit = attempt.weapon.strength_rating if attempt.weapon.composite else 0
    if strength <= limit:
        return strength, ""
    kind = f"a pull of {limit:+d}" if attempt.weapon.composite else "a bow that is not composite"
    return limit, f"{kind} gives no more"


def _part(attempt: Attempt, strength: int, number: str) -> int:
    share: Fraction = strength * attempt.rules.fraction(number)
    return floor(share) if attempt.rules.switch("rounding") == "down" else ceil(share)


def _power_share(attempt: Attempt) -> int:
    """Damage for each point traded: none with a light weapon or end, more with two hands."""
    weapon = attempt.weapon
    other_end = weapon.double and attempt.grip == "off_hand"
    if attempt.mode == "ranged" or weapon.hand == "light" or other_end:
        return 0
    return attempt.rules.number(f"power_attack.{'two' if attempt.two_handed else 'one'}_handed")


def hit_multiplier(attempt: Attempt) -> int:
    """Tell what every hit multiplies damage by: a lance on a charge, a spear set against one."""
    times = [attempt.situation.damage_multiplier]
    for effect in CHARGES:
        if attempt.effect(effect):
            times += [2] * (effect in attempt.weapon.doubles_when)
            times += [2] * (effect == "mounted_charge" and attempt.granted("spirited_charge"))
    return combined_multiplier(*times)


def soak(attempt: Attempt) -> Soak:
    """Tell what the defender takes off the damage (srd, Damage reduction; Resistance to energy)."""
    who = attempt.defender
    bypassed = attempt.weapon.qualities & set(who.reduction_bypassed_by)
    if not who.energy_resistance and (bypassed or not who.damage_reduction):
        return NO_SOAK
    return Soak(
        0 if bypassed else who.damage_reduction, tuple(sorted(who.energy_resistance.items()))
    )


def damage_dice(attempt: Attempt) -> str:
    """Dice of the weapon for its wielder's size, as text; empty for one that has none.

    Raises
    ------
    CombatkitError
        When the weapon lists no damage for that size.
    """
    listed, size = attempt.weapon.damage, attempt.attacker.size
    if not listed or stopped_by(attempt):
        return ""
    text = listed.get(size) or listed.get("any")
    if text == "0":
        return ""
    if text is None:
        known = ", ".join(listed)
        raise CombatkitError(
            f"weapon '{attempt.weapon.label or attempt.weapon.id}' lists no damage for a {size} "
            f"wielder (it lists {known}); give its damage dice"
        )
    return text


def extra_dice(attempt: Attempt) -> str:
    """Extra damage dice that apply, as text; empty where there are none.

    A sneak attack needs a row that allows it, a foe with a discernible anatomy, no miss chance
    from concealment, and a distance the ruleset limits.
    """
    if stopped_by(attempt):
        return ""
    parts = [attempt.weapon.extra] if attempt.weapon.extra else []
    if attempt.attacker.sneak_attack and _sneaks(attempt):
        parts.append(attempt.attacker.sneak_attack)
    return "+".join(parts)


def _sneaks(attempt: Attempt) -> bool:
    if attempt.defender.critical_immune or attempt.miss_chance:
        return False
    if attempt.situation.nonlethal and not attempt.weapon.nonlethal:
        return False  # srd: it takes a weapon that is nonlethal by itself
    far = (attempt.situation.distance or 0) > attempt.rules.number("sneak_attack.range")
    return bool(attempt.effect("sneak_attackable")) and not (attempt.mode == "ranged" and far)


def stopped_by(attempt: Attempt) -> str:
    """Label of the armor that a weapon such as a whip does no harm through; empty for none."""
    if not attempt.weapon.stopped_by:
        return ""
    lines, improves = armor_class(attempt).lines, attempt.rules.stacking.improves
    for line in lines:
        added = sum(other.value for other in lines if improves.get(other.type) == line.id)
        if line.value + added >= attempt.weapon.stopped_by.get(line.type, inf):
            return line.label
    return ""


def weapon_remarks(attempt: Attempt) -> Iterator[Remark]:
    """Say what holds a weapon back."""
    weapon = attempt.weapon
    if label := stopped_by(attempt):
        yield Remark("attacker", weapon.label, f"does no harm through the defender's {label}")
    if weapon.keen and attempt.granted("double_threat_range"):
        yield Remark("attacker", "Keen and Improved Critical", "double the threat range only once")
