"""A bout: a duel with its blows worked out, followed to its end in closed form.

What A does to B and what B does to A are independent as long as both stand, so the chance that a
fight reaches round n is a product of two; each factor is p**n times a polynomial in n, p being the
chance that a turn does nothing. Such products can be summed over all rounds at once: the rounds in
which nothing happens close algebraically.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, Literal

from flint import fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.health.damage_taken import (
    Out,
    Standing,
    Target,
    closing_weights,
    idle_weight,
    start_turn,
    steps,
    take_turn,
    turn_total,
    unhurt,
)
from combatkit.errors import CombatkitError, refuse_work
from combatkit.prob import Chain

Side = Literal["a", "b"]
FOE: dict[Side, Side] = {"a": "b", "b": "a"}
MAX_CHAIN = 400  # pairs of states solved exactly
MAX_WORK = 4_000_000_000  # bits of exact weights handled: about two seconds
MAX_COURSE = 15_000_000_000  # the same, round for round: about ten seconds

Blows = dict[Side, tuple[Blow, ...]]


@dataclass(frozen=True)
class Bout:
    """A duel with the blows worked out: all that the odds depend on.

    Attributes
    ----------
    targets : dict
        Each side as a target.
    opening : tuple of dict
        Blows of each side in the rounds that differ; a side without an entry has no turn.
    steady : dict
        Blows of each side in every later round.
    first : {"a", "b"}
        Who moves first.
    """

    targets: dict[Side, Target]
    opening: tuple[Blows, ...]
    steady: Blows
    first: Side

    @property
    def heals(self) -> bool:
        """Whether anybody regains hit points, so that no closed form exists."""
        return any(target.mends for target in self.targets.values())


class Sums:
    """Weights gathered over rounds: who wins with what damage, how losers leave, who stands."""

    def __init__(self) -> None:
        self.left = {side: fmpz_poly() for side in FOE}
        self.fallen = {side: fmpz_poly() for side in FOE}
        self.fled = dict.fromkeys(FOE, 0)
        self.stand = 0

    def win(self, winner: Side, standing: Standing, out: Out, weight: int) -> None:
        """Add the wins of one half-round."""
        loser, mass = FOE[winner], standing.mass * weight
        self.left[winner] += standing.taken * (out.mass * weight)
        self.fallen[loser] += out.fallen * mass
        self.fled[loser] += out.fled * mass


@dataclass(frozen=True)
class Part:
    """Sums and the number they are to be divided by."""

    sums: Sums
    total: int


def fight(bout: Bout) -> tuple[list[Part], bool]:
    """Follow a bout to its end.

    Returns
    -------
    list of Part, bool
        Parts to be added up, and whether the fight may go on for ever.
    """
    parts: list[Part] = []
    now = {side: unhurt() for side in FOE}
    for blows in bout.opening:
        sums, total = Sums(), 1
        sums.stand = now["a"].mass * now["b"].mass
        stand_total = now["a"].total * now["b"].total
        now, total = play_round(bout, blows, now, sums, 1)
        sums.stand *= total // stand_total
        parts.append(Part(sums, total))
    if bout.heals:
        rest, for_ever = by_chain(bout, now)
        return [*parts, rest], for_ever
    rest, for_ever = _closed(bout, now)
    return [*parts, rest], for_ever


def by_chain(bout: Bout, now: dict[Side, Standing]) -> tuple[Part, bool]:
    """Follow the steady rounds of a fight with healing as an absorbing chain over both sides.

    Returns
    -------
    Part, bool
        Sums, and whether the fight may go on for ever.

    Raises
    ------
    CombatkitError
        When the chain is too large.
    """
    starts = {side: _states(now[side]) for side in FOE}
    _refuse_large_chain(len(starts["a"]) * len(starts["b"]))
    rows: dict[Any, dict[Any, Fraction]] = {"start": {}}
    for (one, weight), (two, other) in product(starts["a"].items(), starts["b"].items()):
        rows["start"][one, two] = Fraction(weight * other, now["a"].total * now["b"].total)
    lost = 1 - sum(rows["start"].values(), Fraction(0))  # already out in the opening
    rows["start"]["out"] = lost
    waiting = [state for state in rows["start"] if state != "out"]
    while waiting:
        state = waiting.pop()
        if state in rows:
            continue
        _refuse_large_chain(len(rows))
        rows[state] = _chain_row(bout, dict(zip(FOE, state, strict=True)))
        waiting += [after for after in rows[state] if after[0] not in FOE]
    hopeful = _may_end(rows)
    for_ever = len(hopeful) < len(rows)
    # a pair from which nobody ever falls loses its row, and so becomes an end of its own
    chain = Chain({state: row for state, row in rows.items() if state in hopeful})
    ends = chain.absorption("start") if "start" in hopeful else {}
    mean = Fraction(0) if for_ever else chain.expected_steps("start") - 1
    return _gathered(ends, mean), for_ever


def _refuse_large_chain(pairs: int) -> None:
    if pairs > MAX_CHAIN:
        raise CombatkitError(
            f"a fight with healing over more than {MAX_CHAIN} pairs of hit points is too large "
            "to follow exactly; use fewer hit points, or approx=True"
        )


def _may_end(rows: dict[Any, dict[Any, Fraction]]) -> set[Any]:
    """States from which the fight can come to an end."""
    before = defaultdict[Any, list[Any]](list)
    for state, row in rows.items():
        for after, chance in row.items():
            if chance:
                before[after].append(state)
    waiting = [end for end in before if end not in rows]
    hopeful = set[Any]()
    while waiting:
        new = set(before[waiting.pop()]) - hopeful
        hopeful |= new
        waiting += new
    return hopeful


Hurt = tuple[int, bool]


def _states(standing: Standing) -> dict[Hurt, int]:
    parts = ((False, standing.calm), (True, standing.tested))
    return {
        (taken, tested): int(weight)
        for tested, poly in parts
        for taken, weight in enumerate(poly.coeffs())
        if weight
    }


def _alone(hurt: Hurt) -> Standing:
    poly = fmpz_poly([1]).left_shift(hurt[0])
    return Standing(fmpz_poly(), poly, 1) if hurt[1] else Standing(poly, fmpz_poly(), 1)


def _chain_row(bout: Bout, state: dict[Side, Hurt]) -> dict[Any, Fraction]:
    """One round from a pair of states: to other pairs, or to an end (winner, left, how)."""
    mover, other = bout.first, FOE[bout.first]
    row: dict[Any, Fraction] = {}

    def end(winner: Side, hurt: Hurt, out: Out, share: Fraction) -> None:
        for taken, weight in enumerate(out.fallen.coeffs()):
            if weight:
                key = (winner, hurt[0], taken)
                row[key] = row.get(key, Fraction(0)) + int(weight) * share
        if out.fled:
            key = (winner, hurt[0], -1)
            row[key] = row.get(key, Fraction(0)) + out.fled * share

    mine = next(iter(_states(start_turn(_alone(state[mover]), bout.targets[mover]))))
    hit, out = take_turn(_alone(state[other]), bout.steady[mover], bout.targets[other])
    end(mover, mine, out, Fraction(1, hit.total))
    back, out = take_turn(_alone(mine), bout.steady[other], bout.targets[mover])
    for theirs, weight in _states(start_turn(hit, bout.targets[other])).items():
        share = Fraction(weight, hit.total * back.total)
        end(other, theirs, out, share)
        for mine_after, other_weight in _states(back).items():
            pair = {mover: mine_after, other: theirs}
            key = pair["a"], pair["b"]
            row[key] = row.get(key, Fraction(0)) + other_weight * share
    return row


def _gathered(ends: dict[Any, Fraction], mean: Fraction) -> Part:
    """Turn the ends of a chain into sums over one total."""
    total = lcm(mean.denominator, *(chance.denominator for chance in ends.values()))
    sums = Sums()
    sums.stand = int(mean * total)
    for key, chance in ends.items():
        if key[0] not in FOE:  # out in the opening, or fighting for ever
            continue
        winner, left, how = key
        weight = int(chance * total)
        sums.left[winner] += fmpz_poly([weight]).left_shift(left)
        if how < 0:
            sums.fled[FOE[winner]] += weight
        else:
            sums.fallen[FOE[winner]] += fmpz_poly([weight]).left_shift(how)
    return Part(sums, total)


def play_round(
    bout: Bout, blows: Blows, now: dict[Side, Standing], sums: Sums, weight: int
) -> tuple[dict[Side, Standing], int]:
    """Let both move once; wins are weighed over the total at the end of the round."""
    mover, other = bout.first, FOE[bout.first]
    strikes, answers = blows.get(mover, ()), blows.get(other, ())

    def begun(side: Side, standing: Standing) -> Standing:
        return start_turn(standing, bout.targets[side]) if side in blows else standing

    mine = begun(mover, now[mover])
    hit, out = take_turn(now[other], strikes, bout.targets[other])
    scale = turn_total(answers, bout.targets[mover])
    sums.win(mover, mine, out, weight * scale)
    theirs = begun(other, hit)
    back, out = take_turn(mine, answers, bout.targets[mover])
    sums.win(other, theirs, out, weight)
    return {other: theirs, mover: back}, theirs.total * back.total


def _closed(bout: Bout, now: dict[Side, Standing]) -> tuple[Part, bool]:
    """Sum the steady rounds to their end, in closed form."""
    blows, targets = bout.steady, bout.targets
    grows = {side: turn_total(blows[FOE[side]], targets[side]) for side in FOE}
    idles = {side: idle_weight(blows[FOE[side]], targets[side]) for side in FOE}
    base, idle = grows["a"] * grows["b"], idles["a"] * idles["b"]
    start = now["a"].total * now["b"].total
    sums = Sums()
    if idle == base:  # nobody can hurt anybody
        sums.stand = now["a"].mass * now["b"].mass
        return Part(sums, start), sums.stand > 0
    terms = sum(steps(blows[FOE[side]], targets[side]) for side in FOE)
    _refuse_long_work(terms, base, targets)
    for weight in closing_weights(idle, base, terms):
        sums.stand += now["a"].mass * now["b"].mass * weight * base
        now, _ = play_round(bout, blows, now, sums, weight)
    return Part(sums, start * (base - idle) ** (terms + 1)), False


def _refuse_long_work(terms: int, base: int, targets: dict[Side, Target]) -> None:
    length = sum(target.length for target in targets.values())
    work = 2 * terms**2 * base.bit_length() * length
    points = sum(target.deadly for target in targets.values())
    what = f"this duel ({terms} turns with damage, {points} hit points)"
    refuse_work(what, work, MAX_WORK, "ask for approx=True")


def course(bout: Bout, rounds: int) -> list[dict[str, Fraction]]:
    """Chance after each round, from the start on, that A has won, that B has, that both stand."""
    _refuse_long_course(bout, rounds)
    now = {side: unhurt() for side in FOE}
    odds = [{"a": Fraction(0), "b": Fraction(0), "both": Fraction(now["a"].mass * now["b"].mass)}]
    for number in range(rounds):
        blows = bout.opening[number] if number < len(bout.opening) else bout.steady
        sums = Sums()
        now, total = play_round(bout, blows, now, sums, 1)
        won = {side: odds[-1][side] + Fraction(int(sums.left[side](1)), total) for side in FOE}
        odds.append(won | {"both": Fraction(now["a"].mass * now["b"].mass, total)})
    return odds


def _refuse_long_course(bout: Bout, rounds: int) -> None:
    grows = [turn_total(bout.steady[FOE[side]], bout.targets[side]) for side in FOE]
    length = sum(target.length for target in bout.targets.values())
    work = rounds**2 * length * sum(total.bit_length() for total in grows)
    refuse_work(f"{rounds} rounds of this duel", work, MAX_COURSE, "ask for fewer rounds")


def told_rounds(mean: Fraction | None) -> str:
    """Say how long a fight lasts."""
    return "it may never end" if mean is None else f"{float(mean):.2f} rounds on average"
