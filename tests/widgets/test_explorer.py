"""The explorer: what is entered is what is worked out, and all of it is shown."""

from __future__ import annotations

import base64
import csv
import io
import re
from collections.abc import Callable
from fractions import Fraction
from html import escape, unescape
from pathlib import Path
from typing import Any

import ipywidgets as W
import pytest

import combatkit as ck
from combatkit import view
from combatkit_widgets import Encounter, Explorer, FigureView, Side
from combatkit_widgets.forms import everything
from combatkit_widgets.live import LiveHTML

Find = Callable[..., Any]


PAGES = (
    "Attack",
    "Damage",
    "Full attack",
    "Kill time",
    "Survival",
    "Duel",
    "Best options",
    "Modifier tables",
    "Initiative",
    "Opportunity",
    "Saves",
    "Map",
    "Formula",
    "Receipt",
    "Compare",
)


@pytest.fixture
def explorer() -> Explorer:
    return Explorer()


def html(explorer: Explorer) -> str:
    """Return all that is written, every page having been in front once."""
    for title in PAGES:
        explorer.show_page(title)
    return "\n".join(
        part.value
        for part in everything(explorer)
        if isinstance(part, W.HTML | W.HTMLMath | LiveHTML)
    )


def figures(explorer: Explorer) -> list[dict[str, Any]]:
    html(explorer)
    return [part.figure for part in everything(explorer) if isinstance(part, FigureView)]


def alts(explorer: Explorer) -> list[str]:
    html(explorer)
    return [part.alt for part in everything(explorer) if isinstance(part, FigureView)]


def text(explorer: Explorer) -> str:
    """Return what is written, without markup."""
    return unescape(re.sub(r"<[^>]+>", "", html(explorer)))


def test_it_starts_with_a_fighter_and_an_ogre(explorer: Explorer, rules: ck.rules.Ruleset) -> None:
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    assert explorer.value == Encounter()
    assert explorer.strike.blow == ck.attack(rules, fighter, ogre).blow
    assert explorer.strike.p_hit == Fraction(17, 20)  # +12 against 16: 4 to 20
    back = explorer.shown.fights["b"]
    assert back.strike.blow == ck.attack(rules, ogre, fighter).blow
    said = explorer._headline.value
    for word in ("85.0%", "title='17/20'", "8.5%", "10.8", "Ogre, up after 10 rounds"):
        assert word in said
    assert view.percent(back.survival.by_round[-1]["up"]) in said
    assert view.percent(ck.duel(rules, fighter, ogre).p_a_wins) in said


def test_each_side_has_its_conditions_once(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, changes: Find
) -> None:
    seen = changes(explorer)
    before = figures(explorer)
    control(explorer, "Flanking the defender", 0).value = True
    control(explorer, "Prone", 1).value = True
    there = ck.Situation(attacker={"flanking"}, defender={"prone"})
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    assert [one.b.conditions for one in seen] == [frozenset(), {"prone"}]
    strike = ck.attack(rules, fighter, ogre, situation=there)
    assert explorer.strike.explain() == strike.explain()
    # the same tick counts when the ogre strikes back
    back = ck.attack(rules, ogre, fighter, situation=ck.Situation(attacker={"prone"}))
    assert explorer.shown.fights["b"].strike.explain() == back.explain()
    changed = [old != new for old, new in zip(before, figures(explorer), strict=True)]
    assert all(changed)


def test_a_condition_says_what_it_is_worth_and_why_it_does_not_count(
    explorer: Explorer, control: Find
) -> None:
    side = explorer._sides["a"]
    line = side._worth["prone"].value
    assert "attack −4 melee; " in re.sub(r"</?span[^>]*>", "", line)
    assert escape(explorer.rules.rows["attack.prone"].note) in line and "ck-off" not in line
    control(explorer, "Weapon", 0).value = "longbow"
    assert "does not apply to ranged attacks" in side._worth["flanking"].value
    assert "ck-off" in side._worth["flanking"].value
    assert "ck-off" not in explorer._sides["b"]._worth["flanking"].value


def test_every_figure_says_its_numbers(explorer: Explorer) -> None:
    assert len(alts(explorer)) == 15
    for alt in alts(explorer):
        assert any(letter.isdigit() for letter in alt) and "<" not in alt, alt


def test_every_control_has_a_label(explorer: Explorer) -> None:
    for part in everything(explorer):
        if isinstance(part, W.ValueWidget) and not isinstance(part, W.HTML | W.HTMLMath | W.VBox):
            assert part.description.strip(), part


