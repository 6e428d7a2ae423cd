"""The product sweep: every cell equals the attack made by hand, whoever does the work."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from itertools import product
from math import inf, isinf
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Dist,
    Situation,
    Weapon,
    attack,
    full_attack,
    kill_time,
    load_ruleset,
    survival,
    sweep_over,
)
from combatkit.combat.health.kill_time import mean_rounds
from combatkit.combat.sweeps import cells as product_plan
from combatkit.combat.sweeps.sweep_over import SweepStopped
from combatkit.view import result_html

RULES = load_ruleset("srd35")
HERO = Combatant(
    id="hero",
    abilities={"str": 16, "dex": 13},
    base_attack=6,
    sneak_attack="1d6",
    weapons=["longsword", "longbow"],
)
GUARD = Combatant(id="guard", abilities={"dex": 14}, armor="chain_shirt", dodge=1, hit_points=9)
MEASURES = ("hit_chance", "critical_chance", "expected_damage", "rounds_to_kill", "survival")
GRID = {
    "attack_bonus": range(0, 20, 4),
    "armor_class": (10, 18, 40),
    "weapon": ("longsword", "longbow"),
    "hit_points": (4, 15),
}
Made = dict[str, Any]


def by_hand(cell: Made, change: Callable[[Made, Any], None], rounds: int = 2) -> list[Any]:
    """Measure one cell as a reader would: change the models, make the attack, ask it."""
    made: Made = {
        "rules": RULES, "attacker": HERO, "defender": GUARD, "weapon": None,
        "situation": Situation(), "grip": None, "off_hand": None, "full": False,
    }  # fmt: skip
    change(made, cell)
    full, off_hand = made.pop("full"), made.pop("off_hand")
    both = {"off_hand": off_hand} if full or off_hand else {}
    done: Any = (full_attack if full or off_hand else attack)(**made, **both)
    first = done.strikes[0]
    return [
        first.p_hit,
        first.p_critical,
        done.damage.mean,
        kill_time(done).mean,
        1 - survival(done, rounds).in_the_end["dead"],
    ]


def put(made: Made, part: str, **fields: Any) -> None:
    """Set fields of a model, checked anew."""
    model = made[part]
    made[part] = type(model)(**{name: getattr(model, name) for name in model.model_fields_set}
                             | fields)  # fmt: skip


def numbers(made: Made, cell: Made) -> None:
    put(made, "attacker", attack_bonus=cell["attack_bonus"])
    put(made, "defender", armor_class=cell["armor_class"], hit_points=cell["hit_points"])
    made["weapon"] = cell["weapon"]


def words(made: Made, cell: Made) -> None:
    tick = {"none": set()}
    put(
        made,
        "situation",
        attacker=tick.get(cell["attacker_condition"], set(cell["attacker_condition"].split(" + "))),
        defender=tick.get(cell["table.armor_class"], {cell["table.armor_class"]}),
        cover=None if cell["cover"] == "none" else cell["cover"],
        power_attack=cell["power_attack"],
        attack_bonus=cell["situation.attack_bonus"],
    )
    made["full"] = cell["full"]


def systems(made: Made, cell: Made) -> None:
    rules = load_ruleset(cell["ruleset"]).with_switches(miss_chance=cell["switch.miss_chance"])
    made["rules"] = rules
    made["attacker"], made["defender"] = map(rules.combatant, (cell["attacker"], cell["defender"]))
    put(made, "situation", miss_chances=(20, 50) if cell["miss_chances"] == "20 + 50" else ())
    put(made, "defender", temporary_hit_points=cell["defender.temporary_hit_points"])


def parts(made: Made, cell: Made) -> None:
    put(made, "attacker", base_attack=cell["attacker.base_attack"])
    put(made, "defender", armor_class=cell["armor_class"])
    made |= {
        "weapon": None if cell["weapon"] == "none" else cell["weapon"],
        "grip": None if cell["grip"] == "none" else cell["grip"],
        "off_hand": None if cell["off_hand"] == "none" else cell["off_hand"],
    }


def edges(made: Made, cell: Made) -> None:
    switches = {name.partition(".")[2]: cell[name] for name in cell if name.startswith("switch.")}
    made["rules"] = RULES.with_switches(**switches)
    put(made, "attacker", attack_bonus=cell["attack_bonus"])
    put(made, "defender", armor_class=30)
    put(made, "situation", confirmation_bonus=cell["confirmation_bonus"])
    made["full"] = True


CASES: dict[str, tuple[dict[str, Any], Callable[[Made, Any], None]]] = {
    "numbers": (GRID, numbers),
    "words": (
        {
            "attacker_condition": (None, "flanking", {"flanking", "shaken"}),
            "table.armor_class": "all",
            "cover": (None, "standard", "total"),
            "situation.attack_bonus": (3, -2),
            "power_attack": (0, 2),
            "full": (False, True),
        },
        words,
    ),
    "systems": (
        {
            "defender.temporary_hit_points": (3, 0),
            "switch.miss_chance": ("each", "largest"),
            "ruleset": ("srd35", "classic"),
            "attacker": ("fighter_6", "ogre"),
            "defender": ("ogre", "orc", "human_skeleton"),
            "miss_chances": ((), (20, 50)),
        },
        systems,
    ),
    "edges": (
        {
            "attack_bonus": range(-2, 52),
            "confirmation_bonus": (-12, 0, 12),
            "switch.attack_tie": ("hits", "misses"),
            "switch.attack_natural_1": ("misses", "total_decides"),
            "switch.attack_natural_20": ("hits", "total_decides"),
            "armor_class": (30,),
            "full": (True,),
        },
        edges,
    ),
    "parts": (
        {
            "weapon": (None, "dagger"),
            "armor_class": (14, 30, -5),
            "off_hand": ("dagger", None),
            "grip": (None, "primary"),
            "attacker.base_attack": (1, 6, 11),
        },
        parts,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_cell_equals_the_attack_made_by_hand(name: str) -> None:
    axes, change = CASES[name]
    found = sweep_over(RULES, HERO, GUARD, axes, measures=MEASURES, rounds=2, exact=True)
    assert list(found.frame.columns) == [*axes, *MEASURES]
    assert found.complete
    for cell in found.frame.to_dict("records"):
        values = [cell.pop(measure) for measure in MEASURES]
        assert values == by_hand(cell, change), cell


def test_cells_come_in_the_order_of_the_axes() -> None:
    frame = sweep_over(RULES, HERO, GUARD, GRID, measures=["hit_chance"]).frame
    cells = frame[list(GRID)].itertuples(index=False, name=None)
    assert list(cells) == list(product(*GRID.values()))
    assert all(isinstance(frame[name].dtype, pd.CategoricalDtype) for name in GRID)


def test_floats_are_the_fractions_rounded_once() -> None:
    exact = sweep_over(RULES, HERO, GUARD, GRID, measures=MEASURES, exact=True).frame
    approx = sweep_over(RULES, HERO, GUARD, GRID, measures=MEASURES).frame
    for measure in MEASURES:
        assert list(approx[f"{measure}_approx"]) == list(map(float, exact[measure]))


def test_a_target_that_never_falls() -> None:
    axes = {"cover": ["total", None], "hit_points": [-1, 0, 9]}
    exact = sweep_over(RULES, HERO, GUARD, axes, exact=True).frame["rounds_to_kill"]
    assert list(exact[:3]) == [0, 0, None]
    approx = sweep_over(RULES, HERO, GUARD, axes).frame["rounds_to_kill_approx"]
    assert list(approx[:3]) == [0, 0, inf] and approx[3:].max() < inf


def test_the_work_follows_the_distinct_rounds() -> None:
    axes = {
        "attack_bonus": range(-20, 80),
        "armor_class": range(100),
        "weapon": ["longsword", "battleaxe"],
        "full": [False],
    }
    seen = list[tuple[int, int]]()
    found = sweep_over(RULES, HERO, GUARD, axes, progress=lambda *step: seen.append(step))
    assert len(found.frame) == 20_000
    assert found.distinct <= 2 * 22
    assert [total for _, total in seen if total != found.distinct] == [2]  # two attacks set up
    assert seen[-1] == (found.distinct, found.distinct) == (found.done, found.distinct)


HOUSE = """
[ruleset]
id = "house"
title = "House rules"
extends = "srd35"

