"""The battle map: shows and edits a :class:`combatkit.Map`, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anywidget
import traitlets as T

from combatkit.combat.attacks.situation import Situation
from combatkit.combat.board.map import Map, Placed
from combatkit.combat.board.position import Position
from combatkit.errors import CombatkitError, nearest
from combatkit.grid import Border
from combatkit.grid.squares import Square, Thing
from combatkit.rules import Ruleset
from combatkit_widgets.forms import changed
from combatkit_widgets.map_state import EDGES, KINDS, LABELS, TOOLS, Seen, picture, touches

ROOM = ((0, 0), (11, 7))  # squares shown at least
MORE = 3  # squares added on each side


class BattleMap(anywidget.AnyWidget):
    """Show a map, and change it by mouse or keyboard; ``value`` is the frozen map.

    Arrow keys move the focus from square to square, Enter or Space uses the tool, Delete removes
    what is there, Escape lets go. With the tool Move a creature is picked up and put down, or
    dragged. Whoever attacks whom is picked in two menus; ``situation`` then follows each change.

    Parameters
    ----------
    rules : Ruleset
    value : Map, optional
    attacker, defender : str, optional
        Ids of creatures on the map.
    **kwargs
        Traits of any ipywidget, such as ``layout``.

    Examples
    --------
    >>> import combatkit as ck
    >>> here = ck.Map(creatures=[{"id": "Ann", "at": [0, 0]}, {"id": "orc", "at": [3, 0]}])
    >>> board = BattleMap(ck.load_ruleset("srd35"), here, attacker="Ann", defender="orc")
    >>> board.situation.distance
    15
    >>> board.value = here.moved("Ann", (2, 1))
    >>> board.situation.distance
    5
    """

    _esm = Path(__file__).with_name("battle_map.js")
    _css = Path(__file__).with_name("battle_map.css")

    value = T.Instance(Map, help="The map shown; assign one to show it.")
    rules = T.Instance(Ruleset, help="Rules that say sizes, reach, cover and flanking.")
    attacker = T.Unicode(help="Id of who attacks; empty for nobody.")
    defender = T.Unicode(help="Id of who is attacked; empty for nobody.")
    situation = T.Instance(
        Situation, allow_none=True, read_only=True, help="What the map says of the attack."
    )
    names = T.Dict(help="What creatures are called, by id, where that is not the id.")
    thrown = T.Instance(frozenset, (), help="Ids of those who throw the weapon in hand.")
    tool = T.Enum([*TOOLS], "move", help="What Enter or a click does.").tag(sync=True)
    edge = T.Enum([*EDGES], "square", help="Where the tools put things.").tag(sync=True)
    menus = T.Dict(help="Labels of tools, borders and samples.").tag(sync=True)
    state = T.Dict(help="What the page draws.").tag(sync=True)
    complaint = T.Unicode(help="What is wrong with the last change.").tag(sync=True)

    def __init__(self, rules: Ruleset, value: Map | None = None, **kwargs: Any) -> None:
        self._area: tuple[Square, Square] = ROOM
        self._held = ""
        self._goal: Square | None = None
        super().__init__(rules=rules, value=Map() if value is None else value, **kwargs)
        self.on_msg(self._from_page)
        self.observe(self._draw, ["value", "rules", "attacker", "defender", "names", "thrown"])
        self.observe(self._let_go, "tool")
        self._draw()

    @property
    def seen(self) -> Seen:
        """The map under its rules, with who attacks whom."""
        return Seen(
            self.rules, self.value, self.attacker, self.defender, self._held, self.names,
            self.thrown, self._goal,
        )  # fmt: skip

    @property
    def position(self) -> Position | None:
        """What the map says about the attack and why; None while two are not chosen.

        Raises
        ------
        CombatkitError
            For a combatant or weapon that the rules do not know.
        """
        return self.seen.position() if self.seen.are_two else None

    def _draw(self, _change: Any = None) -> None:
        if self._held and self._held not in {one.id for one in self.value.creatures}:
            self._held = ""
        try:
            found = self.position
        except CombatkitError:
            found = None  # said by the picture
        with self.hold_sync():
            self.state = picture(self.seen, self._area)
            self._area = self._shown  # what was shown stays: the squares must not jump
            self.menus = self._menus()
        self.set_trait("situation", found.situation if found else None)

    @property
    def _shown(self) -> tuple[Square, Square]:
        columns, rows = self.state["columns"], self.state["rows"]
        return (columns[0], rows[-1]), (columns[-1], rows[0])

    def _menus(self) -> dict[str, Any]:
        samples = [[key, who.name or key] for key, who in self.rules.combatants.items()]
        return {
            "tools": [[key, label] for key, label in TOOLS.items()],
            "edges": [*EDGES],
            "samples": samples,
            "kinds": [*KINDS],
        }

    # ---- what the page asks for

    def _from_page(self, _widget: object, content: object, _buffers: object) -> None:
        try:
            self.do(content)
        except CombatkitError as error:
            self.complaint = str(error)

    def do(self, content: object) -> None:
        """Do what a message of the page asks for.

        Parameters
        ----------
        content : dict
            ``do`` names it: "use" the tool at a square, "drag" a creature from one square to
            another, "paint" several squares, "remove" what is on one, "let go", "choose" attacker
            and defender, "more room".

        Raises
        ------
        CombatkitError
            For what cannot be done; the map stays.

        Examples
        --------
        >>> import combatkit as ck
        >>> board = BattleMap(ck.load_ruleset("srd35"))
        >>> board.tool = "fog"
        >>> board.do({"do": "use", "at": [2, 1]})
        >>> board.value.fog
        ((2, 1),)
        """
        if not isinstance(content, dict):
            raise CombatkitError("a message to a battle map is a dict")
        ways: dict[str, Callable[[dict[str, Any]], None]] = {
            "use": self._use,
            "drag": self._drag,
            "paint": self._paint,
            "remove": lambda said: self._remove(_square(said, "at")),
            "let go": self._let_go,
            "choose": self._choose,
            "more room": self._more_room,
        }
        word = str(content.get("do"))
        if word not in ways:
            raise CombatkitError(f"a battle map cannot do {word!r:.40}{nearest(word, ways)}")
        self.complaint = ""
        ways[word](content)

    def _use(self, said: dict[str, Any]) -> None:
        square = _square(said, "at")
        if self.tool == "move":
            self._pick_or_put(square)
        elif self.tool == "way":
            self._show_way(square)
        elif self.tool == "place":
            self._place(square, said)
        elif self.tool == "erase":
            self._remove(square)
        else:
            self._toggle(self.tool, [self._thing(square)])

    def _show_way(self, square: Square) -> None:
        if not self.seen.focus:
            raise CombatkitError("pick the attacker below: the way shown is that one's")
        self._goal = square
        self._draw()

    def _pick_or_put(self, square: Square) -> None:
        here = self.seen.creatures_at(square)
        if self._held and self._held not in here:
            self._put(square)
            return
        # again on the same square: the next of those who share it, then nobody
        later = here[here.index(self._held) + 1 :] if self._held else here
        self._held = next(iter(later), "")
        self._draw()

    def _put(self, square: Square) -> None:
        moved = self.value.moved(self._held, square)
        self._held = ""
        if moved == self.value:
            self._draw()
        self.value = moved

    def _drag(self, said: dict[str, Any]) -> None:
        start, end = _square(said, "at"), _square(said, "to")
        here = self.seen.creatures_at(start)
        if not here:
            raise CombatkitError(f"nobody stands at {start}")
        self._held = self._held if self._held in here else here[0]
        self._put(end)

    def _place(self, square: Square, said: dict[str, Any]) -> None:
        given = {name: said.get(name) or None for name in ("side", "combatant", "size", "weapon")}
        given = {name: content for name, content in given.items() if content is not None}
        who = given.get("combatant")
        name = said.get("id") or (
            self._unused(self.rules.combatant(who).name or who) if who else ""
        )
        if not name:
            raise CombatkitError("a creature needs a name, or one of the samples")
        map = changed(
            self.value, creatures=(*self.value.creatures, Placed(**given, id=name, at=square))
        )
        Seen(self.rules, map, name, name).threatened()  # refuses what the rules do not know
        self.value = map

    def _unused(self, name: str) -> str:
        taken = {one.id for one in self.value.creatures}
        return next(n for n in (name, *(f"{name} {k}" for k in range(2, 999))) if n not in taken)

    def _thing(self, square: Square) -> Thing:
        dx, dy = EDGES[self.edge]
        other = (square[0] + dx, square[1] + dy)
        return square if other == square else Border.between(square, other)

    def _toggle(self, kind: str, things: list[Thing]) -> None:
        """Put things of a kind there, or take them away where all of them are."""
        old = getattr(self.value, kind)
        new = (
            tuple(thing for thing in old if thing not in things)
            if all(thing in old for thing in things)
            else tuple(dict.fromkeys((*old, *things)))
        )
        try:
            self.value = changed(self.value, **{kind: new})
        except CombatkitError as error:
            if self.edge == "square":
                raise
            raise CombatkitError(f"{LABELS.get(kind, kind)} fills squares, not borders") from error

    def _paint(self, said: dict[str, Any]) -> None:
        squares = said.get("squares")
        if not isinstance(squares, list) or not squares or self.tool not in KINDS:
            raise CombatkitError("to paint, choose what to put there and cross some squares")
        self._toggle(self.tool, [self._thing(_square({"at": one}, "at")) for one in squares])

    def _remove(self, square: Square) -> None:
        """Take away the creature on a square; where there is none, all that is on it."""
        here = self.seen.creatures_at(square)
        if here:
            gone = self._held if self._held in here else here[-1]
            rest = tuple(one for one in self.value.creatures if one.id != gone)
            self.value = changed(self.value, creatures=rest)
            return
        kinds = self.seen.things_at(square)
        kept = {
            kind: tuple(one for one in getattr(self.value, kind) if not touches(one, square))
            for kind in kinds
        }
        self.value = changed(self.value, **kept)

    def _let_go(self, _said: Any = None) -> None:
        self._held, self._goal = "", None
        self._draw()

    def _choose(self, said: dict[str, Any]) -> None:
        for role in ("attacker", "defender"):
            key = said.get(role)
            if key is not None:
                setattr(self, role, self.value.creature(str(key)).id if key else "")

    def _more_room(self, _said: Any) -> None:
        low, high = self._shown
        self._area = (low[0] - MORE, low[1] - MORE), (high[0] + MORE, high[1] + MORE)
        self._draw()


def _square(said: dict[str, Any], name: str) -> Square:
    """Read a square of a message; the map itself checks how far out it lies."""
    square = said.get(name)
    if not (isinstance(square, list) and len(square) == 2 and all(type(n) is int for n in square)):
        raise CombatkitError(f"{name}: a square is two whole numbers, [x, y]")
    return square[0], square[1]
