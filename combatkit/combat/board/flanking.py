"""What friends on a map mean for an attack: flanking, and shooting into a melee."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.combat.board.sight import Finding, Scene, at, named
from combatkit.combat.board.standing import Stand, measure, threatens
from combatkit.grid import distance
from combatkit.grid.flanking import flanking_squares


def flanking(scene: Scene) -> Iterator[Finding]:
    """Judge which friends help to flank the defender."""
    row = scene.rules.conditions["attacker"].get("flanking")
    if row is None:
        return
    for friend in filter(scene.attacker.is_friend, scene.others):
        squares = flanking_squares(scene.attacker.space, friend.space, scene.defender.space)
        why_not = _why_no_flank(scene, friend)
        name, foe = named(friend), named(scene.defender)
        if squares is None or why_not:
            why_not = why_not or f"the line of centers does not pass opposite borders of {foe}"
            yield Finding("flanking", None, f"No flanking with {name}: {why_not}", row.cite)
            continue
        here, there = squares
        text = (
            f"Flanking with {name}, who threatens {foe}: the line from {at(here)} to "
            f"{at(there)} passes opposite borders"
        )
        yield Finding("flanking", row.id, text, row.cite)


def _why_no_flank(scene: Scene, friend: Stand) -> str:
    if not scene.attacker.natural_reach:
        return f"{scene.attacker.placed.id} has a reach of 0"
    if why := friend.why_threatens_nothing:
        return f"{friend.placed.id} {why}"
    if not threatens(scene.map, friend, scene.defender):
        return f"{friend.placed.id} does not threaten {scene.defender.placed.id}"
    return ""


def into_melee(scene: Scene, cover: str | None) -> Iterator[Finding]:
    """Judge whether the shot goes into a melee with a friend, given the row of cover found."""
    row = scene.rules.conditions["attacker"].get("into_melee")
    friends = [
        one
        for one in filter(scene.attacker.is_friend, scene.others)
        if not one.is_friend(scene.defender)
    ]
    engaged = [
        named(friend)
        for friend in friends
        if threatens(scene.map, friend, scene.defender)
        or threatens(scene.map, scene.defender, friend)
    ]
    if row is None or not engaged:
        return
    clear, foe = scene.rules.number("melee_shot.clear_feet"), named(scene.defender)
    if cover == "soft" and scene.rules.switch("soft_cover_into_melee") == "one":
        text = f"Soft cover stands for the penalty: {foe} fights {', '.join(engaged)}"
        yield Finding("into_melee", None, text, row.cite)
    elif _clear_of(scene, friends) >= clear:
        text = f"A part of {foe} is {clear} feet clear of every friend"
        yield Finding("into_melee", None, text, row.cite)
    else:
        text = f"{row.label}: {foe} fights {', '.join(engaged)}"
        yield Finding("into_melee", row.id, text, row.cite)


def _clear_of(scene: Scene, friends: list[Stand]) -> int:
    """Feet between friends and that square of the defender which is farthest from them."""
    way, square = measure(scene.rules, melee=False), scene.rules.number("grid.square")
    return square * max(
        min(distance(part, friend.space, way) for friend in friends)
        for part in scene.defender.space.singles
    )
