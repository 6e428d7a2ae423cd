"""Cover and concealment of one attack on a map, by lines from corner to corner."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple

from combatkit.combat.board.map import Map
from combatkit.combat.board.standing import Stand, beside, measure, near, stand
from combatkit.grid import Border, Ground, Space, View, crosses, distance, line_of_effect
from combatkit.grid.cover import Blocked, blow, inside, shot
from combatkit.grid.lines import Touching, unbroken
from combatkit.grid.squares import Corner, Thing, Things, distance_to
from combatkit.rules import Citation, Ruleset
from combatkit.rules.modifier import Mode

HARD = 2  # the second layer of: creatures, obstacles, slits


class Finding(NamedTuple):
    """One thing read off the map.

    Attributes
    ----------
    about : {"distance", "cover", "concealment", "flanking", "into_melee"}
    row : str or None
        Id of the row it selects; None where it selects nothing.
    text : str
        Why: which corner, which square, which friend.
    cite : Citation
        Where the rule stands.
    """

    about: str
    row: str | None
    text: str
    cite: Citation


@dataclass(frozen=True, eq=False)
class Scene:
    """One attack on a map, while it is being judged."""

    rules: Ruleset
    map: Map
    attacker: Stand
    defender: Stand
    mode: Mode

    @cached_property
    def spaces(self) -> tuple[Space, Space]:
        """Spaces of attacker and defender."""
        return self.attacker.space, self.defender.space

    @cached_property
    def feet(self) -> int:
        """Distance in feet, by reach for a melee attack."""
        return self.attacker.feet_to(self.defender, self.mode == "melee")

    def apart(self) -> Finding:
        """Measure the distance."""
        squares = distance(*self.spaces, measure(self.rules, self.mode == "melee"))
        text = (
            f"Distance {self.feet} feet: {squares} square{'' if squares == 1 else 's'} from "
            f"{named(self.attacker)} to {named(self.defender)}"
        )
        return Finding("distance", None, text, self.rules.switches["diagonals"].cite)

    def _cite(self, slot: str) -> Citation:
        """Where the rules on cover or concealment stand, if they have any."""
        found = self.rules.tables.get(slot) or self.rules.switches["line_touching"]
        return found.cite

    # ---- cover

    def cover(self) -> Finding:
        """Judge the defender's cover from this attack."""
        known, nowhere = self.rules.slots["cover"], self._cite("cover")
        if not line_of_effect(*self.spaces, self._near(self.map.walls)):
            row = "total" if "total" in known else None
            cite = known[row].cite if row else nowhere
            text = f"Total cover: no line from {named(self.attacker)} to {named(self.defender)}"
            return Finding("cover", row, f"{text} gets past {self._walls_between()}", cite)
        view = self._cover_view()
        row = self._cover_row(view) if known else None
        if row is None:
            why = self._view_text(view, COVER) if view.layer else "nothing is in the way"
            return Finding("cover", None, f"No cover: {why}{self._overlooked()}", nowhere)
        found = known[row]
        text = f"{found.label}: {self._view_text(view, COVER)}{self._overlooked()}"
        return Finding("cover", row, text, found.cite)

    def _lines(self) -> list[tuple[Corner, Corner]]:
        """Every line from a corner of one space to a corner of the other."""
        one, other = self.spaces
        return list(product(one.corners, other.corners))

    def _walls_between(self) -> str:
        """Name the walls that leave no line of effect."""
        walls, lines = self._near(self.map.walls), self._lines()
        hit = [wall for wall in _ordered(walls) if any(crosses(*line, wall) for line in lines)]
        return _listed([f"{NAMES['walls']} {_place(wall)}" for wall in hit or _ordered(walls)])

    def _overlooked(self) -> str:
        """Name the low walls in the way that do not cover the defender."""
        away = self._near(self.map.low_walls) - self._low_walls()
        lines = self._lines()
        hit = [thing for thing in _ordered(away) if any(crosses(*line, thing) for line in lines)]
        if not hit:
            return ""
        names = _listed([f"{NAMES['low_walls']} {_place(thing)}" for thing in hit])
        limit = self.rules.number("cover.low_obstacle")
        return (
            f"; {names} covers only who is within {limit} feet of it and no farther from it than "
            f"{self.attacker.placed.id}"
        )

    @cached_property
    def _hard(self) -> Things:
        return self._near((*self.map.walls, *self.map.covering)) | self._low_walls()

    def _cover_view(self) -> View:
        hard = self._hard
        better = self._near(self.map.slits)
        layers = (self._creatures(), hard, better)
        beyond = Ground(layers, hard, HARD, self._touching)
        if self.mode == "ranged":
            return shot(*self.spaces, beyond, self._cover_rank)
        adjacent = beyond._replace(layers=(frozenset[Thing](), hard, better))
        return blow(*self.spaces, adjacent, beyond, self._cover_rank)

    @property
    def _percent(self) -> bool:
        """Whether cover goes by the percent table, in rules that have one."""
        return (
            "cover_table" in self.rules.switches and self.rules.switch("cover_table") == "percent"
        )

    @property
    def _touching(self) -> Touching:
        return "closed" if self.rules.switch("line_touching") == "closed" else "interior"

    def _cover_rank(self, view: View) -> tuple[int, int, int]:
        """Order what the attacker may choose from by what it adds to the defender's armor class."""
        row = self.rules.slots["cover"].get(self._cover_row(view) or "")
        return (row.column(self.mode) or 0 if row else 0), view.layer, len(view.blocked)

    def _cover_row(self, view: View) -> str | None:
        if view.layer == 1 and self.mode == "melee":
            return "standard" if self.rules.switch("reach_past_creatures") == "cover" else None
        if view.layer == 2 and self._percent:
            return percent_band(self.rules, view.share)
        return (None, "soft", "standard", "improved")[view.layer]

    def _low_walls(self) -> Things:
        """Low obstacles that count: near enough to the defender, and no nearer to the attacker."""
        limit = self.rules.number("cover.low_obstacle") // self.rules.number("grid.square")
        way = measure(self.rules, melee=False)

        def counts(thing: Thing) -> bool:
            mine, theirs = (distance_to(thing, space, way) for space in self.spaces)
            return theirs <= limit and theirs <= mine

        return frozenset(filter(counts, self._near(self.map.low_walls)))

    def _creatures(self) -> Things:
        return self._near(square for other in self.others for square in other.space.squares)

    @cached_property
    def others(self) -> list[Stand]:
        """Everybody else on the map."""
        own = (self.attacker.placed.id, self.defender.placed.id)
        return [
            stand(self.rules, self.map, one.id) for one in self.map.creatures if one.id not in own
        ]

    def _near(self, things: Iterable[Thing]) -> Things:
        return near(things, *self.spaces)

    # ---- concealment

    def concealment(self) -> Finding:
        """Judge the defender's concealment from this attack."""
        known, cite = self.rules.slots["concealment"], self._cite("concealment")
        dark = self.attacker.placed.darkvision
        who = self.defender.placed.id
        if not dark and inside(self.defender.space, frozenset(self.map.darkness)):
            row, share = "total", Fraction(1)
            why = f"{who} is wholly in {NAMES['darkness']} {_place(self.defender.placed.at)}"
        else:
            row, share, why = self._dimness(dark)
        if not share or row not in known:
            return Finding("concealment", None, f"No concealment: {why}", cite)
        if row == "standard" and self.rules.switch("concealment") != "miss_chance":
            row = percent_band(self.rules, share) or row
        return Finding("concealment", row, f"{known[row].label}: {why}", known[row].cite)

    def _dimness(self, dark: bool) -> tuple[str, Fraction, str]:
        """Which row of concealment, the share concealed, and why."""
        things = beside((*self.map.fog, *(() if dark else self.map.shadow)), *self.spaces)
        who = self.defender.placed.id
        if self.mode == "melee" and distance(*self.spaces, "single") <= 1:
            held = [square for square in self.defender.space.squares if square in things]
            names = _listed([self._kind(square, DIM) for square in held])
            if not held:
                return "standard", Fraction(0), f"nothing conceals {who}{self._seen_through(dark)}"
            if inside(self.defender.space, things):
                return "standard", Fraction(1), f"{who} is wholly in {names}"
            return "standard", Fraction(0), f"{who} is only partly in {names}"
        view = shot(*self.spaces, Ground((things,), touching=self._touching))
        if not view.layer:
            return "standard", Fraction(0), f"nothing conceals {who}{self._seen_through(dark)}"
        return "standard", view.share, self._view_text(view, {1: DIM})

    def _seen_through(self, dark: bool) -> str:
        """Name what darkvision does away with."""
        dim = (*self.map.shadow, *self.map.darkness) if dark else ()
        lines, own = self._lines(), self.defender.space.squares
        hit = [
            self._kind(thing, ("shadow", "darkness"))
            for thing in _ordered(beside(dim, *self.spaces))
            if thing in own or any(crosses(*line, thing) for line in lines)
        ]
        return f"; {self.attacker.placed.id} sees through {_listed(hit)}" if hit else ""

    # ---- words

    def _view_text(self, view: View, kinds: Mapping[int, Kinds]) -> str:
        start = f"from corner {view.corner} " if view.corner else ""
        text = f"{start}{len(view.blocked)} of {view.lines} lines blocked"
        if view.start.side < self.attacker.space.side or view.end.side < self.defender.space.side:
            text += f", judged from square {at(view.start)} to {at(view.end)}"
        shown = [f"to {line.end} by {self._name(line, kinds)}" for line in view.blocked[:4]]
        return f"{text}: {', '.join(shown)}"

    def _name(self, line: Blocked, kinds: Mapping[int, Kinds]) -> str:
        """Name what blocks a line, and where it stands."""
        if line.thing is None:
            things = _ordered(self._seam(line))
            return f"{_listed([self._kind(one, kinds[HARD]) for one in things])}, without a gap"
        if line.layer in kinds:
            return self._kind(line.thing, kinds[line.layer])
        return next(named(one) for one in self.others if line.thing in one.space.squares)

    def _kind(self, thing: Thing, kinds: Kinds) -> str:
        kind = next(kind for kind in kinds if thing in getattr(self.map, kind))
        return f"{NAMES[kind]} {_place(thing)}"

    def _seam(self, line: Blocked) -> Collection[Thing]:
        """Find the few things whose seam or joint stops a line that passes through none of them."""
        ends = (self.spaces[0].squares, self.spaces[1].squares)
        touched = [
            thing
            for thing in _ordered(self._hard)
            if crosses(line.start, line.end, thing, "closed")
        ]
        for count in (1, 2, 3):
            for some in combinations(touched, count):
                if not unbroken(line.start, line.end, *ends, frozenset(some)):
                    return some
        return touched