def test_only_the_page_in_front_is_drawn(explorer: Explorer, control: Find) -> None:
    explorer.show_page("Receipt")
    drawn = [part.figure for part in everything(explorer) if isinstance(part, FigureView)]
    control(explorer, "Prone", 1).value = True
    assert drawn == [part.figure for part in everything(explorer) if isinstance(part, FigureView)]
    explorer.show_page("Attack")
    after = [part.figure for part in everything(explorer) if isinstance(part, FigureView)]
    assert drawn[0] != after[0]


def test_picking_fighters_and_weapons(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    control(explorer, "Weapon", 0).value = "greatsword"
    assert explorer.value.a.weapon == "greatsword"
    control(explorer, "Start from", 0).value = "troll"
    assert explorer.value.a.fighter == "troll" and explorer.value.a.weapon is None
    assert labels(control(explorer, "Weapon", 0))[:2] == ["Claw", "Bite"]
    control(explorer, "Start from", 1).value = "fighter_11"
    troll, fighter = rules.combatant("troll"), rules.combatant("fighter_11")
    assert explorer.strike.blow == ck.attack(rules, troll, fighter).blow
    control(explorer, "Full attack every round", 0).value = True
    assert len(explorer.shown.fight.strikes) == 3  # two claws and a bite
    control(explorer, "With its other natural attacks", 0).value = False
    assert explorer.value.a.weapon == "claw" and len(explorer.shown.fight.strikes) == 2
    control(explorer, "With its other natural attacks", 0).value = True
    assert explorer.value.a.weapon is None and len(explorer.shown.fight.strikes) == 3


def test_the_other_side_s_panels(explorer: Explorer, control: Find) -> None:
    control(explorer, "Panels show").value = "b"
    assert explorer.shown.fight is explorer.shown.fights["b"]
    assert "Greatclub against Fighter, level 6" in alts(explorer)[0]


def test_editing_fighters(explorer: Explorer, control: Find) -> None:
    control(explorer, "Strength", 0).value = 22
    assert explorer.strike.attack_bonus.total == 14
    assert explorer.value.a.fighter.id == "fighter_6"
    control(explorer, "Hit points", 1).value = 12
    assert explorer.shown.fight.kill_time.needed == 12
    control(explorer, "Strength", 0).value = 18
    control(explorer, "Hit points", 1).value = 29
    assert explorer.value == Encounter(), "changed back, it is the sample again"


def test_an_edited_weapon_stays_while_its_owner_is_edited(
    explorer: Explorer, control: Find
) -> None:
    control(explorer, "Damage dice", 0).value = "3d6"
    control(explorer, "Strength", 0).value = 20
    assert explorer.strike.blow.dice == "3d6" and explorer.strike.attack_bonus.total == 13
    control(explorer, "Weapon", 0).value = "own 0"
    assert explorer.value.a.weapon is None


def test_a_weapon_taken_away_is_no_longer_used(explorer: Explorer, control: Find) -> None:
    weapons = control(explorer, "Weapons, one a line, the usual one first", 0)
    weapons.value = "Club"
    assert explorer.strike.weapon.id == "club"


def test_two_weapons(explorer: Explorer, rules: ck.rules.Ruleset, control: Find) -> None:
    control(explorer, "Start from", 0).value = "two_weapon_6"
    control(explorer, "Off hand", 0).value = "short_sword"
    who = rules.combatant("two_weapon_6")
    made = ck.full_attack(rules, who, rules.combatant("ogre"), off_hand="short_sword")
    strikes = explorer.shown.fight.strikes
    assert [strike.blow for strike in strikes] == [strike.blow for strike in made.strikes]
    assert control(explorer, "Full attack every round", 0).value
    each = re.findall(r"[\d.]+%", explorer._headline.value)[: len(strikes)]
    assert each == [view.percent(strike.p_hit) for strike in strikes]
    control(explorer, "Full attack every round", 0).value = False
    assert explorer.value.a.off_hand is None and len(explorer.shown.fight.strikes) == 1


def test_grip(explorer: Explorer, control: Find) -> None:
    control(explorer, "Grip", 0).value = "two_handed"
    assert explorer.strike.damage_bonus.total == 9  # one and a half of +4


def test_the_rest_of_a_turn(explorer: Explorer, control: Find) -> None:
    control(explorer, "Attack roll", 0).value = "advantage"
    control(explorer, "Referee: damage", 1).value = 4
    control(explorer, "Combat Expertise", 1).value = 2
    control(explorer, "Distance, feet").value = "5"
    control(explorer, "Cover", 1).value = "standard"
    assert explorer.strike.blow.roll == "advantage"
    first, back = (explorer.shown.fights[who].scenario.situation for who in ("a", "b"))
    assert first.cover == "standard" and back.cover is None
    assert first.defender_expertise == 2 and back.damage_bonus == 4
    assert first.distance == back.distance == 5


def test_survival_controls(explorer: Explorer, control: Find, alerts: Find) -> None:
    explorer.show_page("Survival")
    control(explorer, "Rounds").value = 3
    control(explorer, "An attacker keeps striking the fallen").value = True
    fight = explorer.shown.fight
    assert fight.survival == ck.survival(fight.attack, rounds=3, keeps_striking=True)
    control(explorer, "Dying at hit points").value = -9
    assert "90.0%" in html(explorer)  # one roll: 90 of 100 faces lose the last hit point
    control(explorer, "Ally's Heal bonus, first aid").value = "14"
    assert "100.0%" in html(explorer)
    explorer.show_page("Survival")
    control(explorer, "Dying at hit points").value = -40
    assert "not dying" in alerts(explorer)[0] and explorer.value.dying_at == -40
    control(explorer, "Prone", 1).value = True
    assert explorer.strike.p_hit == Fraction(19, 20), "the rest goes on"
    control(explorer, "Dying at hit points").value = -1
    assert not alerts(explorer)


def test_the_duel(explorer: Explorer, rules: ck.rules.Ruleset, control: Find) -> None:
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    control(explorer, "A's first turn").value = "charge"
    control(explorer, "A's later turns").value = "full"
    made = ck.duel(rules, fighter, ogre, ck.Plan(opening=["charge"], then="full"))
    assert explorer.shown.duel.p_a_wins == made.p_a_wins
    said = text(explorer)
    assert f"Fighter, level 6 wins {view.percent(made.p_a_wins)}" in said
    dead = view.percent(made.in_the_end("b")["dead"])
    assert "What becomes of Ogre if it loses:" in said and f"dead {dead}" in said


def test_a_duel_that_cannot_be_fought_says_so(explorer: Explorer, control: Find) -> None:
    control(explorer, "Hit points", 1).value = -5
    assert "No duel: " in explorer._headline.value and "already down" in html(explorer)


def test_a_duel_too_large_to_be_exact_is_told_nearly(explorer: Explorer, control: Find) -> None:
    control(explorer, "Start from", 1).value = "troll"
    near = explorer.value.duel_approx()
    said = explorer._headline.value
    assert f"wins about {near.p_a_wins_approx:.1%}" in said and "too large to be exact" in said


def test_best_options(explorer: Explorer, rules: ck.rules.Ruleset) -> None:
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    charge = ck.Situation(attacker={"charging"})
    dealt = ck.attack(rules, fighter, ogre, situation=charge).damage.mean
    back = ck.attack(rules, ogre, fighter, situation=ck.Situation(defender={"charged"}))
    said = text(explorer)
    trade = ck.attacks.best_power_attack(rules, fighter, ogre)
    assert f"Best: {trade.best} points." in said
    row = next(line for line in html(explorer).split("<tr>") if ">charge<" in line)
    assert f"{float(dealt):.2f}" in row and view.percent(back.p_hit) in row


def test_initiative_opportunity_and_saves(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find
) -> None:
    fighter, ogre = rules.combatant("fighter_6"), rules.combatant("ogre")
    order = ck.turns.initiative_order(rules, [fighter, ogre])
    assert f"Fighter, level 6 acts first {view.percent(order.p_first(0))}" in text(explorer)
    control(explorer, "Action").value = "cast_spell"
    price = ck.turns.price_of_provoking(rules, fighter, [ck.turns.Threat(ogre)], "cast_spell")
    assert view.result_html(price) in html(explorer)
    control(explorer, "Action").value = "total_defense"
    assert "does not provoke" in html(explorer)
    control(explorer, "Difficulty class").value = 18
    bonus = ck.checks.save_bonus(rules, ogre, "will").total
    assert f"{bonus:+d}: {view.percent(ck.checks.p_save(rules, bonus, 18))}" in text(explorer)


def test_the_first_player_phase(explorer: Explorer, control: Find) -> None:
    control(explorer, "Rules").value = "phased"
    assert "acts before the enemies (DC" in text(explorer)


def test_modifier_tables(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    menu = control(explorer, "Table")
    assert labels(menu) == ["all tables", *(table.label for table in rules.tables.values())]
    html(explorer)
    tables = next(
        part.value
        for part in everything(explorer)
        if isinstance(part, W.HTML) and "Defender survives" in part.value
    )
    assert all(row.label in unescape(tables) for row in rules.rows.values())
    menu.value = "cover"
    shown = html(explorer)
    assert "Improved cover" in shown and "Near-total darkness" not in shown
    control(explorer, "Measure").value = "expected_damage"
    assert any("expected damage" in alt for alt in alts(explorer))


def test_formulas_and_code(explorer: Explorer, control: Find) -> None:
    control(explorer, "Prone", 1).value = True
    shown = html(explorer)
    assert r"\frac{19}{20}" in shown and "$$" in shown
    assert "ck.Situation(defender={&#x27;prone&#x27;})" in shown


def test_other_rules(explorer: Explorer, control: Find, changes: Find) -> None:
    control(explorer, "Prone", 1).value = True
    control(explorer, "Flanking the defender", 0).value = True
    seen = changes(explorer)
    control(explorer, "Rules").value = "classic"
    assert len(seen) == 1 and explorer.value.ruleset == "classic"
    assert explorer.value.a.conditions == {"flanking"} and explorer.value.b.conditions == {"prone"}
    assert control(explorer, "Prone", 1).value and explorer._note.value == ""
    control(explorer, "Attack total equal to the armor class").value = "misses"
    assert explorer.value.switches == {"attack_tie": "misses"} and len(seen) == 2
    control(explorer, "Rules").value = "phased"
    assert explorer.value.switches == {} and len(seen) == 3
    for dropped in ("Fighter, level 6: flanking", "Ogre: prone"):
        assert dropped in explorer._note.value
    assert (
        explorer.shown.fight.strike.explain()
        == explorer.value.scenario("a").fight().strike.explain()
    )


def test_a_house_rule_file(explorer: Explorer, house_file: Path, control: Find) -> None:
    control(explorer, "House-rule file").value = str(house_file)
    before = explorer.strike.armor_class.total
    control(explorer, "Greased <b>all over</b>", 1).value = True
    assert explorer.strike.armor_class.total == before - 3
    assert "Greased <b>" not in html(explorer)
    again = Explorer(Encounter.from_json(explorer.value.to_json()))
    assert again.strike.explain() == explorer.strike.explain()
    control(explorer, "Rules").value = "srd35"
    assert explorer.value == Encounter()


def test_what_cannot_be_worked_out_greys_the_last_picture(
    explorer: Explorer, control: Find, alerts: Find
) -> None:
    shown, pictures = explorer.shown, alts(explorer)
    control(explorer, "Size", 0).value = "colossal"
    (alert,) = alerts(explorer)
    assert "lists no damage for a colossal wielder" in unescape(alert)
    assert explorer.shown is shown and "ck-old" in explorer._pages._dom_classes
    assert alts(explorer) == pictures
    control(explorer, "Damage dice", 0).value = "4d8"
    assert not alerts(explorer) and explorer.strike.blow.dice == "4d8"
    assert "ck-old" not in explorer._pages._dom_classes


def test_an_impossible_attack_says_why(explorer: Explorer, control: Find) -> None:
    control(explorer, "Cover", 1).value = "total"
    assert "not possible: Total cover: no attack is possible" in explorer._headline.value


def test_a_bad_field_says_so_once(explorer: Explorer, control: Find, alerts: Find) -> None:
    control(explorer, "Damage dice", 0).value = "1x8"
    assert len(alerts(explorer)) == 1 and explorer.value == Encounter()
    control(explorer, "Prone", 1).value = True
    assert explorer.strike.p_hit == Fraction(19, 20) and len(alerts(explorer)) == 1


def test_names_are_escaped(control: Find) -> None:
    evil = ck.Combatant(name="<img src=x onerror=alert(1)>", weapons=["club"])
    worse = ck.Combatant(name="</pre><script>alert(2)</script> $x$")
    axe = ck.Weapon(label="<b>Axe</b>", damage="1d8")
    explorer = Explorer(Encounter(a=Side(fighter=evil, weapon=axe), b=Side(fighter=worse)))
    bundle = explorer._repr_mimebundle_()
    shown = html(explorer) + bundle["text/html"]
    assert "<img" not in shown and "<script" not in shown and "<b>Axe" not in shown
    control(explorer, "Name", 0).value = "<svg onload=alert(3)>"
    assert "<svg" not in html(explorer) and "&lt;svg" in html(explorer)


def test_a_picture_without_a_kernel(explorer: Explorer) -> None:
    page = explorer._repr_mimebundle_()["text/html"]
    assert "85.0%" in page and "<th scope='row'>in the end</th>" in page


def test_an_encounter_from_code_fills_the_forms(
    explorer: Explorer, control: Find, changes: Find
) -> None:
    seen = changes(explorer)
    explorer.value = Encounter(
        ruleset="classic",
        switches={"attack_tie": "misses"},
        a=Side(
            fighter="rogue_6", weapon="dagger", grip="thrown", full=True, conditions={"flanking"}
        ),
        b=Side(fighter="troll", cover="50"),
        distance=20,
        rounds=4,
        measure="survival",
        table="cover",
    )
    assert len(seen) == 1
    expected = {
        "Rules": "classic",
        "Start from": "rogue_6",
        "Grip": "thrown",
        "Rounds": 4,
        "Full attack every round": True,
        "Flanking the defender": True,
        "Distance, feet": "20",
        "Measure": "survival",
        "Table": "cover",
        "● Attack total equal to the armor class (changed)": "misses",
    }
    for label, value in expected.items():
        assert control(explorer, label, 0).value == value, label
    assert control(explorer, "Cover", 1).value == "50"
    assert explorer.strike.explain() == explorer.value.scenario("a").fight().strike.explain()


@pytest.mark.parametrize(
    "wrong",
    [
        Encounter(b=Side(fighter="ogre", conditions={"sleepy"})),
        Encounter(table="covers"),
        Encounter(a=Side(fighter="ogr")),
        Encounter(ruleset="nowhere"),
    ],
    ids=["condition", "table", "fighter", "ruleset"],
)
def test_what_the_rules_do_not_know_is_refused_whole(explorer: Explorer, wrong: Encounter) -> None:
    with pytest.raises(ck.CombatkitError):
        explorer.value = wrong
    assert explorer.value == Encounter() and explorer.strike.p_hit == Fraction(17, 20)


def press(explorer: Explorer, label: str) -> None:
    button = next(
        part
        for part in everything(explorer)
        if isinstance(part, W.Button) and part.description == label
    )
    assert not button.disabled, label
    button.click()


def test_undo_redo_swap_and_reset(explorer: Explorer, control: Find) -> None:
    control(explorer, "Prone", 1).value = True
    control(explorer, "Grip", 0).value = "two_handed"
    press(explorer, "Undo")
    assert explorer.value.a.grip is None and control(explorer, "Grip", 0).value == ""
    assert explorer.value.b.conditions == {"prone"}
    press(explorer, "Undo")
    assert explorer.value == Encounter()
    press(explorer, "Redo")
    press(explorer, "Redo")
    assert explorer.value.a.grip == "two_handed"
    press(explorer, "Swap A and B")
    assert explorer.value.a.fighter == "ogre" and explorer.value.b.grip == "two_handed"
    press(explorer, "Undo")
    control(explorer, "Prone", 1).value = False
    assert not explorer._history.can_redo, "a new change forgets what was undone"
    press(explorer, "Reset")
    assert explorer.value == Encounter()
    press(explorer, "Undo")
    assert explorer.value.a.grip == "two_handed"


def test_what_is_shown_is_there_again(tmp_path: Path, control: Find) -> None:
    explorer = Explorer(keep=tmp_path)
    control(explorer, "Prone", 1).value = True
    again = Explorer(keep=tmp_path)
    assert again.value == explorer.value and control(again, "Prone", 1).value
    assert Explorer(Encounter(), keep=tmp_path).value == Encounter()


def test_keeping_under_a_name(tmp_path: Path, control: Find, alerts: Find) -> None:
    explorer = Explorer(keep=tmp_path)
    control(explorer, "Hit points", 0).value = 33
    press(explorer, "Keep the encounter")
    assert (tmp_path / "encounters" / "Fighter-level-6-against-Ogre.json").is_file()
    control(explorer, "Keep under the name").value = "The bridge"
    press(explorer, "Keep the encounter")
    press(explorer, "Keep fighter A")
    control(explorer, "Keep under the name").value = "?!"
    press(explorer, "Keep fighter A")
    assert "needs a letter or a digit" in alerts(explorer)[0]
    press(explorer, "Reset")
    control(explorer, "Kept encounters").value = "The bridge"
    press(explorer, "Open")
    assert explorer.shown.who("a").hit_points == 33
    press(explorer, "Reset")
    control(explorer, "Kept fighters").value = "The bridge"
    press(explorer, "Put in as B")
    assert explorer.shown.who("b").hit_points == 33


LAST = '{"combatkit": 1, "name": "last", "value": %s}'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "cannot be read"),
        (LAST % '{"ruleset": "/gone/house.toml"}', "/gone/house"),
        (LAST % '{"a": {"fighter": "fihgter_6"}}', "fighter_6"),
        (LAST % '{"b": {"fighter": "ogre", "off_hand": "clbu"}}', "club"),
    ],
    ids=["broken", "its rules are gone", "its fighter is gone", "its weapon is gone"],
)
def test_what_no_longer_opens_is_told_and_loses_nothing(
    tmp_path: Path, alerts: Find, content: str, told: str
) -> None:
    (tmp_path / "last.json").write_text(content)
    explorer = Explorer(keep=tmp_path)
    assert explorer.value == Encounter()
    (said,) = alerts(explorer)
    assert "last-unopened-1.json" in said and told in said
    explorer.value = Encounter(distance=30)
    assert (tmp_path / "last-unopened-1.json").read_text() == content
    (tmp_path / "last.json").write_text(content)
    Explorer(keep=tmp_path)
    assert (tmp_path / "last-unopened-2.json").read_text() == content
    assert Explorer(keep=tmp_path).value == Encounter()


