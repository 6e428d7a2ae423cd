"""Modifier tables and what their footnotes do, switches, numbers and plain lookup tables."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field, PlainValidator, model_validator

from combatkit.errors import CombatkitError, nearest
from combatkit.rules.cite import Cite
from combatkit.rules.validation import Model

Side = Literal["attacker", "defender"]
Mode = Literal["melee", "ranged"]
Target = Literal["attack", "armor_class", "damage", "confirmation", "save", "check", "initiative"]
Effect = Literal[
    "defender_loses_dexterity",  # a bonus only; dodge goes with it, a penalty stays
    "not_against_blinded",  # the whole row falls away against a blinded target
    "ranged_only_crossbow_or_shuriken",  # other ranged weapons cannot be used
    "random_grappler",  # which of the grapplers is struck is rolled for
    "sneak_attackable",  # extra precision dice apply
    "no_attack",  # the attack cannot be made at all
    "advantage",
    "disadvantage",
    "loses_shield",  # the shield's bonus, its enhancement included
    "mounted_charge",  # doubles the damage of a lance
    "braced",  # doubles the damage of a spear set against a charge
]


class Entry(Model):
    """What every cited entry of a ruleset carries.

    Attributes
    ----------
    id, label : str
        The word used in data and code, and the system's own words for people.
    cite : Citation
        Where the rule stands.
    note : str
        A remark for people.
    origin, replaces : str
        Set by the loader: the file it came from and the file of the entry it replaced.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_.]*$")
    label: str = ""
    cite: Cite
    note: str = ""
    origin: str = ""
    replaces: str = ""

    @model_validator(mode="before")
    @classmethod
    def _label_from_id(cls, data: Any) -> Any:
        if isinstance(data, dict) and not data.get("label") and isinstance(data.get("id"), str):
            return {**data, "label": data["id"].replace("_", " ").capitalize()}
        return data


class BonusType(Entry):
    """A kind of bonus: which of them add up says the section ``[stacking]``."""


class Table(Entry):
    """A modifier table: its rows are ticked one by one, or exactly one is chosen.

    Attributes
    ----------
    on : {"attacker", "defender"}
        Who is in the condition the rows describe.
    to : {"attack", "armor_class", ...}
        What the rows change.
    slot : {"cover", "concealment"} or None
        A table with a slot is a choice of one row (``Situation.cover``).
    """

    on: Side
    to: Target
    slot: Literal["cover", "concealment"] | None = None


class Further(Model):
    """Further attacks of a full attack, at the highest bonus.

    Attributes
    ----------
    attacks : int
    penalty : int
        What every attack of the round pays for them, 0 or less.
    level : int
        Level of the attacker from which it holds; of several the highest reached counts.
    """

    attacks: int = Field(1, ge=0, le=10)
    penalty: int = Field(0, ge=-20, le=0)
    level: int = Field(0, ge=0, le=100)


