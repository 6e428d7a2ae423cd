"""Saving throws and plain checks."""

from __future__ import annotations

from fractions import Fraction

from combatkit.combat.blow import face_weights
from combatkit.combat.situation import Roll
from combatkit.rules import Ruleset


def p_check(bonus: int, dc: int, roll: Roll = "normal") -> Fraction:
    """Chance that d20 + bonus reaches a difficulty class; no natural roll is special.

    Parameters
    ----------
    bonus, dc : int
    roll : {"normal", "advantage", "disadvantage"}, optional
        Two d20s, the better or the worse of which counts.

    Returns
    -------
    Fraction
        0 to 1.

    Examples
    --------
    >>> p_check(7, 20), p_check(2, 12, "disadvantage")
    (Fraction(2, 5), Fraction(121, 400))
    """
    weights = face_weights(roll)
    passed = sum(weight for face, weight in enumerate(weights, 1) if face + bonus >= dc)
    return Fraction(passed, sum(weights))


def p_save(rules: Ruleset, bonus: int, dc: int, roll: Roll = "normal") -> Fraction:
    """Chance to make a saving throw, with natural 1 and 20 as the ruleset says.

    Source: seed004, Saving throws.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> p_save(load_ruleset("srd35"), 14, 15), p_save(load_ruleset("srd35"), -20, 15)
    (Fraction(19, 20), Fraction(1, 20))
    """
    weights = face_weights(roll)

    def saves(face: int) -> bool:
        if face == 1 and rules.switch("save_natural_1") == "fails":
            return False
        if face == 20 and rules.switch("save_natural_20") == "succeeds":
            return True
        return face + bonus >= dc

    passed = sum(weight for face, weight in enumerate(weights, 1) if saves(face))
    return Fraction(passed, sum(weights))
