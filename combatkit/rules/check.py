"""Check a ruleset once all its files are read: words that point nowhere, and what code needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from combatkit.errors import nearest
from combatkit.prob import dice
from combatkit.rules import needs
from combatkit.rules.equipment import Armor, Weapon
from combatkit.rules.needed import needed_problems
from combatkit.rules.read import Problem, Raw, Written

Made = dict[str, dict[str, Any]]
BOTH = ("attacker", "defender")
ANY = (*BOTH, "slot")  # cover and concealment are rows chosen for a slot
# fields of a feat that name rows, and whose rows they may be
ROWS_OF_FEATS = {
    "cancels": ("attacker",),
    "cancels_target": ("defender", "slot"),
    "shrugs_off": ANY,
    "keeps_dexterity": ANY,
}
# fields of which a feat needs one for its limits to limit anything
GIVES = ("bonuses", "grants", "further", "apart", *ROWS_OF_FEATS)
HEALTHIEST_FIRST = ("up", "disabled", "dying")


def problems_of(written: Written, made: Made) -> Iterator[Problem]:
    """Yield all that is wrong between the entries of a ruleset.

    Entries that are wrong in themselves are no longer among those made; words that name them
    still point somewhere.
    """
    check = _Check(written, made)
    yield from check.references()
    yield from check.rows()
    yield from check.tables()
    yield from check.feats()
    yield from check.combatants()
    yield from check.bases()
    yield from check.dice()
    yield from check.states()
    yield from check.dying()
    yield from check.stacking()
    yield from check.chosen()
    yield from needed_problems(written, made)


class _Check:
    """The words of a ruleset, held against each other."""

    def __init__(self, written: Written, made: Made) -> None:
        self.written, self.made = written, made
        self.sides = {side: self._ids_on(side) for side in ANY}

    def _ids_on(self, side: str) -> dict[str, str]:
        """Ids of the rows that can be ticked for a side, with their keys."""
        tables = self.made["table"]
        return {
            row.id: key
            for key, row in self.made["row"].items()
            if row.table in tables
            and ("slot" if tables[row.table].slot else tables[row.table].on) == side
        }

    def raw(self, section: str, key: str) -> Raw:
        return self.written.entries[section][key]

    def _each(self, section: str) -> Iterator[tuple[str, Any]]:
        yield from self.made[section].items()

    def references(self) -> Iterator[Problem]:
        """Words that name an entry of a section, each entry of theirs blamed once."""
        used: dict[tuple[str, str], list[str]] = {}
        for section, key, field, target, word in self._words():
            if word in self.written.entries.get(target, {}):
                continue
            if word in self.written.removed.get(target, {}):
                by = f"{self.raw(section, key).name} (field '{field}')"
                used.setdefault((target, word), []).append(by)
                continue
            known = self.written.entries.get(target, {})
            text = f"field '{field}': '{word}' is not known{nearest(word, known)}"
            yield Problem(self.raw(section, key), text, field)
        for (target, word), users in used.items():
            others = " and by others" if len(users) > 1 else ""
            raw = self.written.removed[target][word]
            yield Problem(raw, f"cannot be removed: it is still named by {users[0]}{others}")

    def _words(self) -> Iterator[tuple[str, str, str, str, str]]:
        """Every word that names an entry: section, key and field, and what it should be."""
        for section in self.made:
            for key, entry in self._each(section):
                if section != "source":
                    yield section, key, "cite", "source", entry.cite.source
                for field, target, word in _named(section, entry):
                    yield section, key, field, target, word

    def rows(self) -> Iterator[Problem]:
        seen: dict[tuple[str, str], str] = {}
        for key, row in self._each("row"):
            yield from self._conditions(key, row)
            if row.table not in self.made["table"]:
                continue
            table = self.made["table"][row.table]
            yield from self._rows_named("row", key, "excludes", row.excludes, table.on)
            place = (table.slot or table.on, row.id)
            if place in seen:
                text = (
                    f"table '{seen[place]}' has a row '{row.id}' for the {place[0]} already; "
                    "ids must differ"
                )
                yield Problem(self.raw("row", key), text, "id")
            seen[place] = row.table

    def _conditions(self, key: str, row: Any) -> Iterator[Problem]:
        for name in ("condition", "miss_condition"):
            for switch, options in getattr(row, name).items():
                for option in options if switch in self.made["switch"] else ():
                    known = self.made["switch"][switch].options
                    if option not in known:
                        yield self._no_option(key, f"{name}.{switch}", switch, option, known)

    def _no_option(
        self, key: str, field: str, switch: str, option: str, known: Iterable[str]
    ) -> Problem:
        row, rule = self.raw("row", key), self.raw("switch", switch)
        if rule.depth > row.depth:  # the row is not the writer's own
            text = f"field 'options': '{option}' is left out, but {row.name} counts under it"
            return Problem(rule, text, "options")
        return self._unknown("row", key, field, option, known)

    def _unknown(
        self, section: str, key: str, field: str, word: str, known: Iterable[str]
    ) -> Problem:
        text = f"field '{field}': '{word}' is not known{nearest(word, known)}"
        return Problem(self.raw(section, key), text, field)

    def tables(self) -> Iterator[Problem]:
        for key, table in self._each("table"):
            if table.to not in needs.TABLE_TARGETS:
                words = ", ".join(needs.TABLE_TARGETS)
                text = f"field 'to': no table changes '{table.to}'; valid: {words}"
                yield Problem(self.raw("table", key), text, "to")
            if table.slot and (table.on, table.to) != ("defender", "armor_class"):
                text = (
                    f"field 'slot': {table.slot} is the defender's and changes armor class; "
                    'it needs on = "defender" and to = "armor_class"'
                )
                yield Problem(self.raw("table", key), text, "slot")

    def feats(self) -> Iterator[Problem]:
        for key, feat in self._each("feat"):
            for field, sides in ROWS_OF_FEATS.items():
                yield from self._rows_named("feat", key, field, getattr(feat, field), *sides)
            for number, bonus in enumerate(feat.bonuses):
                field = f"bonuses.{number}.rows"
                yield from self._rows_named("feat", key, field, bonus.rows, *BOTH)
            for number, bonus in enumerate(feat.bonuses):
                if bonus.to not in needs.FEAT_TARGETS:
                    words = ", ".join(needs.FEAT_TARGETS)
                    text = (
                        f"field 'bonuses.{number}.to': no feat adds to '{bonus.to}'; valid: {words}"
                    )
                    yield Problem(self.raw("feat", key), text, "bonuses")
            if feat.counts and not any(getattr(feat, field) for field in GIVES):
                for field in ("mode", "within", "weapon_bound", "weapons", "unarmored"):
                    if getattr(feat, field):
                        text = f"field '{field}': there is nothing it limits"
                        yield Problem(self.raw("feat", key), text, field)

    def _rows_named(
        self, section: str, key: str, field: str, words: Iterable[str], *sides: str
    ) -> Iterator[Problem]:
        """Rows of these sides that are named; rules above may have removed them."""
        depth = self.raw(section, key).depth
        known = {word for side in sides for word in self.sides[side]}
        for word in words:
            if word not in known and not self.written.gone("row", word, depth):
                yield self._unknown(section, key, field, word, known)

    def combatants(self) -> Iterator[Problem]:
        for key, one in self._each("combatant"):
            for slot in ("armor", "shield"):
                worn = getattr(one, slot)
                armor = worn if isinstance(worn, Armor) else self.made["armor"].get(worn)
                if armor and (armor.kind == "shield") != (slot == "shield"):
                    what = "a shield" if slot == "armor" else "no shield"
                    text = f"field '{slot}': '{armor.id or armor.label}' is {what}"
                    yield Problem(self.raw("combatant", key), text, slot)

    def bases(self) -> Iterator[Problem]:
        """Weapons that are their own base in the end."""
        weapons = self.made["weapon"]
        for key, weapon in weapons.items():
            way, below = [key], weapon.base
            while below in weapons and below not in way:
                way.append(below)
                below = weapons[below].base
            if below == key:
                text = f"field 'base': it is its own base ({' -> '.join([*way, key])})"
                yield Problem(self.raw("weapon", key), text, "base")

    def dice(self) -> Iterator[Problem]:
        """Damage that is below 0 whatever is rolled."""
        own = (
            ("combatant", key, f"weapons.{number}.", held)
            for key, one in self._each("combatant")
            for number, held in enumerate(one.weapons)
            if isinstance(held, Weapon)
        )
        listed = (("weapon", key, "", weapon) for key, weapon in self._each("weapon"))
        for section, key, before, weapon in (*listed, *own):
            for size, text in weapon.damage.items():
                if "-" in text and dice(text).maximum < 0:
                    field = f"{before}damage.{size}"
                    why = f"field '{field}': '{text}' is never 0 or more"
                    yield Problem(self.raw(section, key), why, field)

    def states(self) -> Iterator[Problem]:
        states = self.made["state"]
        deadly = [key for key, state in states.items() if state.lowest is None]
        for key, state in states.items():
            same = [other for other in states if states[other].lowest == state.lowest]
            if key != same[0]:
                text = (
                    "each state needs a 'lowest' of its own; only the last, dead, has none "
                    f"('{same[0]}' has the same)"
                )
                yield Problem(self.raw("state", key), text, "lowest")
        known = [states[key] for key in HEALTHIEST_FIRST if key in states]
        for better, worse in pairwise(known):
            if (better.lowest, worse.lowest) != (None, None) and not _above(better, worse):
                text = f"field 'lowest': '{better.id}' must end above '{worse.id}'"
                culprit = max(better.id, worse.id, key=lambda key: self.raw("state", key).depth)
                yield Problem(self.raw("state", culprit), text, "lowest")
        if "dying" not in self.written.entries.get("state", {}) or not deadly:
            gone = self.written.removed.get("state", {}).get("dying")
            text = "a state 'dying' is needed, and one without 'lowest' below it"
            yield Problem(gone or self.written.at_head, text)

    def dying(self) -> Iterator[Problem]:
        rule = self.made["dying"].get("dying")
        if rule and (word := rule.help_condition):
            yield from self._rows_named("dying", "dying", "help_condition", [word], "defender")

    def stacking(self) -> Iterator[Problem]:
        if not (rule := self.made["stacking"].get("stacking")):
            return
        raw = self.raw("stacking", "stacking")
        must = {"untyped", "base", *map(str, self.written.stacked)}
        for word in sorted(must - {*rule.stacks, *rule.highest_only}):
            text = (
                f"field 'stacks': '{word}' is left out, which stacks in the rules below; where "
                f"only the highest shall count, name it in 'highest_only'"
            )
            yield Problem(raw, text, "stacks")
        for word in {*rule.stacks} & {*rule.highest_only}:
            text = f"field 'highest_only': '{word}' stands in 'stacks' as well"
            yield Problem(raw, text, "highest_only")

    def chosen(self) -> Iterator[Problem]:
        for switch, (option, raw) in self.written.chosen.items():
            if switch not in self.written.entries.get("switch", {}):
                text = f"switch '{switch}' is not known{nearest(switch, self.made['switch'])}"
                yield Problem(raw, text, switch)
            elif switch in self.made["switch"]:
                known = self.made["switch"][switch].options
                if not isinstance(option, str) or option not in known:
                    text = f"option {option!r:.60} of switch '{switch}' is not known"
                    yield Problem(raw, f"{text}{nearest(option, known)}", switch)


def _above(better: Any, worse: Any) -> bool:
    return worse.lowest is None or (better.lowest is not None and better.lowest > worse.lowest)


def _named(section: str, entry: Any) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of an entry that name another: field, its section, the word."""
    if section == "row":
        yield "table", "table", entry.table
        for name in ("condition", "miss_condition"):
            for switch in getattr(entry, name):
                yield name, "switch", switch
    if section in ("row", "term"):
        yield "type", "bonus_type", entry.type
    if section in ("feat", "combatant"):
        for number, bonus in enumerate(entry.bonuses):
            yield f"bonuses.{number}.type", "bonus_type", bonus.type
    if section in ("stacking", "armor_class"):
        for name in TYPES_IN[section]:
            for number, word in enumerate(getattr(entry, name)):
                yield f"{name}.{number}", "bonus_type", word
    if section == "dying":
        yield "first_aid_cite", "source", entry.first_aid_cite.source
    if section == "stacking":
        for word, line in entry.improves.items():
            yield "improves", "bonus_type", word
            yield "improves", "term", line
    if section == "feat":
        for number, word in enumerate(entry.weapons):
            yield f"weapons.{number}", "weapon", word
    if section == "weapon" and entry.base:
        yield "base", "weapon", entry.base
    if section == "combatant":
        yield from _held(entry)


TYPES_IN = {
    "stacking": ("stacks", "penalties_highest_only", "highest_only"),
    "armor_class": ("touch_ignores", "lost_with_dexterity"),
}


def _held(combatant: Any) -> Iterator[tuple[str, str, str]]:
    for number, held in enumerate(combatant.weapons):
        word = held if isinstance(held, str) else held.base
        if word:
            yield f"weapons.{number}", "weapon", word
        if isinstance(held, Weapon):
            yield f"weapons.{number}.cite", "source", held.cite.source
    for slot in ("armor", "shield"):
        worn = getattr(combatant, slot)
        if isinstance(worn, str):
            yield slot, "armor", worn
    own = [held.id for held in combatant.weapons if isinstance(held, Weapon)]
    for number, feat in enumerate(combatant.feats):
        name, _, bound = feat.partition(":")
        yield f"feats.{number}", "feat", name
        if bound and bound not in own:
            yield f"feats.{number}", "weapon", bound
