"""Cover and concealment of one attack on a map, by lines from corner to corner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from combatkit.combat.board.map import Map
from combatkit.combat.board.standing import Stand, beside, measure, near, stand
from combatkit.grid import Border, Ground, Space, View, distance, line_of_effect
from combatkit.grid.cover import blow, inside, shot
from combatkit.grid.lines import Touching
from combatkit.grid.squares import Thing, Things, distance_to
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
        text = f"Distance {self.feet} feet: {squares} square{'' if squares == 1 else 's'}"
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
            return Finding("cover", row, "Total cover: no line gets past the walls", cite)
        view = self.cover_view()
        row = self._cover_row(view) if known else None
        if row is None:
            why = self._view_text(view) if view.layer else "nothing is in the way"
            return Finding("cover", None, f"No cover: {why}", nowhere)
        found = known[row]
        return Finding("cover", row, f"{found.label}: {self._view_text(view)}", found.cite)

    def cover_view(self) -> View:
        """How the attacker sees the defender past what may cover."""
        hard = self._near((*self.map.walls, *self.map.covering)) | self._low_walls()
        better = self._near(self.map.slits)
        layers = (self._creatures(), hard, better)
        beyond = Ground(layers, hard, HARD, self._touching)
        if self.mode == "ranged":
            return shot(*self.spaces, beyond, self._cover_rank)
        adjacent = beyond._replace(layers=(frozenset[Thing](), hard, better))
        return blow(*self.spaces, adjacent, beyond, self._cover_rank)

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
        if view.layer == 2 and self.rules.chosen.get("cover_table") == "percent":
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
        if not dark and inside(self.defender.space, frozenset(self.map.darkness)):
            row, share, why = "total", Fraction(1), "the defender is wholly in darkness"
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
        if self.mode == "melee" and distance(*self.spaces, "single") <= 1:
            if inside(self.defender.space, things):
                return "standard", Fraction(1), "the whole space of the defender is concealed"
            return "standard", Fraction(0), "the defender's space is not wholly concealed"
        view = shot(*self.spaces, Ground((things,), touching=self._touching))
        if not view.layer:
            return "standard", Fraction(0), "nothing conceals"
        return "standard", view.share, self._view_text(view)

    # ---- words

    def _view_text(self, view: View) -> str:
        start = f"from corner {view.corner} " if view.corner else ""
        text = f"{start}{len(view.blocked)} of {view.lines} lines blocked"
        if view.start.side < self.attacker.space.side or view.end.side < self.defender.space.side:
            text += f", judged from square {at(view.start)} to {at(view.end)}"
        shown = [f"to {line.end} by {self._name(line.thing)}" for line in view.blocked[:4]]
        return f"{text}: {', '.join(shown)}"

    def _name(self, thing: Thing | None) -> str:
        if thing is None:
            return "walls that leave no gap"
        for name in ("walls", "low_walls", "covering", "slits", "fog", "shadow"):
            if thing in getattr(self.map, name):
                return f"{NAMES[name]} {_place(thing)}"
        return next(one.placed.id for one in self.others if thing in one.space.squares)


NAMES = {
    "walls": "the wall",
    "low_walls": "the low wall",
    "covering": "what stands",
    "slits": "the slit",
    "fog": "fog",
    "shadow": "shadow",
}


def _place(thing: Thing) -> str:
    return f"between {thing.one} and {thing.other}" if isinstance(thing, Border) else f"at {thing}"


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
