"""The explorer in a real browser: open it, tick a condition, read the changed numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

import combatkit as ck

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_explorer.ipynb"


def test_ticking_prone_changes_every_number(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(NOTEBOOK)
    explorer = page.locator(".ck-explorer").first
    status = explorer.get_by_role("status").first
    expect(status).to_contain_text("85.0%")
    expect(status).to_contain_text("17/20")

    rules = ck.load_ruleset("srd35")
    there = ck.Situation(defender={"prone"})
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    prone = ck.attack(rules, fighter, ogre, situation=there)
    explorer.get_by_label("Prone").nth(1).check()
    expect(status).to_contain_text(str(prone.p_hit))
    expect(status).to_contain_text(str(prone.damage.mean))
    for tab, words in {
        "Damage": "damage (hit points)",
        "Survival": "The fate of the dying",
        "Modifier tables": "Total cover",
        "Formula": "P",
        "Receipt": "Modifiers: Table 8-6",
    }.items():
        explorer.get_by_role("tab", name=tab).click()
        expect(explorer.locator(".ck-right").get_by_text(words).first).to_be_visible()
