"""Maneuvers against every face of the dice, and against the words of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction as F
from html import escape
from itertools import product
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, attack, load_ruleset
from combatkit.combat import maneuvers
from combatkit.combat.maneuvers import (
    Item,
    Maneuver,
    bull_rush,
    disarm,
    escape_grapple,
    feint,
    grapple,
    overrun,
    pin,
    sunder,
    trip,
)
from combatkit.combat.maneuvers.result import ENDS
from combatkit.combat.turns.price import Threat
from combatkit.rules.creature import Bonus
from combatkit.rules.equipment import Size
from combatkit.view import result_html

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))
FACES = range(1, 21)
PLAIN = Combatant(name="Guard", armor_class=13, hit_points=30)
HERO = Combatant(name="Hero", abilities={"str": 16}, base_attack=6, hit_points=30)


def wins(mine: int, other: int) -> F:
    """Chance that d20 + mine beats d20 + other: 400 pairs, ties to the higher bonus."""
    even = F(1, 2) if mine == other else F(mine > other)
    return sum(
        (F(1) if a + mine > b + other else even if a + mine == b + other else F(0))
        for a, b in product(FACES, FACES)
    ) / F(400)


def hits(bonus: int, armor_class: int) -> F:
    """Chance to hit; a 1 misses, a 20 hits."""
    return F(sum(f == 20 or (f > 1 and f + bonus >= armor_class) for f in FACES), 20)


def test_the_slow_ones_know_the_middle() -> None:
    assert wins(2, 2) == F(1, 2) and wins(1, 0) == F(229, 400) and hits(0, 11) == F(1, 2)


# ---- trip
def test_a_trip_with_a_weapon_made_for_it() -> None:
    """Touch +9 against 13 less nothing; Strength +3 against 0; nothing provokes."""
    made = trip(SRD, HERO, PLAIN, "flail")
    touch, won, back = hits(9, 13), wins(3, 0), wins(0, 3)
    assert made.price is None
    assert made.outcomes == {
        "success": touch * won,
        "missed": 1 - touch,
        "failed": touch * (1 - won) * (1 - back),
        "countered": touch * (1 - won) * back,
    }
    assert made.situation_after == Situation(defender={"prone"})
    assert made.situation_if_countered == Situation(defender={"prone"})


def test_a_trip_with_bare_hands_provokes_from_the_target() -> None:
    """The orc's falchion hits on 8 and drops the attacker with 5 or more damage, or a critical."""
    orc = Combatant(name="Orc", attack_bonus=4, weapons=["club"], armor_class=10)
    weak = Combatant(name="Weak", hit_points=3, armor_class=12)
    made = trip(SRD, weak, orc, "unarmed_strike", counters=False)
    dropped = F(0)
    for face, damage in product(FACES, range(1, 7)):
        hit = face == 20 or (face > 1 and face + 4 >= 12)
        if not hit:
            continue
        confirmed = hits(4, 12) if face == 20 else F(0)
        plain = F(damage > 3)
        twice = F(sum(damage + other > 3 for other in range(1, 7)), 6)
        dropped += (confirmed * twice + (1 - confirmed) * plain) / 120
    assert made.outcomes["stopped"] == dropped
    assert made.p_success == (1 - dropped) * hits(0, 10) * wins(0, 0)
    for feat in ("improved_trip", "improved_unarmed_strike"):
        safe = trip(SRD, Combatant(**{**weak.model_dump(), "feats": [feat]}), orc, "unarmed_strike")
        assert "stopped" not in safe.outcomes


def test_improved_trip_adds_four_and_strikes_at_once() -> None:
    hero = HERO.model_copy(update={"feats": ("improved_trip",), "weapons": ("flail",)})
    made = trip(SRD, hero, PLAIN)
    assert made.p_success == hits(9, 13) * wins(7, 0)
    prone = attack(SRD, hero, PLAIN, "flail", Situation(defender={"prone"}))
    assert made.follow_up is not None and made.follow_up.p_hit == prone.p_hit == hits(9, 9)
    assert made.damage.mean == made.p_success * prone.damage.mean
    assert trip(SRD, HERO, PLAIN, "flail").follow_up is None


