"""What a map's report says: every kind of thing by its name and place, and every field counts."""

from __future__ import annotations

import re
from typing import Any

import pytest

import combatkit as ck
from combatkit.combat.board import Going, walk_on
from combatkit.combat.board.sight import NAMES
from combatkit.combat.board.terrain import GROUND

SRD, CLASSIC, PHASED = (ck.load_ruleset(name) for name in ("srd35", "classic", "phased"))
ANN = {"id": "Ann", "at": (0, 0), "side": "heroes", "weapon": "longbow"}
ORC = {"id": "Grom", "at": (4, 0), "side": "orcs"}


def here(*more: dict[str, Any], ann: Any = ANN, orc: Any = ORC, **things: Any) -> ck.Map:
    return ck.Map(creatures=[ann, orc, *more], **things)


def told(there: ck.Map, rules: ck.rules.Ruleset = SRD) -> dict[str, str]:
    found = ck.board.position_on(rules, there, "Ann", "Grom").findings
    return {one.about: one.text for one in found}


# ---- every kind of thing

HIDES = {"fog": "the fog", "shadow": "the shadow"}
COVERS = {
    "walls": "the wall",
    "low_walls": "the low wall",
    "covering": "the tree",
    "slits": "the arrow slit",
}


def test_every_kind_on_a_map_has_its_name() -> None:
    fields = set(ck.Map.model_fields) - {"creatures"}
    assert fields == set(GROUND)  # and says what it does to movement
    assert fields - {"difficult"} == set(NAMES)  # difficult terrain hides and covers nothing
    assert {*HIDES, *COVERS, "darkness"} == set(NAMES)
    for rules in (SRD, CLASSIC, PHASED):
        ground = {row.id for row in rules.lookups.values() if row.table == "ground"}
        assert ground == fields


@pytest.mark.parametrize("kind", [*COVERS, *HIDES])
@pytest.mark.parametrize("border", [False, True])
def test_each_kind_is_named_where_it_stands(kind: str, border: bool) -> None:
    place: Any = ((2, 0), (3, 0)) if border else (2, 0)
    where = "between (2, 0) and (3, 0)" if border else "at (2, 0)"
    text = told(here(**{kind: [place]}))["cover" if kind in COVERS else "concealment"]
    assert (COVERS | HIDES)[kind] in text and where in text
    others = {name for name in (COVERS | HIDES).values() if name != (COVERS | HIDES)[kind]}
    assert not [name for name in others if re.search(rf"{name}\b", text)]


@pytest.mark.parametrize("cover", COVERS)
@pytest.mark.parametrize("dim", HIDES)
def test_two_kinds_in_one_square_keep_their_names(cover: str, dim: str) -> None:
    texts = told(here(**{cover: [(2, 0)], dim: [(2, 0)]}))
    assert COVERS[cover] in texts["cover"] and HIDES[dim] not in texts["cover"]
    assert HIDES[dim] in texts["concealment"] and COVERS[cover] not in texts["concealment"]


def test_a_seam_of_trees_is_no_wall() -> None:
    """A line along the seam of two things passes through neither; the report names both."""
    pair = [(2, 0), (2, -1)]
    orc = {**ORC, "at": (4, -1)}
    for kind, name in COVERS.items():
        if kind == "slits":
            continue
        text = told(here(orc=orc, **{kind: pair}))["cover"]
        assert name in text
        assert ("wall" in text) == ("wall" in name) and ("low" in text) == ("low" in name)
    around = told(here(orc={**ORC, "at": (1, 1)}, covering=[(0, 1), (1, 0)]))
    assert "the tree (or other cover) at (0, 1)" in around["cover"]
    seam = told(here(orc={**ORC, "at": (4, 0)}, covering=[(1, 0), (1, -1), (2, 1), (2, 0)]))
    assert "wall" not in seam["cover"]


def test_the_seam_of_a_tree_and_a_wall_names_the_two() -> None:
    text = told(here(covering=[(2, 0)], walls=[(2, -1), (2, 1)]))["cover"]
    names = ("the tree (or other cover) at (2, 0)", "the wall at (2, ")
    joined = (f"{names[0]} and {names[1]}", f"and {names[0]}, without a gap")
    assert any(words in text for words in joined) and "without a gap" in text


def test_total_cover_names_the_walls() -> None:
    text = told(here(walls=[(2, y) for y in range(-9, 9)]))["cover"]
    assert "no line from Ann at (0, 0) to Grom at (4, 0) gets past the wall at (2, " in text
    assert (
        "more"
        in told(
            here(orc={**ORC, "at": (4, 3)}, walls=[(x, y) for x in (2, 3) for y in range(-9, 9)])
        )["cover"]
    )
    corner = told(here(orc={**ORC, "at": (1, 1)}, walls=[(0, 1), (1, 0)]))["cover"]
    assert "the wall at (0, 1) and the wall at (1, 0)" in corner


def test_darkness_and_what_darkvision_does() -> None:
    dark = here(darkness=[(4, 0)])
    assert "Grom is wholly in the darkness at (4, 0)" in told(dark)["concealment"]
    keen = {**ANN, "darkvision": True}
    seen = told(here(ann=keen, darkness=[(4, 0)], shadow=[(2, 0)]))["concealment"]
    assert "nothing conceals Grom; Ann sees through" in seen
    assert "the darkness at (4, 0)" in seen and "the shadow at (2, 0)" in seen


