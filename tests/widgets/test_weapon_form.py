"""The weapon form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit_widgets import WeaponForm
from combatkit_widgets.words import whole_weapon

Find = Callable[..., Any]
RULES = ck.load_ruleset("srd35")


def test_it_starts_with_the_weapon_named(rules: ck.rules.Ruleset, control: Find) -> None:
    form = WeaponForm(rules, "greataxe")
    assert form.value == rules.weapon("greataxe")
    assert control(form, "Damage dice").value == "1d12"
    assert control(form, "Critical").value == 3


def test_a_change_in_a_control_is_one_change_of_value(
    rules: ck.rules.Ruleset, control: Find, changes: Find
) -> None:
    form = WeaponForm(rules, "longsword")
    seen = changes(form)
    control(form, "Damage dice").value = "2d6"
    control(form, "Threat range").value = 20
    assert [weapon.damage for weapon in seen] == [{"any": "2d6"}] * 2
    assert form.value.threat_from == 20, "a base of its own would bring 19 back"
    assert form.value.base == "" and form.value.id == "longsword"


def test_a_value_from_code_fills_the_controls(
    rules: ck.rules.Ruleset, control: Find, changes: Find
) -> None:
    form = WeaponForm(rules, "longsword")
    seen = changes(form)
    form.value = ck.Weapon(base="rapier", enhancement=2, extra="1d6 fire")
    assert control(form, "Threat range").value == 18
    assert control(form, "Enhancement").value == 2
    assert control(form, "Extra dice (not multiplied)").value == "1d6 fire"
    assert len(seen) == 1
    form.value = ck.Weapon(base="rapier", enhancement=2, extra="1d6 fire", threat_from=20)
    assert control(form, "Threat range").value == 20, "fields given count even at their defaults"


def test_bad_dice_keep_the_last_good_weapon(
    rules: ck.rules.Ruleset, control: Find, alerts: Find, changes: Find
) -> None:
    form = WeaponForm(rules, "longsword")
    seen = changes(form)
    dice = control(form, "Damage dice")
    dice.value = "1x8<img src=x onerror=alert(1)>"
    assert form.value == rules.weapon("longsword") and seen == []
    (alert,) = alerts(form)
    assert "1x8" in alert and "<img" not in alert and "&lt;img" in alert
    control(form, "Enhancement").value = 1
    assert form.value.enhancement == 1 and alerts(form), "the other field still counts"
    assert dice.value.startswith("1x8"), "what was typed stands until it is corrected"
    dice.value = "1d8"
    assert not alerts(form)
    dice.value = "2d4"
    assert form.value.damage == {"any": "2d4"} and form.value.enhancement == 1


def test_correcting_back_to_the_last_good_text_clears_the_complaint(
    rules: ck.rules.Ruleset, control: Find, alerts: Find
) -> None:
    form = WeaponForm(rules, "longsword")
    for text in ("1d", "zz", "1d8"):
        control(form, "Damage dice").value = text
    assert not alerts(form) and form.value == rules.weapon("longsword")


def test_no_dice_is_no_damage(rules: ck.rules.Ruleset, control: Find) -> None:
    form = WeaponForm(rules, "net")
    assert control(form, "Damage dice").value == ""
    form.value = rules.weapon("dagger")
    control(form, "Damage dice").value = " "
    assert form.value.damage == {}


def test_own_weapons_stand_first_and_all_others_follow(
    rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    fighter = rules.combatant("fighter_6")
    form = WeaponForm(rules, own=fighter.weapons)
    menu = control(form, "Weapon")
    assert labels(menu)[:2] == ["Longsword +1", "Javelin"]
    for weapon in rules.weapons.values():
        assert any(label.startswith(weapon.label) for label in labels(menu))
    assert form.value == whole_weapon(rules, fighter.weapons[0])
    control(form, "Enhancement").value = 3
    assert "changed" in menu.label
    menu.value = "own 0"
    assert form.value.enhancement == 1


def test_the_dice_of_the_wielder_s_size_are_shown(rules: ck.rules.Ruleset, control: Find) -> None:
    form = WeaponForm(rules, "longsword")
    form.wielded_by((), "small")
    assert control(form, "Damage dice").value == "1d6"
    assert form.value == rules.weapon("longsword")


def test_the_menu_follows_the_rules(
    rules: ck.rules.Ruleset, house_file: Path, control: Find, labels: Find
) -> None:
    form = WeaponForm(rules, "longsword")
    form.rules = house = ck.load_ruleset(house_file)
    menu = control(form, "Weapon")
    assert any(label.startswith("Frying pan") for label in labels(menu))
    menu.value = "frying_pan"
    assert form.value == house.weapon("frying_pan")


@given(
    base=st.sampled_from(sorted(RULES.weapons)),
    damage=st.sampled_from(["1d4", "3d6+1", "1"]),
    threat_from=st.integers(2, 20),
    multiplier=st.integers(2, 5),
    enhancement=st.integers(0, 10),
    order=st.permutations(range(4)),
)
@settings(max_examples=15)
def test_the_order_of_changes_does_not_matter(
    base: str,
    damage: str,
    threat_from: int,
    multiplier: int,
    enhancement: int,
    order: list[int],
) -> None:
    form = WeaponForm(RULES, base)
    fields = {field.control.description: field.control for field in form._fields}
    steps = [
        ("Damage dice", damage),
        ("Threat range", threat_from),
        ("Critical", multiplier),
        ("Enhancement", enhancement),
    ]
    for step in order:
        label, content = steps[step]
        fields[label].value = content
    value = form.value
    assert (value.threat_from, value.multiplier, value.enhancement) == (
        threat_from,
        multiplier,
        enhancement,
    )
    assert value.damage.get("any", value.damage.get("medium")) == damage
    assert WeaponForm(RULES, value).value == value


@pytest.mark.parametrize(
    ("label", "content", "field"),
    [
        ("Made for tripping", True, "trips"),
        ("Bonus to disarm", 4, "disarm_bonus"),
        ("Built with (for sundering)", "hafted", "build"),
    ],
)
def test_what_maneuvers_ask_of_a_weapon(
    rules: ck.rules.Ruleset, control: Find, label: str, content: object, field: str
) -> None:
    form = WeaponForm(rules, "longsword")
    control(form, label).value = content
    assert getattr(form.value, field) == content


def test_printed_bonuses_are_typed_as_printed(rules: ck.rules.Ruleset, control: Find) -> None:
    form = WeaponForm(rules, "greatsword")
    control(form, "Attack bonuses as printed").value = "+17/+12"
    control(form, "Damage bonus as printed").value = "10"
    assert form.value.attack_bonuses == (17, 12)
    assert form.value.damage_bonus == 10
    form.value = rules.weapon("club")
    assert control(form, "Attack bonuses as printed").value == ""
