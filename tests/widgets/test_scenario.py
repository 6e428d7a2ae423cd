"""The scenario: round trips, and the code that works out the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit_widgets import Scenario
from combatkit_widgets.forms import changed
from combatkit_widgets.words import whole_weapon

RULES = ck.load_ruleset("srd35")
OGRE = RULES.combatant("ogre")

SCENARIOS = {
    "default": Scenario(),
    "situation": Scenario(
        situation=ck.Situation(
            attacker={"flanking", "higher_ground"},
            defender={"prone"},
            cover="standard",
            distance=5,
            roll="advantage",
            miss_chances=(20,),
        )
    ),
    "readings": Scenario(
        ruleset="classic", switches={"attack_tie": "misses", "critical": "maximum_damage"}
    ),
    "own weapon": Scenario(
        weapon=changed(
            RULES.weapon("longsword"), threat_from=20, damage={"any": "2d6"}, extra="1d6 fire"
        )
    ),
    "plain weapon beside one's own": Scenario(weapon=RULES.weapon("longsword")),
    "two weapons": Scenario(attacker="two_weapon_6", off_hand="short_sword", full=True),
    "all natural attacks": Scenario(attacker="troll", full=True, rounds=5, keeps_striking=True),
    "claws alone": Scenario(attacker="troll", weapon="claw", full=True),
    "thrown": Scenario(weapon="javelin", grip="thrown", situation={"distance": 60}),
    "somebody changed": Scenario(
        defender=changed(
            OGRE,
            hit_points=60,
            abilities={"str": 30, "dex": 4},
            feats=["toughness", "dodge"],
            saves={"fortitude": 9},
            weapons=["greatclub", {"base": "javelin", "enhancement": 1}],
        )
    ),
    "somebody new": Scenario(
        attacker=ck.Combatant(
            name='O\'Hara "the Blade"',
            attack_bonus=9,
            armor=ck.rules.Armor(label="Bone", bonus=3),
            bonuses=[{"to": "damage", "value": 2, "label": "Song"}],
            weapons=[{"label": "Blade", "damage": "1d8", "cite": "user: page 3"}],
        )
    ),
}


def described(fight: Any) -> tuple[Any, ...]:
    return (
        [strike.blow for strike in fight.strikes],
        fight.strike.explain(),
        fight.survival,
        fight.sweep.base,
    )


@pytest.mark.parametrize("name", SCENARIOS)
def test_json_brings_back_the_same_fight(name: str) -> None:
    scenario = SCENARIOS[name]
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario
    assert described(again.fight()) == described(scenario.fight())


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_code_works_out_the_same(name: str) -> None:
    scenario = SCENARIOS[name]
    names: dict[str, Any] = {}
    exec(compile(scenario.code(), "cell", "exec"), names)  # what a user does with it
    fight, attack = scenario.fight(), names["attack"]
    strikes = getattr(attack, "strikes", (attack,))
    assert [strike.blow for strike in strikes] == [strike.blow for strike in fight.strikes]
    assert strikes[0].explain() == fight.strike.explain()
    assert names["survival"] == fight.survival
    assert names["sweep"].base == fight.sweep.base


def test_code_is_short_where_little_differs() -> None:
    code = SCENARIOS["somebody changed"].code()
    assert "rules.combatant('ogre').model_copy(update={'hit_points': 60" not in code  # in order
    assert "rules.combatant('ogre').model_copy(update={" in code and "printed" not in code
    assert "ck.Weapon(base='longsword', damage={'any': '2d6'}, threat_from=20" in (
        SCENARIOS["own weapon"].code()
    )


def test_hostile_names_stay_text() -> None:
    name = '\'); raise SystemExit(1) #\n"""'
    names: dict[str, Any] = {}
    exec(compile(Scenario(attacker=ck.Combatant(name=name)).code(), "cell", "exec"), names)
    assert names["attacker"].name == name


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"atacker": "ogre"}', "did you mean 'attacker'?"),
        ('{"rounds": 900}', "rounds"),
        ('{"measure": "hit_chanse"}', "did you mean 'hit_chance'?"),
        ("{", "not JSON"),
    ],
)
def test_bad_json_is_refused(data: str, said: str) -> None:
    with pytest.raises(ck.CombatkitError, match=said.replace("?", r"\?")):
        Scenario.from_json(data)


@pytest.mark.parametrize(
    "fields",
    [
        {"ruleset": "srd53"},
        {"attacker": "ogr"},
        {"weapon": "longswrd"},
        {"switches": {"x": "y"}},
        {"situation": {"defender": ["pron"]}},
    ],
)
def test_unknown_words_are_refused_with_the_nearest(fields: dict[str, Any]) -> None:
    with pytest.raises(ck.CombatkitError, match=r"did you mean|valid:"):
        Scenario(**fields).fight()


@given(
    attacker=st.sampled_from(sorted(RULES.combatants)),
    defender=st.sampled_from(sorted(RULES.combatants)),
    weapon=st.none() | st.sampled_from(sorted(RULES.weapons)),
    rows=st.frozensets(st.sampled_from(sorted(RULES.conditions["defender"])), max_size=3),
    full=st.booleans(),
)
@settings(max_examples=15)
def test_any_pair_round_trips(
    attacker: str, defender: str, weapon: str | None, rows: frozenset[str], full: bool
) -> None:
    size = RULES.combatant(attacker).size
    if weapon is not None and size not in RULES.weapon(weapon).damage:
        weapon = None  # the engine asks for its dice
    scenario = Scenario(
        attacker=attacker,
        defender=defender,
        weapon=weapon,
        full=full,
        situation=ck.Situation(defender=rows),
    )
    assert Scenario.from_json(scenario.to_json()) == scenario
    names: dict[str, Any] = {}
    exec(compile(scenario.code(), "cell", "exec"), names)
    assert names["attack"].damage == scenario.fight().attack.damage


def test_whole_weapons_need_no_base() -> None:
    for who in RULES.combatants.values():
        for choice in who.weapons:
            weapon = whole_weapon(RULES, choice)
            assert weapon.base == "" and whole_weapon(RULES, weapon) == weapon
            assert ck.Weapon.from_json(weapon.to_json()) == weapon
