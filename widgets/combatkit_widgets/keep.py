"""Keep: encounters and fighters as plain JSON files in a folder, each under its name."""

from __future__ import annotations

import json
import os
import re
import tempfile
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from combatkit.errors import CombatkitError
from combatkit.rules import Combatant
from combatkit.rules.validation import Model
from combatkit_widgets.encounter import FOE, Encounter

M = TypeVar("M", bound=Model)
Kind = Literal["encounters", "fighters"]
VERSION = 1
LONGEST = 80  # characters of a name
LAST = "last.json"


class Shelf:
    """A folder of kept encounters and fighters.

    Parameters
    ----------
    folder : str or Path
        Made when something is kept. ``encounters/`` and ``fighters/`` hold a file for each name;
        ``last.json`` what was shown last.

    Examples
    --------
    >>> import tempfile
    >>> shelf = Shelf(tempfile.mkdtemp())
    >>> shelf.keep("The bridge", Encounter(distance=30))
    >>> shelf.names("encounters"), shelf.encounter("The bridge").distance
    (['The bridge'], 30)
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def keep(self, name: str, what: Encounter | Combatant) -> None:
        """Keep an encounter or a fighter under a name, in place of what had that name.

        Raises
        ------
        CombatkitError
            For an empty name, or where the file cannot be written.
        """
        kind: Kind = "encounters" if isinstance(what, Encounter) else "fighters"
        self._write(self._path(kind, name), name.strip(), what)

    def names(self, kind: Kind) -> list[str]:
        """Names kept, sorted; a file that cannot be read is left out."""
        found = []
        for path in (self.folder / kind).glob("*.json"):
            try:
                found.append(str(_read(path)["name"]))
            except (CombatkitError, KeyError):
                continue
        return sorted(found, key=str.lower)

    def encounter(self, name: str) -> Encounter:
        """Return the encounter kept under a name.

        Raises
        ------
        CombatkitError
            When there is none, or its file is broken.
        """
        return self._get("encounters", name, Encounter)

    def fighter(self, name: str) -> Combatant:
        """Return the fighter kept under a name; raises like :meth:`encounter`."""
        return self._get("fighters", name, Combatant)

    @property
    def last(self) -> Encounter | None:
        """What was shown last; None where nothing was.

        Raises
        ------
        CombatkitError
            When it can no longer be worked out: the file is broken, or its rules are gone.
        """
        path = self.folder / LAST
        if not path.exists():
            return None
        encounter = _model(path, Encounter)
        rules = encounter.rules()
        for who in FOE:
            encounter.scenario(who, rules).fight(rules)
        return encounter

    @last.setter
    def last(self, encounter: Encounter) -> None:
        self._write(self.folder / LAST, "last", encounter)

    def set_aside(self) -> str:
        """Rename the file of what was shown last, which keeps it, and return its new name."""
        path = self.folder / LAST
        names = (path.with_name(f"last-unopened-{number}.json") for number in count(1))
        aside = next(name for name in names if not name.exists())
        try:
            path.rename(aside)
        except OSError:
            return path.name
        return aside.name

    def _path(self, kind: Kind, name: str) -> Path:
        words = name.strip()
        if not words or len(words) > LONGEST:
            raise CombatkitError(f"a name of 1 to {LONGEST} characters is needed")
        plain = re.sub(r"[^\w-]+", "-", words).strip("-")
        if not plain:
            raise CombatkitError(f"a name needs a letter or a digit, unlike {words!r}")
        return self.folder / kind / f"{plain}.json"

    def _get(self, kind: Kind, name: str, model: type[M]) -> M:
        path = self._path(kind, name)
        if not path.exists():
            raise CombatkitError(f"nothing is kept as {name!r}")
        return _model(path, model)

    def _write(self, path: Path, name: str, what: Model) -> None:
        data = {"combatkit": VERSION, "name": name, "value": json.loads(what.to_json())}
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # whole or not at all, even when the kernel is killed meanwhile
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=path.parent, suffix=".part", delete=False
            ) as part:
                part.write(text)
            os.replace(part.name, path)
        except (OSError, UnicodeError) as error:
            raise CombatkitError(f"{path}: the file cannot be written ({error})") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CombatkitError(f"{path}: the file cannot be read ({error})") from None
    if not isinstance(data, dict) or data.get("combatkit") != VERSION:
        raise CombatkitError(f"{path}: this is no file of combatkit, version {VERSION}")
    return data


def _model(path: Path, model: type[M]) -> M:
    return model.from_data(_read(path).get("value"), str(path))
