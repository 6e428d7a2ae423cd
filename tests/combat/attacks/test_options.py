"""What calculators are asked for beyond the documents, against brute force over faces and dice."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    full_attack,
    kill_time,
    load_ruleset,
    survival,
)
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.attacks.options import (
    aided_hit_chance,
    best_combat_expertise,
    best_power_attack,
    p_aid_another,
)

F = Fraction
SRD, PHASED = load_ruleset("srd35"), load_ruleset("phased")
ARM = Weapon(label="Arm", damage="1d4", threat_from=19)
Odds = dict[int, Fraction]


def _dist(made: Any) -> Odds:
    return dict(made.damage.items())


# ---- damage reduction and resistance


def _soaked(physical: int, energies: dict[str, int], who: Combatant, bypassed: bool) -> int:
    """Slow twin of one hit: the floor of 1 first, then what the target takes off."""
    felt = max(1, physical) - (0 if bypassed else who.damage_reduction)
    off = who.energy_resistance
    return max(0, felt) + sum(max(0, n - off.get(name, 0)) for name, n in energies.items())


@given(st.integers(0, 8), st.integers(-4, 3), st.integers(0, 6), st.integers(0, 7), st.booleans())
def test_reduction_and_resistance_by_enumeration(
    reduction: int, flat: int, fire: int, cold: int, silver: bool
) -> None:
    who = Combatant(
        armor_class=11,
        damage_reduction=reduction,
        reduction_bypassed_by=["silver"],
        energy_resistance={"fire": fire, "cold": cold},
    )
    arm = Weapon(
        damage="1d4", extra="1d6 fire+1d2", multiplier=2, materials=["silver"] if silver else []
    )
    there = Situation(damage_bonus=flat)
    made = attack(SRD, Combatant(attack_bonus=0), who, arm, there)
    hit: defaultdict[int, Fraction] = defaultdict(Fraction)
    for die, burn, more in product(range(1, 5), range(1, 7), range(1, 3)):
        hit[_soaked(die + flat + more, {"fire": burn}, who, silver)] += F(1, 48)
    assert dict(made.hit_damage.items()) == hit
    critical: defaultdict[int, Fraction] = defaultdict(Fraction)
    for one, two, burn, more in product(range(1, 5), range(1, 5), range(1, 7), range(1, 3)):
        dealt = _soaked(one + two + 2 * flat + more, {"fire": burn}, who, silver)
        critical[dealt] += F(1, 192)
    assert dict(made.critical_damage.items()) == critical


@pytest.mark.parametrize(
    "weapon, dealt",
    [
        ({"damage": "3"}, 0),
        ({"damage": "3", "enhancement": 1}, 4),
        ({"damage": "3", "types": ["slashing"]}, 3),
        ({"damage": "3", "types": ["piercing"]}, 0),
        ({"damage": "7"}, 2),
        ({"damage": "3", "extra": "4 fire"}, 0),
        ({"damage": "3", "extra": "9 fire"}, 4),
        ({"damage": "3", "extra": "4 acid"}, 4),
        ({"extra": "9 fire"}, 4),
    ],
)
def test_what_overcomes_reduction(weapon: dict[str, Any], dealt: int) -> None:
    foe = Combatant(
        damage_reduction=5,
        reduction_bypassed_by=["magic", "slashing"],
        energy_resistance={"fire": 5},
    )
    made = attack(SRD, Combatant(), foe, Weapon(**weapon))
    assert dict(made.hit_damage.items()) == {dealt: 1}


def test_the_floor_of_one_is_for_penalties_only() -> None:
    weak = Situation(damage_bonus=-9)
    assert attack(SRD, Combatant(), Combatant(), ARM, weak).hit_damage.minimum == 1
    hard = Combatant(damage_reduction=1)
    assert attack(SRD, Combatant(), hard, ARM, weak).hit_damage.maximum == 0
    assert kill_time(attack(SRD, Combatant(), hard, ARM, weak)).mean is None


def test_energies_are_multiplied_and_maximized_by_their_own_readings() -> None:
    foe = Combatant(armor_class=10, energy_resistance={"fire": 3})
    flame = Weapon(damage="1d1", extra="1d4 fire", multiplier=3)
    each = attack(SRD.with_switches(extra_dice="multiplied"), Combatant(), foe, flame)
    assert each.critical_damage.maximum == 3 + (12 - 3)
    once = attack(
        SRD.with_switches(extra_dice="multiplied", critical_damage="roll_once"),
        Combatant(),
        foe,
        flame,
    )
    assert set(dict(once.critical_damage.items())) == {3, 6, 9, 12}
    most = attack(PHASED, Combatant(), foe, flame)
    assert dict(most.critical_damage.items()) == {1 + (4 - 3): 1}


@pytest.mark.parametrize(
    "field, value, near",
    [
        ("reduction_bypassed_by", ["slver"], "silver"),
        ("energy_resistance", {"fyre": 5}, "fire"),
        ("energy_resistance", {"fire": -1}, "energy_resistance.fire"),
        ("damage_reduction", -1, "damage_reduction"),
    ],
)
def test_wrong_words_of_a_hard_skin(field: str, value: Any, near: str) -> None:
    with pytest.raises(CombatkitError, match=near):
        Combatant(**{field: value})


# ---- confirmation


@given(st.integers(1, 25), st.integers(2, 20), st.integers(-20, 20))
def test_a_bonus_to_confirmation_by_enumeration(needs: int, threat: int, bonus: int) -> None:
    arm = Weapon(damage="1d4", threat_from=threat)
    there = Situation(confirmation_bonus=bonus)
    made = attack(SRD, Combatant(attack_bonus=0), Combatant(armor_class=needs), arm, there)

    def hits(face: int, more: int = 0) -> bool:
        return face == 20 or (face != 1 and face + more >= needs)

    faces = range(1, 21)
    both = [(a, b) for a, b in product(faces, faces) if a >= threat and hits(a) and hits(b, bonus)]
    assert made.p_critical == F(len(both), 400)
    assert made.p_hit == F(sum(map(hits, faces)), 20)


def test_power_critical_is_for_its_own_weapon() -> None:
    hero = Combatant(base_attack=5, feats=["power_critical:longsword"])
    foe = Combatant(armor_class=16)
    assert attack(SRD, hero, foe, "longsword").p_critical == F(2, 20) * F(14, 20)
    assert attack(SRD, hero, foe, "rapier").p_critical == F(3, 20) * F(10, 20)


# ---- extra damage on the first hit of a round


def _round(blows: list[tuple[Fraction, int]], extra: int) -> Odds:
    """Slow twin: every pattern of hits and misses of attacks that deal fixed damage."""
    odds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for pattern in product((False, True), repeat=len(blows)):
        chance, dealt = F(1), 0
        for (p_hit, damage), hit in zip(blows, pattern, strict=True):
            chance *= p_hit if hit else 1 - p_hit
            dealt += damage if hit else 0
        odds[dealt + (extra if any(pattern) else 0)] += chance
    return {damage: chance for damage, chance in odds.items() if chance}


@given(st.lists(st.integers(-5, 15), min_size=1, max_size=4), st.integers(1, 9))
def test_the_first_hit_of_a_round_by_enumeration(bonuses: list[int], extra: int) -> None:
    rules = SRD.with_switches(critical="none")
    there = Situation(first_hit=f"{extra}")
    foe = Combatant(armor_class=15)
    fist = Weapon(damage="2")
    strikes = [attack(rules, Combatant(attack_bonus=b), foe, fist, there) for b in bonuses]
    expected = _round([(one.p_hit, 2) for one in strikes], extra)
    assert _dist(FullAttack(tuple(strikes))) == expected
    assert _dist(strikes[0]) == _round([(strikes[0].p_hit, 2)], extra)


def test_first_hit_dice_count_once_even_on_criticals() -> None:
    there = Situation(first_hit="1d6 fire")
    hero = Combatant(base_attack=16, weapons=["longsword"])
    made = full_attack(SRD, hero, Combatant(armor_class=12), situation=there)
    plain = full_attack(SRD, hero, Combatant(armor_class=12))
    assert made.damage.mean - plain.damage.mean == plain.p_any_hit * F(7, 2)


# ---- trading attack for damage or defense


@pytest.mark.parametrize(
    "weapon, grip, gained",
    [("longsword", None, 3), ("longsword", "two_handed", 6), ("greatsword", None, 6),
     ("dagger", None, 0), ("longbow", None, 0), ("longsword", "off_hand", 3)],
)  # fmt: skip
def test_power_attack_by_weapon(weapon: str, grip: Any, gained: int) -> None:
    hero = Combatant(base_attack=5)
    plain = attack(SRD, hero, Combatant(), weapon, grip=grip)
    made = attack(SRD, hero, Combatant(), weapon, Situation(power_attack=3), grip)
    paid = 0 if made.attempt.mode == "ranged" else 3  # it is for melee
    assert made.attack_bonus.total == plain.attack_bonus.total - paid
    assert made.damage_bonus.total == plain.damage_bonus.total + gained


@pytest.mark.parametrize("ac", [10, 16, 20, 24, 30])
@pytest.mark.parametrize("full", [False, True])
def test_the_best_power_attack_is_the_best_of_all(ac: int, full: bool) -> None:
    hero = Combatant(abilities={"str": 18}, base_attack=7, weapons=["greataxe"])
    foe = Combatant(armor_class=ac)
    trade = best_power_attack(SRD, hero, foe, full=full)
    make: Any = full_attack if full else attack
    tried = [make(SRD, hero, foe, situation=Situation(power_attack=n)).damage.mean
             for n in range(8)]  # fmt: skip
    assert list(trade.worth) == tried
    assert tried[trade.best] == max(tried)
    assert all(worth < tried[trade.best] for worth in tried[: trade.best])


def test_expertise_moves_points_to_armor_class() -> None:
    hero = Combatant(base_attack=4, abilities={"str": 14}, weapons=["longsword"], armor="chainmail")
    ogre = SRD.combatant("ogre")
    trade = best_combat_expertise(SRD, hero, ogre)
    assert len(trade.worth) == 5  # at most the base attack bonus, at most 5
    for points, worth in enumerate(trade.worth):
        dealt = attack(SRD, hero, ogre, situation=Situation(combat_expertise=points)).damage.mean
        back = Situation(defender_expertise=points)
        assert worth == dealt - attack(SRD, ogre, hero, situation=back).damage.mean
    flat = Situation(defender_expertise=3, defender={"flat_footed"})
    assert attack(SRD, ogre, hero, situation=flat).armor_class.total == 15  # dodge is lost


def test_no_more_can_be_traded_than_there_is() -> None:
    hero = Combatant(base_attack=3)
    attack(SRD, hero, Combatant(), situation=Situation(power_attack=2, combat_expertise=1))
    with pytest.raises(CombatkitError, match="power_attack"):
        attack(SRD, hero, Combatant(), situation=Situation(power_attack=2, combat_expertise=2))


# ---- a friend's help


def test_aid_another_is_worth_two_when_it_succeeds() -> None:
    made = attack(SRD, Combatant(attack_bonus=5), Combatant(armor_class=16), "longsword")
    assert made.p_hit == F(10, 20)
    assert p_aid_another(SRD, 1) == F(12, 20)
    assert aided_hit_chance(made, 1) == F(12, 20) * F(12, 20) + F(8, 20) * F(10, 20)
    helped = attack(
        SRD, Combatant(attack_bonus=5), Combatant(armor_class=16), "longsword",
        Situation(attacker={"aided"}),
    )  # fmt: skip
    with pytest.raises(CombatkitError, match="aided"):
        aided_hit_chance(helped, 1)
    with pytest.raises(CombatkitError, match="aided"):
        aided_hit_chance(attack(PHASED, Combatant(), Combatant()), 1)


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("name", ["srd35", "phased"])
def test_the_first_hit_of_a_round_in_survival(name: str, keeps: bool) -> None:
    """Slow twin: every pattern of hits of each round over a dictionary of hit points."""
    rules = load_ruleset(name).with_switches(critical="none")
    hero, there = Combatant(base_attack=0), Situation(first_hit="3")
    foe = Combatant(armor_class=12, hit_points=6)
    made = FullAttack(tuple(attack(rules, hero, foe, Weapon(damage="2"), there) for _ in range(2)))
    helpless = Situation(first_hit="3", defender={"helpless"}) if name == "srd35" else there
    p_up = made.strikes[0].p_hit
    p_down = attack(rules, hero, foe, Weapon(damage="2"), helpless).p_hit if keeps else F(0)
    rule = rules.dying
    lose, calm = F(rule.count("lose_hit_point"), rule.die), F(rule.count("stabilize"), rule.die)
    now: dict[tuple[int, bool], Fraction] = {(6, False): F(1)}  # hit points, stable
    for number in range(3):
        seen: defaultdict[str, Fraction] = defaultdict(Fraction)
        for (points, stable), chance in now.items():
            seen["stable" if stable else rules.state_of(points)] += chance
        told = survival(made, 3, keeps_striking=keeps).by_round[number]
        assert {state: chance for state, chance in told.items() if chance} == {
            state: chance for state, chance in seen.items() if chance
        }
        fresh = {(key, False): chance for key, chance in now.items()}
        for _ in made.strikes:
            after: defaultdict[Any, Fraction] = defaultdict(Fraction)
            for ((points, stable), hit), chance in fresh.items():
                up = rules.state_of(max(points, -10)) in ("up", "disabled")
                p_hit = p_up if up else F(0) if points <= -10 else p_down
                left = points - (2 if hit else 5)
                after[(points, stable), hit] += chance * (1 - p_hit)
                after[(max(left, -10), False), True] += chance * p_hit
            fresh = after
        now = defaultdict(Fraction)
        for ((points, stable), _), chance in fresh.items():
            if stable or rules.state_of(points) != "dying":
                now[points, stable] += chance
                continue
            now[points - 1, False] += chance * lose
            now[points, True] += chance * calm
            now[points, False] += chance * (1 - lose - calm)
