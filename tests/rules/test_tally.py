"""Stacking: the total is the best legal reading, and every line stays on the receipt."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from combatkit.rules import Citation, Line, Stacking, tally
from combatkit.view import result_html

HERE = Citation("srd", "here")
RULE = Stacking(stacks=("dodge", "untyped"), penalties_highest_only=("magic",), cite=HERE)
TYPES = ("dodge", "untyped", "magic", "armor", "morale")

lines = st.lists(
    st.builds(
        lambda value, kind, counted: Line("x", "X", value, kind, HERE, counted),
        st.integers(-5, 5),
        st.sampled_from(TYPES),
        st.sampled_from([True, True, True, False]),
    ),
    max_size=8,
)


def _legal(chosen: tuple[Line, ...], limited: set[str]) -> bool:
    kinds = [line.type for line in chosen if line.type in limited]
    return len(kinds) == len(set(kinds))


def _subsets(some: list[Line]) -> list[tuple[Line, ...]]:
    return [chosen for size in range(len(some) + 1) for chosen in combinations(some, size)]


def slow_total(given_lines: list[Line]) -> int:
    """Try every set of bonuses and of penalties that the rules allow to count together."""
    live = [line for line in given_lines if line.counted]
    bonuses = [line for line in live if line.value > 0]
    bad = [line for line in live if line.value < 0]
    best = max(
        sum(line.value for line in chosen)
        for chosen in _subsets(bonuses)
        if _legal(chosen, set(TYPES) - {"dodge", "untyped"})
    )
    worst = min(
        sum(line.value for line in chosen) for chosen in _subsets(bad) if _legal(chosen, {"magic"})
    )
    return best + worst


@given(lines)
def test_the_total_is_the_best_legal_reading(some: list[Line]) -> None:
    assert tally(some, RULE).total == slow_total(some)


@given(lines, st.randoms(use_true_random=False))
def test_the_order_of_lines_never_changes_the_total(some: list[Line], random) -> None:  # type: ignore[no-untyped-def]
    mixed = list(some)
    random.shuffle(mixed)
    assert tally(mixed, RULE).total == tally(some, RULE).total


@given(lines, st.integers(0, 5), st.sampled_from(TYPES))
def test_one_more_bonus_never_lowers_the_total(some: list[Line], value: int, kind: str) -> None:
    more = [*some, Line("y", "Y", value, kind, HERE)]
    before = tally(some, RULE).total
    assert before <= tally(more, RULE).total <= before + value


@given(lines)
def test_every_line_is_on_the_receipt(some: list[Line]) -> None:
    receipt = tally(some, RULE, "Attack bonus")
    assert [(line.id, line.value, line.type) for line in receipt.lines] == [
        (line.id, line.value, line.type) for line in some
    ]
    assert sum(line.value for line in receipt.lines if line.counted) == receipt.total
    for old, new in zip(some, receipt.lines, strict=True):
        assert old.counted or not new.counted  # struck stays struck
        assert new.counted or not old.counted or "do not stack" in new.why
    assert len(receipt.explain().splitlines()) == len(some) + 1


def test_the_receipt_says_who_won() -> None:
    def line(label: str, value: int) -> Line:
        return Line(label.lower(), label, value, "magic", HERE)

    receipt = tally(
        [line("Ring", 1), line("Shield", 3), line("Cloak", 3), line("Curse", -1), line("Bane", -2)],
        RULE,
    )
    assert receipt.total == 3 - 2
    assert [one.why for one in receipt.lines] == [
        "magic bonuses do not stack: 'Shield' +3 is higher",
        "",
        "magic bonuses do not stack: 'Shield' +3 is as high",
        "magic penalties do not stack: 'Bane' -2 is higher",
        "",
    ]


def test_a_label_cannot_smuggle_markup_into_the_receipt() -> None:
    receipt = tally(
        [Line("x", "<b>x</b>", 1, "magic", Citation("a<i>", "b"), why="<u>")], RULE, "<t>"
    )
    page = result_html(receipt)
    assert all(tag not in page for tag in ("<b>x", "<i>", "<u>", "<t>"))
