"""Actions and turns: the printed table, slow twins, each reading, and laws."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, load_ruleset
from combatkit.combat.turns.actions import Action, all_actions, find_action, standard_action_table
from combatkit.combat.turns.turn import Turn, five_foot_step, surprise_turn, turn
from combatkit.rules import Ruleset

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))
GRID = (SRD, CLASSIC)

# simplified, Table: Standard Actions, typed from the text
TABLE = {
    "Attack (melee)": "no",
    "Attack (unarmed)": "yes",
    "Attack (ranged)": "yes",
    "Activate a magic item other than a potion or oil": "no",
    "Aid another": "maybe",
    "Bull rush": "yes",
    "Cast a spell (1 standard action)": "yes",
    "Concentrate to maintain an active spell": "no",
    "Dismiss a spell": "no",
    "Draw a hidden weapon": "no",
    "Drink a potion or apply an oil": "yes",
    "Escape a grapple": "no",
    "Feint": "no",
    "Light a torch": "yes",
    "Make a dying friend stable": "yes",
    "Overrun": "no",
    "Read a scroll": "yes",
    "Ready (triggers a standard action)": "no",
    "Sunder a weapon (attack)": "yes",
    "Sunder an object (attack)": "maybe",
    "Total defense": "no",
    "Turn or rebuke undead": "no",
    "Use extraordinary ability": "no",
    "Use skill that takes 1 action": "usually",
    "Use spell-like ability": "yes",
}
# what the texts of simplified call a move, full-round or free action
TYPES = {
    "move": (
        "move climb climb_fast swim crawl draw_weapon sheathe_weapon draw_two_weapons ready_shield "
        "retrieve_item pick_up_item move_heavy_object open_door redirect_spell stand_up mount "
        "dismount"
    ),
    "full_round": (
        "full_attack cast_full_round special_ability_full run move_through_difficult coup_de_grace"
    ),
    "free": (
        "draw_ammunition drop_shield drop_item drop_prone speak cease_concentration "
        "quickened_spell fast_mount fast_dismount"
    ),
    "step": "five_foot_step",
}


def test_every_row_of_the_standard_action_table() -> None:
    assert {a.label: a.provokes for a in standard_action_table(CLASSIC)} == TABLE
    assert [a.label for a in standard_action_table(CLASSIC)] == list(TABLE)
    assert all(a.cite.source == "simplified" for a in standard_action_table(CLASSIC))
    assert Counter(TABLE.values()) == {"no": 12, "yes": 10, "maybe": 2, "usually": 1}


def test_the_srd_prints_the_same_rows_and_two_more() -> None:
    printed = {a.label: a.provokes for a in standard_action_table(SRD)}
    assert printed == TABLE | {"Lower spell resistance": "no", "Use supernatural ability": "no"}
    extra = find_action(CLASSIC, "lower_spell_resistance")
    assert (extra.row, extra.provokes) == (0, "unknown")


@pytest.mark.parametrize("rules", GRID, ids=lambda r: r.id)
def test_types_of_the_other_actions(rules: Ruleset) -> None:
    for kind, words in TYPES.items():
        assert {find_action(rules, word).type for word in words.split()} == {kind}


def test_what_the_simplified_chapter_says_of_provoking_beside_the_table() -> None:
    told = {
        "crawl": "yes",
        "stand_up": "yes",
        "coup_de_grace": "yes",
        "cast_full_round": "yes",
        "redirect_spell": "no",
        "quickened_spell": "no",
        "five_foot_step": "no",
        "move_through_difficult": "moving",
        "move": "moving",
        "run": "moving",
        "draw_weapon": "unknown",
        "drop_item": "rarely",
    }
    assert {word: find_action(CLASSIC, word).provokes for word in told} == told


def test_phased_has_actions_of_its_own_only() -> None:
    assert all(action.cite.source == "phases" for action in all_actions(PHASED))
    assert {a.id for a in all_actions(PHASED, "reaction")} == {
        "opportunity_attack",
        "readied_action",
        "disengage",
    }
    own = "attack cast_spell concentrate special_ability use_item dodge grapple ready improvise"
    assert {a.id for a in all_actions(PHASED, "standard")} >= set(own.split())


@pytest.mark.parametrize("rules", (SRD, CLASSIC, PHASED), ids=lambda r: r.id)
def test_words_in_the_tables_point_somewhere(rules: Ruleset) -> None:
    for action in all_actions(rules):
        for word in (*action.cell("excludes").split(), *action.cell("requires").split()):
            find_action(rules, word)
        if action.mode:
            assert rules.lookup("movement", action.mode).cells["action"] == action.id
        for feat in (action.cell("feat"), *action.cell("safe_feat").split()):
            assert not feat or rules.feat(feat)


# ---- turns
def slow_legal(kinds: tuple[str, ...]) -> bool:
    """A turn by the sentence: a standard and a move, or two moves, or a full-round action."""
    paid = sorted(kind for kind in kinds if kind != "free")
    return any(
        Counter(paid) <= Counter(whole)
        for whole in (["standard", "move"], ["move", "move"], ["full_round"])
    )


KINDS = ("standard", "move", "full_round", "free")


def test_every_turn_of_up_to_four_actions_against_the_sentence() -> None:
    for size in range(5):
        for kinds in product(KINDS, repeat=size):
            assert turn(CLASSIC, kinds).legal == slow_legal(kinds), kinds


@pytest.mark.parametrize(
    ("reading", "allowed", "free"),
    [
        ("general", ("standard", "move"), True),
        ("procedures", ("standard", "move"), False),
        ("section", ("standard",), True),
    ],
)
def test_each_reading_of_the_surprise_turn(
    reading: str, allowed: tuple[str, ...], free: bool
) -> None:
    rules = CLASSIC.with_switches(surprise_turn=reading)
    for size in range(4):
        for kinds in product(KINDS, repeat=size):
            paid = [kind for kind in kinds if kind != "free"]
            right = len(paid) <= 1 and set(paid) <= set(allowed) and (free or "free" not in kinds)
            assert surprise_turn(rules, kinds).legal == right, kinds


def test_a_surprise_turn_of_phased_is_a_whole_turn() -> None:
    assert PHASED.switch("surprise_turn") == "whole"
    assert surprise_turn(PHASED, ["attack", "move", "speak"])
    assert not surprise_turn(PHASED, ["attack", "attack"])
    assert surprise_turn(SRD.with_switches(surprise_turn="whole"), ["full_attack"])


WHY = {
    ("attack_melee", "attack_melee"): "a turn does not hold 2 standard actions",
    ("full_attack", "draw_weapon"): "a turn does not hold 1 move and 1 full-round action",
    ("draw_weapon",) * 3: "a turn does not hold 3 move actions",
    ("move", "five_foot_step"): "not in a round in which you move any distance (Move)",
    ("run", "five_foot_step"): "not in a round in which you move any distance (Run)",
    ("five_foot_step", "full_attack", "five_foot_step"): "5-foot step: one in a round",
    ("total_defense", "fight_defensively"): "Total defense: not in the same turn",
    ("move", "fight_defensively"): "only as part of an attack or full attack",
    ("total_defense", "combat_expertise"): "Total defense: not in the same turn",
    ("quickened_spell", "quickened_spell"): "Cast a quickened spell: 1 in a round",
    ("full_attack", "fast_mount"): "only while a move action is still left",
    ("move", "attack_melee", "fast_dismount"): "only while a move action is still left",
    ("move_through_difficult", "five_foot_step"): "not in a round in which you move any distance",
}


@pytest.mark.parametrize("acts", WHY, ids=" ".join)
def test_why_a_turn_is_illegal(acts: tuple[str, ...]) -> None:
    judged = turn(CLASSIC, acts)
    assert not judged
    assert WHY[acts] in judged.why_not
    assert judged.left == ()


@pytest.mark.parametrize(
    "acts",
    [
        [],
        ["attack_melee", "move"],  # also: stop after the first attack and walk away
        ["attack_melee", "fight_defensively", "move"],
        ["five_foot_step", "full_attack", "drop_item", "speak"],
        ["attack_melee", "five_foot_step", "draw_weapon"],
        ["draw_weapon", "five_foot_step", "stand_up"],
        ["fast_mount", "move", "attack_melee"],
        ["cast_spell", "quickened_spell", "draw_weapon"],
        ["full_attack", "cleave"],
    ],
)
def test_legal_turns(acts: list[str]) -> None:
    assert turn(CLASSIC, acts).why_not == ""


def test_what_is_left() -> None:
    assert turn(CLASSIC, []).left == ("standard", "move", "full_round", "free", "step")
    assert turn(CLASSIC, ["move"]).left == ("standard", "move", "free")
    assert turn(CLASSIC, ["full_attack"]).left == ("free", "step")
    assert turn(PHASED, ["attack"]).left == ("move", "free")
    slow = Combatant(speed=5)
    assert turn(CLASSIC, ["full_attack"], slow).left == ("free",)
    assert turn(CLASSIC, ["full_attack"], hampered=True).left == ("free",)


def test_feats_are_checked_when_somebody_is_named() -> None:
    two = Combatant(feats=["two_weapon_fighting"])
    assert turn(CLASSIC, ["draw_two_weapons"]) and turn(CLASSIC, ["draw_two_weapons"], two)
    why = turn(CLASSIC, ["draw_two_weapons"], Combatant()).why_not
    assert why.endswith("needs the feat Two-Weapon Fighting")


def test_restricted_turns() -> None:
    assert turn(CLASSIC, ["attack_melee", "speak"], restricted=True)
    assert turn(CLASSIC, ["move", "drop_item"], restricted=True)
    assert not turn(CLASSIC, ["attack_melee", "move"], restricted=True)
    assert not turn(CLASSIC, ["full_attack"], restricted=True)
    # some full-round actions can then be standard actions (srd): each says so
    assert turn(SRD, ["charge"], restricted=True) and turn(SRD, ["withdraw"], restricted=True)
    assert not turn(SRD, ["charge", "move"])


def test_phased_turns() -> None:
    assert turn(PHASED, ["draw_weapon", "attack", "move", "speak"])
    assert turn(PHASED, ["attack", "dash"]) and turn(PHASED, ["concentrate", "dash"])
    for acts, why in {
        ("attack", "cast_spell"): "2 standard actions",
        ("move", "move"): "2 move actions",
        ("prolonged", "move"): "1 move and 1 full-round action",
        ("cast_spell", "dash"): "not in the same turn as dash",
        ("use_item", "dash"): "not in the same turn as dash",
        ("fetch_item", "use_item"): "2 standard actions",
        ("opportunity_attack",): "a reaction answers a trigger",
    }.items():
        assert why in turn(PHASED, acts).why_not
    with pytest.raises(CombatkitError, match="five_foot_step"):
        turn(PHASED, ["five_foot_step"])
    assert "has none" in five_foot_step(PHASED).why_not


# simplified, Take 5-Foot Step: each condition alone forbids it
@pytest.mark.parametrize(
    ("spoils", "why"),
    [
        ({"moved": 5}, "any distance"),
        ({"taken": 1}, "one in a round"),
        ({"hampered": True}, "hampers"),
        ({"speed": 5}, "above 5 feet"),
        ({"speed": 0}, "above 5 feet"),
        ({"listed_speed": False}, "listed speed"),
    ],
)
def test_five_foot_step(spoils: dict[str, int], why: str) -> None:
    assert five_foot_step(CLASSIC, speed=10)
    assert why in five_foot_step(CLASSIC, **{"speed": 30, **spoils}).why_not


# ---- laws
FREE = ["drop_item", "drop_prone", "speak", "cease_concentration", "draw_ammunition", "free"]
ANY = st.lists(st.sampled_from([a.id for a in all_actions(CLASSIC)]), max_size=4)


@given(ANY, st.sampled_from(FREE), st.integers(0, 4))
def test_a_free_action_never_makes_a_legal_turn_illegal(
    acts: list[str], free: str, place: int
) -> None:
    assert turn(CLASSIC, [*acts[:place], free, *acts[place:]]).legal == turn(CLASSIC, acts).legal


@given(ANY)
def test_whatever_is_left_can_be_added(acts: list[str]) -> None:
    judged = turn(CLASSIC, acts)
    for kind in judged.left:
        assert turn(CLASSIC, [*acts, Action(kind, kind, kind)]).legal


@given(ANY, st.data())
def test_doing_less_stays_legal_unless_it_was_needed(acts: list[str], data: st.DataObject) -> None:
    if acts and turn(CLASSIC, acts):
        gone = data.draw(st.integers(0, len(acts) - 1))
        fewer = turn(CLASSIC, acts[:gone] + acts[gone + 1 :])
        assert fewer.legal or "only as part of an attack" in fewer.why_not


@given(ANY)
def test_a_restricted_turn_is_legal_as_a_whole_one(acts: list[str]) -> None:
    if turn(CLASSIC, acts, restricted=True):
        assert turn(CLASSIC, acts)


def test_unfriendly_words() -> None:
    with pytest.raises(CombatkitError, match="did you mean 'draw_weapon'"):
        turn(CLASSIC, ["draw_wepon"])
    with pytest.raises(CombatkitError, match="a turn is a list"):
        turn(CLASSIC, "move")
    with pytest.raises(CombatkitError, match="did you mean 'standard'"):
        all_actions(CLASSIC, "standart")
    assert isinstance(turn(CLASSIC, [Action("hum", "Hum", "free")]), Turn)


def test_a_wrong_cell_of_a_house_rule_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[ruleset]\nid = "mine"\ntitle = "Mine"\nextends = "classic"\n'
        '[[source]]\nid = "house"\ntitle = "House"\n'
        '[[lookup]]\ntable = "action"\nid = "draw_weapon"\ncells = {type = "fre"}\n'
        'cite = "house: 1"\n'
    )
    with pytest.raises(CombatkitError, match=r"mine.toml, line 11: .*'action.draw_weapon'.*'free'"):
        load_ruleset(file)
    file.write_text(file.read_text().replace('"fre"', '"free"'))
    assert turn(load_ruleset(file), ["draw_weapon", "full_attack"])
