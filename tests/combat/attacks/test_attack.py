"""The attack bonus, what an attack needs, and whether it can be made; all by hand."""

from __future__ import annotations

from typing import Any

import pytest

from combatkit import Combatant, CombatkitError, Situation, Weapon, attack, load_ruleset
from combatkit.combat.attacks.attack import Strike
from combatkit.view import result_html

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
GUARD = Combatant(armor_class=15, hit_points=10)


def _who(strength: int = 16, dexterity: int = 18, **more: Any) -> Combatant:
    return Combatant(abilities={"str": strength, "dex": dexterity}, base_attack=4, **more)


def _make(
    who: Combatant, weapon: Any = None, name: str = "srd35", grip: Any = None, **there: Any
) -> Strike:
    return attack(RULES[name], who, GUARD, weapon, Situation(**there), grip)


FINESSE = {"feats": ["weapon_finesse"]}
# who, weapon, ruleset, attack bonus (base attack 4, Strength +3, Dexterity +4)
BONUSES: list[tuple[dict[str, Any], Any, str, int]] = [
    ({}, "longsword", "srd35", 7),
    ({}, "longbow", "srd35", 8),
    ({}, "dagger", "srd35", 7),
    (FINESSE, "dagger", "srd35", 8),
    (FINESSE, "longsword", "srd35", 7),
    (FINESSE, "rapier", "srd35", 8),
    (FINESSE, "whip", "srd35", 8),
    (FINESSE, "spiked_chain", "srd35", 8),
    (FINESSE, "unarmed_strike", "srd35", 8),
    (FINESSE, Weapon(hand="natural", damage="1d6"), "srd35", 8),
    ({**FINESSE, "dexterity": 8}, "dagger", "srd35", 7),  # a choice, not a duty
    ({}, "dagger", "classic", 7),
    ({}, "dagger", "phased", 8),
    ({}, "longsword", "phased", 7),
    ({}, "rapier", "phased", 7),  # light weapons only; the rapier is one-handed
    ({"feats": ["weapon_focus:longsword"]}, "longsword", "srd35", 8),
    ({"feats": ["weapon_focus:longsword"]}, "longbow", "srd35", 8),
    (
        {"feats": ["weapon_focus:longsword", "greater_weapon_focus:longsword"]},
        "longsword",
        "srd35",
        9,
    ),
    ({"feats": ["weapon_focus:longsword"]}, Weapon(base="longsword", id="mine"), "srd35", 8),
    ({}, Weapon(base="longsword", enhancement=2), "srd35", 9),
    ({}, Weapon(base="longsword", masterwork=True), "srd35", 8),
    ({}, Weapon(base="longsword", masterwork=True, enhancement=1), "srd35", 8),
    ({"size": "large"}, "longsword", "srd35", 6),
    ({"size": "small"}, "longsword", "srd35", 8),
    ({"shield": "tower"}, "longsword", "srd35", 5),
    ({}, Weapon(hand="natural_secondary", damage="1d6"), "srd35", 2),
    ({"feats": ["multiattack"]}, Weapon(hand="natural_secondary", damage="1d6"), "srd35", 5),
    ({}, Weapon(base="composite_longbow", strength_rating=3), "srd35", 8),
    ({}, Weapon(base="composite_longbow", strength_rating=4), "srd35", 6),
    (
        {"attack_bonus": 11, "size": "large", "feats": ["weapon_focus:longsword"]},
        "longsword",
        "srd35",
        11,
    ),
    (
        {
            "bonuses": [
                {"to": "attack", "value": 2, "type": "morale"},
                {"to": "attack", "value": 1, "type": "morale"},
            ]
        },
        "longsword",
        "srd35",
        9,
    ),
]


@pytest.mark.parametrize("who, weapon, name, expected", BONUSES)
def test_attack_bonus(who: dict[str, Any], weapon: Any, name: str, expected: int) -> None:
    assert _make(_who(**who), weapon, name).attack_bonus.total == expected


def test_bonuses_by_hand_add_to_a_given_attack_bonus() -> None:
    """It stands for base attack, ability, size, feats and enhancement: not for a later blessing."""
    blessed = Combatant(
        attack_bonus=5, bonuses=[{"to": "attack", "value": 2, "type": "morale"}], weapons=["club"]
    )
    assert _make(blessed).attack_bonus.total == 7


def test_a_feat_bound_to_no_weapon_counts_for_none() -> None:
    for weapon in ("club", Weapon(label="Club", damage="1d6")):
        plain = _make(_who(), weapon).attack_bonus.total
        assert _make(_who(feats=["weapon_focus"]), weapon).attack_bonus.total == plain


