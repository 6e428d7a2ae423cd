"""Nonlethal damage, regeneration and massive damage against bodies followed one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
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
from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.health.kill_time import _mean_by_sum, _mean_course
from combatkit.combat.health.survival import Ally
from combatkit.combat.turns.price import Threat, price_of_provoking
from combatkit.rules import Ruleset

SRD = load_ruleset("srd35")
MASSIVE = SRD.with_switches(massive_damage="save_or_die")
PHASED = load_ruleset("phased")
CLASSIC = load_ruleset("classic")
HERO = Combatant(attack_bonus=8, weapons=["sap", "club"])


class Body(NamedTuple):
    """One body: lethal damage beyond temporary hit points, what is left of those, nonlethal."""

    points: int
    temporary: int
    nonlethal: int = 0
    stable: bool = False

    @property
    def state(self) -> str:
        if self.points <= -10:
            return "dead"
        if self.points < 0:
            return "stable" if self.stable else "dying"
        left = self.points + self.temporary
        if self.nonlethal > left:
            return "unconscious"
        if self.nonlethal and self.nonlethal == left:
            return "staggered"
        return "up" if self.points else "disabled"

    @property
    def fights(self) -> bool:
        return self.state in ("up", "staggered", "disabled")

    def hurt(self, lethal: int, nonlethal: int) -> Body:
        soaked = min(self.temporary, lethal)
        return Body(
            max(-10, self.points - lethal + soaked),
            self.temporary - soaked,
            self.nonlethal + nonlethal,
            self.stable and not lethal + nonlethal,
        )

    def healed(self, points: int, nonlethal: int, full: int) -> Body:
        new = max(self.points, min(full, self.points + points))
        gone = max(0, self.nonlethal - points - nonlethal)
        stable = new < 0 and (self.stable or points > 0)
        return Body(new, self.temporary, gone, stable)


Odds = dict[Body, Fraction]
Harm = dict[tuple[int, int], Fraction]


def mapped(odds: Odds, step: Callable[[Body], Iterator[tuple[Body, Fraction]]]) -> Odds:
    later: Odds = {}
    for body, chance in odds.items():
        for new, share in step(body):
            later[new] = later.get(new, Fraction(0)) + chance * share
    return later


def harm_of(made: Strike) -> Harm:
    """Damage of a strike of one kind, as pairs."""
    if made.blow.nonlethal:
        return {(0, damage): chance for damage, chance in made.damage.items()}
    return {(damage, 0): chance for damage, chance in made.damage.items()}


def rolls(body: Body) -> Iterator[tuple[Body, Fraction]]:
    if body.state != "dying":
        yield body, Fraction(1)
        return
    yield body._replace(points=body.points - 1), Fraction(9, 10)
    yield body._replace(stable=True), Fraction(1, 10)


def slow(
    upright: list[Harm],
    fallen: list[Harm] | None,
    body: Body,
    rounds: int,
    fast: int = 0,
    regenerates: int = 0,
) -> list[dict[str, Fraction]]:
    full, odds, history = body.points, {body: Fraction(1)}, []
    for _ in range(rounds + 1):
        told = dict.fromkeys(
            ("up", "disabled", "staggered", "unconscious", "dying", "stable", "dead"), Fraction(0)
        )
        for one, chance in odds.items():
            told[one.state] += chance
        history.append(told)
        for index, harm in enumerate(upright):

            def struck(one: Body, harm: Harm = harm, index: int = index) -> Any:
                if one.state == "dead" or (not one.fights and fallen is None):
                    return iter([(one, Fraction(1))])
                met = harm if one.fights else (fallen or [])[index]
                return ((one.hurt(*pair), share) for pair, share in met.items())

            odds = mapped(odds, struck)

        def mends(one: Body) -> Iterator[tuple[Body, Fraction]]:
            healed = one if one.state == "dead" else one.healed(fast, regenerates, full)
            yield healed, Fraction(1)

        odds = mapped(mapped(odds, mends), rolls)
    return history


def made_with(weapons: list[Any], body: Combatant, off_hand: Any = None) -> FullAttack:
    who = Combatant(attack_bonus=4, weapons=weapons)
    return full_attack(SRD, who, body, off_hand=off_hand)


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("points, temporary", [(6, 0), (3, 4), (1, 0), (0, 0), (-3, 0)])
@pytest.mark.parametrize("weapons", [("sap", None), ("club", "sap"), ("sap", "dagger")])
@pytest.mark.parametrize("fast", [0, 2])
def test_survival_of_mixed_rounds(
    weapons: tuple[str, str | None],
    points: int,
    temporary: int,
    keeps: bool,
    fast: int,
) -> None:
    body = Combatant(
        armor_class=12,
        hit_points=points,
        temporary_hit_points=0 if fast else temporary,
        fast_healing=fast,
    )
    made = made_with([weapons[0]], body, weapons[1])
    helpless = Situation(defender={"helpless"})
    again = full_attack(
        SRD, made.strikes[0].attempt.attacker, body, situation=helpless, off_hand=weapons[1]
    )
    told = survival(made, rounds=3, keeps_striking=keeps)
    twin = slow(
        [harm_of(one) for one in made.strikes],
        [harm_of(one) for one in again.strikes] if keeps else None,
        Body(points, body.temporary_hit_points),
        3,
        fast,
    )
    assert list(told.by_round) == twin


TROLL = Combatant(
    armor_class=12, hit_points=9, regeneration=3, regeneration_bypassed_by=["fire", "acid"]
)


@pytest.mark.parametrize("keeps", [False, True])
def test_a_troll_never_dies_by_a_sword(keeps: bool) -> None:
    made = made_with(["longsword"], TROLL)
    helpless = attack(
        SRD, made.strikes[0].attempt.attacker, TROLL, situation=Situation(defender={"helpless"})
    )
    told = survival(made, rounds=5, keeps_striking=keeps)
    twin = slow(
        [harm_of(made.strikes[0])],
        [harm_of(helpless)] if keeps else None,
        Body(9, 0),
        5,
        regenerates=3,
    )
    assert list(told.by_round) == twin
    assert all(odds["dead"] == odds["dying"] == 0 for odds in told.by_round)
    assert told.by_round[5]["unconscious"] > 0 and told.p_alive == 1


def test_fire_on_a_sword_is_lethal_to_a_troll_and_the_sword_is_not() -> None:
    flaming = Weapon(label="Brand", damage="1d4", extra="1d3 fire")
    made = made_with([flaming], TROLL)
    told = survival(made, rounds=3)
    steel = made_with([Weapon(damage="1d4")], TROLL).strikes[0]
    odds = made.strikes[0].odds
    fire = {points: Fraction(1, 3) for points in (1, 2, 3)}
    harm: Harm = {(0, 0): Fraction(odds.miss, odds.total)}
    for weight, rolled in ((odds.hit, steel.hit_damage), (odds.critical, steel.critical_damage)):
        for points, chance in rolled.items():
            for burn, share in fire.items():
                key = burn, points
                part = Fraction(weight, odds.total) * chance * share
                harm[key] = harm.get(key, Fraction(0)) + part
    assert list(told.by_round) == slow([harm], None, Body(9, 0), 3, regenerates=3)
    assert told.by_round[3]["dying"] + told.by_round[3]["unconscious"] > 0
    assert made.damage.mean == sum(sum(pair) * share for pair, share in harm.items())


def test_the_value_of_the_task() -> None:
    strong = Situation(damage_bonus=20)
    made = attack(
        SRD,
        Combatant(attack_bonus=10, weapons=["sap"]),
        Combatant(armor_class=10, hit_points=6),
        situation=strong,
    )
    told = survival(made, rounds=1).by_round[1]
    assert (told["dead"], told["unconscious"]) == (0, Fraction(19, 20))
    assert kill_time(made).needed == 7
    assert kill_time(made, down_at=-10).mean is None, "nobody dies of nonlethal damage"


def slow_down(
    harms: list[Harm], full: int, needed: int, rounds: int, heals: int = 0, regenerates: int = 0
) -> Fraction:
    odds = {(0, 0): Fraction(1)}
    down = Fraction(0)
    for _ in range(rounds):
        for harm in harms:
            later: dict[tuple[int, int], Fraction] = {}
            for (lethal, numb), chance in odds.items():
                for (more, number), share in harm.items():
                    key = lethal + more, numb + number
                    if key[0] >= needed or (key[1] and sum(key) > full):
                        down += chance * share
                    else:
                        later[key] = later.get(key, Fraction(0)) + chance * share
            odds = later
        healed: dict[tuple[int, int], Fraction] = {}
        for (lethal, numb), chance in odds.items():
            key = max(0, lethal - heals), max(0, numb - heals - regenerates)
            healed[key] = healed.get(key, Fraction(0)) + chance
        odds = healed
    return down


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([("sap", None), ("club", "sap"), ("sap", "dagger")]),
    st.integers(1, 12),
    st.integers(-9, 5),
    st.sampled_from([0, 0, 2]),
)
def test_kill_time_of_mixed_rounds(
    weapons: tuple[str, str | None], points: int, down_at: int, fast: int
) -> None:
    body = Combatant(armor_class=13, hit_points=points, fast_healing=fast)
    made = made_with([weapons[0]], body, weapons[1])
    time = kill_time(made, down_at=down_at)
    harms = [harm_of(one) for one in made.strikes]
    for rounds in range(4):
        if points > down_at:
            assert time.by(rounds) == slow_down(harms, points, points - down_at, rounds, fast)
    if time.course is not None and not fast and down_at <= 0:
        assert _mean_by_sum(time.course) == _mean_course(time.course)
    assert (mean := time.mean) is not None
    far = sum((1 - time.by(rounds) for rounds in range(25)), Fraction(0))
    assert far <= mean or points <= down_at


@pytest.mark.parametrize("fast, regenerates", [(0, 3), (2, 3), (2, 0)])
def test_kill_time_of_somebody_who_heals(fast: int, regenerates: int) -> None:
    body = Combatant(armor_class=12, hit_points=12, fast_healing=fast, regeneration=regenerates)
    made = attack(SRD, Combatant(attack_bonus=6, weapons=["greatclub"]), body)
    time = kill_time(made)
    for rounds in range(5):
        assert time.by(rounds) == slow_down([harm_of(made)], 12, 12, rounds, fast, regenerates)
    assert time.mean is not None
    short = sum((1 - time.by(rounds) for rounds in range(150)), Fraction(0))
    assert 0 <= time.mean - short < Fraction(1, 1000)


def test_what_heals_faster_than_it_is_hurt_is_never_down() -> None:
    body = Combatant(armor_class=10, hit_points=20, fast_healing=8)
    made = attack(SRD, Combatant(attack_bonus=6, weapons=[{"damage": "1d4"}]), body)
    assert (kill_time(made).mean, kill_time(made).by(9)) == (None, 0)


def test_an_ally_heals_both_kinds() -> None:
    body = Combatant(armor_class=12, hit_points=8)
    made = made_with(["sap"], body)
    told = survival(made, rounds=4, ally=Ally(healing=2))
    assert list(told.by_round) == slow([harm_of(made.strikes[0])], None, Body(8, 0), 4, fast=2)


@pytest.mark.parametrize(
    "weapon, there, lethal, penalty",
    [
        ("sap", Situation(), False, 0),
        ("sap", Situation(nonlethal=False), True, -4),
        ("sap", Situation(nonlethal=True), False, 0),
        ("longsword", Situation(nonlethal=True), False, -4),
        ("unarmed_strike", Situation(), False, 0),
        ("unarmed_strike", Situation(nonlethal=False), True, -4),
        ("unarmed_strike", Situation(attacker={"lethal_unarmed"}), True, -4),
        ("unarmed_strike", Situation(attacker={"lethal_unarmed"}, nonlethal=False), True, -4),
    ],
)
def test_the_other_kind_costs_four(
    weapon: str, there: Situation, lethal: bool, penalty: int
) -> None:
    for rules in (SRD, CLASSIC):
        made = attack(rules, Combatant(attack_bonus=8), Combatant(), weapon, there)
        assert made.attack_bonus.total == 8 + penalty
        assert bool(made.blow.nonlethal) is not lethal
    monk = Combatant(attack_bonus=8, feats=["improved_unarmed_strike"])
    if weapon == "unarmed_strike":
        made = attack(SRD, monk, Combatant(), weapon, there)
        assert (made.attack_bonus.total, bool(made.blow.nonlethal)) == (8, not lethal)


def test_a_punch_in_phased_is_lethal_by_its_own_text() -> None:
    assert attack(PHASED, Combatant(), Combatant(), "unarmed_strike").blow.nonlethal == ()
    assert attack(PHASED, Combatant(), Combatant(), "sap").blow.nonlethal == ("weapon",)


def test_a_bow_deals_no_nonlethal_damage_and_a_sword_no_nonlethal_sneak_attack() -> None:
    there = Situation(nonlethal=True, attacker={"flanking"})
    assert "nonlethal" in attack(SRD, HERO, Combatant(), "longbow", there).why_not
    rogue = Combatant(sneak_attack="2d6", attack_bonus=5)
    assert attack(SRD, rogue, Combatant(), "sap", there).blow.extra == "2d6"
    assert attack(SRD, rogue, Combatant(), "dagger", there).blow.extra == ""


def test_the_immune_feel_only_the_fire() -> None:
    zombie = SRD.combatant("human_zombie")
    assert zombie.nonlethal_immune
    hot = Weapon(base="sap", extra="1d6 fire+2")
    made = attack(SRD, HERO, zombie, hot)
    assert (made.hit_damage.minimum, made.hit_damage.maximum) == (1, 6)
    assert attack(SRD, HERO, zombie, "sap").damage.maximum == 0
    assert kill_time(attack(SRD, HERO, zombie, "sap")).mean is None
    assert attack(SRD, HERO, zombie, "sap", Situation(nonlethal=False)).damage.maximum > 0


def test_samples_say_who_is_immune_and_who_regenerates() -> None:
    immune = {who.kind for who in SRD.combatants.values() if who.nonlethal_immune}
    assert immune == {"undead"}
    assert all(w.nonlethal_immune for w in SRD.combatants.values() if w.kind == "undead")
    troll = SRD.combatant("troll")
    assert (troll.regeneration, troll.regeneration_bypassed_by) == (5, ("fire", "acid"))
    made = full_attack(SRD, SRD.combatant("fighter_6"), troll)
    assert survival(made, 10, keeps_striking=True).p_alive == 1


def test_regeneration_is_refused_where_it_would_not_count() -> None:
    with pytest.raises(CombatkitError, match="without regeneration"):
        Combatant(regeneration_bypassed_by=["fire"])


@pytest.mark.parametrize("weapon", ["sap", "unarmed_strike"])
def test_no_coup_de_grace_with_nonlethal_damage(weapon: str) -> None:
    end = coup_de_grace(SRD, HERO, Combatant(hit_points=5), weapon)
    assert "nonlethal" in end.why_not and end.p_survives == 1
    assert coup_de_grace(SRD, HERO, Combatant(hit_points=5), weapon,
                         Situation(nonlethal=False)).possible  # fmt: skip
    assert "nonlethal" in coup_de_grace(SRD, HERO, SRD.combatant("troll"), "longsword").why_not


def test_massive_damage_asks_for_a_save() -> None:
    ogre = Combatant(attack_bonus=10, weapons=[{"damage": "10d10"}])
    body = Combatant(armor_class=10, hit_points=300, saves={"fortitude": 4})
    made, calm = attack(MASSIVE, ogre, body), attack(SRD, ogre, body)
    fails = Fraction(10, 20)
    assert survival(made, 1).by_round[1]["dead"] == made.damage.at_least(50) * fails
    assert survival(calm, 1).by_round[1]["dead"] == 0
    assert kill_time(made).by(1) == made.damage.at_least(50) * fails
    assert kill_time(made).mean < kill_time(calm).mean  # type: ignore[operator]
    ogre, body = (
        who.model_copy(update={"hit_points": 90, "attack_bonus": 8}) for who in (ogre, body)
    )
    fight, other = (duel(rules, ogre, body, first="a") for rules in (MASSIVE, SRD))
    assert fight.p_a_wins + fight.p_b_wins == 1
    assert fight.by_round(1)[1]["a"] == attack(MASSIVE, ogre, body,
        situation=Situation(defender={"flat_footed"})).damage.at_least(90) * fails + (
        attack(MASSIVE, ogre, body).damage.at_least(50) * fails)  # fmt: skip
    assert fight.loser("b")["dead"] > other.loser("b")["dead"]


def test_massive_damage_counts_nothing_nonlethal() -> None:
    ogre = Combatant(attack_bonus=10, weapons=[{"damage": "20d10", "nonlethal": True}])
    made = attack(MASSIVE, ogre, Combatant(armor_class=10, hit_points=300))
    assert survival(made, 1).by_round[1]["dead"] == 0


def slow_duel(one: list[Harm], other: list[Harm], points: tuple[int, int], rounds: int) -> Any:
    """A strikes first: chances that A and B have won after so many rounds."""
    won = {"a": Fraction(0), "b": Fraction(0)}
    odds = {((0, 0), (0, 0)): Fraction(1)}
    for _ in range(rounds):
        for side, harms in ((0, one), (1, other)):
            for harm in harms:
                later: Any = {}
                for state, chance in odds.items():
                    for pair, share in harm.items():
                        foe = 1 - side
                        hurt = (state[foe][0] + pair[0], state[foe][1] + pair[1])
                        if hurt[0] >= points[foe] or sum(hurt) > points[foe]:
                            won["ab"[side]] += chance * share
                            continue
                        key = (state[0], hurt) if side == 0 else (hurt, state[1])
                        later[key] = later.get(key, Fraction(0)) + chance * share
                odds = later
    return won


@pytest.mark.parametrize("off_hand", [None, "sap", "dagger"])
@pytest.mark.parametrize("weapon", ["sap", "club"])
def test_a_duel_with_both_kinds(weapon: str, off_hand: str | None) -> None:
    one = Combatant(attack_bonus=5, armor_class=13, hit_points=6, weapons=[weapon])
    two = Combatant(attack_bonus=4, armor_class=12, hit_points=7, weapons=["club"])
    plan = Plan(then="full", off_hand=off_hand)
    fight = duel(SRD, one, two, plan, first="a", surprise=None)
    off = SRD.with_switches(before_first_turn="ready")
    fight = duel(off, one, two, plan, first="a")
    harms = [harm_of(s) for s in full_attack(off, one, two, off_hand=off_hand).strikes]
    back = [harm_of(attack(off, two, one))]
    for rounds in (1, 2, 3):
        now = fight.by_round(rounds)[-1]
        assert {side: now[side] for side in "ab"} == slow_duel(harms, back, (6, 7), rounds)
    loser = fight.loser("b")
    assert sum(loser.values()) == fight.p_a_wins and fight.p_a_wins + fight.p_b_wins == 1
    assert ("unconscious" in loser) == (weapon == "sap" or off_hand == "sap")
    if weapon == "sap" and off_hand is None:
        assert loser["unconscious"] == fight.p_a_wins
    assert sum(fight.left("a").values()) == fight.p_a_wins
    near = duel(off, one, two, plan, first="a", approx=True)
    assert abs(near.p_a_wins_approx - float(fight.p_a_wins)) <= near.error


def test_a_duel_with_regeneration_goes_to_the_chain() -> None:
    troll = Combatant(attack_bonus=5, armor_class=13, hit_points=7, regeneration=2,
                      weapons=["club"])  # fmt: skip
    squire = Combatant(attack_bonus=5, armor_class=13, hit_points=7, weapons=["club"])
    fight = duel(SRD, squire, troll, first="a")
    assert fight.method == "chain" and fight.p_a_wins + fight.p_b_wins == 1
    assert fight.loser("b")["unconscious"] == fight.p_a_wins
    weaker = duel(SRD, squire, troll.model_copy(update={"regeneration": 1}), first="a")
    assert weaker.p_a_wins > fight.p_a_wins


def test_a_race_with_saps_alone() -> None:
    """Nobody's life is at stake, so the same numbers come of clubs against one more hit point."""
    sapper = Combatant(attack_bonus=4, armor_class=12, hit_points=5,
                       weapons=[Weapon(damage="1d6", nonlethal=True)])  # fmt: skip
    clubber = sapper.model_copy(update={"weapons": (Weapon(damage="1d6"),), "hit_points": 6})
    fight = race(SRD, sapper, 2, sapper)
    other = race(SRD, clubber, 2, clubber)
    assert fight.p_team_wins == other.p_team_wins and fight.mean_rounds == other.mean_rounds
    assert fight.foe_states() == {"unconscious": fight.p_team_wins} == fight.foe_in_the_end()
    assert set(fight.foe_left) == {5} and sum(fight.team_left.values()) == fight.p_team_wins
    assert set(fight.member_states()) == {"unconscious"}


