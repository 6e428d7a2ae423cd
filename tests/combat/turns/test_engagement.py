"""Engagement: every sentence of the text as an example, and laws over random fights."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import CombatkitError, load_ruleset
from combatkit.combat.turns.engagement import (
    Fighter,
    Melee,
    abreast,
    movement_left,
    moves_past,
    reach_of,
)

RULES = load_ruleset("phased")
ADA, BO = Fighter("Ada", "players"), Fighter("Bo", "players", speed=20)
ORC, OGRE = Fighter("Orc", "enemies"), Fighter("Ogre", "enemies", speed=40, reach=10)
START = Melee((ADA, BO, ORC, OGRE))


def fight(*pairs: tuple[str, str]) -> Melee:
    melee = START
    for one, other in pairs:
        melee = melee.attack(one, other).melee
    return melee


def test_an_attack_engages_both_and_several_are_possible() -> None:
    melee = fight(("Ada", "Orc"), ("Ogre", "Ada"))
    assert melee.opponents("Ada") == ("Orc", "Ogre")
    assert melee.engaged("Orc", "Ada") and melee.engaged("Ada", "Orc")
    assert melee.opponents("Bo") == ()


def test_closing_in_provokes_once() -> None:
    melee, strikers = START.attack("Ada", "Ogre")
    assert strikers == ("Ogre",)
    assert melee.attack("Ada", "Ogre").strikers == ()
    assert START.attack("Ada", "Orc").strikers == ()  # same reach
    assert START.attack("Ogre", "Ada").strikers == ()  # the longer reach attacks freely


def test_being_attacked_first_is_not_having_closed_in() -> None:
    assert fight(("Ogre", "Ada")).attack("Ada", "Ogre").strikers == ("Ogre",)


def test_closing_in_lasts_until_disengaged_or_closed_in_on_another() -> None:
    troll = Fighter("Troll", "enemies", reach=10)
    melee = Melee((ADA, OGRE, troll)).attack("Ada", "Ogre").melee
    apart = melee.back_away("Ada", 5)
    assert apart.attack("Ada", "Ogre").strikers == ("Ogre",)
    other = melee.attack("Ada", "Troll").melee
    assert other.attack("Ada", "Ogre").strikers == ("Ogre",)
    assert other.opponents("Ada") == ("Ogre", "Troll")


def test_unarmed_against_armed_provokes() -> None:
    fist, wolf = Fighter("Fist", "players", armed=False), Fighter("Wolf", "enemies", armed=False)
    melee = Melee((fist, ORC, wolf))
    assert melee.attack("Fist", "Orc").strikers == ("Orc",)
    assert melee.attack("Fist", "Wolf").strikers == ()


def test_an_opportunity_attack_never_provokes() -> None:
    fist = Fighter("Fist", "players", armed=False)
    melee = Melee((fist, OGRE)).attack("Ogre", "Fist").melee
    assert melee.attack("Fist", "Ogre", opportunity=True).strikers == ()
    assert melee.attack("Fist", "Ogre").strikers == ("Ogre",)


def test_one_reaction_a_round() -> None:
    melee = fight(("Ada", "Orc"), ("Bo", "Orc"))
    assert melee.act_carelessly("Orc").strikers == ("Ada", "Bo")
    spent = melee.react("Ada")
    assert spent.act_carelessly("Orc").strikers == ("Bo",)
    with pytest.raises(CombatkitError, match="Ada has reacted already"):
        spent.react("Ada")
    assert spent.start_turn("Bo").may_react("Ada").why_not
    assert spent.start_turn("Ada").may_react("Ada")


def test_backing_away_without_pursuit_disengages() -> None:
    assert fight(("Ada", "Orc")).back_away("Ada", 10).pairs == frozenset()


def test_pursuit_stays_engaged_and_owes_the_movement() -> None:
    melee = fight(("Ada", "Orc")).back_away("Ada", 20, pursuers=["Orc"])
    assert melee.engaged("Ada", "Orc")
    assert (melee.debt("Orc"), melee.movement("Orc")) == (20, 10)
    assert melee.may_react("Orc")  # reactive movement is no reaction
    assert melee.end_turn("Orc").movement("Orc") == 30
    assert melee.movement("Orc", dash=True) == 40


def test_a_pursuer_who_cannot_keep_up_is_left_behind() -> None:
    melee = fight(("Orc", "Bo")).back_away("Orc", 25, pursuers=["Bo"])
    assert not melee.engaged("Orc", "Bo")
    assert melee.movement("Bo") == 0
    again = melee.attack("Orc", "Bo").melee
    assert again.may_pursue("Bo", "Orc").why_not == "has no movement left"


def test_a_pursuer_with_just_enough_movement_keeps_up() -> None:
    melee = fight(("Orc", "Bo")).back_away("Orc", 20, pursuers=["Bo"])
    assert melee.engaged("Orc", "Bo")
    assert melee.movement("Bo") == 0


def test_whoever_is_engaged_with_another_cannot_pursue() -> None:
    melee = fight(("Orc", "Ada"), ("Orc", "Bo"))
    assert melee.may_pursue("Orc", "Ada").why_not == "is also engaged with Bo"
    with pytest.raises(CombatkitError, match="also engaged with Bo"):
        melee.back_away("Ada", 5, pursuers=["Orc"])


def test_if_all_retreat_only_the_last_can_be_pursued() -> None:
    melee = fight(("Orc", "Ada"), ("Orc", "Bo")).back_away("Ada", 5)
    assert melee.may_pursue("Orc", "Bo")
    assert melee.back_away("Bo", 5, pursuers=["Orc"]).opponents("Orc") == ("Bo",)


def test_backing_away_from_one_of_two() -> None:
    melee = fight(("Ada", "Orc"), ("Ogre", "Ada")).back_away("Ada", 5, away_from=["Orc"])
    assert melee.opponents("Ada") == ("Ogre",)


def test_running_away_provokes_from_everybody_and_is_not_pursued() -> None:
    melee, strikers = fight(("Ada", "Orc"), ("Ogre", "Ada")).react("Orc").run_away("Ada")
    assert strikers == ("Ogre",)  # the orc has reacted already
    assert melee.opponents("Ada") == ()
    assert not melee.may_pursue("Ogre", "Ada")
    with pytest.raises(CombatkitError, match="not engaged with anybody"):
        melee.run_away("Ada")


def test_moving_past_provokes_from_that_opponent_only() -> None:
    melee = fight(("Ada", "Orc"), ("Ogre", "Ada"))
    assert melee.move_past("Ada", "Orc").strikers == ("Orc",)
    with pytest.raises(CombatkitError, match="may intercept first"):
        melee.move_past("Bo", "Orc")


def test_intercepting() -> None:
    melee = START.intercept("Ada", "Orc", 15)
    assert melee.engaged("Ada", "Orc") and melee.movement("Ada") == 15
    assert melee.may_react("Ada")
    assert melee.move_past("Orc", "Ada").strikers == ("Ada",)
    assert "is engaged with Orc" in melee.may_intercept("Ada", "Ogre", 5).why_not
    assert "not hostile" in START.may_intercept("Ada", "Bo", 5).why_not
    assert "more than the 20 left" in START.may_intercept("Bo", "Orc", 25).why_not
    with pytest.raises(CombatkitError, match="Bo cannot intercept Orc"):
        START.intercept("Bo", "Orc", 25)


def test_disengaging_takes_the_reaction() -> None:
    melee = fight(("Ada", "Orc"), ("Ogre", "Ada")).disengage("Ada", "Orc")
    assert melee.opponents("Ada") == ("Ogre",)
    assert not melee.may_react("Ada")
    with pytest.raises(CombatkitError, match="not engaged with Orc"):
        melee.disengage("Ada", "Orc")
    with pytest.raises(CombatkitError, match="reacted already"):
        melee.disengage("Ada", "Ogre")


def test_a_readied_action_takes_the_reaction_and_is_lost_at_the_next_turn() -> None:
    melee = START.ready("Ada")
    assert not melee.carry_out("Ada").may_react("Ada")
    with pytest.raises(CombatkitError, match="no action ready"):
        melee.carry_out("Ada").carry_out("Ada")
    with pytest.raises(CombatkitError, match="reacted already"):
        melee.react("Ada").carry_out("Ada")
    with pytest.raises(CombatkitError, match="no action ready"):
        melee.start_turn("Ada").carry_out("Ada")


def test_movement_left() -> None:
    assert [movement_left(30, moved) for moved in (0, 20, 30)] == [30, 10, 0]
    assert movement_left(30, 30, dash=True) == 30
    for moved in (-1, 31):
        with pytest.raises(CombatkitError, match="reactive movement is 0 to 30"):
            movement_left(30, moved)


def test_space_and_reach() -> None:
    assert [abreast(RULES, width) for width in (0, 4, 5, 9, 10, 30)] == [0, 0, 1, 1, 2, 6]
    assert (reach_of(RULES), reach_of(RULES, True), reach_of(RULES, True, 15)) == (5, 10, 15)


# ---- the line through an opponent
@pytest.mark.parametrize(
    ("path", "past"),
    [
        ([(0, 0), (10, 0)], True),
        ([(0, 0), (5, 9)], False),  # on the line
        ([(0, 0), (6, 9)], True),
        ([(0, 0), (-9, 3)], False),
        ([(0, 0), (6, 9), (0, 9)], True),  # crossed, and came back
        ([(0, 0)], False),
        ([(5, 0), (9, 9)], False),  # starts where the opponent is: no line
        ([(0, 0), (Fraction(51, 10), 0)], True),
    ],
)
def test_moving_past(path: list[tuple[int, int]], past: bool) -> None:
    assert moves_past(path, (5, 0)) == past


POINT = st.tuples(st.integers(-6, 6), st.integers(-6, 6))


@given(st.lists(POINT, min_size=1, max_size=4), POINT, POINT)
def test_moving_past_is_the_same_turned_mirrored_and_shifted(
    path: list[tuple[int, int]], foe: tuple[int, int], shift: tuple[int, int]
) -> None:
    past = moves_past(path, foe)
    assert moves_past([(-y, x) for x, y in path], (-foe[1], foe[0])) == past
    assert moves_past([(-x, y) for x, y in path], (-foe[0], foe[1])) == past
    dx, dy = shift
    assert moves_past([(x + dx, y + dy) for x, y in path], (foe[0] + dx, foe[1] + dy)) == past


@given(st.lists(POINT, min_size=1, max_size=4), POINT)
def test_moving_past_against_points_along_the_way(
    path: list[tuple[int, int]], foe: tuple[int, int]
) -> None:
    """Slow twin: the far half is where the start is farther away than its mirror image."""
    (x, y), (fx, fy) = path[0], foe
    image = (2 * fx - x, 2 * fy - y)

    def beyond(px: Fraction, py: Fraction) -> bool:
        from_start = (px - x) ** 2 + (py - y) ** 2
        return from_start > (px - image[0]) ** 2 + (py - image[1]) ** 2

    steps = [
        (ax + (bx - ax) * Fraction(part, 8), ay + (by - ay) * Fraction(part, 8))
        for (ax, ay), (bx, by) in pairwise(path)
        for part in range(9)
    ]
    assert moves_past(path, foe) == any(beyond(*step) for step in steps)


def test_unfriendly_input() -> None:
    with pytest.raises(CombatkitError, match="'Adda' is not in this melee; valid: Ada"):
        START.attack("Adda", "Orc")
    with pytest.raises(CombatkitError, match="same side"):
        START.attack("Ada", "Bo")
    with pytest.raises(CombatkitError, match="same name"):
        Melee((ADA, ADA))
    with pytest.raises(CombatkitError, match="negative"):
        START.back_away("Ada", -5)
    with pytest.raises(CombatkitError, match="with 30 left"):
        fight(("Ada", "Orc")).back_away("Ada", 35)
    with pytest.raises(CombatkitError, match="at least the point"):
        moves_past([], (0, 0))
    with pytest.raises(CombatkitError, match="not decimals"):
        moves_past([(0, 0), (0.5, 1)], (0, 0))  # type: ignore[list-item]


# ---- laws
NAMES = [fighter.name for fighter in START.fighters]
EVENT = st.tuples(
    st.sampled_from(
        ["attack", "react", "back", "pursued", "run", "past", "intercept", "leave", "start", "end"]
    ),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.integers(0, 40),
)


def apply(melee: Melee, event: tuple[str, str, str, int]) -> tuple[Melee, tuple[str, ...]]:
    kind, one, other, feet = event
    if kind == "attack":
        return melee.attack(one, other)
    if kind == "run":
        return melee.run_away(one)
    if kind == "past":
        return melee.move_past(one, other)
    after = {
        "react": lambda: melee.react(one),
        "back": lambda: melee.back_away(one, feet),
        "pursued": lambda: melee.back_away(one, feet, [other]),
        "intercept": lambda: melee.intercept(one, other, feet),
        "leave": lambda: melee.disengage(one, other),
        "start": lambda: melee.start_turn(one),
        "end": lambda: melee.end_turn(one),
    }[kind]()
    return after, ()


@given(st.lists(EVENT, max_size=14))
def test_laws_of_a_melee(events: list[tuple[str, str, str, int]]) -> None:
    melee = START
    for event in events:
        try:
            after, strikers = apply(melee, event)
        except CombatkitError:
            continue
        for name in NAMES:
            assert 0 <= after.debt(name) <= after.fighter(name).speed
            assert all(name in after.opponents(foe) for foe in after.opponents(name))
            sides = {after.fighter(foe).side for foe in after.opponents(name)}
            assert after.fighter(name).side not in sides
        assert all(frozenset(pair) in after.pairs for pair in after.inside)
        assert not set(strikers) & melee.reacted
        assert hash(after) == hash(Melee(*(getattr(after, f) for f in after.__dataclass_fields__)))
        melee = after