@pytest.mark.parametrize(
    "weapon, grip, expected",
    [
        ("dagger", None, 7),
        ("dagger", "thrown", 8),
        ("javelin", None, 8),
        ("spear", "thrown", 8),
    ],
)
def test_a_thrown_weapon_is_a_ranged_attack(weapon: str, grip: Any, expected: int) -> None:
    made = _make(_who(), weapon, grip=grip)
    assert made.attack_bonus.total == expected
    assert made.attempt.mode == ("melee" if expected == 7 else "ranged")


# srd_statistics: less than one increment is free, each full one costs 2; thrown five, shot ten
RANGES = [
    ("longbow", None, 99, 0),
    ("longbow", None, 100, -2),
    ("longbow", None, 199, -2),
    ("longbow", None, 1000, -20),
    ("longbow", None, 1001, None),
    ("shortbow", None, 59, 0),
    ("shortbow", None, 60, -2),
    ("javelin", None, 29, 0),
    ("javelin", None, 30, -2),
    ("javelin", None, 150, -10),
    ("javelin", None, 151, None),
    ("dagger", "thrown", 50, -10),
    ("dagger", "thrown", 51, None),
    ("dart", None, 100, -10),
    ("dart", None, 101, None),
    ("sling", None, 500, -20),
    ("sling", None, 501, None),
    ("longbow", None, 0, 0),
    ("heavy_crossbow", None, 1200, -20),
    ("light_crossbow", None, 801, None),
]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("weapon, grip, distance, penalty", RANGES)
def test_range(name: str, weapon: str, grip: Any, distance: int, penalty: int | None) -> None:
    made = _make(_who(), weapon, name, grip, distance=distance)
    assert made.possible == (penalty is not None)
    if penalty is not None:
        assert made.attack_bonus.total == 8 + penalty
    else:
        assert (made.p_hit, made.damage.maximum) == (0, 0)
        assert "beyond" in made.why_not


# simplified, big and little creatures: reach weapons double the reach and leave the inside alone
REACHES = [
    (5, "longsword", 5, True),
    (5, "longsword", 10, False),
    (5, "glaive", 10, True),
    (5, "glaive", 5, False),
    (5, "glaive", 15, False),
    (10, "longsword", 5, True),
    (10, "longsword", 10, True),
    (10, "longsword", 15, False),
    (10, "glaive", 10, False),
    (10, "glaive", 15, True),
    (10, "glaive", 20, True),
    (10, "glaive", 25, False),
    (5, "spiked_chain", 5, True),
    (5, "spiked_chain", 10, True),
    (0, "dagger", 0, True),
    (0, "dagger", 5, False),  # no reach: it must enter the square
]


@pytest.mark.parametrize("reach, weapon, distance, possible", REACHES)
def test_reach(reach: int, weapon: str, distance: int, possible: bool) -> None:
    assert _make(_who(reach=reach), weapon, distance=distance).possible == possible
    assert _make(_who(reach=reach), weapon).possible  # no distance, no question


def test_a_sword_cannot_be_thrown() -> None:
    assert _make(_who(), "longsword", grip="thrown").why_not == "Longsword cannot be thrown"


def test_point_blank_shot_within_thirty_feet() -> None:
    archer = _who(feats=["point_blank_shot"])
    for distance, extra in ((5, 1), (30, 1), (31, 0), (None, 0)):
        made = _make(archer, "longbow", distance=distance)
        assert (made.attack_bonus.total, made.damage_bonus.total) == (8 + extra, extra)
    assert _make(archer, "longsword", distance=5).attack_bonus.total == 7
    assert _make(archer, "dagger", grip="thrown", distance=5).attack_bonus.total == 9


def test_precise_shot_does_away_with_the_melee_penalty_only() -> None:
    there = {"attacker": {"into_melee", "shaken"}}
    assert _make(_who(), "longbow", **there).attack_bonus.total == 8 - 4 - 2
    made = _make(_who(feats=["precise_shot"]), "longbow", **there)
    assert made.attack_bonus.total == 8 - 2
    line = next(line for line in made.attack_bonus.lines if line.id == "attack_tactics.into_melee")
    assert (line.counted, line.why) == (False, "Precise Shot does away with it")


def test_a_friend_in_the_way_may_cost_twice() -> None:
    made = _make(_who(), "longbow", attacker={"into_melee"}, cover="soft")
    assert (made.attack_bonus.total, made.armor_class.total) == (4, 19)


@pytest.mark.parametrize(
    "weapon, threat",
    [
        ("club", 19),
        ("longsword", 17),
        ("rapier", 15),
        ("greataxe", 19),
    ],
)
def test_improved_critical_doubles_the_range(weapon: str, threat: int) -> None:
    assert _make(_who(feats=[f"improved_critical:{weapon}"]), weapon).blow.threat_from == threat
    other = _make(_who(feats=["improved_critical:dagger"]), weapon).blow.threat_from
    assert other == RULES["srd35"].weapons[weapon].threat_from


