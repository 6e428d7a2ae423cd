"""Check the words of a ruleset against each other once all its files are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from combatkit.errors import CombatkitError, nearest
from combatkit.rules.creature import Combatant
from combatkit.rules.ruleset import Ruleset


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
    for number, choice in enumerate(combatant.weapons):
        word = choice if isinstance(choice, str) else choice.base
        if word:
            _known("combatant", combatant, f"weapons.{number}", word, rules.weapons)
    for field in ("armor", "shield"):
        choice = getattr(combatant, field)
        if isinstance(choice, str):
            _known("combatant", combatant, field, choice, rules.armors)
    for number, feat in enumerate(combatant.feats):
        _known("combatant", combatant, f"feats.{number}", feat.partition(":")[0], rules.feats)


def _check_states(rules: Ruleset) -> None:
    lows = [state.lowest for state in rules.states.values()]
    whole = [low for low in lows[:-1] if low is not None]
    if (
        not lows
        or lows[-1] is not None
        or len(whole) != len(lows) - 1
        or whole != sorted(set(whole), reverse=True)
    ):
        raise CombatkitError(
            f"{rules.id}: each state needs a 'lowest' of its own; only the last, dead, has none"
        )