def test_a_race_refuses_what_it_cannot_follow() -> None:
    mixed = Plan(then="full", off_hand="sap")
    club = Combatant(attack_bonus=4, armor_class=12, hit_points=5, weapons=["club"])
    with pytest.raises(CombatkitError, match="lethal and nonlethal"):
        race(SRD, club, 2, club, mixed)
    with pytest.raises(CombatkitError, match="nobody who heals"):
        race(SRD, club, 2, club.model_copy(update={"fast_healing": 1}))
    big = club.model_copy(update={"weapons": (Weapon(damage="60"),)})
    with pytest.raises(CombatkitError, match="massive"):
        race(MASSIVE, club, 2, big)


def test_the_price_of_provoking_a_sap() -> None:
    thug = Combatant(attack_bonus=40, weapons=[Weapon(damage="8", nonlethal=True)])
    mage = Combatant(armor_class=10, hit_points=6, critical_immune=True)
    price = price_of_provoking(SRD, mage, [Threat(thug)])
    assert price.states["dying"] == price.states["dead"] == 0
    assert price.p_dropped == price.p_interrupted == price.states["unconscious"] == Fraction(19, 20)


@pytest.mark.parametrize(
    "changes",
    [
        {"weapon": "sap"},
        {"off_hand": "sap"},
        {"defender": {"fast_healing": 2}},
        {"defender": {"regeneration": 2}},
    ],
)
def test_sweeps_follow(changes: dict[str, Any]) -> None:
    body = Combatant(armor_class=13, hit_points=9, **changes.get("defender", {}))
    weapon, off_hand = changes.get("weapon"), changes.get("off_hand")
    who = Combatant(attack_bonus=5, weapons=["club"])
    found = sweep_over(
        SRD, who, body, {"hit_points": [4, 9], "armor_class": [12, 13]}, weapon, off_hand=off_hand,
        measures=("rounds_to_kill", "survival"), rounds=3, exact=True,
    )  # fmt: skip
    for cell in found.frame.itertuples():
        there = body.model_copy(
            update={"hit_points": cell.hit_points, "armor_class": cell.armor_class}
        )
        made: Strike | FullAttack = attack(SRD, who, there, weapon)
        if off_hand:
            made = full_attack(SRD, who, there, weapon, off_hand=off_hand)
        assert cell.rounds_to_kill == kill_time(made).mean
        assert cell.survival == survival(made, 3).p_alive


def rulesets() -> list[Ruleset]:
    return [SRD, CLASSIC, PHASED]


def test_the_ordinary_case_has_no_new_states() -> None:
    for rules in rulesets():
        made = attack(rules, HERO, Combatant(hit_points=4), "club")
        assert not {"staggered", "unconscious"} & set(survival(made, 1).states)
        assert kill_time(made).course is None
