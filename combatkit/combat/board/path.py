"""The cheapest and the safest way between two squares of a map, by Dijkstra's algorithm."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from typing import Literal, NamedTuple

from combatkit.combat.attacks.attack import attack
from combatkit.combat.board.dangers import Dangers, Going
from combatkit.combat.board.map import At, Map
from combatkit.combat.board.standing import Stand, stand
from combatkit.combat.board.terrain import Feet, Step, Terrain
from combatkit.combat.board.walk import Walk, need_combatants
from combatkit.combat.board.walking import ORDINARY, walk_on
from combatkit.combat.turns.price import Threat, price_of_provoking
from combatkit.errors import CombatkitError, check_word, expect, refuse_work
from combatkit.grid.squares import Square
from combatkit.prob import Dist
from combatkit.rules import Ruleset
from combatkit.rules.validation import Model

Aim = Literal["p_dropped", "expected_damage"]
AIMS = ("p_dropped", "expected_damage")
MAX_AREA = 10_000  # squares
MAX_STATES = 400_000

Met = tuple[int, ...]  # kinds of strike given rise to so far, each foe once


class State(NamedTuple):
    """Where somebody is, the parity of diagonal steps, and who has had a strike."""

    square: Square
    odd: int
    met: Met


class _Ask(Model):
    to: At
    area: tuple[At, At] | None = None


def cheapest_path(
    rules: Ruleset,
    map: Map,
    mover: str,
    to: Square,
    going: Going = ORDINARY,
    area: tuple[Square, Square] | None = None,
) -> Walk:
    """Find the way that costs the fewest feet, whoever may strike on it.

    Parameters
    ----------
    rules : Ruleset
    map : Map
    mover : str
        Id of the creature that walks.
    to : (int, int)
        Lower left square of its space at the end.
    going : Going, optional
    area : ((int, int), (int, int)), optional
        Lowest and highest square of the board; when left out, whatever the map holds and as much
        room around it as anybody reaches.

    Returns
    -------
    Walk

    Raises
    ------
    CombatkitError
        Where no way leads there, and for an area of more than 10 000 squares.

    Notes
    -----
    It never leads through a foe's square by Tumble; :func:`walk_on` takes a way that does.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> cave = Map(creatures=[{"id": "Ann", "at": [0, 0]}], walls=[[1, 1], [1, 0], [1, -1]])
    >>> cheapest_path(load_ruleset("srd35"), cave, "Ann", (2, 0)).feet
    30
    """
    return _Search(rules, map, mover, to, going, area, None).walk()


def safest_path(
    rules: Ruleset,
    map: Map,
    mover: str,
    to: Square,
    going: Going = ORDINARY,
    area: tuple[Square, Square] | None = None,
    least: Aim = "expected_damage",
) -> Walk:
    """Find the way with the least damage expected on it, or the least chance to go down.

    Parameters
    ----------
    rules, map, mover, to, going, area
        As for :func:`cheapest_path`.
    least : {"expected_damage", "p_dropped"}, optional
        What is to be least, damage expected or the chance to go down; among equals the way that
        costs the fewest feet (so ``p_dropped`` walks past foes who cannot bring the mover down).

    Returns
    -------
    Walk

    Notes
    -----
    It may lead back over a square: that draws a foe's one strike where it does the least.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> cave = Map(
    ...     creatures=[
    ...         {"id": "Ann", "at": [0, 0], "side": "heroes", "combatant": "fighter_6"},
    ...         {"id": "orc", "at": [3, 1], "side": "orcs", "combatant": "orc"},
    ...     ]
    ... )
    >>> walks = [find(rules, cave, "Ann", (6, 0)) for find in (cheapest_path, safest_path)]
    >>> [(walk.feet, len(walk.opportunities)) for walk in walks]
    [(30, 1), (35, 0)]
    """
    check_word(least, AIMS, "what is to be least")
    return _Search(rules, map, mover, to, going, area, least).walk()


@dataclass(eq=False)
class _Search:
    """One search: steps and strikes are worked out once, when a way first leads to them."""

    rules: Ruleset
    map: Map
    mover: str
    to: Square
    going: Going
    area: tuple[Square, Square] | None
    aim: Aim | None
    kinds: dict[tuple[str, Dist], int] = field(default_factory=dict)
    strikes: list[Threat] = field(default_factory=list)
    steps: dict[Square, list[Step]] = field(default_factory=dict)
    edges: dict[tuple[Square, Square, bool], list[tuple[str, int]]] = field(default_factory=dict)
    risks: dict[Met, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        expect(self.map, Map, "map")
        expect(self.going, Going, "going")
        asked = _Ask.from_data({"to": self.to, "area": self.area}, "path")
        self.to = asked.to
        self.terrain = Terrain(self.rules, self.map, stand(self.rules, self.map, self.mover))
        self.dangers = Dangers(self.terrain, self.going)
        self.start = self.terrain.mover.placed.at
        self.low, self.high = asked.area or self._around()
        side = self.terrain.mover.space.side
        squares = (self.high[0] - self.low[0] + 1) * (self.high[1] - self.low[1] + 1)
        if squares > MAX_AREA:
            raise CombatkitError(
                f"a board of {squares} squares is too large to search; at most {MAX_AREA}: "
                "say which part of it by `area`"
            )
        self.last = (self.high[0] - side + 1, self.high[1] - side + 1)
        for name, square in (("the start", self.start), ("the end", self.to)):
            if not self._inside(square):
                raise CombatkitError(
                    f"{name} {square} lies outside the area {self.low} to {self.high}"
                )
        if why_not := self.terrain.why_no_end(self.to):
            raise CombatkitError(why_not)

    def _around(self) -> tuple[Square, Square]:
        """Everything on the map, with room to walk around it out of everybody's reach."""
        squares = [self.to, self.start]
        things = (*self.map.walls, *self.map.low_walls, *self.map.covering, *self.map.slits)
        for thing in (*things, *self.map.difficult, *self.map.darkness, *self.map.fog):
            squares += thing if isinstance(thing[0], tuple) else (thing,)
        reach = 0
        for other in (self.terrain.mover, *self.terrain.others):
            squares += other.space.squares
            reach = max(reach, other.reach.upto)
        room = reach + self.terrain.mover.space.side + 1
        xs, ys = zip(*squares, strict=True)
        return (min(xs) - room, min(ys) - room), (max(xs) + room, max(ys) + room)

    def _inside(self, square: Square) -> bool:
        (x, y), (left, low), (right, high) = square, self.low, self.last
        return left <= x <= right and low <= y <= high

    # ---- what a step leads to

    def _steps(self, square: Square) -> list[Step]:
        if square not in self.steps:
            found = self.terrain.steps(square)
            self.steps[square] = [step for step in found if self._inside(step.to)]
        return self.steps[square]

    def _hits(self, at: Square, to: Square, first: bool) -> list[tuple[str, int]]:
        """Foes that a step gives a strike, each with the kind of strike it is."""
        key = at, to, first
        if key not in self.edges:
            self.edges[key] = [
                (one.foe.placed.id, self._kind(one.foe, one.threat))
                for one in self.dangers.provoked(at, to, first)
                if not one.why_not
            ]
        return self.edges[key]

    def _kind(self, foe: Stand, threat: Threat) -> int:
        """Return the number of a strike: the same for those of a foe that deal the same."""
        need_combatants(self.terrain.mover, foe)
        fighter = self.terrain.mover.fighter
        damage = attack(self.rules, threat.who, fighter, threat.weapon, threat.situation).damage
        key = foe.placed.id, damage
        if key not in self.kinds:
            self.kinds[key] = len(self.strikes)
            self.strikes.append(threat)
        return self.kinds[key]

    def _after(self, met: Met, hits: list[tuple[str, int]]) -> Met:
        """Who has had a strike after a step; the order matters to the damage and to Tumble."""
        had = {self.strikes[kind].name for kind in met}
        met = (*met, *(kind for foe, kind in hits if foe not in had))
        return tuple(sorted(met)) if self._any_order else met

    @property
    def _any_order(self) -> bool:
        return self.aim == "p_dropped" and self.going.tumble is None

    def _risk(self, met: Met) -> Fraction:
        if met not in self.risks:
            threats = [
                replace(self.strikes[kind], avoided=self.dangers.p_tumble(before))
                for before, kind in enumerate(met)
            ]
            price = price_of_provoking(self.rules, self.terrain.mover.fighter, threats)
            self.risks[met] = price.p_dropped if self.aim == "p_dropped" else price.expected_damage
        return self.risks[met]

    # ---- the search

    def walk(self) -> Walk:
        """Search, and work the way found out in full.

        States of the least risk come first, of those the nearest. A step never lowers the risk, so
        Dijkstra's algorithm holds for the pair of both.
        """
        start = State(self.start, 0, ())
        before: dict[State, State | None] = {start: None}
        feet: dict[State, Feet] = {start: 0}
        queues: dict[Fraction, list[tuple[Feet, State]]] = {Fraction(0): [(0, start)]}
        done: set[State] = set()
        while queues:
            risk = min(queues)
            queue = queues[risk]
            while queue:
                gone, state = heappop(queue)
                if state.square == self.to:
                    return walk_on(
                        self.rules, self.map, self.mover, _way(before, state), self.going
                    )
                if state in done:
                    continue
                done.add(state)
                refuse_work(
                    "the ways to weigh", len(done), MAX_STATES, "take a smaller area or fewer foes"
                )
                for step in self._steps(state.square):
                    new = self._next(state, step, first=not gone)
                    cost = gone + step.feet[state.odd]
                    if new not in feet or cost < feet[new]:
                        feet[new], before[new] = cost, state
                        level = self._risk(new.met) if new.met else Fraction(0)
                        heappush(queues.setdefault(level, []), (cost, new))
            del queues[risk]
        raise CombatkitError(f"no way leads from {self.start} to {self.to}")

    def _next(self, state: State, step: Step, first: bool) -> State:
        odd = state.odd ^ step.turns
        if self.aim is None:
            return State(step.to, odd, ())
        hits = self._hits(state.square, step.to, first)
        return State(step.to, odd, self._after(state.met, hits) if hits else state.met)


def _way(before: dict[State, State | None], end: State) -> tuple[Square, ...]:
    way, state = [end.square], before[end]
    while state is not None:
        way.append(state.square)
        state = before[state]
    return tuple(reversed(way))
