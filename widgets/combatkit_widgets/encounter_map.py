"""The two fighters of an encounter on its map, and what the map says of both their attacks."""

from __future__ import annotations

from combatkit.combat.board.map import Map, Placed
from combatkit.combat.board.position import Position, position_on
from combatkit.rules import Ruleset
from combatkit_widgets.encounter import FOE, Encounter, Side, Who
from combatkit_widgets.forms import changed

START: dict[Who, tuple[int, int]] = {"a": (2, 3), "b": (7, 3)}
FROM_MAP = frozenset({"flanking", "into_melee"})  # conditions that a map decides


def standing(encounter: Encounter) -> Map:
    """Return the map with A and B on it as their forms have them, as creatures "a" and "b".

    Examples
    --------
    >>> [one.combatant for one in standing(Encounter()).creatures]
    ['fighter_6', 'ogre']
    """
    if encounter.map is None:
        put = [Placed(id=who, at=at, side=who.upper()) for who, at in START.items()]
        return standing(changed(encounter, map=Map(creatures=put)))

    def filled(one: Placed) -> Placed:
        if one.id not in FOE:
            return one
        side = encounter.side("a" if one.id == "a" else "b")
        held = {} if side.weapon is None else {"weapon": side.weapon}
        return changed(one, combatant=side.fighter, **held)

    there = tuple(filled(one) for one in encounter.map.creatures)
    return changed(encounter.map, creatures=there)


def bare(map: Map) -> Map:
    """Return a map to be kept in an encounter, which says itself who A and B are."""
    there = tuple(
        changed(one, combatant=None, weapon=None) if one.id in FOE else one for one in map.creatures
    )
    return changed(map, creatures=there)


def positions(encounter: Encounter, rules: Ruleset) -> dict[Who, Position]:
    """Return what the map says about each side's attack on the other.

    Raises
    ------
    CombatkitError
        When one of them is not on the map, or somebody on it is not known to the rules.
    """
    map = standing(encounter)
    return {
        who: position_on(rules, map, who, foe, thrown=encounter.side(who).grip == "thrown")
        for who, foe in FOE.items()
    }


def taken(encounter: Encounter, rules: Ruleset) -> Encounter:
    """Return the encounter with distance, cover, concealment and flanking as on the map.

    The distance is that of the attack shown.

    Raises
    ------
    CombatkitError
        As :func:`positions`.

    Examples
    --------
    >>> there = taken(Encounter(), Encounter().rules())
    >>> there.distance, there.b.cover
    (25, None)
    """
    found = positions(encounter, rules)

    def side(who: Who) -> Side:
        mine, against = found[who].situation, found[FOE[who]].situation
        old = encounter.side(who)
        return changed(
            old,
            conditions=(old.conditions - FROM_MAP) | mine.attacker,
            cover=against.cover,
            concealment=against.concealment,
        )

    distance = found[encounter.shown].situation.distance
    map = bare(standing(encounter))
    return changed(encounter, a=side("a"), b=side("b"), distance=distance, map=map)


def differences(encounter: Encounter, rules: Ruleset) -> list[str]:
    """Say what taking the map would change in what is counted."""
    new = taken(encounter, rules)
    said = []
    if new.distance != encounter.distance:
        said.append(f"distance {new.distance} feet")
    for who in FOE:
        old, side, name = encounter.side(who), new.side(who), who.upper()
        for slot in ("cover", "concealment"):
            given = getattr(side, slot)
            if given != getattr(old, slot):
                label = rules.slots[slot][given].label if given else f"no {slot}"
                said.append(f"{name} has {label[0].lower()}{label[1:]}")
        rows = rules.conditions["attacker"]
        for word in sorted(side.conditions ^ old.conditions):
            label = rows[word].label if word in rows else word
            said.append(f"{name}: {'' if word in side.conditions else 'not '}{label.lower()}")
    return said
