"""`BattleMap` on the kernel's side; in the page: tests/browser/test_battle_map.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit.rules.equipment import Size
from combatkit_widgets import BattleMap, Encounter, Explorer, Side
from combatkit_widgets.battle_map import EDGES
from combatkit_widgets.encounter import with_rules
from combatkit_widgets.encounter_map import bare, differences, positions, standing, taken
from combatkit_widgets.map_state import KINDS, LABELS, MOST, TOOLS

RULES = ck.load_ruleset("srd35")
SQUARE_ONLY = {"darkness", "difficult"}
HERE = ck.Map(
    creatures=[
        {"id": "Ann", "at": [1, 1], "side": "heroes", "combatant": "fighter_6"},
        {"id": "ogre", "at": [4, 3], "side": "giants", "combatant": "ogre"},
        {"id": "Bo", "at": [8, 3], "side": "heroes", "combatant": "fighter_6"},
    ]
)


@pytest.fixture
def board() -> BattleMap:
    return BattleMap(RULES, HERE, attacker="Ann", defender="ogre")


def use(board: BattleMap, x: int, y: int, **said: Any) -> None:
    board.do({"do": "use", "at": [x, y], **said})


def label(board: BattleMap, x: int, y: int) -> str:
    row, column = board.state["rows"].index(y), board.state["columns"].index(x)
    words: str = board.state["cells"][row][column]["label"]
    return words


def test_every_kind_of_a_map_is_a_tool_with_words() -> None:
    kinds = ck.Map.model_fields.keys() - {"creatures"}
    assert set(KINDS) == kinds <= set(TOOLS)
    assert set(LABELS) == kinds  # a new kind gets its words
    source, style = BattleMap._esm, BattleMap._css
    for kind in kinds:
        assert f"{kind}:" in str(source), f"{kind} has no sign in battle_map.js"
        assert f"ck-on-{kind}" in str(style), f"{kind} has no pattern in battle_map.css"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_put_and_taken_away(board: BattleMap, kind: str) -> None:
    board.tool = kind
    use(board, 2, 5)
    assert getattr(board.value, kind) == ((2, 5),)
    assert label(board, 2, 5) == f"column 2, row 5: {KINDS[kind].lower()}"
    board.do({"do": "paint", "squares": [[2, 5], [3, 5], [4, 5]]})
    assert getattr(board.value, kind) == ((2, 5), (3, 5), (4, 5))
    board.do({"do": "remove", "at": [3, 5]})
    assert getattr(board.value, kind) == ((2, 5), (4, 5))
    use(board, 2, 5)
    assert getattr(board.value, kind) == ((4, 5),)
    assert ck.Map.from_json(board.value.to_json()) == board.value


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_on_every_border(board: BattleMap, kind: str) -> None:
    board.tool = kind
    for edge, (dx, dy) in EDGES.items():
        if edge == "square":
            continue
        board.edge = edge
        if kind in SQUARE_ONLY:
            with pytest.raises(ck.CombatkitError, match="fills squares, not borders"):
                use(board, 2, 5)
            assert board.value == HERE
            continue
        use(board, 2, 5)
        assert getattr(board.value, kind) == (ck.grid.Border.between((2, 5), (2 + dx, 5 + dy)),)
        assert f"{KINDS[kind].lower()} on the {edge}" in label(board, 2, 5)
        assert KINDS[kind].lower() in label(board, 2 + dx, 5 + dy)
        assert len(board.state["borders"]) == 1
        board.do({"do": "remove", "at": [2, 5]})
        assert getattr(board.value, kind) == ()


@pytest.mark.parametrize("size", get_args(Size))
def test_a_creature_of_each_size_is_one_token_over_its_space(size: str) -> None:
    there = ck.Map(creatures=[{"id": "it", "at": [2, 1], "size": size}])
    board = BattleMap(RULES, there)
    (token,) = board.state["tokens"]
    across = ck.board.size_of(RULES, size).squares  # type: ignore[arg-type]
    assert (token["at"], token["across"]) == ([2, 1], across)
    for x, y in ck.grid.Space(2, 1, across).squares:
        assert label(board, x, y).startswith(f"column {x}, row {y}: it")
    # picked up by its far corner, put down by its lower left square
    use(board, 1 + across, across)
    assert board.state["tokens"][0]["held"]
    use(board, 0, 7)
    assert board.value == there.moved("it", (0, 7))
    assert board.state["tokens"][0]["held"] is False


def test_those_who_share_a_square_are_picked_in_turn() -> None:
    there = ck.Map(
        creatures=[{"id": name, "at": [1, 1], "size": "tiny"} for name in ("one", "two")]
    )
    board = BattleMap(RULES, there)
    assert [token["sharing"] for token in board.state["tokens"]] == [[0, 2], [1, 2]]
    held = []
    for _ in range(3):
        use(board, 1, 1)
        held.append([token["id"] for token in board.state["tokens"] if token["held"]])
    assert held == [["one"], ["two"], []]


@given(st.lists(st.tuples(st.integers(-3, 12), st.integers(-3, 12)), min_size=1, max_size=6))
@settings(max_examples=20, deadline=None)
def test_moves_are_those_of_the_library(squares: list[tuple[int, int]]) -> None:
    board, there = BattleMap(RULES, HERE, attacker="Ann", defender="ogre"), HERE
    for x, y in squares:
        start = there.creature("Ann").at
        board.do({"do": "drag", "at": list(start), "to": [x, y]})
        moved = board.value
        movers = [one.id for one in moved.creatures if one != there.creature(one.id)]
        assert len(movers) <= 1
        for key in movers:  # of several on the square the first
            assert moved == there.moved(key, (x, y))
        there = moved
        found = ck.board.position_on(RULES, there, "Ann", "ogre")
        assert board.situation == found.situation == ck.situation_on(RULES, there, "Ann", "ogre")
        said = " ".join(board.state["findings"])
        assert all(one.text in said for one in found.findings)
        threatened = ck.board.threatened_on(RULES, there, "Ann")
        marked = {
            (x, y)
            for y, row in zip(board.state["rows"], board.state["cells"], strict=True)
            for x, one in zip(board.state["columns"], row, strict=True)
            if one["threatened"]
        }
        assert marked == threatened
        drawn = ck.board.lines_on(RULES, there, "Ann", "ogre")
        assert [one["blocked"] for one in board.state["cover"]] == [
            line.blocked for line in drawn.cover
        ]
        assert len(board.state["flanking"]) == len(drawn.flanking)
        json.dumps(board.state)


def test_lines_agree_with_the_findings(board: BattleMap) -> None:
    board.value = HERE.moved("Ann", (3, 3)).moved("Bo", (6, 3))
    assert board.situation and "flanking" in board.situation.attacker
    assert board.state["flanking"] == [[[3, 3], [6, 3]]]
    trees = ck.Map(creatures=HERE.creatures, covering=[[2, 2], [3, 2]])
    bow = ck.board.lines_on(RULES, trees, "Ann", "ogre", weapon="longbow")
    text = ck.board.position_on(RULES, trees, "Ann", "ogre", weapon="longbow").findings[1].text
    assert f"from corner {bow.corner} " in text
    assert f"{sum(line.blocked for line in bow.cover)} of {len(bow.cover)} lines blocked" in text


def test_the_way_is_the_library_s(board: BattleMap) -> None:
    board.value = HERE.moved("Ann", (3, 3))
    board.tool = "way"
    use(board, 3, 7)
    walk = ck.board.cheapest_path(RULES, board.value, "Ann", (3, 7))
    assert board.state["ways"][0] == [list(square) for square in walk.squares]
    said = " ".join(board.state["findings"])
    assert all(line in said for line in walk.explain().splitlines())
    use(board, 4, 4)  # the ogre's own square
    assert board.state["ways"] == [] and board.state["problems"]
    board.do({"do": "let go"})
    assert board.state["problems"] == []
    board.attacker = ""
    with pytest.raises(ck.CombatkitError, match="pick the attacker"):
        use(board, 3, 7)


def test_a_way_without_odds_is_drawn_and_says_so(board: BattleMap) -> None:
    there = [{"id": "it", "at": [4, 1]}, HERE.creature("Ann")]
    board.value = ck.Map(creatures=there)
    board.tool = "way"
    use(board, 7, 1)
    assert len(board.state["ways"]) == 1
    assert any("it has no combatant" in problem for problem in board.state["problems"])


def test_a_creature_is_placed_and_removed(board: BattleMap) -> None:
    board.tool = "place"
    use(board, 0, 5, combatant="ogre", side="giants")
    use(board, 0, 5, combatant="ogre")
    use(board, 9, 7, id="Cy")
    assert [one.id for one in board.value.creatures[3:]] == ["Ogre", "Ogre 2", "Cy"]
    assert board.value.creature("Ogre").side == "giants"
    board.do({"do": "remove", "at": [9, 7]})
    board.do({"do": "remove", "at": [4, 4]})
    assert [one.id for one in board.value.creatures] == ["Ann", "Bo", "Ogre", "Ogre 2"]
    assert board.situation is None and board.state["findings"] == []


WRONG: list[tuple[object, str]] = [
    ("use", "a dict"),
    ({}, "cannot do 'None'"),
    ({"do": "uze", "at": [0, 0]}, "did you mean 'use'"),
    ({"do": "use", "at": [0]}, "two whole numbers"),
    ({"do": "use", "at": [0, True]}, "two whole numbers"),
    ({"do": "use", "at": "x" * 9}, "two whole numbers"),
    ({"do": "drag", "at": [0, 7], "to": [1, 1]}, "nobody stands at"),
    ({"do": "drag", "at": [1, 1], "to": [5000, 1]}, "within 1000 squares"),
    ({"do": "paint", "squares": [[1, 1]]}, "choose what to put there"),
    ({"do": "choose", "attacker": "ogr"}, "did you mean 'ogre'"),
]


@pytest.mark.parametrize(("said", "words"), WRONG)
def test_wrong_input_is_refused_in_words(board: BattleMap, said: object, words: str) -> None:
    with pytest.raises(ck.CombatkitError, match=words):
        board.do(said)
    assert board.value == HERE
    board._from_page(board, said, [])
    assert words in board.complaint
    board.do({"do": "let go"})
    assert board.complaint == ""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, "needs a name"),
        ({"id": "Ann"}, "two creatures are called 'Ann'"),
        ({"combatant": "ogr"}, "did you mean"),
        ({"id": "x", "size": "hug"}, "size"),
        ({"id": 7}, "id"),
        ({"combatant": ["ogre"]}, "is not in ruleset"),
    ],
)
def test_a_wrong_creature_is_refused_in_words(
    board: BattleMap, said: dict[str, Any], words: str
) -> None:
    board.tool = "place"
    with pytest.raises(ck.CombatkitError, match=words):
        use(board, 0, 0, **said)
    assert board.value == HERE


def test_names_travel_as_text_only(board: BattleMap) -> None:
    script = "<img src=x onerror=alert(1)>"
    board.value = ck.Map(creatures=[{"id": script, "at": [0, 0]}])
    assert board.state["tokens"][0]["name"] == script
    source = str(BattleMap._esm)
    for door in ("innerHTML", "insertAdjacentHTML", "outerHTML", "document.write", "eval("):
        assert door not in source
    assert "http" not in source.replace("http://www.w3.org/2000/svg", "")


def test_what_the_rules_do_not_know_is_said_and_drawn(board: BattleMap) -> None:
    board.value = ck.Map(creatures=[{"id": "Ann", "at": [0, 0], "combatant": "dragonling"}])
    assert any("dragonling" in problem for problem in board.state["problems"])
    assert board.state["tokens"][0]["at"] == [0, 0]


def test_a_huge_map_shows_a_part_and_says_so(board: BattleMap) -> None:
    board.value = ck.Map(creatures=HERE.creatures, walls=[[900, 0]])
    assert len(board.state["columns"]) == MOST
    assert any("goes farther" in problem for problem in board.state["problems"])


def test_more_room_and_squares_that_stay(board: BattleMap) -> None:
    before = board.state["columns"]
    board.do({"do": "more room"})
    wide = board.state["columns"]
    assert wide[0] < before[0] and wide[-1] > before[-1]
    board.value = HERE.moved("Ann", (5, 0))
    assert board.state["columns"] == wide


# ---- in the explorer


def explorer_map() -> ck.Map:
    return ck.Map(
        creatures=[
            {"id": "a", "at": [3, 3], "side": "A"},
            {"id": "b", "at": [4, 3], "side": "B"},
            {"id": "Bo", "at": [6, 3], "side": "A"},
        ],
        fog=[[3, 3], [3, 2]],
    )


def test_taking_uses_both_directions_and_leaves_the_rest() -> None:
    old = Encounter(
        a=Side(fighter="fighter_6", conditions={"shaken"}),
        b=Side(fighter="ogre", conditions={"prone", "flanking"}, cover="total"),
        map=explorer_map(),
    )
    new = taken(old, RULES)
    found = positions(old, RULES)
    there = standing(old)
    for who, foe in (("a", "b"), ("b", "a")):
        assert found[who].situation == ck.situation_on(RULES, there, who, foe)  # type: ignore[index]
    assert new.a.conditions == {"shaken", "flanking"} and new.b.conditions == {"prone"}
    assert (new.distance, new.b.cover, new.a.concealment) == (5, None, "standard")
    assert new.b.concealment is None
    assert differences(new, RULES) == [] and differences(old, RULES)
    assert taken(new, RULES) == new
    strike = new.scenario("a").fight().strike
    direct = ck.attack(
        RULES,
        RULES.combatant("fighter_6"),
        RULES.combatant("ogre"),
        situation=ck.situation_on(
            RULES, there, "a", "b",
            situation=ck.Situation(attacker={"shaken"}, defender={"prone"}),
        ),
    )  # fmt: skip
    assert strike.p_hit == direct.p_hit


def test_the_map_is_kept_undone_swapped_and_carried(control: Callable[..., Any]) -> None:
    explorer = Explorer()
    explorer.show_page("Map")
    board = explorer._map.board
    before = explorer.strike.p_hit
    assert explorer.value.map is None and "map" not in explorer.value.to_json()
    board.do({"do": "drag", "at": [2, 3], "to": [6, 3]})
    kept = explorer.value
    assert kept.map is not None and kept.map.creature("a").at == (6, 3)
    assert kept.map.creature("a").combatant is None  # the encounter says who A is
    assert explorer.strike.p_hit == before and kept.distance is None
    assert Encounter.from_json(kept.to_json()) == kept
    assert "Not counted yet: distance 5 feet" in explorer._map._said.value
    explorer._map.fields[1].control.value = True
    assert explorer.value == taken(kept, RULES) and explorer.value.distance == 5
    assert explorer._map.fields[1].control.value is False
    explorer._toolbar._undo.click()
    assert explorer.value == kept
    explorer._toolbar._undo.click()
    assert board.value.creature("a").at == (2, 3)
    swapped = kept.swapped()
    assert swapped.map and swapped.map.creature("b").at == (6, 3)
    assert swapped.swapped() == kept


def test_the_fighters_of_the_forms_stand_on_the_map() -> None:
    explorer = Explorer(Encounter(a=Side(fighter="fighter_6", weapon="longbow")))
    explorer.show_page("Map")
    board = explorer._map.board
    assert board.value.creature("a").weapon == "longbow"
    assert board.situation and board.situation.distance == 25
    explorer.value = Encounter(a=Side(fighter="gelatinous_cube"))
    token = next(one for one in board.state["tokens"] if one["id"] == "a")
    assert token["across"] == ck.board.size_of(
        RULES, RULES.combatant("gelatinous_cube").size
    ).squares and token["name"].startswith("a: ")
    board.do({"do": "remove", "at": [2, 3]})
    explorer._map.fields[1].control.value = True
    missing = escape("creature 'a' is not on the map")
    assert missing in explorer._map.fields[1].alert.value and missing in explorer._map._said.value
    assert board.state["problems"] == []


def test_other_rules_carry_the_map_and_name_what_they_lose() -> None:
    house = {"id": "Cy", "at": [0, 0], "weapon": "dagger", "combatant": "ogre"}
    old = Encounter(map=ck.Map(creatures=[*explorer_map().creatures, house]))
    for name in ("classic", "phased"):
        rules = ck.load_ruleset(name)
        new, _ = with_rules(old, RULES, rules, name, {})
        assert new.map is not None
        assert [one.at for one in new.map.creatures] == [(3, 3), (4, 3), (6, 3), (0, 0)]
        assert taken(new, rules).distance == 5
    assert bare(standing(Encounter())).creature("b").combatant is None
