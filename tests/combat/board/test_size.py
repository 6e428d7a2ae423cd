"""Sizes and punches: the table of the document, typed by hand, in every ruleset."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from combatkit import CombatkitError, dice, load_ruleset
from combatkit.combat.board.size import punch, size_of

RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
# simplified, Creature Size and Scale: modifier, grapple, hide, height, weight, space, tall, long
TABLE = {
    "fine": (8, -16, 16, "6 in. or less", "1/8 lb. or less", Fraction(1, 2), 0, 0),
    "diminutive": (4, -12, 12, "6 in. to 1 ft.", "1/8 lb. to 1 lb.", 1, 0, 0),
    "tiny": (2, -8, 8, "1 ft. to 2 ft.", "1 lb. to 8 lb.", Fraction(5, 2), 0, 0),
    "small": (1, -4, 4, "2 ft. to 4 ft.", "8 lb. to 60 lb.", 5, 5, 5),
    "medium": (0, 0, 0, "4 ft. to 8 ft.", "60 lb. to 500 lb.", 5, 5, 5),
    "large": (-1, 4, -4, "8 ft. to 16 ft.", "500 lb. to 2 tons", 10, 10, 5),
    "huge": (-2, 8, -8, "16 ft. to 32 ft.", "2 tons to 16 tons", 15, 15, 10),
    "gargantuan": (-4, 12, -12, "32 ft. to 64 ft.", "16 tons to 125 tons", 20, 20, 15),
    "colossal": (-8, 16, -16, "64 ft. or more", "125 tons or more", 30, 30, 20),
}
FIT = [100, 25, 4, 1, 1, 0, 0, 0, 0]


@pytest.mark.parametrize("name", RULES)
def test_every_size(name: str) -> None:
    found = [size_of(RULES[name], size) for size in TABLE]
    assert [row[2:10] for row in found] == list(TABLE.values())
    assert [row.per_square for row in found] == FIT
    assert [row.squares for row in found] == [1, 1, 1, 1, 1, 2, 3, 4, 6]
    for smaller, larger in pairwise(found):
        assert smaller.modifier > larger.modifier and smaller.grapple < larger.grapple


@pytest.mark.parametrize("size, text", [("small", "1d2"), ("medium", "1d3"), ("large", "1d4")])
def test_punches_of_the_document(size: str, text: str) -> None:
    for name in ("srd35", "classic"):
        made = punch(RULES[name], size)  # type: ignore[arg-type]
        assert made == (dice(text), False, 0)
        strong = punch(RULES[name], size, strength=16, lethal=True)  # type: ignore[arg-type]
        assert strong == (dice(text) + 3, True, -4)
        trained = punch(RULES[name], size, lethal=True, feats=("improved_unarmed_strike",))  # type: ignore[arg-type]
        assert trained == (dice(text), True, 0)
    assert punch(RULES["phased"], size, lethal=True) == (dice("1"), True, 0)  # type: ignore[arg-type]


def test_weak_punches_deal_the_least_damage() -> None:
    assert punch(RULES["classic"], strength=1).damage == dice("1")


def test_wrong_sizes() -> None:
    with pytest.raises(CombatkitError, match="did you mean 'large'"):
        size_of(RULES["srd35"], "larg")
    with pytest.raises(CombatkitError, match="lists no damage for a huge wielder"):
        punch(RULES["classic"], "huge")
    assert size_of(RULES["srd35"], "Large").id == "large"
