"""Share: an encounter as a short text that fits into an address, and back."""

from __future__ import annotations

import base64
import binascii
import zlib
from importlib.metadata import PackageNotFoundError, metadata
from urllib.parse import quote

from combatkit.errors import CombatkitError, nearest
from combatkit.rules import built_in, text_of
from combatkit_widgets.encounter import Encounter
from combatkit_widgets.forms import changed

VERSION = "1"
LONGEST = 20_000  # characters of a text
LARGEST = 200_000  # bytes of what it holds


def to_text(encounter: Encounter) -> str:
    """Write an encounter as letters, digits, ``-``, ``_`` and a dot; the version comes first.

    Rules from a file of this machine, which nobody else can open, go along as their text.

    Raises
    ------
    CombatkitError
        Where those rules are too large for a link, or build on a further file.

    Examples
    --------
    >>> from_text(to_text(Encounter(distance=30))).distance
    30
    """
    source = encounter.ruleset
    if source not in built_in() and "\n" not in source:
        encounter = changed(encounter, ruleset=text_of(source))
    packed = zlib.compress(encounter.to_json().encode(), 9)
    text = f"{VERSION}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"
    if len(text) > LONGEST:
        raise CombatkitError("these house rules are too long for a link: send the file itself")
    return text


def from_text(text: str) -> Encounter:
    """Read an encounter from the text of a link; nothing in it is run, and no file is opened.

    Raises
    ------
    CombatkitError
        For a text that is no encounter, is of another version, or names rules by a path.

    Examples
    --------
    >>> from_text("9.abc")
    Traceback (most recent call last):
    combatkit.errors.CombatkitError: this link is of version '9', and this program reads 1
    """
    version, dot, packed = text.strip().partition(".")
    if len(text) > LONGEST or not dot:
        raise CombatkitError("this is no link to an encounter")
    if version != VERSION:
        raise CombatkitError(
            f"this link is of version {version[:10]!r}, and this program reads {VERSION}"
        )
    encounter = Encounter.from_json(_unpacked(packed), "this link")
    if encounter.ruleset not in built_in() and "\n" not in encounter.ruleset:
        known = nearest(encounter.ruleset, built_in())
        raise CombatkitError(f"this link names rules that are not built in{known}")
    return encounter


def _unpacked(packed: str) -> str:
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), b"-_", validate=True)
        unpack = zlib.decompressobj()
        content = unpack.decompress(data, LARGEST)
        if not unpack.eof:
            raise CombatkitError("this link is cut off, or holds too much")
        return content.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise CombatkitError("this link is damaged: copy all of it") from None


def binder_link(text: str) -> str:
    """Return the address that opens an encounter on Binder, or nothing where no fork is named.

    Examples
    --------
    >>> binder_link("1.abc")
    ''
    """
    try:
        urls = metadata("combatkit").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    address = next((url.partition(", ")[2] for url in urls if url.startswith("Binder, ")), "")
    if not address or "YOUR-NAME" in address:
        return ""
    return address + quote(f"?ck={text}", safe="")
