"""One check against another: every face of both dice, and what a tie means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError, load_ruleset
from combatkit.combat.checks import Check, opposed_check

SRD, PHASED = load_ruleset("srd35"), load_ruleset("phased")
PICK: dict[str, Callable[[int, int], int]] = {
    "normal": lambda a, _: a,
    "advantage": max,
    "disadvantage": min,
}
FACES = range(1, 21)


def faces(roll: str) -> Counter[int]:
    return Counter(PICK[roll](a, b) for a, b in product(FACES, FACES))


def slow(mine: Check, other: Check, tie: str) -> Fraction:
    """Roll both dice; ``roll_again`` is followed until almost nothing is left, then compared."""
    won = level = 0
    for (a, x), (b, y) in product(faces(mine.roll).items(), faces(other.roll).items()):
        gap = a + mine.bonus - b - other.bonus
        won += x * y * (gap > 0)
        level += x * y * (gap == 0)
    p_won, p_level = Fraction(won, 160_000), Fraction(level, 160_000)
    if tie == "roll_again":
        total, left = Fraction(0), Fraction(1)
        for _ in range(40):
            total, left = total + left * p_won, left * p_level
        return total
    share = {
        "attacker_wins": Fraction(1),
        "defender_wins": Fraction(0),
        "higher_bonus": Fraction(1 + (mine.bonus > other.bonus) - (mine.bonus < other.bonus), 2),
    }[tie]
    return p_won + p_level * share


@pytest.mark.parametrize("tie", SRD.switches["opposed_check_tie"].options)
@pytest.mark.parametrize("rolls", list(product(PICK, PICK)))
@pytest.mark.parametrize("bonuses", [(0, 0), (3, 1), (-2, 5), (25, 0)])
def test_every_face_of_both_dice(tie: str, rolls: Any, bonuses: tuple[int, int]) -> None:
    mine, other = (Check(bonus, roll) for bonus, roll in zip(bonuses, rolls, strict=True))
    told, expected = opposed_check(SRD, mine, other, tie), slow(mine, other, tie)
    if tie == "roll_again":
        assert 0 <= told.p_success - expected < Fraction(1, 10**20)
    else:
        assert told.p_success == expected
    assert told.p_success + told.p_failure == 1


rolled = st.builds(Check, st.integers(-30, 30), st.sampled_from(sorted(PICK)))


@given(rolled, rolled, st.sampled_from(["higher_bonus", "roll_again"]))
def test_one_of_the_two_prevails(mine: Check, other: Check, tie: str) -> None:
    there, back = opposed_check(SRD, mine, other, tie), opposed_check(SRD, other, mine, tie)
    assert there.p_success + back.p_success == 1
    assert there.p_tie == back.p_tie


@given(rolled, rolled, st.integers(1, 9))
def test_a_higher_bonus_never_hurts(mine: Check, other: Check, more: int) -> None:
    better = mine._replace(bonus=mine.bonus + more)
    assert opposed_check(SRD, better, other).p_success >= opposed_check(SRD, mine, other).p_success


def test_any_ruleset_has_it_and_takes_bare_bonuses() -> None:
    assert opposed_check(PHASED, 5, Check(0, passive=True)).p_success == Fraction(16, 20)
    passive = Check(0, passive=True)
    assert opposed_check(SRD, passive, passive, "roll_again").p_success == Fraction(1, 2)
    chosen = SRD.with_switches(opposed_check_tie="defender_wins")
    assert opposed_check(chosen, 0, 0).p_success == Fraction(19, 40)


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: opposed_check(SRD, "5", 0), "whole number"),  # type: ignore[arg-type]
        (lambda: opposed_check(SRD, 1001, 0), "-1,000 to 1,000"),
        (lambda: opposed_check(SRD, 0, 0, "higher_bonuss"), "did you mean 'higher_bonus'"),
        (lambda: opposed_check(SRD, Check(0, "advantge"), 0), "did you mean 'advantage'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_check_is_refused(work: Callable[[], object], words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()
