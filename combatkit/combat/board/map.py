"""A battle map: who stands where, walls, and what hides from sight."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, PlainValidator, Tag, model_validator

from combatkit.errors import CombatkitError, nearest
from combatkit.grid import Border
from combatkit.grid.squares import Square, Thing
from combatkit.rules import Combatant, Weapon
from combatkit.rules.equipment import Size
from combatkit.rules.validation import Model

FAR = 1000  # squares from the origin
MANY = 4000  # squares and borders of one kind


def _square(value: object) -> Square:
    wrong = ValueError("a square is two whole numbers, [x, y]")
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise wrong
    x, y = value
    if not (type(x) is int and type(y) is int):
        raise wrong
    if max(abs(x), abs(y)) > FAR:
        raise ValueError(f"a square lies within {FAR} squares of [0, 0]")
    return x, y


def _thing(value: object) -> Thing:
    if isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], (list, tuple)):
        try:
            return Border.between(_square(value[0]), _square(value[1]))
        except CombatkitError as error:  # pydantic then adds the field's path
            raise ValueError(str(error)) from None
    try:
        return _square(value)
    except ValueError as error:
        raise ValueError(f"{error}, and a border two of them, [[x, y], [x, y]]") from None


At = Annotated[tuple[int, int], BeforeValidator(_square)]
Squares = Annotated[tuple[At, ...], Field(max_length=MANY)]
Places = Annotated[tuple[Annotated[Any, PlainValidator(_thing)], ...], Field(max_length=MANY)]


def _kind(value: object) -> str:
    return "by id" if isinstance(value, str) else "one's own"


Who = Annotated[
    Annotated[str, Tag("by id")] | Annotated[Combatant, Tag("one's own")], Discriminator(_kind)
]
What = Annotated[
    Annotated[str, Tag("by id")] | Annotated[Weapon, Tag("one's own")], Discriminator(_kind)
]


class Placed(Model):
    """Somebody on a map.

    Attributes
    ----------
    id : str
    at : (int, int)
        Lower left square of the space; creatures smaller than a square may share one.
    side : str
        Those of the same side are friends; with no side it is nobody's friend.
    combatant : str, Combatant or None
        An id of the ruleset or one's own; says size, reach and weapons.
    size : str or None
        Size category; None is the combatant's, or medium.
    build : {"tall", "long"} or None
        Column of the size table to take the reach from; None is the combatant's reach, or tall.
    reach : int or None
        Natural reach in feet, in place of all that; None is the combatant's, or that of the size.
    weapon : str, Weapon or None
        In hand; None is the combatant's first, or an ordinary melee weapon.
    armed : bool
        Whether it can strike in melee just now; if not, it threatens nobody.
    darkvision : bool
        Shadow and darkness do not hide others from it.
    """

    id: str = Field(min_length=1, max_length=80)
    at: At
    side: str = Field("", max_length=80)
    combatant: Who | None = None
    size: Annotated[
        Size | None, BeforeValidator(lambda v: v.lower() if isinstance(v, str) else v)
    ] = None
    build: Literal["tall", "long"] | None = None
    reach: int | None = Field(None, ge=0, le=100)
    weapon: What | None = None
    armed: bool = True
    darkvision: bool = False

    @model_validator(mode="after")
    def _one_reach(self) -> Placed:
        if self.build is not None and self.reach is not None:
            raise ValueError(
                f"build '{self.build}' says the reach by size, and reach gives {self.reach} feet: "
                "leave one of them out"
            )
        return self


class Map(Model):
    """A battle map. Squares are ``[x, y]``; a border is the two squares it divides.

    What each kind of thing does to movement is the ruleset's table ``ground``.

    Attributes
    ----------
    creatures : tuple of Placed
    walls : tuple of squares and borders
        What blocks line of effect.
    low_walls : tuple of squares and borders
        Obstacles no higher than half a creature's height.
    covering : tuple of squares and borders
        What gives cover and does not block line of effect, such as a massive tree.
    slits : tuple of squares and borders
        What gives improved cover, such as an arrow slit.
    fog : tuple of squares and borders
        What conceals from everybody: fog, smoke, foliage.
    shadow : tuple of squares and borders
        What conceals, except from darkvision.
    darkness : tuple of squares
        Whoever is wholly inside cannot be seen without darkvision.
    difficult : tuple of squares
        Undergrowth, rubble, mud: it costs more movement and nothing else.

    Examples
    --------
    >>> cave = Map(creatures=[{"id": "Ann", "at": [0, 0]}], walls=[[1, 0], [[0, 0], [0, 1]]])
    >>> cave.walls
    ((1, 0), Border(one=(0, 0), other=(0, 1)))
    >>> Map.from_json(cave.to_json()) == cave
    True
    """

    creatures: tuple[Placed, ...] = Field((), max_length=500)
    walls: Places = ()
    low_walls: Places = ()
    covering: Places = ()
    slits: Places = ()
    fog: Places = ()
    shadow: Places = ()
    darkness: Squares = ()
    difficult: Squares = ()

    @model_validator(mode="after")
    def _ids_differ(self) -> Map:
        seen: set[str] = set()
        for creature in self.creatures:
            if creature.id in seen:
                raise ValueError(f"two creatures are called '{creature.id}'")
            seen.add(creature.id)
        return self

    def creature(self, key: str) -> Placed:
        """Find a creature by id.

        Raises
        ------
        CombatkitError
            With the nearest id that is on the map.
        """
        for creature in self.creatures:
            if creature.id == key:
                return creature
        known = nearest(key, (creature.id for creature in self.creatures))
        raise CombatkitError(f"creature {key!r:.60} is not on the map{known}")

    def moved(self, key: str, to: Square) -> Map:
        """Return the same map with one creature somewhere else.

        Examples
        --------
        >>> cave = Map(creatures=[{"id": "Ann", "at": [0, 0]}])
        >>> cave.moved("Ann", (3, 4)).creature("Ann").at
        (3, 4)
        """
        placed = self.creature(key)
        there = Placed(**{**_given(placed), "at": to})
        creatures = tuple(there if other is placed else other for other in self.creatures)
        return Map(**{**_given(self), "creatures": creatures})


def _given(model: Model) -> dict[str, Any]:
    return {name: getattr(model, name) for name in model.model_fields_set}