def test_melee_in_fog_names_it() -> None:
    ann, orc = {**ANN, "weapon": "longsword"}, {**ORC, "at": (1, 0), "size": "large"}
    whole = [(x, y) for x in (1, 2) for y in (0, 1)]
    for kind, name in HIDES.items():
        hidden = told(here(ann=ann, orc=orc, **{kind: whole}))["concealment"]
        assert f"Grom is wholly in {name} at (1, 0)" in hidden
        partly = told(here(ann=ann, orc=orc, **{kind: whole[:1]}))["concealment"]
        assert f"Grom is only partly in {name} at (1, 0)" in partly
    assert told(here(ann=ann, orc=orc))["concealment"] == "No concealment: nothing conceals Grom"


def test_a_low_wall_that_does_not_count_is_named() -> None:
    text = told(here(low_walls=[(1, 0)]))["cover"]
    assert text.startswith("No cover") and "the low wall at (1, 0) covers only who is" in text
    assert "no farther from it than Ann" in text


def test_creatures_are_named_in_every_finding() -> None:
    bo = {"id": "Bo", "at": (5, 0), "side": "heroes"}
    way = {"id": "Zed", "at": (2, 0), "side": "orcs"}
    texts = told(here(bo, way))
    assert "from Ann at (0, 0) to Grom at (4, 0)" in texts["distance"]
    assert "by Zed at (2, 0)" in texts["cover"]
    assert "Grom at (4, 0) fights Bo at (5, 0)" in texts["into_melee"]
    one = SRD.with_switches(soft_cover_into_melee="one")
    assert "Grom at (4, 0) fights Bo at (5, 0)" in told(here(bo, way), one)["into_melee"]
    huge = here({**bo, "at": (7, 0)}, orc={**ORC, "size": "huge"})
    assert "A part of Grom at (4, 0) is" in told(huge)["into_melee"]
    near = {**ANN, "at": (3, 0), "weapon": "longsword"}
    assert "Flanking with Bo at (5, 0)" in told(here(bo, ann=near))["flanking"]
    off = told(here({**bo, "at": (5, 1)}, ann=near))["flanking"]
    assert "does not pass opposite borders of Grom at (4, 0)" in off
    small = told(here(bo, ann={**near, "reach": 0}))["flanking"]
    assert "Ann has a reach of 0" in small


# ---- every field counts

HERO, OGRE = SRD.combatant("fighter_6"), SRD.combatant("ogre")
DUEL = (
    {"id": "Ann", "at": (0, 0), "side": "heroes", "combatant": HERO},
    {"id": "Grom", "at": (2, 0), "side": "orcs", "combatant": OGRE},
    {"id": "Bo", "at": (5, 0), "side": "heroes", "combatant": HERO},
)


def outcome(*creatures: dict[str, Any], **things: Any) -> list[str]:
    """Everything a map says: positions both ways, threatened squares, and a walk."""
    there = ck.Map(creatures=creatures, **things)
    names = [one.id for one in there.creatures]
    said = [
        ck.board.position_on(SRD, there, one, other).explain()
        for one in names
        for other in names
        if one != other
    ]
    said += [str(sorted(ck.board.threatened_on(SRD, there, one))) for one in names]
    walk = walk_on(SRD, there, names[0], [(0, 1), (0, 2)], Going())
    return [*said, walk.explain()]


PLACED = {
    "id": "Ulf",
    "at": (3, 1),
    "side": "heroes",
    "combatant": ck.Combatant(weapons=["longspear"]),
    "size": "huge",
    "build": "long",
    "reach": 0,
    "weapon": "longspear",
    "armed": False,
    "darkvision": True,
}


@pytest.mark.parametrize("field", sorted(ck.board.Placed.model_fields))
def test_each_field_of_a_creature_counts(field: str) -> None:
    changed = {**DUEL[1], field: PLACED[field]}
    dark = {"darkness": [(0, 0), (0, 1)]}  # seen through with darkvision only
    plain = outcome(*DUEL, **dark)
    assert outcome(DUEL[0], changed, DUEL[2], **dark) != plain


def test_a_build_beside_a_reach_is_refused() -> None:
    with pytest.raises(ck.CombatkitError, match="build 'long' says the reach by size, and reach"):
        ck.board.Placed(id="Grom", at=(0, 0), build="long", reach=5)


def test_a_build_counts_for_a_combatant_too() -> None:
    for build, reach in (("tall", 10), ("long", 5)):
        ogre = {**DUEL[1], "build": build}
        there = ck.Map(creatures=[DUEL[0], ogre])
        near = {
            square
            for square in ck.board.threatened_on(SRD, there, "Grom", "unarmed_strike")
            if square[0] < 2
        }
        assert near == set()  # fists threaten nothing
        far = ck.board.threatened_on(SRD, there, "Grom", "morningstar")
        assert min(x for x, _ in far) == 2 - reach // 5


THINGS: dict[str, Any] = {kind: [(1, 0), (1, 1), (0, 1)] for kind in GROUND} | {
    "walls": [(1, 0)],
    "slits": [(1, 0)],
    "covering": [(1, 0)],
    "darkness": [(2, 0), (3, 0), (2, 1), (3, 1)],
}


@pytest.mark.parametrize("field", sorted(set(ck.Map.model_fields) - {"creatures"}))
def test_each_field_of_a_map_counts(field: str) -> None:
    assert outcome(*DUEL, **{field: THINGS[field]}) != outcome(*DUEL)
