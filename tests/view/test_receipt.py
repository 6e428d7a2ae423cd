from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from html import escape
from html.parser import HTMLParser

import pytest

import combatkit as ck
from combatkit.combat.sweeps.sweep import MEASURES
from combatkit.view import (
    receipt_frame,
    receipt_html,
    receipt_markdown,
    result_html,
    sweep_frame_display,
)

EVIL = "<img src=x onerror=alert(1)>"


class Reader(HTMLParser):
    """Check that tags nest, and collect them, the text, and the titles of cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.titles: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.titles += [value for name, value in attrs if name == "title" and value]
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


@pytest.fixture
def touch(rules: ck.rules.Ruleset) -> ck.attacks.Strike:
    """A touch attack, under a reading that is not the default."""
    strict = rules.with_switches(attack_tie="misses")
    there = ck.Situation(touch=True, attacker={"flanking"})
    return ck.attack(strict, rules.combatant("fighter_6"), rules.combatant("ogre"), situation=there)


def test_html_has_every_line_with_its_rule(touch: ck.attacks.Strike) -> None:
    html = receipt_html(touch)
    text = Reader(html).text
    for tally in (touch.attack_bonus, touch.armor_class, touch.damage_bonus):
        assert result_html(tally) in html
        for line in tally.lines:
            assert line.label in text
            assert line.cite.short in text
            assert f"title='{escape(str(line.cite))}'" in html
            assert f"title='{escape(line.note)}'" in html
            assert line.why in text
    assert "<s>+5</s>" in html
    assert "a touch attack disregards it" in text
    assert f"95.0% ({touch.p_hit})" in text
    assert "Attack total equal to the armor class: misses [SRD combat statistics" in text


def test_html_says_why_not(rules: ck.rules.Ruleset, strike: ck.attacks.Strike) -> None:
    there = ck.Situation(cover="total")
    hidden = ck.attack(rules, strike.attempt.attacker, strike.attempt.defender, situation=there)
    assert "<p role='alert'>Not possible: Total cover" in receipt_html(hidden)
    assert "**Not possible:** Total cover" in receipt_markdown(hidden)
    assert "role='alert'" not in receipt_html(strike)
    assert "Not possible" not in receipt_markdown(strike)


def test_markdown_has_every_line_with_its_rule(touch: ck.attacks.Strike) -> None:
    blocks = receipt_markdown(touch).split("\n\n")
    tables = [block.splitlines() for block in blocks if block.startswith("|")]
    assert [len(table) - 2 for table in tables[:3]] == [
        len(tally.lines) for tally in (touch.attack_bonus, touch.armor_class, touch.damage_bonus)
    ]
    for table in tables:
        assert len({row.count("|") for row in table}) == 1
    assert "| ~~+5~~ | Natural armor: a touch attack disregards it |" in receipt_markdown(touch)
    assert f"**Armor class: {touch.armor_class.total}**" in blocks
    assert any(block.startswith("- Option chosen: Attack total equal") for block in blocks)


def test_markdown_of_names_is_only_text(rules: ck.rules.Ruleset) -> None:
    name = "**A** | `b` [c](d) $e$ ~~f~~ <i>g</i>\n# h"
    hero = ck.Combatant(name=name, attack_bonus=6, weapons=["longsword"])
    first = receipt_markdown(ck.attack(rules, hero, ck.Combatant())).splitlines()[0]
    name_shown = first.removesuffix(" strikes the target with Longsword.")
    assert not set("*|`[]$~<>") & set(name_shown)
    assert Reader(name_shown).text.replace("\n", "") == " ".join(name.split())


def test_frame_adds_up(touch: ck.attacks.Strike) -> None:
    frame = receipt_frame(touch)
    assert list(frame.columns) == ["tally", "value", "modifier", "type", "counted", "why", "rule"]
    sums = frame[frame["counted"]].groupby("tally")["value"].sum().to_dict()
    assert sums == frame.attrs["totals"]
    assert sums["Armor class"] == touch.armor_class.total
    assert not frame["counted"].all()


def test_names_are_only_text(evil: ck.attacks.Strike) -> None:
    assert EVIL not in receipt_html(evil)
    assert EVIL not in receipt_markdown(evil)
    assert "img" not in Reader(receipt_html(evil)).tags
    assert EVIL in Reader(receipt_html(evil)).text
    assert "<img" not in receipt_frame(evil).to_html()


def test_results_of_a_net_and_of_two_dice(rules: ck.rules.Ruleset) -> None:
    nets = ck.Combatant(attack_bonus=5, weapons=["net"])
    there = ck.Situation(roll="advantage", miss_chances=[20])
    text = receipt_markdown(ck.attack(rules, nets, rules.combatant("ogre"), situation=there))
    for row in ("Damage of a hit | none", "Roll | advantage", "Miss chance | 20.0% (1/5)"):
        assert f"| {row} |" in text


def test_sweep_shows_every_row_in_order(swept: ck.sweeps.Sweep) -> None:
    reader = Reader(sweep_frame_display(swept))
    places = [reader.text.find(f"\n{row.row.label}\n") for row in swept.rows]
    assert min(places) > 0
    groups = {row.table_label for row in swept.rows}
    assert reader.tags.count("tr") == 2 + len(swept.rows) + len(groups)
    measured = [swept.base, *(row.measured for row in swept.rows)]
    values = [getattr(one, name) for one in measured for name in MEASURES]
    exact = [value for value in values if value is not None]
    assert len(reader.titles) == len(exact)
    for title, value in zip(reader.titles, exact, strict=True):
        assert title.startswith("≈") or Fraction(title) == value
    assert values.count(None) == reader.text.count("never") == 1


def test_sweep_shows_changes_with_their_sign(rules: ck.rules.Ruleset) -> None:
    hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    guard = ck.Combatant(armor_class=16, hit_points=9)
    html = sweep_frame_display(ck.sweep(rules, hero, guard, table="cover"))
    assert "title='7/20'>35.0% <small>−20.0%</small>" in html
    assert html.count("<small>") > 10


def test_labels_of_a_sweep_are_only_text(swept: ck.sweeps.Sweep) -> None:
    rows = tuple(
        replace(row, row=row.row.model_copy(update={"label": EVIL}), table_label=EVIL, note=EVIL)
        for row in swept.rows
    )
    html = sweep_frame_display(replace(swept, rows=rows))
    assert "img" not in Reader(html).tags


def test_results_name_what_is_out_of_the_ordinary(rules: ck.rules.Ruleset) -> None:
    foe = ck.Combatant(damage_reduction=5, energy_resistance={"fire": 10})
    there = ck.Situation(confirmation_bonus=4, first_hit="1d6 cold")
    text = receipt_markdown(ck.attack(rules, ck.Combatant(), foe, "dagger", there))
    for told in (
        "| Bonus on the confirmation roll | +4 |",
        "| Extra on the first hit of a round | 1d6 cold |",
        "| Damage reduction | 5 |",
        "| Resistance to fire | 10 |",
    ):
        assert told in text
    plain = receipt_markdown(ck.attack(rules, ck.Combatant(), ck.Combatant(), "dagger"))
    assert "Resistance" not in plain
    assert "confirmation" not in plain
