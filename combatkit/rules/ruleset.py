"""A loaded ruleset: look things up, choose readings, get helpful errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeVar

from combatkit.errors import CombatkitError, nearest
from combatkit.rules.cite import Source
from combatkit.rules.creature import Combatant
from combatkit.rules.equipment import Armor, Weapon
from combatkit.rules.modifier import BonusType, Lookup, Number, Row, Side, Switch, Table, Term
from combatkit.rules.procedure import ArmorClass, Dying, Feat, Stacking, State

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A rule system as data; get one with :func:`combatkit.load_ruleset`.

    Attributes
    ----------
    id, title : str
    sources, bonus_types, switches, tables, feats, weapons, armors, combatants : dict
        Entries by id.
    rows : dict
        Rows of the modifier tables by ``table.row``.
    chosen : dict
        Switch id to the option in force.
    """

    id: str
    title: str
    note: str
    sources: Mapping[str, Source]
    bonus_types: Mapping[str, BonusType]
    switches: Mapping[str, Switch]
    tables: Mapping[str, Table]
    rows: Mapping[str, Row]
    numbers: Mapping[str, Number]
    terms: Mapping[str, Term]
    lookups: Mapping[str, Lookup]
    feats: Mapping[str, Feat]
    weapons: Mapping[str, Weapon]
    armors: Mapping[str, Armor]
    combatants: Mapping[str, Combatant]
    states: Mapping[str, State]
    stacking: Stacking
    armor_class: ArmorClass
    dying: Dying
    chosen: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        changed = [
            f"{key}={value}"
            for key, value in self.chosen.items()
            if value != self.switches[key].default
        ]
        return f"Ruleset({', '.join([self.id, *changed])})"

    def find(self, kind: str, entries: Mapping[str, T], key: str) -> T:
        """Look an id up, or say which valid one is nearest."""
        try:
            return entries[key]
        except (KeyError, TypeError):  # TypeError: no word at all, but a list, say
            raise CombatkitError(
                f"{kind} {key!r:.60} is not in ruleset '{self.id}'{nearest(key, entries)}"
            ) from None

    def switch(self, key: str) -> str:
        """Tell the option in force for a switch."""
        return self.find("switch", self.chosen, key)

    def option(self, key: str) -> str:
        """Tell the option in force for a switch in words: what is settled, and how.

        Examples
        --------
        >>> from combatkit.rules import load_ruleset
        >>> load_ruleset("srd35").option("attack_tie")
        'Attack total equal to the armor class: hits'
        """
        switch, chosen = self.find("switch", self.switches, key), self.switch(key)
        return f"{switch.label}: {switch.options[chosen]}"

    def with_switches(self, **options: str) -> Ruleset:
        """Return the same rules with other readings chosen.

        Raises
        ------
        CombatkitError
            For an unknown switch or option, with the nearest valid one.
        """
        for key, option in options.items():
            known = self.find("switch", self.switches, key).options
            if not isinstance(option, str) or option not in known:
                raise CombatkitError(
                    f"option {option!r:.60} of switch '{key}' is not known{nearest(option, known)}"
                )
        return replace(self, chosen={**self.chosen, **options})

    def number(self, key: str) -> int:
        """Look up a whole number of the rules, such as ``range.penalty``."""
        return int(self.fraction(key))

    def fraction(self, key: str) -> Fraction:
        """Look up an exact number of the rules, such as ``damage.off_hand_strength``."""
        value = self.find("number", self.numbers, key).value
        if isinstance(value, tuple):
            raise CombatkitError(f"number '{key}' in ruleset '{self.id}' is a list, not one number")
        return Fraction(value)

    def series(self, key: str) -> tuple[int, ...]:
        """Look up a list of numbers, such as ``attack.iterative_thresholds``."""
        value = self.find("number", self.numbers, key).value
        return value if isinstance(value, tuple) else (int(value),)

    def lookup(self, table: str, row: str) -> Lookup:
        """Look up a row of a plain table, such as ``lookup("size", "large")``."""
        rows = self.find("table", self.plain_tables, table)
        return self.find(f"row of table '{table}'", rows, row)

    @cached_property
    def plain_tables(self) -> Mapping[str, Mapping[str, Lookup]]:
        """Rows of the plain tables, by table and row id."""
        tables: dict[str, dict[str, Lookup]] = {}
        for entry in self.lookups.values():
            tables.setdefault(entry.table, {})[entry.id] = entry
        return tables

    def rows_of(self, table: str) -> tuple[Row, ...]:
        """Rows of a modifier table, in the order of the text."""
        self.find("table", self.tables, table)
        return tuple(row for row in self.rows.values() if row.table == table)

    @cached_property
    def conditions(self) -> Mapping[Side, Mapping[str, Row]]:
        """Rows that can be ticked, by side and row id."""
        sides: dict[Side, dict[str, Row]] = {"attacker": {}, "defender": {}}
        for row in self.rows.values():
            table = self.tables[row.table]
            if table.slot is None:
                sides[table.on][row.id] = row
        return sides

    @cached_property
    def slots(self) -> Mapping[str, Mapping[str, Row]]:
        """Rows of which one is chosen, by slot (``cover``, ``concealment``) and row id."""
        slots: dict[str, dict[str, Row]] = {"cover": {}, "concealment": {}}
        for row in self.rows.values():
            if (slot := self.tables[row.table].slot) is not None:
                slots[slot][row.id] = row
        return slots

    def weapon(self, choice: str | Weapon) -> Weapon:
        """Find a weapon by id, or fill in from its ``base`` what one's own leaves out."""
        if isinstance(choice, str):
            return self.find("weapon", self.weapons, choice)
        if not choice.base:
            return choice
        return choice.over(self.find("weapon", self.weapons, choice.base))

    def armor(self, choice: str | Armor) -> Armor:
        """Armor or a shield by id; one's own is returned as it is."""
        return self.find("armor", self.armors, choice) if isinstance(choice, str) else choice

    def combatant(self, key: str) -> Combatant:
        """Find a sample combatant by id."""
        return self.find("combatant", self.combatants, key)

    def feat(self, key: str) -> Feat:
        """Find a feat by id; a weapon after a colon is left aside."""
        return self.find("feat", self.feats, key.partition(":")[0])

    def bonus_type(self, word: str) -> str:
        """Return a bonus type that the rules know; refuse any other."""
        self.find("bonus type", self.bonus_types, word)
        return word

    def feats_of(self, words: tuple[str, ...]) -> tuple[tuple[Feat, str], ...]:
        """Feats by their words, each with its weapon; one listed twice counts once.

        Raises
        ------
        CombatkitError
            For a feat the ruleset does not have, and for a weapon where none belongs.
        """
        return _feats_of(self, words)

    def state_of(self, hit_points: int) -> str:
        """Id of the state of health at some hit points (``stable`` is a dying one at rest)."""
        for state in self.states.values():
            if state.lowest is None or hit_points >= state.lowest:
                return state.id
        raise AssertionError("the last state has no lowest: the loader checks it")

    @cached_property
    def dead_at(self) -> int:
        """Hit points at which a creature is dead."""
        lowest = [state.lowest for state in self.states.values() if state.lowest is not None]
        return min(lowest) - 1


@lru_cache(maxsize=256)
def _feats_of(rules: Ruleset, words: tuple[str, ...]) -> tuple[tuple[Feat, str], ...]:
    found: list[tuple[Feat, str]] = []
    for word in words:
        feat, weapon = rules.feat(word), word.partition(":")[2]
        if weapon and feat.counts and not feat.weapon_bound:
            raise CombatkitError(f"feat {word!r:.60}: {feat.label} is not for one weapon")
        if feat.repeats or (feat, weapon) not in found:
            found.append((feat, weapon))
    return tuple(found)
