"""What a round remembers, against brute force: first hits, rending, mirror images, miss chances."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import fmpz_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Plan,
    Situation,
    Weapon,
    attack,
    coup_de_grace,
    duel,
    full_attack,
    kill_time,
    load_ruleset,
    race,
    survival,
    sweep_over,
)
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.attacks.within_round import START
from combatkit.combat.health.pairs import blow_total, outcomes
from combatkit.rules import Ruleset
from combatkit.view import receipt_markdown

F = Fraction
SRD = load_ruleset("srd35")
SIMPLE = SRD.with_switches(critical="none")
Odds = dict[int, Fraction]


def reaches(face: int, needs: int) -> bool:
    return face == 20 or (face > 1 and face >= needs)


class Told:
    """A round told blow by blow; each face of each die is tried."""

    def __init__(self, needs: list[int], **facts: Any) -> None:
        self.needs = needs
        self.images: int = facts.get("images", 0)
        self.miss: Fraction = facts.get("miss", F(0))
        self.image_ac: int | None = facts.get("image_needs")
        self.guarded: bool = facts.get("guarded", False)
        self.first: int = facts.get("first", 0)
        self.rend: int = facts.get("rend", 0)

    def ways(self) -> list[tuple[Fraction, int, tuple[bool, ...]]]:
        """Chance, damage and pattern of hits of each way the round may go; a hit deals 1 or 2."""
        now = [(F(1), 0, self.images, ())]
        for needs in self.needs:
            later = []
            for chance, dealt, left, hits in now:
                for target in range(left + 1):  # 0 is real, each as likely as the others
                    for face in range(1, 21):
                        share = chance / (left + 1) / 20
                        later += self._struck(share, dealt, left, hits, target, face, needs)
            merged: defaultdict[Any, Fraction] = defaultdict(Fraction)
            for chance, *rest in later:
                merged[tuple(rest)] += chance
            now = [(chance, *rest) for rest, chance in merged.items()]
        return [(chance, dealt, hits) for chance, dealt, _, hits in now]

    def _struck(
        self, share: Fraction, dealt: int, left: int, hits: Any, target: int, face: int, needs: int
    ) -> list[Any]:
        if target:
            at = needs if self.image_ac is None else self.image_ac
            missed = self.miss if self.guarded else F(0)
            if not reaches(face, at):
                return [(share, dealt, left, (*hits, False))]
            return [
                (share * missed, dealt, left, (*hits, False)),
                (share * (1 - missed), dealt, left - 1, (*hits, False)),
            ]
        if not reaches(face, needs):
            return [(share, dealt, left, (*hits, False))]
        found = [(share * self.miss, dealt, left, (*hits, False))]
        more = self.first if not any(hits) else 0
        more += self.rend if sum(hits) == 1 else 0
        for die in (1, 2):
            share_hit = share * (1 - self.miss) / 2
            found.append((share_hit, dealt + die + more, left, (*hits, True)))
        return found

    def damage(self) -> Odds:
        odds: defaultdict[int, Fraction] = defaultdict(Fraction)
        for chance, dealt, _ in self.ways():
            odds[dealt] += chance
        return {dealt: chance for dealt, chance in odds.items() if chance}


def made(
    needs: list[int], rules: Ruleset = SIMPLE, foe: Combatant | None = None, rend: str = "",
    **there: Any,
) -> FullAttack:  # fmt: skip
    """Make a round of attacks that need these rolls against armor class 10."""
    target = foe or Combatant(armor_class=10, hit_points=9)
    return FullAttack(
        tuple(
            attack(
                rules, Combatant(attack_bonus=10 - need), target,
                Weapon(damage="1d2", rend=rend), Situation(**there),
            )
            for need in needs
        )
    )  # fmt: skip


rounds = st.lists(st.integers(0, 21), min_size=1, max_size=4)


@settings(max_examples=40)
@given(rounds, st.integers(0, 3), st.sampled_from([0, 20, 50, "1/3"]), st.integers(0, 2),
       st.booleans())  # fmt: skip
def test_a_round_by_enumeration(
    needs: list[int], images: int, miss: Any, first: int, rends: bool
) -> None:
    """Dice for the first hit, rending and images at once, through one mechanism."""
    facts = {"images": images, "first": first, "rend": 4 * rends}
    chance = F(miss) if isinstance(miss, str) else F(miss, 100)
    told = Told(needs, miss=chance, **facts)
    there = {"first_hit": str(first)} if first else {}
    one = made(
        needs, rend="4" if rends else "", images=images, independent_miss_chances=miss, **there
    )
    assert dict(one.damage.items()) == told.damage()
    ways = told.ways()
    hits = [sum((p for p, _, hit in ways if hit[n]), F(0)) for n in range(len(needs))]
    assert [lands for lands, _ in one.by_strike] == hits
    assert one.expected_hits == sum(hits)
    assert one.p_any_hit == sum((p for p, _, hit in ways if any(hit)), F(0))
    assert one.p_all_hit == sum((p for p, _, hit in ways if all(hit)), F(0))
    assert sum(mean for _, mean in one.by_strike) == one.damage.mean


# ---- mirror images and miss chances of one attack


def test_images_and_displacement_multiply() -> None:
    for there in ({"miss_chances": 50}, {"independent_miss_chances": F(1, 2)}):
        one = attack(
            SRD, Combatant(attack_bonus=0), Combatant(armor_class=10), "longsword",
            Situation(images=3, **there),
        )  # fmt: skip
        assert one.p_hit == F(11, 160) == F(11, 20) * F(1, 4) * F(1, 2)
        assert one.p_critical == F(1, 4) * F(1, 2) * F(2, 20) * F(11, 20)
        assert one.miss_chance == F(7, 8)


def test_of_concealment_the_largest_counts_and_other_causes_multiply() -> None:
    def miss(**there: Any) -> Fraction:
        return attack(SRD, Combatant(), Combatant(), situation=Situation(**there)).miss_chance

    assert miss(miss_chances=[20, 50, "1/3"]) == F(1, 2)
    assert miss(miss_chances=["1/3", 20], concealment="standard") == F(1, 3)
    assert miss(miss_chances=20, independent_miss_chances=[50, "1/3"]) == 1 - F(4, 5) * F(1, 3)
    assert miss(independent_miss_chances=[F(1, 3)]) == F(1, 3)
    each = SRD.with_switches(miss_chance="each")
    there = Situation(miss_chances=[20, 50], independent_miss_chances="1/3")
    assert attack(each, Combatant(), Combatant(), situation=there).miss_chance == (
        1 - F(4, 5) * F(1, 2) * F(2, 3)
    )


def test_only_concealment_spoils_a_sneak_attack() -> None:
    rogue = Combatant(sneak_attack="3d6", weapons=["dagger"])

    def dice(**there: Any) -> str:
        there = {"defender": {"flat_footed"}, **there}
        return attack(SRD, rogue, Combatant(), situation=Situation(**there)).blow.extra

    assert dice(independent_miss_chances=50) == dice(images=4) == "3d6"
    assert dice(miss_chances="1/3") == ""


@pytest.mark.parametrize(
    "given_, kept",
    [("1/3", ("1/3",)), (50, (50,)), (F(1, 3), ("1/3",)), ([F(1, 2), "20 %", "2/7"],
     (50, 20, "2/7")), (["1/1", "0/1"], (100, 0))],
)  # fmt: skip
@pytest.mark.parametrize("field", ["miss_chances", "independent_miss_chances"])
def test_chances_are_percent_or_fractions(field: str, given_: Any, kept: tuple[Any, ...]) -> None:
    there = Situation(**{field: given_})
    assert tuple(c if isinstance(c, int) else str(c) for c in getattr(there, field)) == kept
    assert Situation.from_json(there.to_json()) == there
    assert Situation.from_data(there.model_dump()) == there


@pytest.mark.parametrize(
    "given_, words",
    [("3/2", "from 0 to 1"), (101, "at most 100"), (-1, "at least 0"),
     ([0.5], "whole percent, or a fraction"), ("half", "whole percent, or a fraction"),
     ([True], "whole percent"), ("1/0", "fraction"), (F(-1, 3), "from 0 to 1")],
)  # fmt: skip
@pytest.mark.parametrize("field", ["miss_chances", "independent_miss_chances"])
def test_wrong_chances_are_refused(field: str, given_: Any, words: str) -> None:
    with pytest.raises(CombatkitError, match=words):
        Situation(**{field: given_})


@pytest.mark.parametrize("reading, needs", [("own", 10 - 1 + 2 - 10), ("target", 15 - 10)])
@pytest.mark.parametrize("guard", ["real", "images"])
def test_images_are_struck_by_their_own_armor_class(reading: str, needs: int, guard: str) -> None:
    """A large target of Dexterity 14 in armor: 11 for its images, 15 for itself."""
    rules = SIMPLE.with_switches(image_armor_class=reading, image_miss_chance=guard)
    giant = Combatant(
        size="large", abilities={"dex": 14}, armor_class=15, natural_armor=4, hit_points=9
    )
    there = Situation(images=2, miss_chances=50)
    arm = Weapon(damage="1d2")
    one = attack(rules, Combatant(attack_bonus=10), giant, arm, there)
    told = Told(
        [5, 5], images=2, miss=F(1, 2), image_needs=max(needs, 1), guarded=guard == "images"
    )
    assert dict(FullAttack((one, one)).damage.items()) == told.damage()


# ---- lethal and nonlethal damage told apart


@pytest.mark.parametrize("fortification", [0, "1/3"])
@pytest.mark.parametrize("rend", ["", "1d2+1d2 fire"])
@pytest.mark.parametrize("images", [0, 1])
def test_pairs_of_a_round_by_enumeration(fortification: Any, rend: str, images: int) -> None:
    """Fire kills, all else is nonlethal; sneak attack and rending bring both at once."""
    foe = Combatant(
        armor_class=11, hit_points=50, fortification=fortification, regeneration=1,
        regeneration_bypassed_by=["fire"],
    )  # fmt: skip
    rogue = Combatant(attack_bonus=0, sneak_attack="1d2+1d2 fire")
    there = Situation(defender={"stunned"}, images=images)
    arm = Weapon(damage="1d2", extra="1d2 fire", rend=rend)
    blow = attack(SIMPLE, rogue, foe, arm, there).blow
    width, undone = 200, F(fortification)
    p_real, p_image = F(1, 2) if images else F(1), blow.image_hit

    def rolled(fire: int, other: int) -> dict[tuple[int, int], Fraction]:
        found: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for dice in product((1, 2), repeat=fire + other):
            found[sum(dice[:fire]), sum(dice[fire:])] += F(1, 2 ** (fire + other))
        return found

    p_hit = sum(reaches(face, blow.needs) for face in range(1, 21)) / F(20)
    now = {(0, 0, 0, images): F(1)}  # lethal, nonlethal, hits, images
    moments = {START: fmpz_poly([1])}
    total = 1
    for _ in range(2):
        later: defaultdict[Any, Fraction] = defaultdict(Fraction)
        for (lethal, other, hits, left), chance in now.items():
            real = p_real if left else F(1)
            later[lethal, other, hits, left] += chance * (1 - real * p_hit - (1 - real) * p_image)
            later[lethal, other, hits, left - 1] += chance * (1 - real) * p_image
            for sneaks, share in ((True, 1 - undone), (False, undone)):
                dice = 1 + sneaks + (bool(rend) and hits == 1)
                for (fire, plain), part in rolled(dice, dice).items():
                    later[lethal + fire, other + plain, hits + 1, left] += (
                        chance * real * p_hit * share * part
                    )
        now = later
        after: defaultdict[Any, fmpz_poly] = defaultdict(fmpz_poly)
        for moment, taken in moments.items():
            for then, damage in outcomes(blow, moment, width):
                after[then] += taken * damage
        moments, total = after, total * blow_total(blow, width)
    told: defaultdict[int, Fraction] = defaultdict(Fraction)
    for (lethal, other, _, _), chance in now.items():
        told[lethal * width + other] += chance
    dealt = sum(moments.values(), fmpz_poly())
    assert {
        pair: F(int(weight), total) for pair, weight in enumerate(dealt.coeffs()) if weight
    } == {pair: chance for pair, chance in told.items() if chance}


# ---- through the fights


def test_a_troll_rends_once_a_round_when_both_claws_hit() -> None:
    troll, ogre = SRD.combatant("troll"), SRD.combatant("ogre")
    one = full_attack(SRD, troll, ogre)
    claw, same, bite = one.strikes
    both = claw.p_hit * same.p_hit
    plain = sum(made.damage.mean for made in one.strikes)
    assert one.damage.mean == plain + both * 16  # 2d6+9
    assert [hit for hit, _ in one.by_strike] == [claw.p_hit, same.p_hit, bite.p_hit]
    stone = ogre.model_copy(update={"damage_reduction": 100})
    assert full_attack(SRD, troll, stone).damage.maximum == 0
    four = troll.model_copy(
        update={"weapons": (Weapon(hand="natural", damage="1", attacks=4, rend="10"),)}
    )
    sure = full_attack(SIMPLE, four, Combatant(armor_class=-20))
    assert sure.damage.maximum == 4 * (1 + 6) + 10  # once, though four claws hit


def slow_rounds(told: Told, points: int, rounds_: int) -> list[Odds]:
    """Damage taken after each round, at most `points`, from one round's list of ways."""
    now, history = {0: F(1)}, []
    for _ in range(rounds_):
        later: defaultdict[int, Fraction] = defaultdict(Fraction)
        for taken, chance in now.items():
            for dealt, share in told.damage().items():
                later[min(points, taken + dealt)] += chance * share
        now = later
        history.append(dict(now))
    return history


