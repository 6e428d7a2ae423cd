"""Ways on a map: costs, strikes, the price; the searches against every simple way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import combatkit as ck
from combatkit.combat.board import Going, cheapest_path, safest_path, walk_on
from combatkit.rules import Ruleset

SRD, CLASSIC, PHASED = (ck.load_ruleset(name) for name in ("srd35", "classic", "phased"))
HERO = ck.Combatant(
    name="hero", hit_points=11, armor_class=15, base_attack=2, weapons=["longsword"], speed=30
)
ORC = ck.Combatant(name="orc", attack_bonus=4, weapons=["greataxe"], hit_points=5)
GNAT = ck.Combatant(name="gnat", attack_bonus=0, weapons=["dagger"], hit_points=5)
Square = tuple[int, int]


def ann(at: Square = (0, 0), **more: Any) -> dict[str, Any]:
    return {"id": "Ann", "at": at, "side": "heroes", "combatant": HERO, **more}


def foe(at: Square, name: str = "orc", **more: Any) -> dict[str, Any]:
    return {"id": name, "at": at, "side": "orcs", "combatant": ORC, **more}


def ground(*others: dict[str, Any], hero: dict[str, Any] | None = None, **things: Any) -> ck.Map:
    return ck.Map(creatures=[hero or ann(), *others], **things)


def feet(there: ck.Map, path: list[Square], rules: Ruleset = SRD, **going: Any) -> Any:
    return walk_on(rules, there, "Ann", path, Going(**going)).feet


def east(steps: int, y: int = 0) -> list[Square]:
    return [(x, y) for x in range(1, steps + 1)]


# ---- what squares cost


@pytest.mark.parametrize(
    "things, path, alternating, single",
    [
        ({}, east(4), 20, 20),
        ({}, [(1, 1)], 5, 5),
        ({}, [(1, 1), (2, 2)], 15, 10),
        ({}, [(1, 1), (2, 1), (3, 2), (4, 3)], 25, 20),
        ({}, [(1, 1), (0, 0), (1, 1), (0, 0)], 30, 20),
        ({"difficult": [(1, 0)]}, east(2), 15, 15),
        ({"difficult": [(1, 1)]}, [(1, 1)], 15, 10),  # a diagonal into it counts 3 squares
        ({"difficult": [(1, 1), (2, 2)]}, [(1, 1), (2, 2), (3, 3)], 35, 25),
        ({"difficult": [(0, 0)]}, east(1), 5, 5),  # what one leaves costs nothing
        ({"low_walls": [(1, 0)]}, east(2), 15, 15),
        ({"low_walls": [((0, 0), (1, 0))]}, east(1), 15, 15),
        ({"low_walls": [((0, 0), (1, 0))]}, [(1, 1)], 15, 15),
        ({"low_walls": [((0, 0), (1, 0))], "difficult": [(1, 0)]}, east(1), 20, 20),
        ({"low_walls": [(1, 0)], "difficult": [(1, 0)]}, east(1), 20, 20),
        ({"darkness": [(1, 0)]}, east(1), 10, 10),
        ({"darkness": [(1, 0)], "difficult": [(1, 0)]}, east(1), 20, 20),
        ({"fog": [(1, 0)], "shadow": [(1, 0)]}, east(1), 5, 5),
    ],
)
def test_what_a_way_costs(
    things: dict[str, Any], path: list[Square], alternating: int, single: int
) -> None:
    there = ground(**things)
    for rules in (SRD, CLASSIC, PHASED):
        assert feet(there, path, rules) == alternating
        assert feet(there, path, rules.with_switches(diagonals="single")) == single


def test_darkvision_sees_in_the_dark() -> None:
    assert feet(ground(hero=ann(darkvision=True), darkness=[(1, 0)]), east(1)) == 5


def test_a_house_rule_changes_what_the_ground_does(tmp_path: Any) -> None:
    house = tmp_path / "house.toml"
    house.write_text(
        '[ruleset]\nid = "house"\ntitle = "Ours"\nextends = "srd35"\n'
        '[[source]]\nid = "house"\ntitle = "House"\n'
        '[[lookup]]\ntable = "ground"\nid = "covering"\nlabel = "Tree"\n'
        'cells = {movement = "hampers"}\nnote = "Trees are thin."\ncite = "house: trees"\n'
        '[[lookup]]\ntable = "ground"\nid = "fog"\nlabel = "Fog"\n'
        'cells = {movement = "hmapers"}\nnote = "Fog."\ncite = "house: fog"\n',
        "utf-8",
    )
    with pytest.raises(ck.CombatkitError, match=r"'ground.fog'.*did you mean 'hampers'"):
        ck.load_ruleset(house)
    house.write_text(house.read_text("utf-8").replace("hmapers", "nothing"), "utf-8")
    assert feet(ground(covering=[(1, 0)]), east(1), ck.load_ruleset(house)) == 10


@pytest.mark.parametrize(
    "things, path, said",
    [
        ({"walls": [(1, 0)]}, east(1), "a wall or its corner"),
        ({"slits": [(1, 0)]}, east(1), "a wall or its corner"),
        ({"covering": [(1, 0)]}, east(1), "a wall or its corner"),
        ({"walls": [((0, 0), (1, 0))]}, east(1), "a wall or its corner"),
        ({"walls": [(1, 0)]}, [(1, 1)], "a wall or its corner"),  # corners are not cut
        ({"walls": [((1, 0), (1, 1))]}, [(1, 1)], "a wall or its corner"),
        ({}, [(2, 0)], "no step to a neighboring square"),
        ({}, [(0, 0), (0, 0)], "no step to a neighboring square"),
        ({}, [(1, 0.5)], "two whole numbers"),
        ({}, [(x % 2, 0) for x in range(1, 500)], "at most 400 steps"),
    ],
)
def test_ways_that_are_not_open(things: dict[str, Any], path: list[Any], said: str) -> None:
    with pytest.raises(ck.CombatkitError, match=said):
        feet(ground(**things), path)


def test_through_friends_and_not_through_foes() -> None:
    bo = foe((1, 0), "Bo", side="heroes")
    assert feet(ground(bo), east(2)) == 10
    with pytest.raises(ck.CombatkitError, match="taken by Bo; nobody ends a move there"):
        feet(ground(bo), east(1))
    with pytest.raises(ck.CombatkitError, match="orc is in the way on"):
        feet(ground(foe((1, 0))), east(2))
    assert feet(ground(foe((1, 0))), [(1, 1), (2, 0)]) == 15  # corners of creatures are no corners
    giant = {"size": "huge", "at": (1, 0), "combatant": None}  # three sizes above small
    assert feet(ground(foe(**giant), hero=ann(size="small")), east(4)) == 20
    with pytest.raises(ck.CombatkitError, match="orc is in the way"):
        feet(ground(foe(**giant)), east(4))
    assert feet(ground(foe((1, 0)), hero=ann(size="tiny")), east(1)) == 5  # and it may stay


def test_a_large_mover_needs_room_for_all_its_squares() -> None:
    large = ann(size="large")
    assert feet(ground(hero=large, walls=[(3, 0)]), east(1)) == 5
    for things in (
        {"walls": [(2, 1)]},
        {"walls": [((2, 0), (2, 1))]},  # a border would stand inside it
        {"walls": [((1, 0), (2, 0))]},
    ):
        with pytest.raises(ck.CombatkitError, match="a wall or its corner"):
            feet(ground(hero=large, **things), east(1))
    assert feet(ground(hero=large, difficult=[(2, 1)]), east(1)) == 10


# ---- who may strike


def strikes(there: ck.Map, path: list[Square], rules: Ruleset = SRD, **going: Any) -> Any:
    walk = walk_on(rules, there, "Ann", path, Going(**going))
    return [(one.step, one.foe) for one in walk.opportunities]


def test_one_strike_for_a_whole_movement() -> None:
    quick = ORC.model_copy(update={"feats": ("combat_reflexes",), "abilities": {"dex": 18}})
    for who in (ORC, quick):
        assert strikes(ground(foe((2, 1), combatant=who)), east(4)) == [(2, "orc")]
    assert strikes(ground(foe((1, 1))), east(4)) == [(1, "orc")]  # leaving the first square
    assert strikes(ground(foe((4, 0))), east(3)) == []  # entering is free
    both = ground(foe((2, 1), "one"), foe((3, 1), "other"))
    assert strikes(both, east(5)) == [(2, "one"), (3, "other")]
    assert strikes(both, east(5), spent=["one"]) == [(3, "other")]


def test_a_withdraw_and_a_step() -> None:
    here = ground(foe((1, 1)))
    assert strikes(here, east(1), act="withdraw") == []
    assert strikes(here, east(2), act="withdraw") == [(2, "orc")]
    assert strikes(here, [(1, 0), (0, 0), (-1, 0)], act="withdraw") == [(2, "orc")]
    assert strikes(here, [(-1, 0), (-2, 0)], act="withdraw") == []
    assert strikes(here, east(1), act="five_foot_step") == []
    for path, things, said in (
        (east(2), {}, "is one step, not 2"),
        (east(1), {"difficult": [(1, 0)]}, "hampers movement"),
        (east(1), {"darkness": [(1, 0)]}, "hampers movement"),
    ):
        with pytest.raises(ck.CombatkitError, match=said):
            strikes(ground(**things), path, act="five_foot_step")
    slow = ann(combatant=HERO.model_copy(update={"speed": 5}))
    with pytest.raises(ck.CombatkitError, match="a speed above 5 feet"):
        strikes(ground(hero=slow), east(1), act="five_foot_step")


def test_reach_cover_and_those_who_cannot() -> None:
    assert strikes(ground(foe((1, 2), weapon="longspear")), [(-1, 0)]) == [(1, "orc")]
    assert strikes(ground(foe((1, 1), weapon="longspear")), [(-1, 0)]) == []  # too near for it
    assert strikes(ground(foe((1, 1), weapon="longbow")), [(-1, 0)]) == []
    assert strikes(ground(foe((1, 1), armed=False)), [(-1, 0)]) == []
    assert strikes(ground(foe((1, 1), side="heroes")), [(-1, 0)]) == []
    assert strikes(ground(foe((1, 1), side="")), [(-1, 0)]) == [(1, "orc")]
    walled = walk_on(SRD, ground(foe((1, 1)), walls=[(1, 0)]), "Ann", [(-1, 0)])
    assert walled.opportunities == () and walled.spared == (("orc", "Cover forbids it"),)
    assert "No strike by orc: Cover forbids it" in walled.explain()


def test_who_is_tiny_enters_a_square_under_attack() -> None:
    tiny = ground(foe((1, 0)), hero=ann(size="tiny"))
    assert strikes(tiny, east(1), act="withdraw") == [(1, "orc")]
    assert strikes(tiny, east(1), act="five_foot_step") == [(1, "orc")]
    never = SRD.with_switches(step_into_square="never")
    assert strikes(tiny, east(1), never, act="five_foot_step") == []


def test_each_strike_has_the_situation_of_its_square() -> None:
    here = ground(foe((2, 1), "one"), foe((2, -1), "other"), fog=[(2, 0)])
    walk = walk_on(SRD, here, "Ann", east(4))
    assert [one.square for one in walk.opportunities] == [(1, 0), (1, 0)]
    late = ground(foe((3, 1), "one"), foe((3, -1), "other"), fog=[(3, 0)], walls=[(3, 2)])
    after = walk_on(SRD, late, "Ann", [*east(3), (4, 0)], Going(spent=["one"]))
    assert after.opportunities[0].threat.situation.attacker == set()
    inside = ground(foe((3, 1), "one"), foe((3, -1), "other"), hero=ann((3, 0)), fog=[(3, 0)])
    struck = walk_on(SRD, inside, "Ann", [(4, 0)]).opportunities[0]
    there = ck.board.position_on(SRD, inside, "one", "Ann").situation
    moving = there.model_copy(update={"defender": frozenset({"moving_away"})})
    assert struck.threat.situation == moving
    assert (there.attacker, there.concealment) == ({"flanking"}, "standard")


def test_mobility_counts_against_strikes_at_one_who_moves() -> None:
    bare = HERO.model_copy(update={"armor_class": None, "dodge": 1})
    nimble = bare.model_copy(update={"feats": ("mobility",)})
    plain, quick = (
        walk_on(SRD, ground(foe((1, 1)), hero=ann(combatant=who)), "Ann", [(-1, 0)])
        for who in (bare, nimble)
    )
    assert plain.p_struck - quick.p_struck == Fraction(4, 20)


def test_phased_goes_by_engagement() -> None:
    here = ground(foe((1, 0)), foe((0, -1), "other"))
    around = [(0, 1), (1, 1), (2, 1)]
    assert strikes(here, around, PHASED) == []  # nobody is engaged
    assert strikes(here, around, PHASED, engaged=["orc"]) == [(3, "orc")]
    far = walk_on(PHASED, here, "Ann", [(0, 1), (1, 2), (2, 2)], Going(engaged=["orc"]))
    assert far.spared == (("orc", "10 feet is beyond a reach of 5 feet"),)
    assert strikes(here, [(-1, 0), (-2, 0)], PHASED, engaged=["orc"]) == []  # backing away
    away = [(-1, 0), (-2, 0)]
    assert strikes(here, away, PHASED, engaged=["orc", "other"], act="dash") == [
        (1, "orc"),
        (1, "other"),
    ]
    walk = walk_on(PHASED, here, "Ann", away, Going(engaged=["orc"]))
    assert "left out: pursuit, interception" in walk.explain()
    for rules, going, said in (
        (PHASED, {"tumble": 5}, "ruleset 'phased' has no Tumble"),
        (PHASED, {"act": "withdraw"}, "'withdraw' is not known; valid: dash, move"),
        (SRD, {"engaged": ["orc"]}, "ruleset 'srd35' has no engagement"),
        (SRD, {"act": "run"}, "'run' is not known"),
        (SRD, {"act": "five_foot_step", "tumble": 5}, "nobody tumbles in a 5-foot step"),
        (SRD, {"spent": ["ork"]}, "did you mean 'orc'"),
        (SRD, {"spent": ["Ann"]}, "Ann is"),
        (SRD, {"tumbel": 5}, "did you mean 'tumble'"),
    ):
        with pytest.raises(ck.CombatkitError, match=said):
            walk_on(rules, here, "Ann", away, Going(**going))


# ---- the price


def slow_price(walk: ck.board.Walk) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """Damage, chance to go down and chance to be hit, outcome by outcome."""
    going: list[tuple[Fraction, int, bool]] = [(Fraction(1), 0, False)]
    for one in walk.opportunities:
        threat = one.threat
        strike = ck.attack(SRD, threat.who, HERO, threat.weapon, threat.situation)
        misses = 1 - strike.p_hit
        after = []
        for chance, taken, struck in going:
            if HERO.hit_points - taken < 0:
                after.append((chance, taken, struck))
                continue
            after.append((chance * threat.avoided, taken, struck))
            for damage, odds in strike.damage.items():
                weight = chance * (1 - threat.avoided) * odds
                after.append((weight, taken + damage, struck or damage > 0))
        going = after
        assert strike.damage.p(0) == misses
    damage: dict[int, Fraction] = {}
    for chance, taken, _ in going:
        if chance:
            damage[taken] = damage.get(taken, Fraction(0)) + chance
    down = sum((c for c, taken, _ in going if HERO.hit_points - taken < 0), Fraction(0))
    return damage, down, sum((c for c, _, struck in going if struck), Fraction(0))


@pytest.mark.parametrize("tumble", [None, -5, 0, 9, 14, 30])
def test_the_price_by_brute_force(tumble: int | None) -> None:
    foes = [foe((2, 1), "one"), foe((3, -1), "two", combatant=GNAT), foe((5, 1), "three")]
    walk = walk_on(SRD, ground(*foes), "Ann", east(7), Going(tumble=tumble))
    assert len(walk.opportunities) == 3
    damage, down, struck = slow_price(walk)
    assert dict(walk.damage.items()) == damage
    assert (walk.p_dropped, walk.p_struck) == (down, struck)
    assert walk.expected_damage == sum(d * chance for d, chance in damage.items())
    assert walk.p_arrives == 1 - down
    if tumble is not None:
        assert [one.dc for one in walk.opportunities] == [15, 17, 19]
        assert (walk.feet, walk.movement) == (35, 70)
        assert walk.opportunities[1].threat.avoided == ck.checks.p_check(tumble, 17)


def test_without_tumble_it_is_the_price_of_provoking() -> None:
    walk = walk_on(SRD, ground(foe((2, 1)), foe((3, 1), "other")), "Ann", east(5))
    plain = ck.turns.price_of_provoking(SRD, HERO, [one.threat for one in walk.opportunities])
    assert (walk.damage, walk.price.states) == (plain.damage, plain.states)


def test_tumbling_through_a_foe() -> None:
    here = ground(foe((2, 0)))
    walk = walk_on(SRD, here, "Ann", east(4), Going(tumble=14))
    (entry,) = walk.opportunities
    assert (entry.step, entry.dc, entry.through) == (2, 25, Fraction(1, 2))
    strike = ck.attack(SRD, ORC, HERO, situation=entry.threat.situation)
    assert walk.expected_damage == strike.damage.mean / 2
    assert walk.p_struck == strike.p_hit / 2
    assert walk.p_arrives == Fraction(1, 2)
    # first past it by a check of 15, then through it: a strike comes at most once
    past = walk_on(SRD, here, "Ann", [(1, 1), (1, 0), (2, 0), (3, 0)], Going(tumble=14))
    assert [(one.step, one.dc) for one in past.opportunities] == [(2, 15), (3, 25)]
    fails, stops = 1 - Fraction(20, 20), Fraction(1, 2)
    assert past.opportunities[0].threat.avoided == 1 - fails
    clumsy = walk_on(SRD, here, "Ann", [(1, 1), (1, 0), (2, 0), (3, 0)], Going(tumble=9))
    passes, through = Fraction(15, 20), Fraction(5, 20)
    assert clumsy.opportunities[0].threat.avoided == passes
    struck = (1 - passes) + passes * (1 - through)
    assert clumsy.p_struck == struck * strike.p_hit
    assert clumsy.expected_damage == struck * strike.damage.mean
    assert past.p_arrives == stops and clumsy.p_arrives < through
    further = walk_on(SRD, ground(foe((0, 1), "by"), foe((2, 0))), "Ann", east(4), Going(tumble=14))
    assert [one.dc for one in further.opportunities] == [15, 27]


def test_a_strike_without_a_combatant_has_no_odds() -> None:
    bare = ground(foe((1, 1), combatant=None))
    walk = walk_on(SRD, bare, "Ann", [(-1, 0)])
    assert [one.foe for one in walk.opportunities] == ["orc"]
    assert "orc may strike" in walk.explain()
    with pytest.raises(ck.CombatkitError, match="orc has no combatant on the map"):
        walk.price  # noqa: B018
    with pytest.raises(ck.CombatkitError, match="orc has no combatant on the map"):
        safest_path(SRD, bare, "Ann", (-1, 0))
    assert cheapest_path(SRD, bare, "Ann", (-1, 0)).feet == 5


def test_the_size_that_the_map_gives_counts_in_the_strike() -> None:
    huge = walk_on(SRD, ground(foe((1, 1), size="large")), "Ann", [(-1, 0)]).opportunities[0]
    assert (huge.threat.who.size, huge.threat.who.reach) == ("large", 10)
    assert "large" not in str(ORC.size)


def test_turns_and_words() -> None:
    walk = walk_on(SRD, ground(foe((2, 1))), "Ann", east(13))
    assert (walk.feet, walk.turns) == (65, 2)
    assert walk_on(SRD, ground(), "Ann", east(12)).turns == 1
    assert walk_on(SRD, ground(), "Ann", east(13), Going(act="withdraw")).turns == 2
    assert walk_on(PHASED, ground(), "Ann", east(7)).turns == 2
    assert walk_on(PHASED, ground(), "Ann", east(7), Going(act="dash")).turns == 1
    assert walk_on(SRD, ground(), "Ann", []).turns == 1
    text = walk.explain()
    for words in (
        "Ann, (0, 0) to (13, 0): 65 feet in 13 steps",
        "Step 2: orc may strike at (1, 0): leaves (1, 0), which orc threatens",
        f"Struck {walk.p_struck}; damage expected {walk.expected_damage}",
        "It takes 2 turns",
        "left out: squeezing",
    ):
        assert words in text
    stuck = ann(combatant=HERO.model_copy(update={"speed": 0}))
    with pytest.raises(ck.CombatkitError, match="speed of 0"):
        _ = walk_on(SRD, ground(hero=stuck), "Ann", east(1)).turns


# ---- the searches against every simple way

Risk = tuple[Fraction, Any]


def blocked(there: ck.Map, at: Square, to: Square) -> bool:
    """Slow twin of a step of one square: walls, corners, foes."""
    walls = {*there.walls, *there.covering, *there.slits}
    (x, y), (a, b) = at, to
    turns: list[list[Square]] = [[at, (a, y), to], [at, (x, b), to]]
    for way in turns:
        for one, other in pairwise(way):
            if one == other:
                continue
            if other in walls or any({*w} == {one, other} for w in walls if w not in (one, other)):
                return True
    return any(one.at == to and one.side == "orcs" for one in there.creatures)


def slow_cost(there: ck.Map, at: Square, to: Square, diagonals: int) -> tuple[int, int]:
    """Feet of a step and diagonal steps so far."""
    slow = 2 ** ((to in there.difficult) + (to in there.low_walls))
    straight = at[0] == to[0] or at[1] == to[1]
    if slow > 1:
        return slow * 5 if straight else slow * 15 // 2, diagonals
    if straight:
        return 5, diagonals
    return (10 if diagonals % 2 else 5), diagonals + 1


class Slow:
    """Every simple way of a board, with what it costs and risks."""

    def __init__(self, there: ck.Map, size: Square, end: Square, going: Going, aim: str) -> None:
        self.map, self.size, self.end, self.going, self.aim = there, size, end, going, aim
        self.best: Risk | None = None
        self.openings: dict[tuple[str, Square], Any] = {}
        self.risks: dict[Any, Fraction] = {}

    def opening(self, name: str, at: Square) -> Any:
        """Whether a foe beside a square may strike there, and in which situation."""
        if (name, at) not in self.openings:
            one = self.map.creature(name)
            near = distance(one.at, at) <= 1
            found = ck.board.position_on(SRD, self.map.moved("Ann", at), name, "Ann")
            may = near and found.allows_opportunity_attack
            self.openings[name, at] = found.situation if may else None
        return self.openings[name, at]

    def risk(self, met: tuple[tuple[str, Square], ...]) -> Fraction:
        """What the strikes at those squares, in that order, cost."""
        if self.aim == "feet":
            return Fraction(0)
        if met not in self.risks:
            threats = []
            for before, (name, at) in enumerate(met):
                who = self.map.creature(name).combatant
                assert isinstance(who, ck.Combatant)
                avoided = Fraction(0)
                if self.going.tumble is not None:
                    avoided = ck.checks.p_check(self.going.tumble, 15 + 2 * before)
                situation = self.opening(name, at)
                threats.append(ck.turns.Threat(who, None, situation, avoided=avoided))
            price = ck.turns.price_of_provoking(SRD, HERO, threats)
            self.risks[met] = getattr(price, self.aim)
        return self.risks[met]

    def neighbors(self, at: Square) -> Iterator[Square]:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                to = (at[0] + dx, at[1] + dy)
                inside = 0 <= to[0] < self.size[0] and 0 <= to[1] < self.size[1]
                if to != at and inside and not blocked(self.map, at, to):
                    yield to

    def go(self, way: tuple[Square, ...], gone: int, diagonals: int, met: Any) -> None:
        """Follow every way that is not dearer already than the best one found.

        It comes back to a square only once more foes have had their strike.
        """
        here = (self.risk(met), gone)
        if self.best is not None and here >= self.best:
            return
        at = way[-1]
        if at == self.end:
            self.best = here
            return
        leaves = self.going.act != "withdraw" or gone > 0
        had = {name for name, _ in met}
        foes = [one.id for one in self.map.creatures if one.side == "orcs" and one.id not in had]
        more = tuple((name, at) for name in foes if leaves and self.opening(name, at) is not None)
        onward = way if not more or self.aim == "feet" else (at,)
        for to in sorted(self.neighbors(at), key=lambda s: (distance(s, self.end), s)):
            if to not in onward:
                cost, turned = slow_cost(self.map, at, to, diagonals)
                self.go((*onward, to), gone + cost, turned, met + more)


def distance(one: Square, other: Square) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@st.composite
def boards(draw: st.DrawFn) -> tuple[ck.Map, Square]:
    """Draw a board of up to 5 by 5 squares, its larger ones full of walls."""
    size = draw(st.tuples(st.integers(2, 5), st.integers(2, 5)))
    every = [(x, y) for x in range(size[0]) for y in range(size[1])]
    square = st.sampled_from(every)
    fewest = max(0, len(every) - 11)
    walls = draw(st.lists(square, min_size=fewest, max_size=fewest + 3, unique=True))
    places = draw(st.lists(square, min_size=4, max_size=4, unique=True))
    start, *others = places
    foes = [
        foe(at, f"foe {number}", combatant=draw(st.sampled_from([ORC, GNAT])))
        for number, at in enumerate(others[: draw(st.integers(0, 3))])
    ]
    borders = st.builds(lambda s, up: [s, (s[0], s[1] + 1) if up else (s[0] + 1, s[1])], square,
                        st.booleans())  # fmt: skip
    there = ground(
        *foes,
        hero=ann(start),
        walls=[
            *(wall for wall in walls if wall not in places),
            *draw(st.lists(borders, max_size=3)),
        ],
        difficult=draw(st.lists(square, max_size=4)),
        low_walls=draw(st.lists(square, max_size=2)),
        fog=draw(st.lists(square, max_size=4)),
    )
    return there, size


@settings(max_examples=50)
@given(boards(), st.data())
def test_the_searches_find_what_every_simple_way_finds(
    drawn: tuple[ck.Map, Square], data: st.DataObject
) -> None:
    there, size = drawn
    end = data.draw(st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1)))
    assume(end not in there.walls and all(one.at != end for one in there.creatures))
    act = data.draw(st.sampled_from(["move", "withdraw"]))
    going = Going(act=act, tumble=data.draw(st.sampled_from([None, None, 5])))
    area = ((0, 0), (size[0] - 1, size[1] - 1))
    for aim in ("feet", "p_dropped", "expected_damage"):
        slow = Slow(there, size, end, going, aim)
        slow.go((there.creature("Ann").at,), 0, 0, ())
        try:
            if aim == "feet":
                walk = cheapest_path(SRD, there, "Ann", end, going, area)
                found: Any = (0, walk.feet)
            else:
                walk = safest_path(SRD, there, "Ann", end, going, area, aim)  # type: ignore[arg-type]
                found = (getattr(walk, aim), walk.feet)
        except ck.CombatkitError as error:
            assert "no way leads" in str(error) and slow.best is None
            continue
        assert found == slow.best


def test_diagonals_alternate_along_the_search() -> None:
    """Straight steps between diagonal ones do not reset the count."""
    walk = cheapest_path(SRD, ground(), "Ann", (4, 2))
    assert walk.feet == 25
    single = SRD.with_switches(diagonals="single")
    assert cheapest_path(single, ground(), "Ann", (4, 2)).feet == 20


def test_the_safest_way_goes_around() -> None:
    here = ground(foe((3, 1)))
    near, far = (find(SRD, here, "Ann", (6, 0)) for find in (cheapest_path, safest_path))
    assert (near.feet, far.feet, near.p_dropped > 0, far.p_struck) == (30, 35, True, 0)
    by_chance = safest_path(SRD, here, "Ann", (6, 0), least="p_dropped")
    assert (by_chance.p_dropped, by_chance.feet) == (0, 35)
    sturdy = ann(combatant=HERO.model_copy(update={"hit_points": 500}))
    past = safest_path(SRD, ground(foe((3, 1)), hero=sturdy), "Ann", (6, 0), least="p_dropped")
    assert past.feet == 30  # it cannot go down, so the feet decide


def test_the_weaker_of_two_squares_to_be_struck_in() -> None:
    """The same foe strikes anyway: better through the fog, though it costs more."""
    here = ground(
        foe((2, 1)),
        hero=ann((0, 1)),
        walls=[(2, y) for y in (-2, -1, 3, 4)],
        fog=[(1, 2)],
        difficult=[(2, 2)],
    )
    area = ((0, -2), (4, 4))
    safe = safest_path(SRD, here, "Ann", (4, 1), area=area)
    cheap = cheapest_path(SRD, here, "Ann", (4, 1), area=area)
    assert [walk.opportunities[0].square for walk in (cheap, safe)] == [(1, 0), (1, 2)]
    assert safe.expected_damage == cheap.expected_damage * Fraction(4, 5)
    assert safe.feet > cheap.feet


def test_what_is_refused() -> None:
    for there, to, more, said in (
        (
            ground(walls=[(1, y) for y in range(-9, 9)]),
            (2, 0),
            {"area": ((0, 0), (3, 3))},
            "no way",
        ),
        (ground(), (400, 400), {}, "too large to search; at most 10000"),
        (ground(), (9, 9), {"area": ((0, 0), (3, 3))}, "the end .* lies outside the area"),
        (ground(foe((2, 0))), (2, 0), {}, "taken by orc"),
        (ground(), (1, "x"), {}, "two whole numbers"),
        (ground(), (3, 0), {"going": Going(act="five_foot_step")}, "is one step, not 3"),
    ):
        with pytest.raises(ck.CombatkitError, match=said):
            cheapest_path(SRD, there, "Ann", to, **more)  # type: ignore[arg-type]
    with pytest.raises(ck.CombatkitError, match="is on the side of Ann"):
        friend = foe((2, 2), "Bo", side="heroes")
        cheapest_path(SRD, ground(friend), "Ann", (1, 0), Going(spent=["Bo"]))
    with pytest.raises(ck.CombatkitError, match="did you mean 'p_dropped'"):
        safest_path(SRD, ground(), "Ann", (1, 0), least="p_droped")  # type: ignore[arg-type]
    with pytest.raises(ck.CombatkitError, match="map: a Map is needed"):
        walk_on(SRD, {}, "Ann", [])  # type: ignore[arg-type]


def test_a_large_board_is_searched_soon() -> None:
    foes = [foe(at, f"foe {at}") for at in ((7, 7), (14, 15), (20, 20), (26, 27))]
    there = ground(
        *foes,
        walls=[(10, y) for y in range(25)] + [(22, y) for y in range(6, 30)],
        difficult=[(x, y) for x in range(12, 18) for y in range(10, 20)],
    )
    began = time.process_time()
    walk = safest_path(SRD, there, "Ann", (29, 29), area=((0, 0), (29, 29)))
    assert walk.p_struck == 0
    assert time.process_time() - began < 10  # about half a second; a busy machine is no failure
