"""The form of one side of an encounter: who it is, what holds of it, and how it attacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit.combat.attacks.attack import choose_weapon
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Row, Ruleset, Weapon
from combatkit.rules.modifier import Mode
from combatkit.rules.modifier import Side as Role
from combatkit.rules.printed import weapons_of
from combatkit_widgets.combatant_form import CombatantForm
from combatkit_widgets.encounter import Side
from combatkit_widgets.forms import (
    Field,
    Form,
    changed,
    checkbox,
    grid,
    heading,
    labelled,
    more,
    stack,
)
from combatkit_widgets.light import light, show_if
from combatkit_widgets.scenario import fighter, fighter_reference, weapon_reference
from combatkit_widgets.situation_form import turn_fields
from combatkit_widgets.weapon_form import WeaponForm
from combatkit_widgets.words import weapon_name, whole_weapon

GRIPS = [
    ("as usual", ""),
    ("one hand", "primary"),
    ("two hands", "two_handed"),
    ("off hand", "off_hand"),
    ("thrown", "thrown"),
]
MODES: tuple[Mode, ...] = ("melee", "ranged")


class SideForm(Form):
    """One fighter with its attack and what holds of it; ``value`` is a :class:`Side`.

    Parameters
    ----------
    rules : Ruleset
    value : Side
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> form = SideForm(load_ruleset("srd35"), Side(fighter="ogre"))
    >>> form.who.hit_points
    29
    """

    value = T.Instance(Side, help="The side; assign one to show it.")
    rules = T.Instance(Ruleset, help="Ruleset whose words the menus offer.")

    def __init__(self, rules: Ruleset, value: Side, **kwargs: Any) -> None:
        self._fighter = CombatantForm(rules, fighter(rules, value.fighter))
        self._weapon = WeaponForm(rules)
        self._off_hand = labelled(W.Dropdown, "Off hand", options=[("empty", "")])
        self._usual = checkbox("With its other natural attacks", wide=True)
        self._worth: dict[str, Any] = {}
        super().__init__(value, rules=rules, **kwargs)

    @property
    def who(self) -> Combatant:
        """The combatant."""
        return fighter(self.rules, self.value.fighter)

    @T.validate("value")
    def _known(self, proposal: Any) -> Side:
        side: Side = proposal.value
        who = fighter(self.rules, side.fighter)
        for choice in (side.weapon, side.off_hand):
            choose_weapon(self.rules, who, choice)
        return side

    @T.observe("rules")
    def _from_rules(self, change: Any) -> None:
        if self._fields and change.new.rows is not change.old.rows:
            self._build()

    def mark(self, why_not: Mapping[str, str]) -> None:
        """Show beside each condition what it is worth, or why it does not count here."""
        for key, line in self._worth.items():
            line.value = self._worth_html(key, why_not.get(key, ""))

    def _rows(self, key: str) -> dict[Role, Row]:
        sides: tuple[Role, ...] = ("attacker", "defender")
        conditions = self.rules.conditions
        return {side: conditions[side][key] for side in sides if key in conditions[side]}

    def _worth_html(self, key: str, why_not: str = "") -> str:
        parts = []
        for row in self._rows(key).values():
            what = self.rules.tables[row.table].to.replace("_", " ")
            hint, said = escape(f"{row.note} {row.cite}".strip()), worth(row, what) or "see rule"
            parts.append(f"<span title='{hint}' tabindex='0'>{escape(said)}</span>")
        off = f"<br><i>{escape(why_not)}</i>" if why_not else ""
        kind = "ck-worth ck-off" if why_not else "ck-worth"
        return f"<small class='{kind}'>{'; '.join(parts)}{off}</small>"

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        conditions = {**self.rules.conditions["attacker"], **self.rules.conditions["defender"]}
        ticks = [self._tick(key, row) for key, row in conditions.items()]
        cells = [stack([tick.control, self._worth[key]], "ck-tick") for key, tick in
                 zip(conditions, ticks, strict=True)]  # fmt: skip
        slots = [self._slot(slot) for slot, rows in self.rules.slots.items() if rows]
        attack = self._attack()
        turn = [_of_turn(field) for field in turn_fields()]
        rest = grid(turn)
        forms = [
            Field(self._fighter, lambda side: self.who_of(side), self._with_fighter),
            Field(self._weapon, self._held, self._with_weapon),
        ]
        boxes = [
            self._fighter,
            self._weapon,
            grid(attack),
            heading("What holds of this fighter"),
            grid(cells, "ck-ticks"),
            grid([*slots, more(rest, "Roll, modifiers, trades…")]),
            rest,
        ]
        return [*forms, *attack, *ticks, *slots, *turn], [stack(boxes, "ck-side")]

    def who_of(self, side: Side) -> Combatant:
        """Return the combatant of a side."""
        return fighter(self.rules, side.fighter)

    def _attack(self) -> list[Field]:
        return [
            Field(
                labelled(W.Dropdown, "Grip", options=GRIPS),
                lambda side: side.grip or "",
                lambda side, grip: changed(side, grip=grip or None),
            ),
            Field(
                self._off_hand,
                lambda side: side.off_hand or "",
                lambda side, held: changed(
                    side, off_hand=held or None, full=side.full or bool(held)
                ),
            ),
            Field(
                checkbox("Full attack every round", wide=True),
                lambda side: side.all_attacks,
                lambda side, full: changed(
                    side, full=full, off_hand=side.off_hand if full else None
                ),
            ),
            Field(self._usual, lambda side: side.weapon is None, self._with_usual),
        ]

    def _tick(self, key: str, row: Row) -> Field:
        self._worth[key] = light(W.HTML, self._worth_html(key))

        def gives(side: Side, ticked: bool) -> Side:
            others = side.conditions - {key}
            return changed(side, conditions=others | {key} if ticked else others)

        return Field(checkbox(row.label or key), lambda side: key in side.conditions, gives)

    def _slot(self, slot: str) -> Field:
        options = [(row.label, row.id) for row in self.rules.slots[slot].values()]
        control = labelled(W.Dropdown, slot.capitalize(), options=[("none", ""), *options])
        return Field(
            control,
            lambda side: getattr(side, slot) or "",
            lambda side, key: changed(side, **{slot: key or None}),
        )

    def _fill(self, old: Any, new: Any) -> None:
        who = self.who_of(new)
        for form in (self._fighter, self._weapon):
            form.rules = self.rules
        self._weapon.wielded_by(weapons_of(self.rules, who), who.size)
        self._offer_off_hand(who)
        super()._fill(old, new)

    def _offer_off_hand(self, who: Combatant) -> None:
        carried = weapons_of(self.rules, who)
        others = carried[1:]
        show_if(any(other.natural for other in others), self._usual)
        own = [
            (
                weapon_name(self.rules, choice),
                weapon_reference(self.rules, who, whole_weapon(self.rules, choice)),
            )
            for choice in carried
        ]
        mine = [held for _, held in own]
        listed = [
            (weapon.label, key)
            for key, weapon in self.rules.weapons.items()
            if key not in mine
            and not weapon.ranged
            and (weapon.hand in ("light", "one_handed") or weapon.double)
        ]
        options = (("empty", ""), *own, *listed)
        if self._off_hand.options != options:
            self._off_hand.options = options

    def _with_fighter(self, side: Side, who: Combatant) -> Side:
        new = changed(side, fighter=fighter_reference(self.rules, who))
        if who.id != self.who_of(side).id:
            return changed(new, weapon=None, grip=None, off_hand=None)
        return changed(
            new, weapon=self._still(who, side.weapon), off_hand=self._still(who, side.off_hand)
        )

    def _still(self, who: Combatant, choice: str | Weapon | None) -> str | Weapon | None:
        """Leave out a weapon that has gone with a change of the fighter's list."""
        try:
            choose_weapon(self.rules, who, choice)
        except CombatkitError:
            return None
        return choice

    def _held(self, side: Side) -> Weapon:
        return self._weapon_of(side, side.weapon)

    def _weapon_of(self, side: Side, choice: str | Weapon | None) -> Weapon:
        return whole_weapon(self.rules, choose_weapon(self.rules, self.who_of(side), choice))

    def _with_weapon(self, side: Side, weapon: Weapon) -> Side:
        if weapon == self._weapon_of(side, None):
            return changed(side, weapon=None)
        return changed(side, weapon=weapon_reference(self.rules, self.who_of(side), weapon))

    def _with_usual(self, side: Side, usual: bool) -> Side:
        if usual:
            return changed(side, weapon=None)
        held = weapon_reference(self.rules, self.who_of(side), self._held(side))
        return changed(side, weapon=held)


def _of_turn(field: Field) -> Field:
    """Bind a field of a situation to the situation of a side's own attack."""
    return Field(
        field.control,
        lambda side: field.shows(side.turn),
        lambda side, content: changed(side, turn=field.gives(side.turn, content)),
        field.alert,
    )


def worth(row: Row, what: str) -> str:
    """Say what a row adds, in the fewest words; its footnotes are on hover.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> worth(load_ruleset("srd35").rows["armor_class.prone"], "armor class")
    'armor class −4 melee, +4 ranged'
    """
    columns = {mode: row.column(mode) for mode in MODES}
    given = {mode: value for mode, value in columns.items() if value}
    if len(set(columns.values())) == 1 and given:
        return f"{what} {_signed(next(iter(given.values())))}"
    said = ", ".join(f"{_signed(value)} {mode}" for mode, value in given.items())
    return f"{what} {said}" if said else ""


def _signed(value: int) -> str:
    return f"{value:+d}".replace("-", "−")
