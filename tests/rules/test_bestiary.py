"""Sample combatants: what the engine computes is what their stat blocks print."""

from __future__ import annotations

import pytest

from combatkit import Combatant, Situation, attack, full_attack, load_ruleset
from combatkit.combat.attacks.attack import Strike
from combatkit.rules import modifier_of

SRD = load_ruleset("srd35")
TARGET = Combatant(armor_class=10, hit_points=10)

# further lines that stat blocks print: combatant, weapon, attack bonus, damage
SECOND_LINES = """
elf_warrior longbow 3 1d8; dwarf_warrior shortbow 1 1d6; halfling_warrior light_crossbow 3 1d6;
gnome_warrior light_crossbow 3 1d6; goblin javelin 3 1d4; hobgoblin javelin 2 1d6+1;
orc javelin 1 1d6+3; gnoll shortbow 1 1d6; bugbear javelin 3 1d6+2; lizardfolk javelin 1 1d6+1;
lizardfolk bite 0 1d4; troglodyte javelin 1 1d6; troglodyte claw -1 1d4; troglodyte bite -1 1d4;
ogre javelin 1 1d8+5; troll bite 4 1d6+3; minotaur gore 4 1d8+2;
centaur composite_longbow 5 2d6+4; centaur hoof 3 1d6+2; medusa dagger 8 1d4; medusa snakes 3 1d4;
harpy claw 2 1d3; gargoyle bite 4 1d6+1; gargoyle gore 4 1d6+1; owlbear bite 4 1d8+2;
griffon claw 8 1d4+2; gray_render claw 10 1d6+3; grick bite -2 1d3+1; black_bear bite 1 1d6+2;
brown_bear bite 6 2d6+4; lion bite 2 1d8+2; tiger bite 4 2d6+3; dire_lion bite 7 1d8+3;
ape bite 2 1d6+2; human_zombie club 2 1d6+1; human_skeleton claw 1 1d4+1; ghoul claw 0 1d3;
kobold sling 3 1d3-1
"""  # the kobold's stat block prints 1d3: it forgets the Strength penalty of slings
LINES = [line.split() for line in SECOND_LINES.replace("\n", " ").split(";")]


def _damage(strike: Strike) -> str:
    blow = strike.blow
    return f"{blow.dice}{blow.flat:+d}" if blow.flat else blow.dice


@pytest.mark.parametrize("key", SRD.combatants)
def test_a_combatant_is_as_printed(key: str) -> None:
    who = SRD.combatant(key)
    against = [
        attack(SRD, TARGET, who, situation=there).armor_class.total
        for there in (Situation(), Situation(touch=True), Situation(defender={"flat_footed"}))
    ]
    assert against == [who.printed_armor_class, who.printed_touch, who.printed_flat_footed]
    first = attack(SRD, who, TARGET)
    assert (first.attack_bonus.total, _damage(first)) == (who.printed_attack, who.printed_damage)


@pytest.mark.parametrize("key, weapon, bonus, damage", LINES, ids=" ".join)
def test_a_further_attack_line_is_as_printed(
    key: str, weapon: str, bonus: str, damage: str
) -> None:
    made = attack(SRD, SRD.combatant(key), TARGET, weapon=weapon)
    assert (made.attack_bonus.total, _damage(made)) == (int(bonus), damage)


def test_there_are_enough_of_them() -> None:
    assert len(LINES) == 38
    assert len(SRD.combatants) >= 30
    levels = {who.level for key, who in SRD.combatants.items() if key.startswith("fighter_")}
    assert levels >= {1, 6, 11, 16}
    assert any(key.startswith("rogue_") for key in SRD.combatants)


@pytest.mark.parametrize(
    "key, bonuses",
    [
        ("troll", [9, 9, 4]),  # two claws, bite
        ("owlbear", [9, 9, 4]),
        ("fighter_16", None),
        ("dire_lion", [13, 13, 7]),
    ],
)
def test_a_full_attack_is_as_printed(key: str, bonuses: list[int] | None) -> None:
    who = SRD.combatant(key)
    made = [one.attack_bonus.total for one in full_attack(SRD, who, TARGET).strikes]
    best = who.printed_attack
    assert best is not None
    assert made == (bonuses or [best, best - 5, best - 10, best - 15])


def test_sample_combatants_stand_in_the_classic_rules() -> None:
    rules = load_ruleset("classic")
    assert rules.combatants == SRD.combatants
    for who in rules.combatants.values():
        assert attack(rules, TARGET, who).armor_class.total == who.printed_armor_class
        assert attack(rules, who, TARGET).attack_bonus.total == who.printed_attack


def test_sample_combatants_in_the_phased_rules_differ_where_those_say_so() -> None:
    """One magic bonus only; only medium and heavy armor caps Dexterity."""
    rules = load_ruleset("phased")
    for who in rules.combatants.values():
        magic = [who.armor_enhancement, who.shield_enhancement, who.deflection]
        worn = [rules.armor(one) for one in (who.armor, who.shield) if one]
        caps = [one.max_dexterity for one in worn if one.max_dexterity is not None]
        heavy = [
            one.max_dexterity
            for one in worn
            if one.kind in ("medium", "heavy") and one.max_dexterity is not None
        ]
        dexterity = modifier_of(who.score("dex"))
        freed = min([dexterity, *heavy]) - min([dexterity, *caps])
        assert who.printed_armor_class is not None
        expected = who.printed_armor_class - (sum(magic) - max(magic)) + freed
        assert attack(rules, TARGET, who).armor_class.total == expected, who.id
