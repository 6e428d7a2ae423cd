"""Printed attack lines: exactly the strikes they say, and whatever a situation adds."""

from __future__ import annotations

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
    load_ruleset,
)
from combatkit.rules.attack_line import read_attack_line
from combatkit.rules.printed import printed_rounds

SRD = load_ruleset("srd35")
TARGET = Combatant(name="Target", armor_class=25, hit_points=60)
OPEN = Situation()

Made = list[tuple[int, str, int, int, int]]


def made(line: str, weapon: str | None = None, there: Situation = OPEN, **more: object) -> Made:
    who = Combatant.from_data({"full_attack_line": line, **more})
    return [
        (
            one.attack_bonus.total,
            one.blow.dice,
            one.blow.flat,
            one.blow.threat_from,
            one.blow.multiplier,
        )
        for one in full_attack(SRD, who, TARGET, weapon, there).strikes
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "+17/+12 melee (1d10+10/19-20)",
            [(17, "1d10", 10, 19, 2), (12, "1d10", 10, 19, 2)],
        ),
        (
            "2 claws +30 (1d8+13) and bite +28 (2d6+6)",
            [(30, "1d8", 13, 20, 2), (30, "1d8", 13, 20, 2), (28, "2d6", 6, 20, 2)],
        ),
        ("longbow +10/+5 (1d8/x3)", [(10, "1d8", 0, 20, 3), (5, "1d8", 0, 20, 3)]),
        ("Longsword +6 melee (1d8+3/19–20)", [(6, "1d8", 3, 19, 2)]),
        ("melee longsword +6 (1d8+3/19-20)", [(6, "1d8", 3, 19, 2)]),
        ("+4 melee (2d4+4/18-20, falchion) or +1 ranged (1d6+3, javelin)", [(4, "2d4", 4, 18, 2)]),
        ("+9 melee (1d6+6, 2 claws)", [(9, "1d6", 6, 20, 2), (9, "1d6", 6, 20, 2)]),
        ("scythe +3 (2d4−1/19-20/×4)", [(3, "2d4", -1, 19, 4)]),
        ("composite longbow (+2 Str bonus) +6 ranged (1d8+2/x3)", [(6, "1d8", 2, 20, 3)]),
        ("rat bite +1 (1)", [(1, "1", 0, 20, 2)]),
    ],
)
def test_a_full_attack_makes_exactly_the_strikes_printed(line: str, expected: Made) -> None:
    assert made(line) == expected
    who = Combatant(attack_line=line, abilities={"str": 30}, base_attack=20)
    assert attack(SRD, who, TARGET).attack_bonus.total == expected[0][0]
    assert made(line, abilities={"str": 30}, base_attack=20, size="huge") == expected


def test_rows_power_attack_and_range_still_add() -> None:
    flanked = Situation(attacker={"flanking"}, power_attack=3)
    assert made("greataxe +17/+12 (1d12+10/x3)", None, flanked, base_attack=12) == [
        (16, "1d12", 16, 20, 3),
        (11, "1d12", 16, 20, 3),
    ]
    far = Situation(distance=250)
    assert [one[0] for one in made("longbow +10/+5 (1d8/x3)", None, far)] == [6, 1]


def test_a_choice_is_made_by_its_weapon() -> None:
    line = "greatclub +16/+11 melee (2d8+10) or 2 slams +15 melee (1d4+7) or rock +8 (2d6+7)"
    assert [one[0] for one in made(line)] == [16, 11]
    assert [one[0] for one in made(line, "slam")] == [15, 15]
    assert [one[0] for one in made(line, "rock")] == [8]
    giant = Combatant(full_attack_line=line)
    assert attack(SRD, giant, TARGET, "slam").blow.flat == 7
    with pytest.raises(CombatkitError, match="did you mean 'rock'"):
        attack(SRD, giant, TARGET, "rocc")


def test_a_single_attack_has_a_line_of_its_own() -> None:
    who = Combatant(
        attack_line="longsword +12 (1d8+4/19-20)",
        full_attack_line="longsword +10/+5 (1d8+4/19-20) and short sword +10 (1d6+2/19-20)",
    )
    assert attack(SRD, who, TARGET).attack_bonus.total == 12
    strikes = full_attack(SRD, who, TARGET).strikes
    assert [one.attack_bonus.total for one in strikes] == [10, 5, 10]