def test_pinned_encounters_are_compared(explorer: Explorer, control: Find) -> None:
    press(explorer, "Pin")
    control(explorer, "Prone", 1).value = True
    control(explorer, "Flanking the defender", 0).value = True
    explorer.pin("<b>up</b>")
    press(explorer, "Undo")
    before, now = explorer.pins["pin 1"], explorer.shown
    html(explorer)
    page = explorer._panels[-1].box.children
    table = page[0].value
    assert "<b>up" not in table and "&lt;b&gt;up" in table
    change = before.fight.strike.p_hit - now.fight.strike.p_hit
    hit = f"{view.percent(before.fight.strike.p_hit)} ({view.signed_percent(change)})"
    assert f"<td>95.0%</td><td>{hit}</td><td>95.0%</td>" in table
    change = before.duel.p_a_wins - now.duel.p_a_wins
    assert f"{view.percent(before.duel.p_a_wins)} ({view.signed_percent(change)})" in table
    names = [trace["name"] for trace in page[1].figure["data"]]
    assert names == ["shown now", "pin 1", "&lt;b&gt;up&lt;/b&gt;"]
    told = page[-1].value
    assert "shown now: armor class -4 Prone" in told
    assert "&lt;b&gt;up&lt;/b&gt;: attack bonus +2 Flanking the defender" in told
    press(explorer, "Take pins away")
    assert not explorer.pins and "Nothing is pinned yet" in html(explorer)