def test_size_stability_and_the_better_ability() -> None:
    horse = Combatant(size="large", stable=True, abilities={"str": 14, "dex": 18})
    made = trip(SRD, HERO, horse, "flail")
    assert made.contest is not None
    assert [(line.id, line.value) for line in made.contest.defender.lines] == [
        ("maneuver.dexterity", 4),
        ("maneuver.size", 4),
        ("maneuver.stability", 4),
    ]
    entangled = trip(SRD, HERO, horse, "flail", Situation(defender={"entangled"}))
    assert entangled.contest is not None and entangled.contest.defender.total == 10
    tiny = Combatant(size="tiny", abilities={"str": 10})
    small = trip(SRD, tiny, Combatant(size="small"), "flail")
    assert small.contest is not None and small.contest.attacker.total == -8


def test_who_lets_the_weapon_go_is_not_tripped() -> None:
    usual, wary = (trip(SRD, HERO, PLAIN, "flail", lets_go=choice) for choice in (False, True))
    assert "countered" not in wary.outcomes and "Flail is dropped" in wary.remarks[0]
    assert wary.outcomes["failed"] == usual.outcomes["failed"] + usual.outcomes["countered"]


def test_a_thrown_trip_is_not_answered() -> None:
    made = trip(SRD, HERO, PLAIN, "bolas", threats=())
    assert made.counter is None and made.touch is not None and made.touch.attempt.mode == "ranged"


# ---- overrun and bull rush
def test_an_overrun() -> None:
    dwarf = Combatant(stable=True, abilities={"str": 12}, weapons=["club"])
    made = overrun(SRD, HERO, dwarf, threats=())
    won, back = wins(3, 5), wins(1, 3)
    assert made.outcomes == {
        "success": won,
        "failed": (1 - won) * (1 - back),
        "countered": (1 - won) * back,
    }
    assert made.situation_after.defender == {"prone"}
    assert overrun(SRD, HERO, dwarf, counters=False, threats=()).outcomes["failed"] == 1 - won


def test_the_answer_to_an_overrun_counts_size_only() -> None:
    centaur = Combatant(stable=True, size="large", feats=["improved_overrun"])
    made = overrun(SRD, centaur, centaur, threats=())
    assert made.counter is not None
    assert (made.counter.attacker.total, made.counter.defender.total) == (4, 4)
    assert made.contest is not None
    assert (made.contest.attacker.total, made.contest.defender.total) == (8, 8)


def test_stepping_aside() -> None:
    assert overrun(SRD, HERO, PLAIN, avoids=True).outcomes == {"avoided": 1}
    trained = HERO.model_copy(update={"feats": ("improved_overrun",)})
    made = overrun(SRD, trained, PLAIN, avoids=True)
    assert made.p_success == wins(7, 0) and "Improved Overrun" in made.remarks[0]


