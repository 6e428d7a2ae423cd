"""Dice notation: what it means, what is refused, and how kindly."""

from __future__ import annotations

from time import perf_counter

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit.errors import CombatkitError
from combatkit.prob import DAMAGE_TYPES, DiceTerm, Dist, dice, terms

light = settings(max_examples=60, deadline=None)

MEANINGS = [
    ("d20", Dist.die(20)),
    ("2d6", 2 @ Dist.die(6)),
    ("d%", Dist.die(100)),
    ("7", Dist.constant(7)),
    ("0", Dist.constant(0)),
    ("-1d4", -Dist.die(4)),
    ("+1d4", Dist.die(4)),
    ("1d4-1", Dist.die(4) - 1),
    ("1d4 \N{MINUS SIGN} 1", Dist.die(4) - 1),
    ("2d6+3", 2 @ Dist.die(6) + 3),
    ("1d8+1d6 fire", Dist.die(8) + Dist.die(6)),
    (" 2 D 6 + 3  Cold ", 2 @ Dist.die(6) + 3),
    ("4d6kh3", Dist.die(6).highest(4, 3)),
    ("2d20KL1 - 2", Dist.die(20).lowest(2) - 2),
    ("4d6kh4", 4 @ Dist.die(6)),
    ("5d1kh2+3d1", Dist.constant(5)),
    ("1d2+1d2+1d2+1d2+1d2", 5 @ Dist.die(2)),
]


@pytest.mark.parametrize(("text", "meaning"), MEANINGS)
def test_meaning(text: str, meaning: Dist) -> None:
    assert dice(text) == meaning


def test_terms_keep_what_was_written() -> None:
    assert terms("2d6+7 slashing - 4d6kh3 + 2d20kl1 Sonic") == (
        DiceTerm(2, 6),
        DiceTerm(7, damage_type="slashing"),
        DiceTerm(4, 6, -1, 3),
        DiceTerm(2, 20, 1, -1, "sonic"),
    )
    for name in DAMAGE_TYPES:
        assert terms(f"1d6 {name}")[0].damage_type == name


@light
@given(
    st.lists(
        st.tuples(st.sampled_from("+-"), st.integers(1, 3), st.sampled_from([1, 4, 6, 20])),
        min_size=1,
        max_size=4,
    )
)
def test_icepool_agrees(parts: list[tuple[str, int, int]]) -> None:
    text = "".join(f"{sign}{count}d{sides}" for sign, count, sides in parts)
    slow = icepool.Die([0])
    for sign, count, sides in parts:
        roll = count @ icepool.d(sides)
        slow = slow + roll if sign == "+" else slow - roll
    ours = dice(text)
    assert {x: p * slow.denominator() for x, p in ours.items()} == dict(slow.items())
    assert ours == sum((part.dist for part in terms(text)), Dist.constant(0))


WRONG = [
    ("2x6", "'x' at position 2 is neither dice nor a damage type; did you mean '2d6'?"),
    ("2W6+1", "'W' at position 2 is neither .* did you mean '2d6\\+1'?"),
    ("1d6 fyre", "'fyre' at position 5 .* did you mean '1d6 fire'?"),
    ("1d6 fire cold", "'cold' at position 10 needs '\\+' or '-' .* did you mean '1d6 fire'?"),
    ("2d", "'d' at position 2 .* did you mean '2d6'?"),
    ("d6d6", "'d' at position 3 .* did you mean 'd6\\+d6'?"),
    ("2d6 3", "'3' at position 5 needs .* did you mean '2d6 \\+3'?"),
    ("2d6++3", "'\\+' at position 5 is not dice or a number; did you mean '2d6\\+3'?"),
    ("2d6+", "'\\+' at position 4 has no dice or number after it; did you mean '2d6'?"),
    ("x6", "'x' at position 1 is not dice or a number; did you mean 'd6'?"),
    ("1d8*2", "'\\*' at position 4 needs"),
    ("(2d6)", "'\\(' at position 1 is not dice or a number; a valid form is '2d6\\+3 fire'"),
    ("4d6k3", "'k' at position 4 .* did you mean '4d6kh3'?"),
    ("4d6kh", "'kh' at position 4 .* did you mean '4d6kh1'?"),
    ("4d6kh5", "'5' at position 6 is too large .* at most 4; did you mean '4d6kh4'?"),
    ("4d6kl0", "'0' at position 6 is too few; at least 1; did you mean '4d6kl1'?"),
    ("4d6dl1", "'dl' at position 4 drops dice; say which to keep, as in 4d6kh3"),
    ("d0", "'0' at position 2 is too few; at least 1; did you mean 'd1'?"),
    ("0d6", "'0' at position 1 is too few; at least 1; did you mean '1d6'?"),
    ("", "nothing to roll; a valid form is"),
    ("   ", "nothing to roll"),
    ("-", "'-' at position 1 has no dice or number after it"),
    ("٣d6", "'٣' at position 1 is not dice or a number"),
    (6, "must be a text like '2d6\\+3', not 6"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(CombatkitError, match=f"dice notation.*{message}"):
        dice(text)


FLOODS = [
    ("99999999d99999999", "too large a number of dice; at most 10,000"),
    ("1d99999999", "too large a number of sides; at most 10,000; did you mean '1d10000'"),
    ("1000001", "too large a number; at most 1,000,000"),
    ("9" * 200, "too large a number"),
    ("1d6+" * 1000 + "1d6", "has 4003 characters; at most 200"),
    ("10000d10", "too large to keep exact"),
    ("1000d1000", "too wide"),
    ("+".join(["999d20"] * 28), "too wide"),
    ("+".join(f"99d{sides}" for sides in range(20, 50)), "too large to keep exact"),
    ("10000d20kh5000", "too large to keep exact|too much work"),
    ("+".join(["2d20kh1"] * 5), "at most 4 terms may keep"),
    ("d" * 200, "'d' at position 1"),
    ("1d6 " * 50, "'1' at position 5"),
    ("+" * 200, "'\\+' at position 2"),
]


@pytest.mark.parametrize(("text", "message"), FLOODS)
def test_floods_are_refused_at_once(text: str, message: str) -> None:
    start = perf_counter()
    with pytest.raises(CombatkitError, match=message):
        dice(text)
    assert perf_counter() - start < 0.1


@light
@given(st.text("0123456789dkhl%+- fire", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert len(dice(text)) > 0
    except CombatkitError as error:
        assert str(error).startswith(f"dice notation '{text}'")


@light
@given(st.text("26dkhlxfi%+- ", max_size=8))
def test_a_suggestion_is_valid(text: str) -> None:
    try:
        terms(text)
    except CombatkitError as error:
        _, found, tail = str(error).rpartition("did you mean '")
        if found:
            assert terms(tail.removesuffix("'?"))
