"""Hide bonuses by situation, torch light, and the wait of the winded."""

from __future__ import annotations

import pytest

from combatkit import CombatkitError, Situation, load_ruleset
from combatkit.combat.checks import hide_bonus, sees_by_torch, winded_rounds

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))

# situation, size, moving, bonus (srd: Varying degrees of cover and concealment; invisibility)
HIDING = [
    (Situation(), "medium", True, 0),
    (Situation(), "tiny", True, 8),
    (Situation(), "huge", True, -8),
    (Situation(cover="improved"), "medium", True, 10),
    (Situation(cover="standard"), "medium", True, 0),
    (Situation(concealment="dense"), "medium", True, 10),
    (Situation(concealment="total"), "medium", True, 0),
    (Situation(cover="improved", concealment="dense"), "small", True, 24),
    (Situation(defender={"invisible"}), "medium", True, 20),
    (Situation(defender={"invisible"}), "medium", False, 40),
    (Situation(attacker={"invisible"}), "medium", False, 0),
]


@pytest.mark.parametrize(("there", "size", "moving", "bonus"), HIDING)
def test_hide_bonus(there: Situation, size: str, moving: bool, bonus: int) -> None:
    for rules in (SRD, CLASSIC):
        assert hide_bonus(rules, there, size, moving).total == bonus  # type: ignore[arg-type]


def test_rules_without_cover_refuse_it() -> None:
    with pytest.raises(CombatkitError, match="cover"):
        hide_bonus(PHASED, Situation(cover="improved"))
    assert hide_bonus(PHASED, Situation(), "small").total == 4


def test_torch_light() -> None:
    assert [sees_by_torch(SRD, feet) for feet in (20, 21)] == [True, False]
    assert [sees_by_torch(SRD, feet, low_light=True) for feet in (40, 41)] == [True, False]


def test_the_winded_wait_for_ten_minutes() -> None:
    assert winded_rounds(PHASED) == 10 * 60 // 6
    with pytest.raises(CombatkitError, match=r"chase\.rest_minutes"):
        winded_rounds(SRD)
