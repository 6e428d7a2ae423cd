"""A citation: which source, and where in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, ValidationInfo

from combatkit.rules.validation import Model


class Source(Model):
    """A document that citations may name.

    Attributes
    ----------
    id : str
        The word before the colon of a citation, in data.
    title : str
        What people call the document.
    short : str
        The same where space is short; the title when left out.
    note : str
        What it covers, and where it is from.
    """

    id: str
    title: str
    short: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a rule stands: a source and a place in it.

    Attributes
    ----------
    source, place : str
        Id of the source, and the place, as data writes them.
    document : Source or None
        The source itself, once a ruleset has been loaded.

    Examples
    --------
    >>> chapter = Source(id="mods", title="SRD combat modifiers", short="Modifiers")
    >>> cite = Citation("mods", "Table 8-5, note 2", chapter)
    >>> str(cite), cite.short
    ('SRD combat modifiers: Table 8-5, note 2', 'Modifiers: Table 8-5, note 2')
    >>> cite.data
    'mods: Table 8-5, note 2'
    """

    source: str
    place: str
    document: Source | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        title = self.document.title if self.document else self.source.replace("_", " ")
        return f"{title}: {self.place}"

    @property
    def short(self) -> str:
        """The same with the source's short name."""
        name = self.document.short if self.document else ""
        return f"{name}: {self.place}" if name else str(self)

    @property
    def data(self) -> str:
        """``"source: place"``, as data files write it."""
        return f"{self.source}: {self.place}"


USER_SOURCE = Source(id="user", title="Your own entry", short="Yours")
USER = Citation("user", "entered by hand", USER_SOURCE)


def parse_citation(text: object, info: ValidationInfo) -> Citation:
    """Read ``"source: place"`` as data files write it; a loader gives the sources it knows."""
    if isinstance(text, Citation):
        return text
    source, colon, place = str(text).partition(":")
    if not isinstance(text, str) or not colon or not source.strip() or not place.strip():
        raise ValueError('a citation is "source: place", for example "srd: Table 8-5"')
    known = {"user": USER_SOURCE, **(info.context or {})}
    return Citation(source.strip(), place.strip(), known.get(source.strip()))


def _as_data(cite: Citation) -> str:
    return cite.data


Cite = Annotated[
    Citation, BeforeValidator(parse_citation), PlainSerializer(_as_data, return_type=str)
]
