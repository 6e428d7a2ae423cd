"""Read the files of a ruleset and of those it extends into one layer of entries as written."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from combatkit.errors import CombatkitError, all_told, nearest
from combatkit.rules.place import line_of
from combatkit.rules.validation import Model, explain

KEYED_BY_TABLE = ("row", "lookup")
SET_BY_LOADER = ("origin", "replaces")


class Head(Model):
    """The ``[ruleset]`` section: what the ruleset is, and which one it builds on."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_]*$")
    title: str = Field(min_length=1)
    note: str = ""
    extends: str = ""


class Raw(NamedTuple):
    """An entry as written, and where: the nth of its section in a file, 0 for the section itself.

    ``depth`` counts the rulesets below the one it stands in; ``replaces`` is the file of the entry
    it replaced.
    """

    data: dict[str, Any]
    path: Path
    section: str
    number: int
    depth: int = 0
    replaces: str = ""

    @property
    def file(self) -> str:
        """Name of the file."""
        return self.path.name

    @property
    def name(self) -> str:
        """What messages call it, such as ``row 'attack.prone'``; a section by its head."""
        if self.section in ("stacking", "armor_class", "dying", "choose", "ruleset"):
            return f"[{self.section}]"
        if not self.number:
            return f"section '{self.section}'"
        parts = ("table", "id") if self.section in KEYED_BY_TABLE else ("id",)
        if not all(isinstance(self.data.get(part), str) for part in parts):
            return f"{self.section.replace('_', ' ')} number {self.number}"
        key = ".".join(self.data[part] for part in parts)
        return f"{self.section.replace('_', ' ')} '{key}'"


class Problem(NamedTuple):
    """Something wrong, and where it is written."""

    raw: Raw
    text: str
    field: str = ""

    def told(self, texts: dict[Path, str]) -> tuple[str, int, str]:
        """File, line and sentence; ``texts`` remembers the files read."""
        raw = self.raw
        if raw.path not in texts:
            texts[raw.path] = raw.path.read_text("utf-8", "replace")
        entry = raw.data.get("id", "")
        line = line_of(texts[raw.path], raw.section, raw.number or 1, str(entry), self.field)
        return str(raw.path), line, f"{raw.file}, line {line}: {raw.name}: {self.text}"


def tell(problems: list[Problem], what: str) -> None:
    """Raise one error of all problems, by file and line; nothing where there are none."""
    if problems:
        texts: dict[Path, str] = {}
        told = sorted(dict.fromkeys(problem.told(texts) for problem in problems))
        raise all_told([sentence for _, _, sentence in told], what)


Layer = dict[str, dict[str, Raw]]


