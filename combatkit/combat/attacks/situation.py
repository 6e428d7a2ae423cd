"""The situation of one attack: who is in which condition, where, and how the die is rolled."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer

from combatkit.combat.d20 import Roll
from combatkit.rules.equipment import Dice
from combatkit.rules.modifier import Row, Side
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.validation import Model

Percent = Annotated[int, Field(ge=0, le=100)]
Conditions = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]


def _several(value: object) -> object:
    """Take a single percentage as a list of one."""
    return (value,) if isinstance(value, int) else value


class Situation(Model):
    """What holds while an attack is made.

    Attributes
    ----------
    attacker, defender : frozenset of str
        Ids of the rows ticked for each side, such as ``flanking`` or ``prone``.
    cover, concealment : str or None
        Id of one row of the ruleset's cover and concealment tables.
    distance : int or None
        Feet between the two; None leaves range and reach out of account.
    touch : bool
        Whether it is a touch attack.
    roll : {"normal", "advantage", "disadvantage"}
        Two d20s, the better or the worse of which counts.
    miss_chances : tuple of int
        Percent, 0 to 100, from causes without a row of their own (a spell, say); a single number
        will do.
    damage_multiplier : int
        What every hit multiplies damage by, such as 2 for a lance on a charge.
    first_hit : str
        Extra dice on the first hit of each round.
    power_attack, combat_expertise : int
        Points of attack bonus the attacker trades for damage and for armor class.
    defender_expertise : int
        Points the defender has traded for armor class.
    arrows : int
        Arrows of one shot: more than one by Manyshot.
    feats_unused : frozenset of str
        Ids of feats that the attacker has and does not use, such as ``rapid_shot``.
    nonlethal : bool or None
        Whether the attacker means the weapon's own damage to be nonlethal: as the weapon deals it
        when None; the other kind costs a penalty on the attack roll.
    attack_bonus, armor_class_bonus, damage_bonus, confirmation_bonus : int
        A referee's circumstance modifiers, -50 to 50; the last counts on confirmation rolls only.

    Examples
    --------
    >>> there = Situation(attacker={"flanking"}, defender={"prone"}, distance=5)
    >>> there.to_json()
    '{"attacker":["flanking"],"defender":["prone"],"distance":5}'
    >>> Situation.from_json(there.to_json()) == there
    True
    """

    attacker: Conditions = frozenset()
    defender: Conditions = frozenset()
    cover: str | None = None
    concealment: str | None = None
    distance: int | None = Field(None, ge=0, le=10_000)
    touch: bool = False
    roll: Roll = "normal"
    miss_chances: Annotated[tuple[Percent, ...], BeforeValidator(_several)] = ()
    damage_multiplier: int = Field(1, ge=1, le=10)
    attack_bonus: int = Field(0, ge=-50, le=50)
    armor_class_bonus: int = Field(0, ge=-50, le=50)
    damage_bonus: int = Field(0, ge=-50, le=50)
    confirmation_bonus: int = Field(0, ge=-50, le=50)
    first_hit: Dice = ""
    power_attack: int = Field(0, ge=0, le=60)
    combat_expertise: int = Field(0, ge=0, le=60)
    defender_expertise: int = Field(0, ge=0, le=60)
    arrows: int = Field(1, ge=1, le=4)
    feats_unused: Conditions = frozenset()
    nonlethal: bool | None = None

    def rows(self, rules: Ruleset) -> tuple[Row, ...]:
        """Rows of the ruleset that this situation selects, in the order of the text.

        Raises
        ------
        CombatkitError
            For a word that is no row, with the nearest valid one.
        """
        chosen: list[Row] = []
        sides: dict[Side, frozenset[str]] = {"attacker": self.attacker, "defender": self.defender}
        for side, words in sides.items():
            known = rules.conditions[side]
            for word in words:
                rules.find(f"situation: {side}'s condition", known, word)
            chosen += [row for key, row in known.items() if key in words]
        for slot, choice in (("cover", self.cover), ("concealment", self.concealment)):
            if choice is not None:
                chosen.append(rules.find(f"situation: {slot}", rules.slots[slot], choice))
        return tuple(chosen)

    def with_row(self, rules: Ruleset, row: Row) -> Situation:
        """Return the same situation with one more row ticked (or chosen, for cover)."""
        table = rules.tables[row.table]
        if table.slot is not None:
            return self.model_copy(update={table.slot: row.id})
        return self.model_copy(update={table.on: getattr(self, table.on) | {row.id}})
