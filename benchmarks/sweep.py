"""Sweeps of a million cells: time and memory on one core, growth, and a plain loop beside them.

    python benchmarks/sweep.py

Every sweep starts with empty memories. The plain loop makes some of the same cells one by one and
is timed on its second pass, when everything it can remember is remembered.
"""

from __future__ import annotations

import platform
import random
import resource
import time
from itertools import product
from math import prod
from typing import Any

import numpy as np

import combatkit as ck
from combatkit.combat.attacks.blow import odds
from combatkit.combat.attacks.damage import blow_damage, maximum_damage, rolled_damage
from combatkit.combat.attacks.within_round import blows_damage
from combatkit.combat.health.kill_time import _mean

RULES = ck.load_ruleset("srd35")
MEMORIES = (odds, blow_damage, blows_damage, maximum_damage, rolled_damage, _mean)
HERO = ck.Combatant(name="Hero", abilities={"str": 18}, base_attack=20, weapons=["longsword"])
WEAPONS = [key for key, weapon in RULES.weapons.items() if weapon.damage][:20]
ROWS = [None, *RULES.rows][:20]
NUMBERS: dict[str, Any] = {"attack_bonus": range(50), "armor_class": range(50)}
GRIDS: dict[str, dict[str, Any]] = {
    "20 weapons, 20 table rows": {**NUMBERS, "weapon": WEAPONS, "row": ROWS},
    "20 weapons, 20 trades of Power Attack": {
        **NUMBERS, "weapon": WEAPONS, "power_attack": range(20),
    },
    "20 weapons, 20 hit points": {
        **NUMBERS, "weapon": WEAPONS, "hit_points": range(10, 210, 10),
    },
}  # fmt: skip
LOOP = 2000  # cells of the plain loop that are timed
TIMES = (1, 2, 5, 10, 20, 50)  # growth: so many times the cells


def target(hit_points: int) -> ck.Combatant:
    return ck.Combatant(name="Target", armor_class=20, hit_points=hit_points)


def swept(
    axes: dict[str, Any], hit_points: int, **options: Any
) -> tuple[float, ck.sweeps.SweepResult]:
    """Seconds a sweep takes with empty memories, and what it finds."""
    for memory in MEMORIES:
        memory.cache_clear()
    start = time.perf_counter()
    result = ck.sweep_over(RULES, HERO, target(hit_points), axes, **options)
    return time.perf_counter() - start, result


def loop_seconds(axes: dict[str, Any], hit_points: int) -> float:
    """Seconds the plain loop would need for all cells, by those it is given."""
    cells = list(product(*axes.values()))
    some = random.Random(1).sample(cells, LOOP)
    for _ in range(2):
        start = time.perf_counter()
        for cell in some:
            measured_alone(dict(zip(axes, cell, strict=True)), hit_points)
        taken = time.perf_counter() - start
    return taken / LOOP * len(cells)


def measured_alone(cell: dict[str, Any], hit_points: int) -> tuple[Any, Any, Any]:
    hero = HERO.model_copy(update={"attack_bonus": cell["attack_bonus"]})
    foe = target(cell.get("hit_points", hit_points)).model_copy(
        update={"armor_class": cell["armor_class"]}
    )
    there = ck.Situation(power_attack=cell.get("power_attack", 0))
    if cell.get("row"):
        there = there.with_row(RULES, RULES.rows[cell["row"]])
    made = ck.attack(RULES, hero, foe, cell["weapon"], there)
    return made.p_hit, made.damage.mean, ck.kill_time(made).mean


def megabytes() -> float:
    """Peak memory of this process so far (Linux counts kilobytes)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def millions() -> None:
    """Sweep every grid of a million cells, and print a table."""
    heads = "grid (× 50 attack bonuses × 50 AC) | hit points | result | distinct rounds | seconds"
    print(f"| {heads} | plain loop, seconds | times faster |")
    print("|" + "---|" * 7)
    for name, axes in GRIDS.items():
        for hit_points in (30, 120):
            loop = loop_seconds(axes, hit_points)
            for exact in (False, True):
                taken, result = swept(axes, hit_points, exact=exact)
                assert len(result.frame) == prod(map(len, axes.values())) == 1_000_000
                cells = [name, str(hit_points), "exact" if exact else "floats",
                         f"{result.distinct:,}", f"{taken:.2f}", f"{loop:.0f}",
                         f"{loop / taken:.0f}"]  # fmt: skip
                print(f"| {' | '.join(cells)} |", flush=True)


def growth() -> None:
    """Print seconds by number of cells, with the fitted exponent of each curve."""
    curves = {
        "hit points, on 100 attack bonuses × 100 AC": lambda times: {
            "attack_bonus": range(100), "armor_class": range(100),
            "hit_points": range(1, 10 * times + 1),
        },
        "damage bonuses, on 20 attack bonuses × 20 weapons: none alike": lambda times: {
            "attack_bonus": range(20), "weapon": WEAPONS, "damage_bonus": range(times),
        },
    }  # fmt: skip
    print("| what grows | cells | distinct rounds | seconds | exponent |")
    print("|" + "---|" * 5)
    for name, grid in curves.items():
        runs = [swept(grid(times), 60) for times in TIMES]
        cells, taken = [len(result.frame) for _, result in runs], [seconds for seconds, _ in runs]
        exponent = np.polyfit(np.log(cells), np.log(taken), 1)[0]
        for number, (seconds, result) in zip(cells, runs, strict=True):
            print(f"| {name} | {number:,} | {result.distinct:,} | {seconds:.3f} | {exponent:.2f} |")


def main() -> None:
    """Run everything and print it as Markdown."""
    print(f"Python {platform.python_version()}, {platform.machine()}, one core; hit chance,")
    print("expected damage and mean rounds to kill; memories empty at the start of each sweep.\n")
    start = megabytes()
    millions()
    print(f"\nPeak memory {megabytes():.0f} MB, of which {start:.0f} MB before the first sweep.\n")
    growth()
    print(f"\nPeak memory with the largest grids: {megabytes():.0f} MB.")


if __name__ == "__main__":
    main()
