"""One test a switch: an option changes the odds as its words say; defaults are the chapters'."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    duel,
    dying,
    load_ruleset,
    survival,
)
from combatkit.combat.checks.saves import p_save
from combatkit.combat.turns.opportunity import provokes
from combatkit.combat.turns.order import dodge_lasts_in, who_faces
from combatkit.combat.turns.turn import surprise_turn
from combatkit.rules import Ruleset

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))


def _hit(rules: Ruleset, needs: int, **weapon: Any) -> Fraction:
    return _strike(rules, needs, **weapon).p_hit


def _strike(rules: Ruleset, needs: int, **weapon: Any):  # type: ignore[no-untyped-def]
    sword = Weapon(**{"damage": "1d4", **weapon})
    hero = Combatant(attack_bonus=0, weapons=[sword])
    return attack(rules, hero, Combatant(armor_class=needs))


def _damage_bonus(rules: Ruleset, grip: Any) -> int:
    hero = Combatant(abilities={"str": 17}, weapons=["longsword"])
    return attack(rules, hero, Combatant(), grip=grip).damage_bonus.total


def _bonus(rules: Ruleset, **who: Any) -> int:
    return attack(rules, Combatant(weapons=["dagger"], **who), Combatant()).attack_bonus.total


def _hidden(rules: Ruleset) -> tuple[int, Fraction]:
    made = attack(rules, Combatant(), Combatant(), situation=Situation(concealment="50"))
    return made.armor_class.total - 10, made.miss_chance


def _touch(rules: Ruleset) -> int:
    there = Situation(defender={"stunned"}, touch=True)
    body = Combatant(abilities={"dex": 7})
    return attack(rules, Combatant(), body, situation=there).armor_class.total


def _chances(rules: Ruleset) -> Fraction:
    there = Situation(miss_chances=[20, 50])
    return attack(rules, Combatant(), Combatant(), situation=there).miss_chance


def _spread(rules: Ruleset, **weapon: Any) -> tuple[int, int, Fraction]:
    odds = _strike(rules, 5, **weapon).critical_damage
    return odds.minimum, odds.maximum, odds.variance


def _options(rules: Ruleset) -> list[bool]:
    """Tell which options are taken: four without their feats, the first again with it."""
    tried = [("power_attack", 2), ("combat_expertise", 2), ("defender_expertise", 2), ("arrows", 2)]
    return [
        *(_taken(rules, word, points, ()) for word, points in tried),
        _taken(rules, "power_attack", 2, ("power_attack",)),
    ]


def _taken(rules: Ruleset, word: str, points: int, feats: tuple[str, ...]) -> bool:
    weapon = "longbow" if word == "arrows" else "longsword"
    hero = Combatant(base_attack=6, feats=feats, weapons=[weapon])
    try:
        attack(rules, hero, Combatant(base_attack=6), situation=Situation(**{word: points}))
    except CombatkitError as error:
        assert "feat" in str(error)
        return False
    return True


F = Fraction
SURPRISE_TURNS = ("standard", "move", "standard free", "full_round")
# files whose switches are tested in test_check_switches.py and test_position.py
ELSEWHERE = {
    f"{name}.toml"
    for name in (
        "initiative",
        "saves",
        "missile",
        "healing",
        "morale",
        "chase",
        "space",
        "maneuvers",
    )
}
# switch: the ruleset whose default is meant, what is looked at, and what each option makes of it


def _foe(dex: int) -> Combatant:
    weapon = Weapon(damage="1" if dex == 10 else "0")
    return Combatant(abilities={"dex": dex}, hit_points=1, weapons=[weapon])


def _massive(rules: Ruleset) -> Fraction:
    giant = Combatant(attack_bonus=30, weapons=[{"damage": "50"}])
    body = Combatant(armor_class=10, hit_points=900, critical_immune=True)
    return survival(attack(rules, giant, body), 1).by_round[1]["dead"]


SWITCHES: dict[str, tuple[Ruleset, Callable[[Ruleset], Any], dict[str, Any]]] = {
    "attack_natural_1": (SRD, lambda r: _hit(r, -5), {"misses": F(19, 20), "total_decides": 1}),
    "attack_natural_20": (SRD, lambda r: _hit(r, 30), {"hits": F(1, 20), "total_decides": 0}),
    "attack_tie": (SRD, lambda r: _hit(r, 11), {"hits": F(1, 2), "misses": F(9, 20)}),
    "save_natural_1": (SRD, lambda r: p_save(r, 30, 15), {"fails": F(19, 20), "total_decides": 1}),
    "save_natural_20": (
        SRD,
        lambda r: p_save(r, -30, 15),
        {"succeeds": F(1, 20), "total_decides": 0},
    ),
    "massive_damage": (SRD, _massive, {"none": 0, "save_or_die": F(19, 20) * F(14, 20)}),
    "critical": (
        SRD,
        lambda r: (_strike(r, 11).p_critical, _strike(r, 11).critical_damage.minimum),
        {"confirm": (F(1, 40), 2), "maximum_damage": (F(1, 20), 4), "none": (0, 2)},
    ),
    # everything threatens but a 1; what needs -5 is confirmed by 19 or all 20 faces
    "confirmation_natural_1": (
        SRD,
        lambda r: _strike(r, -5).p_critical,
        {"misses": F(19, 400), "total_decides": F(1, 20)},
    ),
    "confirmation_natural_20": (
        SRD,
        lambda r: _strike(r, 30).p_critical,
        {"hits": F(1, 400), "total_decides": 0},
    ),
    "natural_20_confirms": (
        SRD,
        lambda r: _strike(r, 11).p_critical,
        {"rolls": F(1, 40), "automatic": F(1, 20)},
    ),
    "natural_20_threatens": (
        SRD,
        lambda r: (_hit(r, 25), _strike(r, 25).p_threat),
        {"threatens": (F(1, 20), F(1, 20)), "only_if_total_hits": (F(1, 20), 0)},
    ),
    "threat_must_hit": (
        SRD,
        lambda r: (_hit(r, 20, threat_from=18), _strike(r, 20, threat_from=18).p_threat),
        {"must_hit": (F(1, 20), F(1, 20)), "always_hits": (F(3, 20), F(3, 20))},
    ),
    "critical_damage": (
        SRD,
        lambda r: _spread(r),
        {"roll_each": (2, 8, F(5, 2)), "roll_once": (2, 8, 5)},
    ),
    "extra_dice": (
        SRD,
        lambda r: _spread(r, extra="1d2")[:2],
        {"not_multiplied": (3, 10), "multiplied": (4, 12)},
    ),
    "minimum_damage": (
        SRD,
        lambda r: (
            attack(
                r, Combatant(abilities={"str": 1}), Combatant(), "dagger"
            ).critical_damage.minimum
        ),
        {"total": 1, "each_roll": 2},
    ),
    "miss_chance": (SRD, _chances, {"largest": F(1, 2), "each": F(3, 5)}),
    "concealment": (
        CLASSIC,
        _hidden,
        {"miss_chance": (0, F(1, 5)), "armor_class": (2, 0), "both": (2, F(1, 5))},
    ),
    "rounding": (
        SRD,
        lambda r: (_damage_bonus(r, "off_hand"), _damage_bonus(r, "two_handed")),
        {"down": (1, 4), "up": (2, 5)},
    ),
    "size_in_attack": (CLASSIC, lambda r: _bonus(r, size="tiny"), {"yes": 2, "no": 0}),
    "light_weapon_ability": (
        SRD,
        lambda r: _bonus(r, abilities={"dex": 16}),
        {"strength": 0, "better": 3},
    ),
    "light_punch": (
        PHASED,
        lambda r: (
            attack(
                r, Combatant(abilities={"str": 14, "dex": 18}), Combatant(), "unarmed_strike"
            ).damage_bonus.total
        ),
        {"half": 1, "full": 2},
    ),
    "before_first_turn": (
        SRD,
        lambda r: duel(r, _foe(dex=10), _foe(dex=14), first="a").over_by(1),
        {"off_guard": F(11, 20), "ready": F(9, 20)},
    ),
    "stunned_touch": (PHASED, _touch, {"formula": 10, "text": 8}),
    "self_aid": (
        PHASED,
        lambda r: dying(r, -9, self_aid=8).p_stable,
        {"success_sticks": F(1, 4), "literal": 0},
    ),
    # which of a standard, a move, a standard and a free, and a full-round action are legal
    "surprise_turn": (
        CLASSIC,
        lambda r: [surprise_turn(r, acts.split()).legal for acts in SURPRISE_TURNS],
        {
            "general": [True, True, True, False],
            "procedures": [True, True, False, False],
            "section": [True, False, True, False],
            "whole": [True, True, True, True],
        },
    ),
    "unlisted_provokes": (
        CLASSIC,
        lambda r: [provokes(r, act).answer for act in ("sheathe_weapon", "draw_weapon")],
        {"unknown": ["unknown", "unknown"], "as_srd": ["yes", "no"], "no": ["no", "no"]},
    ),
    "unarmed_provokes": (
        CLASSIC,
        lambda r: (provokes(r, "attack_unarmed").by, provokes(r, "attack_unarmed").answer),
        {"target": ("target", "yes"), "everyone": ("everyone", "yes")},
    ),
    "step_into_square": (
        CLASSIC,
        lambda r: provokes(r, "five_foot_step", into_square=True).answer,
        {"provokes": "yes", "never": "no"},
    ),
    "fighting_defensively_lasts": (
        CLASSIC,
        lambda r: who_faces(r, "fighting_defensively", ["Ada", "Bo", "Cy"], "Bo"),
        {"next_turn": ("Cy", "Ada"), "end_of_round": ("Cy",)},
    ),
    # Power Attack, Combat Expertise (of either side) and Manyshot without the feat, and with it
    "option_feats": (SRD, _options, {"open": [True] * 5, "needed": [False] * 4 + [True]}),
    "dodge_lasts": (
        PHASED,
        lambda r: dodge_lasts_in(r, "enemies"),
        {"opposing": "players", "literal": "enemies"},
    ),
}


@pytest.mark.parametrize("key", SWITCHES)
def test_each_option_does_what_it_says(key: str) -> None:
    rules, look, expected = SWITCHES[key]
    assert {option: look(rules.with_switches(**{key: option})) for option in expected} == expected


@pytest.mark.parametrize("key", SWITCHES)
def test_the_default_is_the_first_expected(key: str) -> None:
    rules, look, expected = SWITCHES[key]
    default = next(iter(expected))
    assert rules.switches[key].default == rules.switch(key) == default
    assert look(rules) == expected[default]


def test_every_switch_and_option_is_tested_here() -> None:
    for rules in (SRD, CLASSIC, PHASED):
        mine = {key: s for key, s in rules.switches.items() if s.origin not in ELSEWHERE}
        assert {key: set(switch.options) for key, switch in mine.items()} == {
            key: set(expected) for key, (_, _, expected) in SWITCHES.items()
        }
        assert all(
            text and switch.label
            for switch in rules.switches.values()
            for text in switch.options.values()
        )


def test_phased_criticals_deal_all_they_can() -> None:
    made = _strike(PHASED, 11, extra="1d6 fire", threat_from=18, multiplier=3)
    assert made.p_critical == made.p_threat == F(1, 20)  # a 20 only, nothing to confirm
    assert (made.critical_damage.minimum, made.critical_damage.maximum) == (10, 10)
    own_dice_only = PHASED.with_switches(extra_dice="not_multiplied")
    odds = _strike(own_dice_only, 11, extra="1d6 fire").critical_damage
    assert (odds.minimum, odds.maximum) == (5, 10)


def test_concealment_read_as_armor_class_gives_no_miss_chance_anywhere() -> None:
    """The row 'concealed' of table 8-6 points to the same section: it follows the same reading."""
    rules = CLASSIC.with_switches(concealment="armor_class")
    made = attack(rules, Combatant(), Combatant(), situation=Situation(defender={"concealed"}))
    assert made.miss_chance == 0


def test_a_struck_row_names_the_reading() -> None:
    made = attack(CLASSIC, Combatant(), Combatant(), situation=Situation(concealment="50"))
    assert f"option chosen: {made.attempt.rules.option('concealment')}" in made.explain()
    quiet = CLASSIC.with_switches(size_in_attack="no")
    tiny = Combatant(size="tiny", weapons=["dagger"])
    receipt = attack(quiet, tiny, Combatant()).explain()
    assert f"option chosen: {quiet.option('size_in_attack')}" in receipt


def test_a_ruleset_shows_what_was_chosen_and_is_not_changed() -> None:
    other = SRD.with_switches(critical="none", rounding="down")
    assert repr(other) == "Ruleset(srd35, critical=none)"
    assert repr(SRD) == "Ruleset(srd35)"
    with pytest.raises(CombatkitError, match="did you mean 'none'"):
        SRD.with_switches(critical="non")
