"""Where each rule of the documents has its home: computed, held as data, or text with a reason."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from combatkit.errors import CombatkitError
from combatkit.rules.validation import Model

FOLDER = Path(__file__).parent.parent / "rulesets" / "coverage"


class Covered(Model):
    """One rule of the catalogue and its home.

    Attributes
    ----------
    id : str
        Id in the catalogue of rules, such as ``HYB-ATK-01``; its first part names the document.
    title, text : str
        What the rule is called and what it says, in our own words.
    by : {"computed", "data", "text"}
    where : str
        ``module:name`` of what computes it, or ``ruleset: key`` of the data; for text what comes
        nearest, or empty.
    note : str
        A remark; for text the reason why there is nothing to compute.
    origin : str
        File it is written in, set by the loader.
    """

    id: str = Field(pattern=r"^[A-Z]{3}-[A-Z0-9]+-[A-Z0-9]+$")
    title: str = Field(min_length=2, max_length=60)
    text: str = Field(min_length=10, max_length=220)
    by: Literal["computed", "data", "text"]
    where: str = ""
    note: str = ""
    origin: str = ""

    @model_validator(mode="after")
    def _has_a_home(self) -> Self:
        if self.by == "text" and not self.note:
            raise ValueError("a rule that is only text needs its reason in 'note'")
        points_to = "data" if ": " in self.where else "computed" if ":" in self.where else "text"
        if points_to != self.by and self.by != "text":
            raise ValueError('\'where\' is "module:name" for computed, "ruleset: key" for data')
        return self


@lru_cache(maxsize=1)
def rule_coverage() -> tuple[Covered, ...]:
    """List every rule of the four documents with its home.

    Returns
    -------
    tuple of Covered
        In the order of the ids.

    Raises
    ------
    CombatkitError
        For a mistake in the files, naming file, id and field.

    Examples
    --------
    >>> coverage = {rule.id: rule for rule in rule_coverage()}
    >>> coverage["MOD-ATM-03"].where, len(coverage)
    ('srd35: attack.flanking', 519)
    """
    found: dict[str, Covered] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        for data in tomllib.loads(path.read_text("utf-8"))["covered"]:
            where = f"coverage/{path.name}: covered '{data.get('id', '?')}'"
            rule = Covered.from_data({**data, "origin": path.name}, where)
            if rule.id in found:
                raise CombatkitError(f"{where} stands in {found[rule.id].origin} already")
            found[rule.id] = rule
    return tuple(found[key] for key in sorted(found))
