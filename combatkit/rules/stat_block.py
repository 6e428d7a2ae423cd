"""A whole d20 stat block as text: the combatant, and what of it was not read or does not add up."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from combatkit.errors import CombatkitError, expect
from combatkit.rules.attack_line import SIGNS, split_outside
from combatkit.rules.block_check import compare, settle
from combatkit.rules.block_draft import Draft, Told
from combatkit.rules.block_lines import (
    LONG,
    READERS,
    SAYS_NOTHING,
    Reader,
    levels_in,
    read_name,
    read_type,
)
from combatkit.rules.creature import Combatant

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset

MAX_BLOCK = 20_000  # characters
LABELS = sorted(READERS, key=len, reverse=True)
LISTS = ("feats", "immune", "sq", "sa", *SAYS_NOTHING)  # labels of words without numbers
WITH_LABEL = (
    *("fort", "ref", "will", "str", "dex", "con", "int", "wis", "cha", "melee", "ranged"),
    *("immune", "immunities", "resist", "resistances", "dr", "damage reduction"),
)


@dataclass(frozen=True)
class StatBlock:
    """What a stat block says, and what was made of it.

    Attributes
    ----------
    combatant : Combatant
    derived : tuple of Told
        What each line gave.
    unread : tuple of Told
        Lines, or parts of them, that are not in the combatant, each with the reason.
    differences : tuple of Told
        Printed totals that their parts do not make. The combatant has what is printed.
    """

    combatant: Combatant
    derived: tuple[Told, ...]
    unread: tuple[Told, ...]
    differences: tuple[Told, ...]

    def explain(self) -> str:
        """Tell all of it, line by line."""
        return "\n".join(
            f"{heading}\n" + "".join(f"  {told}\n" for told in part)
            for heading, part in self._parts
        )

    @property
    def _parts(self) -> list[tuple[str, tuple[Told, ...]]]:
        parts = [
            ("Read", self.derived),
            ("Not counted", self.unread),
            ("Does not add up", self.differences),
        ]
        return [(heading, part) for heading, part in parts if part]

    def _repr_html_(self) -> str:
        """Show the same as lists, escaped."""
        return f"<p><b>{escape(self.combatant.name)}</b></p>" + "".join(
            f"<p>{heading}</p><ul>"
            + "".join(f"<li>{escape(str(told))}</li>" for told in part)
            + "</ul>"
            for heading, part in self._parts
        )


def read_stat_block(text: str, rules: Ruleset | None = None) -> StatBlock:
    """Read a d20 stat block.

    Parameters
    ----------
    text : str
        One block in the layout of the 3.5 rules or in the shorter one of printed adventures, at
        most 20,000 characters. Nothing in it is trusted or run; tags are left out.
    rules : Ruleset, optional
        Where weapons, armor, feats, sizes and classes are looked up; ``srd35`` when left out.

    Returns
    -------
    StatBlock

    Raises
    ------
    CombatkitError
        For a text in which no line of a stat block is found, and for one that is too long.

    Notes
    -----
    The combatant has what is printed: attack lines make exactly their strikes, and an armor class
    that its parts do not make counts as a total. Source: srd, Reading the monster entries.

    Examples
    --------
    >>> block = read_stat_block('''Ogre
    ... Large Giant
    ... Hit Dice: 4d8+11 (29 hp)
    ... Armor Class: 16 (-1 size, -1 Dex, +5 natural, +3 hide armor), touch 8, flat-footed 16
    ... Attack: Greatclub +8 melee (2d8+7)
    ... Special Qualities: Darkvision 60 ft.
    ... Abilities: Str 21, Dex 8, Con 15, Int 6, Wis 10, Cha 7
    ... Feats: Toughness''')
    >>> block.combatant.hit_points, block.combatant.armor, block.combatant.attack_line
    (29, 'hide', 'Greatclub +8 melee (2d8+7)')
    >>> [told.text for told in block.unread], block.differences
    (['Darkvision 60 ft.'], ())
    """
    if rules is None:
        from combatkit.rules.load import load_ruleset

        rules = load_ruleset("srd35")
    draft = Draft(rules)
    for number, piece in _pieces(expect(text, str, "stat block")):
        draft.start(number, piece)
        reader, value = _labelled(piece)
        if reader is None:
            _read_unlabelled(draft, piece)
        else:
            draft.take(lambda: reader(draft, value))  # noqa: B023 - used at once
    if not draft.derived:
        raise CombatkitError(
            "stat block: no line of one is found; its lines read 'Hit Dice: 3d8+6 (19 hp)', "
            "'AC 17, touch 12, flat-footed 15', 'Melee longsword +6 (1d8+3/19-20)'"
        )
    settle(draft)
    differences = tuple(compare(draft))
    return StatBlock(draft.combatant(), tuple(draft.derived), tuple(draft.unread), differences)


def _read_unlabelled(draft: Draft, piece: str) -> None:
    """Read a line without a label: the name comes first, then size and type."""
    if "name" not in draft.fields and not draft.derived:
        name, colon, rest = piece.partition(":")
        draft.take(lambda: read_name(draft, name if colon else piece))
        reader, value = _labelled(rest.strip())
        if reader is not None:
            draft.take(lambda: reader(draft, value))
        elif rest.strip():
            _read_unlabelled(draft, rest.strip())
    elif "kind" not in draft.fields and (fields := read_type(piece)):
        draft.levels |= levels_in(draft.rules, piece)
        draft.take(lambda: fields)
    elif levels := levels_in(draft.rules, piece):
        draft.levels |= levels
        draft.derived.append(Told(draft.line, piece, "class levels, to compare with"))
    else:
        draft.leave(piece, "not a line that is known")


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the labelled pieces of a text with the number of their line, wrapped lines joined."""
    if len(text) > MAX_BLOCK:
        raise CombatkitError(
            f"stat block: {len(text):,} characters are too many; {MAX_BLOCK:,} at most, one block"
        )
    plain = html.unescape(re.sub(r"<[^<>]{0,200}>", " ", text)).translate(SIGNS)
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(plain.splitlines(), 1):
        line = " ".join(raw.split())
        begun = line[:1].islower() or line[:1] in "(+-0123456789"
        wrapped = _open(lines) or (begun and lines and _labelled(lines[-1][1])[0] in LONG)
        if line and lines and wrapped and _labelled(line)[0] is None:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]} {line}")
        elif line:
            lines.append((number, line))
    for number, line in lines:
        yield from ((number, piece) for piece in _split_line(line))


def _open(lines: list[tuple[int, str]]) -> bool:
    return bool(lines) and lines[-1][1].endswith((",", ";", "(", " and", " or"))


def _split_line(line: str) -> list[str]:
    """Split a line at semicolons where a label follows."""
    pieces: list[str] = []
    for part in split_outside(line, ";"):
        if pieces and _labelled(part)[0] is None and not read_type(part):
            pieces[-1] += f"; {part}"
        else:
            pieces.append(part)
    return pieces


def _labelled(piece: str) -> tuple[Reader | None, str]:
    """Find the label a piece starts with; a label is followed by a colon or by a value."""
    lower = piece.lower()
    for label in LABELS:
        rest = piece[len(label) :]
        if lower.startswith(label) and (rest[:1] == ":" or (rest[:1] == " " and _valued(piece))):
            value = piece if label in WITH_LABEL else rest.lstrip(": ")
            return (READERS[label], value.strip()) if value.strip() else (None, "")
    return None, ""


def _valued(piece: str) -> bool:
    """Whether a label without a colon has a value behind it: a number, or a list of words."""
    return any(letter.isdigit() for letter in piece) or piece.lower().split()[0] in LISTS
