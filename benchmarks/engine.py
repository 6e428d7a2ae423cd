"""Exact engines side by side in one run: combatkit, icepool, dyce; and numpy sampling.

    python benchmarks/engine.py

Every exact engine must give the same fractions. No repetition asks what an earlier one has asked:
the damage bonus is new each time, so no engine can answer from memory. The explorer's refresh is
measured warm, ticking conditions in turn, as a user meets it.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import icepool
import numpy as np
from dyce import H

import combatkit as ck
from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.damage import blow_damage, rolled_damage
from combatkit.combat.attacks.within_round import blows_damage
from combatkit.combat.health.kill_time import _mean

RULES = ck.load_ruleset("srd35")
BONUSES = (10, 5, 0, -5)
ARMOR_CLASS, HIT_POINTS, ROUNDS, SAMPLES = 20, 120, 10, 100_000
WEAPON = ck.Weapon(label="Greatsword", damage="2d6", threat_from=19)
REPETITIONS = 50
MEMORIES = (blow_damage, rolled_damage, blows_damage, _mean)


def strike(bonus: int, flat: int) -> ck.attacks.Strike:
    attacker = ck.Combatant(name="Attacker", attack_bonus=bonus)
    target = ck.Combatant(name="Target", armor_class=ARMOR_CLASS, hit_points=HIT_POINTS)
    return ck.attack(RULES, attacker, target, WEAPON, ck.Situation(damage_bonus=flat))


@cache
def blows(bonuses: tuple[int, ...], flat: int) -> tuple[Blow, ...]:
    """Make the question; asking it is what is timed."""
    return tuple(BLOWS[bonus]._replace(flat=flat) for bonus in bonuses)


BLOWS = {bonus: strike(bonus, 7).blow for bonus in BONUSES}


def ours(bonuses: tuple[int, ...], flat: int) -> ck.Dist:
    return blows_damage(blows(bonuses, flat))


def hits(face: int, bonus: int) -> bool:
    return face != 1 and (face == 20 or face + bonus >= ARMOR_CLASS)


def icepool_attack(bonus: int, flat: int) -> Any:
    hit = 2 @ icepool.d6 + flat
    threat = icepool.d20.map(lambda face: hit + hit if hits(face, bonus) else hit)
    return icepool.d20.map(lambda face: (threat if face >= 19 else hit) if hits(face, bonus) else 0)


def by_icepool(bonuses: tuple[int, ...], flat: int) -> Any:
    return sum((icepool_attack(bonus, flat) for bonus in bonuses), start=icepool.Die([0]))


def dyce_attack(bonus: int, flat: int) -> H:
    hit = 2 @ H(6) + flat
    twice = hit + hit
    confirmed = sum(hits(face, bonus) for face in range(1, 21))
    threats = sum(hits(face, bonus) for face in (19, 20))
    critical = threats * confirmed
    counts = {0: (20 - confirmed) * 20 * twice.total}
    for outcome, count in hit.items():
        counts[outcome] = (confirmed * 20 - critical) * count * (twice.total // hit.total)
    for outcome, count in twice.items():
        counts[outcome] = counts.get(outcome, 0) + critical * count
    return H(counts)


def by_dyce(bonuses: tuple[int, ...], flat: int) -> H:
    return sum((dyce_attack(bonus, flat) for bonus in bonuses), start=H({0: 1}))


def sampled(bonuses: tuple[int, ...], flat: int, rounds: int = 1) -> float:
    rng = np.random.default_rng(1)
    damage = np.zeros(SAMPLES)
    for bonus in bonuses * rounds:
        roll, confirm = rng.integers(1, 21, (2, SAMPLES))
        hit = (roll != 1) & ((roll == 20) | (roll + bonus >= ARMOR_CLASS))
        sure = (confirm != 1) & ((confirm == 20) | (confirm + bonus >= ARMOR_CLASS))
        once, again = rng.integers(1, 7, (2, 2, SAMPLES)).sum(axis=1) + flat
        damage += np.where(hit, once + np.where((roll >= 19) & sure, again, 0), 0)
    return float(damage.mean())


def icepool_kill_time(flat: int, rounds: int = 20) -> Fraction:
    made, taken = by_icepool(BONUSES, flat), icepool.Die([0])
    for _ in range(rounds):
        taken = (taken + made).map(lambda total: min(total, HIT_POINTS))
    return taken.probability(HIT_POINTS)


def dyce_kill_time(flat: int, rounds: int = 20) -> Fraction:
    made, taken = by_dyce(BONUSES, flat), H({0: 1})
    for _ in range(rounds):
        taken = (taken + made).apply(lambda total: min(total, HIT_POINTS))
    return Fraction(taken[HIT_POINTS], taken.total)


def kill_time(bonuses: tuple[int, ...], flat: int) -> ck.health.KillTime:
    return ck.kill_time(ours(bonuses, flat), HIT_POINTS)


def forget() -> None:
    """Empty what combatkit remembers of earlier answers."""
    for memory in MEMORIES:
        memory.cache_clear()


def best(job: Callable[[int], Any], seconds: float = 1.0) -> float:
    """Shortest of several runs in milliseconds, each with a damage bonus not asked before."""
    shortest, end = float("inf"), time.perf_counter() + seconds
    forget()
    for flat in range(REPETITIONS):
        for bonuses in (BONUSES, BONUSES[:1]):
            blows(bonuses, flat)
        start = time.perf_counter()
        job(flat)
        shortest = min(shortest, time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    return shortest * 1000


def refresh_milliseconds() -> float:
    """Median time from a ticked condition to everything drawn, once warm."""
    from combatkit_widgets import Explorer

    explorer, times = Explorer(), []
    for number in range(40):
        scenario, ticked = explorer.value, {"prone"} if number % 2 else {"kneeling"}
        situation = scenario.situation.model_copy(update={"defender": frozenset(ticked)})
        start = time.perf_counter()
        explorer.value = scenario.model_copy(update={"situation": situation})
        times.append(time.perf_counter() - start)
    return statistics.median(times[10:]) * 1000


def same(one: ck.Dist, other: Any) -> bool:
    counts = dict(other.items())
    total = sum(counts.values())
    return dict(one.items()) == {x: Fraction(n, total) for x, n in counts.items() if n}


def check() -> None:
    """Make sure that all exact engines give the same fractions."""
    for bonuses in (BONUSES[:1], BONUSES):
        assert same(ours(bonuses, 7), by_icepool(bonuses, 7))
        assert same(ours(bonuses, 7), by_dyce(bonuses, 7))
    assert kill_time(BONUSES, 7).by(20) == icepool_kill_time(7) == dyce_kill_time(7)


def jobs() -> dict[str, tuple[Callable[[int], Any], ...]]:
    """List the jobs: ours, icepool, dyce, numpy."""
    one = BONUSES[:1]
    return {
        "one attack": (
            partial(ours, one), partial(by_icepool, one), partial(by_dyce, one),
            partial(sampled, one),
        ),
        "a round of four": (
            partial(ours, BONUSES), partial(by_icepool, BONUSES), partial(by_dyce, BONUSES),
            partial(sampled, BONUSES),
        ),
        "ten rounds": (
            lambda flat: ROUNDS @ ours(BONUSES, flat),
            lambda flat: ROUNDS @ by_icepool(BONUSES, flat),
            lambda flat: ROUNDS @ by_dyce(BONUSES, flat),
            lambda flat: sampled(BONUSES, flat, ROUNDS),
        ),
        "120 hit points gone by round 20": (
            lambda flat: kill_time(BONUSES, flat).by(20), icepool_kill_time, dyce_kill_time,
            lambda flat: sampled(BONUSES, flat, 20),
        ),
    }  # fmt: skip


def main() -> None:
    """Run everything and print one table."""
    check()
    print(f"Python {platform.python_version()}, {platform.machine()}; milliseconds, best of many")
    heads = ["combatkit", "icepool", "dyce", "numpy 100,000", "× icepool", "× dyce", "× numpy"]
    print(f"| {'job':32} | {' | '.join(heads)} |")
    print("|" + "---|" * 8)
    for name, engines in jobs().items():
        mine, *others = [best(job) for job in engines]
        cells = [f"{value:.4g}" for value in (mine, *others)] + [f"{o / mine:.0f}" for o in others]
        print(f"| {name:32} | {' | '.join(cells)} |")
    mean = best(lambda flat: kill_time(BONUSES, flat).mean)
    print(f"mean rounds to take {HIT_POINTS} hit points: {mean:.3g} ms")
    receipt = best(lambda flat: strike(10, flat).p_hit)
    print(f"one attack with all its receipts: {receipt:.3g} ms")
    print(f"explorer's whole refresh, all tabs and tables, warm: {refresh_milliseconds():.3g} ms")


if __name__ == "__main__":
    main()
