"""Armor class: the order of what happens to Dexterity, touch, and what stacks; all by hand."""

from __future__ import annotations

import pytest

from combatkit import Combatant, Situation, attack, load_ruleset
from combatkit.combat.attacks.attack import Strike
from combatkit.rules import Bonus

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
ORC = Combatant(attack_bonus=5, weapons=["club", "longbow"])


def _against(name: str, body: Combatant, weapon: str = "club", **there: object) -> Strike:
    return attack(RULES[name], ORC, body, weapon=weapon, situation=Situation(**there))


# Dexterity, armor, conditions, touch -> armor class in melee (srd35 and classic)
DEXTERITY = [
    (18, None, (), False, 14),
    (18, "full_plate", (), False, 19),  # capped at +1
    (18, "full_plate", ("entangled",), False, 19),  # score 14, still above the cap
    (12, "full_plate", ("entangled",), False, 17),  # score 8: the penalty is never capped
    (20, "breastplate", ("entangled",), False, 18),  # score 16, +3, at the cap
    (8, None, (), False, 9),
    (8, None, ("flat_footed",), False, 9),  # a penalty stays
    (8, "full_plate", ("flat_footed",), False, 17),
    (18, "full_plate", ("flat_footed",), False, 18),
    (12, None, ("entangled", "flat_footed"), False, 9),  # score 8 first, then denial keeps it
    (14, None, ("entangled", "flat_footed"), False, 10),
    (3, None, ("entangled",), False, 5),  # never below a score of 0
    (18, None, ("stunned",), False, 8),
    (8, None, ("stunned",), False, 7),
    (18, "full_plate", ("helpless",), False, 9),  # 10 + 8 - 5 - 4
    (3, None, ("helpless",), False, 1),  # counts as 0: -5, not -4
    (18, None, ("helpless", "entangled"), False, 1),
    (18, None, ("helpless", "pinned"), False, -3),  # one Dexterity of 0, two penalties
    (18, None, ("helpless",), True, 1),  # a touch attack meets the same Dexterity
    (18, "full_plate", (), True, 11),  # armor is disregarded, its cap is not
    (18, "full_plate", ("flat_footed",), True, 10),
    (7, None, ("flat_footed",), True, 8),  # the two rules together keep the penalty
]


@pytest.mark.parametrize("name", ["srd35", "classic"])
@pytest.mark.parametrize("score, armor, conditions, touch, expected", DEXTERITY)
def test_dexterity_in_its_order(
    name: str,
    score: int,
    armor: str | None,
    conditions: tuple[str, ...],
    touch: bool,
    expected: int,
) -> None:
    body = Combatant(abilities={"dex": score}, armor=armor)
    made = _against(name, body, defender=conditions, touch=touch)
    assert made.armor_class.total == expected


def test_helpless_and_pinned_lose_four_in_melee_only() -> None:
    body = Combatant(abilities={"dex": 18})
    for row in ("helpless", "pinned"):
        assert _against("srd35", body, "longbow", defender={row}).armor_class.total == 5


KNIGHT = Combatant(
    abilities={"dex": 14},
    armor="chain_shirt",
    shield="heavy_steel",
    natural_armor=3,
    dodge=1,
    deflection=2,
    armor_enhancement=1,
    shield_enhancement=3,
    size="small",
    feats=["dodge"],
)


def test_every_part_counts_and_touch_disregards_what_is_worn_or_grown() -> None:
    for name in ("srd35", "classic"):
        full = (
            10 + 4 + 1 + 2 + 3 + 3 + 2 + 2 + 2 + 1
        )  # armor, shield, natural, Dex, dodge, deflection, size
        assert _against(name, KNIGHT).armor_class.total == full == 30
        assert _against(name, KNIGHT, touch=True).armor_class.total == 10 + 2 + 2 + 2 + 1
        assert _against(name, KNIGHT, defender={"flat_footed"}).armor_class.total == 30 - 2 - 2
        both = _against(name, KNIGHT, defender={"flat_footed"}, touch=True)
        assert both.armor_class.total == 10 + 2 + 1
        assert len(both.armor_class.lines) == len(_against(name, KNIGHT).armor_class.lines) + 1


