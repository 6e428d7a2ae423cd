"""Weapons and feats that belong to them: what is special counts, is refused, or is said."""

from __future__ import annotations

from typing import Any

import pytest

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    full_attack,
    load_ruleset,
)
from combatkit.combat.attacks import best_power_attack
from combatkit.combat.turns.opportunity import is_armed

C, S, W = Combatant, Situation, Weapon
SRD = load_ruleset("srd35")
STRONG = C(base_attack=6, abilities={"str": 18})


def _made(weapon: Any, who: Combatant = STRONG, grip: Any = None, **there: Any) -> Any:
    return attack(SRD, who, C(), weapon, S(**there), grip)


BITE = {"label": "Bite", "damage": "1d6", "hand": "natural"}


@pytest.mark.parametrize(
    "weapon, grip, paid, gained",
    [
        ("longsword", None, 3, 3),
        ("longsword", "two_handed", 3, 6),
        ("unarmed_strike", None, 3, 3),
        ("gauntlet", None, 3, 3),
        ("spiked_gauntlet", None, 3, 0),
        ("dagger", None, 3, 0),
        ("dagger", "thrown", 0, 0),
        ("dagger", "two_handed", 3, 0),
        ("longbow", None, 0, 0),
        ("javelin", None, 0, 0),
        ("rapier", "two_handed", 3, 3),
        (W(**BITE), None, 3, 3),
    ],
)
def test_the_scope_of_power_attack(weapon: Any, grip: Any, paid: int, gained: int) -> None:
    plain, made = _made(weapon, grip=grip), _made(weapon, grip=grip, power_attack=3)
    assert plain.attack_bonus.total - made.attack_bonus.total == paid
    assert made.damage_bonus.total - plain.damage_bonus.total == gained


def test_the_other_end_of_a_double_weapon_is_light_for_power_attack() -> None:
    made = full_attack(
        SRD, STRONG, C(), "quarterstaff", S(power_attack=2), off_hand="quarterstaff"
    ).strikes
    assert [one.damage_bonus.total for one in made] == [6, 6, 2]


def test_a_bow_is_worth_no_points() -> None:
    assert best_power_attack(SRD, STRONG, C(), "longbow").best == 0


def test_a_rapier_gains_nothing_by_a_second_hand() -> None:
    assert [
        _made("rapier", grip=grip).damage_bonus.total for grip in ("primary", "two_handed")
    ] == [
        4,
        4,
    ]
    assert _made("longsword", grip="two_handed").damage_bonus.total == 6


@pytest.mark.parametrize(
    "shield, magic, weapon, expected",
    [
        (None, 0, "dagger", 4),
        ("light_steel", 0, "dagger", 3),
        ("heavy_steel", 0, "rapier", 2),
        ("heavy_steel", 1, "rapier", 3),
        ("heavy_steel", 0, "longsword", 0),  # by Strength, which no shield hinders
        ("tower", 0, "dagger", -2),  # Strength is better, and the tower shield's own -2
    ],
)
def test_weapon_finesse_takes_the_shields_penalty(
    shield: str | None, magic: int, weapon: str, expected: int
) -> None:
    quick = C(abilities={"dex": 18}, feats=["weapon_finesse"], shield=shield)
    quick = quick.model_copy(update={"shield_enhancement": magic})
    assert _made(weapon, quick).attack_bonus.total == expected


@pytest.mark.parametrize(
    "weapon, grip, expected",
    [
        ("longsword", None, 0),
        ("longsword", "two_handed", -1),
        ("greatsword", None, -1),
        ("dagger", "off_hand", -1),
        ("longbow", None, 0),
        ("light_crossbow", None, 0),
    ],
)
def test_a_buckler_hinders_the_arm_in_use(weapon: str, grip: Any, expected: int) -> None:
    assert _made(weapon, C(shield="buckler"), grip).attack_bonus.total == expected
    assert _made(weapon, C(shield="light_steel"), grip).attack_bonus.total == 0


def test_a_shield_not_in_use_protects_nobody() -> None:
    for feats, expected in (([], 10), (["improved_shield_bash"], 15)):
        body = C(shield="heavy_steel", shield_enhancement=3, feats=feats)
        there = S(defender={"shield_idle"})
        assert attack(SRD, C(), body, "club", there).armor_class.total == expected


@pytest.mark.parametrize(
    "body, stopped",
    [
        ({}, False),
        ({"armor": "padded"}, True),
        ({"natural_armor": 2}, False),
        ({"natural_armor": 2, "natural_armor_enhancement": 1}, True),
        ({"natural_armor": 3}, True),
        ({"shield": "tower", "deflection": 5}, False),
        ({"armor_enhancement": 1}, True),
    ],
)
def test_a_whip_does_no_harm_through_armor(body: dict[str, Any], stopped: bool) -> None:
    made = attack(SRD, STRONG, C(**body), W(base="whip", extra="1d6 fire"))
    assert (made.hit_damage.maximum == 0) == stopped
    assert ("does no harm" in made.explain()) == stopped
    assert not is_armed(SRD, C(weapons=["whip"]))


