"""Dying, step by step by hand, in the three rulesets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from combatkit import CombatkitError, dying, load_ruleset
from combatkit.combat.d20 import p_check
from combatkit.combat.health.dying import first_aid_dc
from combatkit.rules import Ruleset

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
State = int | str
Odds = dict[State, Fraction]
HALF = Fraction(1, 2)


def own_turn(name: str, points: int, heal: int | None, strenuous: bool) -> Odds:
    """phases: d20, below 10 loses 1, a natural 20 stabilizes. srd: 10 % stable, else 1 lost."""
    worse: State = points - 1 if points > -9 else "dead"
    if heal is not None:  # a standard action: it fails the save, but a success stabilizes
        pairs = [(one, two) for one in range(1, 21) for two in range(1, 21)]
        good = Fraction(sum(min(pair) + heal >= 10 - points for pair in pairs), 400)
        return {"stable": good, worse: 1 - good}
    if strenuous:
        return {worse: Fraction(1)}
    if name == "phased":
        return {"stable": Fraction(1, 20), worse: Fraction(9, 20), points: HALF}
    return {"stable": Fraction(1, 10), worse: Fraction(9, 10)}


def aid(name: str, points: int, heal: int) -> Fraction:
    dc = 10 - points if name == "phased" else 15
    return Fraction(sum(face + heal >= dc for face in range(1, 21)), 20)


def slow_turn(
    name: str, odds: Odds, heal: int | None, order: str, self_aid: int | None, strenuous: bool
) -> Odds:
    def helped(before: Odds) -> Odds:
        after: Odds = {}
        for state, chance in before.items():
            good = aid(name, state, heal) if isinstance(state, int) and heal is not None else 0
            after["stable"] = after.get("stable", Fraction(0)) + chance * good
            after[state] = after.get(state, Fraction(0)) + chance * (1 - good)
        return after

    def rolled(before: Odds) -> Odds:
        after: Odds = {}
        for state, chance in before.items():
            turn = (
                own_turn(name, state, self_aid, strenuous)
                if isinstance(state, int)
                else {state: Fraction(1)}
            )
            for end, share in turn.items():
                after[end] = after.get(end, Fraction(0)) + chance * share
        return after

    return rolled(helped(odds)) if order == "aid_first" else helped(rolled(odds))


CASES = [
    (name, points, heal, order, None, False)
    for name, starts in (("srd35", (-1, -4, -9)), ("classic", (-2,)), ("phased", (0, -3, -9)))
    for points in starts
    for heal in (None, 0, 7)
    for order in ("aid_first", "save_first")
] + [
    ("phased", -2, None, "aid_first", 5, False),
    ("phased", -2, 3, "save_first", 5, False),
    ("phased", 0, None, "aid_first", None, True),
    ("phased", -4, 2, "aid_first", None, True),
    ("phased", -4, 2, "save_first", None, True),
    ("phased", -9, 2, "save_first", 30, False),
]


@pytest.mark.parametrize("name, points, heal, order, self_aid, strenuous", CASES)
def test_step_by_step(
    name: str, points: int, heal: int | None, order: str, self_aid: int | None, strenuous: bool
) -> None:
    fate = dying(
        RULES[name], points, heal=heal, order=order, self_aid=self_aid, strenuous=strenuous
    )  # type: ignore[arg-type]
    odds: Odds = {points: Fraction(1)}
    for turn in range(1, 9):
        odds = slow_turn(name, odds, heal, order, self_aid, strenuous)
        ends = {state: odds.get(state, Fraction(0)) for state in ("stable", "dead")}
        assert fate.after(turn) == {"dying": 1 - sum(ends.values()), **ends}
    assert fate.p_stable + fate.p_death == 1
    for _ in range(60):
        odds = slow_turn(name, odds, heal, order, self_aid, strenuous)
    for state, chance in (("stable", fate.p_stable), ("dead", fate.p_death)):
        left = 1 - odds.get("stable", Fraction(0)) - odds.get("dead", Fraction(0))
        assert odds.get(state, Fraction(0)) <= chance <= odds.get(state, Fraction(0)) + left


@pytest.mark.parametrize("name, worse, stable", [("srd35", 90, 10), ("phased", 9, 1)])
def test_unaided_it_is_a_power(name: str, worse: int, stable: int) -> None:
    rules, share = RULES[name], Fraction(worse, worse + stable)
    first = 0 if name == "phased" else -1
    for points in range(first, -10, -1):
        assert dying(rules, points).p_death == share ** (points + 10)


def test_expected_turns() -> None:
    assert dying(RULES["srd35"], -9).expected_turns() == 1
    assert dying(RULES["phased"], -9).expected_turns() == 2  # half of all saves change nothing
    assert dying(RULES["phased"], 0, strenuous=True).expected_turns() == 10
    fate = dying(RULES["srd35"], -8)
    assert fate.expected_turns() == Fraction(19, 10)
    assert fate.expected_turns("dead") == 2
    assert (
        fate.p_death * fate.expected_turns("dead") + fate.p_stable * (fate.expected_turns("stable"))
        == fate.expected_turns()
    )


@pytest.mark.parametrize(
    "name, dcs",
    [
        ("srd35", {-1: 15, -9: 15}),
        ("classic", {-5: 15}),
        ("phased", {0: 10, -1: 11, -8: 18, 5: 10}),
    ],
)
def test_first_aid_dc(name: str, dcs: dict[int, int]) -> None:
    assert {points: first_aid_dc(RULES[name], points) for points in dcs} == dcs


def test_binding_own_wounds_under_both_readings() -> None:
    sticks = dying(RULES["phased"], -9, self_aid=20)
    assert sticks.p_stable == Fraction(18, 20) ** 2 * 0 + p_check(20, 19, "disadvantage") == 1
    hard = dying(RULES["phased"], -9, self_aid=8)
    assert hard.p_stable == HALF**2  # 11 or more on both dice
    literal = RULES["phased"].with_switches(self_aid="literal")
    undone = dying(literal, -3, self_aid=30)
    assert (undone.p_stable, undone.expected_turns()) == (0, 7)


@pytest.mark.parametrize(
    "roll, chance",
    [("normal", HALF), ("advantage", Fraction(3, 4)), ("disadvantage", Fraction(1, 4))],
)
def test_the_ally_rolls_as_told(roll: str, chance: Fraction) -> None:
    fate = dying(RULES["srd35"], -9, heal=4, heal_roll=roll)  # type: ignore[arg-type]
    assert fate.after(1)["stable"] == chance + (1 - chance) * Fraction(1, 10)


@pytest.mark.parametrize(
    "name, points, options, words",
    [
        (
            "srd35",
            0,
            {},
            "0 hit points are 'disabled' in ruleset 'srd35', not dying; dying is -1 to -9",
        ),
        ("srd35", 5, {}, "5 hit points are 'up'"),
        ("phased", 1, {}, "dying is 0 to -9"),
        ("phased", -10, {}, "'dead'"),
        ("srd35", -3, {"strenuous": True}, "cannot act"),
        ("srd35", -3, {"self_aid": 4}, "cannot bind their own wounds"),
        ("phased", -3, {"heal": 4, "heal_roll": "advantge"}, "'advantage'"),
        ("phased", -3, {"heal": 4, "order": "aid"}, "'aid_first'"),
    ],
)
def test_what_cannot_be_is_told(
    name: str, points: int, options: dict[str, object], words: str
) -> None:
    with pytest.raises(CombatkitError) as caught:
        dying(RULES[name], points, **options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_more_skill_and_more_hit_points_never_kill() -> None:
    def death(rules: Ruleset, points: int, heal: int | None) -> Fraction:
        return dying(rules, points, heal=heal).p_death

    for rules in RULES.values():
        for points in range(-9, 0):
            row = [
                death(rules, points, None),
                *(death(rules, points, heal) for heal in range(0, 15, 3)),
            ]
            assert row == sorted(row, reverse=True)
        column = [death(rules, points, 2) for points in range(-9, 0)]
        assert column == sorted(column, reverse=True)
