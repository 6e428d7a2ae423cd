"""Shots into a melee against every roll of both dice."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, attack, load_ruleset
from combatkit.combat.attacks.missile import MeleeShot, shoot_into_melee

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))


def bow(magic: int = 0, **fields: Any) -> Weapon:
    return Weapon(label="Bow", damage="1d8", use="bow", enhancement=magic, **fields)


def shot(base: int, magic: int, ac: int, others: list[int], rules: Any = PHASED) -> MeleeShot:
    archer = Combatant(base_attack=base, weapons=[bow(magic)])
    return shoot_into_melee(
        rules,
        archer,
        Combatant(armor_class=ac),
        [Combatant(armor_class=other) for other in others],
    )


def slow_shot(base: int, magic: int, ac: int, others: list[int]) -> dict[str, Any]:
    hit = stray = Fraction(0)
    struck, critical = [Fraction(0)] * len(others), [Fraction(0)] * len(others)
    for face in range(1, 21):
        total = face + base + magic
        if face == 20 or (face != 1 and total >= ac):
            hit += Fraction(1, 20)
        elif face == 1 or total <= 9:
            stray += Fraction(1, 20)
            for again, (index, other) in product(range(1, 21), enumerate(others)):
                share = Fraction(1, 400 * len(others))
                if again == 20 or (again != 1 and again + magic >= other):
                    struck[index] += share
                if again == 20:
                    critical[index] += share
    return {"hit": hit, "stray": stray, "struck": tuple(struck), "critical": tuple(critical)}


@pytest.mark.parametrize("base, magic", [(5, 1), (0, 0), (8, 0), (-5, 3), (12, 2)])
@pytest.mark.parametrize("ac, others", [(15, [16]), (15, [16, 12]), (8, [10]), (30, [5, 40, 11])])
def test_every_roll_of_both_dice(base: int, magic: int, ac: int, others: list[int]) -> None:
    told, slow = shot(base, magic, ac, others), slow_shot(base, magic, ac, others)
    assert told.strike.p_hit == slow["hit"]
    assert told.p_stray == slow["stray"]
    assert told.p_struck == slow["struck"]
    assert told.p_struck_critically == slow["critical"]
    assert told.p_wrong == sum(slow["struck"])
    assert told.p_nothing == 1 - slow["hit"] - sum(slow["struck"])
    for index, chance in enumerate(told.p_struck):
        damage = told.damage_to(index)
        assert damage.at_least(1) == chance
        assert damage.p(8 + magic) >= told.p_struck_critically[index]


def test_only_magic_counts_on_the_second_roll() -> None:
    archer = Combatant(
        base_attack=4,
        abilities={"dex": 18},
        size="small",
        weapons=[bow(2)],
        feats=["weapon_focus:bow"],
    )
    made = shoot_into_melee(PHASED, archer, Combatant(armor_class=20), [Combatant(armor_class=12)])
    assert made.strike.attack_bonus.total == 4 + 4 + 1 + 2
    assert made.stray[0].attack_bonus.total == 2
    assert "not aimed" in made.stray[0].explain()
    plain = archer.model_copy(update={"weapons": (bow(masterwork=True),)})
    crafted = shoot_into_melee(PHASED, plain, Combatant(armor_class=20), [Combatant()])
    assert crafted.stray[0].attack_bonus.total == 0  # well made, but no magic


def test_a_low_armor_class_may_be_hit_by_a_low_total() -> None:
    made = shot(0, 0, 5, [10])
    assert made.p_stray == Fraction(4, 20)  # 1 to 4; what totals 5 to 9 hits


def test_a_large_target_with_a_part_clear_is_no_risk() -> None:
    ogre, friend = Combatant(armor_class=15, size="large"), Combatant()
    archer = Combatant(base_attack=1, weapons=[bow()])
    for feet, size, risk in (
        (5, "large", 0),
        (4, "large", 1),
        (5, "medium", 1),
        (5, "colossal", 0),
    ):
        target = ogre.model_copy(update={"size": size})
        made = shoot_into_melee(PHASED, archer, target, [friend], clear_feet=feet)
        assert (made.p_stray > 0) == bool(risk)


def test_reach_weapons_stray_too_but_swords_do_not() -> None:
    orc, friend = Combatant(armor_class=15), Combatant(armor_class=10)
    pike = Combatant(weapons=["longspear"])
    assert shoot_into_melee(PHASED, pike, orc, [friend]).p_wrong > 0
    with pytest.raises(CombatkitError, match="only a shot strays"):
        shoot_into_melee(PHASED, Combatant(weapons=["longsword"]), orc, [friend])


@pytest.mark.parametrize("rules", [SRD, CLASSIC], ids=repr)
def test_the_penalty_and_what_takes_it_away(rules: Any) -> None:
    orc = Combatant(armor_class=15)

    def bonus(feats: tuple[str, ...] = (), feet: int = 0, **there: Any) -> int:
        archer = Combatant(base_attack=6, weapons=[bow()], feats=feats)
        made = shoot_into_melee(
            rules, archer, orc, [Combatant()], situation=Situation(**there), clear_feet=feet
        )
        assert made.p_stray == made.p_wrong == 0 and made.damage_to(0).maximum == 0
        return made.strike.attack_bonus.total

    assert bonus() == 2
    assert bonus(feats=("precise_shot",)) == 6
    assert bonus(feet=10) == 6 and bonus(feet=9) == 2
    assert bonus(attacker={"into_melee"}) == 2


def test_readings() -> None:
    archer, orc = Combatant(base_attack=6, weapons=[bow()]), Combatant(armor_class=15)
    behind = Situation(cover="soft")
    both = shoot_into_melee(CLASSIC, archer, orc, situation=behind)
    one = shoot_into_melee(
        CLASSIC.with_switches(soft_cover_into_melee="one"), archer, orc, situation=behind
    )
    assert (both.strike.p_hit, one.strike.p_hit) == (Fraction(1, 5), Fraction(2, 5))
    straying = CLASSIC.with_switches(shot_into_melee="stray")
    assert shot(6, 0, 15, [16], straying).p_wrong == shot(6, 0, 15, [16]).p_wrong
    with pytest.raises(CombatkitError, match="into_melee"):
        shoot_into_melee(PHASED.with_switches(shot_into_melee="penalty"), archer, orc)


def test_straying_again_by_summing_the_rolls() -> None:
    rules = PHASED.with_switches(stray_again="yes")
    told = shot(0, 0, 15, [16, 12], rules)
    struck, rolling = [Fraction(0)] * 2, Fraction(9, 20)
    for _ in range(80):  # each roll hits one or the other, strays on with 9 faces, or flies off
        for index, ac in enumerate((16, 12)):
            struck[index] += rolling / 2 * Fraction(21 - ac, 20)
        rolling *= Fraction(9, 20)
    for index in range(2):
        assert 0 <= told.p_struck[index] - struck[index] < Fraction(1, 10**20)
    assert told.p_wrong > shot(0, 0, 15, [16, 12]).p_wrong


def test_it_may_stray_for_ever_and_then_hits_nobody() -> None:
    rules = PHASED.with_switches(stray_again="yes", attack_natural_20="total_decides")
    assert shot(0, 0, 60, [60], rules).p_struck == (0,)


@given(st.integers(-5, 20), st.integers(0, 5), st.integers(5, 30), st.integers(5, 30))
def test_everything_adds_up(base: int, magic: int, ac: int, other: int) -> None:
    made = shot(base, magic, ac, [other, other + 3])
    assert made.p_struck[0] >= made.p_struck[1]
    assert 0 <= made.p_wrong <= made.p_stray <= 1 - made.strike.p_hit
    better = shot(base + 1, magic, ac, [other, other + 3])
    assert better.p_stray <= made.p_stray
    archer = Combatant(base_attack=base, weapons=[bow(magic)])
    assert made.strike.p_hit == attack(PHASED, archer, Combatant(armor_class=ac)).p_hit


def test_without_others_nothing_strays() -> None:
    made = shot(0, 0, 30, [])
    assert (made.p_stray, made.p_wrong, made.p_nothing) == (0, 0, Fraction(19, 20))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"clear_feet": -1}, "clear_feet"),
        ({"others": [Combatant()] * 21}, "others"),
        ({"weapon": "longbwo"}, "longbow"),
    ],
)
def test_what_cannot_be_is_told(options: dict[str, Any], words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        shoot_into_melee(PHASED, Combatant(weapons=[bow()]), Combatant(), **options)
    made = shot(0, 0, 15, [16])
    with pytest.raises(CombatkitError, match="index"):
        made.damage_to(1)
