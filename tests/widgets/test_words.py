"""Weapons and feats as people type them."""

from __future__ import annotations

import pytest

import combatkit as ck
from combatkit_widgets.words import (
    feat_name,
    read_feats,
    read_weapons,
    weapon_name,
    whole_weapon,
)


def test_every_sample_s_lists_are_read_back(rules: ck.rules.Ruleset) -> None:
    for who in rules.combatants.values():
        weapons = "\n".join(weapon_name(rules, choice) for choice in who.weapons)
        assert read_weapons(rules, weapons, who) == who.weapons, who.id
        feats = "\n".join(feat_name(rules, word, who) for word in who.feats)
        assert read_feats(rules, feats, who) == who.feats, who.id


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("longsword", "longsword"),
        ("  Short sword ", "short_sword"),
        ("greatsword +2", ck.Weapon(base="greatsword", enhancement=2)),
        ("Greatsword+2", ck.Weapon(base="greatsword", enhancement=2)),
        ("masterwork dagger", ck.Weapon(base="dagger", masterwork=True)),
    ],
)
def test_a_weapon_is_read(rules: ck.rules.Ruleset, line: str, expected: str | ck.Weapon) -> None:
    (found,) = read_weapons(rules, f"\n{line}\n", ck.Combatant())
    assert whole_weapon(rules, found) == whole_weapon(rules, expected)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("longswrd", "weapon 'longswrd' is not known; did you mean 'Longsword'?"),
        ("longsword +99", "Weapon: field 'enhancement'"),
        ("__import__('os')", "is not known"),
    ],
)
def test_an_unknown_weapon_is_refused(rules: ck.rules.Ruleset, line: str, message: str) -> None:
    with pytest.raises(ck.CombatkitError) as error:
        read_weapons(rules, line, ck.Combatant())
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dogde", "did you mean 'Dodge'?"),
        ("Weapon focus", "is for one weapon: name it after a colon"),
        ("Weapon focus: longswrd", "did you mean 'Longsword'?"),
    ],
)
def test_an_unknown_feat_is_refused(rules: ck.rules.Ruleset, line: str, message: str) -> None:
    with pytest.raises(ck.CombatkitError) as error:
        read_feats(rules, line, ck.Combatant())
    assert message in str(error.value)


def test_a_feat_may_be_bound_to_a_natural_weapon(rules: ck.rules.Ruleset) -> None:
    troll = rules.combatant("troll")
    assert read_feats(rules, "weapon focus: claw", troll) == ("weapon_focus:claw",)
