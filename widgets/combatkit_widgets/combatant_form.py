"""The combatant form: start from a sample, change anything."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from typing import Any, get_args

import ipywidgets as W
import traitlets as T

from combatkit.errors import CombatkitError
from combatkit.rules import Armor, Combatant, Ruleset, Weapon
from combatkit.rules.creature import Ability
from combatkit.rules.equipment import Size
from combatkit_widgets.forms import (
    Field,
    Form,
    alert_line,
    changed,
    grid,
    labelled,
    maybe_number,
    more,
    part,
    read_number,
    text,
    tick,
    whole_number,
    words,
)
from combatkit_widgets.words import feat_name, read_feats, read_weapons, weapon_name

ABILITIES: dict[Ability, str] = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}
BLANK, EDITED, OWN = "blank", "changed", "its own"


class CombatantForm(Form):
    """Start from a sample combatant or a blank one; ``value`` is a :class:`combatkit.Combatant`.

    Parameters
    ----------
    rules : Ruleset
        Its combatants, weapons, armor and feats fill the menus.
    value : Combatant or str, optional
        A combatant or the id of a sample; the first sample when left out.
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> from combatkit import load_ruleset
    >>> form = CombatantForm(load_ruleset("srd35"), "ogre")
    >>> form.value.name, form.value.hit_points
    ('Ogre', 29)
    """

    value = T.Instance(Combatant, help="The combatant; assign one to show it.")
    rules = T.Instance(Ruleset, help="Ruleset whose words the menus offer.")

    def __init__(self, rules: Ruleset, value: Combatant | str | None = None, **kwargs: Any) -> None:
        choice = value or next(iter(rules.combatants))
        who = rules.combatant(choice) if isinstance(choice, str) else choice
        super().__init__(who, rules=rules, **kwargs)

    @T.validate("value")
    def _known(self, proposal: Any) -> Combatant:
        who: Combatant = proposal.value
        for choice in who.weapons:
            self.rules.weapon(choice)
        for worn in (who.armor, who.shield):
            if worn is not None:
                self.rules.armor(worn)
        for word in who.feats:
            self.rules.feat(word)
        return who

    @T.observe("rules")
    def _from_rules(self, change: Any) -> None:
        if self._fields and change.new.combatants is not change.old.combatants:
            self.value = fit_combatant(self.value, change.old, change.new)
            self._build()

    def _start(self) -> Field:
        samples = [(who.name or key, key) for key, who in self.rules.combatants.items()]
        options = [*sorted(samples), ("A blank combatant", BLANK)]

        def shows(who: Combatant) -> str:
            if who == Combatant():
                return BLANK
            return who.id if self.rules.combatants.get(who.id) == who else EDITED

        def gives(who: Combatant, key: str) -> Combatant:
            if key == EDITED:
                return who
            return Combatant() if key == BLANK else self.rules.combatant(key)

        return Field(labelled(W.Dropdown, "Start from", wide=True, options=options), shows, gives)

    def _worn(self, name: str, label: str, kinds: Iterable[str]) -> Field:
        armors = [
            (f"{armor.label} ({armor.bonus:+d})", key)
            for key, armor in self.rules.armors.items()
            if armor.kind in kinds
        ]
        control = labelled(W.Dropdown, label, options=[("none", ""), *armors])

        def shows(who: Combatant) -> str:
            worn = getattr(who, name)
            return worn if isinstance(worn, str) else "" if worn is None else OWN

        def gives(who: Combatant, key: str) -> Combatant:
            return who if key == OWN else changed(who, **{name: key or None})

        return Field(control, shows, gives)

    def _list(
        self, name: str, label: str, writes: Callable[..., str], reads: Callable[..., Any]
    ) -> Field:
        control = labelled(W.Textarea, label, wide=True, rows=3, continuous_update=False)

        def shows(who: Combatant) -> str:
            return "\n".join(writes(who, word) for word in getattr(who, name))

        def gives(who: Combatant, lines: str) -> Combatant:
            return changed(who, **{name: reads(self.rules, lines, who)})

        return Field(control, shows, gives, alert_line())

    def _add(self, name: str, label: str, options: list[tuple[str, str]]) -> Field:
        control = labelled(W.Dropdown, label, options=[("choose…", ""), *options])

        def gives(who: Combatant, key: str) -> Combatant:
            return changed(who, **{name: (*getattr(who, name), key)}) if key else who

        return Field(control, lambda who: "", gives)

    def _feats(self) -> list[Field]:
        rules = self.rules
        useful = [(feat.label, key) for key, feat in rules.feats.items() if feat.counts]
        add = self._add("feats", "Add a feat", useful)

        def gives(who: Combatant, key: str) -> Any:
            if not key or not rules.feats[key].weapon_bound:
                return add.gives(who, key)
            if not who.weapons:
                label = rules.feats[key].label
                raise CombatkitError(f"feat '{label}' is for one weapon: add one first")
            first = rules.weapon(who.weapons[0])
            return add.gives(who, f"{key}:{first.base or first.id}")

        listed = self._list(
            "feats", "Feats, one a line", lambda who, word: feat_name(rules, word, who), read_feats
        )
        return [listed, replace(add, gives=gives)]

    def _weapons(self) -> list[Field]:
        rules = self.rules
        listed = self._list(
            "weapons",
            "Weapons, one a line, the usual one first",
            lambda who, choice: weapon_name(rules, choice),
            read_weapons,
        )
        known = [(weapon.label, key) for key, weapon in rules.weapons.items()]
        return [listed, self._add("weapons", "Add a weapon", known)]

    def _judged(self, gives: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """Recognize a combatant changed back to its sample; any other loses the printed values."""

        def judged(who: Combatant, content: Any) -> Combatant:
            mine = _without_print(gives(who, content))
            sample = self.rules.combatants.get(mine.id)
            return sample if sample and mine == _without_print(sample) else mine

        return judged

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        scores = {key: _score(key, label) for key, label in ABILITIES.items()}
        first = [self._start(), whole_number("hit_points", "Hit points", -9, 2000)]
        sizes = [(size, size) for size in get_args(Size)]
        rest = [
            text("name", "Name", wide=True),
            whole_number("base_attack", "Base attack", -5, 60),
            scores["str"],
            scores["dex"],
            part("size", labelled(W.Dropdown, "Size", options=sizes)),
            self._worn("armor", "Armor", ("light", "medium", "heavy")),
            self._worn("shield", "Shield", ("shield",)),
            whole_number("armor_enhancement", "Armor enhancement", 0, 20),
            whole_number("shield_enhancement", "Shield enhancement", 0, 20),
            whole_number("natural_armor", "Natural armor", 0, 60),
            whole_number("natural_armor_enhancement", "Natural armor enhancement", 0, 20),
            whole_number("deflection", "Deflection", 0, 30),
            whole_number("dodge", "Dodge", 0, 30),
            *self._weapons(),
            *self._feats(),
            text("sneak_attack", "Sneak attack dice", "such as 3d6"),
            whole_number("temporary_hit_points", "Temporary hit points", 0, 1000),
            whole_number("reach", "Reach, feet", 0, 100),
            maybe_number("attack_bonus", "Attack bonus as printed", "computed"),
            maybe_number("armor_class", "Armor class as printed", "computed"),
            text("attack_line", "Attack as printed", "such as claw +9 (1d6+6)", wide=True),
            text("full_attack_line", "Full attack as printed", "such as 2 claws +9 (1d6+6)", True),
            *(scores[key] for key in ("con", "int", "wis", "cha")),
            whole_number("damage_reduction", "Damage reduction", 0, 1000),
            words("reduction_bypassed_by", "Reduction bypassed by", "such as magic, silver"),
            _amounts("energy_resistance", "Energy resistance", "such as fire 10, cold 5"),
            tick("critical_immune", "Immune to critical hits"),
            tick("nonlethal_immune", "Immune to nonlethal damage"),
            whole_number("fast_healing", "Fast healing", 0, 1000),
            whole_number("regeneration", "Regeneration", 0, 1000),
            words("regeneration_bypassed_by", "Regeneration bypassed by", "such as fire, acid"),
            tick("stable", "More than two legs, or a dwarf's footing"),
            _amounts("skills", "Skill bonuses", "such as bluff 7, sense motive 4"),
        ]
        fields = [replace(field, gives=self._judged(field.gives)) for field in (*first, *rest)]
        count = len(first)
        box = grid(fields[count:])
        return fields, [grid([*fields[:count], more(box)]), box]


def _amounts(name: str, label: str, placeholder: str) -> Field:
    """Bind a line of text to the numbers of a model that go by words."""
    control = labelled(W.Text, label, placeholder=placeholder, continuous_update=False)

    def shows(who: Combatant) -> str:
        amounts = getattr(who, name).items()
        return ", ".join(f"{word.replace('_', ' ')} {amount}" for word, amount in amounts)

    def gives(who: Combatant, content: str) -> Combatant:
        amounts = {}
        for one in filter(None, map(str.strip, content.split(","))):
            word, _, amount = one.rpartition(" ")
            amounts["_".join(word.lower().split()) or one] = read_number(amount, label)
        return changed(who, **{name: amounts})

    return Field(control, shows, gives, alert_line())


def _score(key: Ability, label: str) -> Field:
    control = labelled(W.BoundedIntText, label, min=0, max=100)
    return Field(
        control,
        lambda who: who.abilities.get(key, 10),
        lambda who, score: changed(who, abilities={**who.abilities, key: score}),
    )


def _without_print(who: Combatant) -> Combatant:
    """Drop what a stat block prints to be checked by: it says nothing about a changed combatant."""
    gone = {"cite", "note", "origin", "replaces"}
    kept = (name for name in who.model_fields_set - gone if not name.startswith("printed_"))
    return Combatant(**{name: getattr(who, name) for name in kept})


def fit_combatant(value: Combatant, old: Ruleset, new: Ruleset) -> Combatant:
    """Return a combatant in the words of new rules: the new sample, or without unknown words."""
    if value == old.combatants.get(value.id) and value.id in new.combatants:
        return new.combatants[value.id]
    fitting: dict[str, Any] = {
        "weapons": [choice for choice in value.weapons if _is_known(choice, new.weapons)],
        "feats": [word for word in value.feats if word.partition(":")[0] in new.feats],
    }
    for name in ("armor", "shield"):
        worn = getattr(value, name)
        fitting[name] = worn if _is_known(worn or "", new.armors) else None
    return changed(value, **fitting)


def _is_known(choice: str | Weapon | Armor, known: Container[str]) -> bool:
    word = choice if isinstance(choice, str) else getattr(choice, "base", "")
    return not word or word in known