class Row(Entry):
    """One row of a modifier table, melee and ranged column and footnotes included.

    Attributes
    ----------
    table : str
        Id of the table.
    melee, ranged : int or None
        The two columns; ``value`` sets both. None where the table prints a dash.
    type : str
        Bonus type, for stacking.
    miss_chance : int
        Percent, 0 to 100.
    dexterity_change : int
        Added to the Dexterity score of whoever is in the condition.
    dexterity_score : int or None
        The Dexterity score counts as this.
    effects, melee_effects, ranged_effects : tuple of str
        Footnotes, from the closed list :data:`Effect`.
    excludes : tuple of str
        Ids of rows of the same side that cannot hold together with this one and give way.
    condition : dict
        Switch id to the options under which the row's value counts.
    miss_condition : dict
        The same for its miss chance.
    further : tuple of Further
        Further attacks in a full attack.
    """

    table: str
    value: int | None = None
    melee: int | None = None
    ranged: int | None = None
    type: str = Field("untyped", min_length=1)
    miss_chance: int = Field(0, ge=0, le=100)
    dexterity_change: int = 0
    dexterity_score: int | None = Field(None, ge=0)
    effects: tuple[Effect, ...] = ()
    melee_effects: tuple[Effect, ...] = ()
    ranged_effects: tuple[Effect, ...] = ()
    excludes: tuple[str, ...] = ()
    condition: dict[str, tuple[str, ...]] = {}
    miss_condition: dict[str, tuple[str, ...]] = {}
    further: tuple[Further, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _one_value_or_two(cls, data: Any) -> Any:
        if isinstance(data, dict) and "value" in data and ("melee" in data or "ranged" in data):
            raise ValueError("give either 'value' or 'melee' and 'ranged', not both")
        return data

    def column(self, mode: Mode) -> int | None:
        """Value in the melee or ranged column; None where the table prints a dash."""
        if self.value is not None:
            return self.value
        return self.melee if mode == "melee" else self.ranged

    def footnotes(self, mode: Mode) -> tuple[Effect, ...]:
        """Footnote effects that hold for a melee or a ranged attack."""
        return self.effects + (self.melee_effects if mode == "melee" else self.ranged_effects)

    def applies(self, mode: Mode) -> bool:
        """Whether the row says anything at all about this kind of attack."""
        says = self.column(mode) is not None or self.dexterity_score is not None
        says = says or bool(self.footnotes(mode) or self.miss_chance or self.further)
        return says or bool(self.dexterity_change)


class Switch(Entry):
    """A point where the rules are silent, disagree, or are often got wrong.

    Attributes
    ----------
    options : dict
        Each option with what it means.
    default : str
        The option in force unless something else is chosen.
    """

    options: dict[str, str] = Field(min_length=2)
    default: str

    @model_validator(mode="after")
    def _default_is_an_option(self) -> Switch:
        if self.default not in self.options:
            raise ValueError(f"default '{self.default}' is not one of {', '.join(self.options)}")
        return self


def parse_number(value: object) -> Fraction:
    """Read a whole number, or ``"1/2"`` as an exact fraction; refuse floats, which are not exact.

    Raises
    ------
    ValueError
        Which pydantic turns into a message with the field's name.
    """
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    if not isinstance(value, str):
        raise ValueError('numbers are whole or fractions in quotes such as "1/2"')
    top, slash, bottom = value.partition("/")
    whole = top.removeprefix("-").isdecimal()
    if len(value) > 40 or not whole or (slash and not (bottom.isdecimal() and int(bottom))):
        raise ValueError('a fraction is written in quotes, such as "1/2"')
    return Fraction(int(top), int(bottom or 1))


def _number_or_list(value: object) -> Fraction | tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        return parse_number(value)
    if not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
        raise ValueError("a list holds whole numbers")
    return tuple(value)


def _cells(cells: object) -> dict[str, int | str]:
    if not isinstance(cells, dict) or not all(
        isinstance(cell, (int, str)) and not isinstance(cell, bool) for cell in cells.values()
    ):
        raise ValueError('cells are whole numbers or texts such as "1/2"')
    return cells


class Number(Entry):
    """A single number a procedure needs; a list where the rule gives several."""

    value: Annotated[Fraction | tuple[int, ...], PlainValidator(_number_or_list)]


class Term(Entry):
    """A term of a formula (attack bonus, armor class, damage): its name, bonus type and source."""

    type: str = Field("untyped", min_length=1)


class Lookup(Entry):
    """A row of a plain table, such as sizes: named cells.

    Attributes
    ----------
    table : str
        Which table the row belongs to.
    cells : dict
        Column name to whole number, exact fraction (``"1/2"``) or text.
    """

    table: str
    cells: Annotated[dict[str, int | str], PlainValidator(_cells)] = {}

    def number(self, column: str) -> Fraction:
        """Read a numeric cell exactly."""
        where = f"row '{self.id}' of table '{self.table}'"
        if column not in self.cells:
            raise CombatkitError(f"{where} has no column '{column}'{nearest(column, self.cells)}")
        try:
            return parse_number(self.cells[column])
        except ValueError:
            cell = self.cells[column]
            raise CombatkitError(f"{where}: '{column}' is no number but {cell!r}") from None