def test_phased_takes_the_highest_magic_bonus() -> None:
    """Armor +1, shield +3 and deflection +2 are magic bonuses: +3 in all, touched or not."""
    assert _against("phased", KNIGHT).armor_class.total == 10 + 4 + 2 + 3 + 2 + 2 + 1 + 3
    assert _against("phased", KNIGHT, touch=True).armor_class.total == 10 + 2 + 2 + 1 + 3
    assert (
        _against("phased", KNIGHT, defender={"stunned"}).armor_class.total == 10 + 4 + 2 + 3 + 1 + 3
    )
    both = _against("phased", KNIGHT, defender={"stunned"}, touch=True)
    assert both.armor_class.total == 10 + 1 + 3


@pytest.mark.parametrize(
    "armor, shield, srd, phased",
    [
        ("leather", None, 18, 20),  # light armor: +6 at most, or no cap
        ("chainmail", None, 17, 17),  # medium
        (None, "tower", 16, 22),  # a tower shield caps in 3.5 only
        ("chain_shirt", "tower", 20, 26),
        ("full_plate", "tower", 23, 23),
    ],
)
def test_what_caps_dexterity(armor: str | None, shield: str | None, srd: int, phased: int) -> None:
    body = Combatant(abilities={"dex": 26}, armor=armor, shield=shield)
    assert _against("srd35", body).armor_class.total == srd
    assert _against("phased", body).armor_class.total == phased


@pytest.mark.parametrize("score, formula, text", [(7, 11, 9), (14, 11, 11), (10, 11, 11)])
def test_stunned_touch_in_both_readings(score: int, formula: int, text: int) -> None:
    body = Combatant(abilities={"dex": score}, deflection=1, dodge=2, armor="full_plate")
    phased = RULES["phased"]
    there = Situation(defender={"stunned"}, touch=True)
    assert phased.switch("stunned_touch") == "formula"
    assert attack(phased, ORC, body, situation=there).armor_class.total == formula
    kept = phased.with_switches(stunned_touch="text")
    assert attack(kept, ORC, body, situation=there).armor_class.total == text
    assert _against("phased", body, defender={"stunned"}).armor_class.total == text + 8  # no touch


@pytest.mark.parametrize(
    "parts, conditions, touch, expected",
    [
        ({}, (), False, 18),
        ({}, ("flat_footed",), False, 18),
        ({"abilities": {"dex": 16}}, ("flat_footed",), False, 15),
        ({"abilities": {"dex": 16}, "dodge": 1}, ("flat_footed",), False, 14),
        ({"armor": "chain_shirt"}, (), True, 14),
        ({"natural_armor": 6}, (), True, 12),
        ({"abilities": {"dex": 16}, "armor": "full_plate"}, ("flat_footed",), False, 17),
        ({"abilities": {"dex": 6}}, ("flat_footed",), False, 18),  # a penalty is in it and stays
        ({"abilities": {"dex": 6}}, ("helpless",), False, 11),  # -5 for -2, and -4
        ({"size": "large", "deflection": 5}, (), False, 18),
    ],
)
def test_a_total_from_a_stat_block_reacts_to_what_is_known_of_it(
    parts: dict[str, object], conditions: tuple[str, ...], touch: bool, expected: int
) -> None:
    body = Combatant(armor_class=18, **parts)
    made = _against("srd35", body, defender=conditions, touch=touch)
    assert made.armor_class.total == expected


def test_bonuses_entered_by_hand_stack_by_type() -> None:
    def body(*bonuses: tuple[int, str]) -> Combatant:
        return Combatant(
            bonuses=[Bonus(to="armor_class", value=v, type=t) for v, t in bonuses], deflection=1
        )

    for bonuses, expected in [
        (((2, "deflection"),), 12),
        (((2, "untyped"), (2, "untyped")), 15),
        (((1, "dodge"), (2, "dodge")), 14),
        (((3, "luck"), (2, "luck")), 14),
        (((-2, "luck"), (-1, "luck")), 8),
    ]:
        assert _against("srd35", body(*bonuses)).armor_class.total == expected
    lost = _against("srd35", body((2, "dodge")), defender={"flat_footed"})
    assert lost.armor_class.total == 11
    assert _against("srd35", body((-2, "dodge")), defender={"flat_footed"}).armor_class.total == 9


def test_the_receipt_says_why() -> None:
    body = Combatant(abilities={"dex": 18}, armor="full_plate", dodge=1)
    text = _against("srd35", body, defender={"entangled", "stunned"}, touch=True).explain()
    for words in (
        "Armor class: 8",
        "(+8 not counted) Full plate: a touch attack disregards it",
        "score -4: Entangled",
        "Full plate allows at most +1",
        "lost: Stunned",
        "lost with the Dexterity bonus: Stunned",
        "[SRD combat modifiers: Table 8-6, note 1]",
    ):
        assert words in text
