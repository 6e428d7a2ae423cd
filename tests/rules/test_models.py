"""Weapons, armor, combatants and situations: round trips, and complaints in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, load_ruleset
from combatkit.rules import Armor, Bonus

SIZES = ("fine", "tiny", "small", "medium", "large", "colossal")
words = st.text(max_size=12)
dice_texts = st.sampled_from(["1", "1d4", "2d6", "1d8+1d6 fire", "4d6kh3", "d%"])
cites = st.sampled_from(["srd: Weapons", "user: by hand: twice", "a: b"])

weapons = st.builds(
    Weapon,
    id=words,
    label=words,
    damage=st.one_of(dice_texts, st.dictionaries(st.sampled_from(SIZES), dice_texts, max_size=3)),
    use=st.sampled_from(["melee", "bow", "sling"]),
    hand=st.sampled_from(["light", "natural_sole"]),
    threat_from=st.integers(2, 20),
    multiplier=st.integers(2, 4),
    extra=st.one_of(st.just(""), dice_texts),
    types=st.lists(st.sampled_from(["slashing", "piercing"]), max_size=2),
    reach=st.booleans(),
    enhancement=st.integers(0, 10),
    weight=st.one_of(st.integers(0, 99), st.fractions(0, 99, max_denominator=10)),
    cite=cites,
)
armors = st.builds(
    Armor,
    id=words,
    label=words,
    kind=st.sampled_from(["light", "shield"]),
    bonus=st.integers(0, 30),
    max_dexterity=st.one_of(st.none(), st.integers(0, 9)),
    check_penalty=st.integers(-9, 0),
    speed_30=st.one_of(st.none(), st.integers(5, 40)),
    cite=cites,
)
bonuses = st.builds(
    Bonus,
    to=st.sampled_from(["attack", "damage"]),
    value=st.integers(-50, 50),
    type=st.sampled_from(["morale", "untyped"]),
    label=words,
    cite=cites,
)
combatants = st.builds(
    Combatant,
    name=words,
    size=st.sampled_from(SIZES),
    kind=words,
    abilities=st.dictionaries(st.sampled_from(["str", "dex", "con"]), st.integers(0, 100)),
    base_attack=st.integers(-5, 60),
    hit_points=st.integers(-9, 2000),
    armor=st.one_of(st.none(), words, armors),
    shield=st.one_of(st.none(), words, armors),
    weapons=st.lists(st.one_of(words, weapons), max_size=3),
    feats=st.lists(words, max_size=3),
    bonuses=st.lists(bonuses, max_size=2),
    attack_bonus=st.one_of(st.none(), st.integers(-60, 100)),
    armor_class=st.one_of(st.none(), st.integers(-60, 150)),
    sneak_attack=st.one_of(st.just(""), dice_texts),
    critical_immune=st.booleans(),
    challenge_rating=words,
    note=words,
    cite=cites,
)
situations = st.builds(
    Situation,
    attacker=st.frozensets(words, max_size=3),
    defender=st.frozensets(words, max_size=3),
    cover=st.one_of(st.none(), words),
    concealment=st.one_of(st.none(), words),
    distance=st.one_of(st.none(), st.integers(0, 10_000)),
    touch=st.booleans(),
    roll=st.sampled_from(["normal", "advantage", "disadvantage"]),
    miss_chances=st.lists(st.integers(0, 100), max_size=3),
    damage_multiplier=st.integers(1, 10),
    attack_bonus=st.integers(-50, 50),
    damage_bonus=st.integers(-50, 50),
)


@given(st.one_of(weapons, armors, combatants, situations))
def test_json_there_and_back(model: Any) -> None:
    text = model.to_json()
    again = type(model).from_json(text)
    assert again == model
    assert again.to_json() == text
    assert type(model).from_data(model.model_dump()) == model


@pytest.mark.parametrize("key", load_ruleset("srd35").combatants)
def test_sample_combatants_there_and_back(key: str) -> None:
    who = load_ruleset("srd35").combatant(key)
    assert Combatant.from_json(who.to_json()) == who


def test_what_is_left_out_is_not_written() -> None:
    assert Combatant().to_json() == "{}"
    assert Situation(defender={"prone", "blinded"}).to_json() == '{"defender":["blinded","prone"]}'


WRONG = {
    "unknown field": (
        Combatant,
        {"siz": "medium"},
        "field 'siz' is not known; did you mean 'size'?",
    ),
    "unknown size": (
        Combatant,
        {"size": "Lrge"},
        "field 'size': 'lrge' is not valid; did you mean 'large'?",
    ),
    "unknown ability": (
        Combatant,
        {"abilities": {"strength": 10}},
        "field 'abilities.strength': 'strength' is not valid; valid: cha, con, dex, int, str, wis",
    ),
    "a score too high": (
        Combatant,
        {"abilities": {"str": 101}},
        "field 'abilities.str': at most 100 is allowed (got 101)",
    ),
    "too many hit points": (
        Combatant,
        {"hit_points": 2001},
        "field 'hit_points': at most 2000 is allowed (got 2001)",
    ),
    "half a hit point": (
        Combatant,
        {"hit_points": 7.5},
        "field 'hit_points': a whole number is needed (got 7.5)",
    ),
    "field of a save": (
        Combatant,
        {"saves": {"fort": 2}},
        "field 'saves.fort' is not known; did you mean 'fortitude'?",
    ),
    "target of a bonus": (
        Combatant,
        {"bonuses": [{"to": "atack", "value": 1}]},
        "field 'bonuses.0.to': 'atack' is not valid; did you mean 'attack'?",
    ),
    "field of own weapon": (
        Combatant,
        {"weapons": ["dagger", {"label": "Club", "damge": "1d6"}]},
        "field 'weapons.1.damge' is not known; did you mean 'damage'?",
    ),
    "word in own weapon": (
        Combatant,
        {"weapons": [{"label": "Bow", "use": "bwo", "damage": "1d6"}]},
        "field 'weapons.0.use': 'bwo' is not valid; did you mean 'bow'?",
    ),
    "dice of own weapon": (
        Combatant,
        {"weapons": [{"damage": "1x6"}]},
        "field 'weapons.0.damage.any': dice notation '1x6': 'x' at position 2 is neither "
        "dice nor a damage type; did you mean '1d6'? (got '1x6')",
    ),
    "field of own armor": (
        Combatant,
        {"armor": {"bonos": 3}},
        "field 'armor.bonos' is not known; did you mean 'bonus'?",
    ),
    "kind of own armor": (
        Combatant,
        {"armor": {"kind": "haevy"}},
        "field 'armor.kind': 'haevy' is not valid; did you mean 'heavy'?",
    ),
    "dice of a sneak attack": (
        Combatant,
        {"sneak_attack": "1d"},
        "field 'sneak_attack': dice notation '1d'",
    ),
    "a name too long": (
        Combatant,
        {"name": "x" * 81},
        "field 'name': at most 80 characters are allowed (got 'xxx",
    ),
    "one weapon as a word": (
        Combatant,
        {"weapons": "longsword"},
        "field 'weapons': a list is needed (got 'longsword')",
    ),
    "roll": (
        Situation,
        {"roll": "advantge"},
        "field 'roll': 'advantge' is not valid; did you mean 'advantage'?",
    ),
    "a word for words": (
        Situation,
        {"attacker": "flanking"},
        "field 'attacker': a list is needed (got 'flanking')",
    ),
    "miss chance": (
        Situation,
        {"miss_chances": [20, 120]},
        "field 'miss_chances.1': at most 100 is allowed (got 120)",
    ),
    "behind": (
        Situation,
        {"distance": -5},
        "field 'distance': at least 0 is needed (got -5)",
    ),
    "cite": (
        Weapon,
        {"cite": "srd"},
        "field 'cite': a citation is \"source: place\", for example \"srd: Table 8-5\" (got 'srd')",
    ),
    "range of threats": (
        Weapon,
        {"threat_from": 21},
        "field 'threat_from': at most 20 is allowed (got 21)",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_complaints_are_for_a_player(name: str) -> None:
    model, data, words_ = WRONG[name]
    for build in (lambda: model(**data), lambda: model.from_data(data, "party.json: Ada")):
        with pytest.raises(CombatkitError) as caught:
            build()
        said = str(caught.value)
        assert said.startswith((f"{model.__name__}: {words_}", f"party.json: Ada: {words_}"))
        assert "more problem" not in said  # there is only one


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "null",
        '{"hit_points": 1e400}',
        "[" * 100_000,
        '{"hit_points": "many"}',
        '{"weapons": [5]}',
        '{"a": 1}',
        '{"hit_points": ' + "9" * 5000 + "}",
    ],
)
@pytest.mark.parametrize("model", [Combatant, Situation, Weapon, Armor])
def test_bad_json_is_told(model: Any, text: str) -> None:
    with pytest.raises(CombatkitError):
        model.from_json(text)


@pytest.mark.parametrize(
    "value",
    [10**5000, float("nan"), float("inf"), "9" * 5000, None, object(), [1]],
    ids=["huge", "nan", "inf", "long", "none", "object", "list"],
)
def test_no_number_is_told(value: object) -> None:
    with pytest.raises(CombatkitError, match="hit_points"):
        Combatant(hit_points=value)


def test_broken_text_is_told() -> None:
    with pytest.raises(CombatkitError, match="Situation: field 'first_hit': the text is broken"):
        Situation(first_hit="\ud800")
    with pytest.raises(CombatkitError, match="file: field 'sneak_attack': the text is broken"):
        Combatant.from_data({"sneak_attack": "\ud800"}, "file")


def test_several_problems_are_told_at_once() -> None:
    with pytest.raises(CombatkitError) as caught:
        Combatant(hit_points=3000, base_attack=99, dodge=-1)
    told = caught.value.problems
    assert sorted(told) == [
        "Combatant: field 'base_attack': at most 60 is allowed (got 99)",
        "Combatant: field 'dodge': at least 0 is needed (got -1)",
        "Combatant: field 'hit_points': at most 2000 is allowed (got 3000)",
    ]
    assert all(problem.partition(": ")[2] in str(caught.value) for problem in told)


def test_models_cannot_be_changed() -> None:
    guard = Combatant(name="Guard")
    with pytest.raises(Exception, match="frozen"):
        guard.name = "Thief"  # type: ignore[misc]


def test_an_own_weapon_fills_in_from_its_base() -> None:
    rules = load_ruleset("srd35")
    flame = rules.weapon(
        Weapon(base="longsword", label="Flametongue", enhancement=1, extra="1d6 fire")
    )
    plain = rules.weapons["longsword"]
    assert (flame.label, flame.enhancement, flame.extra) == ("Flametongue", 1, "1d6 fire")
    assert (flame.damage, flame.threat_from, flame.base) == (plain.damage, 19, "longsword")
    with pytest.raises(CombatkitError, match="did you mean 'longsword'"):
        rules.weapon(Weapon(base="longswrd"))


LOOKUPS = {
    "weapon": ("longswrd", "longsword"),
    "armor": ("chain_mail", "chainmail"),
    "combatant": ("ogr", "ogre"),
    "switch": ("critcal", "critical"),
    "feat": ("dogde", "dodge"),
    "number": ("range.penlty", "range.penalty"),
    "rows_of": ("atack", "attack"),
}


@pytest.mark.parametrize("method", LOOKUPS)
def test_looking_up_a_wrong_word_names_the_nearest(method: str) -> None:
    wrong, right = LOOKUPS[method]
    with pytest.raises(CombatkitError) as caught:
        getattr(load_ruleset("srd35"), method)(wrong)
    assert f"'{wrong}'" in str(caught.value)
    assert f"did you mean '{right}'?" in str(caught.value)


def test_switches_are_chosen_by_known_words() -> None:
    rules = load_ruleset("srd35")
    assert rules.with_switches(critical="none").switch("critical") == "none"
    assert rules.switch("critical") == "confirm"  # the ruleset itself is unchanged
    for wrong in (
        {"critcal": "none"},
        {"critical": "nine"},
        {"critical": 1},
        {"critical": ["none"]},
    ):
        with pytest.raises(CombatkitError, match="crit"):
            rules.with_switches(**wrong)  # type: ignore[arg-type]


def test_an_override_that_is_a_default_survives_json() -> None:
    dull = Weapon(base="longsword", threat_from=20)
    owner = Combatant(weapons=[dull])
    again = Combatant.from_json(owner.to_json()).weapons[0]
    assert dull.to_json() == '{"base":"longsword","threat_from":20}'
    assert load_ruleset("srd35").weapon(again).threat_from == 20
