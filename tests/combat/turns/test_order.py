"""Rounds: the sequence of turns, lengths, and how long a stance lasts, by both readings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError, load_ruleset
from combatkit.combat.turns.order import (
    dodge_lasts_in,
    seconds,
    turns_in_order,
    turns_in_phases,
    who_faces,
)

CLASSIC, PHASED = load_ruleset("classic"), load_ruleset("phased")
ORDER = ["Ada", "Bo", "Cy"]


def test_seconds() -> None:
    assert [seconds(CLASSIC, rounds) for rounds in (0, 1, 10)] == [0, 6, 60]
    with pytest.raises(CombatkitError, match="negative"):
        seconds(CLASSIC, -1)


def test_the_loop_of_rounds() -> None:
    plain = [(1, "Ada"), (1, "Bo"), (1, "Cy"), (2, "Ada"), (2, "Bo"), (2, "Cy")]
    assert list(turns_in_order(ORDER, 2)) == plain
    assert list(turns_in_order(ORDER, 2, aware=[])) == plain
    assert list(turns_in_order(ORDER, 2, aware=ORDER)) == plain
    assert list(turns_in_order(ORDER, 1, aware=["Cy", "Ada"]))[:3] == [
        (0, "Ada"),
        (0, "Cy"),
        (1, "Ada"),
    ]


@given(st.permutations(ORDER), st.integers(0, 4), st.sets(st.sampled_from(ORDER)))
def test_everybody_acts_once_a_round(order: list[str], rounds: int, aware: set[str]) -> None:
    turns = list(turns_in_order(order, rounds, sorted(aware)))
    for number in range(1, rounds + 1):
        assert [name for when, name in turns if when == number] == order
    first = [name for when, name in turns if when == 0]
    assert first == ([n for n in order if n in aware] if 0 < len(aware) < len(order) else [])


def test_phases() -> None:
    turns = list(turns_in_phases(PHASED, ["Ada", "Bo"], ["Orc", "Ork"], 2, too_slow=["Ada"]))
    assert [name for number, name in turns if number == 1] == ["Bo", "Orc", "Ork"]
    assert [name for number, name in turns if number == 2] == ["Ada", "Bo", "Orc", "Ork"]
    with pytest.raises(CombatkitError, match="no phases"):
        list(turns_in_phases(CLASSIC, ["Ada"], ["Orc"], 1))
    with pytest.raises(CombatkitError, match="'Adda' is no player; valid: Ada"):
        list(turns_in_phases(PHASED, ["Ada"], ["Orc"], 1, ["Adda"]))


def slow_faces(order: list[str], who: str, until_next_turn: bool) -> list[str]:
    """Walk through the turns after the stance is taken, until it ends."""
    turns = list(turns_in_order(order, 2))
    met = []
    for number, name in turns[turns.index((1, who)) + 1 :]:
        if name == who or (number == 2 and not until_next_turn):
            break
        met.append(name)
    return met


@given(st.permutations(ORDER), st.sampled_from(ORDER))
def test_who_meets_a_stance(order: list[str], who: str) -> None:
    literal = CLASSIC.with_switches(fighting_defensively_lasts="end_of_round")
    for rules in (CLASSIC, literal):
        assert list(who_faces(rules, "total_defense", order, who)) == slow_faces(order, who, True)
    own = who_faces(CLASSIC, "fighting_defensively", order, who)
    assert list(own) == slow_faces(order, who, True)
    short = who_faces(literal, "fighting_defensively", order, who)
    assert list(short) == slow_faces(order, who, False)
    assert set(short) <= set(own)


def test_dodge_by_both_readings() -> None:
    literal = PHASED.with_switches(dodge_lasts="literal")
    sides = ("players", "enemies")
    assert [dodge_lasts_in(PHASED, side) for side in sides] == ["enemies", "players"]
    assert [dodge_lasts_in(literal, side) for side in sides] == ["enemies", "enemies"]
    assert PHASED.lookup("reflex", "dodging").number("bonus") == 2
    assert PHASED.rows["defender.dodging"].value == 4


def test_unfriendly_words() -> None:
    with pytest.raises(CombatkitError, match="same name"):
        list(turns_in_order(["Ada", "Ada"], 1))
    with pytest.raises(CombatkitError, match="'Adda' is not in the order; valid: Ada"):
        list(turns_in_order(ORDER, 1, ["Adda"]))
    with pytest.raises(CombatkitError, match="did you mean 'total_defense'"):
        who_faces(CLASSIC, "total_defence", ORDER, "Ada")  # type: ignore[arg-type]
    with pytest.raises(CombatkitError, match="not in the order"):
        who_faces(CLASSIC, "total_defense", ORDER, "Eve")
    with pytest.raises(CombatkitError, match="side 'player'"):
        dodge_lasts_in(PHASED, "player")  # type: ignore[arg-type]
