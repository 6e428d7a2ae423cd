"""The tally: every modifier listed, those that count added up, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from combatkit.rules.cite import Citation
from combatkit.rules.modifier import Entry
from combatkit.rules.procedure import Stacking


@dataclass(frozen=True, slots=True)
class Line:
    """One modifier of a tally.

    Attributes
    ----------
    id, label : str
    value : int
    type : str
        Bonus type, for stacking.
    cite : Citation
        Where the rule stands.
    counted : bool
        Whether the value is part of the total.
    why : str
        Why it counts or does not, when that is not plain.
    note : str
        What the rule says, in a sentence.
    """

    id: str
    label: str
    value: int
    type: str
    cite: Citation
    counted: bool = True
    why: str = ""
    note: str = ""

    @classmethod
    def of(
        cls,
        entry: Entry,
        value: int,
        key: str,
        type: str,
        why: str = "",
        label: str = "",
    ) -> Line:
        """Return the line that an entry of a ruleset adds, with its words and citation."""
        label = label or entry.label
        return cls(key, label, value, type, entry.cite, why=why, note=entry.note)

    def struck(self, why: str) -> Line:
        """Return the same line, not counted, with the reason."""
        return replace(self, counted=False, why=why)


@dataclass(frozen=True)
class Tally:
    """A receipt: lines and their total.

    Examples
    --------
    >>> from combatkit.rules.cite import Citation
    >>> from combatkit.rules.procedure import Stacking
    >>> here = Citation("srd", "example")
    >>> rule = Stacking(stacks=("dodge",), cite=here)
    >>> ring = Line("ring", "Ring", 1, "deflection", here)
    >>> spell = Line("spell", "Spell", 3, "deflection", here)
    >>> receipt = tally([ring, spell], rule)
    >>> receipt.total, receipt.lines[0].counted, receipt.lines[0].why
    (3, False, "deflection bonuses do not stack: 'Spell' +3 is higher")
    """

    title: str
    lines: tuple[Line, ...]

    @cached_property
    def total(self) -> int:
        """Sum of the counted lines."""
        return sum(line.value for line in self.lines if line.counted)

    def explain(self) -> str:
        """Put the receipt in words, one line a modifier, with citations."""
        rows = [f"{self.title}: {self.total}"]
        for line in self.lines:
            mark = f"{line.value:+d}" if line.counted else f"({line.value:+d} not counted)"
            why = f": {line.why}" if line.why else ""
            rows.append(f"  {mark} {line.label}{why} [{line.cite}]")
        return "\n".join(rows)


def tally(lines: Iterable[Line], stacking: Stacking, title: str = "Total") -> Tally:
    """Add up modifiers under a ruleset's stacking rules.

    Parameters
    ----------
    lines : iterable of Line
        Lines already struck stay struck.
    stacking : Stacking
        The ruleset's rules.
    title : str, optional
        What the total is.

    Returns
    -------
    Tally
        Every line, counted or not, with the reason.
    """
    listed = tuple(lines)
    judged = _judged(listed, stacking, {})
    if not any(line.type in stacking.improves for line in judged):
        return Tally(title, judged)
    added: dict[str, int] = {}
    for line in judged:
        if line.counted and (item := stacking.improves.get(line.type)):
            added[item] = added.get(item, 0) + line.value
    judged = _judged(listed, stacking, added)
    fallen = {line.id: line for line in judged if not line.counted}
    return Tally(title, tuple(_with_its_item(line, fallen, stacking) for line in judged))


def _with_its_item(line: Line, fallen: dict[str, Line], stacking: Stacking) -> Line:
    """Strike an improvement of what does not count."""
    item = fallen.get(stacking.improves.get(line.type, ""))
    return line.struck(f"falls with '{item.label}'") if item and line.counted else line


def _judged(
    lines: Sequence[Line], stacking: Stacking, added: Mapping[str, int]
) -> tuple[Line, ...]:
    """Strike what does not stack; an item is worth its own bonus and what is added to it."""
    best: dict[tuple[str, bool], tuple[int, Line]] = {}
    for line in lines:
        worth = line.value + added.get(line.id, 0)
        if line.counted and _competes(line, worth, stacking):
            key = line.type, worth > 0
            if key not in best or abs(worth) > abs(best[key][0]):
                best[key] = worth, line
    return tuple(_beaten(line, added.get(line.id, 0), best, stacking) for line in lines)


def _competes(line: Line, worth: int, stacking: Stacking) -> bool:
    if worth < 0:
        return line.type in stacking.penalties_highest_only
    return worth > 0 and line.type not in stacking.stacks


def _beaten(
    line: Line, added: int, best: dict[tuple[str, bool], tuple[int, Line]], stacking: Stacking
) -> Line:
    worth = line.value + added
    if not (line.counted and _competes(line, worth, stacking)):
        return line
    most, winner = best[line.type, worth > 0]
    if winner is line:
        return line
    kind = "bonuses" if worth > 0 else "penalties"
    higher = "is higher" if abs(most) > abs(worth) else "is as high"
    type_ = line.type.replace("_", " ")
    return line.struck(f"{type_} {kind} do not stack: '{winner.label}' {most:+d} {higher}")
