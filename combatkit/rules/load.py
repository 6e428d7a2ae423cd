"""Load a ruleset from TOML: read, extend, replace, remove, then check every word."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from pydantic import Field

from combatkit.errors import CombatkitError, check_word, nearest
from combatkit.rules.check import check_words
from combatkit.rules.cite import Source
from combatkit.rules.creature import Combatant
from combatkit.rules.equipment import Armor, Weapon
from combatkit.rules.modifier import Lookup, Number, Row, Switch, Table, Term
from combatkit.rules.procedure import ArmorClass, Dying, Feat, Stacking, State
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.validation import Model

LISTS: dict[str, type[Model]] = {
    "source": Source,
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


class Head(Model):
    """The ``[ruleset]`` section: what the ruleset is, and which one it builds on."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_]*$")
    title: str = Field(min_length=1)
    note: str = ""
    extends: str = ""


class Raw(NamedTuple):
    """An entry as written, and the file it was written in."""

    data: dict[str, Any]
    file: str
    replaces: str


Layer = dict[str, dict[str, Raw]]


class Choice(NamedTuple):
    """A reading chosen in a file."""

    option: object
    file: str


def built_in() -> tuple[str, ...]:
    """Ids of the rulesets that come with combatkit.

    Examples
    --------
    >>> built_in()
    ('classic', 'phased', 'srd35')
    """
    return tuple(
        sorted(item.name for item in _home().iterdir() if (item / "ruleset.toml").is_file())
    )


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
        For anything wrong in the files: it names file, id and field and the nearest valid word.

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
    return _build(*_collect(source, Path.cwd(), {}))


def _home() -> Path:
    return Path(__file__).parent.parent / "rulesets"