@pytest.mark.parametrize("bonus", [-2, 0, 5])
def test_how_far_a_bull_rush_pushes(bonus: int) -> None:
    """Each pair of faces: 5 feet, and 5 more for each 5 points; a tie by bonus or by half."""
    rusher = Combatant(bonuses=[Bonus(to="check", value=bonus)])
    feet: Counter[int] = Counter()
    for a, b in product(FACES, FACES):
        margin = a + bonus - b
        tied = 1 + (bonus > 0) - (bonus < 0)
        won = 2 if margin > 0 else tied if margin == 0 else 0
        feet[5 + 5 * (max(0, margin) // 5)] += won
        feet[0] += 2 - won
    made = bull_rush(SRD, rusher, Combatant(), threats=())
    assert {x: p for x, p in made.feet.items() if p} == {x: F(n, 800) for x, n in feet.items() if n}
    assert made.p_success == made.feet.at_least(5) == wins(bonus, 0)
    near = bull_rush(SRD, rusher, Combatant(), threats=(), most_feet=5)
    assert near.feet.maximum == 5 and near.p_success == made.p_success


def test_what_counts_on_a_bull_rush() -> None:
    there = Situation(attacker={"charging", "flanking", "shaken"}, attack_bonus=1)
    made = bull_rush(SRD, HERO, Combatant(stable=True, abilities={"dex": 20}), there)
    assert made.contest is not None
    mine = {line.id: (line.value, line.counted) for line in made.contest.attacker.lines}
    assert mine == {
        "maneuver.strength": (3, True),
        "attack.flanking": (2, False),
        "attack.shaken": (-2, True),
        "attack_tactics.charging": (2, True),
        "situation": (1, False),
    }
    assert made.contest.defender.total == 4  # Strength alone, and stability
    rushed = HERO.model_copy(update={"feats": ("improved_bull_rush",)})
    better = bull_rush(SRD, rushed, PLAIN)
    assert better.p_success == wins(7, 0)


# ---- disarm
def test_a_disarm_and_its_answer() -> None:
    """+9 and the flail's 2 against +5; the answer +5 against +9 and the flail's 2."""
    guard = Combatant(name="Guard", attack_bonus=5, weapons=["longsword"])
    made = disarm(SRD, HERO, guard, "flail", threats=())
    won, back = wins(11, 5), wins(5, 11)
    assert made.outcomes == {
        "success": won,
        "failed": (1 - won) * (1 - back),
        "countered": (1 - won) * back,
    }
    trained = HERO.model_copy(update={"feats": ("improved_disarm",)})
    better = disarm(SRD, trained, guard, "flail")
    assert better.outcomes == {"success": wins(15, 5), "failed": 1 - wins(15, 5)}
    assert better.price is not None and not better.price.strikes


@pytest.mark.parametrize(
    ("weapon", "held", "mine", "theirs"),
    [
        ("greatsword", "dagger", 13, -4),
        ("unarmed_strike", "greatsword", 5, 4),
        ("longsword", "longbow", 9, -4),
        ("sai", "longsword", 9, 0),
    ],
)
def test_what_weapons_do_to_a_disarm(weapon: str, held: str, mine: int, theirs: int) -> None:
    made = disarm(SRD, HERO, Combatant(weapons=[held]), weapon, threats=())
    assert made.contest is not None
    assert (made.contest.attacker.total, made.contest.defender.total) == (mine, theirs)
    answers = weapon != "unarmed_strike" and held != "longbow"
    assert (made.counter is not None) == answers


def test_the_larger_has_four_for_each_size() -> None:
    ogre = Combatant(size="large", base_attack=6, weapons=["longsword"])
    made = disarm(SRD, HERO, ogre, "longsword", threats=())
    back = disarm(SRD, ogre, HERO, held="longsword", threats=())
    assert made.contest is not None and back.contest is not None
    assert (made.contest.attacker.total, made.contest.defender.total) == (9, 9)  # 6 - 1 + 4
    assert back.contest.attacker.total == 9


def test_any_damage_by_the_opportunity_attack_stops_a_disarm_or_a_grapple() -> None:
    guard = Combatant(name="Guard", attack_bonus=5, weapons=["longsword"], armor_class=13)
    hero = HERO.model_copy(update={"armor_class": 18, "hit_points": 100})
    struck = hits(5, 18)
    made = disarm(SRD, hero, guard, "flail", counters=False)
    assert made.outcomes["stopped"] == struck
    assert made.p_success == (1 - struck) * wins(11, 5)
    held = grapple(SRD, hero, guard)
    assert held.outcomes == {
        "success": (1 - struck) * hits(9, 13) * wins(9, 0),
        "missed": (1 - struck) * (1 - hits(9, 13)),
        "failed": (1 - struck) * hits(9, 13) * (1 - wins(9, 0)),
        "stopped": struck,
    }
    tough = hero.model_copy(update={"damage_reduction": 20})
    assert "stopped" not in disarm(SRD, tough, guard, "flail").outcomes


def test_others_who_threaten_may_not_strike_where_only_the_target_may() -> None:
    other = Threat(Combatant(name="Other", attack_bonus=30, weapons=["club"]))
    made = grapple(SRD, HERO, PLAIN, threats=[other, Threat(PLAIN, "club")])
    assert made.price is not None and len(made.price.strikes) == 1
    assert made.price.refused == (("Other", "Grapple provokes from its target only"),)
    rush = bull_rush(SRD, HERO, PLAIN, threats=[other, Threat(PLAIN, "club")])
    assert rush.price is not None and len(rush.price.strikes) == 2


# ---- sunder
def test_sundering_a_longsword_face_by_face() -> None:
    """+9 against +2; 1d8+3 less hardness 10 against 5 hit points never breaks it at once."""
    guard = Combatant(attack_bonus=2, weapons=["longsword"])
    made = sunder(SRD, HERO, guard, "longsword", threats=())
    won = wins(9, 2)
    weights: Counter[int] = Counter()
    for face in range(1, 9):
        weights[max(0, face + 3 - 10)] += 1
    assert {x: p for x, p in made.damage.items() if x} == {
        x: won * F(n, 8) for x, n in weights.items() if x
    }
    assert made.item == Item("Longsword", 10, 5) and made.p_breaks == 0


def test_a_two_handed_blow_with_the_feat() -> None:
    strong = Combatant(
        abilities={"str": 20}, base_attack=8, feats=["improved_sunder"], weapons=["greataxe"]
    )
    guard = Combatant(attack_bonus=6, weapons=["shortspear"])
    made = sunder(SRD, strong, guard)
    broken = F(sum(face + 7 - 5 >= 5 for face in range(1, 13)), 12)
    assert made.p_success == wins(8 + 5 + 4 + 4, 6)
    assert made.p_breaks == made.p_success * broken
    assert made.price is not None and made.price.refused


def test_hardness_by_the_table() -> None:
    def item(who: Combatant, **way: Any) -> Item:
        return sunder(SRD, HERO, who, "longsword", threats=(), **way).item

    assert item(Combatant(weapons=["longbow"])) == Item("Longbow", 5, 5)
    assert item(Combatant(weapons=["dagger"], size="large")) == Item("Dagger", 10, 4)
    assert item(Combatant(weapons=["dagger"], size="tiny")) == Item("Dagger", 10, 1)
    magic = Weapon(base="heavy_mace", enhancement=2)
    assert item(Combatant(weapons=[magic])) == Item("Heavy mace", 14, 40)
    bearer = Combatant(shield="heavy_steel", shield_enhancement=1)
    assert item(bearer, shield=True)[1:] == (12, 30)
    own = Item("Magic staff", 8, 20)
    assert item(PLAIN, item=own) == own
    for weapon in SRD.weapons.values():
        if weapon.build:
            assert item(Combatant(weapons=[weapon])).hit_points >= 2


def test_adamantine_ignores_hardness_below_twenty() -> None:
    blade = Weapon(base="longsword", materials=("adamantine",))
    guard = Combatant(attack_bonus=2)
    soft = sunder(SRD, HERO, guard, blade, item=Item("Wall", 19, 4), threats=())
    assert soft.p_breaks == soft.p_success
    hard = sunder(SRD, HERO, guard, blade, item=Item("Wall", 20, 1), threats=())
    assert hard.p_breaks == 0


def test_an_item_knows_no_criticals_no_stealth_and_no_fire() -> None:
    keen = Weapon(base="longsword", threat_from=2, extra="1d6 fire")
    sneak = HERO.model_copy(update={"sneak_attack": "9d6"})
    there = Situation(attacker={"flanking"}, first_hit="9d6")
    made = sunder(SRD, sneak, Combatant(), keen, there, item=Item("Rope", 0, 1), threats=())
    assert made.damage.maximum == 8 + 3 and "extra dice" in made.remarks[1]


# ---- grapple
def test_grapple_checks_by_size_and_feat() -> None:
    ogre = Combatant(size="large", abilities={"str": 21}, base_attack=3, armor_class=16)
    hero = HERO.model_copy(update={"feats": ("improved_grapple",)})
    made = grapple(SRD, hero, ogre)
    assert made.contest is not None
    assert (made.contest.attacker.total, made.contest.defender.total) == (6 + 3 + 4, 3 + 5 + 4)
    assert made.damage.mean == made.p_success * (2 + 3)
    assert made.situation_after == Situation(defender={"grappling"})
    both = pin(SRD, hero, hero)
    assert both.p_success == F(1, 2)  # the feat helps the one who is held as well
    assert both.situation_after.defender == {"pinned"}


def test_getting_loose() -> None:
    eel = Combatant(abilities={"dex": 18, "str": 8}, skills={"escape_artist": 12})
    grip = HERO.model_copy(update={"feats": ("improved_grapple",)})
    assert escape_grapple(SRD, eel, grip).p_success == wins(12, 13)
    assert escape_grapple(SRD, eel, grip, way="grapple").p_success == wins(-1, 13)
    untrained = eel.model_copy(update={"skills": {}})
    assert escape_grapple(SRD, untrained, grip, way="escape_artist").p_success == wins(4, 13)
    assert escape_grapple(SRD, untrained, grip).p_success == wins(4, 13)


# ---- feint
def test_a_feint_and_the_sneak_attack_it_opens() -> None:
    rogue = Combatant(skills={"bluff": 9}, sneak_attack="2d6", weapons=["dagger"], base_attack=3)
    guard = Combatant(
        abilities={"dex": 16, "wis": 12}, base_attack=4, dodge=1, skills={"sense_motive": 3}
    )
    made = feint(SRD, rogue, guard)
    won = wins(9, 3 + 4)
    assert made.outcomes == {"success": won, "failed": 1 - won}
    assert made.follow_up is not None
    assert made.follow_up.p_hit == hits(3, 10)
    usual = attack(SRD, rogue, guard)
    assert usual.p_hit == hits(3, 14)
    assert made.damage.mean == won * made.follow_up.damage.mean + (1 - won) * usual.damage.mean
    assert made.follow_up.hit_damage.mean == F(5, 2) + 7
    shot = attack(SRD, rogue, guard, "longbow", made.situation_after)
    assert shot.armor_class.total == 14  # against the next melee attack only


@pytest.mark.parametrize(
    ("who", "penalty"),
    [
        (Combatant(), 0),
        (Combatant(kind="Humanoid (orc)"), 0),
        (Combatant(kind="giant"), -4),
        (Combatant(kind="monstrous humanoid"), -4),
        (Combatant(kind="animal", abilities={"int": 2}), -8),
    ],
)
def test_who_is_hard_to_fool(who: Combatant, penalty: int) -> None:
    assert feint(SRD, Combatant(skills={"bluff": 6}), who).p_success == wins(6 + penalty, 0)


@pytest.mark.parametrize("word", ["human_zombie", "gelatinous_cube", "spider_medium"])
def test_the_mindless_cannot_be_fooled(word: str) -> None:
    made = feint(SRD, HERO, SRD.combatant(word))
    assert made.outcomes == {"impossible": 1} and "no Intelligence" in made.why_not
    assert feint(SRD, HERO, SRD.combatant("wolf")).possible


# ---- all of them
def every(rules: Any, one: Combatant, other: Combatant, **there: Any) -> Iterator[Maneuver]:
    yield trip(rules, one, other, "flail", **there)
    yield trip(rules, one, other, "unarmed_strike", **there)
    yield overrun(rules, one, other, **there)
    yield bull_rush(rules, one, other, **there)
    yield disarm(rules, one, other, "longsword", held="club", **there)
    yield sunder(rules, one, other, "longsword", held="club", **there)
    yield grapple(rules, one, other, **there)
    yield pin(rules, one, other, **there)
    yield escape_grapple(rules, one, other, situation=there.get("situation", Situation()))
    yield feint(rules, one, other, "longsword", **there)


fighters = st.builds(
    Combatant,
    abilities=st.fixed_dictionaries({"str": st.integers(3, 30), "dex": st.integers(3, 30)}),
    base_attack=st.integers(0, 20),
    hit_points=st.integers(1, 40),
    size=st.sampled_from(["tiny", "small", "medium", "large"]),  # those that weapons list
    stable=st.booleans(),
    weapons=st.sampled_from([(), ("club",), ("greatsword",), ("longbow",)]),
    feats=st.sets(st.sampled_from([key for key in SRD.feats if key.startswith("improved_")])).map(
        lambda chosen: tuple(sorted(key for key in chosen if not SRD.feats[key].weapon_bound))
    ),
)
rolls = st.sampled_from(["normal", "advantage", "disadvantage"])


@settings(max_examples=25)
@given(fighters, fighters, rolls, rolls)
def test_the_ends_together_are_certain(
    one: Combatant, other: Combatant, roll: Any, back: Any
) -> None:
    for made in every(SRD, one, other, situation=Situation(roll=roll)):
        assert sum(made.outcomes.values()) == 1
        assert all(0 < p <= 1 for end, p in made.outcomes.items() if end != "success")
        assert made.possible == ("impossible" not in made.outcomes)
        assert made.rule.label in made.explain() and made.citations[0].source == "srd"
        page = result_html(made)
        assert made.rule.label in page and all(ENDS[end] in page for end in made.outcomes)
        assert all(f"<p>{escape(remark)}</p>" in page for remark in made.remarks)
    for made in (trip(SRD, one, other, "flail", defender_roll=back), pin(SRD, one, other)):
        assert sum(made.outcomes.values()) == 1


@settings(max_examples=20)
@given(fighters, fighters)
def test_more_strength_never_hurts(one: Combatant, other: Combatant) -> None:
    strong = one.model_copy(update={"abilities": {**one.abilities, "str": 40}})
    for weak, better in zip(every(SRD, one, other), every(SRD, strong, other), strict=True):
        assert better.p_success >= weak.p_success


@pytest.mark.parametrize("size", get_args(Size))
def test_no_size_needs_dice_for_a_check(size: Any) -> None:
    who = Combatant(size=size, weapons=["flail"])
    for made in (trip(SRD, who, who), overrun(SRD, who, who, threats=())):
        assert made.p_success > 0
    assert bull_rush(SRD, who, who, threats=()).p_success == F(1, 2)
    assert disarm(SRD, who, who, threats=()).p_success == wins(2, 0)  # the flail's own bonus
    bare = Combatant(size=size)
    held = grapple(SRD, bare, bare)
    listed = size in SRD.weapons["unarmed_strike"].damage
    assert held.p_success > 0 and bool(held.damage.mean) == listed == (not held.remarks)


def test_advantage_helps_each_side() -> None:
    usual = bull_rush(SRD, HERO, PLAIN)
    assert bull_rush(SRD, HERO, PLAIN, Situation(roll="advantage")).p_success > usual.p_success
    assert bull_rush(SRD, HERO, PLAIN, defender_roll="advantage").p_success < usual.p_success


def test_a_tie_goes_as_the_switch_says() -> None:
    ready = SRD.with_switches(opposed_check_tie="defender_wins")
    for mine, usual in zip(every(ready, PLAIN, PLAIN), every(SRD, PLAIN, PLAIN), strict=True):
        assert mine.contest is not None and usual.contest is not None
        assert mine.contest.p_success < usual.contest.p_success


def test_the_simplified_chapter_takes_the_maneuvers_of_the_srd() -> None:
    for mine, theirs in zip(every(CLASSIC, HERO, PLAIN), every(SRD, HERO, PLAIN), strict=True):
        assert mine.p_success > 0
        assert mine.contest is not None and theirs.contest is not None
        assert mine.contest.defender.total == theirs.contest.defender.total


@pytest.mark.parametrize("index", range(10))
def test_phases_leave_maneuvers_to_the_referee(index: int) -> None:
    makers: list[Callable[[], Any]] = [
        lambda: trip(PHASED, HERO, PLAIN, "flail"),
        lambda: overrun(PHASED, HERO, PLAIN),
        lambda: bull_rush(PHASED, HERO, PLAIN),
        lambda: disarm(PHASED, HERO, PLAIN),
        lambda: sunder(PHASED, HERO, PLAIN),
        lambda: grapple(PHASED, HERO, PLAIN),
        lambda: pin(PHASED, HERO, PLAIN),
        lambda: escape_grapple(PHASED, HERO, PLAIN),
        lambda: feint(PHASED, HERO, PLAIN),
        lambda: trip(PHASED, HERO, PLAIN),
    ]
    with pytest.raises(CombatkitError, match="the referee decides"):
        makers[index]()


def test_each_row_has_its_function_and_known_feats() -> None:
    rows = [entry for entry in SRD.lookups.values() if entry.table == "maneuver"]
    assert {row.id for row in rows} <= set(maneuvers.__all__)
    for row in rows:
        assert row.note and row.cite.source == "srd"
        for name in ("feat", "no_counter"):
            assert name not in row.cells or SRD.feat(str(row.cells[name]))
        if "action" in row.cells:
            assert SRD.lookup("action", str(row.cells["action"]))
    ticked = [entry.id for entry in SRD.lookups.values() if entry.table == "maneuver_row"]
    assert set(ticked) <= set(SRD.conditions["attacker"])


def test_every_feat_of_a_maneuver_changes_its_odds() -> None:
    guard = Combatant(attack_bonus=5, weapons=["longsword"], armor_class=13)
    works = {
        "improved_trip": lambda who: trip(SRD, who, guard, "flail"),
        "improved_overrun": lambda who: overrun(SRD, who, guard),
        "improved_bull_rush": lambda who: bull_rush(SRD, who, guard),
        "improved_disarm": lambda who: disarm(SRD, who, guard, "flail"),
        "improved_sunder": lambda who: sunder(SRD, who, guard, "longsword"),
        "improved_grapple": lambda who: grapple(SRD, who, guard),
    }
    named = {str(row.cells.get("feat", "")) for row in SRD.lookups.values() if "feat" in row.cells}
    assert set(works) == {feat for feat in named if feat.startswith("improved_")}
    for feat, work in works.items():
        trained = HERO.model_copy(update={"feats": (feat,)})
        assert work(trained).p_success > work(HERO).p_success


GIANT = Combatant(name="Giant", size="huge", abilities={"str": 30})


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: trip(SRD, HERO, GIANT, "flail"), "Giant is too large"),
        (lambda: overrun(SRD, HERO, GIANT), "too large"),
        (lambda: bull_rush(SRD, HERO, GIANT), "too large"),
        (lambda: grapple(SRD, HERO, GIANT), "too large"),
        (lambda: trip(SRD, HERO, PLAIN, "flail", Situation(distance=20)), "beyond a reach"),
        (lambda: disarm(SRD, HERO, PLAIN, "club"), "Guard holds no weapon"),
        (lambda: disarm(SRD, HERO, PLAIN, "longbow", held="club"), "no melee attack"),
        (lambda: sunder(SRD, HERO, PLAIN, "longbow", held="club"), "no melee attack"),
        (lambda: sunder(SRD, HERO, PLAIN, "spear", held="club"), "neither cuts nor crushes"),
        (lambda: feint(SRD, HERO, PLAIN, "longbow"), "no melee attack"),
    ],
)
def test_what_cannot_be_tried_says_why(work: Callable[[], Maneuver], words: str) -> None:
    made = work()
    assert made.outcomes == {"impossible": 1} and made.p_success == 0
    assert words in made.why_not and words in made.explain()