@dataclass
class Written:
    """All that a ruleset and those below it say.

    Attributes
    ----------
    head : Head
    at_head : Raw
        The ``[ruleset]`` section, for what is nowhere else.
    entries, removed : dict
        By section and key: entries in force, and where others were removed.
    chosen : dict
        Readings chosen, by switch.
    stacked : tuple of str
        Bonus types that stack in the rules below, where this one says anew what does.
    problems : list of Problem
    """

    head: Head
    at_head: Raw
    depth: int = 0
    entries: Layer = field(default_factory=dict)
    removed: Layer = field(default_factory=dict)
    chosen: dict[str, tuple[object, Raw]] = field(default_factory=dict)
    stacked: tuple[object, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    def gone(self, section: str, word: str, depth: int) -> bool:
        """Whether rules above this depth have removed what is named; a row by its id will do."""
        return any(
            raw.depth > depth and (key == word or key.endswith(f".{word}"))
            for key, raw in self.removed.get(section, {}).items()
        )

    def add(self, own: Layer) -> None:
        """Lay a ruleset's own entries over those below: same id replaces, ``remove`` drops."""
        tables = {key: raw for key, raw in own.get("table", {}).items() if raw.data.get("remove")}
        rows = self.entries.get("row", {})
        for key in [key for key, raw in rows.items() if raw.data["table"] in tables]:
            self.removed.setdefault("row", {})[key] = tables[rows.pop(key).data["table"]]
        for section, entries in own.items():
            below = self.entries.setdefault(section, {})
            known = list(below)
            for key, raw in entries.items():
                if raw.data.get("remove"):
                    self._remove(section, key, raw)
                else:
                    self._lay(section, key, raw, known)

    def _remove(self, section: str, key: str, raw: Raw) -> None:
        below = self.entries[section]
        if key in below:
            del below[key]
            self.removed.setdefault(section, {})[key] = raw
        elif key not in self.removed.get(section, {}):  # gone with its table
            text = f"cannot be removed: it is not there{nearest(key, below)}"
            self.problems.append(Problem(raw, text, "id"))

    def _lay(self, section: str, key: str, raw: Raw, known: list[str]) -> None:
        new, below = raw.data.get("new", False), self.entries[section]
        data = {name: value for name, value in raw.data.items() if name != "new"}
        if new and key in known:
            self.problems.append(Problem(raw, "it is not new: one of that id is there", "new"))
        elif not new and key not in known and (near := _slip_of(section, key, known)):
            text = f"it is one letter off '{near}'; write that id to replace it, or new = true"
            self.problems.append(Problem(raw, text, "id"))
        replaces = below[key].file if key in below else ""
        if section == "stacking" and key in below:
            self.stacked = tuple(below[key].data.get("stacks", ()))
        below[key] = raw._replace(data=data, replaces=replaces)
        self.removed.get(section, {}).pop(key, None)


# sections where an entry of a new id counts by itself; elsewhere nothing would read it
MAY_BE_NEW = frozenset(
    {"source", "bonus_type", "table", "row", "feat", "weapon", "armor", "combatant", "state"}
)


def _slip_of(section: str, key: str, known: list[str]) -> str:
    """Return the known key that a new one may be a slip of, or nothing."""
    if section not in MAY_BE_NEW:
        return ""
    return next((other for other in known if one_slip(key, other)), "")


def one_slip(word: str, other: str) -> bool:
    """Whether two words differ by one slip of the keyboard; a digit is no slip.

    Examples
    --------
    >>> [one_slip("flankng", word) for word in ("flanking", "flaknng", "flank")]
    [True, True, False]
    """
    if abs(len(word) - len(other)) > 1 or word == other or min(len(word), len(other)) < 4:
        return False
    start = next(
        (n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b),
        min(len(word), len(other)),
    )
    mine, theirs = word[start:], other[start:]
    if (mine[:1] + theirs[:1]).strip("0123456789") != mine[:1] + theirs[:1]:
        return False
    swapped = mine[:2] == theirs[:2][::-1] and mine[2:] == theirs[2:]
    return swapped or mine[1:] == theirs or mine == theirs[1:] or mine[1:] == theirs[1:]


def home() -> Path:
    """Folder of the built-in rulesets."""
    return Path(__file__).parent.parent / "rulesets"


def built_in() -> tuple[str, ...]:
    """Ids of the rulesets that come with combatkit.

    Examples
    --------
    >>> built_in()
    ('classic', 'phased', 'srd35')
    """
    return tuple(
        sorted(item.name for item in home().iterdir() if (item / "ruleset.toml").is_file())
    )


def read(source: str, lists: frozenset[str], singles: frozenset[str]) -> Written:
    """Read a ruleset and all that it extends."""
    return _collect(source, Path.cwd(), {}, Sections(lists, singles))


class Sections(NamedTuple):
    """Sections in double brackets, and those in single ones."""

    lists: frozenset[str]
    singles: frozenset[str]


def _files(source: str, beside: Path) -> list[Path]:
    place = home() / source if source in built_in() else beside / source
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


def _documents(source: str, paths: list[Path]) -> list[tuple[Path, dict[str, Any]]]:
    documents, unreadable = [], []
    for path in paths:
        try:
            with path.open("rb") as file:
                documents.append((path, tomllib.load(file)))
        except (ValueError, OSError, RecursionError) as error:
            unreadable.append(f"{path.name}: this is not readable TOML ({error})")
    if unreadable:
        raise all_told(unreadable, source)
    return documents


def _collect(source: str, beside: Path, seen: dict[Path, str], sections: Sections) -> Written:
    paths = _files(source, beside)
    place = paths[0].resolve()
    if place in seen:
        raise CombatkitError(f"'extends' goes in a circle: {' -> '.join([*seen.values(), source])}")
    documents = _documents(source, paths)
    head, at_head = _head(source, documents)
    written = Written(head, at_head)
    if head.extends:
        try:
            _files(head.extends, paths[0].parent)
        except CombatkitError as missing:
            tell([Problem(at_head, f"field 'extends': {missing}", "extends")], source)
        below = _collect(head.extends, paths[0].parent, {**seen, place: source}, sections)
        written = below
        written.head, written.at_head, written.depth = head, at_head, below.depth + 1
    own: Layer = {}
    for path, document in documents:
        for raw in _entries(path, document, sections, written):
            key = _key(raw, sections)
            if key in own.setdefault(raw.section, {}):
                written.problems.append(Problem(raw, "it stands twice", "id"))
            own[raw.section][key] = raw
    written.add(own)
    return written


def _head(source: str, documents: list[tuple[Path, dict[str, Any]]]) -> tuple[Head, Raw]:
    heads = [(path, document["ruleset"]) for path, document in documents if "ruleset" in document]
    if len(heads) != 1 or not isinstance(heads[0][1], dict):
        raise CombatkitError(f"{source}: exactly one [ruleset] with 'id' and 'title' is needed")
    path, data = heads[0]
    at_head = Raw(data, path, "ruleset", 1)
    try:
        return Head.model_validate(data), at_head
    except (ValidationError, UnicodeError) as error:
        tell([Problem(at_head, text, ".".join(way)) for way, text in explain(error, Head)], source)
        raise  # never reached: there is a problem to tell


def _entries(
    path: Path, document: dict[str, Any], sections: Sections, written: Written
) -> Iterator[Raw]:
    """Yield the entries of a file; what is no entry goes to the problems."""
    for section, content in document.items():
        whole = Raw({}, path, section, 0, written.depth)
        problem = ""
        if section == "ruleset":
            continue
        if section == "choose" or section in sections.singles:
            if not isinstance(content, dict):
                problem = "it stands once, in single brackets"
            elif section == "choose":
                chosen = whole._replace(data=content)
                written.chosen |= {switch: (option, chosen) for switch, option in content.items()}
            else:
                problem = _why_no_entry(raw := whole._replace(data=content), ())
                if not problem:
                    yield raw
        elif section in sections.lists:
            if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
                problem = "it is a list, in double brackets"
            else:
                yield from _listed(path, section, content, written)
        else:
            words = {*sections.lists, *sections.singles, "ruleset", "choose"}
            problem = f"there is none of that name{nearest(section, words)}"
        if problem:
            written.problems.append(Problem(whole, problem))


def _listed(
    path: Path, section: str, content: list[dict[str, Any]], written: Written
) -> Iterator[Raw]:
    needed = ("table", "id") if section in KEYED_BY_TABLE else ("id",)
    for number, data in enumerate(content, 1):
        raw = Raw(data, path, section, number, written.depth)
        if problem := _why_no_entry(raw, needed):
            written.problems.append(Problem(raw, problem))
        else:
            yield raw


def _why_no_entry(raw: Raw, needed: tuple[str, ...]) -> str:
    for name in needed:
        if name not in raw.data:
            return f"field '{name}' is missing"
        if not isinstance(raw.data[name], str):
            return f"field '{name}': a text is needed (got {raw.data[name]!r:.60})"
    for name in ("remove", "new"):
        if needed and name in raw.data and raw.data[name] is not True:
            return f"field '{name}' can only be true"
    for part in (raw.data, *_within(raw.data)):
        if by_hand := next((name for name in SET_BY_LOADER if name in part), ""):
            return f"field '{by_hand}' is filled in when the file is read; leave it out"
    return ""


def _within(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what an entry holds in itself: a creature's own weapons and armor."""
    for value in data.values():
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                yield part


def _key(raw: Raw, sections: Sections) -> str:
    if raw.section in sections.singles:
        return raw.section
    parts = ("table", "id") if raw.section in KEYED_BY_TABLE else ("id",)
    return ".".join(raw.data[part] for part in parts)
