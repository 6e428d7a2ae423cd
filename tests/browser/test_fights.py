"""The notebook of fights in a real browser: its figures are drawn, and the slider redraws one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

import combatkit as ck
from combatkit.view import percent

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "03_fights.ipynb"


def test_a_point_of_armor_class_changes_who_wins(open_notebook: Callable[..., Page]) -> None:
    page = open_notebook(NOTEBOOK)
    rules = ck.load_ruleset("srd35")
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    slider = page.get_by_role("slider").first
    slider.scroll_into_view_if_needed()
    for key, armor_class in (("", 20), ("ArrowRight", 21)):
        if key:
            slider.press(key)
        bare = {"armor_class": armor_class, "armor": None, "shield": None}
        hero = fighter.model_copy(update=bare)
        wins = percent(ck.duel(rules, hero, ogre).p_a_wins)
        title = page.locator(".gtitle", has_text="Who has won").filter(has_text=wins)
        expect(title.first).to_be_visible()
