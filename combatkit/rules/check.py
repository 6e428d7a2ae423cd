"""Check the words of a ruleset against each other once all its files are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from combatkit.errors import CombatkitError, nearest
from combatkit.rules.creature import Combatant
from combatkit.rules.equipment import Weapon
from combatkit.rules.ruleset import Ruleset

# columns of plain tables that procedures read
COLUMNS = {"size": ("modifier",), "two_weapon": ("primary", "off_hand")}


def check_words(rules: Ruleset) -> None:
    """Raise a CombatkitError at the first word that points nowhere.

    Citations must name a known source, rows a known table, conditions a known switch and option,
    combatants known weapons, armor and feats; ids of conditions must be unique on their side.
    """
    for kind, entry in _cited(rules):
        _known(kind, entry, "cite", entry.cite.source, rules.sources)
    _check_rows(rules)
    for combatant in rules.combatants.values():
        _check_combatant(rules, combatant)
    _check_states(rules)
    _check_dying(rules)
    _check_lookups(rules)


def _cited(rules: Ruleset) -> Iterator[tuple[str, Any]]:
    groups: dict[str, Iterable[Any]] = {
        "switch": rules.switches.values(),
        "table": rules.tables.values(),
        "row": rules.rows.values(),
        "number": rules.numbers.values(),
        "term": rules.terms.values(),
        "lookup": rules.lookups.values(),
        "feat": rules.feats.values(),
        "weapon": rules.weapons.values(),
        "armor": rules.armors.values(),
        "combatant": rules.combatants.values(),
        "state": rules.states.values(),
        "section": (rules.stacking, rules.armor_class, rules.dying),
    }
    for kind, entries in groups.items():
        for entry in entries:
            yield kind, entry


def _known(kind: str, entry: Any, field: str, word: str, words: Iterable[str]) -> None:
    if word not in (known := list(words)):
        name = getattr(entry, "id", "") or type(entry).__name__.lower()
        raise CombatkitError(
            f"{entry.origin}: {kind} '{name}': field '{field}': '{word}' is not known"
            f"{nearest(word, known)}"
        )


def _check_rows(rules: Ruleset) -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rules.rows.values():
        _known("row", row, "table", row.table, rules.tables)
        for name, conditions in (
            ("condition", row.condition),
            ("miss_condition", row.miss_condition),
        ):
            for switch, options in conditions.items():
                _known("row", row, name, switch, rules.switches)
                for option in options:
                    _known("row", row, f"{name}.{switch}", option, rules.switches[switch].options)
        table = rules.tables[row.table]
        place = (table.slot or table.on, row.id)
        if place in seen:
            raise CombatkitError(
                f"{row.origin}: row '{row.table}.{row.id}': table '{seen[place]}' has a row "
                f"'{row.id}' for the {place[0]} already; ids must differ"
            )
        seen[place] = row.table


def _check_combatant(rules: Ruleset, combatant: Combatant) -> None:
    natural = []
    for number, choice in enumerate(combatant.weapons):
        word = choice if isinstance(choice, str) else choice.base
        if word:
            _known("combatant", combatant, f"weapons.{number}", word, rules.weapons)
        if isinstance(choice, Weapon):
            natural.append(choice.id)
            source = choice.cite.source
            _known("combatant", combatant, f"weapons.{number}.cite", source, rules.sources)
    for field in ("armor", "shield"):
        worn = getattr(combatant, field)
        if isinstance(worn, str):
            _known("combatant", combatant, field, worn, rules.armors)
    for number, feat in enumerate(combatant.feats):
        name, _, bound = feat.partition(":")
        _known("combatant", combatant, f"feats.{number}", name, rules.feats)
        if bound:
            known = [*rules.weapons, *natural]
            _known("combatant", combatant, f"feats.{number}", bound, known)


def _check_states(rules: Ruleset) -> None:
    states = list(rules.states.values())
    seen: set[int | None] = set()
    for state in states:
        if state.lowest in seen or (state is states[-1] and state.lowest is not None):
            raise CombatkitError(
                f"{state.origin}: state '{state.id}': each state needs a 'lowest' of its own; "
                "only the last, dead, has none"
            )
        seen.add(state.lowest)
    if "dying" not in rules.states or len(states) < 2:
        raise CombatkitError(f"ruleset '{rules.id}': a state 'dying' above the last one is needed")


def _check_dying(rules: Ruleset) -> None:
    rule = rules.dying
    _known("section", rule, "first_aid_cite", rule.first_aid_cite.source, rules.sources)
    if rule.help_condition:
        known = rules.conditions["defender"]
        _known("section", rule, "help_condition", rule.help_condition, known)


def _check_lookups(rules: Ruleset) -> None:
    for entry in rules.lookups.values():
        for column in COLUMNS.get(entry.table, ()):
            try:
                entry.number(column)
            except CombatkitError as error:
                raise CombatkitError(f"{entry.origin}: {error}") from None
