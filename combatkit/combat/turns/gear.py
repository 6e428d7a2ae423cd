"""What worn armor and carried weapons do outside an attack: hinder checks and spells, and weigh."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from combatkit.rules import Armor, Combatant, Ruleset


def check_penalty(rules: Ruleset, who: Combatant) -> int:
    """Add up what armor and shield take off checks such as Climb and Ride.

    Source: srd, Armor check penalty: those of armor and shield add up.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> check_penalty(load_ruleset("srd35"), Combatant(armor="chainmail", shield="heavy_steel"))
    -7
    """
    return sum(armor.check_penalty for armor in _worn(rules, who))


def spell_failure(rules: Ruleset, who: Combatant) -> Fraction:
    """Chance that an arcane spell with gestures is lost to armor and shield.

    Source: srd, Arcane spell failure: the percentages of armor and shield add up.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> spell_failure(load_ruleset("srd35"), Combatant(armor="chain_shirt", shield="buckler"))
    Fraction(1, 4)
    """
    percent = sum(armor.arcane_failure for armor in _worn(rules, who))
    return Fraction(min(100, percent), 100)


def gear_weight(rules: Ruleset, who: Combatant) -> Fraction:
    """Add up the pounds of armor, shield and weapons.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> gear_weight(load_ruleset("srd35"), Combatant(armor="leather", weapons=["longsword"]))
    Fraction(19, 1)
    """
    held = (rules.weapon(choice) for choice in who.weapons)
    worn = sum((Fraction(armor.weight) for armor in _worn(rules, who)), Fraction(0))
    return worn + sum((Fraction(weapon.weight) for weapon in held), Fraction(0))


def _worn(rules: Ruleset, who: Combatant) -> Iterator[Armor]:
    yield from (rules.armor(choice) for choice in (who.armor, who.shield) if choice is not None)
