"""Dice notation: text such as ``2d6+3``, ``4d6kh3`` or ``1d8+1d6 fire`` read into distributions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import zip_longest

from combatkit.errors import CombatkitError
from combatkit.prob.dist import Dist
from combatkit.prob.exact import MAX_ROLLS, check_size

DAMAGE_TYPES = (
    "fire",
    "cold",
    "acid",
    "electricity",
    "sonic",
    "force",
    "slashing",
    "piercing",
    "bludgeoning",
    "positive",
    "negative",
)

MAX_NOTATION = 200  # characters
MAX_DICE = MAX_ROLLS  # in one term
MAX_SIDES = 10_000
MAX_FLAT = 1_000_000
MAX_KEEPS = 4  # terms that keep some of their dice, the slowest kind
CACHED_WIDTH = 500  # wider sums are not remembered, so that the cache cannot fill the memory

_SIGNS = {"+": 1, "-": -1, "\N{MINUS SIGN}": -1}
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[a-z]+", re.ASCII | re.IGNORECASE)
_ROLL = re.compile(
    r"(?P<count>[0-9]*)\s*d\s*(?P<sides>[0-9]+|%)(?:\s*(?P<end>kh|kl)\s*(?P<keep>[0-9]+))?"
    r"|(?P<flat>[0-9]+)",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """One signed part of a dice notation: dice, or a flat number.

    Parameters
    ----------
    count : int
        Dice rolled, or the flat number.
    sides : int
        Faces of each die; 1 for a flat number, which is the same as that many one-sided dice.
    sign : int
        1 or -1.
    keep : int or None
        Dice kept: that many of the highest, of the lowest when negative, or all of them for None.
    damage_type : str or None
        One of `DAMAGE_TYPES`; it belongs to the term it follows, not to the terms before.

    Examples
    --------
    >>> DiceTerm(4, 6, keep=3).dist.mean
    Fraction(15869, 1296)
    """

    count: int
    sides: int = 1
    sign: int = 1
    keep: int | None = None
    damage_type: str | None = None

    @property
    def dist(self) -> Dist:
        """The distribution of this term, its sign included."""
        if self.sides == 1:
            return Dist.constant(self.sign * abs(self.keep or self.count))
        die = Dist.die(self.sides)
        if self.keep is None:
            roll = self.count @ die
        elif self.keep > 0:
            roll = die.highest(self.count, self.keep)
        else:
            roll = die.lowest(self.count, -self.keep)
        return roll if self.sign > 0 else -roll


def dice(text: str) -> Dist:
    """Return the distribution of a dice notation, all terms added (damage types ignored).

    Parameters
    ----------
    text : str
        Terms joined by ``+`` or ``-``: dice (``d20``, ``2d6``, ``d%``), dice of which some are
        kept (``4d6kh3`` the highest three, ``2d20kl1`` the lowest), or numbers. A damage type may
        follow a term. Spaces and capitals do not matter. At most 200 characters, 10,000 dice a
        term, 10,000 sides, 1,000,000 as a flat number, four terms that keep some of their dice.

    Raises
    ------
    CombatkitError
        What is wrong, at which character (counted from 1), and the nearest valid form.

    Examples
    --------
    >>> dice("2d6+3").mean
    Fraction(10, 1)
    >>> dice("1d8+1d6 fire")
    Dist(2 to 14, mean 8)
    >>> dice("2x6")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: dice notation '2x6': 'x' at position 2 is neither ... '2d6'?
    """
    parts = terms(text)
    try:
        width = _checked_width(parts)
        return _cached_sum(parts) if width <= CACHED_WIDTH else _sum(parts)
    except CombatkitError as error:
        raise CombatkitError(f"dice notation '{text}': {error}") from None


def terms(text: str) -> tuple[DiceTerm, ...]:
    """Return the terms of a dice notation, in the order written (see `dice`).

    Examples
    --------
    >>> [(part.count, part.sides, part.damage_type) for part in terms("1d8+1d6 fire")]
    [(1, 8, None), (1, 6, 'fire')]
    """
    if not isinstance(text, str):
        raise CombatkitError(f"dice notation must be a text like '2d6+3', not {text!r:.60}")
    if len(text) > MAX_NOTATION:
        raise CombatkitError(
            f"dice notation '{text[:20]}…' has {len(text)} characters; at most {MAX_NOTATION}"
        )
    return _terms(text)


def _checked_width(parts: tuple[DiceTerm, ...]) -> int:
    """Refuse a flood of dice before any work; return how far the outcomes reach."""
    if sum(part.keep is not None for part in parts) > MAX_KEEPS:
        raise CombatkitError(f"at most {MAX_KEEPS} terms may keep some of their dice")
    width = sum(abs(part.keep or part.count) * (part.sides - 1) for part in parts)
    bits = sum(part.count * part.sides.bit_length() for part in parts if part.sides > 1)
    check_size(width + 1, bits)
    return width


def _sum(parts: tuple[DiceTerm, ...]) -> Dist:
    sums = [part.dist for part in parts]
    while len(sums) > 1:  # in pairs of like size, far quicker than one by one
        pairs = zip_longest(sums[::2], sums[1::2], fillvalue=Dist.constant(0))
        sums = [first + second for first, second in pairs]
    return sums[0]


_cached_sum = lru_cache(maxsize=256)(_sum)


class _Fault(Exception):
    """What is wrong with ``text[start:end]``, and what might stand there instead."""

    def __init__(self, start: int, end: int, reason: str, *repairs: str) -> None:
        super().__init__(reason)
        self.start, self.end, self.reason, self.repairs = start, end, reason, repairs


@lru_cache(maxsize=256)
def _terms(text: str) -> tuple[DiceTerm, ...]:
    try:
        return tuple(_parse(text))
    except _Fault as fault:
        wrong = text[fault.start : fault.end]
        where = f"{wrong!r} at position {fault.start + 1} " if wrong else ""
        tail = _nearest_form(text, fault)
        raise CombatkitError(f"dice notation '{text}': {where}{fault.reason}{tail}") from None


def _nearest_form(text: str, fault: _Fault) -> str:
    for repair in fault.repairs:
        candidate = text[: fault.start] + repair + text[fault.end :]
        try:
            tuple(_parse(candidate))
        except _Fault:
            continue
        return f"; did you mean '{candidate.strip()}'?"
    return "; a valid form is '2d6+3 fire'"


def _parse(text: str) -> Iterator[DiceTerm]:
    """Yield the terms from left to right, or raise the first fault."""
    position, first = _skip(text, 0), True
    while first or position < len(text):
        operator, sign = position, _SIGNS.get(text[position : position + 1])
        if sign is not None:
            position = _skip(text, position + 1)
        elif not first:
            raise _no_sign(text, position)
        roll = _ROLL.match(text, position)
        if roll is None:
            raise _no_term(text, operator, position)
        word = _WORD.match(text, _skip(text, roll.end()))
        yield _term(roll, sign or 1, _damage_type(word))
        position, first = _skip(text, (word or roll).end()), False


def _skip(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _no_sign(text: str, position: int) -> _Fault:
    word = _WORD.match(text, position)
    end = word.end() if word else position + 1
    repairs = (f"+{text[position:end]}", "+", "")
    return _Fault(position, end, "needs '+' or '-' before it", *repairs)


def _no_term(text: str, operator: int, position: int) -> _Fault:
    if not text.strip():
        return _Fault(0, 0, "nothing to roll")
    if position == len(text):
        return _Fault(operator, position, "has no dice or number after it", "")
    repairs = ("", "d") if text[position] in _SIGNS else ("d", "", "1")
    return _Fault(position, position + 1, "is not dice or a number", *repairs)


def _damage_type(word: re.Match[str] | None) -> str | None:
    if word is None:
        return None
    name = word[0].lower()
    if name in DAMAGE_TYPES:
        return name
    if name in ("dh", "dl"):
        raise _Fault(*word.span(), "drops dice; say which to keep, as in 4d6kh3")
    close = get_close_matches(name, DAMAGE_TYPES, n=1, cutoff=0.6)
    keep = ["kh"] if name.startswith("k") else []
    repairs = [*close, *keep, "d", f"+{name}", f"{name}6", f"{name}1", "+", ""]
    raise _Fault(*word.span(), "is neither dice nor a damage type", *repairs)


def _term(roll: re.Match[str], sign: int, damage_type: str | None) -> DiceTerm:
    if roll["flat"]:
        return DiceTerm(_number(roll, "flat", MAX_FLAT), 1, sign, None, damage_type)
    count = _number(roll, "count", MAX_DICE, 1) if roll["count"] else 1
    sides = 100 if roll["sides"] == "%" else _number(roll, "sides", MAX_SIDES, 1)
    keep = None
    if roll["keep"]:
        keep = _number(roll, "keep", count, 1) * (1 if roll["end"].lower() == "kh" else -1)
    return DiceTerm(count, sides, sign, keep, damage_type)


def _number(roll: re.Match[str], group: str, most: int, least: int = 0) -> int:
    """Read one number of a term, refusing it outside `least` to `most`."""
    number = int(roll[group])
    if number > most:
        names = {"flat": "number", "count": "number of dice", "sides": "number of sides"}
        what = names.get(group, "number of dice to keep")
        raise _Fault(*roll.span(group), f"is too large a {what}; at most {most:,}", str(most))
    if number < least:
        raise _Fault(*roll.span(group), f"is too few; at least {least}", str(least))
    return number
