"""Maps: what is read off them, each reading, laws, and unfriendly input."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import combatkit as ck

RULES = {name: ck.load_ruleset(name) for name in ("srd35", "classic", "phased")}
SRD, CLASSIC = RULES["srd35"], RULES["classic"]
BOW, SPEAR = "longbow", "longspear"


def duel(to: tuple[int, int], weapon: str | None = None, **ground: Any) -> ck.Map:
    """Ann at the origin against a foe."""
    more = ground.pop("more", ())
    foe = ground.pop("foe", {})
    ann = {"id": "Ann", "at": (0, 0), "side": "heroes", "weapon": weapon}
    return ck.Map(creatures=[ann, {"id": "foe", "at": to, "side": "foes", **foe}, *more], **ground)


def there(ground: ck.Map, rules: ck.rules.Ruleset = SRD, **how: Any) -> ck.Situation:
    return ck.situation_on(rules, ground, "Ann", "foe", **how)


def friend(name: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"id": name, "at": at, "side": "heroes", **more}


# ---- distance


@pytest.mark.parametrize(
    "to, weapon, alternating, single, as_distance",
    [
        ((6, 0), BOW, 30, 30, 30),
        ((6, 6), BOW, 45, 30, 45),
        ((2, 2), BOW, 15, 10, 15),
        ((2, 2), SPEAR, 10, 10, 15),  # a reach of 10 feet takes in the second diagonal
        ((3, 3), SPEAR, 20, 15, 20),
        ((0, 0), None, 0, 0, 0),
    ],
)
def test_distance_and_its_readings(
    to: tuple[int, int], weapon: str, alternating: int, single: int, as_distance: int
) -> None:
    ground = duel(to, weapon)
    assert there(ground).distance == alternating
    assert there(ground, SRD.with_switches(diagonals="single")).distance == single
    plain = SRD.with_switches(reach_diagonal="as_distance")
    assert there(ground, plain).distance == as_distance


def test_a_situation_goes_straight_into_an_attack() -> None:
    ground = ck.Map(
        creatures=[
            {"id": "Ann", "at": (0, 0), "side": "heroes", "combatant": "fighter_6"},
            {"id": "ogre", "at": (1, 0), "side": "giants", "combatant": "ogre"},
            {"id": "Bo", "at": (3, 1), "side": "heroes", "combatant": "fighter_6"},
        ]
    )
    fighter, ogre = SRD.combatant("fighter_6"), SRD.combatant("ogre")
    plain = ck.attack(SRD, fighter, ogre)
    flanked = ck.attack(SRD, fighter, ogre, situation=ck.situation_on(SRD, ground, "Ann", "ogre"))
    assert flanked.p_hit - plain.p_hit == Fraction(1, 10)
    far = ground.moved("Ann", (-9, 0))
    made = ck.attack(SRD, fighter, ogre, situation=ck.situation_on(SRD, far, "Ann", "ogre"))
    assert "beyond a reach" in made.why_not


# ---- cover


@pytest.mark.parametrize(
    "to, weapon, ground, cover",
    [
        ((4, 0), BOW, {}, None),
        ((4, 0), BOW, {"walls": [(2, 0)]}, "standard"),
        ((4, 0), BOW, {"covering": [(2, 0)]}, "standard"),
        ((4, 0), BOW, {"slits": [((2, 0), (3, 0))]}, "improved"),
        ((4, 0), BOW, {"more": [friend("Bo", (2, 0))]}, "soft"),
        ((4, 0), BOW, {"more": [{"id": "orc", "at": (2, 0), "side": "foes"}]}, "soft"),
        ((4, 0), BOW, {"more": [friend("Bo", (2, 0))], "walls": [(3, 0)]}, "standard"),
        ((4, 0), BOW, {"walls": [(2, y) for y in range(-9, 9)]}, "total"),
        ((4, 0), BOW, {"covering": [(2, y) for y in range(-9, 9)]}, "standard"),
        ((1, 0), None, {"walls": [((0, 0), (1, 0))]}, "standard"),
        ((1, 0), None, {"low_walls": [((0, 0), (1, 0))]}, "standard"),
        ((1, 0), None, {"walls": [((0, 0), (0, 1))]}, None),
        ((1, 1), None, {"walls": [(1, 0)]}, "standard"),  # round a corner
        ((1, 1), None, {"more": [friend("Bo", (1, 0))]}, None),
        ((1, 1), None, {"walls": [(0, 1), (1, 0)]}, "total"),  # no gap at all
        ((2, 0), SPEAR, {"walls": [(1, 0)]}, "standard"),
        ((2, 0), SPEAR, {"more": [friend("Bo", (1, 0))]}, "standard"),
    ],
)
def test_cover(to: tuple[int, int], weapon: str, ground: dict[str, Any], cover: str) -> None:
    for rules in (SRD, CLASSIC):
        here = duel(to, weapon, **ground)
        found = ck.board.position_on(rules, here, "Ann", "foe")
        assert found.situation.cover == cover
        assert found.allows_opportunity_attack == (cover is None)
        assert found.allows_hiding == (cover not in (None, "soft"))


def test_a_creature_in_the_way_of_reach_is_a_reading() -> None:
    ground = duel((2, 0), SPEAR, more=[friend("Bo", (1, 0))])
    assert there(ground).cover == "standard"
    assert there(ground, SRD.with_switches(reach_past_creatures="none")).cover is None


def test_touching_a_line_is_a_reading() -> None:
    ground = duel((3, 0), BOW, walls=[(1, 1)])
    assert there(ground).cover is None
    assert there(duel((3, 0), BOW, walls=[(1, 0)])).cover == "standard"
    closed = SRD.with_switches(line_touching="closed")
    assert there(ground, closed).cover is None  # two corners are still free of it
    both = duel((3, 0), BOW, walls=[(1, 1), (1, -1)])
    assert there(both).cover is None
    assert there(both, closed).cover == "standard"


@pytest.mark.parametrize(
    "to, trees, band",
    [
        ((4, 0), [], None),
        ((3, 1), [(1, 1), (3, 0)], "25"),
        ((4, 0), [(1, 0)], "50"),
        ((3, 2), [(0, 1), (2, 1)], "75"),
        ((4, 0), [(2, y) for y in range(-2, 3)], "90"),  # trees never stop a shot altogether
    ],
)
def test_the_percent_table_is_a_reading(
    to: tuple[int, int], trees: list[tuple[int, int]], band: str
) -> None:
    ground = duel(to, BOW, covering=trees)
    percent = CLASSIC.with_switches(cover_table="percent")
    assert there(ground, percent).cover == band
    assert there(ground, CLASSIC).cover == ("standard" if trees else None)


def test_by_percent_the_attacker_chooses_the_least_bonus() -> None:
    ground = duel((3, 1), BOW, covering=[(1, 1), (3, 0)], more=[friend("Bo", (2, 1))])
    percent = CLASSIC.with_switches(cover_table="percent")
    rows = percent.slots["cover"]
    found = ck.board.position_on(percent, ground, "Ann", "foe")
    assert found.situation.cover is not None
    bonus = rows[found.situation.cover].column("ranged")
    assert bonus is not None and 0 < bonus <= 4


def test_low_walls_cover_within_thirty_feet_and_those_no_farther_than_the_attacker() -> None:
    wall = [(7, 0)]
    ann = duel((8, 0), BOW, low_walls=wall)
    assert there(ann).cover == "standard"
    assert there(duel((13, 0), BOW, low_walls=wall)).cover == "standard"  # 6 squares of it
    assert there(duel((14, 0), BOW, low_walls=wall)).cover is None  # 7 squares of it
    near = duel((6, 0), BOW, low_walls=[(1, 0)])  # Ann stands at it, the foe 5 squares off
    assert there(near).cover is None
    assert there(duel((4, 0), BOW, low_walls=[(2, 0)])).cover == "standard"  # as near as Ann
    assert there(duel((5, 0), BOW, low_walls=[(2, 0)])).cover is None
    assert there(duel((5, 0), BOW, walls=[(2, 0)])).cover == "standard"


def test_who_is_large_chooses_a_square_in_melee_only() -> None:
    large = {"size": "large", "reach": 10}
    # a wall on the lower half of the border between Ann and the large foe beside her
    ground = duel((1, 0), foe=large, walls=[((0, 0), (1, 0))])
    assert there(ground).cover == "standard"  # Ann's square has the wall or its corner in the way
    both = ck.Map(
        creatures=[
            {"id": "Ann", "at": (0, 0), "size": "large", "reach": 10},
            {"id": "foe", "at": (3, 0), "size": "large", "reach": 10},
        ],
        walls=[(2, 0)],
    )
    assert there(both).cover is None  # from square (1, 1) to square (3, 1)
    assert there(both, weapon=BOW).cover == "standard"


# ---- concealment


@pytest.mark.parametrize(
    "to, weapon, ground, sees_in_dark, row",
    [
        ((4, 0), BOW, {"fog": [(2, 0)]}, False, "standard"),
        ((4, 0), BOW, {"fog": [(4, 0)]}, False, "standard"),  # the foe's own square
        ((4, 0), BOW, {"fog": [(4, 0)]}, True, "standard"),
        ((4, 0), BOW, {"fog": [(2, 2)]}, False, None),
        ((4, 0), BOW, {"fog": [((2, 0), (3, 0))]}, False, "standard"),  # a hedge on a border
        ((4, 0), BOW, {"shadow": [(2, 0)]}, False, "standard"),
        ((4, 0), BOW, {"shadow": [(2, 0)]}, True, None),
        ((4, 0), BOW, {"darkness": [(4, 0)]}, False, "total"),
        ((4, 0), BOW, {"darkness": [(4, 0)]}, True, None),
        ((4, 0), BOW, {"darkness": [(3, 0)]}, False, None),
        ((1, 0), None, {"fog": [(1, 0)]}, False, "standard"),
        ((1, 0), None, {"fog": [(0, 0)]}, False, None),
        ((2, 0), SPEAR, {"fog": [(1, 0)]}, False, "standard"),
    ],
)
def test_concealment(
    to: tuple[int, int], weapon: str, ground: dict[str, Any], sees_in_dark: bool, row: str
) -> None:
    here = duel(to, weapon, **ground)
    if sees_in_dark:
        ann = here.creature("Ann").model_copy(update={"darkvision": True})
        here = here.model_copy(update={"creatures": (ann, here.creature("foe"))})
    for rules in (SRD, CLASSIC):
        found = ck.board.position_on(rules, here, "Ann", "foe")
        assert found.situation.concealment == row
        assert found.allows_hiding == (row is not None)
        assert found.allows_opportunity_attack == (row != "total")


def test_a_large_target_must_be_wholly_concealed_from_melee() -> None:
    large = {"size": "large", "reach": 10}
    half = [(1, 0), (2, 0)]
    assert there(duel((1, 0), foe=large, fog=half)).concealment is None
    assert there(duel((1, 0), foe=large, fog=[*half, (1, 1), (2, 1)])).concealment == "standard"
    assert there(duel((1, 0), foe=large, darkness=half)).concealment is None


def test_concealment_by_percent_is_a_reading() -> None:
    ground = duel((4, 0), BOW, fog=[(2, 0)])
    for option, row in (("miss_chance", "standard"), ("armor_class", "50"), ("both", "50")):
        rules = CLASSIC.with_switches(concealment=option)
        assert there(ground, rules).concealment == row
    assert there(ground, SRD.with_switches(concealment="both")).concealment == "standard"


# ---- friends


def flanked(at: tuple[int, int], rules: ck.rules.Ruleset = SRD, **friend_is: Any) -> bool:
    ground = duel((1, 0), more=[friend("Bo", at, **friend_is)])
    return "flanking" in there(ground, rules).attacker


def test_who_helps_to_flank() -> None:
    assert flanked((2, 0))
    assert not flanked((2, 1))
    assert not flanked((2, 0), armed=False)
    assert not flanked((2, 0), side="foes") and not flanked((2, 0), side="")
    assert not flanked((2, 0), weapon="longbow")
    assert not flanked((2, 0), weapon="unarmed_strike")
    monk = ck.Combatant(feats=["improved_unarmed_strike"], weapons=["unarmed_strike"])
    assert flanked((2, 0), combatant=monk)
    assert flanked((2, 0), combatant={"size": "small", "weapons": ["dagger"]})
    assert not flanked((2, 0), size="tiny")
    assert not flanked((2, 0), weapon=SPEAR)  # too near to strike
    assert flanked((3, 0), weapon=SPEAR)
    assert flanked((2, 0), size="large")
    assert flanked((2, -1), size="large")
    assert not flanked((2, 0), RULES["phased"])


def test_a_friend_behind_a_wall_does_not_help() -> None:
    ground = duel((1, 0), more=[friend("Bo", (2, 0))])
    assert "flanking" in there(ground).attacker
    walled = ck.Map(creatures=ground.creatures, walls=[((1, y), (2, y)) for y in range(-9, 9)])
    assert "flanking" not in there(walled).attacker


def test_a_reach_of_nothing_never_flanks() -> None:
    ann = {"id": "Ann", "at": (0, 0), "side": "heroes", "size": "tiny"}
    foe = {"id": "foe", "at": (1, 0), "side": "foes"}
    ground = ck.Map(creatures=[ann, foe, friend("Bo", (2, 0))])
    assert "flanking" not in there(ground).attacker
    assert ck.board.threatened_on(SRD, ground, "Ann") == frozenset()


def test_shots_do_not_flank_and_may_go_into_a_melee() -> None:
    ground = duel((4, 0), BOW, more=[friend("Bo", (5, 0))])
    assert there(ground).attacker == {"into_melee"}
    assert there(duel((4, 0), BOW, more=[friend("Bo", (5, 0), armed=False)], foe={"armed": False})
    ).attacker == set()  # fmt: skip
    assert there(duel((4, 0), BOW, more=[friend("Bo", (6, 0), weapon=SPEAR)])).attacker == set()
    assert there(duel((4, 0), None, more=[friend("Bo", (5, 0))]), thrown=True).attacker == {
        "into_melee"
    }
    ogre = {"size": "huge"}  # its far squares are 10 feet from Bo
    assert there(duel((4, 0), BOW, more=[friend("Bo", (7, 0))], foe=ogre)).attacker == set()


def test_soft_cover_may_stand_for_the_penalty() -> None:
    ground = duel((4, 0), BOW, more=[friend("Bo", (3, 0))])
    both = there(ground)
    assert (both.cover, both.attacker) == ("soft", {"into_melee"})
    one = there(ground, SRD.with_switches(soft_cover_into_melee="one"))
    assert (one.cover, one.attacker) == ("soft", set())


def test_what_holds_besides_is_kept() -> None:
    base = ck.Situation(
        attacker={"higher_ground"}, defender={"prone"}, cover="improved", touch=True
    )
    ground = duel((1, 0), more=[friend("Bo", (2, 0))])
    found = there(ground, situation=base)
    assert found == base.model_copy(
        update={"attacker": frozenset({"higher_ground", "flanking"}), "distance": 5}
    )


# ---- laws

SQUARES = st.tuples(st.integers(-3, 3), st.integers(-3, 3))
BORDERS = st.builds(
    lambda at, up: [at, (at[0], at[1] + 1) if up else (at[0] + 1, at[1])], SQUARES, st.booleans()
)
PLACES = st.lists(SQUARES | BORDERS, max_size=4)
CREATURES = st.fixed_dictionaries(
    {
        "at": SQUARES,
        "side": st.sampled_from(["heroes", "foes"]),
        "size": st.sampled_from(["tiny", "medium", "large"]),
        "weapon": st.sampled_from([None, BOW, SPEAR, "dagger"]),
    }
)
GROUNDS = st.builds(
    lambda creatures, **ground: ck.Map(
        creatures=[{"id": name, **one} for name, one in zip("ABC", creatures, strict=True)],
        **ground,
    ),
    st.lists(CREATURES, min_size=3, max_size=3),
    walls=PLACES,
    low_walls=PLACES,
    fog=PLACES,
)


@settings(max_examples=40)
@given(GROUNDS, st.booleans(), st.integers(-20, 20), st.integers(-20, 20))
def test_a_map_turned_and_moved_says_the_same(
    ground: ck.Map, mirrored: bool, right: int, up: int
) -> None:
    def square(at: Any, side: int = 1) -> tuple[int, int]:
        x, y = at if not mirrored else (-at[0] - side, at[1])
        return -y - side + right, x + up  # a quarter turn

    def place(thing: Any) -> Any:
        return (
            [square(one) for one in thing] if isinstance(thing, ck.grid.Border) else square(thing)
        )

    data: dict[str, Any] = {
        name: [place(thing) for thing in getattr(ground, name)]
        for name in ("walls", "low_walls", "fog")
    }
    creatures = [
        ck.board.Placed(
            **{
                **one.model_dump(exclude_unset=True),
                "at": square(one.at, ck.board.size_of(SRD, one.size or "medium").squares),
            }
        )
        for one in ground.creatures
    ]
    turned = ck.Map(creatures=creatures, **data)
    for rules in (SRD, CLASSIC.with_switches(cover_table="percent", line_touching="closed")):
        assert ck.situation_on(rules, turned, "A", "B") == ck.situation_on(rules, ground, "A", "B")


@settings(max_examples=40)
@given(GROUNDS)
def test_maps_survive_json_and_explain_themselves(ground: ck.Map) -> None:
    assert ck.Map.from_json(ground.to_json()) == ground
    found = ck.board.position_on(SRD, ground, "A", "B")
    assert found == found and found.situation.rows(SRD) is not None
    text = found.explain()
    assert text.count("\n") + 1 == len(found.findings)
    assert all(f"[{line.cite}]" in text and line.text in text for line in found.findings)


@settings(max_examples=40)
@given(GROUNDS, PLACES)
def test_more_walls_never_lessen_cover(ground: ck.Map, walls: list[Any]) -> None:
    order = [None, "soft", "standard", "improved", "total"]
    more = ck.Map(**{**dict(ground), "walls": (*ground.walls, *walls)})
    before, after = (ck.situation_on(SRD, one, "A", "B").cover for one in (ground, more))
    assert order.index(after) >= order.index(before)


@settings(max_examples=30)
@given(GROUNDS)
def test_threatening_on_a_map_is_standing_in_a_threatened_square(ground: ck.Map) -> None:
    foes = set(ck.grid.Space(*ground.creature("B").at).squares)
    threatened = ck.board.threatened_on(SRD, ground, "A")
    free = ck.Map(creatures=ground.creatures)
    assert threatened <= ck.board.threatened_on(SRD, free, "A")
    if ground.creature("B").size != "large" and threatened & foes:
        found = ck.board.position_on(SRD, ground, "A", "B")
        assert found.mode == "melee"
        reach = 10 if ground.creature("A").size == "large" else 5
        assert found.situation.distance is not None
        longest = 2 * reach if ground.creature("A").weapon == SPEAR else reach
        assert 0 < found.situation.distance <= longest


# ---- unfriendly input


@pytest.mark.parametrize(
    "ground, said",
    [
        ({"walls": [[1]]}, "field 'walls.0': a square is two whole numbers"),
        ({"walls": [[0, 0.5]]}, "field 'walls.0': a square is two whole numbers"),
        ({"walls": [[[0, 0], [1, 1]]]}, "share no border"),
        ({"walls": [[[0, 0], [0]]]}, "a square is two whole numbers"),
        ({"darkness": [[[0, 0], [0, 1]]]}, "field 'darkness.0': a square is two whole numbers"),
        ({"fog": [[10**9, 0]]}, "within 1000 squares"),
        ({"fog": [[0, 0]] * 4001}, "field 'fog'"),
        ({"creatures": [{"id": "a", "at": [0, 0]}] * 2}, "two creatures are called 'a'"),
        ({"creatures": [{"id": "a"}]}, "field 'creatures.0.at' is missing"),
        ({"creatures": [{"id": "a", "at": [0, 0], "size": "larg"}]}, "did you mean 'large'"),
        ({"creatures": [{"id": "a", "at": [0, 0], "reech": 5}]}, "did you mean 'reach'"),
        ({"wall": [[0, 0]]}, "did you mean 'walls'"),
    ],
)
def test_wrong_maps(ground: dict[str, Any], said: str) -> None:
    with pytest.raises(ck.CombatkitError, match=said.replace("[", r"\[")):
        ck.Map(**ground)


def test_wrong_words() -> None:
    ground = duel((1, 0))
    for call in (
        lambda: ck.situation_on(SRD, ground, "Anne", "foe"),
        lambda: ground.moved("Anne", (0, 0)),
    ):
        with pytest.raises(ck.CombatkitError, match="'Anne' is not on the map; valid: Ann, foe"):
            call()
    with pytest.raises(ck.CombatkitError, match="longsword"):
        there(ground, weapon="longswrd")
    with pytest.raises(ck.CombatkitError, match="did you mean 'ogre'"):
        there(duel((1, 0), foe={"combatant": "ogr"}))
    with pytest.raises(ck.CombatkitError, match="a square is two whole numbers"):
        ground.moved("Ann", (0,))  # type: ignore[arg-type]


def test_a_ruleset_without_cover_says_so() -> None:
    ground = duel((4, 0), BOW, walls=[(2, 0)], fog=[(3, 0)])
    found = ck.board.position_on(RULES["phased"], ground, "Ann", "foe")
    assert found.situation == ck.Situation(distance=20)
    assert "2 of 4 lines blocked" in found.explain()
