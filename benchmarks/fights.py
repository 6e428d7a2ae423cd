"""Rounds, duels and growth side by side in one run, written to a Markdown file.

    python benchmarks/fights.py [RESULTS.md]

Bare flint, icepool, dyce, numpy sampling and a naive Fraction program against combatkit. All exact
engines must agree. No repetition asks what an earlier one has asked.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import log
from typing import Any

import engine
import numpy as np
from flint import fmpz_poly

import combatkit as ck

RULES = ck.load_ruleset("srd35").with_switches(before_first_turn="ready")
Damage = dict[int, Fraction]


def fighter(hit_points: int, flat: int = 3) -> ck.Combatant:
    """Two attacks a round, 1d8 and a bonus, 19-20/x2."""
    blade = ck.Weapon(label="Blade", damage=f"1d8{flat:+d}", threat_from=19)
    return ck.Combatant(base_attack=6, armor_class=17, hit_points=hit_points, weapons=[blade])


def our_duel(hit_points: int, flat: int) -> Fraction:
    one, plan = fighter(hit_points, flat), ck.Plan(then="full")
    return ck.duel(RULES, one, one, plan, plan, first="a").p_a_wins


def naive_duel(hit_points: int, flat: int) -> Fraction:
    """Fill a table over both sides' hit points in Fractions, the both-miss loop solved."""
    one = fighter(hit_points, flat)
    made: Damage = dict(ck.full_attack(RULES, one, one).damage.items())
    idle = made[0]
    damage = [(dealt, chance) for dealt, chance in made.items() if dealt]

    @cache
    def wins(mine: int, foe: int) -> Fraction:
        """Give the mover's chance; the other one then moves with the roles changed."""
        # w(x, y) = hurt + idle * (1 - w(y, x)), and the same for w(y, x)
        return (after(mine, foe) + idle * (1 - after(foe, mine) - idle)) / (1 - idle * idle)

    @cache
    def after(mine: int, foe: int) -> Fraction:
        return sum(
            (p if dealt >= foe else p * (1 - wins(foe - dealt, mine)) for dealt, p in damage),
            Fraction(0),
        )

    sys.setrecursionlimit(100_000)
    return wins(hit_points, hit_points)


def sampled_duel(hit_points: int, flat: int, samples: int = 100_000) -> float:
    one = fighter(hit_points, flat)
    made = ck.full_attack(RULES, one, one).damage
    outcomes, chances = made.approx()
    rng = np.random.default_rng(1)
    points = np.full((2, samples), hit_points)
    fighting, won, mover = np.ones(samples, bool), np.zeros(samples, bool), 0
    while fighting.any():
        dealt = rng.choice(outcomes, samples, p=np.array(chances) / sum(chances))
        points[1 - mover] -= np.where(fighting, dealt, 0)
        down = fighting & (points[1 - mover] <= 0)
        won |= down & (mover == 0)
        fighting &= ~down
        mover = 1 - mover
    return float(won.mean())


def flint_round(flat: int) -> fmpz_poly:
    """Multiply the bare polynomials of a round: what no library can be faster than."""
    die = fmpz_poly([0, *[1] * 6])
    hit = (die * die).left_shift(flat)
    twice, made = hit * hit, fmpz_poly([1])
    for miss, hits, critical in ((180, 198, 22), (280, 108, 12), (380, 19, 1), (380, 19, 1)):
        made = made * (twice * critical + hit * (hits * 36) + miss * 1296)
    return made


def timed(job: Callable[[int], Any], repeats: int = 12, seconds: float = 2.0) -> float:
    """Shortest of several runs in milliseconds, each with another damage bonus near 7."""
    shortest, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        engine.forget()
        for flat in range(1, repeats + 1):
            engine.blows(engine.BONUSES, flat)
            start = time.perf_counter()
            job(flat)
            shortest = min(shortest, time.perf_counter() - start)
            if time.perf_counter() > end:
                break
    return shortest * 1000


def row(name: str, ours: float, others: dict[str, float]) -> str:
    cells = "; ".join(f"{key} {ms:.4g} ms (× {ms / ours:.3g})" for key, ms in others.items())
    return f"| {name} | {ours:.4g} ms | {cells} |"


