"""History: what was shown before, to go back to and forth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
MOST = 200  # steps remembered


@dataclass
class History(Generic[T]):
    """Values in the order they were shown, and the place of the present one.

    Examples
    --------
    >>> history = History(["a"])
    >>> history.add("b")
    >>> history.move(-1), history.can_undo, history.can_redo
    ('a', False, True)
    """

    values: list[T]
    place: int = field(default=0)

    def add(self, value: T) -> None:
        """Remember a new value after the present one; what was undone is forgotten."""
        if value != self.values[self.place]:
            self.values = [*self.values[: self.place + 1], value][-MOST:]
            self.place = len(self.values) - 1

    def move(self, steps: int) -> T:
        """Go some steps back (negative) or forth, as far as there are any."""
        self.place = min(max(0, self.place + steps), len(self.values) - 1)
        return self.values[self.place]

    @property
    def can_undo(self) -> bool:
        """Whether there is something before."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is something undone."""
        return self.place < len(self.values) - 1
