"""From a list of squares to a walk: whether the way is open, its costs, and who may strike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from combatkit.combat.board.dangers import Dangers, Going, Provoked
from combatkit.combat.board.map import At, Map
from combatkit.combat.board.standing import Stand, stand
from combatkit.combat.board.terrain import Feet, Step, Terrain
from combatkit.combat.board.walk import Opportunity, Walk
from combatkit.combat.turns.turn import five_foot_step
from combatkit.errors import CombatkitError, expect
from combatkit.grid.squares import Square
from combatkit.rules import Ruleset
from combatkit.rules.validation import Model

ORDINARY = Going()
MAX_STEPS = 400


class _Squares(Model):
    squares: tuple[At, ...]


def walk_on(
    rules: Ruleset,
    map: Map,
    mover: str,
    path: Iterable[Square],
    going: Going = ORDINARY,
) -> Walk:
    """Work out what a given way on a map costs: movement, and strikes on it.

    Parameters
    ----------
    rules : Ruleset
    map : Map
    mover : str
        Id of the creature that walks.
    path : iterable of (int, int)
        Square after square, with or without the one it stands on; at most 400.
    going : Going, optional
        The act, Tumble, engagement, and what else holds.

    Returns
    -------
    Walk

    Raises
    ------
    CombatkitError
        For a way that is not open: a wall, a corner cut, somebody in the way, a step too far.

    Notes
    -----
    Every foe gets one opportunity for the whole movement (srd, Combat Reflexes), at the first step
    where it can strike. Sources: Simplified 3.5, Provoking an Attack of Opportunity, Take 5-Foot
    Step; srd, Withdraw, Movement and position, Tumble; Phased combat, Running away, Moving past.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> cave = Map(
    ...     creatures=[
    ...         {"id": "Ann", "at": [0, 0], "side": "heroes", "combatant": "fighter_6"},
    ...         {"id": "ogre", "at": [1, 1], "side": "giants", "combatant": "ogre"},
    ...     ]
    ... )
    >>> walk = walk_on(rules, cave, "Ann", [(1, 0), (2, 0), (3, 0)])
    >>> walk.feet, [(one.step, one.foe) for one in walk.opportunities]
    (15, [(1, 'ogre')])
    """
    expect(map, Map, "map")
    expect(going, Going, "going")
    terrain = Terrain(rules, map, stand(rules, map, mover))
    dangers = Dangers(terrain, going)
    squares = _squares(terrain, path)
    steps = tuple(_steps(terrain, squares, going))
    if dangers.is_step:
        _check_step(terrain, steps)
    if why_not := terrain.why_no_end(squares[-1]):
        raise CombatkitError(why_not)
    opportunities, spared, strikers = _opportunities(dangers, squares)
    costs = tuple(_costs(steps))
    return Walk(rules, terrain.mover, going, squares, costs, opportunities, spared, strikers)


def _squares(terrain: Terrain, path: Iterable[Square]) -> tuple[Square, ...]:
    start = terrain.mover.placed.at
    given = _Squares.from_data({"squares": tuple(path)}, "path").squares
    squares = given if given[:1] == (start,) else (start, *given)
    if len(squares) > MAX_STEPS + 1:
        raise CombatkitError(f"a way has at most {MAX_STEPS} steps, not {len(squares) - 1}")
    return squares


def _steps(terrain: Terrain, squares: tuple[Square, ...], going: Going) -> Iterator[Step]:
    for at, to in pairwise(squares):
        dx, dy = to[0] - at[0], to[1] - at[1]
        if max(abs(dx), abs(dy)) != 1:
            raise CombatkitError(f"from {at} to {to} is no step to a neighboring square")
        step = terrain.step(at, dx, dy)
        if step is None:
            raise CombatkitError(f"from {at} to {to}: a wall or its corner is in the way")
        foes = terrain.in_the_way(to)
        if foes and going.tumble is None:
            raise CombatkitError(
                f"{foes[0].placed.id} is in the way on {to}; only a Tumble check leads through"
            )
        yield step


def _costs(steps: Iterable[Step]) -> Iterator[Feet]:
    turned = 0
    for step in steps:
        yield step.feet[turned]
        turned ^= step.turns


def _check_step(terrain: Terrain, steps: tuple[Step, ...]) -> None:
    """Source: Simplified 3.5, Take 5-Foot Step."""
    rules, who = terrain.rules, terrain.mover.who
    hampered = any(step.feet[0] > rules.number("step.feet") for step in steps)
    verdict = five_foot_step(rules, who.speed if who else None, hampered=hampered)
    if not verdict:
        raise CombatkitError(f"no 5-foot step: {verdict.why_not}")
    if len(steps) > 1:
        raise CombatkitError(f"a 5-foot step is one step, not {len(steps)}")


def _opportunities(
    dangers: Dangers, squares: tuple[Square, ...]
) -> tuple[tuple[Opportunity, ...], tuple[tuple[str, str], ...], tuple[Stand, ...]]:
    found: list[Opportunity] = []
    spared: dict[str, str] = {}
    met: dict[str, Stand] = {}
    for place, (at, to) in enumerate(pairwise(squares), 1):
        through = dangers.terrain.in_the_way(to)
        inside = {one.placed.id for one in dangers.terrain.in_the_way(at)}
        entered = [one for one in through if one.placed.id not in inside]
        for one in dangers.provoked(at, to, place == 1):
            name = one.foe.placed.id
            if name in met or name in {foe.placed.id for foe in entered}:
                continue
            if one.why_not:
                spared[name] = one.why_not
                continue
            found.append(_opportunity(dangers, place, one, len(met)))
            met[name] = one.foe
        for foe in entered:
            name = foe.placed.id
            before = [*met].index(name) if name in met else len(met)
            found.append(_entering(dangers, place, foe, at, before))
            met.setdefault(name, foe)
    struck = {one.foe for one in found}
    kept = tuple((name, why) for name, why in spared.items() if name not in struck)
    return tuple(found), kept, tuple(met.values())


def _opportunity(dangers: Dangers, place: int, one: Provoked, before: int) -> Opportunity:
    threat = replace(one.threat, avoided=dangers.p_tumble(before))
    dc = None if dangers.going.tumble is None else dangers.tumble_dc(before)
    return Opportunity(place, one.foe.placed.id, one.square, one.why, threat, dc)


def _entering(dangers: Dangers, place: int, foe: Stand, at: Square, before: int) -> Opportunity:
    threat, why_not = dangers.threat(foe, at)
    threat = replace(threat, avoided=Fraction(1 if why_not else 0))
    return Opportunity(
        place,
        foe.placed.id,
        at,
        f"the way leads through {foe.placed.id}",
        threat,
        dangers.tumble_dc(before, through=True),
        dangers.p_tumble(before, through=True),
    )
