"""The one exception family, and the nearest valid word for its messages."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

T = TypeVar("T")


class CombatkitError(Exception):
    """Something a player, referee or rules writer can put right.

    The message says what was wrong and where (file, id, field), and offers the nearest valid word.
    It is no ``ValueError`` on purpose: pydantic would swallow one raised inside a validator.

    Examples
    --------
    >>> raise CombatkitError("weapon 'longswrd' is not known; did you mean 'longsword'?")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: weapon 'longswrd' is not known; did you mean 'longsword'?
    """


def expect(value: Any, kind: type[T], what: str) -> T:
    """Return a value that is of the kind needed; refuse any other.

    Examples
    --------
    >>> expect("ogre", dict, "defender")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: defender: a dict is needed, not 'ogre'
    """
    if isinstance(value, kind):
        return value
    name = kind.__name__
    article = "an" if name[0] in "AEIOU" else "a"
    raise CombatkitError(f"{what}: {article} {name} is needed, not {value!r:.60}")


def check_word(value: object, words: Iterable[str], what: str) -> None:
    """Refuse whatever is not one of the words known.

    Examples
    --------
    >>> check_word("reflexes", ("fortitude", "reflex", "will"), "save")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: save 'reflexes' is not known; did you mean 'reflex'?
    """
    known = tuple(words)  # so that a list given is refused, and not unhashable
    if not isinstance(value, str) or value not in known:
        raise CombatkitError(f"{what} {value!r:.60} is not known{nearest(value, known)}")


def refuse_work(what: str, work: float, most: float, advice: str) -> None:
    """Refuse what takes more work than is done exactly, saying how much more.

    Parameters
    ----------
    what : str
        Subject of the sentence.
    work, most : float
        In any unit.
    advice : str
        What to ask for instead.

    Examples
    --------
    >>> refuse_work("this duel", 30, 10, "ask for approx=True")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: this duel: about 3.0 times the work that is done exactly; ...
    """
    if work > most:
        raise CombatkitError(
            f"{what}: about {work / most:.1f} times the work that is done exactly; {advice}"
        )


def nearest(word: object, choices: Iterable[object]) -> str:
    """Say which valid word is nearest, as the tail of a sentence.

    Parameters
    ----------
    word : object
        What was given.
    choices : iterable
        The valid words, shown as text.

    Returns
    -------
    str
        ``"; did you mean 'x'?"``, or the first valid words where nothing is near, or ``""``.

    Examples
    --------
    >>> nearest("longswrd", ["dagger", "longsword"])
    "; did you mean 'longsword'?"
    >>> nearest("xyz", ["dagger", "longsword"])
    '; valid: dagger, longsword'
    """
    known = sorted({str(choice) for choice in choices})
    given = str(word)[:100].lower()
    close = get_close_matches(given, known, n=1, cutoff=0.6)
    close = close or [choice for choice in known if given and choice.startswith(given)]
    if close:
        return f"; did you mean '{close[0]}'?"
    if not known:
        return ""
    shown = ", ".join(known[:12])
    return f"; valid: {shown}{', …' if len(known) > 12 else ''}"