def growth(name: str, sizes: list[int], job: Callable[[int], Any]) -> str:
    """Time a job over sizes, warm and from nothing, and fit an exponent to the larger half."""
    job(sizes[0])
    times = []
    for size in sizes:
        engine.forget()
        start = time.perf_counter()
        job(size)
        times.append((time.perf_counter() - start) * 1000)
    half = len(sizes) // 2
    slope = log(times[-1] / times[half - 1]) / log(sizes[-1] / sizes[half - 1])
    points = ", ".join(f"{size}: {ms:.3g}" for size, ms in zip(sizes, times, strict=True))
    return f"| {name} | {points} | {slope:.2f} |"


def rounds(dice: int) -> ck.Dist:
    arm = ck.Weapon(damage=f"{dice}d6")
    return ck.attack(RULES, ck.Combatant(attack_bonus=5), ck.Combatant(), arm).damage


def gone(bonuses: tuple[int, ...], flat: int) -> Fraction:
    return engine.kill_time(bonuses, flat).by(10)


def attacks(count: int) -> ck.Dist:
    one = fighter(10, 40 + count)
    return ck.attacks.FullAttack(tuple(ck.attack(RULES, one, one) for _ in range(count))).damage


def cells(count: int) -> ck.sweeps.SweepResult:
    """Sweep 50 attack bonuses by `count` armor classes by 20 damage bonuses."""
    one = fighter(30)
    axes = {
        "attack_bonus": range(50),
        "armor_class": range(10, 10 + count),
        "damage_bonus": range(20),
    }
    return ck.sweep_over(RULES, one, one, axes)


def report() -> list[str]:
    assert gone(engine.BONUSES, 3) == engine.icepool_kill_time(3, 10)
    assert our_duel(12, 3) == naive_duel(12, 3)
    assert abs(float(our_duel(30, 3)) - sampled_duel(30, 3)) < 0.01
    lines = ["# Benchmarks", "", "One run of `python benchmarks/fights.py`; shortest times.", ""]
    lines += ["| job | combatkit | others (times as long) |", "|---|---|---|"]
    four = engine.BONUSES
    lines.append(row("a round of four", timed(lambda flat: engine.ours(four, flat)), {
        "bare flint": timed(flint_round),
        "icepool": timed(lambda flat: engine.by_icepool(four, flat)),
        "dyce": timed(lambda flat: engine.by_dyce(four, flat)),
        "numpy 100,000": timed(lambda flat: engine.sampled(four, flat)),
    }))  # fmt: skip
    lines.append(row("ten rounds", timed(lambda flat: 10 @ engine.ours(four, flat)), {
        "bare flint": timed(lambda flat: flint_round(flat) ** 10),
        "icepool": timed(lambda flat: 10 @ engine.by_icepool(four, flat)),
        "dyce": timed(lambda flat: 10 @ engine.by_dyce(four, flat)),
        "numpy 100,000": timed(lambda flat: engine.sampled(four, flat, 10)),
    }))  # fmt: skip
    lines.append(row("120 hit points gone in ten rounds", timed(lambda flat: gone(four, flat)), {
        "bare flint": timed(lambda flat: flint_round(flat).pow_trunc(10, engine.HIT_POINTS)(1)),
        "icepool": timed(lambda flat: engine.icepool_kill_time(flat, 10)),
        "dyce": timed(lambda flat: engine.dyce_kill_time(flat, 10)),
        "numpy 100,000": timed(lambda flat: engine.sampled(four, flat, 10)),
    }))  # fmt: skip
    for points in (30, 100):
        others = {"naive Fraction": timed(lambda flat, n=points: naive_duel(n, flat), 2)}
        others["numpy 100,000"] = timed(lambda flat, n=points: sampled_duel(n, flat), 3)
        mine = timed(lambda flat, n=points: our_duel(n, flat))
        lines.append(row(f"duel of {points} v {points} hit points, two attacks", mine, others))
    lines += ["", "| growth | milliseconds by size | fitted exponent |", "|---|---|---|"]
    lines.append(growth("duel, hit points", [20, 40, 80, 160, 320], lambda n: our_duel(n, 3)))
    lines.append(growth("attacks a round", [2, 4, 8, 16, 32], attacks))
    lines.append(growth("cells of a sweep, in thousands", [5, 10, 20, 40, 80], cells))
    lines.append(growth("damage dice", [50, 100, 200, 400, 800], rounds))
    return lines


if __name__ == "__main__":
    text = "\n".join(report())
    print(text)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as file:
            file.write(text + "\n")