CASES = [
    ({"images": 2}, {}, {"images": 2}),
    ({"rend": 4}, {"rend": "4"}, {}),
    ({"images": 1, "rend": 4, "first": 3}, {"rend": "4"}, {"images": 1, "first_hit": "3"}),
]


@pytest.mark.parametrize("facts, weapon, there", CASES)
def test_kill_time_and_survival_follow_the_round(
    facts: dict[str, Any], weapon: dict[str, Any], there: dict[str, Any]
) -> None:
    needs = [8, 11, 14]
    one = made(needs, **weapon, **there)
    history = slow_rounds(Told(needs, **facts), 9, 3)
    time = kill_time(one)
    assert [time.by(number + 1) for number in range(3)] == [now.get(9, F(0)) for now in history]
    # below 0 hit points a body is struck no more in the round, so the states are followed to 0
    told = survival(one, 1).by_round[1]
    assert told["up"] == sum((p for taken, p in history[0].items() if taken < 9), F(0))


@pytest.mark.parametrize("facts, weapon, there", CASES)
@pytest.mark.parametrize("kind", ["duel", "race"])
def test_duels_and_races_follow_the_round(
    kind: str, facts: dict[str, Any], weapon: dict[str, Any], there: dict[str, Any]
) -> None:
    """A hero with two claws against a doll that never hits: each round is the round told."""
    claws = Weapon(hand="natural", damage="1d2", attacks=2, **weapon)
    hero = Combatant(attack_bonus=0, weapons=[claws], hit_points=5)
    doll = Combatant(armor_class=11, hit_points=7, attack_bonus=-60, weapons=[Weapon(extra="0")])
    plan = Plan(then="full", situation=Situation(**there))
    history = slow_rounds(Told([11, 11], image_needs=10, **facts), 7, 3)
    expected = [now.get(7, F(0)) for now in history]
    if kind == "duel":
        odds = duel(SIMPLE, hero, doll, plan, first="a").by_round(3)
        assert [now["a"] for now in odds[1:]] == expected
    else:
        fight = race(SIMPLE, hero, 1, doll, plan).by_round(3)
        assert [now["team"] for now in fight[1:]] == expected
        assert race(SIMPLE, hero, 1, doll, plan).p_team_wins == 1


