"""The situation form."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import ipywidgets as W
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit_widgets import SituationForm
from combatkit_widgets.forms import everything
from combatkit_widgets.situation_form import row_hint

Find = Callable[..., Any]
RULES = ck.load_ruleset("srd35")


def ticks(form: SituationForm) -> list[str]:
    return [part.description for part in everything(form) if isinstance(part, W.Checkbox)]


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
def test_every_row_has_a_control(ruleset: str, control: Find, labels: Find) -> None:
    rules = ck.load_ruleset(ruleset)
    form = SituationForm(rules)
    shown = ticks(form)
    for side in ("attacker", "defender"):
        for row in rules.conditions[side].values():
            assert row.label in shown
    for slot, rows in rules.slots.items():
        if rows:
            menu = control(form, slot.capitalize())
            assert labels(menu) == ["none", *(row.label for row in rows.values())]


def test_a_tick_is_one_change(rules: ck.rules.Ruleset, control: Find, changes: Find) -> None:
    form = SituationForm(rules)
    seen = changes(form)
    control(form, "Prone", 0).value = True
    control(form, "Prone", 1).value = True
    control(form, "Prone", 0).value = False
    assert seen == [
        ck.Situation(attacker={"prone"}),
        ck.Situation(attacker={"prone"}, defender={"prone"}),
        ck.Situation(defender={"prone"}),
    ]


@pytest.mark.parametrize(
    ("label", "content", "field", "expected"),
    [
        ("Cover", "improved", "cover", "improved"),
        ("Concealment", "total", "concealment", "total"),
        ("Attack roll", "advantage", "roll", "advantage"),
        ("Distance, feet", "30", "distance", 30),
        ("Other miss chances, %", "20, 50 %", "miss_chances", (20, 50)),
        ("Other miss chances, %", "1/3", "miss_chances", (Fraction(1, 3),)),
        ("Independent miss chances, %", "50 1/7", "independent_miss_chances", (50, Fraction(1, 7))),
        ("Mirror images", 4, "images", 4),
        ("Referee: attack", -2, "attack_bonus", -2),
        ("Referee: armor class", 4, "armor_class_bonus", 4),
        ("Referee: damage", 1, "damage_bonus", 1),
        ("Damage multiplied by", 2, "damage_multiplier", 2),
        ("Touch attack", True, "touch", True),
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
    form = SituationForm(rules)
    seen = changes(form)
    usual = control(form, label).value
    control(form, label).value = content
    assert getattr(form.value, field) == expected and len(seen) == 1
    control(form, label).value = usual
    assert form.value == ck.Situation()


@pytest.mark.parametrize(
    ("label", "content"),
    [
        ("Distance, feet", "far"),
        ("Distance, feet", "-5"),
        ("Other miss chances, %", "120"),
        ("Other miss chances, %", "<b>"),
    ],
)
def test_bad_input_keeps_the_last_good_value(
    rules: ck.rules.Ruleset, control: Find, alerts: Find, label: str, content: str
) -> None:
    form = SituationForm(rules, ck.Situation(distance=5))
    good = form.value
    before = control(form, label).value
    control(form, label).value = content
    assert form.value is good and len(alerts(form)) == 1 and "<b>" not in alerts(form)[0]
    control(form, "Touch attack").value = True
    assert form.value == ck.Situation(distance=5, touch=True) and alerts(form)
    control(form, label).value = before
    assert not alerts(form)


def test_a_row_from_a_file_appears_by_itself(house_file: Path, control: Find) -> None:
    house = ck.load_ruleset(house_file)
    form = SituationForm(house)
    tick = control(form, "Greased <b>all over</b>")
    assert tick.description_allow_html is False
    assert tick.tooltip == "-3. Our table: slippery"
    tick.value = True
    assert form.value == ck.Situation(defender={"greased"})


def test_ticks_that_still_exist_are_kept(
    rules: ck.rules.Ruleset, house_file: Path, control: Find
) -> None:
    house = ck.load_ruleset(house_file)
    form = SituationForm(
        house,
        ck.Situation(
            attacker={"flanking"}, defender={"greased", "prone"}, cover="standard", distance=5
        ),
    )
    form.rules = rules
    assert form.value == ck.Situation(
        attacker={"flanking"}, defender={"prone"}, cover="standard", distance=5
    )
    assert control(form, "Prone", 1).value and control(form, "Cover").value == "standard"
    assert "Greased <b>all over</b>" not in ticks(form)


def test_other_readings_leave_the_controls_alone(rules: ck.rules.Ruleset, control: Find) -> None:
    form = SituationForm(rules)
    before = control(form, "Prone")
    form.rules = rules.with_switches(attack_tie="misses")
    assert control(form, "Prone") is before


def test_an_unknown_word_from_code_is_refused(rules: ck.rules.Ruleset) -> None:
    form = SituationForm(rules)
    with pytest.raises(ck.CombatkitError, match="prone"):
        form.value = ck.Situation(defender={"pron"})
    assert form.value == ck.Situation()


def test_hints_say_what_a_row_does(rules: ck.rules.Ruleset) -> None:
    helpless = rules.rows["armor_class.helpless"]
    assert row_hint(helpless).startswith(helpless.note) and "−4" in helpless.note
    # a row of one's own without a note is told by its numbers
    assert row_hint(helpless.model_copy(update={"note": ""})).startswith(
        "-4 melee, +0 ranged; Dexterity counts as 0; the defender loses any Dexterity bonus"
    )
    for row in rules.rows.values():
        assert str(row.cite) in row_hint(row)


SITUATIONS = st.builds(
    ck.Situation,
    attacker=st.frozensets(st.sampled_from(sorted(RULES.conditions["attacker"]))),
    defender=st.frozensets(st.sampled_from(sorted(RULES.conditions["defender"]))),
    cover=st.none() | st.sampled_from(sorted(RULES.slots["cover"])),
    concealment=st.none() | st.sampled_from(sorted(RULES.slots["concealment"])),
    distance=st.none() | st.integers(0, 500),
    touch=st.booleans(),
    roll=st.sampled_from(["normal", "advantage", "disadvantage"]),
    miss_chances=st.lists(st.integers(0, 100), max_size=2).map(tuple),
    attack_bonus=st.integers(-50, 50),
)


@given(st.lists(SITUATIONS, min_size=1, max_size=3))
@settings(max_examples=15)
def test_any_situation_is_shown_as_it_is(situations: list[ck.Situation]) -> None:
    form, other = SituationForm(RULES), SituationForm(RULES)
    for there in situations:
        form.value = there
        assert form.value == there
    for mine, field in zip(form._fields, other._fields, strict=True):
        field.control.value = mine.control.value
    assert other.value == situations[-1], "its controls say all of it"
