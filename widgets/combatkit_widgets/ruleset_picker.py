"""The ruleset picker: which rules hold, and how they are read where readings differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import ipywidgets as W
import traitlets as T

from combatkit.rules import Ruleset, Switch, built_in, load_ruleset
from combatkit_widgets.forms import Field, Form, alert_line, grid, labelled, more, stack
from combatkit_widgets.scenario import load_rules


class RulesetPicker(Form):
    """Pick a ruleset and its readings; ``value`` is a :class:`combatkit.Ruleset`.

    Parameters
    ----------
    value : Ruleset or str, optional
        A loaded ruleset, the id of a built-in one, or the path of a house-rule file.
    **kwargs
        ``description`` and traits of any ipywidget.

    Examples
    --------
    >>> picker = RulesetPicker("classic")
    >>> picker.value.title
    'Classic (3.5 with AD&D tables)'
    >>> picker.read(picker.value.with_switches(attack_tie="misses"))
    ('classic', {'attack_tie': 'misses'})
    """

    value = T.Instance(Ruleset, help="The rules; assign a Ruleset to show it.")

    def __init__(self, value: Ruleset | str = "srd35", **kwargs: Any) -> None:
        self._sources: dict[str, Ruleset] = {key: load_ruleset(key) for key in built_in()}
        self._switches: dict[str, Field] = {}
        rules = value if isinstance(value, Ruleset) else self.load(value)
        super().__init__(rules, **kwargs)

    def load(self, source: str, switches: Mapping[str, str] | None = None) -> Ruleset:
        """Load rules by id, path or text, with other readings, and put them in the menu.

        Raises
        ------
        CombatkitError
            For anything wrong in the files or the readings.
        """
        if source not in self._sources:
            self._sources[source] = load_rules(source)
        return self._sources[source].with_switches(**(switches or {}))

    def read(self, rules: Ruleset) -> tuple[str, dict[str, str]]:
        """Return where rules came from, and the readings that were chosen differently."""
        source = self._source(rules)
        usual = self._sources[source].chosen
        return source, {key: option for key, option in rules.chosen.items() if usual[key] != option}

    def _source(self, rules: Ruleset) -> str:
        for source, known in self._sources.items():
            if known.rows is rules.rows:  # other readings of the same files
                return source
        self._sources[rules.id] = rules
        return rules.id

    @T.observe("value")
    def _from_rules(self, change: Any) -> None:
        if self._fields and change.new.switches is not change.old.switches:
            self._build()
        self._mark()

    def _make(self) -> tuple[Iterable[Field], Iterable[Any]]:
        if not self._fields:
            self._choice, self._path, self._readings = self._choose(), self._from_file(), grid([])
            rest = stack([self._path.box, self._readings])
            self._boxes = [grid([self._choice, more(rest, "Options, house rules…")]), rest]
        self._switches = {key: _switch(key, switch) for key, switch in self.value.switches.items()}
        self._readings.children = [field.box for field in self._switches.values()]
        self._source(self.value)  # rules made elsewhere join the menu
        titles = [(rules.title or source, source) for source, rules in self._sources.items()]
        with self._quiet():
            self._choice.control.options = sorted(titles)
        self._mark()
        return [self._choice, self._path, *self._switches.values()], self._boxes

    def _choose(self) -> Field:
        control = labelled(W.Dropdown, "Rules", wide=True)
        return Field(control, self._source, lambda rules, source: self._sources[source])

    def _from_file(self) -> Field:
        control = labelled(
            W.Text,
            "House-rule file",
            wide=True,
            continuous_update=False,
            placeholder="path of a .toml file, then Enter",
        )

        def gives(rules: Ruleset, path: str) -> Ruleset:
            return self.load(path.strip()) if path.strip() else rules

        return Field(control, lambda rules: "", gives, alert_line())

    def _mark(self) -> None:
        """Mark the readings that were chosen differently."""
        _, different = self.read(self.value)
        for key, field in self._switches.items():
            label = self.value.switches[key].label
            field.control.description = f"● {label} (changed)" if key in different else label


def _switch(key: str, switch: Switch) -> Field:
    options = [(meaning, option) for option, meaning in switch.options.items()]
    hint = f"{switch.note} {switch.cite}".strip()
    control = labelled(W.Dropdown, switch.label, wide=True, options=options, tooltip=hint)
    return Field(
        control,
        lambda rules: rules.chosen.get(key, switch.default),  # other rules may lack it
        lambda rules, option: rules.with_switches(**{key: option}),
    )
