"""Exact engines side by side in one run: combatkit, icepool, dyce; and numpy sampling.

    python benchmarks/engine.py

Every exact engine must give the same fractions. combatkit runs with its memory of earlier answers
emptied before each repetition; the explorer's refresh is measured warm, as a user meets it.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import icepool
import numpy as np
from dyce import H

import combatkit as ck
from combatkit.combat import blow
from combatkit.combat.kill_time import _mean_rounds
from combatkit.combat.strikes import blows_damage
from combatkit.combat.survival import _rounds
from combatkit.prob.dice import _cached_sum, _terms

RULES = ck.load_ruleset("srd35")
BONUSES = (10, 5, 0, -5)
ARMOR_CLASS, HIT_POINTS, ROUNDS, SAMPLES = 20, 120, 10, 100_000
WEAPON = ck.Weapon(label="Greatsword", damage="2d6", threat_from=19)
MEMORIES = [
    _terms, _cached_sum, blow.odds, blow.rolled_damage, blow.maximum_damage, blow.blow_damage,
    blows_damage, _mean_rounds, _rounds,
]  # fmt: skip


def strike(bonus: int) -> ck.Strike:
    attacker = ck.Combatant(name="Attacker", attack_bonus=bonus)
    target = ck.Combatant(name="Target", armor_class=ARMOR_CLASS, hit_points=HIT_POINTS)
    return ck.attack(RULES, attacker, target, WEAPON, ck.Situation(damage_bonus=7))


STRIKES = [strike(bonus) for bonus in BONUSES]


def ours(blows: list[Any]) -> ck.Dist:
    return blows_damage(tuple(blows))


def hits(face: int, bonus: int) -> bool:
    return face != 1 and (face == 20 or face + bonus >= ARMOR_CLASS)


def icepool_attack(bonus: int) -> Any:
    hit = 2 @ icepool.d6 + 7
    threat = icepool.d20.map(lambda face: hit + hit if hits(face, bonus) else hit)
    return icepool.d20.map(
        lambda face: (threat if face >= 19 else hit) if hits(face, bonus) else 0
    )


def by_icepool(bonuses: tuple[int, ...]) -> Any:
    return sum((icepool_attack(bonus) for bonus in bonuses), start=icepool.Die([0]))


def dyce_attack(bonus: int) -> H:
    hit = 2 @ H(6) + 7
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


def by_dyce(bonuses: tuple[int, ...]) -> H:
    return sum((dyce_attack(bonus) for bonus in bonuses), start=H({0: 1}))


def sampled(bonuses: tuple[int, ...], rounds: int = 1) -> float:
    rng = np.random.default_rng(1)
    damage = np.zeros(SAMPLES)
    for bonus in bonuses * rounds:
        roll, confirm = rng.integers(1, 21, (2, SAMPLES))
        hit = (roll != 1) & ((roll == 20) | (roll + bonus >= ARMOR_CLASS))
        sure = (confirm != 1) & ((confirm == 20) | (confirm + bonus >= ARMOR_CLASS))
        once, again = rng.integers(1, 7, (2, 2, SAMPLES)).sum(axis=1) + 7
        damage += np.where(hit, once + np.where((roll >= 19) & sure, again, 0), 0)
    return float(damage.mean())


def icepool_kill_time() -> Fraction:
    made, taken = by_icepool(BONUSES), icepool.Die([0])
    for _ in range(20):
        taken = (taken + made).map(lambda total: min(total, HIT_POINTS))
    return taken.probability(HIT_POINTS)


def dyce_kill_time() -> Fraction:
    made, taken = by_dyce(BONUSES), H({0: 1})
    for _ in range(20):
        taken = (taken + made).apply(lambda total: min(total, HIT_POINTS))
    return Fraction(taken[HIT_POINTS], taken.total)


def best(job: Callable[[], Any], seconds: float = 1.0) -> float:
    """Shortest of several runs, in milliseconds; at least one run, at most 200."""
    shortest, end = float("inf"), time.perf_counter() + seconds
    for _ in range(200):
        for memory in MEMORIES:
            memory.cache_clear()
        start = time.perf_counter()
        job()
        shortest = min(shortest, time.perf_counter() - start)
        if time.perf_counter() > end:
            break
    return shortest * 1000


def refresh_milliseconds() -> float:
    from combatkit_widgets import Explorer

    explorer = Explorer()
    times = []
    for number in range(40):
        scenario = explorer.scenario
        ticked = scenario.situation.defender ^ {"prone" if number % 2 else "kneeling"}
        situation = scenario.situation.model_copy(update={"defender": ticked})
        start = time.perf_counter()
        explorer.scenario = scenario.model_copy(update={"situation": situation})
        times.append(time.perf_counter() - start)
    return sorted(times[10:])[15] * 1000


def same(one: ck.Dist, other: Any) -> bool:
    counts = dict(other.items())
    total = sum(counts.values())
    return dict(one.items()) == {x: Fraction(n, total) for x, n in counts.items() if n}


def main() -> None:
    """Run everything and print one table."""
    blows = [one.blow for one in STRIKES]
    assert all(same(ours(blows[:n]), by_icepool(BONUSES[:n])) for n in (1, 4))
    assert all(same(ours(blows[:n]), by_dyce(BONUSES[:n])) for n in (1, 4))
    target = ck.FullAttack(tuple(STRIKES))
    assert ck.kill_time(target).by(20) == icepool_kill_time() == dyce_kill_time()

    jobs: dict[str, tuple[Callable[[], Any], ...]] = {
        "one attack": (
            lambda: ours(blows[:1]), lambda: by_icepool(BONUSES[:1]), lambda: by_dyce(BONUSES[:1]),
            lambda: sampled(BONUSES[:1]),
        ),
        "a round of four": (
            lambda: ours(blows), lambda: by_icepool(BONUSES), lambda: by_dyce(BONUSES),
            lambda: sampled(BONUSES),
        ),
        "ten rounds": (
            lambda: ROUNDS @ ours(blows), lambda: ROUNDS @ by_icepool(BONUSES),
            lambda: ROUNDS @ by_dyce(BONUSES), lambda: sampled(BONUSES, ROUNDS),
        ),
        "down by round 20 of 120 hit points": (
            lambda: ck.kill_time(ours(blows), HIT_POINTS).by(20), icepool_kill_time,
            dyce_kill_time, lambda: sampled(BONUSES, 20),
        ),
    }  # fmt: skip
    print(f"Python {platform.python_version()}, {platform.machine()}; milliseconds, best of many")
    print(f"| {'job':36} | combatkit | icepool | dyce | numpy 100,000 | × icepool | × dyce | × numpy |")
    print("|" + "---|" * 8)
    for name, engines in jobs.items():
        mine, *others = [best(job) for job in engines]
        cells = [f"{value:.4g}" for value in (mine, *others)] + [f"{o / mine:.0f}" for o in others]
        print(f"| {name:36} | {' | '.join(cells)} |")
    mean = best(lambda: ck.kill_time(ours(blows), HIT_POINTS).mean)
    print(f"mean rounds to take {HIT_POINTS} hit points: {mean:.3g} ms")
    receipt = best(lambda: strike(10).p_hit)
    print(f"one attack with all its receipts: {receipt:.3g} ms")
    print(f"explorer's whole refresh, all tabs and tables, warm: {refresh_milliseconds():.3g} ms")


if __name__ == "__main__":
    main()
