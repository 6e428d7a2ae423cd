"""The ruleset picker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit_widgets import RulesetPicker
from combatkit_widgets.forms import everything

Find = Callable[..., Any]
TIE = "Attack total equal to the armor class"


def test_the_menu_offers_the_built_in_rules(control: Find, labels: Find, changes: Find) -> None:
    picker = RulesetPicker()
    menu = control(picker, "Rules")
    assert sorted(labels(menu)) == sorted(ck.load_ruleset(key).title for key in ck.rules.built_in())
    seen = changes(picker)
    for key in ("phased", "classic", "srd35"):
        menu.value = key
        assert picker.value is not None and picker.value.id == key
    assert len(seen) == 3


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
def test_every_switch_is_a_menu_of_its_meanings(ruleset: str, control: Find, labels: Find) -> None:
    picker = RulesetPicker(ruleset)
    for key, switch in picker.value.switches.items():
        different = [option for option in switch.options if option != picker.value.switch(key)]
        menu = control(picker, switch.label)
        assert labels(menu) == list(switch.options.values())
        menu.value = different[0]
        assert picker.value.switch(key) == different[0]
        assert menu.description == f"● {switch.label} (changed)"


def test_a_switch_changed_back_is_not_marked(control: Find, changes: Find) -> None:
    picker = RulesetPicker()
    seen = changes(picker)
    menu = control(picker, TIE)
    menu.value = "misses"
    assert picker.read(picker.value) == ("srd35", {"attack_tie": "misses"})
    menu.value = "hits"
    assert menu.description == TIE
    assert picker.read(picker.value) == ("srd35", {}) and len(seen) == 2


def test_rules_from_code_fill_the_menus(control: Find) -> None:
    picker = RulesetPicker()
    picker.value = ck.load_ruleset("phased").with_switches(attack_tie="misses")
    assert control(picker, "Rules").value == "phased"
    assert control(picker, f"● {TIE} (changed)").value == "misses"


def test_a_house_rule_file_joins_the_menu(
    house_file: Path, control: Find, labels: Find, changes: Find
) -> None:
    picker = RulesetPicker()
    menu, path = control(picker, "Rules"), control(picker, "House-rule file")
    seen = changes(picker)
    path.value = str(house_file)
    assert picker.value.id == "house" and len(seen) == 1
    assert menu.value == str(house_file) and "House rules" in labels(menu)
    assert menu in list(everything(picker)), "the menu itself stays, and the keyboard focus with it"
    menu.value = "srd35"
    menu.value = str(house_file)
    assert picker.value.id == "house"


def test_rules_loaded_elsewhere_join_the_menu(house_file: Path, control: Find) -> None:
    picker = RulesetPicker(ck.load_ruleset(house_file))
    assert picker.value.id == "house"
    assert control(picker, "Rules").label == "House rules"
    assert RulesetPicker(str(house_file)).value.id == "house"


def test_a_bad_file_keeps_the_last_good_rules(tmp_path: Path, control: Find, alerts: Find) -> None:
    picker = RulesetPicker("classic")
    path = control(picker, "House-rule file")
    path.value = str(tmp_path / "none.toml")
    assert picker.value.id == "classic" and "no such file" in alerts(picker)[0]
    broken = tmp_path / "broken.toml"
    head = '[ruleset]\nid = "x"\nextends = "srd35"\n'
    broken.write_text(head + '[[row]]\nid = "<i>"\ntable = "attack"\n')
    path.value = str(broken)
    assert "broken.toml" in alerts(picker)[0] and "<i>" not in alerts(picker)[0]
    path.value = ""
    assert picker.value.id == "classic" and not alerts(picker)
