"""Shared by the tests of forms: find a control by its label, read what a form complains of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ipywidgets as W
import pytest

import combatkit as ck
from combatkit_widgets.forms import everything

HOUSE = """
[ruleset]
id = "house"
title = "House rules"
extends = "srd35"

[[source]]
id = "house"
title = "Our table"

[[row]]
table = "armor_class"
id = "greased"
label = "Greased <b>all over</b>"
value = -3
cite = "house: slippery"

[[weapon]]
id = "frying_pan"
label = "Frying pan"
damage = {small = "1d3", medium = "1d4"}
cite = "house: kitchen"

[[combatant]]
id = "cook"
name = "Cook"
hit_points = 7
weapons = ["frying_pan"]
cite = "house: kitchen"
"""


@pytest.fixture(scope="session")
def rules() -> ck.rules.Ruleset:
    return ck.load_ruleset("srd35")


@pytest.fixture
def house_file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    return path


@pytest.fixture(scope="session")
def control() -> Callable[..., Any]:
    """Find the control with a label; the number tells controls of the same label apart."""

    def find(form: Any, label: str, number: int = 0) -> Any:
        found = [
            part
            for part in everything(form)
            if isinstance(part, W.ValueWidget)
            and not isinstance(part, W.VBox)
            and getattr(part, "description", None) == label
        ]
        return found[number]

    return find


@pytest.fixture(scope="session")
def alerts() -> Callable[[Any], list[str]]:
    """Return the HTML of the complaints a form shows."""

    def shown(form: Any) -> list[str]:
        return [
            part.value
            for part in everything(form)
            if isinstance(part, W.HTML)
            and "role='alert'" in part.value
            and part.layout.display != "none"
        ]

    return shown


@pytest.fixture(scope="session")
def labels() -> Callable[[Any], list[str]]:
    """Return what a menu offers."""
    return lambda menu: [label for label, _ in menu.options]


@pytest.fixture
def changes() -> Callable[[Any], list[Any]]:
    """Return a list that grows with every change of a form's value."""

    def watch(form: Any) -> list[Any]:
        seen: list[Any] = []
        form.observe(lambda change: seen.append(change.new), "value")
        return seen

    return watch
