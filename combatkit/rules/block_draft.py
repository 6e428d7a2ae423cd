"""A combatant in the making: what the lines read so far gave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.errors import CombatkitError
from combatkit.rules.creature import Combatant

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Told(NamedTuple):
    """Something told of a stat block.

    Attributes
    ----------
    line : int
        Number of the line, from 1.
    text : str
        What stands there.
    why : str
        What was made of it, why it was not read, or what does not add up.
    """

    line: int
    text: str
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}: {self.why}"


@dataclass
class Draft:
    """Fields of the combatant, and printed facts that only the comparison needs.

    Attributes
    ----------
    facts : dict
        Name to what is printed and the line it stands in.
    levels : dict
        Levels by class, where the block names classes.
    """

    rules: Ruleset
    fields: dict[str, Any] = field(default_factory=dict)
    facts: dict[str, tuple[Any, Told]] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)
    derived: list[Told] = field(default_factory=list)
    unread: list[Told] = field(default_factory=list)
    line: int = 0
    text: str = ""

    def start(self, line: int, text: str) -> None:
        """Say which line is being read."""
        self.line, self.text = line, text[:300]

    def leave(self, text: str, why: str) -> None:
        """Leave something unread; what several lines repeat is told once."""
        if (text[:300], why) in {(told.text, told.why) for told in self.unread}:
            return
        self.unread.append(Told(self.line, text[:300], why))

    def fact(self, name: str, value: Any) -> None:
        """Keep what is printed for the comparison."""
        self.facts[name] = (value, Told(self.line, self.text, ""))

    def said(self, name: str, other: Any = None) -> Any:
        """Tell what is printed, where it is."""
        return self.facts[name][0] if name in self.facts else other

    def take(self, read: Callable[[], dict[str, Any]]) -> None:
        """Take the fields that a line gives, or leave the line unread with the reason."""
        facts, unread = dict(self.facts), len(self.unread)
        try:
            found = read()
            Combatant(**{**self.fields, **found})
        except (CombatkitError, ValueError) as error:
            self.facts = facts
            del self.unread[unread:]
            self.leave(self.text, str(error)[:300])
            return
        self.fields |= found
        if found or len(self.facts) > len(facts):
            self.derived.append(Told(self.line, self.text, _words(found) or "compared"))

    def combatant(self) -> Combatant:
        """Return the combatant as read."""
        return Combatant(**self.fields)

    def score(self, ability: str) -> int:
        """Ability score read; 10 where there is none."""
        return int(self.fields.get("abilities", {}).get(ability, 10))


def _words(found: dict[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {getattr(value, 'label', value)}"
        for name, value in found.items()
        if not name.startswith("printed_")
    )
