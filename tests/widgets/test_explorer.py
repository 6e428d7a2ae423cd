"""The explorer: what is entered is what is worked out, and all of it is shown."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import ipywidgets as W
import pytest

import combatkit as ck
from combatkit_widgets import Explorer, FigureView, Scenario
from combatkit_widgets.forms import everything
from combatkit_widgets.live import LiveHTML

Find = Callable[..., Any]


@pytest.fixture
def explorer() -> Explorer:
    return Explorer()


def html(explorer: Explorer) -> str:
    return "\n".join(
        part.value
        for part in everything(explorer)
        if isinstance(part, W.HTML | W.HTMLMath | LiveHTML)
    )


def figures(explorer: Explorer) -> list[dict[str, Any]]:
    return [part.figure for part in everything(explorer) if isinstance(part, FigureView)]


def alts(explorer: Explorer) -> list[str]:
    return [part.alt for part in everything(explorer) if isinstance(part, FigureView)]


def test_it_starts_with_a_fighter_and_an_ogre(explorer: Explorer, rules: ck.rules.Ruleset) -> None:
    strike = ck.attack(rules, rules.combatant("fighter_6"), rules.combatant("ogre"))
    assert explorer.value == Scenario()
    assert explorer.strike.blow == strike.blow
    assert explorer.strike.p_hit == Fraction(17, 20)  # +12 against 16: 4 to 20
    shown = html(explorer)
    for text in (
        "Fighter, level 6, Longsword +1 against Ogre",
        "85.0%",
        "17/20",
        "8.5%",
        "17/200",
        "10.75",
        "4301/400",
    ):
        assert text in shown


def test_prone_and_flanking_change_everything_at_once(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, changes: Find
) -> None:
    seen = changes(explorer)
    before = figures(explorer)
    control(explorer, "Prone", 1).value = True
    control(explorer, "Flanking the defender").value = True
    there = ck.Situation(attacker={"flanking"}, defender={"prone"})
    strike = ck.attack(
        rules, rules.combatant("fighter_6"), rules.combatant("ogre"), situation=there
    )
    assert [scenario.situation for scenario in seen] == [ck.Situation(defender={"prone"}), there]
    assert explorer.strike.explain() == strike.explain()
    assert explorer.strike.p_hit == Fraction(19, 20) and "19/20" in html(explorer)
    assert "Flanking the defender" in html(explorer)
    for old, new in zip(before, figures(explorer), strict=True):
        assert old != new, old["layout"]["title"]


def test_every_figure_says_its_numbers(explorer: Explorer) -> None:
    assert len(alts(explorer)) == 7
    for alt in alts(explorer):
        assert any(letter.isdigit() for letter in alt) and "<" not in alt, alt


def test_every_control_has_a_label(explorer: Explorer) -> None:
    for part in everything(explorer):
        if isinstance(part, W.ValueWidget) and not isinstance(part, W.HTML | W.HTMLMath | W.VBox):
            assert part.description.strip(), part


def test_picking_fighters_and_weapons(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    control(explorer, "Weapon").value = "greatsword"
    assert explorer.value.weapon == "greatsword"
    control(explorer, "Start from", 0).value = "troll"
    assert explorer.value.attacker == "troll" and explorer.value.weapon is None
    assert labels(control(explorer, "Weapon"))[:2] == ["Claw", "Bite"]
    control(explorer, "Start from", 1).value = "fighter_11"
    troll, fighter = rules.combatant("troll"), rules.combatant("fighter_11")
    assert explorer.strike.blow == ck.attack(rules, troll, fighter).blow
    control(explorer, "Full attack every round").value = True
    assert len(explorer.fight.strikes) == 3  # two claws and a bite
    control(explorer, "With its other natural attacks").value = False
    assert explorer.value.weapon == "claw" and len(explorer.fight.strikes) == 2
    control(explorer, "With its other natural attacks").value = True
    assert explorer.value.weapon is None and len(explorer.fight.strikes) == 3


def test_editing_fighters(explorer: Explorer, control: Find) -> None:
    control(explorer, "Strength", 0).value = 22
    assert explorer.strike.attack_bonus.total == 14
    assert explorer.value.attacker.id == "fighter_6"
    control(explorer, "Hit points", 1).value = 12
    assert explorer.fight.kill_time.needed == 12
    control(explorer, "Strength", 0).value = 18
    control(explorer, "Hit points", 1).value = 29
    assert explorer.value == Scenario(), "changed back, it is the sample again"


def test_an_edited_weapon_stays_while_its_owner_is_edited(
    explorer: Explorer, control: Find
) -> None:
    control(explorer, "Damage dice").value = "3d6"
    control(explorer, "Strength", 0).value = 20
    assert explorer.strike.blow.dice == "3d6" and explorer.strike.attack_bonus.total == 13
    control(explorer, "Weapon").value = "own 0"
    assert explorer.value.weapon is None


def test_a_weapon_taken_away_is_no_longer_used(explorer: Explorer, control: Find) -> None:
    weapons = control(explorer, "Weapons, one a line, the usual one first", 0)
    weapons.value = "Club"
    assert explorer.strike.weapon.id == "club"


def test_two_weapons(explorer: Explorer, rules: ck.rules.Ruleset, control: Find) -> None:
    control(explorer, "Start from", 0).value = "two_weapon_6"
    control(explorer, "Off hand").value = "short_sword"
    who = rules.combatant("two_weapon_6")
    made = ck.full_attack(rules, who, rules.combatant("ogre"), off_hand="short_sword")
    assert [strike.blow for strike in explorer.fight.strikes] == [s.blow for s in made.strikes]
    assert control(explorer, "Full attack every round").value
    control(explorer, "Full attack every round").value = False
    assert explorer.value.off_hand is None and len(explorer.fight.strikes) == 1


def test_grip(explorer: Explorer, control: Find) -> None:
    control(explorer, "Grip").value = "two_handed"
    assert explorer.strike.damage_bonus.total == 9  # one and a half of +4


def test_survival_controls(explorer: Explorer, control: Find, alerts: Find) -> None:
    control(explorer, "Rounds").value = 3
    control(explorer, "The attacker keeps striking the fallen").value = True
    survival = ck.survival(explorer.fight.attack, rounds=3, keeps_striking=True)
    assert explorer.fight.survival == survival
    control(explorer, "Dying at hit points").value = -9
    assert "90.0%" in html(explorer)  # one roll: 90 of 100 faces lose the last hit point
    control(explorer, "Ally's Heal bonus, first aid").value = "14"
    assert "100.0%" in html(explorer)
    control(explorer, "Dying at hit points").value = -40
    assert "not dying" in alerts(explorer)[0] and explorer.value.dying_at == -40
    control(explorer, "Prone", 1).value = True
    assert explorer.strike.p_hit == Fraction(19, 20), "the rest goes on"
    control(explorer, "Dying at hit points").value = -1
    assert not alerts(explorer)


def test_modifier_tables(
    explorer: Explorer, rules: ck.rules.Ruleset, control: Find, labels: Find
) -> None:
    menu = control(explorer, "Table")
    assert labels(menu) == ["all tables", *(table.label for table in rules.tables.values())]
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
    control(explorer, "Flanking the defender").value = True
    seen = changes(explorer)
    control(explorer, "Rules").value = "classic"
    assert len(seen) == 1 and explorer.value.ruleset == "classic"
    assert explorer.value.situation == ck.Situation(attacker={"flanking"}, defender={"prone"})
    assert control(explorer, "Prone", 1).value
    control(explorer, "Attack total equal to the armor class").value = "misses"
    assert explorer.value.switches == {"attack_tie": "misses"} and len(seen) == 2
    control(explorer, "Rules").value = "phased"
    assert explorer.value.switches == {} and len(seen) == 3
    assert explorer.value.fight().strike.blow == explorer.strike.blow


def test_a_house_rule_file(explorer: Explorer, house_file: Path, control: Find) -> None:
    control(explorer, "House-rule file").value = str(house_file)
    before = explorer.strike.armor_class.total
    control(explorer, "Greased <b>all over</b>").value = True
    assert explorer.strike.armor_class.total == before - 3
    assert "Greased <b>" not in html(explorer)
    again = Explorer(Scenario.from_json(explorer.value.to_json()))
    assert again.strike.explain() == explorer.strike.explain()
    control(explorer, "Rules").value = "srd35"
    assert explorer.value == Scenario()


def test_what_cannot_be_worked_out_keeps_the_last_picture(
    explorer: Explorer, control: Find, alerts: Find
) -> None:
    before = explorer.fight, alts(explorer)
    control(explorer, "Size", 0).value = "colossal"
    (alert,) = alerts(explorer)
    assert "lists no damage for a colossal wielder" in unescape(alert)
    assert explorer.fight is before[0] and alts(explorer) == before[1]
    control(explorer, "Damage dice").value = "4d8"
    assert not alerts(explorer) and explorer.strike.blow.dice == "4d8"


def test_an_impossible_attack_says_why(explorer: Explorer, control: Find) -> None:
    control(explorer, "Cover").value = "total"
    assert "Not possible: Total cover: no attack is possible" in html(explorer)
    assert "never" in html(explorer)


def test_a_bad_field_says_so_once(explorer: Explorer, control: Find, alerts: Find) -> None:
    control(explorer, "Damage dice").value = "1x8"
    assert len(alerts(explorer)) == 1 and explorer.value == Scenario()
    control(explorer, "Prone", 1).value = True
    assert explorer.strike.p_hit == Fraction(19, 20) and len(alerts(explorer)) == 1


def test_names_are_escaped(control: Find) -> None:
    explorer = Explorer(
        Scenario(
            attacker=ck.Combatant(name="<img src=x onerror=alert(1)>", weapons=["club"]),
            defender=ck.Combatant(name="</pre><script>alert(2)</script> $x$"),
            weapon=ck.Weapon(label="<b>Axe</b>", damage="1d8"),
        )
    )
    shown = html(explorer)
    assert "<img" not in shown and "<script" not in shown and "<b>Axe" not in shown
    control(explorer, "Name", 0).value = "<svg onload=alert(3)>"
    assert "<svg" not in html(explorer) and "&lt;svg" in html(explorer)


def test_a_scenario_from_code_fills_the_forms(
    explorer: Explorer, control: Find, changes: Find
) -> None:
    seen = changes(explorer)
    explorer.value = Scenario(
        ruleset="classic",
        switches={"attack_tie": "misses"},
        attacker="rogue_6",
        defender="troll",
        weapon="dagger",
        grip="thrown",
        full=True,
        rounds=4,
        measure="survival",
        table="cover",
        situation={"attacker": ["flanking"], "cover": "50", "distance": 20},
    )
    assert len(seen) == 1
    expected = {
        "Rules": "classic",
        "Start from": "rogue_6",
        "Grip": "thrown",
        "Rounds": 4,
        "Measure": "survival",
        "Table": "cover",
        "Cover": "50",
        "Distance, feet": "20",
        "Flanking the defender": True,
        "Full attack every round": True,
        "● Attack total equal to the armor class (changed)": "misses",
    }
    for label, content in expected.items():
        assert control(explorer, label).value == content, label
    assert explorer.value.fight().strike.blow == explorer.strike.blow


@pytest.mark.parametrize(
    "fields",
    [
        {"attacker": "ogr"},
        {"weapon": "longswrd"},
        {"table": "covr"},
        {"ruleset": "srd53"},
        {"situation": {"defender": ["pron"]}},
        {"off_hand": "daggr"},
    ],
)
def test_a_bad_scenario_from_code_is_refused_and_changes_nothing(
    explorer: Explorer, fields: dict[str, Any]
) -> None:
    with pytest.raises(ck.CombatkitError):
        explorer.value = Scenario(**fields)
    assert explorer.value == Scenario() and explorer.strike.p_hit == Fraction(17, 20)


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
def test_every_sample_fights_in_every_ruleset(ruleset: str, alerts: Find) -> None:
    rules = ck.load_ruleset(ruleset)
    explorer = Explorer(Scenario(ruleset=ruleset, full=True))
    for key in list(rules.combatants)[::6]:
        explorer.value = Scenario(ruleset=ruleset, attacker=key, defender="ogre", full=True)
        assert explorer.fight.scenario == explorer.value, alerts(explorer)
