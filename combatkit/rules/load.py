"""Load a ruleset from TOML: read, extend, replace, remove, then check every word."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from combatkit.errors import CombatkitError, nearest
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
HEAD = {"ruleset", "choose"}


class Raw(NamedTuple):
    """An entry as written, and the file it was written in."""

    data: dict[str, Any]
    file: str
    replaces: str


Layer = dict[str, dict[str, Raw]]


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
    layer, head, chosen = _collect(source, Path.cwd(), ())
    return _build(layer, head, chosen)


def _home() -> Path:
    return Path(__file__).parent.parent / "rulesets"


def _files(source: str, beside: Path) -> list[Path]:
    place = _home() / source if source in built_in() else beside / source
    if place.is_dir():
        found = sorted(place.glob("*.toml"))
        if not found:
            raise CombatkitError(f"folder '{source}' holds no .toml file")
        return found
    if place.is_file():
        return [place]
    raise CombatkitError(f"no ruleset {source!r}, and no such file{nearest(source, built_in())}")


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise CombatkitError(f"{path.name}: this is not readable TOML ({error})") from None


def _collect(
    source: str, beside: Path, seen: tuple[str, ...]
) -> tuple[Layer, dict[str, Any], dict[str, str]]:
    """Read a ruleset and everything it extends into one layer of raw entries."""
    if source in seen:
        raise CombatkitError(f"'extends' goes in a circle: {' -> '.join([*seen, source])}")
    paths = _files(source, beside)
    documents = [(path.name, _read(path)) for path in paths]
    heads = [(name, document["ruleset"]) for name, document in documents if "ruleset" in document]
    if len(heads) != 1 or not isinstance(heads[0][1], dict):
        raise CombatkitError(f"{source}: exactly one [ruleset] with 'id' and 'title' is needed")
    name, head = heads[0]
    for key in head:
        if key not in ("id", "title", "note", "extends"):
            known = ("id", "title", "note", "extends")
            raise CombatkitError(
                f"{name}: [ruleset]: field '{key}' is not known{nearest(key, known)}"
            )
    layer, chosen = Layer(), dict[str, str]()
    if "extends" in head:
        layer, _, chosen = _collect(str(head["extends"]), paths[0].parent, (*seen, source))
    own = Layer()
    for file, document in documents:
        for section, key, data in _entries(file, document):
            if key in own.setdefault(section, {}):
                raise CombatkitError(f"{file}: {section} '{key}' stands twice")
            below = layer.get(section, {}).get(key)
            own[section][key] = Raw(data, file, below.file if below else "")
        chosen |= document.get("choose", {})
    return _overlay(layer, own), head, chosen


def _entries(file: str, document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for section, content in document.items():
        if section in HEAD:
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
            known = {*LISTS, *SINGLES, *HEAD}
            raise CombatkitError(
                f"{file}: section '{section}' is not known{nearest(section, known)}"
            )


def _key(file: str, section: str, number: int, data: dict[str, Any]) -> str:
    needed = ("table", "id") if section in ("row", "lookup") else ("id",)
    for name in needed:
        if not isinstance(data.get(name), str):
            raise CombatkitError(f"{file}: {section} number {number}: field '{name}' is missing")
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
                        for row, kept in result["row"].items()
                        if kept.data["table"] != key or row in own.get("row", {})
                    }
    return result


def _healthiest_first(states: dict[str, State]) -> dict[str, State]:
    """Order states by hit points, so that a house rule may add one anywhere."""
    lowest = {key: float("-inf") if s.lowest is None else s.lowest for key, s in states.items()}
    return {key: states[key] for key in sorted(states, key=lowest.__getitem__, reverse=True)}


def _build(layer: Layer, head: dict[str, Any], chosen: dict[str, str]) -> Ruleset:
    made: dict[str, dict[str, Any]] = {section: {} for section in LISTS}
    for section, entries in layer.items():
        model = LISTS.get(section) or SINGLES[section]
        made.setdefault(section, {})
        for key, raw in entries.items():
            where = f"{raw.file}: {section} '{key}'"
            extra = {"origin": raw.file, "replaces": raw.replaces} if section != "source" else {}
            made[section][key] = model.from_data({**raw.data, **extra}, where)
    for section in SINGLES:
        if section not in made:
            raise CombatkitError(f"{head.get('id', 'ruleset')}: section [{section}] is missing")
    defaults = {key: switch.default for key, switch in made["switch"].items()}
    rules = Ruleset(
        id=str(head.get("id", "")),
        title=str(head.get("title", "")),
        note=str(head.get("note", "")),
        sources=made["source"],
        switches=made["switch"],
        tables=made["table"],
        rows=made["row"],
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
    return rules.with_switches(**chosen) if chosen else rules
