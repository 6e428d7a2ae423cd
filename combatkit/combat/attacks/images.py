"""Mirror images: which of those who look alike is struck at, and what strikes an image."""

from __future__ import annotations

from fractions import Fraction

from combatkit.combat.attacks.attempt import Attempt
from combatkit.combat.attacks.blow import odds, procedures
from combatkit.rules import modifier_of


def image_armor_class(attempt: Attempt, real: int) -> int:
    """Armor class of a mirror image, given the real target's.

    Source: srd, Mirror image; the switch ``image_armor_class``.
    """
    rules = attempt.rules
    if rules.switch("image_armor_class") == "target":
        return real
    size = int(rules.lookup("size", attempt.defender.size).number("modifier"))
    dexterity = modifier_of(attempt.dexterity("defender")[0])
    return rules.number("images.armor_class") + size + dexterity


def p_image_struck(attempt: Attempt, real: int, bonus: int, threat_from: int) -> Fraction | int:
    """Chance that an attack at an image strikes it; 0 where there are no images."""
    if not attempt.situation.images:
        return 0
    needs = image_armor_class(attempt, real) - bonus
    chances = odds(needs, threat_from, attempt.roll, procedures(attempt.rules))
    struck = Fraction(chances.hit + chances.critical, chances.total)
    shared = attempt.rules.switch("image_miss_chance") == "images"
    return struck * (1 - attempt.miss_chance) if shared else struck
