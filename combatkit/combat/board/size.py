"""Sizes: the table's lookups, how many fit into a square, and a punch by size."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from combatkit.combat.attacks.attack import attack
from combatkit.combat.attacks.situation import Situation
from combatkit.grid import per_square, squares_across
from combatkit.prob import Dist
from combatkit.rules import Citation, Combatant, Ruleset
from combatkit.rules.equipment import Size

LETHAL = "lethal_unarmed"  # the row for a punch that is meant to kill


class SizeOf(NamedTuple):
    """A row of the size table, and what follows from it.

    Attributes
    ----------
    modifier : int
        On attack rolls and armor class.
    grapple, hide : int
        Special modifiers of those checks.
    height, weight : str
        As printed.
    space : Fraction
        Feet along a side.
    reach_tall, reach_long : int
        Natural reach in feet of a biped and of a four-footed body.
    squares : int
        Squares along a side of the space; 1 for those that need less than one.
    per_square : int
        How many fit into one square; 0 for those that need more than one.
    """

    id: str
    label: str
    modifier: int
    grapple: int
    hide: int
    height: str
    weight: str
    space: Fraction
    reach_tall: int
    reach_long: int
    squares: int
    per_square: int
    cite: Citation


def size_of(rules: Ruleset, size: str) -> SizeOf:
    """Look a size category up.

    Source: Simplified 3.5, Table: Creature Size and Scale; SRD combat statistics, Size table.

    Raises
    ------
    CombatkitError
        For an unknown size, with the nearest one.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> tiny = size_of(load_ruleset("classic"), "tiny")
    >>> tiny.modifier, tiny.space, tiny.per_square, tiny.reach_tall
    (2, Fraction(5, 2), 4, 0)
    """
    row = rules.lookup("size", size.lower() if isinstance(size, str) else size)
    square, space = rules.number("grid.square"), row.number("space")
    return SizeOf(
        id=row.id,
        label=row.label,
        modifier=int(row.number("modifier")),
        grapple=int(row.number("grapple")),
        hide=int(row.number("hide")),
        height=str(row.cells["height"]),
        weight=str(row.cells["weight"]),
        space=space,
        reach_tall=int(row.number("reach_tall")),
        reach_long=int(row.number("reach_long")),
        squares=squares_across(space, square),
        per_square=per_square(space, square),
        cite=row.cite,
    )


class Punch(NamedTuple):
    """An unarmed strike that hits.

    Attributes
    ----------
    damage : Dist
    lethal : bool
    attack_penalty : int
        0 or less, on the attack roll, for making it lethal.
    """

    damage: Dist
    lethal: bool
    attack_penalty: int


def punch(
    rules: Ruleset,
    size: Size = "medium",
    strength: int = 10,
    lethal: bool = False,
    feats: tuple[str, ...] = (),
) -> Punch:
    """Tell what an unarmed strike deals by size.

    Source: Simplified 3.5 and Phased combat, Unarmed strikes.

    Parameters
    ----------
    rules : Ruleset
    size : str, optional
        Small, medium and large are the document's; tiny is the public SRD's.
    strength : int, optional
        Ability score.
    lethal : bool, optional
        Whether it is meant to be, where a punch is not so anyway.
    feats : tuple of str, optional
        Improved Unarmed Strike does away with the penalty.

    Raises
    ------
    CombatkitError
        For a size that no document gives damage for.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> classic, phased = load_ruleset("classic"), load_ruleset("phased")
    >>> [punch(classic, size).damage.mean for size in ("small", "medium", "large")]
    [Fraction(3, 2), Fraction(2, 1), Fraction(5, 2)]
    >>> punch(classic, lethal=True).attack_penalty, punch(phased).lethal
    (-4, True)
    """
    who = Combatant(
        size=size, abilities={"str": strength}, weapons=("unarmed_strike",), feats=feats
    )
    asks = (
        lethal
        and rules.weapon("unarmed_strike").nonlethal
        and LETHAL in rules.conditions["attacker"]
    )
    strike = attack(rules, who, Combatant(), situation=Situation(attacker={LETHAL} if asks else ()))
    penalty = sum(
        line.value
        for line in strike.attack_bonus.lines
        if line.counted and line.id.endswith(LETHAL)
    )
    return Punch(strike.hit_damage, lethal or not strike.weapon.nonlethal, penalty)
