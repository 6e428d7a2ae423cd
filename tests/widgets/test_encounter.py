"""The encounter: each side's attack on the other, round trips, other rules, the duel."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit_widgets import Encounter, Side
from combatkit_widgets.encounter import named, with_rules

RULES = ck.load_ruleset("srd35")
CONDITIONS = sorted({*RULES.conditions["attacker"], *RULES.conditions["defender"]})
SIDES = st.builds(
    Side,
    fighter=st.sampled_from(["fighter_6", "ogre", "rogue_6", "troll"]),
    full=st.booleans(),
    conditions=st.frozensets(st.sampled_from(CONDITIONS), max_size=4),
    cover=st.none() | st.sampled_from(sorted(RULES.slots["cover"])),
    concealment=st.none() | st.sampled_from(sorted(RULES.slots["concealment"])),
    turn=st.builds(
        ck.Situation,
        attack_bonus=st.integers(-5, 5),
        combat_expertise=st.integers(0, 3),
        roll=st.sampled_from(["normal", "advantage"]),
    ),
)
ENCOUNTERS = st.builds(
    Encounter, a=SIDES, b=SIDES, distance=st.none() | st.integers(0, 5), rounds=st.integers(0, 5)
)


@given(ENCOUNTERS)
@settings(max_examples=40)
def test_each_side_s_attack_is_that_of_the_library(encounter: Encounter) -> None:
    assert Encounter.from_json(encounter.to_json()) == encounter
    for who, mine, foe in (("a", encounter.a, encounter.b), ("b", encounter.b, encounter.a)):
        there = ck.Situation(
            attacker={word for word in mine.conditions if word in RULES.conditions["attacker"]},
            defender={word for word in foe.conditions if word in RULES.conditions["defender"]},
            cover=foe.cover,
            concealment=foe.concealment,
            distance=encounter.distance,
            attack_bonus=mine.turn.attack_bonus,
            combat_expertise=mine.turn.combat_expertise,
            defender_expertise=foe.turn.combat_expertise,
            roll=mine.turn.roll,
        )
        assert encounter.situation(who, RULES) == there  # type: ignore[arg-type]
        make = ck.full_attack if mine.full else ck.attack
        fighters = (RULES.combatant(str(one.fighter)) for one in (mine, foe))
        made = make(RULES, *fighters, situation=there)
        fight = encounter.scenario(who).fight()  # type: ignore[arg-type]
        assert [one.blow for one in fight.strikes] == [one.blow for one in made.strikes]


def test_swapping_twice_changes_nothing() -> None:
    encounter = Encounter(b=Side(fighter="ogre", conditions={"prone"}), distance=10)
    assert encounter.swapped().a == encounter.b
    assert encounter.swapped().swapped() == encounter


def test_the_duel_is_that_of_the_library() -> None:
    encounter = Encounter(
        a=Side(fighter="fighter_6", full=True, opening=["charge"]),
        b=Side(fighter="ogre", conditions={"shaken"}),
    )
    fighter, ogre = RULES.combatant("fighter_6"), RULES.combatant("ogre")
    shaken = ck.Plan(situation=ck.Situation(attacker={"shaken"}))
    made = ck.duel(RULES, fighter, ogre, ck.Plan(opening=["charge"], then="full"), shaken)
    assert encounter.duel().p_a_wins == made.p_a_wins
    assert encounter.duel().mean_rounds == made.mean_rounds


def test_a_condition_nobody_knows_is_refused_with_the_nearest() -> None:
    wrong = Encounter(b=Side(fighter="ogre", conditions={"pron"}))
    with pytest.raises(ck.CombatkitError, match="did you mean 'prone'"):
        wrong.situation("a", RULES)


def test_two_of_a_name_are_told_apart() -> None:
    twins = Encounter(a=Side(fighter="ogre"))
    assert [named(RULES, twins, who) for who in ("a", "b")] == ["Ogre (A)", "Ogre (B)"]
    assert named(RULES, Encounter(), "a") == "Fighter, level 6"


def test_other_rules_keep_what_they_know_and_name_what_they_do_not(house_file: Path) -> None:
    house = ck.load_ruleset(house_file)
    old = Encounter(
        ruleset=str(house_file),
        a=Side(fighter="cook", weapon="frying_pan", conditions={"flanking"}),
        b=Side(fighter="ogre", conditions={"greased", "prone"}, cover="soft"),
        rounds=4,
    )
    new, dropped = with_rules(old, house, RULES, "srd35", {})
    assert new.a.conditions == {"flanking"} and new.b.conditions == {"prone"}
    assert new.b.cover == "soft" and new.rounds == 4 and new.a.weapon is None
    assert dropped == ["Cook: Frying pan", "Ogre: greased"]
    cook = new.a.fighter
    assert isinstance(cook, ck.Combatant) and cook.name == "Cook"
    assert new.scenario("a").fight().strike.weapon == RULES.weapon("unarmed_strike")
    phased = ck.load_ruleset("phased")
    _, dropped = with_rules(new, RULES, phased, "phased", {})
    assert dropped == ["Cook: flanking", "Ogre: cover soft", "Ogre: prone"]
