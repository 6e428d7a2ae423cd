"""Stat blocks as text: what they give, what is not read, what does not add up."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, attack, full_attack, load_ruleset
from combatkit.rules import StatBlock, read_stat_block
from combatkit.rules.block_lines import READERS

SRD = load_ruleset("srd35")
TARGET = Combatant(name="Target", armor_class=20, hit_points=60)

OGRE = """Ogre
Large Giant
Hit Dice: 4d8+11 (29 hp)
Initiative: -1
Speed: 30 ft. in hide armor (6 squares); base speed 40 ft.
Armor Class: 16 (–1 size, –1 Dex, +5 natural, +3 hide), touch 8, flat-footed 16
Base Attack/Grapple: +3/+12
Attack: Greatclub +8 melee (2d8+7) or javelin +1 ranged (1d8+5)
Full Attack: Greatclub +8 melee (2d8+7) or javelin +1 ranged (1d8+5)
Space/Reach: 10 ft./10 ft.
Special Attacks: -
Special Qualities: Darkvision 60 ft., low-light vision
Saves: Fort +6, Ref +0, Will +1
Abilities: Str 21, Dex 8, Con 15, Int 6, Wis 10, Cha 7
Skills: Climb +5, Listen +2, Spot +2
Feats: Toughness, Weapon Focus (greatclub)
Challenge Rating: 3
"""
CONDENSED = """Captain CR 4
Human fighter 4
LN Medium humanoid (human)
Init +5; Senses Listen +0, Spot +0
AC 19, touch 11, flat-footed 18
hp 34 (4 HD)
Fort +6, Ref +2, Will +1
Speed 20 ft. in chainmail (4 squares), base speed 30 ft.
Melee longsword +8 (1d8+5/19-20) or
Melee dagger +7 (1d4+3/19-20)
Ranged longbow +5 (1d8/x3)
Space 5 ft.; Reach 5 ft.
Base Atk +4; Grp +7
Abilities Str 16, Dex 13, Con 14, Int 10, Wis 10, Cha 8
Feats Improved Initiative, Weapon Focus (longsword), Weapon Specialization (longsword)
"""
ONE_PARAGRAPH = (
    "Trolls (3): CR 5; Large giant; HD 6d8+36; hp 63; Init +2; Spd 30 ft.; AC 16, touch 11, "
    "flat-footed 14; Base Atk +4; Grp +14; Atk +9 melee (1d6+6, claw); Full Atk +9 melee (1d6+6, "
    "2 claws) and +4 melee (1d6+3, bite); Space/Reach 10 ft./10 ft.; SA rend 2d6+9; SQ darkvision "
    "90 ft., regeneration 5; AL CE; SV Fort +11, Ref +4, Will +3; Str 23, Dex 14, Con 23, Int 6, "
    "Wis 9, Cha 6; Feats Alertness, Iron Will, Track."
)


def _armor_classes(who: Combatant) -> list[int]:
    places = (Situation(), Situation(touch=True), Situation(defender={"flat_footed"}))
    return [attack(SRD, TARGET, who, situation=there).armor_class.total for there in places]


def test_the_classic_layout() -> None:
    block = Combatant.from_stat_block(OGRE)
    who = block.combatant
    assert (who.name, who.size, who.kind, who.hit_points) == ("Ogre", "large", "giant", 29)
    assert (who.speed, who.reach, who.base_attack, who.armor) == (40, 10, 3, "hide")
    assert (who.natural_armor, who.armor_class, who.challenge_rating) == (5, None, "3")
    assert who.saves.fortitude == 6 and who.score("str") == 21
    assert who.feats == ("toughness", "weapon_focus:greatclub")
    assert _armor_classes(who) == [16, 8, 16]
    assert [one.attack_bonus.total for one in full_attack(SRD, who, TARGET).strikes] == [8]
    assert attack(SRD, who, TARGET, "javelin").attack_bonus.total == 1
    assert block.differences == ()
    assert {told.line for told in block.unread} == {12, 15}
    assert {told.line for told in block.derived} == set(range(1, 18)) - {11, 12, 15}


def test_the_layout_of_printed_adventures() -> None:
    block = Combatant.from_stat_block(CONDENSED)
    who = block.combatant
    assert (who.name, who.challenge_rating, who.kind) == ("Captain", "4", "humanoid")
    assert (who.hit_points, who.speed, who.reach, who.base_attack) == (34, 30, 5, 4)
    assert _armor_classes(who) == [19, 11, 18]
    assert attack(SRD, who, TARGET).blow.flat == 5
    assert attack(SRD, who, TARGET, "dagger").attack_bonus.total == 7
    assert attack(SRD, who, TARGET, "longbow").blow.multiplier == 3
    assert block.differences == ()


def test_a_block_in_one_paragraph() -> None:
    block = Combatant.from_stat_block(ONE_PARAGRAPH)
    who = block.combatant
    assert (who.name, who.size, who.kind, who.hit_points) == ("Trolls (3)", "large", "giant", 63)
    strikes = full_attack(SRD, who, TARGET).strikes
    assert [one.attack_bonus.total for one in strikes] == [9, 9, 4]
    assert _armor_classes(who) == [16, 11, 14]
    assert block.differences == ()


def test_no_line_is_lost() -> None:
    """Each line is read, told as unread, or prints nothing."""
    for text in (OGRE, CONDENSED, ONE_PARAGRAPH):
        block = read_stat_block(text)
        told = {one.line for one in (*block.derived, *block.unread)}
        lines = {n for n, line in enumerate(text.splitlines(), 1) if not line.endswith(": -")}
        assert told == lines


@pytest.mark.parametrize(
    ("change", "to", "words"),
    [
        ("(29 hp)", "(40 hp)", "40 is printed; the average of the hit dice make 29"),
        ("4d8+11", "4d8+8", "Constitution and Toughness make 11"),
        ("Initiative: -1", "Initiative: +3", "Dexterity and feats make -1"),
        ("Class: 16", "Class: 18", "the parts of armor class make 16"),
        ("touch 8", "touch 9", "the parts of touch make 8"),
        ("flat-footed 16", "flat-footed 15", "the parts of flat footed make 16"),
        ("–1 size", "–2 size", "in armor class, size make -1"),
        ("+3/+12", "+4/+12", "levels and hit dice make 3"),
        ("+3/+12", "+3/+11", "base attack, Strength and size make 12"),
        ("Greatclub +8", "Greatclub +9", "the parts of Greatclub make 8"),
        ("2d8+7", "2d8+5", "Strength, magic and feats of Greatclub make 7"),
        ("Full Attack: Greatclub +8", "Full Attack: Greatclub +8/+3", "by base attack make 1"),
        ("Fort +6", "Fort +8", "of fortitude make 6"),
        ("Space/Reach: 10", "Space/Reach: 15", "feet of space by size make 10"),
    ],
)
def test_what_does_not_add_up_is_told(change: str, to: str, words: str) -> None:
    assert change in OGRE
    told = read_stat_block(OGRE.replace(change, to)).differences
    assert any(words in one.why for one in told), told


def test_the_printed_armor_class_holds_where_parts_do_not_make_it() -> None:
    who = read_stat_block(OGRE.replace("Class: 16", "Class: 18")).combatant
    assert _armor_classes(who)[0] == 18


@pytest.mark.parametrize(
    ("quality", "field", "value"),
    [
        ("Sneak attack +2d6", "sneak_attack", "2d6"),
        ("Undead traits", "critical_immune", True),
        ("Undead traits", "nonlethal_immune", True),
        ("Fast healing 5", "fast_healing", 5),
        ("Regeneration 3", "regeneration", 3),
        ("Immunity to critical hits", "critical_immune", True),
    ],
)
def test_a_quality_fills_its_field(quality: str, field: str, value: object) -> None:
    text = OGRE.replace("Darkvision 60 ft.", quality)
    assert getattr(read_stat_block(text).combatant, field) == value


@pytest.mark.parametrize(
    ("printed", "given"),
    [
        ("+4 chain shirt", {"armor": "chain_shirt"}),
        ("+9 +1 full plate", {"armor": "full_plate", "armor_enhancement": 1}),
        ("+3 masterwork studded leather", {"armor": "studded_leather"}),
        ("+1 light wooden shield", {"shield": "light_wooden"}),
        ("+4 +2 heavy steel shield", {"shield": "heavy_steel", "shield_enhancement": 2}),
        ("+1 buckler", {"shield": "buckler"}),
        ("+2 deflection", {"deflection": 2}),
        ("+1 dodge", {"dodge": 1}),
    ],
)
def test_what_is_worn_is_found(printed: str, given: dict[str, object]) -> None:
    value = int(printed.split()[0])
    text = f"Guard\nArmor Class: {10 + value} ({printed})\nAbilities: Str 10, Dex 10, Con 10"
    who = read_stat_block(text).combatant
    assert {name: getattr(who, name) for name in given} == given
    assert who.armor_class is None
    assert _armor_classes(who)[0] == 10 + value


def test_other_armor_counts_as_printed() -> None:
    who = read_stat_block("Mage\nAC 15 (+4 mage armor, +1 insight)").combatant
    assert _armor_classes(who) == [15, 11, 15]


def test_feats_are_known_or_told() -> None:
    text = "Feats: Power Attack, Flarg, Weapon Focus (bite), Weapon Focus, TrackB\nhp 5"
    block = read_stat_block(text)
    assert block.combatant.feats == ("power_attack", "weapon_focus:bite", "track")
    assert [(told.text, told.line) for told in block.unread] == [("Flarg", 1), ("Weapon Focus", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "Abilities: Str 9999",
        "Abilities: Str 900, Dex 10",
        "hp 99999",
        "Armor Class: 900",
        "Attack: bite +3 (1x6)",
        "Saves: great",
        "Speed: " + "9" * 5000 + " ft.",
        "Space/Reach: 5 ft./900 ft.",
        "Challenge Rating: very high",
        "<script>alert(1)</script>",
        "__import__('os').system('true')",
        "{'hit_points': 3}",
    ],
)
def test_a_line_that_cannot_be_is_left_unread_with_the_reason(line: str) -> None:
    block = read_stat_block(f"Base Attack/Grapple: +3/+12\n{line}")
    assert block.combatant.base_attack == 3
    assert [told.line for told in block.unread] == [2]
    assert block.combatant == Combatant(base_attack=3)
    assert "<script" not in block._repr_html_()


def test_a_score_that_cannot_be_is_told_and_the_others_are_read() -> None:
    block = read_stat_block("Abilities: Str 99x9, Dex 12, Con -, Int Ø")
    assert block.combatant.abilities == {"dex": 12}
    assert [told.text for told in block.unread] == ["Str 99x9"]


def test_skills_that_count_are_read() -> None:
    block = read_stat_block("Skills: Bluff +4, Heal +5, Listen +2, Sense Motive -1")
    assert block.combatant.heal == 5
    assert block.combatant.skills == {"bluff": 4, "sense_motive": -1}


def test_what_is_shown_is_escaped() -> None:
    block = read_stat_block('A <b & "c\nhp 7\nOdd <img src=x onerror=alert(1) line')
    assert "<img" not in block._repr_html_() and "&lt;" in block._repr_html_()
    assert "Not counted" in block.explain()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no line"),
        ("x" * 20_001, "too many"),
        (3, "a str is needed"),
        (None, "a str is needed"),
    ],
)
def test_what_is_no_block_is_told(text: str, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        read_stat_block(text)


def _read(text: str) -> StatBlock | None:
    try:
        return read_stat_block(text)
    except CombatkitError:
        return None


LINES = st.builds(
    "{}{} {}".format,
    st.sampled_from([*READERS, "Large Giant", "Name"]),
    st.sampled_from(["", ":"]),
    st.text(max_size=60) | st.text("0123456789+-/(),; dxftplusand", max_size=60),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=8).map("\n".join) | st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    block = _read(text)
    if block is not None:
        block.explain()
        Combatant.from_json(block.combatant.to_json())


@pytest.mark.parametrize(
    "part",
    [*"(<+-/; \n9d&", "1d", "+1/", "a ", "2 ", "fly ", "and ", "hp ", "(()", "<a", "Feats x,"]
    + ["\n" + label + ": " for label in READERS]
    + ["AC 1 (", "immunity to fire, ", "+1 x (1d6 plus ", "1d6+", "10/", "fighter 1 "],
)
def test_hostile_texts_take_bounded_time(part: str) -> None:
    text = ("hp 5\nAC: " + part * 20_000)[:20_000]
    start = time.perf_counter()
    _read(text)
    _read(text[8:])
    assert time.perf_counter() - start < 5
