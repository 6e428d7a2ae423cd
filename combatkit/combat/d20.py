"""One d20: its faces with advantage or disadvantage, and the odds of a plain check."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

from combatkit.errors import check_word

Roll = Literal["normal", "advantage", "disadvantage"]


def face_weights(roll: Roll) -> list[int]:
    """Weight of each d20 face from 1 to 20: of 20, or of 400 when two dice are rolled.

    Examples
    --------
    >>> face_weights("disadvantage")[-1]
    1
    """
    check_word(roll, get_args(Roll), "roll")
    if roll == "normal":
        return [1] * 20
    rising = [2 * face - 1 for face in range(1, 21)]
    return rising if roll == "advantage" else rising[::-1]


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
