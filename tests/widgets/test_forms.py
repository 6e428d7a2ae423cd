"""What all forms have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as W
import pytest

import combatkit as ck
from combatkit_widgets import CombatantForm, RulesetPicker, SituationForm, WeaponForm
from combatkit_widgets.forms import everything

MAKERS: dict[str, Callable[[ck.rules.Ruleset], Any]] = {
    "rules": lambda rules: RulesetPicker(),
    "weapon": lambda rules: WeaponForm(rules, "longsword"),
    "combatant": lambda rules: CombatantForm(rules, "ogre"),
    "situation": lambda rules: SituationForm(rules),
}


@pytest.fixture(params=MAKERS)
def form(request: pytest.FixtureRequest, rules: ck.rules.Ruleset) -> Any:
    return MAKERS[request.param](rules)


def test_interact_takes_a_form(form: Any) -> None:
    seen: list[Any] = []
    box = W.interactive(lambda part: seen.append(part), part=form)
    assert seen[-1] is form.value
    assert form in box.children and form.description == "part"


def test_interactive_output_and_link_take_a_form(rules: ck.rules.Ruleset) -> None:
    first, second = SituationForm(rules), SituationForm(rules)
    W.interactive_output(lambda there: None, {"there": first})
    W.link((first, "value"), (second, "value"))
    second.value = ck.Situation(defender={"prone"})
    assert first.value == second.value
    assert (
        sum(part.value is True for part in everything(first) if isinstance(part, W.Checkbox)) == 1
    )


def test_every_control_has_a_label(form: Any) -> None:
    for part in everything(form):
        if isinstance(part, W.ValueWidget) and not isinstance(part, W.HTML | W.VBox):
            assert part.description.strip(), part


def test_text_counts_when_it_is_finished(form: Any) -> None:
    for part in everything(form):
        if isinstance(part, W.Text | W.Textarea | W.BoundedIntText):
            assert not part.continuous_update, part.description


def test_a_heading_is_escaped(rules: ck.rules.Ruleset) -> None:
    form = SituationForm(rules, description="<img src=x>")
    shown = [part.value for part in everything(form) if isinstance(part, W.HTML)]
    assert any("&lt;img src=x&gt;" in text for text in shown)
    form.description = "<i>other</i>"
    assert not any("<i>" in part.value for part in everything(form) if isinstance(part, W.HTML))


def test_the_rest_is_shown_by_a_button(form: Any) -> None:
    button = next(part for part in everything(form) if isinstance(part, W.ToggleButton))
    hidden = [part for part in everything(form) if part.layout.display == "none"]
    button.value = True
    assert sum(part.layout.display == "none" for part in hidden) == len(hidden) - 1
    button.value = False
    assert all(part.layout.display == "none" for part in hidden)
