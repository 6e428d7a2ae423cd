"""Damage by kinds against brute force: every face of every die, every quality of a weapon."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Situation,
    Weapon,
    attack,
    coup_de_grace,
    full_attack,
    load_ruleset,
)
from combatkit.rules.equipment import Energy
from combatkit.rules.reduction import QUALITIES, read_reductions

F = Fraction
SRD, PHASED = load_ruleset("srd35"), load_ruleset("phased")
Odds = dict[int, Fraction]
SNEAK = Situation(defender={"flat_footed"})


def faces(*sides: int) -> list[tuple[int, ...]]:
    return list(product(*(range(1, side + 1) for side in sides)))


def odds_of(amounts: list[int]) -> Odds:
    odds: defaultdict[int, Fraction] = defaultdict(Fraction)
    for amount in amounts:
        odds[amount] += F(1, len(amounts))
    return dict(odds)


# ---- reduction as printed


def taken_off(printed: str, qualities: set[str]) -> int:
    """Slow twin: read the words again, one reduction after the other."""
    best = 0
    for one in printed.replace(",", ";").split(";"):
        amount, _, words = one.partition("/")
        ways = [] if words.strip() in ("", "-") else words.split(" or ")
        if not any(
            all(part.strip().replace(" ", "_") in qualities for part in way.split(" and "))
            for way in ways
        ):
            best = max(best, int(amount))
    return best


@pytest.mark.parametrize(
    "printed",
    ["10/magic", "15/good and silver", "5/bludgeoning or magic", "10/-", "7/cold iron",
     "15/good and silver; 5/bludgeoning or magic", "3/-, 10/magic",
     "9/magic and silver or good; 2/-"],
)  # fmt: skip
def test_what_overcomes_a_reduction_for_every_weapon(printed: str) -> None:
    words = ("magic", "good", "silver", "bludgeoning", "cold_iron")
    for number in range(len(words) + 1):
        for chosen in combinations(words, number):
            arm = Weapon(
                damage="20",
                enhancement=int("magic" in chosen),
                types=["bludgeoning"] if "bludgeoning" in chosen else [],
                materials=[word for word in chosen if word in ("good", "silver", "cold_iron")],
            )
            foe = Combatant(damage_reduction=printed)
            dealt = 20 + ("magic" in chosen) - taken_off(printed, set(chosen))
            made = attack(SRD, Combatant(), foe, arm)
            assert dict(made.hit_damage.items()) == {dealt: 1}, chosen


def test_silver_alone_does_not_overcome_good_and_silver() -> None:
    fiend = Combatant(damage_reduction="15/good and silver")
    dealt = {
        materials: attack(SRD, Combatant(), fiend, Weapon(damage="20", materials=materials))
        for materials in [("silver",), ("good",), ("silver", "good")]
    }
    assert [made.damage.maximum for made in dealt.values()] == [25, 25, 40]


@pytest.mark.parametrize("dash", ["-", "\N{EN DASH}", "\N{EM DASH}", "\N{MINUS SIGN}", ""])
def test_every_dash_is_nothing(dash: str) -> None:
    assert Combatant(damage_reduction=f"10/{dash}").damage_reduction == "10/-"


def test_reductions_there_and_back() -> None:
    for given_ in ("10/Magic", ["15/good and silver", "10/-"], "5/Cold Iron or bludgeoning", 10):
        who = Combatant(damage_reduction=given_)
        assert Combatant.from_json(who.to_json()) == who
    assert Combatant(damage_reduction="12").damage_reduction == 12
    old = Combatant(damage_reduction=10, reduction_bypassed_by=["magic", "silver"])
    assert old.reductions == read_reductions("10/magic or silver")


@pytest.mark.parametrize("word", QUALITIES)
def test_every_quality_is_a_word_of_reductions_and_can_be_had(word: str) -> None:
    given_: dict[str, Any] = {"materials": [word]}
    if word in ("bludgeoning", "piercing", "slashing"):
        given_ = {"types": [word]}
    if word in ("magic", "epic"):
        given_ = {"enhancement": 1 if word == "magic" else 6}
    foe = Combatant(damage_reduction=f"5/{word.replace('_', ' ')}")
    plain = attack(SRD, Combatant(), foe, Weapon(damage="9"))
    made = attack(SRD, Combatant(), foe, Weapon(damage="9", **given_))
    assert plain.hit_damage.maximum == 4
    assert made.hit_damage.maximum == 9 + given_.get("enhancement", 0)


@pytest.mark.parametrize(
    "given_, words",
    [("10/magik", "did you mean 'magic'"), ("ten/magic", "written|write it"),
     ("15/good and silvr", "did you mean 'silver'"), ("1001/-", "at most 1000"),
     (-1, "0 to 1000"), (True, "number, or text"), (2.5, "number, or text"),
     ("5000", "0 to 1000"), ("hard", "number, or text"), ({}, "number, or text")],
)  # fmt: skip
def test_wrong_reductions_are_refused(given_: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words) as found:
        Combatant(damage_reduction=given_)
    assert "damage_reduction" in str(found.value)


def test_two_ways_to_say_what_overcomes_it_are_one_too_many() -> None:
    with pytest.raises(CombatkitError, match="leave out reduction_bypassed_by"):
        Combatant(damage_reduction="10/magic", reduction_bypassed_by=["silver"])


def test_claws_are_as_magic_as_the_skin_of_their_owner() -> None:
    gargoyle, other = SRD.combatant("gargoyle"), Combatant(damage_reduction="10/magic")
    assert attack(SRD, gargoyle, other).blow.soak.reduction == 0
    assert attack(SRD, gargoyle, other, "longsword").blow.soak.reduction == 10
    wolf = SRD.combatant("wolf")
    assert attack(SRD, wolf, other).blow.soak.reduction == 10


def test_types_written_with_the_dice_count() -> None:
    bones = Combatant(damage_reduction="5/bludgeoning")
    assert attack(SRD, Combatant(), bones, Weapon(damage="8 bludgeoning")).damage.maximum == 16
    assert attack(SRD, Combatant(), bones, Weapon(damage="8 slashing")).damage.maximum == 11
    added = Weapon(damage="8", extra="1 bludgeoning")
    assert attack(SRD, Combatant(), bones, added).hit_damage.maximum == 9


# ---- energies


@given(
    st.integers(0, 4),
    st.booleans(),
    st.booleans(),
    st.integers(0, 4),
    st.integers(-3, 2),
    st.booleans(),
)
def test_energy_as_the_base_damage_by_enumeration(
    resistance: int, vulnerable: bool, immune: bool, reduction: int, flat: int, cold: bool
) -> None:
    """A ray of fire: its dice and its bonus are fire; a blade of 1d4 adds 1d3 fire and 1d2."""
    foe = Combatant(
        damage_reduction=reduction,
        energy_resistance={"fire": resistance},
        energy_vulnerability=["fire"] if vulnerable else [],
        energy_immunity=["cold" if cold else "fire"] if immune else [],
    )
    there = Situation(damage_bonus=flat)

    def felt(fire: int) -> int:
        if immune and not cold:
            return 0
        return max(0, (fire * 3 // 2 if vulnerable else fire) - resistance)

    ray = attack(SRD, Combatant(), foe, Weapon(damage="1d4 fire", extra="1d3"), there)
    rolled = faces(4, 3)
    assert dict(ray.hit_damage.items()) == odds_of([felt(max(1, a + b + flat)) for a, b in rolled])
    twice = [felt(max(1, a + b + 2 * flat + c)) for a, b, c in faces(4, 4, 3)]
    assert dict(ray.critical_damage.items()) == odds_of(twice)
    blade = attack(SRD, Combatant(), foe, Weapon(damage="1d4+1d2 fire", extra="1d3 fire"), there)
    dealt = [max(0, max(1, a + flat) - reduction) + felt(b + c) for a, b, c in faces(4, 2, 3)]
    assert dict(blade.hit_damage.items()) == odds_of(dealt)


def test_vulnerability_rounds_down_on_the_whole_energy_of_a_hit() -> None:
    icy = Combatant(energy_vulnerability=["fire"])
    assert attack(SRD, Combatant(), icy, Weapon(damage="3 fire")).hit_damage.maximum == 4
    two = Weapon(damage="3 fire", extra="1 fire")
    assert attack(SRD, Combatant(), icy, two).hit_damage.maximum == 6
    assert attack(SRD, Combatant(), icy, Weapon(damage="3", extra="3 acid")).hit_damage.maximum == 6


@pytest.mark.parametrize(
    "damage, weapons_own, of_fire",
    [("1d8 fire", 0, 1), ("3 fire", 0, 1), ("1d8 fire+2", 0, 1), ("1d8+1d6 fire", 1, 1),
     ("3+1d6 fire", 1, 1), ("1d6 fire+1d8", 1, 1), ("1d8 slashing", 1, 0), ("1d8", 1, 0)],
)  # fmt: skip
def test_whose_damage_it_is(damage: str, weapons_own: int, of_fire: int) -> None:
    """Against fire or weapons alone something is left just where there is something else."""
    arm = Weapon(damage=damage)
    skin = Combatant(damage_reduction="1000/-")
    fireproof = Combatant(energy_immunity=["fire"])
    assert (attack(SRD, Combatant(), skin, arm).damage.maximum > 0) == bool(of_fire)
    assert (attack(SRD, Combatant(), fireproof, arm).damage.maximum > 0) == bool(weapons_own)
    bonus = Situation(damage_bonus=50)
    flat = attack(SRD, Combatant(), skin, arm, bonus).hit_damage.minimum >= 50
    assert flat == (not weapons_own)


def test_resistance_of_nothing_is_no_resistance() -> None:
    """What a penalty takes from a blade it does not take from the fire around it."""
    weak = Situation(damage_bonus=-9)
    brand = Weapon(damage="1d4", extra="1d6 fire")
    bare = attack(SRD, Combatant(), Combatant(), brand, weak).damage
    skin = Combatant(energy_resistance={"cold": 5})
    assert bare == attack(SRD, Combatant(), skin, brand, weak).damage
    assert bare.minimum == 0 and bare.maximum == 1 + 6


@pytest.mark.parametrize("name", ["srd35", "phased"])
def test_only_the_energy_named_is_felt_otherwise(name: str) -> None:
    rules, giant = load_ruleset(name), load_ruleset(name).combatant("frost_giant")
    means = {
        kind: attack(rules, Combatant(), giant, Weapon(damage=f"2d6 {kind}")).hit_damage.mean
        for kind in ("fire", "cold", "acid")
    }
    assert means["cold"] == 0 and means["acid"] == 7
    assert means["fire"] == sum(F((a + b) * 3 // 2, 36) for a, b in faces(6, 6))


ROUTES = {
    "its own dice": ({"damage": "1d6 {}"}, {}, {}),
    "extra dice": ({"extra": "1d6 {}"}, {}, {}),
    "extra dice beside its own": ({"damage": "1d6 {}", "extra": "1d4 {}"}, {}, {}),
    "a burst": ({"extra": "1 {}", "burst": "1d10 {}"}, {}, {}),
    "the first hit": ({}, {}, {"first_hit": "1d6 {}"}),
    "a sneak attack": ({}, {"sneak_attack": "1d6 {}"}, {}),
    "rending": ({"hand": "natural", "attacks": 2, "rend": "1d6 {}"}, {}, {}),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("energy", get_args(Energy))
@pytest.mark.parametrize("fortification", [0, 25])
def test_by_whatever_way_an_energy_comes_it_is_felt_as_that(
    route: str, energy: str, fortification: int
) -> None:
    """The immune feel nothing, the resistant less, the vulnerable more, a hard skin all of it."""
    weapon, who, there = (
        {key: text.format(energy) if isinstance(text, str) else text for key, text in part.items()}
        for part in ROUTES[route]
    )
    rogue = Combatant(weapons=[Weapon(**weapon)], **who)

    def mean(**target: Any) -> Fraction:
        foe = Combatant(armor_class=10, fortification=fortification, **target)
        return full_attack(
            SRD, rogue, foe, situation=Situation(defender={"flat_footed"}, **there)
        ).damage.mean

    plain = mean()
    assert plain > 0
    assert mean(energy_immunity=[energy]) == 0
    assert mean(energy_resistance={energy: 3}) < plain < mean(energy_vulnerability=[energy])
    assert mean(damage_reduction="1000/-") == plain
    other = "cold" if energy == "fire" else "fire"
    assert mean(energy_immunity=[other], energy_vulnerability=[other]) == plain


# ---- bursts


@pytest.mark.parametrize("multiplier", [2, 3, 4])
def test_a_burst_only_on_a_critical_hit(multiplier: int) -> None:
    arm = Weapon(damage="1d2", burst="1d3 fire", multiplier=multiplier)
    made = attack(SRD, Combatant(), Combatant(), arm)
    assert dict(made.hit_damage.items()) == odds_of([face for (face,) in faces(2)])
    rolled = faces(*[2] * multiplier, *[3] * (multiplier - 1))
    assert dict(made.critical_damage.items()) == odds_of([sum(dice) for dice in rolled])
    spared = Combatant(energy_immunity=["fire"])
    plain = attack(SRD, Combatant(), Combatant(), Weapon(damage="1d2", multiplier=multiplier))
    assert attack(SRD, Combatant(), spared, arm).critical_damage == plain.critical_damage


def test_a_flaming_burst_of_a_bow_is_two_dice() -> None:
    bow = Weapon(base="longbow", extra="1d6 fire", burst="1d10 fire")
    made = attack(SRD, Combatant(), Combatant(), bow)
    assert made.critical_damage.mean == 3 * F(9, 2) + F(7, 2) + 2 * F(11, 2)
    lance = Combatant(weapons=[Weapon(damage="1d8", burst="1d10 fire", multiplier=4)])
    assert attack(SRD, lance, Combatant()).critical_damage.mean == 18 + 3 * F(11, 2)


def test_a_burst_at_its_most_where_criticals_are() -> None:
    arm = Weapon(damage="1d2", burst="1d3 fire")
    assert dict(attack(PHASED, Combatant(), Combatant(), arm).critical_damage.items()) == {5: 1}
    none = SRD.with_switches(critical="none")
    assert attack(none, Combatant(), Combatant(), arm).damage.maximum == 2
    oil = Weapon(extra="1d2 fire", burst="1d3 fire")
    assert attack(SRD, Combatant(), Combatant(), oil).damage.maximum == 5


# ---- fortification


@pytest.mark.parametrize("fortification", [0, 25, 75, 100, F(1, 3)])
@pytest.mark.parametrize("sneak", ["", "1d3"])
@pytest.mark.parametrize("needs", [3, 11, 20])
def test_fortification_by_enumeration(fortification: Any, sneak: str, needs: int) -> None:
    """Every attack roll, confirmation and die; one roll undoes critical hit and sneak attack."""
    undone = F(fortification, 100) if isinstance(fortification, int) else fortification
    rogue = Combatant(attack_bonus=0, sneak_attack=sneak)
    foe = Combatant(armor_class=needs, fortification=fortification)
    arm = Weapon(damage="1d2", threat_from=18, burst="1d2 fire")
    made = attack(SRD, rogue, foe, arm, SNEAK)
    odds: defaultdict[int, Fraction] = defaultdict(Fraction)
    p_hit = p_critical = F(0)
    for roll, again in faces(20, 20):
        hit = roll == 20 or (roll > 1 and roll >= needs)
        sure = hit and roll >= 18 and (again == 20 or (again > 1 and again >= needs))
        for saved, chance in ((True, undone), (False, 1 - undone)):
            weight = chance / 400
            p_hit += weight * hit
            p_critical += weight * (sure and not saved)
            if not hit:
                odds[0] += weight
                continue
            sides = [2, 2, 2] if sure and not saved else [2]
            sides += [3] if sneak and not saved else []
            for amount, share in odds_of([sum(dice) for dice in faces(*sides)]).items():
                odds[amount] += weight * share
    assert dict(made.damage.items()) == {amount: p for amount, p in odds.items() if p}
    assert (made.p_hit, made.p_critical) == (p_hit, p_critical)
    ordinary = (made.p_hit - made.p_critical) * made.hit_damage.mean
    assert made.damage.mean == ordinary + made.p_critical * made.critical_damage.mean


def test_fortification_spares_the_first_arrow_its_precise_dice_only() -> None:
    """Of two arrows of one roll precision counts for the first, and that is what may be undone."""
    rules = SRD.with_switches(critical="none")
    archer = Combatant(
        base_attack=6, abilities={"dex": 17}, feats=["manyshot", "point_blank_shot", "rapid_shot"],
        sneak_attack="2d6", weapons=[Weapon(base="longbow", extra="1d6 fire")],
    )  # fmt: skip
    there = Situation(defender={"flat_footed"}, arrows=2, distance=30)
    for undone in (0, 25, 100):
        made = attack(rules, archer, Combatant(fortification=undone), situation=there)
        assert made.possible
        assert made.hit_damage.mean == 2 * 9 + (1 - F(undone, 100)) * 7


def test_fortification_and_the_coup_de_grace() -> None:
    killer, arm = Combatant(sneak_attack="1d6"), Weapon(damage="1d8")
    sleeper = Combatant(hit_points=100, fortification=75)
    end = coup_de_grace(SRD, killer, sleeper, arm)
    assert end.damage.mean == F(1, 4) * (9 + F(7, 2)) + F(3, 4) * F(9, 2)
    assert sum(end.fates.values()) == 1


# ---- the sample combatants


@pytest.mark.parametrize(
    "key, traits",
    [
        ("gargoyle", {"damage_reduction": "10/magic"}),
        ("grick", {"damage_reduction": "10/magic"}),
        ("human_zombie", {"damage_reduction": "5/slashing"}),
        ("human_skeleton", {"damage_reduction": "5/bludgeoning", "energy_immunity": ("cold",)}),
        ("hell_hound", {"energy_immunity": ("fire",), "energy_vulnerability": ("cold",)}),
        ("frost_giant", {"energy_immunity": ("cold",), "energy_vulnerability": ("fire",)}),
        ("fire_giant", {"energy_immunity": ("fire",), "energy_vulnerability": ("cold",)}),
        ("gelatinous_cube", {"energy_immunity": ("electricity",)}),
    ],
)
def test_samples_have_the_traits_of_their_blocks(key: str, traits: dict[str, Any]) -> None:
    who = SRD.combatant(key)
    assert {name: getattr(who, name) for name in traits} == traits


def test_no_sample_says_of_such_a_trait_that_it_is_not_counted() -> None:
    for who in SRD.combatants.values():
        for word in ("reduction", "resistance", "immunity", "vulnerab", "fortification"):
            assert word not in who.note, who.id