def test_a_net_is_thrown_at_touch_armor_class() -> None:
    body = C(armor="full_plate", abilities={"dex": 12})
    made = attack(SRD, C(), body, "net")
    assert (made.armor_class.total, made.hit_damage.maximum) == (11, 0)


@pytest.mark.parametrize(
    "weapon, row, feats, times",
    [
        ("lance", "mounted_charge", [], 2),
        ("lance", "mounted_charge", ["spirited_charge"], 3),
        ("longsword", "mounted_charge", [], 1),
        ("longsword", "mounted_charge", ["spirited_charge"], 2),
        ("longspear", "braced", [], 2),
        ("trident", "braced", [], 2),
        ("halberd", "braced", [], 2),
        ("lance", "braced", [], 1),
        ("spear", "mounted_charge", [], 1),
    ],
)
def test_weapons_for_charges(weapon: str, row: str, feats: list[str], times: int) -> None:
    who = C(base_attack=6, feats=feats)
    plain, made = _made(weapon, who), _made(weapon, who, attacker={row})
    assert made.hit_damage.mean == times * plain.hit_damage.mean
    assert ("gains nothing" in made.explain()) == (times == 1)


def test_the_hook_of_the_gnome_hooked_hammer() -> None:
    first, *_, second = full_attack(
        SRD, STRONG, C(), "gnome_hooked_hammer", off_hand="gnome_hooked_hammer"
    ).strikes
    assert (first.blow.multiplier, first.weapon.types) == (3, ("bludgeoning",))
    assert (second.blow.multiplier, second.weapon.types) == (4, ("piercing",))


@pytest.mark.parametrize(
    "weapon, expected", [("light_crossbow", -2), ("heavy_crossbow", -4), ("hand_crossbow", 0)]
)
def test_crossbows_in_one_hand(weapon: str, expected: int) -> None:
    assert _made(weapon, C(), "primary").attack_bonus.total == expected


@pytest.mark.parametrize("weapon", ["greatsword", "longbow"])
def test_what_takes_two_hands_is_not_held_in_one(weapon: str) -> None:
    with pytest.raises(CombatkitError, match="two hands"):
        _made(weapon, grip="off_hand")


def test_far_shot() -> None:
    far = C(feats=["far_shot"])
    assert _made("longbow", far, distance=150).attack_bonus.total == -2
    assert _made("longbow", C(), distance=150).attack_bonus.total == -2
    assert _made("longbow", far, distance=149).attack_bonus.total == 0
    assert _made("dagger", far, "thrown", distance=100).possible
    assert not _made("dagger", C(), "thrown", distance=100).possible


# what is special in a field of the model; the rest of a weapon's texts is said in its note
COUNTED = {
    "reach", "reach_adjacent", "reach_feet", "longest_range", "double", "composite", "nonlethal",
    "finesse", "touch", "threatens", "two_hands_help", "one_hand", "reload", "doubles_when",
    "stopped_by", "double_multiplier", "double_types",
}  # fmt: skip
# the rest, of the public rules' texts: what the note has to speak of
SAID = {
    "trip": "bolas dire_flail flail guisarme gnome_hooked_hammer halberd heavy_flail kama scythe "
    "sickle spiked_chain whip",
    "disarm": "dire_flail flail heavy_flail nunchaku ranseur sai spiked_chain spiked_gauntlet whip",
    "deals double damage": "dwarven_urgrosh halberd lance longspear spear trident",
    "loading": "hand_crossbow heavy_crossbow light_crossbow sling",
    "five bolts": "repeating_heavy_crossbow repeating_light_crossbow",
    "one hand": "heavy_crossbow lance light_crossbow repeating_heavy_crossbow",
    "Strength": "composite_longbow composite_shortbow longbow shortbow",
    "second hand": "rapier",
    "touch": "net",
    "no harm through armor": "whip",
    "exotic in one hand": "bastard_sword dwarven_waraxe",
    "not in use": "light_shield_bash heavy_shield_bash light_spiked_shield_bash "
    "heavy_spiked_shield_bash",
    "thrown": "javelin shuriken dart",
}


@pytest.mark.parametrize("word", SAID)
def test_what_is_special_is_said(word: str) -> None:
    for key in SAID[word].split():
        assert word in SRD.weapons[key].note, key


@pytest.mark.parametrize("key", SRD.weapons)
def test_every_weapon_strikes_and_its_specials_count_or_are_said(key: str) -> None:
    weapon = SRD.weapons[key]
    made = attack(SRD, STRONG, C(), key)
    assert made.possible
    assert (made.hit_damage.maximum > 0) == (key != "net")
    special = {name for name in COUNTED if name in weapon.model_fields_set}
    plain = {"reach", "double", "nonlethal", "finesse", "composite"}
    assert weapon.note or special <= plain, key
    assert made.armor_class.total == 10
    assert full_attack(SRD, STRONG, C(), key).strikes
