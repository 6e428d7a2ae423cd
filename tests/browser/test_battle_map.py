"""The battle map in JupyterLab: by mouse and by keyboard, with the library's own numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

import combatkit as ck

NOTEBOOK = [
    """
import combatkit as ck
from combatkit_widgets import BattleMap

rules = ck.load_ruleset("srd35")
here = ck.Map(creatures=[
    {"id": "Ann", "at": [1, 1], "side": "heroes", "combatant": "fighter_6"},
    {"id": "<b>Ogre</b>", "at": [4, 3], "side": "giants", "combatant": "ogre"},
])
board = BattleMap(rules, here, attacker="Ann", defender="<b>Ogre</b>")
board
""",
    """
import ipywidgets as W

told = W.Text(description="As JSON")
def tell(change):
    told.value = board.value.to_json()
board.observe(tell, "value")
tell(None)
told
""",
]


def cell(board: Locator, x: int, y: int) -> Locator:
    return board.locator(f"[role=gridcell][data-x='{x}'][data-y='{y}']")


def map_now(page: Page) -> ck.Map:
    return ck.Map.from_json(page.get_by_label("As JSON").input_value())


def expect_map(page: Page, test: Callable[[ck.Map], bool]) -> ck.Map:
    for _ in range(100):
        if test(map_now(page)):
            break
        page.wait_for_timeout(100)
    assert test(map_now(page)), map_now(page)
    return map_now(page)


def findings(map: ck.Map) -> list[str]:
    rules = ck.load_ruleset("srd35")
    found = ck.board.position_on(rules, map, "Ann", "<b>Ogre</b>").findings
    return [one.text for one in found]


def expect_findings(board: Locator, map: ck.Map) -> None:
    for text in findings(map):
        expect(board.get_by_role("status")).to_contain_text(text)


def test_by_mouse_and_by_keyboard(page: Page, open_notebook: Callable[..., Page]) -> None:
    open_notebook(NOTEBOOK)
    board = page.locator(".ck-map").first
    rules = ck.load_ruleset("srd35")
    expect(board.get_by_role("grid", name="Battle map")).to_be_visible()
    expect(board.get_by_role("row")).not_to_have_count(0)
    expect(cell(board, 4, 4)).to_have_attribute("aria-label", "column 4, row 4: <b>Ogre</b>")
    expect(board.locator(".ck-token b b, .ck-token span b")).to_have_count(0)  # escaped
    start = map_now(page)
    expect_findings(board, start)
    threatened = ck.board.threatened_on(rules, start, "Ann")
    expect(board.locator(".ck-threatened")).to_have_count(len(threatened))
    expect(cell(board, 2, 2)).to_have_attribute("aria-label", "column 2, row 2: threatened by Ann")

    # a large creature is one token over four squares
    token = board.locator(".ck-token", has_text="Ogre").bounding_box()
    square = cell(board, 4, 3).bounding_box()
    assert token and square and token["width"] > 1.6 * square["width"]
    assert abs(token["x"] - square["x"]) < 8
    assert abs(token["y"] + token["height"] - square["y"] - square["height"]) < 8

    expect(board.get_by_label("Put it on the")).to_be_hidden()
    expect(board.get_by_label("Sample")).to_be_hidden()

    # pick up and put down by mouse
    cell(board, 1, 1).click()
    expect(cell(board, 1, 1)).to_have_attribute("aria-label", re.compile("picked up"))
    cell(board, 3, 3).click()
    moved = expect_map(page, lambda map: map.creature("Ann").at == (3, 3))
    expect_findings(board, moved)

    # drag
    cell(board, 3, 3).hover()
    page.mouse.down()
    cell(board, 2, 3).hover()
    cell(board, 0, 2).hover()
    page.mouse.up()
    moved = expect_map(page, lambda map: map.creature("Ann").at == (0, 2))
    expect_findings(board, moved)

    # the same by keyboard: one square is in the tab order
    expect(board.locator("[role=gridcell][tabindex='0']")).to_have_count(1)
    cell(board, 0, 2).focus()
    page.keyboard.press("Enter")
    expect(cell(board, 0, 2)).to_have_attribute("aria-label", re.compile("picked up"))
    page.keyboard.press("Escape")
    expect(cell(board, 0, 2)).not_to_have_attribute("aria-label", re.compile("picked up"))
    page.keyboard.press("Enter")
    expect(cell(board, 0, 2)).to_have_attribute("aria-label", re.compile("picked up"))
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    expect(cell(board, 2, 3)).to_be_focused()
    style = cell(board, 2, 3).evaluate("(one) => getComputedStyle(one).outlineStyle")
    assert style == "solid"
    page.keyboard.press("Space")
    moved = expect_map(page, lambda map: map.creature("Ann").at == (2, 3))
    expect_findings(board, moved)

    # walls by mouse, on a border by the menu; fog by keyboard; Delete removes
    board.get_by_role("button", name="Wall", exact=True).click()
    cell(board, 3, 4).click()
    expect_map(page, lambda map: map.walls == ((3, 4),))
    board.get_by_label("Put it on the").select_option("left border")
    cell(board, 4, 3).click()
    walled = expect_map(page, lambda map: len(map.walls) == 2)
    expect(board.locator(".ck-border-walls")).to_have_count(1)
    expect_findings(board, walled)
    label = "column 4, row 3: <b>Ogre</b>, wall on the left border"
    expect(cell(board, 4, 3)).to_have_attribute("aria-label", re.compile(re.escape(label)))
    drawn = ck.board.lines_on(rules, walled, "Ann", "<b>Ogre</b>")
    blocked = [line for line in drawn.cover if line.blocked]
    expect(board.locator("line.ck-blocked")).to_have_count(len(blocked))
    expect(board.locator("line.ck-free")).to_have_count(len(drawn.cover) - len(blocked))
    board.get_by_role("button", name="Wall", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(board.get_by_role("button", name="Low wall")).to_be_focused()
    board.get_by_role("button", name="Fog").focus()
    page.keyboard.press("Enter")
    board.get_by_label("Put it on the").select_option("square")
    cell(board, 6, 6).focus()
    page.keyboard.press("Enter")
    expect_map(page, lambda map: map.fog == ((6, 6),))
    expect(cell(board, 6, 6)).to_have_attribute("aria-label", "column 6, row 6: fog")
    page.keyboard.press("Delete")
    expect_map(page, lambda map: map.fog == ())

    # a friend, placed on the far side: flanking, with its line
    board.get_by_role("button", name="Erase").click()
    cell(board, 3, 4).click()
    expect_map(page, lambda map: len(map.walls) == 1)
    cell(board, 3, 3).click()
    expect_map(page, lambda map: map.walls == ())
    board.get_by_role("button", name="Place a creature").click()
    board.get_by_label("Name").fill("Bo")
    board.get_by_label("Side").fill("heroes")
    board.get_by_label("Sample").select_option("fighter_6")
    cell(board, 6, 3).click()
    expect_map(page, lambda map: len(map.creatures) == 3)
    board.get_by_role("button", name="Move", exact=True).click()
    cell(board, 2, 3).click()
    cell(board, 3, 3).click()
    flanked = expect_map(page, lambda map: map.creature("Ann").at == (3, 3))
    expect_findings(board, flanked)
    assert "flanking" in ck.situation_on(rules, flanked, "Ann", "<b>Ogre</b>").attacker
    expect(board.locator("line.ck-flanking")).to_have_count(1)

    # the way to a square, what it costs and who may strike
    board.get_by_role("button", name="Way there").click()
    cell(board, 3, 7).click()
    walk = ck.board.cheapest_path(rules, flanked, "Ann", (3, 7))
    expect(board.get_by_role("status")).to_contain_text(walk.explain().splitlines()[0])
    expect(board.locator("polyline.ck-way-0")).to_have_count(1)

    # what is wrong is said in words, and nothing is lost
    board.get_by_role("button", name="Darkness").click()
    board.get_by_label("Put it on the").select_option("upper border")
    cell(board, 8, 1).click()
    expect(board.get_by_role("alert")).to_have_text("Darkness fills squares, not borders")
    assert map_now(page) == flanked


def test_the_page_in_the_explorer(page: Page, open_notebook: Callable[..., Any]) -> None:
    open_notebook(["from combatkit_widgets import Explorer\nexplorer = Explorer()\nexplorer"])
    explorer = page.locator(".ck-explorer").first
    status = explorer.locator(".ck-sides")
    expect(status).to_contain_text("hits 85.0%")
    explorer.get_by_role("tab", name="Map").click()
    board = explorer.locator(".ck-map")
    expect(cell(board, 7, 3)).to_have_attribute("aria-label", "column 7, row 3: b: Ogre")
    board.get_by_role("button", name="Place a creature").click()
    board.get_by_label("Name").fill("Bo")
    board.get_by_label("Side").fill("A")
    cell(board, 9, 3).click()
    expect(board.get_by_role("status").first).to_contain_text("Bo")
    board.get_by_role("button", name="Move", exact=True).click()
    cell(board, 2, 3).click()
    cell(board, 6, 3).click()
    expect(explorer.get_by_text("Not counted yet: distance 5 feet")).to_be_visible()
    expect(status).to_contain_text("hits 85.0%")  # nothing changes before it is taken
    explorer.get_by_role("button", name="Take from the map").click()
    expect(status).to_contain_text("hits 95.0%")
    expect(explorer.get_by_label("Flanking the defender").first).to_be_checked()
    expect(explorer.get_by_text("What the map says of A and B is what is counted")).to_be_visible()
    explorer.get_by_role("button", name="Undo").click()
    expect(status).to_contain_text("hits 85.0%")
