"""The explorer in a real browser: it runs by itself, follows ticks, is kept, and comes back."""

from __future__ import annotations

import re
import secrets
from fractions import Fraction
from pathlib import Path
from typing import Any

import nbformat
from playwright.sync_api import Locator, Page, expect

import combatkit as ck
from combatkit import view

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "01_explorer.ipynb"
PAGES = {
    "Damage": "damage (hit points)",
    "Full attack": "At least one hits",
    "Kill time": "rounds",
    "Survival": "The fate of the dying",
    "Duel": "moves first",
    "Best options": "Power Attack",
    "Modifier tables": "Total cover",
    "Initiative": "acts first",
    "Opportunity": "attacks of opportunity",
    "Saves": "Fortitude",
    "Map": "Not counted yet",
    "Formula": "P",
    "Receipt": "Modifiers: Table 8-6",
}


def open_alone(lab: Any, page: Page, **metadata: Any) -> str:
    """Open a copy of the explorer's notebook in a folder of its own, and run nothing."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.metadata.update(metadata)
    folder = lab.folder / secrets.token_hex(4)
    folder.mkdir()
    nbformat.write(notebook, folder / "explorer.ipynb")
    url = f"{lab.url}/lab/tree/{folder.name}/explorer.ipynb?token={lab.token}&reset"
    page.goto(url)
    return url


def allow(page: Page) -> None:
    """Answer the question whether the notebook may run by itself."""
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("made to run by itself when it is opened", timeout=60_000)
    dialog.get_by_role("button", name="Run", exact=True).click()


def explorer_on(page: Page) -> Locator:
    explorer = page.locator(".ck-explorer").first
    expect(explorer.locator(".ck-sides")).to_contain_text("hits", timeout=60_000)
    return explorer


def copied(page: Page, start: str) -> str:
    """Return the copied text once it starts so (a page's own wait takes a promise for true)."""
    for _ in range(100):
        text: str = page.evaluate("() => navigator.clipboard.readText()")
        if text.startswith(start):
            break
        page.wait_for_timeout(100)
    assert text.startswith(start)
    return text


def test_ticking_prone_changes_every_number(lab: Any, page: Page) -> None:
    open_alone(lab, page)
    allow(page)
    explorer = explorer_on(page)
    status = explorer.locator(".ck-sides")
    expect(status).to_contain_text("hits 85.0%")
    expect(status.locator("[title='17/20']").first).to_have_text("85.0%")

    rules = ck.load_ruleset("srd35")
    there = ck.Situation(defender={"prone"})
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    prone = ck.attack(rules, fighter, ogre, situation=there)
    back = ck.attack(rules, ogre, fighter, situation=ck.Situation(attacker={"prone"}))
    explorer.get_by_label("Prone").nth(1).check()
    expect(status).to_contain_text(f"hits {view.percent(prone.p_hit)}")
    expect(status).to_contain_text(f"hits {view.percent(back.p_hit)}")
    for tab, words in PAGES.items():
        explorer.get_by_role("tab", name=tab).click()
        expect(explorer.locator(".ck-right").get_by_text(words).first).to_be_visible()
    empty = page.eval_on_selector_all("[title=null]", "(all) => all.map((one) => one.outerHTML)")
    assert empty == [], "tooltips that say nothing"
    worth = explorer.locator(".ck-worth span").first
    assert "SRD combat modifiers" in (worth.get_attribute("title") or "")
    lab.end_kernels(page)


def test_it_runs_by_itself_once_allowed_and_comes_back(lab: Any, page: Page) -> None:
    url = open_alone(lab, page)
    allow(page)
    explorer = explorer_on(page)
    explorer.get_by_label("Prone").nth(1).check()
    status = explorer.locator(".ck-sides")
    expect(status).to_contain_text("hits 95.0%")
    explorer.get_by_role("button", name="Undo").click()
    expect(status).to_contain_text("hits 85.0%")
    explorer.get_by_role("button", name="Redo").click()
    expect(status).to_contain_text("hits 95.0%")

    # the kernel goes: one button brings everything back
    restart = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    page.evaluate(restart)
    page.get_by_role("button", name="Run again").click()
    expect(page.locator(".combatkit-run-again")).to_have_count(0, timeout=60_000)
    expect(explorer_on(page).locator(".ck-sides")).to_contain_text("hits 95.0%")

    # and so does opening the page anew, now without a question
    lab.end_kernels(page)
    page.goto(url)
    expect(explorer_on(page).locator(".ck-sides")).to_contain_text("hits 95.0%")
    expect(page.get_by_role("dialog")).to_have_count(0)
    lab.end_kernels(page)


def test_a_notebook_that_is_not_marked_does_not_run(lab: Any, page: Page) -> None:
    open_alone(lab, page, combatkit={})
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.isReady")
    page.wait_for_timeout(1500)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".ck-explorer")).to_have_count(0)
    lab.end_kernels(page)


def test_not_now_runs_nothing(lab: Any, page: Page) -> None:
    open_alone(lab, page)
    page.get_by_role("dialog").get_by_role("button", name="Not now").click()
    page.wait_for_timeout(1000)
    expect(page.locator(".ck-explorer")).to_have_count(0)
    lab.end_kernels(page)


def test_a_link_opens_the_same_encounter(lab: Any, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_alone(lab, page)
    allow(page)
    explorer = explorer_on(page)
    explorer.get_by_label("Prone").nth(1).check()
    status = explorer.locator(".ck-sides")
    expect(status).to_contain_text("hits 95.0%")
    explorer.get_by_role("button", name="Copy link").click()
    expect(explorer.get_by_text("Copied.")).to_be_visible()
    link = copied(page, "http")
    assert re.search(r"explorer\.ipynb\?ck=1\.[\w-]+$", link)
    explorer.get_by_role("button", name="Copy as code").click()
    code = copied(page, "import")
    names: dict[str, Any] = {}
    exec(code, names)  # our own words
    assert names["attack"].p_hit == Fraction(19, 20)

    # a friend opens it: another page, nothing kept, the same encounter
    explorer.get_by_role("button", name="Reset", exact=True).click()
    expect(status).to_contain_text("hits 85.0%")
    page.evaluate("() => sessionStorage.clear()")
    lab.end_kernels(page)
    page.goto(f"{link}&token={lab.token}")
    expect(explorer_on(page).locator(".ck-sides")).to_contain_text("hits 95.0%")
    lab.end_kernels(page)
