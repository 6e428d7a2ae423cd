"""Attack lines as stat blocks print them, such as "2 claws +30 (1d8+13) and bite +28 (2d6+6)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from combatkit.errors import CombatkitError
from combatkit.prob import dice, terms

MAX_LINE = 1000  # characters
MAX_STRIKES = 60  # of one round
SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), "×": "x", "\N{NO-BREAK SPACE}": " "})
BONUSES = re.compile(r"[+-]?\d{1,3}(/[+-]?\d{1,3}){0,11}", re.ASCII)
DAMAGE = re.compile(r"\d{0,4}(d\d{1,4})?([+-]\d{1,4})?", re.ASCII)
CRITICAL = re.compile(r"/(?:x(?P<times>\d{1,2})|(?P<from>\d{1,2})(?:-20)?)(?![\w+-])", re.ASCII)


class Printed(NamedTuple):
    """One weapon of an attack line, as printed.

    Attributes
    ----------
    name : str
        In lower case; empty where the line names none.
    bonuses : tuple of int
        One for each strike.
    mode : str
        ``"melee"``, ``"ranged"``, or empty where the line does not say.
    dice : str or None
        Damage dice; None where no damage is printed.
    flat : int
        Added to the dice.
    threat_from, multiplier : int or None
        None where no critical is printed.
    extra : str
        Extra damage dice, with their energy.
    riders : tuple of str
        What else is printed and has no dice ("poison").
    touch : bool
        Whether it is a touch attack.
    """

    name: str
    bonuses: tuple[int, ...]
    mode: str = ""
    dice: str | None = None
    flat: int = 0
    threat_from: int | None = None
    multiplier: int | None = None
    extra: str = ""
    riders: tuple[str, ...] = ()
    touch: bool = False


def split_outside(text: str, *separators: str) -> list[str]:
    """Split a text where a separator stands outside parentheses; empty parts are left out.

    Examples
    --------
    >>> split_outside("dagger +2 (1d4, or less) or club +1", " or ")
    ['dagger +2 (1d4, or less)', 'club +1']
    """
    parts, start, depth, place = [], 0, 0, 0
    while place < len(text):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        found = next((one for one in separators if depth <= 0 and text.startswith(one, place)), "")
        if found:
            parts.append(text[start:place])
            start = place + len(found)
        place += len(found) or 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


@lru_cache(maxsize=1024)
def read_attack_line(text: str) -> tuple[tuple[Printed, ...], ...]:
    """Read an attack line: rounds to choose from ("or"), each of weapons used together ("and").

    Parameters
    ----------
    text : str
        At most 1000 characters and 60 strikes a round.

    Raises
    ------
    CombatkitError
        Naming the part that cannot be read.

    Examples
    --------
    >>> claws, bite = read_attack_line("2 claws +30 (1d8+13) and bite +28 (2d6+6)")[0]
    >>> claws.name, claws.bonuses, bite.dice, bite.flat
    ('claws', (30, 30), '2d6', 6)
    >>> read_attack_line("+17 (1x8)")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: attack line: '1x8' is no damage; a line reads 'bite +5 (1d6+2)'
    """
    if len(text) > MAX_LINE:
        raise CombatkitError(f"attack line: {len(text)} characters, but {MAX_LINE} at most")
    line = re.sub(r" ?/ ?", "/", " ".join(text.translate(SIGNS).lower().split()))
    rounds = []
    for choice in split_outside(line, ", or ", "; or ", " or ", ";"):
        parts = split_outside(choice, ", and ", " and ", ",")
        made = tuple(_read_part(part) for part in parts)
        if sum(len(one.bonuses) for one in made) > MAX_STRIKES:
            raise _unreadable(choice, f"more than {MAX_STRIKES} strikes")
        rounds.append(made)
    if not rounds:
        raise _unreadable(line, "no attack")
    return tuple(rounds)


def _unreadable(text: str, what: str) -> CombatkitError:
    return CombatkitError(f"attack line: {text[:60]!r} is {what}; a line reads 'bite +5 (1d6+2)'")


def _read_part(part: str) -> Printed:
    head, _, details = part.rpartition("(") if part.endswith(")") else (part, "", "")
    if "(" in head:  # what a name says in parentheses, such as a bow's Strength, is in the numbers
        head = " ".join(re.sub(r"\([^()]*\)", " ", head).split())
    words, modes = head.split(), []
    while words and words[-1] in ("melee", "ranged", "touch"):
        modes.append(words.pop())
    if words and words[0] in ("melee", "ranged"):
        modes.append(words.pop(0))
    if not words or not BONUSES.fullmatch(words[-1]):
        raise _unreadable(part, "without an attack bonus")
    bonuses = tuple(int(number) for number in words.pop().split("/"))
    count, name = _counted(" ".join(words))
    if count < 1 or any(abs(bonus) > 200 for bonus in bonuses):
        raise _unreadable(part, "out of all measure")
    mode = next((word for word in modes if word != "touch"), "")
    touch = "touch" in modes or name.endswith("touch")
    made = Printed(name, bonuses * count, mode, touch=touch)
    details = details.removesuffix(")").strip()
    return _with_details(made, details) if details else made


def _counted(name: str) -> tuple[int, str]:
    """Read how many there are: "2 claws"."""
    first, _, rest = name.partition(" ")
    if first.isascii() and first.isdecimal() and len(first) < 3:
        return int(first), rest
    return 1, name


def _with_details(made: Printed, details: str) -> Printed:
    """Add what stands in parentheses: damage, criticals, extra dice, else a name or a rider."""
    damage, extra, riders, name = None, [], list(made.riders), made.name
    criticals = list(CRITICAL.finditer(details))
    for part in _pieces(CRITICAL.sub("", details)):
        plus, text = part.startswith("plus "), part.removeprefix("plus ")
        if damage is None and not plus and (text[0].isdigit() or text[0] in "d+-"):
            damage = _damage(text)
        elif _is_dice(text):
            extra.append(text)
        elif not plus and not name:
            name = text
        elif text != "-":
            riders.append(text)
    rolled, flat = damage or ("", 0)
    count, name = _counted(name)
    return made._replace(
        name=name,
        bonuses=made.bonuses * count,
        dice=rolled,
        flat=flat,
        threat_from=_critical(criticals, "from", 20, 2, 20),
        multiplier=_critical(criticals, "times", 2, 1, 10),
        extra="+".join(extra),
        riders=tuple(riders),
    )


def _critical(
    printed: list[re.Match[str]], part: str, usual: int, least: int, most: int
) -> int | None:
    """Read threat range or multiplier; None where the line prints no critical at all."""
    if not printed:
        return None
    number = next((int(one[part]) for one in printed if one[part]), usual)
    if not least <= number <= most:
        raise _unreadable(printed[0].string, "no damage with a critical")
    return number


def _pieces(details: str) -> Iterator[str]:
    """Yield what commas and "plus" keep apart, with its "plus" in front."""
    for part in re.split(r"[,;]", details):
        first, *more = part.replace(" and ", " plus ").split(" plus ")
        yield from filter(None, [first.strip(), *(f"plus {one.strip()}" for one in more)])


def _is_dice(text: str) -> bool:
    try:
        return bool(text[:1].isdigit() and dice(text))
    except CombatkitError:
        return False


def _damage(text: str) -> tuple[str, int]:
    """Read damage into its dice and what is added to them."""
    if not DAMAGE.fullmatch(text) or not text.strip("+- "):
        raise _unreadable(text, "no damage")
    parts = terms(text)
    flat = sum(part.sign * part.count for part in parts if part.sides == 1)
    rolled = "+".join(f"{part.count}d{part.sides}" for part in parts if part.sides > 1)
    if not rolled:  # a fixed amount, as some vermin deal
        rolled, flat = str(max(flat, 1)), 0
    dice(rolled)
    return rolled, flat
