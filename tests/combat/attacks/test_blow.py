"""One attack against a slow twin: every die rolled face by face, every reading of the rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, Situation, Weapon, attack, load_ruleset
from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.damage import combined_multiplier
from combatkit.rules import Bonus, Ruleset

SRD = load_ruleset("srd35")
READINGS = (
    "attack_natural_1",
    "attack_natural_20",
    "attack_tie",
    "critical",
    "confirmation_natural_1",
    "confirmation_natural_20",
    "natural_20_confirms",
    "natural_20_threatens",
    "threat_must_hit",
    "critical_damage",
    "extra_dice",
    "minimum_damage",
)
ROLLS = ("normal", "advantage", "disadvantage")
Odds = dict[int, Fraction]


def one_d20(roll: str) -> Odds:
    """Roll one d20, or two and keep the higher or the lower, by listing all pairs."""
    if roll == "normal":
        return {face: Fraction(1, 20) for face in range(1, 21)}
    keep = max if roll == "advantage" else min
    faces = Counter(keep(pair) for pair in product(range(1, 21), repeat=2))
    return {face: Fraction(count, 400) for face, count in faces.items()}


def beats(face: int, bonus: int, ac: int, read: dict[str, str], of: str) -> bool:
    """Tell whether a roll hits: natural 1, natural 20, then the total, equal counting as a hit."""
    if face == 1 and read[f"{of}_natural_1"] == "misses":
        return False
    if face == 20 and read[f"{of}_natural_20"] == "hits":
        return True
    total = face + bonus
    return total >= ac if read["attack_tie"] == "hits" else total > ac


def slow_roll(
    read: dict[str, str], bonus: int, ac: int, threat_from: int, roll: str
) -> dict[str, Fraction]:
    """Chance of hit, critical and threat, from the words of the readings."""
    odds = dict.fromkeys(("hit", "critical", "threat"), Fraction(0))
    for face, chance in one_d20(roll).items():
        hit = beats(face, bonus, ac, read, "attack")
        threat = sure = False
        if read["critical"] == "maximum_damage":
            threat = sure = face == 20 and hit
        elif read["critical"] == "confirm" and face >= threat_from:
            threat = hit
            if not hit and face > 1 and read["threat_must_hit"] == "always_hits":
                hit = threat = True
            if face == 20 and read["natural_20_threatens"] == "only_if_total_hits":
                hit = beats(face, bonus, ac, read, "attack")
                threat = 20 + bonus >= ac + (read["attack_tie"] == "misses")
            sure = face == 20 and threat and read["natural_20_confirms"] == "automatic"
        odds["hit"] += chance * hit
        odds["threat"] += chance * threat
        for second, again in one_d20(roll).items():
            confirmed = sure or beats(second, bonus, ac, read, "confirmation")
            odds["critical"] += chance * again * (threat and confirmed)
    return odds


def rolls_of(sides: list[int]) -> list[int]:
    return [sum(faces) for faces in product(*(range(1, side + 1) for side in sides))]


def slow_damage(
    read: dict[str, str], sides: list[int], flat: int, extra: list[int], times: int
) -> Odds:
    """Damage rolled so many times, all dice listed."""
    each = 1 if read["minimum_damage"] == "each_roll" else -99
    more = rolls_of(extra)
    single = [max(each, roll + flat) for roll in rolls_of(sides)]
    if read["extra_dice"] == "multiplied":
        single, more = [one + two for one in single for two in more], [0]
    if read["critical_damage"] == "roll_once":
        many = [one * times for one in single]
    else:
        many = [sum(parts) for parts in product(single, repeat=times)]
    results = Counter(max(1, one + two) for one in many for two in more)
    return {value: Fraction(n, results.total()) for value, n in results.items()}


def slow_maximum(read: dict[str, str], sides: list[int], flat: int, extra: list[int]) -> Odds:
    top = sum(sides) + flat
    if read["minimum_damage"] == "each_roll":
        top = max(1, top)
    if read["extra_dice"] == "multiplied":
        return {max(1, top + sum(extra)): Fraction(1)}
    results = Counter(max(1, top + one) for one in rolls_of(extra))
    return {value: Fraction(n, results.total()) for value, n in results.items()}


def text_of(sides: list[int]) -> str:
    return "+".join(f"1d{side}" for side in sides)


def build(
    rules: Ruleset,
    bonus: int,
    ac: int,
    threat_from: int = 20,
    multiplier: int = 2,
    sides: tuple[int, ...] | list[int] = (4,),
    flat: int = 0,
    extra: list[int] | None = None,
    **there: object,
) -> Strike:
    weapon = Weapon(
        damage=text_of(list(sides)),
        threat_from=threat_from,
        multiplier=multiplier,
        extra=text_of(extra or []),
    )
    hero = Combatant(
        attack_bonus=bonus,
        weapons=[weapon],
        bonuses=[Bonus(to="damage", value=flat)] if flat else [],
    )
    return attack(rules, hero, Combatant(armor_class=ac), situation=Situation(**there))


readings = st.fixed_dictionaries(
    {name: st.sampled_from(sorted(SRD.switches[name].options)) for name in READINGS}
)


@settings(max_examples=60)
@given(
    readings,
    st.integers(-3, 24),
    st.integers(15, 20),
    st.sampled_from(ROLLS),
    st.sampled_from([0, 20, 50]),
    st.data(),
)
def test_the_whole_attack_agrees_with_its_slow_twin(
    read: dict[str, str], needs: int, threat_from: int, roll: str, miss: int, data: st.DataObject
) -> None:
    sides = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    extra = data.draw(st.lists(st.integers(2, 3), max_size=1))
    flat, times = data.draw(st.integers(-4, 2)), data.draw(st.integers(2, 3))
    rules = SRD.with_switches(**read)
    made = build(
        rules, 5, 5 + needs, threat_from, times, sides, flat, extra, roll=roll, miss_chances=miss
    )
    odds, lands = slow_roll(read, 5, 5 + needs, threat_from, roll), Fraction(100 - miss, 100)
    assert made.p_hit == odds["hit"] * lands
    assert made.p_critical == odds["critical"] * lands
    assert made.p_threat == odds["threat"]
    hit = slow_damage(read, sides, flat, extra, 1)
    critical = (
        slow_maximum(read, sides, flat, extra)
        if read["critical"] == "maximum_damage"
        else slow_damage(read, sides, flat, extra, times)
    )
    assert dict(made.hit_damage.items()) == hit
    assert dict(made.critical_damage.items()) == critical
    ordinary = (odds["hit"] - odds["critical"]) * lands
    whole = Counter({0: 1 - odds["hit"] * lands})
    for part, chance in ((hit, ordinary), (critical, odds["critical"] * lands)):
        for value, share in part.items():
            whole[value] += chance * share
    assert dict(made.damage.items()) == {value: p for value, p in whole.items() if p}
    assert sum(p for _, p in made.damage.items()) == 1


@pytest.mark.parametrize("roll", ROLLS)
@pytest.mark.parametrize(
    "reading",
    [(name, option) for name in READINGS[:9] for option in SRD.switches[name].options],
    ids=str,
)
def test_every_needed_face_under_every_reading(reading: tuple[str, str], roll: str) -> None:
    rules = SRD.with_switches(**{reading[0]: reading[1]})
    read = dict(rules.chosen)
    for needs in range(-1, 24):
        for threat_from in (18, 20):
            made = build(rules, 0, needs, threat_from, roll=roll)
            assert {"hit": made.p_hit, "critical": made.p_critical, "threat": made.p_threat} == (
                slow_roll(read, 0, needs, threat_from, roll)
            )


@pytest.mark.parametrize("hit, critical, times", [(1, 2, 2), (2, 2, 3), (3, 3, 5), (2, 1, 2)])
def test_multipliers_work_off_the_original_damage(hit: int, critical: int, times: int) -> None:
    made = build(SRD, 5, 10, multiplier=critical, sides=[3], flat=1, damage_multiplier=hit)
    read = dict(SRD.chosen)
    assert dict(made.hit_damage.items()) == slow_damage(read, [3], 1, [], hit)
    assert dict(made.critical_damage.items()) == slow_damage(read, [3], 1, [], times)
    assert combined_multiplier(hit, critical) == times


def test_maximum_damage_is_multiplied_like_any_other() -> None:
    """A critical hit is never less than the worst ordinary hit: the most of a doubled roll."""
    made = build(load_ruleset("phased"), 5, 10, sides=[4], flat=1, damage_multiplier=2)
    assert made.hit_damage.maximum == made.critical_damage.minimum == 10


def test_a_miss_chance_of_everything_and_of_nothing() -> None:
    sure = build(SRD, 5, 10, miss_chances=100)
    assert (sure.p_hit, sure.p_critical, sure.damage.maximum) == (0, 0, 0)
    assert sure.p_threat == Fraction(1, 20)  # before the miss chance
    assert build(SRD, 5, 10, miss_chances=()).p_hit == build(SRD, 5, 10, miss_chances=0).p_hit


@pytest.mark.parametrize(
    "percents, largest, each",
    [
        ((20, 50), Fraction(1, 2), Fraction(3, 5)),
        ((20,), Fraction(1, 5), Fraction(1, 5)),
        ((10, 20, 40), Fraction(2, 5), Fraction(71, 125)),
        ((), 0, 0),
    ],
)
def test_several_miss_chances(percents: tuple[int, ...], largest: Fraction, each: Fraction) -> None:
    both = SRD.with_switches(miss_chance="each")
    assert build(SRD, 5, 10, miss_chances=percents).miss_chance == largest
    assert build(both, 5, 10, miss_chances=percents).miss_chance == each


def test_immune_to_critical_hits() -> None:
    hero = Combatant(attack_bonus=10, weapons=["scimitar"])
    for name in ("srd35", "phased"):
        made = attack(load_ruleset(name), hero, Combatant(armor_class=10, critical_immune=True))
        assert (made.p_hit, made.p_threat, made.p_critical) == (Fraction(19, 20), 0, 0)


def test_a_weapon_that_deals_no_damage() -> None:
    net = attack(SRD, Combatant(abilities={"str": 18}), Combatant(), weapon="net")
    assert net.p_hit > 0
    assert net.damage.maximum == net.hit_damage.maximum == net.critical_damage.maximum == 0


@pytest.mark.parametrize(
    "weapon",
    [Weapon(label="Flask", extra="1d6 acid"), Weapon(label="Flask", damage="0", extra="1d6 acid")],
)
def test_a_weapon_of_nothing_but_extra_dice(weapon: Weapon) -> None:
    made = attack(SRD, Combatant(attack_bonus=5), Combatant(armor_class=10), weapon=weapon)
    assert (made.hit_damage.minimum, made.hit_damage.maximum) == (1, 6)
    assert made.critical_damage == made.hit_damage  # extra dice are never multiplied
