"""Duels against a naive program over hit points, with the both-miss loop solved by hand."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import (
    Combatant,
    CombatkitError,
    Plan,
    Weapon,
    attack,
    duel,
    full_attack,
    load_ruleset,
)
from combatkit import Situation as There
from combatkit.combat.fights.morale import p_morale, solitary_morale
from combatkit.combat.turns.order import turns_in_phases

F = Fraction
RULES = {name: load_ruleset(name) for name in ("srd35", "classic", "phased")}
SRD = RULES["srd35"].with_switches(before_first_turn="ready")


def _who(bonus: int, ac: int, points: int, dice: str, **fields: Any) -> Combatant:
    return Combatant(
        attack_bonus=bonus, armor_class=ac, hit_points=points, weapons=[{"damage": dice}], **fields
    )


def naive(hits: dict[int, F], back: dict[int, F], a: int, b: int, down_at: int = 0) -> F:
    """Slow twin: chance that A, who moves first, wins; one blow a turn, no opening."""
    idle = hits.get(0, F(0)) * back.get(0, F(0))

    @cache
    def wins(mine: int, foe: int) -> F:
        # the pair of turns in which both miss leads back here: solve for it
        if mine <= down_at:
            return F(0)
        total = F(0)
        for dealt, chance in hits.items():
            if foe - dealt <= down_at:
                total += chance
                continue
            for taken, other in back.items():
                if dealt or taken:
                    total += chance * other * wins(mine - taken, foe - dealt)
        return total / (1 - idle)

    return wins(a, b)


blows = st.tuples(st.integers(-2, 12), st.integers(8, 20), st.sampled_from(["1d4", "1d6+1", "2"]))


@settings(max_examples=30)
@given(blows, blows, st.integers(1, 14), st.integers(1, 14), st.integers(-3, 0))
def test_agrees_with_the_naive_program(
    one: Any, two: Any, mine: int, theirs: int, down_at: int
) -> None:
    a = _who(one[0], one[1], mine, one[2])
    b = _who(two[0], two[1], theirs, two[2])
    hits = dict(attack(SRD, a, b).damage.items())
    back = dict(attack(SRD, b, a).damage.items())
    told = duel(SRD, a, b, first="a", down_at=down_at)
    assert told.p_a_wins == naive(hits, back, mine, theirs, down_at)
    assert told.p_a_wins + told.p_b_wins == 1
    assert sum(told.left("a").values()) == told.p_a_wins
    assert sum(told.loser("b").values()) == told.p_a_wins
    assert sum(told.in_the_end("b").values()) == told.p_a_wins
    swapped = duel(SRD, b, a, first="b", down_at=down_at)
    assert (swapped.p_b_wins, swapped.mean_rounds) == (told.p_a_wins, told.mean_rounds)


State = tuple[int, int, bool, bool]


class Played:
    """Slow twin: play so many rounds out over every state, a dictionary of Fractions."""

    def __init__(self, a: Combatant, b: Combatant, holds: tuple[F | None, F | None]) -> None:
        self.full = (a.hit_points, b.hit_points)
        self.holds = holds
        self.now: dict[State, F] = {(*self.full, False, False): F(1)}
        self.wins = [defaultdict(F), defaultdict(F)]  # type: ignore[var-annotated]
        self.loses = [defaultdict(F), defaultdict(F)]  # type: ignore[var-annotated]

    def turn(self, mover: int, strikes: list[dict[int, F]]) -> None:
        for damage in strikes:
            after: defaultdict[State, F] = defaultdict(F)
            for state, chance in self.now.items():
                for dealt, weight in damage.items():
                    self._hurt(state, mover, dealt, chance * weight, after)
            self.now = after
        self._nerves(1 - mover)

    def _hurt(self, state: State, mover: int, dealt: int, chance: F, after: Any) -> None:
        foe = 1 - mover
        points, tested = list(state[:2]), list(state[2:])
        points[foe] -= dealt
        if points[foe] <= 0:
            self.wins[mover][points[mover]] += chance
            self.loses[foe][max(points[foe], -10)] += chance
            return
        after[points[0], points[1], tested[0], tested[1]] += chance

    def _nerves(self, foe: int) -> None:
        """Those who have lost half check, once, after the turn."""
        holds = self.holds[foe]
        after: defaultdict[State, F] = defaultdict(F)
        for (*points, one, two), chance in self.now.items():
            tested = [one, two]
            if holds is not None and not tested[foe] and 2 * points[foe] <= self.full[foe]:
                tested[foe] = True
                self.wins[1 - foe][points[1 - foe]] += chance * (1 - holds)
                self.loses[foe]["fled"] += chance * (1 - holds)
                chance *= holds
            after[points[0], points[1], tested[0], tested[1]] += chance
        self.now = after


def _odds(made: Any) -> list[dict[int, F]]:
    return [dict(strike.damage.items()) for strike in made.strikes if strike.possible]


@pytest.mark.parametrize("holds", [(None, None), (F(11, 20), None), (F(1, 3), F(0))])
def test_openings_full_attacks_and_nerves_round_by_round(holds: tuple[F | None, F | None]) -> None:
    a = Combatant(
        base_attack=6, abilities={"str": 14, "dex": 14}, hit_points=13, armor="leather",
        weapons=["longsword"],
    )  # fmt: skip
    b = Combatant(
        base_attack=6, abilities={"str": 16}, hit_points=17, armor="hide", weapons=["spear"]
    )
    plan_a = Plan(opening=["charge", "defensive"], then="full", holds=holds[0], checks_at="1/2")
    plan_b = Plan(opening=["move"], then="full", holds=holds[1], checks_at="1/2")
    told = duel(SRD, a, b, plan_a, plan_b, first="a")
    played = Played(a, b, holds)
    rounds = 30
    for number in range(rounds):
        mine = {0: {"charging"}, 1: {"fighting_defensively"}}.get(number, set())
        shield = {0: {"charged"}, 1: {"fighting_defensively"}}.get(number, set())
        there = There(attacker=mine)
        if number < 2:
            played.turn(0, _odds(attack(SRD, a, b, situation=there)))
        else:
            played.turn(0, _odds(full_attack(SRD, a, b, situation=there)))
        if number:
            played.turn(1, _odds(full_attack(SRD, b, a, situation=There(defender=shield))))
        if number in (0, 1, 2, 7):
            assert told.over_by(number + 1) == 1 - sum(played.now.values())
            assert told.by_round(number + 1)[-1] == {
                "a": sum(played.wins[0].values()),
                "b": sum(played.wins[1].values()),
                "both": sum(played.now.values()),
            }
    rest = sum(played.now.values())
    assert rest < F(1, 10**9)
    for side, index in (("a", 0), ("b", 1)):
        won = sum(played.wins[index].values())
        assert won <= told.p_wins(side) <= won + rest
        for points, chance in played.wins[index].items():
            assert chance <= told.left(side).get(points, 0) <= chance + rest
        lost = told.loser(side)
        for name, states in {
            "dead": range(-10, -9),
            "dying": range(-9, 0),
            "disabled": [0],
        }.items():
            seen = sum(played.loses[index][points] for points in states)
            assert seen <= lost.get(name, 0) <= seen + rest
        assert played.loses[index]["fled"] <= lost["fled"] <= played.loses[index]["fled"] + rest


def test_surprise_and_being_caught_off_guard() -> None:
    nimble = Combatant(base_attack=3, abilities={"dex": 18}, hit_points=9, weapons=["short_sword"])
    rules = RULES["srd35"]
    flat = There(defender={"flat_footed"})
    free = dict(attack(rules, nimble, nimble, situation=flat).damage.items())
    hits = dict(attack(rules, nimble, nimble).damage.items())

    def after_first(strike: dict[int, F]) -> F:
        """A strikes once, then B moves first in an even fight."""
        down = sum(p for dealt, p in strike.items() if dealt >= 9)
        return down + sum(
            p * (1 - naive(hits, hits, 9 - dealt, 9)) for dealt, p in strike.items() if dealt < 9
        )

    # without surprise A's first blow finds B flat-footed, and nothing else is special
    assert duel(rules, nimble, nimble, first="a").p_a_wins == after_first(free)
    ready = rules.with_switches(before_first_turn="ready")
    assert duel(ready, nimble, nimble, first="a").p_a_wins == naive(hits, hits, 9, 9)
    # a surprise round before B moves first is the same free blow
    assert duel(ready, nimble, nimble, first="b", surprise="a").p_a_wins == after_first(free)


@pytest.mark.parametrize("name", RULES)
def test_who_moves_first_is_the_rulesets_matter(name: str) -> None:
    rules = RULES[name]
    quick = _who(5, 15, 10, "1d6", abilities={"dex": 16})
    slow = _who(5, 15, 10, "1d6", abilities={"dex": 8})
    told = duel(rules, quick, slow)
    p = told.p_a_first
    assert p == (F(13, 20) + F(1, 20) if name == "phased" else p)
    mixed = p * duel(rules, quick, slow, first="a").p_a_wins
    mixed += (1 - p) * duel(rules, quick, slow, first="b").p_a_wins
    assert told.p_a_wins == mixed
    assert F(1, 2) < p < 1


def test_in_phases_the_enemies_come_second_in_every_round() -> None:
    """A is too slow for the first player phase, and first in every later round."""
    sure = Combatant(attack_bonus=50, armor_class=10, hit_points=2, weapons=[{"damage": "1"}])
    rules = RULES["phased"]
    hit = attack(rules, sure, sure).p_hit
    told = duel(rules, sure, sure, first="b").by_round(3)
    assert told[1] == {"a": 0, "b": 0, "both": 1}
    assert told[2] == {"a": 0, "b": hit**2, "both": 1 - hit**2}
    assert told[3]["a"] > 0
    quick = duel(rules, sure, sure, first="a").by_round(2)
    assert quick[2]["a"] == hit**2
    turns = list(turns_in_phases(rules, ["A"], ["B"], 2, too_slow=["A"]))
    assert turns == [(1, "B"), (2, "A"), (2, "B")]


@pytest.mark.parametrize("first", ["a", "b"])
def test_how_long_fighting_defensively_lasts(first: Any) -> None:
    """Ending with the round, it helps only against those who act later in it."""
    one = _who(5, 14, 9, "1d6")
    plan = Plan(then="defensive")
    literal = SRD.with_switches(fighting_defensively_lasts="end_of_round")
    usual, ended = (duel(rules, one, one, plan, first=first) for rules in (SRD, literal))
    plain = dict(attack(SRD, one, one).damage.items())
    strikes = attack(SRD, one, one, situation=There(attacker={"fighting_defensively"}))
    guarded = attack(SRD, one, one, situation=There(defender={"fighting_defensively"}))
    mine = dict(strikes.damage.items())
    if first == "a":
        assert ended.p_a_wins == naive(mine, dict(guarded.damage.items()), 9, 9)
        assert ended.p_a_wins == usual.p_a_wins
    else:
        assert ended.p_b_wins == naive(plain, mine, 9, 9)
        assert ended.p_b_wins > usual.p_b_wins


def test_nerve_fails_as_often_as_in_a_fight_with_morale() -> None:
    rules = RULES["phased"]
    hero = Combatant(base_attack=6, abilities={"str": 16}, hit_points=9, weapons=["longsword"])
    wolf = _who(0, 13, 14, "0", temporary_hit_points=3)
    plan = Plan(then="full"), Plan(holds=p_morale(rules))
    told = duel(rules, hero, wolf, *plan, first="a")
    # a doll of a wolf never strikes back, so the fight is the one that solitary_morale knows
    fight = solitary_morale(rules, full_attack(rules, hero, wolf), rounds=3)
    assert told.loser("b")["fled"] == fight.p_flees
    assert told.by_round(3)[-1]["both"] == fight.by_round[3]["fighting"]
    early = Plan(holds=p_morale(rules), checks_at="1/4")
    assert duel(rules, hero, wolf, plan[0], early).loser("b")["fled"] > fight.p_flees


def test_dice_on_the_first_hit_count_once_a_turn() -> None:
    rules = SRD.with_switches(critical="none")
    hero = Combatant(base_attack=11, hit_points=5, armor_class=10, weapons=[{"damage": "1"}])
    doll = Combatant(armor_class=15, hit_points=8, weapons=[{"damage": "0"}])
    told = duel(rules, hero, doll, Plan(then="full", situation=There(first_hit="3")), first="a")
    assert told.p_a_wins == 1
    by_two = F(0)
    misses = [1 - one.p_hit for one in full_attack(rules, hero, doll).strikes]
    dealt: defaultdict[int, F] = defaultdict(F)
    for pattern in range(8):
        chance = F(1)
        for bit, miss in enumerate(misses):
            chance *= 1 - miss if pattern >> bit & 1 else miss
        count = bin(pattern).count("1")
        dealt[count + (3 if count else 0)] += chance
    by_two = sum((p * q for x, p in dealt.items() for y, q in dealt.items() if x + y >= 8), F(0))
    assert told.over_by(2) == by_two


def test_a_fight_without_end_is_told() -> None:
    doll = Combatant(armor_class=15, hit_points=8, weapons=[{"damage": "0"}])
    told = duel(SRD, doll, doll, first="a")
    assert (told.p_endless, told.mean_rounds, told.p_a_wins) == (1, None, 0)
    with pytest.raises(CombatkitError, match="never wins"):
        told.remaining("a")


def test_mean_rounds_by_the_tail() -> None:
    one = _who(9, 12, 6, "1d6")
    told = duel(SRD, one, one)
    assert told.mean_rounds is not None
    tail = sum((1 - told.over_by(n) for n in range(60)), F(0))
    assert tail <= told.mean_rounds <= tail + F(1, 10**12)


@pytest.mark.parametrize(
    "change, word",
    [
        ({"first": "c"}, "initiative"),
        ({"surprise": "c"}, "side"),
        ({"plan_a": Plan(then="move")}, "attacks"),
        ({"plan_a": Plan(holds="1/2")}, "checks_at"),
        ({"plan_a": Plan(then="charge", weapon="longbow")}, "melee"),
        ({"plan_b": Plan(situation=There(cover="total"))}, "not possible"),
        ({"b": _who(5, 12, 0, "1d6", name="Cat")}, r"b \(Cat\) is already down: 0 hit points"),
        ({"down_at": 6}, "already down"),
        ({"a": _who(5, 12, 0, "1d6", temporary_hit_points=8)}, "a is already down: 0 hit points"),
        ({"approx": 1}, "approx: a bool"),
        ({"down_at": 1.5}, "down_at must be a whole number"),
        ({"first": ["a"]}, "initiative"),
        ({"surprise": ["a"]}, "side"),
        ({"a": "fighter_6"}, "a: a Combatant is needed, not 'fighter_6'"),
        ({"plan_b": {"then": "full"}}, "plan of b: a Plan"),
        ({"plan_a": Plan(opening=["total_defense"], weapon="longswrd")}, "longsword"),
    ],
)
def test_what_cannot_be_is_told(change: dict[str, Any], word: str) -> None:
    inputs = {"a": _who(5, 12, 6, "1d6"), "b": _who(5, 12, 6, "1d6")} | change
    with pytest.raises(CombatkitError, match=word):
        duel(SRD, **inputs)


def test_a_course_too_long_is_refused_with_an_estimate() -> None:
    giant = _who(5, 18, 800, "2d6")
    fight = duel(SRD, giant, giant, first="a")
    assert sum(fight.by_round(3)[-1].values()) == 1
    with pytest.raises(CombatkitError, match=r"1000 rounds .* times the work .* fewer rounds"):
        fight.by_round(1000)


def test_what_no_plan_can_be_is_told() -> None:
    with pytest.raises(CombatkitError, match="charge"):
        Plan(opening=["chrge"])
    with pytest.raises(CombatkitError, match=r"holds.* from 0 to 1"):
        Plan(holds="3/2")
    with pytest.raises(CombatkitError, match="checks_at"):
        Plan(checks_at="-1/2")
    with pytest.raises(CombatkitError, match="rules: a Ruleset"):
        duel("srd35", Combatant(), Combatant())  # type: ignore[call-overload]


def test_charging_needs_a_rule_for_it() -> None:
    one = _who(5, 12, 6, "1d6")
    with pytest.raises(CombatkitError, match=r"phased.*no rule for 'charge'"):
        duel(RULES["phased"], one, one, Plan(opening=["charge"]))


def test_a_giant_fight_is_refused_with_an_estimate() -> None:
    titan = Combatant(
        base_attack=20, armor_class=30, hit_points=2000, weapons=[Weapon(damage="1d6")]
    )
    with pytest.raises(CombatkitError, match="times the work"):
        _ = duel(SRD, titan, titan, Plan(then="full"), Plan(then="full")).p_a_wins


@pytest.mark.parametrize("heals", [(1, 0), (0, 2), (2, 1)])
@pytest.mark.parametrize("first", ["a", "b"])
def test_healing_goes_to_the_chain(heals: tuple[int, int], first: Any) -> None:
    """Slow twin: play it out with dictionaries until almost nothing is left."""
    a = _who(6, 12, 6, "1d4", temporary_hit_points=2)
    b = _who(4, 11, 7, "1d3")
    plans = [
        Plan(heals=amount, holds=hold, checks_at="1/2")
        for amount, hold in zip(heals, (None, F(1, 2)), strict=True)
    ]
    told = duel(SRD, a, b, *plans, first=first)
    assert told.method == "chain"
    assert duel(SRD, a, b, first=first).method == "closed form"
    full, temporary, hold = (8, 7), (2, 0), (None, F(1, 2))
    now: dict[tuple[int, int, bool], F] = {(0, 0, False): F(1)}
    wins, stands = [F(0), F(0)], F(0)
    damage = [dict(attack(SRD, a, b).damage.items()), dict(attack(SRD, b, a).damage.items())]
    order = (0, 1) if first == "a" else (1, 0)
    for number in range(80):
        if number == 5:
            assert abs(told.over_by(5) - 1 + sum(now.values())) < F(1, 10**9)
        stands += sum(now.values())
        for mover in order:
            after: defaultdict[tuple[int, int, bool], F] = defaultdict(F)
            for (*taken, tested), chance in now.items():
                mine = max(min(taken[mover], temporary[mover]), taken[mover] - heals[mover])
                for dealt, weight in damage[mover].items():
                    foe, p, nerve = taken[1 - mover] + dealt, chance * weight, tested
                    if foe >= full[1 - mover]:
                        wins[mover] += p
                        continue
                    if mover == 0 and not tested and foe >= 4 and hold[1] is not None:
                        wins[mover] += p * (1 - hold[1])
                        p, nerve = p * hold[1], True
                    pair = (mine, foe) if mover == 0 else (foe, mine)
                    after[*pair, nerve] += p
            now = after
        now = {state: p.limit_denominator(10**18) for state, p in now.items() if p > F(1, 10**15)}
    assert abs(told.p_a_wins - wins[0]) < F(1, 10**9)
    assert abs(told.p_b_wins - wins[1]) < F(1, 10**9)
    assert told.mean_rounds is not None
    assert abs(told.mean_rounds - stands) < F(1, 10**9)
    assert sum(told.left("a").values()) == told.p_a_wins


def test_nobody_heals_in_a_round_without_a_turn() -> None:
    """B is struck for 2 of 5 before it has a turn, heals 1, and is struck for 2 again."""
    a = Combatant(attack_bonus=50, armor_class=50, hit_points=5, weapons=[{"damage": "2"}])
    b = Combatant(armor_class=10, hit_points=5, weapons=[{"damage": "0"}])
    rules = SRD.with_switches(critical="none")
    told = duel(rules, a, b, plan_b=Plan(heals=1), first="b", surprise="a")
    # 5 -2, then +1 -2 in every round: the fourth hit brings B down
    hit = F(19, 20)
    assert told.by_round(3)[-1]["a"] == 0
    assert told.by_round(4)[-1]["a"] == hit**4
    # B, surprising, heals on its turn, though it is unhurt: nothing changes but the round
    later = duel(rules, a, b, plan_b=Plan(heals=1), first="a", surprise="b")
    assert later.by_round(4)[-1]["a"] == 0
    assert later.by_round(5)[-1]["a"] == hit**4


def test_an_even_healer_may_fight_for_ever() -> None:
    """One blow of 3 brings down whoever stands at 3 or less; at more, healing 3 makes up for it."""
    rules = SRD.with_switches(critical="none")
    arm, doll = {"damage": "3"}, {"damage": "0"}
    a = Combatant(attack_bonus=5, armor_class=50, hit_points=5, weapons=[arm])
    b = Combatant(attack_bonus=5, armor_class=10, hit_points=5, weapons=[doll])
    told = duel(rules, a, b, plan_b=Plan(heals=3), first="a")
    assert (told.p_endless, told.mean_rounds, told.method) == (1, None, "chain")
    # two blows before B's first turn can do it: the surprise round, and the first
    told = duel(rules, a, b, plan_b=Plan(heals=3), first="a", surprise="a")
    hit = attack(rules, a, b).p_hit
    assert told.p_a_wins == hit**2
    assert told.p_endless == 1 - hit**2
    assert told.mean_rounds is None
    both = duel(rules, b, b, Plan(heals=1), Plan(heals=1))
    assert both.p_endless == 1


def test_healing_over_many_hit_points_is_refused() -> None:
    troll = _who(6, 12, 60, "1d4")
    with pytest.raises(CombatkitError, match="healing"):
        _ = duel(SRD, troll, troll, Plan(heals=5)).p_a_wins


@settings(max_examples=25)
@given(blows, blows, st.integers(1, 40), st.integers(1, 40), st.sampled_from(["a", "b"]))
def test_approximate_odds_keep_within_their_error(
    one: Any, two: Any, mine: int, theirs: int, first: Any
) -> None:
    a = _who(one[0], one[1], mine, one[2])
    b = _who(two[0], two[1], theirs, two[2])
    plan = Plan(opening=["defensive"], holds=F(1, 3), checks_at=F(1, 2))
    exact = duel(SRD, a, b, plan, first=first)
    near = duel(SRD, a, b, plan, first=first, approx=True)
    assert (near.method, exact.method) == ("turn by turn", "closed form")
    assert abs(near.p_a_wins_approx - float(exact.p_a_wins)) <= near.error < 1e-9
    assert abs(near.p_b_wins_approx - float(exact.p_b_wins)) <= near.error
    assert exact.mean_rounds is not None
    assert near.mean_rounds_approx == pytest.approx(float(exact.mean_rounds), rel=1e-9)


def test_approximate_giants_and_endless_fights() -> None:
    titan = Combatant(
        base_attack=20, armor_class=25, hit_points=600, weapons=[Weapon(damage="2d6")]
    )
    near = duel(SRD, titan, titan, Plan(then="full"), Plan(then="full"), first="a", approx=True)
    assert near.error < 1e-9
    assert 0.5 < near.p_a_wins_approx < 0.6
    doll = Combatant(armor_class=15, hit_points=8, weapons=[{"damage": "0"}])
    assert duel(SRD, doll, doll, first="a", approx=True).error >= 1