Kinds = tuple[str, ...]
COVER: Mapping[int, Kinds] = {HARD: ("walls", "low_walls", "covering"), HARD + 1: ("slits",)}
DIM: Kinds = ("fog", "shadow")
NAMES = {
    "walls": "the wall",
    "low_walls": "the low wall",
    "covering": "the tree (or other cover)",
    "slits": "the arrow slit",
    "fog": "the fog",
    "shadow": "the shadow",
    "darkness": "the darkness",
}
SHOWN = 4  # things named in one sentence


def _listed(names: Sequence[str]) -> str:
    """Name a few things and count the rest."""
    if len(names) > SHOWN:
        names = [*names[:SHOWN], f"{len(names) - SHOWN} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _ordered(things: Iterable[Thing]) -> list[Thing]:
    """Squares first, then borders: the two do not compare."""
    return sorted(things, key=lambda thing: (isinstance(thing, Border), thing))


def _place(thing: Thing) -> str:
    return f"between {thing.one} and {thing.other}" if isinstance(thing, Border) else f"at {thing}"


def named(one: Stand) -> str:
    """Name a creature and where it stands."""
    return f"{one.placed.id} at {at(one.space)}"


def at(space: Space) -> str:
    """Write where a space begins."""
    return str((space.x, space.y))


def percent_band(rules: Ruleset, share: Fraction) -> str | None:
    """Row of the percent tables nearest to a share, where the ruleset has such tables.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> [percent_band(rules, Fraction(lines, 4)) for lines in range(5)]
    [None, '25', '50', '75', '90']
    """
    bands = [entry for entry in rules.lookups.values() if entry.table == "percent_band"]
    reached = [band for band in bands if share >= band.number("from")]
    return max(reached, key=lambda band: band.number("from")).id if reached else None
