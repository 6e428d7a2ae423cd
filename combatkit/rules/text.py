"""House rules as one text: what a link carries in place of a file."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

from combatkit.errors import CombatkitError
from combatkit.rules.load import load_ruleset
from combatkit.rules.read import built_in
from combatkit.rules.ruleset import Ruleset

NAME = "house_rules.toml"  # what messages call the text
LONGEST = 100_000  # characters


def load_text(text: str) -> Ruleset:
    """Load house rules from the text of a TOML file; no other file is opened for it.

    Parameters
    ----------
    text : str
        At most 100,000 characters; it extends built-in rules, or nothing.

    Returns
    -------
    Ruleset

    Raises
    ------
    CombatkitError
        For anything wrong in the text, and where it extends a file.

    Examples
    --------
    >>> rules = load_text('''[ruleset]
    ... id = "mine"
    ... title = "Mine"
    ... extends = "srd35"
    ...
    ... [choose]
    ... attack_tie = "misses"
    ... ''')
    >>> rules.title, rules.chosen["attack_tie"]
    ('Mine', 'misses')
    """
    _check(text)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, NAME)
        place.write_bytes(text.encode("utf-8", "replace"))
        return load_ruleset(place)


def text_of(path: str | Path) -> str:
    """Return the text of a house-rule file that :func:`load_text` reads.

    Raises
    ------
    CombatkitError
        For a folder, for a file that cannot be read, and for one that builds on another file.

    Notes
    -----
    What else is wrong in the file is said when the text is loaded.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise CombatkitError(f"{path}: the rules cannot be put into one text ({error})") from None
    _check(text)
    return text


def _check(text: str) -> None:
    """Raise what keeps a text from standing for a file."""
    if len(text) > LONGEST:
        raise CombatkitError(f"house rules of more than {LONGEST:,} characters make no link")
    base = _base(text)
    if base and base not in built_in():
        raise CombatkitError(
            f"house rules in a text can build on {', '.join(built_in())}, not on {base!r:.60}"
        )


def _base(text: str) -> str:
    """Return what the text extends; what else is wrong with it the loader says."""
    try:
        head = tomllib.loads(text).get("ruleset", {})
    except (ValueError, RecursionError):
        return ""
    return str(head.get("extends", "")) if isinstance(head, dict) else ""