def test_who_falls_in_a_race_takes_the_wounds_along() -> None:
    """Two claws that always hit one member each: nobody is torn by both."""
    claws = Weapon(hand="natural", damage="5", attacks=2, rend="50")
    foe = Combatant(attack_bonus=60, weapons=[claws], hit_points=20, armor_class=50)
    member = Combatant(hit_points=5, armor_class=10, attack_bonus=-60)
    rules = SIMPLE.with_switches(attack_natural_1="total_decides")
    full = Plan(then="full")
    two = race(rules, member, 2, foe, plan_foe=full, first="foe")
    assert two.member_falls == {0: 2} and two.mean_rounds == 1
    tough = member.model_copy(update={"hit_points": 30})
    torn = race(rules, tough, 1, foe, plan_foe=full, first="foe")
    assert torn.mean_rounds == 1


def test_a_sweep_shows_the_same_as_single_attacks() -> None:
    hero = Combatant(attack_bonus=5, weapons=[Weapon(damage="1d6")])
    swept = sweep_over(
        SRD, hero, Combatant(armor_class=14, hit_points=9),
        axes={"images": [0, 2], "armor_class": [12, 18], "attack_bonus": [3, 8]},
        full=True, exact=True,
    )  # fmt: skip
    for _, row in swept.frame.reset_index().iterrows():
        one = full_attack(
            SRD, hero.model_copy(update={"attack_bonus": row["attack_bonus"]}),
            Combatant(armor_class=row["armor_class"], hit_points=9),
            situation=Situation(images=row["images"]),
        )  # fmt: skip
        assert row["expected_damage"] == one.damage.mean
        assert row["hit_chance"] == one.strikes[0].p_hit
        assert row["rounds_to_kill"] == kill_time(one).mean