def test_a_weapon_can_carry_its_printed_numbers() -> None:
    sword = Weapon(label="Sword", damage="1d10", attack_bonuses=[17, 12], damage_bonus=10)
    who = Combatant(weapons=[sword], abilities={"str": 30}, base_attack=20)
    strikes = full_attack(SRD, who, TARGET).strikes
    assert [(one.attack_bonus.total, one.blow.flat) for one in strikes] == [(17, 10), (12, 10)]
    dagger = Weapon(base="dagger", attack_bonuses=[9])
    pair = full_attack(SRD, who, TARGET, sword, off_hand=dagger).strikes
    assert [one.attack_bonus.total for one in pair] == [17, 12, 9]


def test_a_bonus_for_all_and_a_printed_one_are_too_many() -> None:
    who = Combatant(name="Orc", attack_bonus=5, attack_line="falchion +4 (2d4+4)")
    with pytest.raises(CombatkitError, match="Orc: attack_bonus \\+5, and \\+4 printed"):
        attack(SRD, who, TARGET)


def test_what_overcomes_damage_reduction_and_burns_is_read() -> None:
    (sword, claw), _ = printed_rounds(
        SRD,
        "+1 flaming cold iron longsword +8 (1d8+5/19-20 plus 1d6 fire) and claw +3 (1d4) or +1"
        " melee (1d4, dagger)",
    )
    assert (sword.enhancement, sword.materials, sword.extra) == (1, ("cold_iron",), "1d6 fire")
    assert claw.qualities == {"slashing", "piercing"}
    assert sword.note == "not counted beyond the numbers: flaming"


def test_a_rider_is_told_in_the_receipt() -> None:
    snakes = Combatant(attack_line="snakes +3 melee (1d4 plus poison)")
    assert "not counted beyond the numbers: poison" in attack(SRD, snakes, TARGET).explain()


@pytest.mark.parametrize("line", ["incorporeal touch +3 (1d6)", "tentacle +3 melee touch (1d6)"])
def test_a_touch_attack_is_one(line: str) -> None:
    armored = Combatant(armor="full_plate")
    made = attack(SRD, Combatant(attack_line=line), armored)
    assert made.armor_class.total == 10


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("bite", "without an attack bonus"),
        ("bite +3 (1x6)", "no damage"),
        ("bite +3 (1d6/25-20)", "no damage with a critical"),
        ("bite +999 (1d6)", "out of all measure"),
        ("99 bites +3 (1d6)", "more than 60 strikes"),
        ("0 bites +3 (1d6)", "out of all measure"),
        ("bite +3 (99999999999d6)", "no damage"),
        ("bite +3 (1d6) and", "without an attack bonus"),
        ("bite +3 " * 200, "characters"),
        (";", "no attack"),
    ],
)
def test_a_line_that_cannot_be_read_is_told(line: str, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        Combatant(attack_line=line)


def test_a_weapon_without_damage_has_to_be_known() -> None:
    assert made("longsword +6/+1", abilities={"str": 14}) == [
        (6, "1d8", 2, 19, 2),
        (1, "1d8", 2, 19, 2),
    ]
    with pytest.raises(CombatkitError, match="did you mean 'longsword'"):
        made("longswrd +6")


@given(
    st.lists(st.integers(-20, 60), min_size=1, max_size=4),
    st.integers(1, 4),
    st.integers(1, 12),
    st.integers(-5, 30),
    st.integers(15, 20),
    st.integers(2, 4),
)
def test_what_is_written_is_read(
    bonuses: list[int], count: int, sides: int, flat: int, threat: int, times: int
) -> None:
    told = "/".join(f"{bonus:+d}" for bonus in bonuses)
    sides += 1
    line = f"{count} odd things {told} melee (2d{sides}{flat:+d}/{threat}-20/x{times})"
    ((one,),) = read_attack_line(line)
    assert one.bonuses == tuple(bonuses) * count
    assert (one.name, one.mode, one.dice, one.flat) == ("odd things", "melee", f"2d{sides}", flat)
    assert (one.threat_from, one.multiplier) == (threat, times)


@given(st.text(max_size=200) | st.text("+-/()d0123456789x, orandplusmelee", max_size=400))
def test_no_text_breaks_it(line: str) -> None:
    try:
        who = Combatant(attack_line=line)
        full_attack(SRD, who, TARGET)
    except CombatkitError:
        pass
