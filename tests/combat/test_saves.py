"""Saving throws and checks, face by face."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from combatkit import CombatkitError, load_ruleset, p_check, p_save

SRD = load_ruleset("srd35")


def _listed(bonus: int, dc: int, roll: str, special: bool) -> Fraction:
    good = 0
    for one, two in product(range(1, 21), repeat=2):
        face = {"normal": one, "advantage": max(one, two), "disadvantage": min(one, two)}[roll]
        passed = face + bonus >= dc
        if special:
            passed = face == 20 or (passed and face != 1)
        good += passed
    return Fraction(good, 400)


@pytest.mark.parametrize("roll", ["normal", "advantage", "disadvantage"])
def test_face_by_face(roll: Any) -> None:
    for bonus, dc in product((-3, 0, 7, 19), (1, 8, 15, 30)):
        assert p_check(bonus, dc, roll) == _listed(bonus, dc, roll, special=False)
        assert p_save(SRD, bonus, dc, roll) == _listed(bonus, dc, roll, special=True)


@pytest.mark.parametrize("roll", ["advantge", "", None, 5])
def test_an_unknown_way_to_roll_is_told(roll: Any) -> None:
    for check in (lambda: p_check(3, 10, roll), lambda: p_save(SRD, 3, 10, roll)):
        with pytest.raises(CombatkitError, match="advantage"):
            check()
