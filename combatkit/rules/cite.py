"""A citation: which source, and where in it."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, PlainSerializer

from combatkit.rules.validation import Model


class Citation(NamedTuple):
    """Where a rule stands: the id of a source and a place in it.

    Examples
    --------
    >>> str(parse_citation("seed001: Table 8-5, note 2"))
    'seed001: Table 8-5, note 2'
    """

    source: str
    place: str

    def __str__(self) -> str:
        return f"{self.source}: {self.place}"


def parse_citation(text: object) -> Citation:
    """Read ``"source: place"`` as data files write it."""
    if isinstance(text, Citation):
        return text
    if isinstance(text, (list, tuple)) and len(text) == 2:
        return Citation(str(text[0]), str(text[1]))
    source, colon, place = str(text).partition(":")
    if not isinstance(text, str) or not colon or not source.strip() or not place.strip():
        raise ValueError('a citation is "source: place", for example "seed001: Table 8-5"')
    return Citation(source.strip(), place.strip())


Cite = Annotated[Citation, BeforeValidator(parse_citation), PlainSerializer(str, return_type=str)]


class Source(Model):
    """A document that citations may name.

    Attributes
    ----------
    id : str
        The word before the colon of a citation.
    title : str
        What the document is called.
    note : str
        For example ``outside the seeds``.
    """

    id: str
    title: str
    note: str = ""