def test_all_rule_systems_side_by_side_in_one_step(explorer: Explorer, control: Find) -> None:
    control(explorer, "Prone", 1).value = True
    press(explorer, "All rule systems")
    assert explorer._pages.selected_index == PAGES.index("Compare")
    assert list(explorer.pins) == [
        "Classic (3.5 with AD&D tables)",
        "Phased (without Ogre: prone)",
    ]
    for one in explorer.pins.values():
        percent = view.percent(one.fight.strike.p_hit)
        assert percent in explorer._panels[-1].box.children[0].value
    assert explorer.value.ruleset == "srd35", "what is shown stays"


def test_tables_can_be_saved(explorer: Explorer) -> None:
    page = html(explorer)
    found = re.findall(r"download='([^']+)' href='data:[^;]+;base64,([^']+)'", page)
    files = {name: base64.b64decode(content).decode() for name, content in found}
    assert set(files) == {f"{name}.{end}" for name in ("modifiers", "compare")
                          for end in ("csv", "md", "tex")}  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(files["modifiers.csv"])))
    swept = {(row.table_label, row.row.label): row for row in explorer.shown.fight.sweep.rows}
    assert len(rows) == len(swept)
    for row in rows:
        measured = swept[row["table"], row["row"]].measured
        assert Fraction(row["hit chance"]) == measured.hit_chance
    assert files["compare.md"].startswith("| Measure | shown now |")
    assert r"\\begin{tabular}".replace("\\\\", "\\") in files["compare.tex"]
