"""One test a switch of these chapters: each option does what it says, the default comes first."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest

from combatkit import Combatant, Dist, Situation, Weapon, attack, dying, load_ruleset, survival
from combatkit.combat.attacks.missile import shoot_into_melee
from combatkit.combat.checks import Check, opposed_check
from combatkit.combat.checks.chase import Runner, short_chase
from combatkit.combat.checks.saves import save_damage
from combatkit.combat.fights.morale import group_morale
from combatkit.combat.health.survival import Ally
from combatkit.combat.turns.initiative import initiative_order, phase_initiative_dc
from combatkit.combat.turns.surprise import awareness, surprise_round
from combatkit.rules import Ruleset

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))
FILES = {
    f"{name}.toml"
    for name in (
        "initiative",
        "saves",
        "helpless",
        "missile",
        "healing",
        "morale",
        "chase",
        "maneuvers",
    )
}


def _shot(rules: Ruleset, cover: str | None = None) -> F:
    archer = Combatant(attack_bonus=0, weapons=[Weapon(damage="1d8", use="bow")])
    at = Combatant(armor_class=15)
    there = Situation(cover=cover)
    made = shoot_into_melee(rules, archer, at, [Combatant(armor_class=16)], situation=there)
    return made.p_wrong if cover is None else made.strike.p_hit


def _healed(rules: Ruleset) -> F:
    made = attack(rules, Combatant(attack_bonus=-60), Combatant(armor_class=150, hit_points=9))
    told = survival(made, 1, hit_points=-8, ally=Ally(healing=1))
    return told.by_round[1]["stable"]


def _can_roll(rules: Ruleset) -> str:
    from combatkit import CombatkitError

    try:
        return str(initiative_order(rules, [0, 0]).p_first(0))
    except CombatkitError:
        return "phases"


# switch: the ruleset whose default is meant, what is looked at, and what each option makes of it
SWITCHES: dict[str, tuple[Ruleset, Callable[[Ruleset], Any], dict[str, Any]]] = {
    "initiative": (CLASSIC, _can_roll, {"each_rolls": "1/2", "phases": "phases"}),
    "initiative_tie": (
        CLASSIC,
        lambda r: initiative_order(r, [1, 0]).p_first(0),
        {"higher_bonus": F(229, 400), "random": F(439, 800)},
    ),
    "initiative_dc": (
        PHASED,
        lambda r: phase_initiative_dc(r, [14]),
        {"modifier": 13, "score": 25},
    ),
    "opposed_tie": (
        SRD,
        lambda r: awareness(r, [1], [0]).p_any,
        {"higher_bonus": F(229, 400), "seeker_wins": F(229, 400), "seeker_loses": F(21, 40)},
    ),
    "opposed_check_tie": (
        SRD,
        lambda r: opposed_check(r, Check(0, "advantage"), 0).p_success,
        {
            "higher_bonus": F(533, 800),
            "roll_again": F(27, 40),
            "attacker_wins": F(553, 800),
            "defender_wins": F(513, 800),
        },
    ),
    "surprise_acts": (
        CLASSIC,
        lambda r: surprise_round(r, [True, True, False]).acts,
        {"aware": (0, 1), "planned": (0,)},
    ),
    "half_damage": (
        SRD,
        lambda r: save_damage(r, "5", 0, 1).minimum,
        {"down": 2, "up": 3},
    ),
    "shot_into_melee": (CLASSIC, _shot, {"penalty": 0, "stray": F(9, 80)}),
    "soft_cover_into_melee": (
        CLASSIC,
        lambda r: _shot(r, "soft"),
        {"both": F(1, 20), "one": F(1, 10)},
    ),
    "stray_again": (
        PHASED,
        _shot,
        {"no": F(9, 80), "yes": F(9, 44)},
    ),
    "healing_stabilizes": (SRD, _healed, {"yes": 1, "no": F(1, 10)}),
    "strenuous_save": (
        PHASED,
        lambda r: dying(r, -9, strenuous=True).p_stable,
        {"no_roll": 0, "twenty_stabilizes": F(1, 20)},
    ),
    "fallen_leader": (
        PHASED,
        lambda r: group_morale(r, Dist.constant(9), 4, 5, charisma=9, leader_falls=2).p_flees,
        {"adds_nothing": F(9, 20), "still_counts": 0},
    ),
    "chase_tie": (
        PHASED,
        lambda r: short_chase(r, [Runner(0)], [Runner(0)]).p_any,
        {"higher_bonus": F(1, 2), "caught": F(21, 40), "escapes": F(19, 40)},
    ),
}


@pytest.mark.parametrize("key", SWITCHES)
def test_each_option_does_what_it_says(key: str) -> None:
    rules, look, expected = SWITCHES[key]
    for option, value in expected.items():
        assert look(rules.with_switches(**{key: option})) == value


@pytest.mark.parametrize("key", SWITCHES)
def test_the_default_is_the_first_expected(key: str) -> None:
    rules, _, expected = SWITCHES[key]
    assert rules.switches[key].default == rules.switch(key) == next(iter(expected))


def test_every_switch_of_these_chapters_is_here() -> None:
    found: dict[str, set[str]] = {}
    for rules in (SRD, CLASSIC, PHASED):
        for switch in rules.switches.values():
            if switch.origin in FILES:
                assert switch.label and all(switch.options.values())
                found[switch.id] = set(switch.options)
    assert found == {key: set(expected) for key, (_, _, expected) in SWITCHES.items()}


def test_the_defaults_that_differ_between_rulesets() -> None:
    differing = ("initiative", "surprise_acts", "shot_into_melee", "healing_stabilizes")
    assert [PHASED.switch(key) for key in differing] == ["phases", "planned", "stray", "no"]
    assert [SRD.switch(key) for key in differing] == ["each_rolls", "aware", "penalty", "yes"]
    assert [CLASSIC.switch(key) for key in differing] == ["each_rolls", "aware", "penalty", "yes"]