def test_entangled_costs_an_archer_four() -> None:
    assert _make(_who(), "longbow", attacker={"entangled"}).attack_bonus.total == 8 - 2 - 2
    assert _make(_who(), "longsword", attacker={"entangled"}).attack_bonus.total == 7 - 2
    nimble = _make(_who(**FINESSE), "dagger", attacker={"entangled"})
    assert nimble.attack_bonus.total == 4 + 3 - 2  # Dexterity now +2: Strength is better
    assert _make(_who(), "longbow", defender={"entangled"}).attack_bonus.total == 8


def test_the_referee_may_add() -> None:
    made = _make(_who(), "longsword", attack_bonus=3, armor_class_bonus=-2, damage_bonus=5)
    totals = made.attack_bonus.total, made.armor_class.total, made.damage_bonus.total
    assert totals == (10, 13, 8)
    assert made.needs == 3


@pytest.mark.parametrize(
    "own, row, roll",
    [
        ("normal", True, "disadvantage"),
        ("advantage", True, "normal"),
        ("disadvantage", True, "disadvantage"),
        ("advantage", False, "advantage"),
        ("normal", False, "normal"),
    ],
)
def test_advantage_and_disadvantage_cancel_out(own: str, row: bool, roll: str) -> None:
    there = {"roll": own, "attacker": {"dashing"} if row else set()}
    assert _make(_who(), "longbow", "phased", **there).attempt.roll == roll


def test_which_weapon_is_meant() -> None:
    flame = Weapon(id="flame", base="longsword", extra="1d6 fire")
    who = _who(weapons=[flame, "dagger"])
    assert _make(who).weapon.id == _make(who, "longsword").weapon.id == "flame"
    assert _make(who, "flame").blow.extra == "1d6 fire"
    assert _make(who, "club").weapon.id == "club"  # any weapon of the ruleset may be picked up
    assert _make(_who()).weapon.id == "unarmed_strike"


@pytest.mark.parametrize(
    "weapon, near", [("longswrd", "longsword"), ("flam", "flame"), (5, ""), ("", "")]
)
def test_an_unknown_weapon_is_told(weapon: Any, near: str) -> None:
    who = _who(name="Ada", weapons=[Weapon(id="flame", label="Flame", damage="1d8")])
    with pytest.raises(CombatkitError, match="Ada") as caught:
        _make(who, weapon)
    assert near in str(caught.value)


@pytest.mark.parametrize(
    "there, words",
    [
        (
            {"attacker": {"flankin"}},
            "attacker's condition 'flankin' is not in ruleset 'srd35'; did you mean 'flanking'?",
        ),
        (
            {"defender": {"prne"}},
            "defender's condition 'prne' is not in ruleset 'srd35'; did you mean 'prone'?",
        ),
        ({"defender": {"flanking"}}, "defender's condition 'flanking'"),
        ({"cover": "sotf"}, "cover 'sotf' is not in ruleset 'srd35'; did you mean 'soft'?"),
        ({"concealment": "totl"}, "did you mean 'total'?"),
    ],
)
def test_an_unknown_condition_is_told(there: dict[str, Any], words: str) -> None:
    with pytest.raises(CombatkitError) as caught:
        _make(_who(), "club", **there)
    assert words in str(caught.value)


@pytest.mark.parametrize("grip", ["twohanded", "both", "", 5])
def test_an_unknown_grip_is_told(grip: Any) -> None:
    with pytest.raises(CombatkitError, match="grip"):
        _make(_who(), "longsword", grip=grip)


def test_unknown_feats_armor_and_bases_are_told() -> None:
    for parts, near in (
        ({"feats": ["weapon_finese"]}, "weapon_finesse"),
        ({"shield": "heavy_stel"}, "heavy_steel"),
        ({"weapons": [{"base": "longswrd"}]}, "longsword"),
    ):
        with pytest.raises(CombatkitError, match=near):
            _make(_who(**parts))
    with pytest.raises(CombatkitError, match="chainmail"):
        attack(RULES["srd35"], _who(), Combatant(armor="chain_mail"))


def test_a_size_without_damage_is_told() -> None:
    with pytest.raises(CombatkitError, match="lists no damage for a colossal wielder"):
        _make(_who(size="colossal"), "longsword")


@pytest.mark.parametrize("body", [{"armor": "heavy_steel"}, {"shield": "full_plate"}])
def test_a_shield_is_no_armor_and_armor_no_shield(body: dict[str, str]) -> None:
    with pytest.raises(CombatkitError, match="shield"):
        attack(RULES["srd35"], _who(), Combatant(**body))  # type: ignore[arg-type]


def test_the_page_is_safe_and_tells_what_is_impossible() -> None:
    who = _who(name="<script>", weapons=[{"label": "<img>", "damage": "1d4"}])
    made = _make(who, cover="total")
    page = result_html(made)
    assert "<script>" not in page
    assert "<img>" not in page
    assert "Not possible: Total cover" in page
    assert "Not possible: Total cover" in made.explain()
