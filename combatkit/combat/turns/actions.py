"""Actions: what can be done on a turn, of which type.

They are the table ``action`` of the ruleset, so a house rule that makes drawing a weapon free is
one row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from combatkit.errors import CombatkitError, check_word
from combatkit.rules import Citation, Lookup, Ruleset
from combatkit.rules.tables import ACTION_TYPES

PAID = ("standard", "move", "full_round")


@dataclass(frozen=True)
class Verdict:
    """Whether something is allowed: true where it is, with the reason where it is not.

    Attributes
    ----------
    why_not : str
        Empty where it is allowed.

    Examples
    --------
    >>> bool(Verdict()), bool(Verdict("the speed is 5 feet"))
    (True, False)
    """

    why_not: str = ""

    def __bool__(self) -> bool:
        return not self.why_not


@dataclass(frozen=True)
class Action:
    """Something done on a turn.

    Attributes
    ----------
    id, label : str
    type : {"standard", "move", "full_round", "free", "step", "none", "reaction"}
        ``none`` takes no time at all; ``step`` is the 5-foot step.
    provokes : {"yes", "no", "maybe", "usually", "rarely", "moving", "unknown"}
        The attack-of-opportunity column; ``moving``: only by leaving a threatened square.
    mode : str
        Way of moving (a row of table ``movement``) when it covers distance, else empty.
    row : int
        Place in the printed table of standard actions, 0 for an action that is not in it.
    cells : dict
        Every cell of the ruleset's row.
    """

    id: str
    label: str
    type: str
    provokes: str = "unknown"
    mode: str = ""
    row: int = 0
    cells: tuple[tuple[str, int | str], ...] = ()
    cite: Citation | None = None
    note: str = ""

    def cell(self, name: str) -> str:
        """Text of a cell, empty where the row has none."""
        return str(dict(self.cells).get(name, ""))


def find_action(rules: Ruleset, word: str | Action) -> Action:
    """Find an action by id.

    Parameters
    ----------
    rules : Ruleset
    word : str
        An id such as ``"draw_weapon"``, or just a type (``"standard"``, ``"full_round"``,
        ``"free"``) for any action of it.

    Raises
    ------
    CombatkitError
        With the nearest action.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> find_action(load_ruleset("classic"), "draw_weapon").type
    'move'
    >>> find_action(load_ruleset("phased"), "draw_weapon").type
    'free'
    """
    if isinstance(word, Action):
        return word
    try:
        return _read(rules.lookup("action", word))
    except CombatkitError:
        if word in ACTION_TYPES:
            return Action(word, f"Any {word.replace('_', '-')} action", word)
        raise


def _read(entry: Lookup) -> Action:
    cells = entry.cells
    return Action(
        entry.id,
        entry.label,
        str(cells["type"]),
        str(cells.get("provokes", "unknown")),
        str(cells.get("mode", "")),
        int(entry.number("row")) if "row" in cells else 0,
        tuple(cells.items()),
        entry.cite,
        entry.note,
    )


@lru_cache(maxsize=64)
def all_actions(rules: Ruleset, type: str | None = None) -> tuple[Action, ...]:
    """All actions of a ruleset, or those of one type, in the order of the text.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> [action.id for action in all_actions(load_ruleset("phased"), "full_round")]
    ['prolonged']
    """
    if type is not None:
        check_word(type, ACTION_TYPES, "action type")
    every = (_read(entry) for entry in rules.lookups.values() if entry.table == "action")
    return tuple(action for action in every if type in (None, action.type))


def standard_action_table(rules: Ruleset) -> tuple[Action, ...]:
    """Rows of the printed table of standard actions (Simplified 3.5, Table: Standard Actions).

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> table = standard_action_table(load_ruleset("classic"))
    >>> len(table), [action.id for action in table if action.provokes == "maybe"]
    (25, ['aid_another', 'sunder_object'])
    """
    return tuple(
        sorted((a for a in all_actions(rules, "standard") if a.row), key=lambda action: action.row)
    )
