"""The combatant form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit_widgets import CombatantForm
from combatkit_widgets.forms import everything

Find = Callable[..., Any]
FEATS, WEAPONS = "Feats, one a line", "Weapons, one a line, the usual one first"


def test_the_menu_offers_every_sample_and_a_blank(
    rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    form = CombatantForm(rules, "ogre")
    menu = control(form, "Start from")
    assert {who.name for who in rules.combatants.values()} <= set(labels(menu))
    menu.value = "troll"
    assert form.value is rules.combatant("troll")
    menu.value = "blank"
    assert form.value == ck.Combatant()


def test_every_sample_is_shown_and_none_is_changed(rules: ck.rules.Ruleset, changes: Find) -> None:
    form = CombatantForm(rules, "ogre")
    seen = changes(form)
    for who in list(rules.combatants.values()):
        form.value = who
        assert form.value is who
    assert [who.id for who in seen if who.id != "ogre"] == [
        key for key in rules.combatants if key != "ogre"
    ]


@pytest.mark.parametrize(
    ("label", "content", "field", "expected"),
    [
        ("Name", "Grog <b>", "name", "Grog <b>"),
        ("Size", "huge", "size", "huge"),
        ("Hit points", 99, "hit_points", 99),
        ("Temporary hit points", 5, "temporary_hit_points", 5),
        ("Base attack", 9, "base_attack", 9),
        ("Armor", "chainmail", "armor", "chainmail"),
        ("Armor", "", "armor", None),
        ("Shield", "tower", "shield", "tower"),
        ("Armor enhancement", 2, "armor_enhancement", 2),
        ("Shield enhancement", 3, "shield_enhancement", 3),
        ("Natural armor", 7, "natural_armor", 7),
        ("Deflection", 1, "deflection", 1),
        ("Dodge", 2, "dodge", 2),
        ("Reach, feet", 15, "reach", 15),
        ("Attack bonus as printed", "-2", "attack_bonus", -2),
        ("Armor class as printed", "18", "armor_class", 18),
        ("Attack as printed", "claw +9 (1d6+6)", "attack_line", "claw +9 (1d6+6)"),
        ("Full attack as printed", "2 claws +9 (1d6+6)", "full_attack_line", "2 claws +9 (1d6+6)"),
        ("Sneak attack dice", "3d6", "sneak_attack", "3d6"),
        ("Immune to critical hits", True, "critical_immune", True),
        ("More than two legs, or a dwarf's footing", True, "stable", True),
        ("Skill bonuses", "Sense  motive 4, bluff 7", "skills", {"sense_motive": 4, "bluff": 7}),
        (FEATS, "Dodge", "feats", ("dodge",)),
        (WEAPONS, "Club", "weapons", ("club",)),
    ],
)
def test_a_control_changes_its_field(
    rules: ck.rules.Ruleset,
    control: Find,
    changes: Find,
    label: str,
    content: Any,
    field: str,
    expected: Any,
) -> None:
    form = CombatantForm(rules, "ogre")
    seen = changes(form)
    control(form, label).value = content
    assert getattr(form.value, field) == expected
    assert len(seen) == 1
    again = CombatantForm(rules, form.value)
    assert again.value == form.value and control(again, label).value == control(form, label).value


def test_abilities(rules: ck.rules.Ruleset, control: Find) -> None:
    form = CombatantForm(rules, "ogre")
    control(form, "Strength").value = 25
    assert form.value.abilities == {**rules.combatant("ogre").abilities, "str": 25}


def test_changed_back_it_is_the_sample_again(rules: ck.rules.Ruleset, control: Find) -> None:
    form = CombatantForm(rules, "ogre")
    strength = control(form, "Strength")
    strength.value = 22
    assert form.value.printed_attack is None, "what a stat block prints says nothing about it now"
    assert control(form, "Start from").value == "changed"
    strength.value = 21
    assert form.value is rules.combatant("ogre")
    assert control(form, "Start from").value == "ogre"


def test_lists_are_added_to_from_menus(
    rules: ck.rules.Ruleset, control: Find, labels: Find, changes: Find
) -> None:
    form = CombatantForm(rules, "ogre")
    seen = changes(form)
    control(form, "Add a weapon").value = "longsword"
    control(form, "Add a feat").value = "improved_critical"
    assert form.value.weapons == ("greatclub", "javelin", "longsword")
    assert form.value.feats[-1] == "improved_critical:greatclub"
    assert control(form, FEATS).value.endswith("Improved Critical: Greatclub")
    assert control(form, "Add a feat").value == "" and len(seen) == 2
    assert "Alertness" not in labels(control(form, "Add a feat")), "it has no numbers"


def test_a_feat_for_a_weapon_nobody_has_is_refused(
    rules: ck.rules.Ruleset, control: Find, alerts: Find
) -> None:
    form = CombatantForm(rules, ck.Combatant())
    control(form, "Add a feat").value = "weapon_focus"
    assert form.value == ck.Combatant()
    assert "add one first" in alerts(form)[0]


@pytest.mark.parametrize(
    ("label", "content", "said"),
    [
        (WEAPONS, "Longswrd<script>", "Longswrd&lt;script&gt;"),
        (FEATS, "Dogde", "Dodge"),
        ("Armor class as printed", "high", "is not a whole number"),
        ("Armor class as printed", "9999", "armor_class"),
        ("Sneak attack dice", "3x6", "3d6"),
        ("Name", "x" * 81, "80"),
    ],
)
def test_bad_input_keeps_the_last_good_value(
    rules: ck.rules.Ruleset, control: Find, alerts: Find, label: str, content: str, said: str
) -> None:
    form = CombatantForm(rules, "ogre")
    before = control(form, label).value
    control(form, label).value = content
    assert form.value is rules.combatant("ogre")
    (alert,) = alerts(form)
    assert said in alert and "<script" not in alert
    control(form, label).value = before
    assert not alerts(form)


def test_a_value_from_code_must_be_in_the_rules(rules: ck.rules.Ruleset) -> None:
    form = CombatantForm(rules, "ogre")
    with pytest.raises(ck.CombatkitError, match="longsword"):
        form.value = ck.Combatant(weapons=["longswrd"])
    assert form.value is rules.combatant("ogre")


def test_armor_of_one_s_own_is_kept(rules: ck.rules.Ruleset, control: Find) -> None:
    own = ck.rules.Armor(label="Bone mail", kind="medium", bonus=4)
    form = CombatantForm(rules, ck.Combatant(armor=own))
    control(form, "Hit points").value = 12
    assert form.value.armor == own
    control(form, "Armor").value = "leather"
    assert form.value.armor == "leather"


def test_other_rules_keep_whoever_they_know(
    rules: ck.rules.Ruleset, house_file: Path, control: Find, labels: Find
) -> None:
    house = ck.load_ruleset(house_file)
    form = CombatantForm(house, "cook")
    control(form, "Hit points").value = 8
    form.rules = rules
    assert form.value.hit_points == 8 and form.value.weapons == ()
    assert "Cook" not in labels(control(form, "Start from"))
    form.rules = house
    assert "Cook" in labels(control(form, "Start from"))
    controls = [part for part in everything(form) if getattr(part, "description", "") == "Name"]
    assert len(controls) == 1, "old controls are gone"


def test_skills_are_shown_in_words_and_unknown_ones_refused(
    rules: ck.rules.Ruleset, control: Find, alerts: Find
) -> None:
    form = CombatantForm(rules, ck.Combatant(skills={"escape_artist": 9}))
    assert control(form, "Skill bonuses").value == "escape artist 9"
    control(form, "Skill bonuses").value = "blufff 3"
    (alert,) = alerts(form)
    assert "bluff" in alert and form.value.skills == {"escape_artist": 9}


def test_the_feats_of_maneuvers_are_offered(
    rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    offered = set(labels(control(CombatantForm(rules, "ogre"), "Add a feat")))
    assert {"Improved Trip", "Improved Disarm", "Improved Grapple", "Improved Sunder"} <= offered