[[term]]
id = "armor_class.printed"
label = "Printed"
type = "{armor}"
cite = "user: house"

[[term]]
id = "attack.printed"
label = "Printed"
type = "{attack}"
cite = "user: house"
"""


@pytest.mark.parametrize(
    ("armor", "attacks"), [("natural_armor", "base"), ("dodge", "morale"), ("base", "morale")]
)
def test_totals_that_compete_or_are_lost_are_added_up_one_by_one(
    tmp_path: Path, armor: str, attacks: str
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE.format(armor=armor, attack=attacks))
    house = load_ruleset(file)
    hero = HERO.model_copy(
        update={
            "bonuses": Combatant(bonuses=[{"to": "attack", "value": 4, "type": "morale"}]).bonuses
        }
    )
    axes = {"attack_bonus": range(8), "armor_class": range(10, 24), "touch": (False, True)}
    there = Situation(defender={"stunned"})
    found = sweep_over(house, hero, GUARD, axes, situation=there, measures="hit_chance", exact=True)
    for bonus, guard, touch, chance in found.frame.itertuples(index=False, name=None):
        made = attack(
            house,
            hero.model_copy(update={"attack_bonus": bonus}),
            GUARD.model_copy(update={"armor_class": guard}),
            situation=there.model_copy(update={"touch": touch}),
        )
        assert chance == made.p_hit


@settings(max_examples=30)
@given(
    st.dictionaries(st.integers(0, 6), st.integers(1, 9), min_size=1, max_size=4),
    st.lists(st.integers(0, 40), max_size=5),
)
def test_one_series_gives_all_mean_rounds(weights: dict[int, int], needed: list[int]) -> None:
    damage = Dist(weights)
    found = mean_rounds(damage, needed)
    assert found == [kill_time(damage, points).mean for points in needed]
    floats = mean_rounds(damage, needed, exact=False)
    assert floats == [inf if mean is None else float(mean) for mean in found]


# who does the work


def same_everywhere(executor: Executor) -> None:
    """Compare all measures, as fractions, with those of a plain loop."""
    axes = {**GRID, "attack_bonus": range(20)}
    plain = sweep_over(RULES, HERO, GUARD, axes, measures=MEASURES, rounds=2, exact=True)
    elsewhere = sweep_over(
        RULES, HERO, GUARD, axes, measures=MEASURES, rounds=2, exact=True, executor=executor
    )
    assert plain.distinct > 32  # more than one chunk
    assert elsewhere.complete and elsewhere.frame.equals(plain.frame)
    assert isinstance(elsewhere.frame["survival"][0], Fraction)


def test_a_process_pool_finds_the_same() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        same_everywhere(pool)


def test_a_local_dask_cluster_finds_the_same() -> None:
    from distributed import Client, LocalCluster

    local = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": None}
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=True, **local) as cluster,
        Client(cluster) as client,
    ):
        same_everywhere(client.get_executor())


def test_ipyparallel_engines_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))  # its connection files
    import ipyparallel

    with ipyparallel.Cluster(n=1, log_level=40, controller_ip="127.0.0.1") as client:
        same_everywhere(client.executor())


# stopping


def stop_after(chunks: int) -> Callable[[int, int], None]:
    """Press the stop button when so many chunks of rounds are measured."""
    steps = iter(range(chunks + 1))  # one more for the attack set up
    return lambda done, total: interrupt() if next(steps) == chunks else None


def interrupt() -> None:
    raise KeyboardInterrupt


LONG = {"armor_class": [15], "power_attack": range(7), "attack_bonus": range(20)}


@pytest.mark.parametrize("exact", [False, True])
def test_an_interrupted_sweep_keeps_what_it_has(exact: bool) -> None:
    whole = sweep_over(RULES, HERO, GUARD, LONG, measures=MEASURES, exact=exact)
    part = sweep_over(
        RULES, HERO, GUARD, LONG, measures=MEASURES, exact=exact, progress=stop_after(2)
    )
    assert whole.complete and not part.complete
    assert part.done == 64 and part.distinct == whole.distinct == whole.done > 64
    missing = part.frame.isna()
    for measure in part.frame.columns[3:]:
        rows = missing[measure]
        assert 0 < rows.sum() < len(rows)
        assert part.frame[measure][~rows].equals(whole.frame[measure][~rows])
        assert not exact or part.frame[measure][rows.idxmax()] is pd.NA
    assert "Interrupted: 64 of" in result_html(part)
    assert "Interrupted" not in result_html(whole)


def test_one_round_against_many_is_measured_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = {"hit_points": range(1, 200), "attack_bonus": [3, 8]}
    steps: list[tuple[int, int]] = []
    whole = sweep_over(
        RULES, HERO, GUARD, axes, measures=MEASURES, exact=True,
        progress=lambda done, total: steps.append((done, total)),
    )  # fmt: skip
    assert steps == [(1, 1), *((done, 8) for done in (1, 2, 3, 5, 6, 7, 8))]
    assert whole.distinct == 8
    part = sweep_over(
        RULES, HERO, GUARD, axes, measures=MEASURES, exact=True, progress=stop_after(1)
    )
    known = part.frame["survival"].notna()
    assert known.sum() == 64 and part.done == 1
    assert part.frame[known].equals(whole.frame[known])
    monkeypatch.setattr(product_plan, "MOST_TARGETS", 10_000)
    at_once = sweep_over(RULES, HERO, GUARD, axes, measures=MEASURES, exact=True)
    assert at_once.distinct == 2
    assert at_once.frame.equals(whole.frame)


def test_what_waits_is_canceled() -> None:
    class Slow(ThreadPoolExecutor):
        """One chunk is done, the others wait for ever."""

        made: list[Future[Any]] = []

        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            self.made.append(super().submit(fn, *args) if not self.made else Future())
            return self.made[-1]

    with Slow(1) as pool:
        part = sweep_over(RULES, HERO, GUARD, LONG, executor=pool, progress=stop_after(1))
    assert part.done == 32 and not part.complete
    assert [future.cancelled() for future in pool.made] == [False] + [True] * (len(pool.made) - 1)
    assert len(pool.made) > 2


def test_a_worker_that_is_interrupted_stops_the_sweep() -> None:
    class Interrupted(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(KeyboardInterrupt())
            return future

    with Interrupted(1) as pool:
        part = sweep_over(RULES, HERO, GUARD, LONG, executor=pool)
    assert part.done == 0 and part.frame["hit_chance_approx"].isna().all()


def test_stopped_while_the_attacks_are_set_up_there_is_nothing_to_keep() -> None:
    with pytest.raises(KeyboardInterrupt):
        sweep_over(RULES, HERO, GUARD, LONG, progress=lambda done, total: interrupt())


class FailsLater(ThreadPoolExecutor):
    """The first chunk is measured; whatever comes after it fails."""

    def __init__(self, failure: BaseException) -> None:
        super().__init__(1)
        self.failure, self.made = failure, 0

    def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
        self.made += 1
        future: Future[Any] = Future()
        if self.made == 1:
            future.set_result(fn(*args))
        else:
            future.set_exception(self.failure)
        return future


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (ZeroDivisionError("by nought"), "the executor failed: ZeroDivisionError: by nought"),
        (BrokenProcessPool("a child died"), "the executor failed: BrokenProcessPool: a child died"),
        (CancelledError(), "the executor failed: CancelledError"),
        (CombatkitError("too large to keep exact"), "too large to keep exact"),
    ],
)
def test_a_failure_is_told_and_loses_nothing(failure: Exception, said: str) -> None:
    whole = sweep_over(RULES, HERO, GUARD, LONG)
    with FailsLater(failure) as pool, pytest.raises(SweepStopped) as stopped:
        sweep_over(RULES, HERO, GUARD, LONG, executor=pool)
    assert str(stopped.value).startswith(said)
    part = stopped.value.result
    assert 0 < part.done < part.distinct and not part.complete
    assert f"{part.done} of {part.distinct} distinct rounds" in str(stopped.value)
    column = part.frame["hit_chance_approx"]
    assert column.dropna().equals(whole.frame["hit_chance_approx"][column.notna()])
    assert column.isna().any()


def test_a_pool_shut_down_is_told() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(SweepStopped, match="the executor failed: RuntimeError"):
        sweep_over(RULES, HERO, GUARD, LONG, executor=pool)


def test_a_worker_that_dies_is_told() -> None:
    with ProcessPoolExecutor(1) as pool:
        pool.submit(os._exit, 1)
        with pytest.raises(SweepStopped, match="BrokenProcessPool"):
            sweep_over(RULES, HERO, GUARD, LONG, executor=pool)


def test_stopped_while_chunks_are_handed_out_what_waits_is_canceled() -> None:
    made: list[Future[Any]] = []

    class Stops(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            if len(made) == 2:
                interrupt()
            made.append(Future())
            return made[-1]

    with Stops(1) as pool:
        part = sweep_over(RULES, HERO, GUARD, LONG, executor=pool)
    assert part.done == 0 and [future.cancelled() for future in made] == [True, True]


@pytest.mark.parametrize("how", [interrupt, lambda: divmod(1, 0)])
def test_what_is_ready_before_all_is_handed_out_is_kept(how: Callable[[], Any]) -> None:
    class Full(ThreadPoolExecutor):
        made = 0

        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            self.made += 1
            if self.made > 2:
                how()
            future: Future[Any] = Future()
            future.set_result(fn(*args))
            return future

    with Full(1) as pool:
        try:
            part = sweep_over(RULES, HERO, GUARD, LONG, executor=pool)
        except SweepStopped as stopped:
            part = stopped.result
    assert 0 < part.done < part.distinct
    assert part.frame["hit_chance_approx"].notna().any()


def test_a_line_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    sweep_over(RULES, HERO, GUARD, {"attack_bonus": [1, 2]}, progress=True)
    said = capsys.readouterr().err
    assert said == "\r1 of 1 attacks set up\n\r2 of 2 rounds measured\n"


# files


@pytest.mark.parametrize("exact", [False, True])
def test_a_parquet_file_holds_all_of_it(tmp_path: Path, exact: bool) -> None:
    axes = {**LONG, "cover": [None, "total"], "hit_points": [9, 1500]}
    axes["attack_bonus"] = range(0, 20, 5)
    part = sweep_over(RULES, HERO, GUARD, axes, exact=exact, progress=stop_after(1))
    part.to_parquet(tmp_path / "sweep.parquet")
    back = pd.read_parquet(tmp_path / "sweep.parquet")
    assert list(back["cover"]) == list(part.frame["cover"])
    assert list(back["power_attack"]) == list(part.frame["power_attack"])
    for measure in part.measures:
        floats = list(back[f"{measure}_approx"])
        if not exact:
            assert back[f"{measure}_approx"].equals(part.frame[f"{measure}_approx"])
            continue
        for value, text, approx in zip(part.frame[measure], back[measure], floats, strict=True):
            if isinstance(value, Fraction):
                found = flint.fmpq(*map(flint.fmpz, (text + "/1").split("/")[:2]))
                assert (int(found.p), int(found.q)) == (value.numerator, value.denominator)
                assert approx == float(value)
            else:
                assert pd.isna(text)
                assert isinf(approx) if value is None else pd.isna(approx)


def test_a_file_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = sweep_over(RULES, HERO, GUARD, {"attack_bonus": [1, 2]})
    with pytest.raises(CombatkitError, match="cannot be written"):
        found.to_parquet(tmp_path / "no such folder" / "sweep.parquet")
    with pytest.raises(CombatkitError, match="cannot be written"):
        found.to_parquet("bad\0name")
    for wrong in (None, 5, ["sweep.parquet"]):
        with pytest.raises(CombatkitError, match="a path is needed"):
            found.to_parquet(wrong)  # type: ignore[arg-type]
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(CombatkitError, match="pip install pyarrow"):
        found.to_parquet(tmp_path / "sweep.parquet")


def test_a_frame_that_was_rounded_is_not_written_as_exact(tmp_path: Path) -> None:
    found = sweep_over(RULES, HERO, GUARD, {"attack_bonus": [1, 2]}, exact=True)
    found.frame["hit_chance"] = found.frame["hit_chance"].astype(float)
    with pytest.raises(CombatkitError, match="a Fraction is needed"):
        found.to_parquet(tmp_path / "sweep.parquet")


def test_a_job_is_small_enough_to_send() -> None:
    sent = list[int]()

    class Weighing(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **named: Any) -> Future[Any]:
            sent.append(len(pickle.dumps((fn, args))))
            return super().submit(fn, *args)

    with Weighing(1) as pool:
        sweep_over(RULES, HERO, GUARD, LONG, executor=pool)
    assert max(sent) < 20_000


# names and mistakes


def labels(name: str, values: Any) -> list[Any]:
    return list(sweep_over(RULES, HERO, GUARD, {name: values}, measures="hit_chance").frame[name])


def test_what_a_table_calls_the_values() -> None:
    own = Weapon(label="Oar", damage="1d6")
    assert labels("weapon", ["dagger", own]) == ["dagger", "Oar"]
    assert labels("weapon", {"a": "dagger", "b": own}) == ["a", "b"]
    assert labels("distance", [None, 5]) == ["none", "5"]
    assert labels("touch", [True, False]) == [True, False]
    assert labels("defender_condition", [None, {"prone", "helpless"}]) == [
        "none",
        "helpless + prone",
    ]
    assert labels("table.cover", "all")[:2] == ["none", "standard"]
    assert labels("row", [None, "cover.standard"]) == ["none", "cover.standard"]
    assert labels("defender", ["ogre", GUARD]) == ["ogre", "guard"]
    assert labels("ruleset", [RULES, "classic"]) == ["srd35", "classic"]
    assert labels("situation", [Situation(), Situation(roll="advantage")])[1] == (
        '{"roll":"advantage"}'
    )
    assert labels("hit_points", pd.Series([3, 4]).to_numpy()) == [3, 4]


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ({"armour_class": [1]}, "axis 'armour_class' is not known; did you mean 'armor_class'"),
        ({"attacker.base_atack": [1]}, "did you mean 'attacker.base_attack'"),
        ({"table.cove": "all"}, "did you mean 'table.cover'"),
        ({7: [1]}, "axis 7 is not known"),
        ({"cover": []}, "axis 'cover' has no values"),
        ({}, "at least one"),
        (None, "at least one"),
        ({"cover": "standard"}, "axis 'cover': give a list of values, not 'standard'"),
        ({"attack_bonus": 5}, "give a list"),
        ({"attack_bonus": ["x"]}, "axis 'attack_bonus': field 'attack_bonus'"),
        ({"attack_bonus": [None, 5], "armor_class": [10_000]}, "axis 'armor_class'"),
        ({"hit_points": [1.5]}, "axis 'hit_points'"),
        ({"roll": ["advantag"]}, "did you mean 'advantage'"),
        ({"cover": ["standrd"]}, "did you mean 'standard'"),
        ({"table.cover": ["standrd"]}, "did you mean 'cover.standard'"),
        ({"row": ["cover.standrd"]}, "did you mean 'cover.standard'"),
        ({"row": [5]}, "axis 'row': 5 is no word"),
        ({"attacker_condition": ["flankin"]}, "did you mean 'flanking'"),
        ({"attacker_condition": [5]}, "give an id, a set of ids or None"),
        ({"weapon": ["longswrd"]}, "did you mean 'longsword'"),
        ({"weapon": [["longsword"]]}, "is no weapon"),
        ({"grip": ["two_hand"]}, "did you mean 'two_handed'"),
        ({"defender": [5]}, "axis 'defender': 5 is no defender"),
        ({"defender": ["ogr"]}, "did you mean 'ogre'"),
        ({"ruleset": ["srd53"]}, "did you mean 'srd35'"),
        ({"switch.miss_chance": ["eac"]}, "did you mean 'each'"),
        ({"switch.miss_chance": [None]}, "no word of the rules"),
        ({"full": ["yes"]}, "is no full"),
        ({"power_attack": [50]}, "more than the base attack"),
        ({"weapon": ["dagger", "dagger"]}, "two values are called 'dagger'"),
        (
            {"cover": [None], "situation.cover": [None]},
            "'cover' and 'situation.cover' set the same",
        ),
        ({"cover": [None], "table.cover": [None]}, "set the same thing"),
        ({"cover": [None], "row": [None, "cover.standard"]}, "set the same thing"),
        ({"row": ["cover.standard"], "table.cover": "all"}, "set the same thing"),
        ({"attack_bonus": np.array(5)}, "give a list of values, not 5"),
        ({"hit_points": iter(lambda: 1, 2)}, "more than 100,000 values"),
    ],
)
def test_mistakes_are_explained(axes: Any, said: str) -> None:
    with pytest.raises(CombatkitError) as error:
        sweep_over(RULES, HERO, GUARD, axes)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"measures": ["hit_chances"]}, "did you mean 'hit_chance'"),
        ({"measures": []}, "at least one"),
        ({"measures": ["hit_chance", "hit_chance"]}, "each once"),
        ({"measures": None}, "give a list of names"),
        ({"measures": 5}, "give a list of names"),
        ({"measures": [["hit_chance"]]}, "not known"),
        ({"rounds": 1000}, "rounds must be 0 to 200"),
        ({"rounds": True}, "rounds must be a whole number"),
        ({"exact": "no"}, "exact: a bool is needed"),
        ({"executor": 4}, "it cannot submit"),
        ({"executor": ThreadPoolExecutor}, "it cannot submit"),
        ({"progress": 4}, "a function of"),
        ({"situation": {"cover": "standard"}}, "is no situation"),
        ({"grip": "both"}, "not known"),
        ({"full": 1}, "is no full"),
    ],
)
def test_wrong_options_are_explained(options: Any, said: str) -> None:
    with pytest.raises(CombatkitError) as error:
        sweep_over(RULES, HERO, GUARD, {"cover": [None]}, **options)
    assert said in str(error.value)


def test_wrong_people_and_rules_are_explained() -> None:
    with pytest.raises(CombatkitError, match="5 is no attacker"):
        sweep_over(RULES, 5, GUARD, {"cover": [None]})  # type: ignore[arg-type]
    with pytest.raises(CombatkitError, match="'srd35' is no ruleset"):
        sweep_over("srd35", HERO, GUARD, {"cover": [None]})  # type: ignore[arg-type]


def test_too_many_cells_are_refused_with_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = {"attack_bonus": range(100), "armor_class": range(140), "hit_points": range(2000)}
    with pytest.raises(CombatkitError, match=r"28,000,000 cells, a table of about 0\.8 GB"):
        sweep_over(RULES, HERO, GUARD, axes)
    monkeypatch.setattr(product_plan, "MAX_SETUPS", 10)
    with pytest.raises(CombatkitError, match="11 attacks whose modifiers are added up one by one"):
        sweep_over(RULES, HERO, GUARD, {"distance": range(11), "attack_bonus": range(9)})


@pytest.mark.parametrize(
    "axes",
    [
        {"distance": {"\ud800": 5}},
        {"attacker.id": ["\ud800"]},
        {"attacker.armor": ["\ud800"]},
        {"weapon": ["\ud800"]},
        {"attacker.name": ["\ud800"]},
        {"ruleset": ["\ud800"]},
        {"table.cover": ["\ud800"]},
    ],
    ids=str,
)
def test_broken_text_on_an_axis_is_told(axes: dict[str, Any]) -> None:
    who = Combatant(weapons=["club"])
    with pytest.raises(CombatkitError):
        sweep_over(load_ruleset("srd35"), who, who, axes=axes)
