"""What gear does outside an attack, against sums by hand; speeds in armor of one's own."""

from __future__ import annotations

from fractions import Fraction

import pytest

from combatkit import Combatant, Weapon, load_ruleset
from combatkit.combat.health.dying import dying
from combatkit.combat.turns import check_penalty, gear_weight, speed_of, spell_failure
from combatkit.rules import Armor

SRD = load_ruleset("srd35")


@pytest.mark.parametrize("armor", [None, *(k for k, a in SRD.armors.items() if a.kind != "shield")])
@pytest.mark.parametrize("shield", [None, "buckler", "tower"])
def test_armor_and_shield_add_up(armor: str | None, shield: str | None) -> None:
    who = Combatant(armor=armor, shield=shield, weapons=["dagger", Weapon(weight="1/2")])
    worn = [SRD.armors[key] for key in (armor, shield) if key]
    assert check_penalty(SRD, who) == sum(one.check_penalty for one in worn)
    percent = sum(one.arcane_failure for one in worn)
    assert spell_failure(SRD, who) == min(Fraction(1), Fraction(percent, 100))
    pounds = sum(one.weight for one in worn) + SRD.weapons["dagger"].weight + Fraction(1, 2)
    assert gear_weight(SRD, who) == pounds


@pytest.mark.parametrize("race", ["human", "elf", "gnome", "halfling", "dwarf"])
@pytest.mark.parametrize("armor", [k for k, a in SRD.armors.items() if a.kind != "shield"])
def test_listed_armor_slows_as_the_table_of_races_says(race: str, armor: str) -> None:
    assert speed_of(SRD, race, armor) == speed_of(SRD, race, SRD.armors[armor].kind)


def test_armor_of_ones_own_slows_as_it_says() -> None:
    mithral = Armor(kind="medium", speed_30=25, speed_20=15)
    assert [speed_of(SRD, race, mithral) for race in ("human", "halfling", "dwarf")] == [25, 15, 20]
    assert speed_of(SRD, "human", Armor(kind="light", speed_30=25)) == 30  # light slows nobody


def test_an_ally_brings_the_own_bonus_on_first_aid() -> None:
    healer = Combatant(heal=6)
    assert dying(SRD, -3, heal=healer).p_death == dying(SRD, -3, heal=6).p_death
    assert dying(SRD, -3, heal=healer).p_death < dying(SRD, -3, heal=Combatant()).p_death
