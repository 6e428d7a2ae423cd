"""Movement: the speeds by hand, distances, checks and how long somebody runs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, attack, full_attack, load_ruleset
from combatkit.combat.turns.movement import (
    action_for_a_square,
    dashing_attacks,
    move_distance,
    p_climb,
    p_fast_mount,
    run_rounds,
    speed_of,
    terrain_distance,
)
from combatkit.rules import Ruleset, modifier_of

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))

# srd_statistics, Speed: no armor, light, medium, heavy
SPEEDS = {
    "human": (30, 30, 20, 20),
    "elf": (30, 30, 20, 20),
    "half_elf": (30, 30, 20, 20),
    "half_orc": (30, 30, 20, 20),
    "gnome": (20, 20, 15, 15),
    "halfling": (20, 20, 15, 15),
    "dwarf": (20, 20, 20, 20),
}
KINDS = ("none", "light", "medium", "heavy")


@pytest.mark.parametrize("race", SPEEDS)
def test_speeds(race: str) -> None:
    assert tuple(speed_of(SRD, race, kind) for kind in KINDS) == SPEEDS[race]
    assert speed_of(SRD, race) == SPEEDS[race][0]


def test_speed_in_armor_agrees_with_the_armor_table() -> None:
    for armor in SRD.armors.values():
        if armor.speed_30 is not None:
            assert speed_of(SRD, "human", armor.id) == armor.speed_30
            assert speed_of(SRD, "halfling", armor) == armor.speed_20
        else:
            assert speed_of(SRD, "human", armor.id) == 30  # a shield does not slow down
    with pytest.raises(CombatkitError, match="did you mean 'dwarf'"):
        speed_of(SRD, "dwarff")
    with pytest.raises(CombatkitError, match="did you mean 'heavy'"):
        speed_of(SRD, "human", "heavvy")


# at speed 30: feet in ordinary and in heavy armor
GRID = {
    "move": (30, 30),
    "double_move": (60, 60),
    "run": (120, 90),
    "climb": (Fraction(15, 2), Fraction(15, 2)),
    "climb_fast": (15, 15),
    "swim": (Fraction(15, 2), Fraction(15, 2)),
    "crawl": (5, 5),
    "five_feet": (5, 5),
}


@pytest.mark.parametrize("rules", (SRD, CLASSIC), ids=lambda r: r.id)
@pytest.mark.parametrize("mode", GRID)
def test_distances(rules: Ruleset, mode: str) -> None:
    assert tuple(move_distance(rules, 30, mode, heavy) for heavy in (False, True)) == GRID[mode]


def test_distances_of_phased_and_with_the_run_feat() -> None:
    assert (move_distance(PHASED, 30), move_distance(PHASED, 30, "dash")) == (30, 60)
    with pytest.raises(CombatkitError, match="row of table 'movement' 'run'"):
        move_distance(PHASED, 30, "run")
    runs = [move_distance(SRD, 30, "run", heavy, True) for heavy in (False, True)]
    assert runs == [150, 120]
    assert move_distance(SRD, 30, run_feat=True, heavy=True) == 30


def test_running_costs_the_dexterity_bonus() -> None:
    quick = Combatant(abilities={"dex": 18}, dodge=1)
    for rules in (SRD, CLASSIC):
        there = Situation(defender={"running"})
        assert attack(rules, Combatant(), quick, situation=there).armor_class.total == 10


@given(st.integers(0, 120), st.sampled_from(sorted(GRID)), st.integers(1, 4), st.booleans())
def test_terrain_costs_so_much_a_foot(speed: int, mode: str, cost: int, heavy: bool) -> None:
    open_ground = move_distance(SRD, speed, mode, heavy)
    rough = move_distance(SRD, speed, mode, heavy, cost=cost)
    assert rough == (open_ground if GRID[mode] == (5, 5) else open_ground / cost)


def test_difficult_terrain() -> None:
    for rules in (SRD, CLASSIC, PHASED):
        assert terrain_distance(rules, 30) == 15
    assert terrain_distance(PHASED, 30, dash=True) == 30
    assert terrain_distance(PHASED, 30, cost=3) == 10
    assert terrain_distance(PHASED, 30, cost=2, blocked=True) == 15
    with pytest.raises(CombatkitError, match="no dash"):
        terrain_distance(PHASED, 30, dash=True, blocked=True)


@pytest.mark.parametrize(
    ("speed", "cost", "action"),
    [(30, 4, "move"), (10, 2, "move"), (5, 1, "move"), (5, 2, "move_through_difficult")],
)
def test_a_square_always_can_be_moved(speed: int, cost: int, action: str) -> None:
    assert action_for_a_square(CLASSIC, speed, cost) == action


@given(st.integers(-5, 25), st.integers(0, 40))
def test_climbing_fast_is_five_harder(bonus: int, dc: int) -> None:
    assert p_climb(CLASSIC, bonus, dc, accelerated=True) == p_climb(CLASSIC, bonus, dc + 5)
    assert p_climb(CLASSIC, bonus, dc) == Fraction(
        sum(face + bonus >= dc for face in range(1, 21)), 20
    )


def test_fast_mount() -> None:
    assert [p_fast_mount(CLASSIC, ride) for ride in (-1, 0, 10, 19, 30)] == [
        0,
        Fraction(1, 20),
        Fraction(11, 20),
        1,
        1,
    ]
    assert p_fast_mount(CLASSIC, 10, -6) == Fraction(1, 4)
    with pytest.raises(CombatkitError, match="0 or less"):
        p_fast_mount(CLASSIC, 10, 2)


@settings(max_examples=30)
@given(st.integers(0, 60))
def test_how_long_somebody_runs(constitution: int) -> None:
    """Slow twin: survive the checks one after the other."""
    odds = run_rounds(SRD, constitution)
    still = Fraction(1)
    for further in range(60):
        faces = sum(f + modifier_of(constitution) >= 10 + further for f in range(1, 21))
        assert odds.p(constitution + further) == still * Fraction(20 - faces, 20)
        still *= Fraction(faces, 20)
    assert still == 0
    assert odds.minimum >= constitution


@given(st.integers(0, 98))
def test_the_tougher_runs_longer(constitution: int) -> None:
    assert run_rounds(SRD, constitution + 1).mean > run_rounds(SRD, constitution).mean


def test_attacks_while_dashing() -> None:
    claw = {"id": "claw", "label": "Claw", "hand": "natural", "damage": "1d4", "attacks": 2}
    bite = {"id": "bite", "label": "Bite", "hand": "natural", "damage": "1d6"}
    cat = Combatant(attack_bonus=4, weapons=[claw, bite])
    made = full_attack(PHASED, cat, Combatant(armor_class=12))
    assert [s.weapon.id for s in dashing_attacks(made).strikes] == ["claw", "bite"]
    archer = Combatant(attack_bonus=4, weapons=["longbow"])
    for running, p_hit in ((set(), Fraction(13, 20)), ({"dashing"}, Fraction(169, 400))):
        there = Situation(attacker=running)
        assert attack(PHASED, archer, Combatant(armor_class=12), situation=there).p_hit == p_hit


def test_run_checks_that_never_get_harder_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[ruleset]\nid = "mine"\ntitle = "Mine"\nextends = "srd35"\n'
        '[[number]]\nid = "run.check_step"\nvalue = 0\ncite = "user: 1"\n'
    )
    with pytest.raises(CombatkitError, match="1 to 100 is needed, not 0"):
        load_ruleset(file)


def test_unfriendly_input() -> None:
    for speed, cost in product((-5, 20_000, "30"), (1,)):
        with pytest.raises(CombatkitError, match="speed must be"):
            move_distance(SRD, speed, cost=cost)  # type: ignore[arg-type]
    for cost in (0, -1, 0.5, Fraction(1, 2)):
        with pytest.raises(CombatkitError, match="costs at least"):
            move_distance(SRD, 30, cost=cost)  # type: ignore[arg-type]
    with pytest.raises(CombatkitError, match="Constitution score"):
        run_rounds(SRD, -1)
    with pytest.raises(CombatkitError, match="did you mean 'crawl'"):
        move_distance(SRD, 30, "crawling")
