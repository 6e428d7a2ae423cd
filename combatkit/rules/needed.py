"""Check what the procedures in code ask a ruleset for; the list itself is :mod:`needs`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

from combatkit.errors import nearest
from combatkit.rules import needs
from combatkit.rules.modifier import Lookup, parse_number
from combatkit.rules.needs import Exact, Listed, Whole
from combatkit.rules.read import Problem, Raw, Written
from combatkit.rules.tables import LOOKUPS, Cell, Plain, Words

MOST_NAMED = 6  # entries that are missing, in one sentence


def needed_problems(written: Written, made: Mapping[str, dict[str, Any]]) -> Iterator[Problem]:
    """Yield what procedures need and do not find, what they cannot use, and what none reads."""
    numbers = {key: what for what, group in needs.NUMBERS.items() for key in group}
    switches = {key: what for what, group in needs.SWITCHES.items() for key in group}
    terms = {key: what for what, group in needs.TERMS.items() for key in group}
    types = dict.fromkeys(needs.BONUS_TYPES, "attack rolls and saves")
    lookups = {
        f"{table}.{row}": plain.what
        for table, plain in LOOKUPS.items()
        for row in plain.rows
        if not plain.optional
    }
    for section, wanted in (
        ("number", numbers),
        ("switch", switches),
        ("term", terms),
        ("bonus_type", types),
        ("lookup", lookups),
    ):
        yield from _missing(written, section, wanted)
    tested = {s for row in made["row"].values() for s in (*row.condition, *row.miss_condition)}
    for section, read in (
        ("number", numbers.keys()),
        ("switch", {*switches, *tested}),
        ("term", terms.keys()),
    ):
        for key in made[section].keys() - read:
            text = f"no rule asks for it{nearest(key, read)}"
            yield Problem(written.entries[section][key], text, "id")
    yield from _numbers(written, made)
    yield from _options(written, made)
    yield from _lookups(written, made)


def _missing(written: Written, section: str, wanted: Mapping[str, str]) -> Iterator[Problem]:
    there = written.entries.get(section, {})
    without = {what for what in needs.OPTIONAL if not any(wanted.get(k) == what for k in there)}
    gone: list[str] = []
    for key, what in wanted.items():
        if key in there or what in without:
            continue
        if raw := written.removed.get(section, {}).get(key):
            yield Problem(raw, f"cannot be removed: {what} cannot be worked out without it")
        else:
            gone.append(key)
    if gone:
        more = ", …" if len(gone) > MOST_NAMED else ""
        names = ", ".join(f"'{key}'" for key in gone[:MOST_NAMED])
        word = section.replace("_", " ")
        text = f'without {word} {names}{more} no fight works; extends = "srd35" brings them'
        yield Problem(written.at_head, text)


def _numbers(written: Written, made: Mapping[str, dict[str, Any]]) -> Iterator[Problem]:
    for group in needs.NUMBERS.values():
        for key, kind in group.items():
            if key in made["number"]:
                value = made["number"][key].value
                if why := _series(value, kind) if isinstance(kind, Listed) else _one(value, kind):
                    raw = written.entries["number"][key]
                    yield Problem(raw, f"field 'value': {why}", "value")


def _one(value: object, kind: Whole | Exact) -> str:
    if isinstance(value, tuple):
        return "one number is needed, not a list"
    number = Fraction(str(value))
    if isinstance(kind, Whole) and number.denominator > 1:
        return f"a whole number is needed, not {number}"
    if not kind.low <= number <= kind.high:
        return f"{kind.low} to {kind.high} is needed, not {number}"
    return ""


def _series(value: object, kind: Listed) -> str:
    numbers = value if isinstance(value, tuple) else (value,)
    if not kind.least <= len(numbers) <= kind.most:
        return f"{kind.least} to {kind.most} numbers are needed, not {len(numbers)}"
    if why := next(filter(None, (_one(one, Whole(kind.low, kind.high)) for one in numbers)), ""):
        return why
    rising = not kind.rises or all(low < high for low, high in pairwise(numbers))
    return "" if rising else "each number must be above the one before"


def _options(written: Written, made: Mapping[str, dict[str, Any]]) -> Iterator[Problem]:
    for group in needs.SWITCHES.values():
        for key, known in group.items():
            if key in made["switch"]:
                for option in made["switch"][key].options:
                    if option not in known:
                        text = f"field 'options': no rule knows '{option}'{nearest(option, known)}"
                        yield Problem(written.entries["switch"][key], text, "options")


def _lookups(written: Written, made: Mapping[str, dict[str, Any]]) -> Iterator[Problem]:
    ids = _Ids(written, made)
    for key, entry in made["lookup"].items():
        raw = written.entries["lookup"][key]
        if entry.table not in LOOKUPS:
            text = f"no rule asks for table '{entry.table}'{nearest(entry.table, LOOKUPS)}"
            yield Problem(raw, text, "table")
            continue
        plain = LOOKUPS[entry.table]
        rows = plain.rows or (ids.of(plain.row_ids) if plain.row_ids else ())
        gone = plain.row_ids and written.gone("row", entry.id, raw.depth)
        if rows and entry.id not in rows and not gone:
            text = f"{plain.what}: no rule asks for row '{entry.id}'{nearest(entry.id, rows)}"
            yield Problem(raw, text, "id")
        yield from _cells(raw, entry, plain, ids)


def _cells(raw: Raw, entry: Lookup, plain: Plain, ids: _Ids) -> Iterator[Problem]:
    columns: dict[str, Cell] = {**plain.needed, **plain.other}
    for name in plain.needed:
        if name not in entry.cells:
            yield Problem(raw, f"column '{name}' is missing", "cells")
    for name, cell in entry.cells.items():
        if name not in columns:
            text = f"column '{name}' is not known{nearest(name, columns)}"
            yield Problem(raw, text, "cells")
        elif why := _why_no_cell(cell, columns[name], ids, raw.depth):
            yield Problem(raw, f"column '{name}': {why}", "cells")


def _why_no_cell(cell: int | str, kind: Cell, ids: _Ids, depth: int) -> str:
    if isinstance(kind, Whole | Exact):
        try:
            return _one(parse_number(cell), kind)
        except ValueError:
            return f"a number is needed, not {cell!r:.60}"
    if not isinstance(cell, str):
        return f"a text is needed, not {cell}"
    if isinstance(kind, Words):
        known: Collection[str] = kind.words
        return f"'{cell}' is not valid{nearest(cell, known)}" if known and cell not in known else ""
    known = ids.of(kind.section)
    for word in cell.split():
        if word not in known and not ids.gone(kind.section, word, depth):
            return f"'{word}' is not known{nearest(word, known)}"
    return ""


class _Ids:
    """The ids that cells may name."""

    def __init__(self, written: Written, made: Mapping[str, dict[str, Any]]) -> None:
        self.written, self.made = written, made
        self.found: dict[str, frozenset[str]] = {}

    def of(self, section: str) -> frozenset[str]:
        if section not in self.found:
            self.found[section] = frozenset(self._find(section))
        return self.found[section]

    def gone(self, section: str, word: str, depth: int) -> bool:
        return self.written.gone(section.partition(".")[0], word, depth)

    def _find(self, section: str) -> Iterator[str]:
        if section.startswith("lookup."):
            name = section.partition(".")[2]
            yield from (e.id for e in self.made["lookup"].values() if e.table == name)
        elif section.endswith(" row"):
            tables = self.made["table"]
            for row in self.made["row"].values():
                if (table := tables.get(row.table)) is None:
                    continue
                if table.slot if section == "slot row" else section.startswith(table.on):
                    yield row.id
        else:
            yield from self.written.entries.get(section.replace(" ", "_"), {})
