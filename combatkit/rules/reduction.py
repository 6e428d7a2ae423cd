"""Damage reduction as stat blocks print it: how much, and what overcomes it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, NamedTuple, get_args

from pydantic import PlainValidator

from combatkit.errors import nearest
from combatkit.rules.equipment import Material, Quality

QUALITIES = (*get_args(Material), *(word for word in get_args(Quality) if isinstance(word, str)))
MOST = 1000
NOTHING = ("", "-", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}")  # overcomes "10/-"
_PRINTED = re.compile(r"([0-9]{1,4})\s*(?:/\s*(.*))?", re.ASCII)


class Reduction(NamedTuple):
    """One damage reduction.

    Attributes
    ----------
    amount : int
    overcome_by : tuple of frozenset of str
        A weapon with every quality of one of these sets overcomes it.
    """

    amount: int
    overcome_by: tuple[frozenset[str], ...]

    def against(self, qualities: frozenset[str]) -> int:
        """How much it takes off a hit of a weapon with these qualities."""
        return 0 if any(needed <= qualities for needed in self.overcome_by) else self.amount

    def __str__(self) -> str:
        ways = [" and ".join(sorted(way)).replace("_", " ") for way in self.overcome_by]
        return f"{self.amount}/{' or '.join(ways) or '-'}"


@lru_cache(maxsize=256)
def read_reductions(text: str) -> tuple[Reduction, ...]:
    """Read damage reductions as printed, several with ``;`` or ``,`` between them.

    Raises
    ------
    ValueError
        Which pydantic turns into a message with the field's name.

    Examples
    --------
    >>> [str(one) for one in read_reductions("15/good and silver, 5/bludgeoning or magic; 2/-")]
    ['15/good and silver', '5/bludgeoning or magic', '2/-']
    """
    return tuple(map(_read, filter(None, (part.strip() for part in re.split("[;,]", text)))))


def _read(text: str) -> Reduction:
    printed = _PRINTED.fullmatch(text)
    if printed is None or int(printed[1]) > MOST:
        raise ValueError(
            f"{text!r:.60} is no damage reduction of at most {MOST}; write it as '10/magic', "
            "'15/good and silver' or '5/-'"
        )
    overcome_by = (printed[2] or "").strip().lower()
    ways = () if overcome_by in NOTHING else re.split(r"\s+or\s+", overcome_by)
    return Reduction(int(printed[1]), tuple(map(_together, ways)))


def _together(way: str) -> frozenset[str]:
    words = [" ".join(word.split()).replace(" ", "_") for word in re.split(r"\s+and\s+", way)]
    for word in words:
        if word not in QUALITIES:
            raise ValueError(f"'{word}' overcomes no damage reduction{nearest(word, QUALITIES)}")
    return frozenset(words)


def _given(value: object) -> int | str:
    """Check what is given: an amount alone, text as printed, or several texts."""
    if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value):
        value = "; ".join(value)
    if isinstance(value, str):
        if "/" in value:
            return "; ".join(map(str, read_reductions(value)))
        value = int(value) if value.strip().isdecimal() and len(value) < 10 else value
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("a damage reduction is a number, or text as printed such as '10/magic'")
    if not 0 <= value <= MOST:
        raise ValueError(f"a damage reduction is 0 to {MOST}")
    return value


DamageReduction = Annotated[int | str, PlainValidator(_given)]