def test_a_coup_de_grace_may_go_into_an_image() -> None:
    sleeper = Combatant(hit_points=100)
    killer = Combatant(weapons=["longsword"])
    plain = coup_de_grace(SRD, killer, sleeper)
    end = coup_de_grace(SRD, killer, sleeper, situation=Situation(images=3))
    assert end.damage.mean == plain.damage.mean / 4
    assert end.p_killed_by_save == plain.p_killed_by_save / 4
    assert sum(end.fates.values()) == 1
    odd = coup_de_grace(SRD, killer, sleeper, situation=Situation(miss_chances="1/3"))
    assert odd.damage == plain.damage and odd.full_rounds == 1


def test_the_receipt_says_what_holds() -> None:
    foe = Combatant(
        damage_reduction="5/magic", fortification=25, energy_immunity=["acid"],
        energy_vulnerability=["fire"], armor_class=10,
    )  # fmt: skip
    rogue = Combatant(sneak_attack="2d6")
    arm = Weapon(damage="1d6", enhancement=1, burst="1d10 fire", rend="2d6", multiplier=3)
    there = Situation(images=3, defender={"flat_footed"})
    text = receipt_markdown(attack(SRD, rogue, foe, arm, there))
    for told in (
        "Mirror images | 3 when the turn begins, so that 1 target in 4 is real",
        "gone until the next turn begins with 3 again",
        "Fortification undoes criticals and sneak attacks | 25.0% (1/4)",
        "Sneak attack | 2d6, unless fortification undoes it",
        "Extra on a critical hit | 1d10 fire, 2 times",
        "Rending, once a round | 2d6 when hit 2 of it lands",
        "Damage reduction | 5/magic does not count: the weapon overcomes it",
        "Immunity to acid | no damage from it",
        "Vulnerability to fire | 3/2 times its damage, rounded down",
    ):
        assert told in text, told
    immune = foe.model_copy(update={"critical_immune": True})
    assert "does not count: no hit is critical here" in receipt_markdown(
        attack(SRD, rogue, immune, arm)
    )