@pytest.mark.parametrize(
    ("work", "words"),
    [
        (lambda: trip(SRD, HERO, PLAIN, "longsword"), "Longsword cannot trip; .*Flail"),
        (lambda: trip("srd35", HERO, PLAIN), "rules: a Ruleset"),  # type: ignore[arg-type]
        (lambda: trip(SRD, "hero", PLAIN), "attacker: a Combatant"),  # type: ignore[arg-type]
        (lambda: feint(SRD, HERO, None), "defender: a Combatant"),  # type: ignore[arg-type]
        (lambda: pin(SRD, HERO, PLAIN, {}), "situation: a Situation"),  # type: ignore[arg-type]
        (lambda: grapple(SRD, HERO, PLAIN, threats=[PLAIN]), "threats: a Threat"),  # type: ignore[list-item]
        (lambda: trip(SRD, HERO, PLAIN, "fail"), "did you mean 'flail'"),
        (lambda: sunder(SRD, HERO, PLAIN), "holds no weapon to break"),
        (lambda: sunder(SRD, HERO, PLAIN, shield=True), "carries no shield"),
        (lambda: sunder(SRD, HERO, PLAIN, held="whip"), "give item=Item"),
        (lambda: sunder(SRD, HERO, PLAIN, item=Item("Hat", 0, 0)), "hit points must be 1"),
        (lambda: sunder(SRD, HERO, PLAIN, item=(1, 2)), "an Item is needed"),  # type: ignore[arg-type]
        (lambda: bull_rush(SRD, HERO, PLAIN, most_feet=0), "most_feet must be 5 to 500"),
        (lambda: trip(SRD, HERO, PLAIN, "flail", defender_roll="best"), "defender_roll: 'best'"),  # type: ignore[arg-type]
        (lambda: escape_grapple(SRD, HERO, PLAIN, way="bite"), "way: 'bite'"),  # type: ignore[arg-type]
        (lambda: Combatant(skills={"blufff": 3}), "bluff"),  # type: ignore[dict-item]
    ],
)
def test_what_is_not_known_is_refused(work: Callable[[], object], words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        work()