def _files(source: str, beside: Path) -> list[Path]:
    place = _home() / source if source in built_in() else beside / source
    try:
        if place.is_dir():
            found = sorted(place.glob("*.toml"))
            if not found:
                raise CombatkitError(f"folder '{source}' holds no .toml file")
            return found
        if place.is_file():
            return [place]
    except OSError:  # a name the file system will not even look at
        pass
    raise CombatkitError(
        f"no ruleset {source!r:.60}, and no such file{nearest(source, built_in())}"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (ValueError, OSError, RecursionError) as error:
        raise CombatkitError(f"{path.name}: this is not readable TOML ({error})") from None


def _collect(
    source: str, beside: Path, seen: dict[Path, str]
) -> tuple[Layer, Head, dict[str, Choice], str]:
    """Read a ruleset and everything it extends into one layer of raw entries."""
    paths = _files(source, beside)
    place = paths[0].resolve()
    if place in seen:
        raise CombatkitError(f"'extends' goes in a circle: {' -> '.join([*seen.values(), source])}")
    documents = [(path.name, _read(path)) for path in paths]
    name, head = _head(source, documents)
    layer, chosen = Layer(), dict[str, Choice]()
    if head.extends:
        try:
            _files(head.extends, paths[0].parent)
        except CombatkitError as missing:
            raise CombatkitError(f"{name}: [ruleset]: field 'extends': {missing}") from None
        layer, _, chosen, _ = _collect(head.extends, paths[0].parent, {**seen, place: source})
    own = Layer()
    for file, document in documents:
        for section, key, data in _entries(file, document):
            if key in own.setdefault(section, {}):
                raise CombatkitError(f"{file}: {section} '{key}' stands twice")
            below = layer.get(section, {}).get(key)
            own[section][key] = Raw(data, file, below.file if below else "")
        chosen |= {switch: Choice(option, file) for switch, option in _choices(file, document)}
    return _overlay(layer, own), head, chosen, name


def _head(source: str, documents: list[tuple[str, dict[str, Any]]]) -> tuple[str, Head]:
    heads = [(name, document["ruleset"]) for name, document in documents if "ruleset" in document]
    if len(heads) != 1 or not isinstance(heads[0][1], dict):
        raise CombatkitError(f"{source}: exactly one [ruleset] with 'id' and 'title' is needed")
    name, data = heads[0]
    return name, Head.from_data(data, f"{name}: [ruleset]")


def _choices(file: str, document: dict[str, Any]) -> Iterable[tuple[str, object]]:
    chosen = document.get("choose", {})
    if not isinstance(chosen, dict):
        raise CombatkitError(f"{file}: [choose] stands once, in single brackets")
    return chosen.items()


def _entries(file: str, document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for section, content in document.items():
        if section in ("ruleset", "choose"):
            continue
        if section in SINGLES:
            if not isinstance(content, dict):
                raise CombatkitError(f"{file}: [{section}] stands once, in single brackets")
            yield section, section, content
        elif section in LISTS:
            if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
                raise CombatkitError(f"{file}: [[{section}]] is a list, in double brackets")
            for number, data in enumerate(content, 1):
                yield section, _key(file, section, number, data), data
        else:
            check_word(section, {*LISTS, *SINGLES, "ruleset", "choose"}, f"{file}: section")


def _key(file: str, section: str, number: int, data: dict[str, Any]) -> str:
    needed = ("table", "id") if section in ("row", "lookup") else ("id",)
    for name in needed:
        where = f"{file}: {section} number {number}: field '{name}'"
        if name not in data:
            raise CombatkitError(f"{where} is missing")
        if not isinstance(data[name], str):
            raise CombatkitError(f"{where}: this is no text (got {data[name]!r:.60})")
    if "remove" in data and data["remove"] is not True:
        raise CombatkitError(f"{file}: {section} number {number}: field 'remove' can only be true")
    return ".".join(data[name] for name in needed)


def _overlay(layer: Layer, own: Layer) -> Layer:
    """Lay a ruleset's own entries over those it extends: same id replaces, ``remove`` drops."""
    result = {section: dict(entries) for section, entries in layer.items()}
    for section, entries in own.items():
        below = result.setdefault(section, {})
        for key, raw in entries.items():
            if not raw.data.get("remove"):
                below[key] = raw
            elif key not in below:
                raise CombatkitError(
                    f"{raw.file}: cannot remove {section} '{key}': it is not there"
                    f"{nearest(key, below)}"
                )
            else:
                del below[key]
                if section == "table":
                    result["row"] = {
                        row: kept
                        for row, kept in result.get("row", {}).items()
                        if kept.data["table"] != key or row in own.get("row", {})
                    }
    return result


def _healthiest_first(states: dict[str, State]) -> dict[str, State]:
    """Order states by hit points, so that a house rule may add one anywhere."""
    lowest = {key: float("-inf") if s.lowest is None else s.lowest for key, s in states.items()}
    return {key: states[key] for key in sorted(states, key=lowest.__getitem__, reverse=True)}


def _table_by_table(rows: dict[str, Row], tables: list[str]) -> dict[str, Row]:
    """Keep the rows of a table together, wherever a house rule adds one."""
    place = {table: number for number, table in enumerate(tables)}
    ordered = sorted(rows, key=lambda key: place.get(rows[key].table, len(place)))
    return {key: rows[key] for key in ordered}


def _build(layer: Layer, head: Head, chosen: dict[str, Choice], file: str) -> Ruleset:
    made: dict[str, dict[str, Any]] = {section: {} for section in LISTS}
    sources = layer.get("source", {})
    made["source"] = {
        key: Source.from_data(raw.data, f"{raw.file}: source '{key}'")
        for key, raw in sources.items()
    }
    for section, entries in layer.items():
        if section == "source":
            continue
        model = LISTS.get(section) or SINGLES[section]
        made.setdefault(section, {})
        for key, raw in entries.items():
            where = f"{raw.file}: {section} '{key}'"
            data = {**raw.data, "origin": raw.file, "replaces": raw.replaces}
            made[section][key] = model.from_data(data, where, made["source"])
    for section in SINGLES:
        if not made.get(section):
            raise CombatkitError(f"{file}: section [{section}] is missing")
    defaults = {key: switch.default for key, switch in made["switch"].items()}
    rules = Ruleset(
        id=head.id,
        title=head.title,
        note=head.note,
        sources=made["source"],
        switches=made["switch"],
        tables=made["table"],
        rows=_table_by_table(made["row"], list(made["table"])),
        numbers=made["number"],
        terms=made["term"],
        lookups=made["lookup"],
        feats=made["feat"],
        weapons=made["weapon"],
        armors=made["armor"],
        combatants=made["combatant"],
        states=_healthiest_first(made["state"]),
        stacking=made["stacking"]["stacking"],
        armor_class=made["armor_class"]["armor_class"],
        dying=made["dying"]["dying"],
        chosen=defaults,
    )
    check_words(rules)
    for switch, (option, file) in chosen.items():
        check_word(switch, rules.switches, f"{file}: [choose]: switch")
        try:
            rules = rules.with_switches(**{switch: cast(str, option)})
        except CombatkitError as error:
            raise CombatkitError(f"{file}: [choose]: {error}") from None
    return rules
