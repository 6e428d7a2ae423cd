"""Load a ruleset from TOML: read, extend, replace, remove, then check every word."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from combatkit.rules.check import Made, problems_of
from combatkit.rules.cite import Source
from combatkit.rules.creature import Combatant
from combatkit.rules.equipment import Armor, Weapon
from combatkit.rules.modifier import BonusType, Lookup, Number, Row, Switch, Table, Term
from combatkit.rules.procedure import ArmorClass, Dying, Feat, Stacking, State
from combatkit.rules.read import Problem, Written, built_in, read, tell
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.validation import Model, explain

LISTS: dict[str, type[Model]] = {
    "source": Source,
    "bonus_type": BonusType,
    "switch": Switch,
    "table": Table,
    "row": Row,
    "number": Number,
    "term": Term,
    "lookup": Lookup,
    "feat": Feat,
    "weapon": Weapon,
    "armor": Armor,
    "combatant": Combatant,
    "state": State,
}
SINGLES: dict[str, type[Model]] = {"stacking": Stacking, "armor_class": ArmorClass, "dying": Dying}


def load_ruleset(source: str | Path) -> Ruleset:
    """Load a rule system.

    Parameters
    ----------
    source : str or Path
        ``"srd35"``, ``"classic"``, ``"phased"``, or the path of a TOML file or of a folder of them.

    Returns
    -------
    Ruleset

    Raises
    ------
    CombatkitError
        For anything wrong in the files, all of it at once: file, line, id and field, and the
        nearest valid word. Its ``problems`` holds each by itself.

    Examples
    --------
    >>> rules = load_ruleset("srd35")
    >>> rules.rows["armor_class.prone"].melee
    -4
    >>> load_ruleset("srd53")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: no ruleset 'srd53', and no such file; did you mean 'srd35'?
    """
    return _load_built_in(str(source)) if str(source) in built_in() else _load(str(source))


@lru_cache(maxsize=8)
def _load_built_in(name: str) -> Ruleset:
    return _load(name)


def _load(source: str) -> Ruleset:
    written = read(source, frozenset(LISTS), frozenset(SINGLES))
    made = _make(written)
    for section in SINGLES:
        if not written.entries.get(section):
            gone = written.removed.get(section, {}).get(section, written.at_head)
            written.problems.append(Problem(gone, f"section [{section}] is missing"))
    problems = [*written.problems, *problems_of(written, made)]
    tell(problems, Path(source).name)
    return _build(written, made)


def _healthiest_first(states: dict[str, State]) -> dict[str, State]:
    """Order states by hit points, so that a house rule may add one anywhere."""
    lowest = {key: float("-inf") if s.lowest is None else s.lowest for key, s in states.items()}
    return {key: states[key] for key in sorted(states, key=lowest.__getitem__, reverse=True)}


def _table_by_table(rows: dict[str, Row], tables: list[str]) -> dict[str, Row]:
    """Keep the rows of a table together, wherever a house rule adds one."""
    place = {table: number for number, table in enumerate(tables)}
    ordered = sorted(rows, key=lambda key: place.get(rows[key].table, len(place)))
    return {key: rows[key] for key in ordered}


def _make(written: Written) -> Made:
    """Make every entry that can be made; why one cannot goes to the problems."""
    made: Made = {section: {} for section in (*LISTS, *SINGLES)}
    for section, model in {**LISTS, **SINGLES}.items():
        for key, raw in written.entries.get(section, {}).items():
            data = raw.data
            if section != "source":
                data = {**data, "origin": raw.file, "replaces": raw.replaces}
            try:
                made[section][key] = model.model_validate(data, context=made["source"])
            except (ValidationError, UnicodeError) as error:
                written.problems += [
                    Problem(raw, text, ".".join(path)) for path, text in explain(error, model)
                ]
    return made


def _build(written: Written, made: Made) -> Ruleset:
    chosen = {key: switch.default for key, switch in made["switch"].items()}
    chosen |= {switch: str(option) for switch, (option, _) in written.chosen.items()}
    return Ruleset(
        id=written.head.id,
        title=written.head.title,
        note=written.head.note,
        sources=made["source"],
        bonus_types=made["bonus_type"],
        switches=made["switch"],
        tables=made["table"],
        rows=_table_by_table(made["row"], list(made["table"])),
        numbers=made["number"],
        terms=made["term"],
        lookups=made["lookup"],
        feats=made["feat"],
        weapons=_filled_in(made["weapon"]),
        armors=made["armor"],
        combatants=made["combatant"],
        states=_healthiest_first(made["state"]),
        stacking=made["stacking"]["stacking"],
        armor_class=made["armor_class"]["armor_class"],
        dying=made["dying"]["dying"],
        chosen=chosen,
    )


def _filled_in(weapons: dict[str, Weapon]) -> dict[str, Weapon]:
    """Fill in what a weapon leaves out from its base; the check has seen that there is one."""

    def filled(weapon: Weapon) -> Weapon:
        return weapon.over(filled(weapons[weapon.base])) if weapon.base else weapon

    return {key: filled(weapon) for key, weapon in weapons.items()}
