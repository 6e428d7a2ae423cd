"""Where in a file an entry, or a field of it, is written: tomllib keeps no positions.

A small search of the text, made only where there is a mistake to tell.
"""

from __future__ import annotations

import re

HEADER = re.compile(r"\s*\[\[?\s*([\w.\"-]+)\s*\]\]?")


def line_of(text: str, section: str, number: int = 1, entry: str = "", field: str = "") -> int:
    r"""Tell the line of a field of the nth entry of a section, or of the entry without one.

    Parameters
    ----------
    text : str
        The whole file.
    section : str
    number : int, optional
        Place of the entry among those of its section, from 1.
    entry : str, optional
        Its id, for entries written within one list.
    field : str, optional
        Path of the field, with dots.

    Examples
    --------
    >>> text = '[[weapon]]\nid = "bat"\n[[weapon]]\nid = "oar"\ndamage = "1x6"'
    >>> line_of(text, "weapon", 2), line_of(text, "weapon", 2, field="damage.any")
    (3, 5)
    """
    lines = text.splitlines()
    headers = [match[1] if (match := HEADER.match(line)) else "" for line in lines]
    starts = [place for place, name in enumerate(headers) if name == section]
    if len(starts) < number:
        return _in_list(lines, section, entry)
    first = starts[number - 1]
    last = next(
        (
            place
            for place in range(first + 1, len(lines))
            if headers[place] and not headers[place].startswith(f"{section}.")
        ),
        len(lines),
    )
    return 1 + _field(lines, headers, first, last, section, field.split("."))


def _field(
    lines: list[str], headers: list[str], first: int, last: int, section: str, path: list[str]
) -> int:
    found = first
    for place in range(first, last):
        if _names(lines[place], path[0]) or headers[place] == f"{section}.{path[0]}":
            found = place
            break
    if found == first or len(path) == 1:
        return found
    for place in range(found, last):  # a value of several lines
        if re.search(rf"\b{re.escape(path[-1])}\s*=", lines[place]):
            return place
        if place > found and re.match(r"\w+\s*=", lines[place]):
            break
    return found


def _names(line: str, field: str) -> bool:
    return bool(field) and re.match(rf"\s*[\"']?{re.escape(field)}[\"']?\s*[.=]", line) is not None


def _in_list(lines: list[str], section: str, entry: str) -> int:
    """Line of an entry written within a list, or of the list."""
    start = next((place for place, line in enumerate(lines) if _names(line, section)), 0)
    wanted = re.compile(rf"\bid\s*=\s*[\"']{re.escape(entry)}[\"']")
    return 1 + next((p for p in range(start, len(lines)) if wanted.search(lines[p])), start)
