"""The situation form: every row of the ruleset's modifier tables, to tick or to choose."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit.combat.attacks.attempt import FOOTNOTES
from combatkit.combat.attacks.situation import Situation
from combatkit.rules import Row, Ruleset
from combatkit.rules.modifier import Mode, Side
from combatkit_widgets.forms import (
    Field,
    Form,
    alert_line,
    changed,
    checkbox,
    grid,
    heading,
    labelled,
    maybe_number,
    more,
    part,
    read_number,
    text,
    tick,
    whole_number,
)

ROLLS = [
    ("one d20", "normal"),
    ("two d20s, the better", "advantage"),
    ("two d20s, the worse", "disadvantage"),
]
KINDS = [("the weapon's own kind", None), ("nonlethal", True), ("lethal", False)]


class SituationForm(Form):
    """Tick and choose what holds during an attack; ``value`` is a :class:`combatkit.Situation`.

    The ticks and menus are the rows of the ruleset's tables: one added by a file appears by itself.

    Parameters
    ----------
    rules : Ruleset
    value : Situation, optional
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> form = SituationForm(load_ruleset("srd35"), Situation(defender={"prone"}))
    >>> form.value.to_json()
    '{"defender":["prone"]}'
    """

    value = T.Instance(Situation, help="The situation; assign one to show it.")
    rules = T.Instance(Ruleset, help="Ruleset whose tables are shown.")

    def __init__(self, rules: Ruleset, value: Situation | None = None, **kwargs: Any) -> None:
        super().__init__(value or Situation(), rules=rules, **kwargs)

    @T.validate("value")
    def _known(self, proposal: Any) -> Situation:
        proposal.value.rows(self.rules)
        situation: Situation = proposal.value
        return situation

    @T.observe("rules")
    def _from_rules(self, change: Any) -> None:
        if self._fields and change.new.rows is not change.old.rows:
            self.value = fit_situation(self.value, change.new)
            self._build()

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        ticks: list[Field] = []
        boxes: list[Any] = []
        for table in self.rules.tables.values():
            if table.slot is None:
                rows = [_tick(row, table.on) for row in self.rules.rows_of(table.id)]
                ticks += rows
                boxes += [heading(f"{table.label} ({table.on})"), grid(rows, "ck-ticks")]
        slots = [self._slot(slot) for slot, rows in self.rules.slots.items() if rows]
        roll, *rest = turn_fields()
        first = [*slots, roll]
        rest = [
            maybe_number("distance", "Distance, feet", "left open"),
            whole_number("defender_expertise", "Defender's Expertise", 0, 60),
            *rest,
        ]
        box = grid(rest)
        boxes += [grid([*first, more(box)]), box]
        return [*ticks, *first, *rest], boxes

    def _slot(self, slot: str) -> Field:
        options = [(row.label, row.id) for row in self.rules.slots[slot].values()]
        control = labelled(W.Dropdown, slot.capitalize(), options=[("none", ""), *options])
        return Field(
            control,
            lambda there: getattr(there, slot) or "",
            lambda there, key: changed(there, **{slot: key or None}),
        )


def turn_fields() -> list[Field]:
    """Make the controls of what is particular to one fighter's own attack, the roll first."""
    return [
        part("roll", labelled(W.Dropdown, "Attack roll", options=ROLLS)),
        _percents(),
        whole_number("attack_bonus", "Referee: attack", -50, 50),
        whole_number("armor_class_bonus", "Referee: armor class", -50, 50),
        whole_number("damage_bonus", "Referee: damage", -50, 50),
        whole_number("confirmation_bonus", "Referee: confirmation", -50, 50),
        whole_number("damage_multiplier", "Damage multiplied by", 1, 10),
        text("first_hit", "Extra dice, first hit a round", "such as 1d6 fire"),
        whole_number("power_attack", "Power Attack", 0, 60),
        whole_number("combat_expertise", "Combat Expertise", 0, 60),
        whole_number("arrows", "Arrows in one shot (Manyshot)", 1, 4),
        _unused(),
        tick("touch", "Touch attack"),
        part("nonlethal", labelled(W.Dropdown, "Weapon damage meant as", options=KINDS)),
    ]


def _tick(row: Row, side: Side) -> Field:
    def gives(there: Situation, ticked: bool) -> Situation:
        others: frozenset[str] = getattr(there, side) - {row.id}
        return changed(there, **{side: others | {row.id} if ticked else others})

    control = checkbox(row.label or row.id, tooltip=row_hint(row))
    return Field(control, lambda there: row.id in getattr(there, side), gives)


def _percents() -> Field:
    label = "Other miss chances, %"
    control = labelled(W.Text, label, placeholder="such as 20, 50", continuous_update=False)

    def gives(there: Situation, content: str) -> Situation:
        parts = filter(None, content.replace(",", " ").replace("%", " ").split())
        return changed(there, miss_chances=tuple(read_number(one, label) for one in parts))

    return Field(
        control, lambda there: ", ".join(map(str, there.miss_chances)), gives, alert_line()
    )


def _unused() -> Field:
    control = labelled(
        W.Text, "Feats left unused", placeholder="such as rapid_shot", continuous_update=False
    )

    def gives(there: Situation, content: str) -> Situation:
        words = (word.strip().lower().replace(" ", "_") for word in content.split(","))
        return changed(there, feats_unused=frozenset(filter(None, words)))

    return Field(control, lambda there: ", ".join(sorted(there.feats_unused)), gives, alert_line())


def row_hint(row: Row) -> str:
    """Say in words what a row does and where that stands.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> row_hint(load_ruleset("srd35").rows["armor_class.prone"])
    'A prone defender has −4 to armor class in melee ... SRD combat modifiers: Table 8-6'
    """
    if row.note:
        return f"{row.note} {row.cite}"
    parts = [_columns(row)]
    if row.miss_chance:
        parts.append(f"miss chance {row.miss_chance} %")
    if row.dexterity_change:
        parts.append(f"Dexterity {row.dexterity_change:+d}")
    if row.dexterity_score is not None:
        parts.append(f"Dexterity counts as {row.dexterity_score}")
    parts += [FOOTNOTES[effect] for effect in row.effects]
    modes: tuple[Mode, ...] = ("melee", "ranged")
    parts += [
        f"{mode}: {FOOTNOTES[effect]}"
        for mode in modes
        for effect in getattr(row, f"{mode}_effects")
    ]
    said = "; ".join(filter(None, parts))
    return ". ".join(filter(None, (said, str(row.cite))))


def _columns(row: Row) -> str:
    melee, ranged = row.column("melee"), row.column("ranged")
    if melee == ranged:
        return f"{melee:+d}" if melee else ""
    columns = (("melee", melee), ("ranged", ranged))
    return ", ".join(f"{value:+d} {name}" for name, value in columns if value is not None)


def fit_situation(value: Situation, rules: Ruleset) -> Situation:
    """Return a situation with the ticks and choices that other rules have as well."""
    return changed(
        value,
        attacker=value.attacker & rules.conditions["attacker"].keys(),
        defender=value.defender & rules.conditions["defender"].keys(),
        cover=value.cover if value.cover in rules.slots["cover"] else None,
        concealment=value.concealment if value.concealment in rules.slots["concealment"] else None,
    )
