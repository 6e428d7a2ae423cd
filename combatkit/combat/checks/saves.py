"""Saving throws and plain checks: the odds, the bonus, and the damage a save may halve."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, get_args

from combatkit.combat.attacks.situation import Situation
from combatkit.combat.d20 import Roll, face_weights
from combatkit.errors import CombatkitError, check_word
from combatkit.prob import Dist, dice
from combatkit.rules import Combatant, Line, Lookup, Ruleset, Tally, tally

Save = Literal["fortitude", "reflex", "will"]
OnSuccess = Literal["half", "none"]
Evasion = Literal["none", "evasion", "improved_evasion"]
IN_THE_OPEN = Situation()


def p_save(rules: Ruleset, bonus: int, dc: int, roll: Roll = "normal") -> Fraction:
    """Chance to make a saving throw, with natural 1 and 20 as the ruleset says.

    Source: SRD combat statistics, Saving throws.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> p_save(load_ruleset("srd35"), 14, 15), p_save(load_ruleset("srd35"), -20, 15)
    (Fraction(19, 20), Fraction(1, 20))
    """
    weights = face_weights(roll)

    def saves(face: int) -> bool:
        if face == 1 and rules.switch("save_natural_1") == "fails":
            return False
        if face == 20 and rules.switch("save_natural_20") == "succeeds":
            return True
        return face + bonus >= dc

    passed = sum(weight for face, weight in enumerate(weights, 1) if saves(face))
    return Fraction(passed, sum(weights))


def save_bonus(
    rules: Ruleset, who: Combatant, save: Save, situation: Situation = IN_THE_OPEN
) -> Tally:
    """Tally a saving throw: the combatant's own, bonuses on saves, and cover on a Reflex save.

    Parameters
    ----------
    rules : Ruleset
    who : Combatant
        Whose ``saves`` are totals.
    save : {"fortitude", "reflex", "will"}
    situation : Situation, optional
        Who saves is its defender. Cover counts against what comes from the other side of it;
        a row the ruleset's table ``reflex`` does not list changes nothing.

    Returns
    -------
    Tally

    Notes
    -----
    Sources: SRD combat statistics, Saving throws; Simplified 3.5 and SRD combat modifiers, Cover
    and Reflex saves; Phased combat, Dodge.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rogue = Combatant(saves={"reflex": 3})
    >>> save_bonus(load_ruleset("srd35"), rogue, "reflex", Situation(cover="improved")).total
    7
    """
    check_word(save, get_args(Save), "save")
    return tally(_lines(rules, who, save, situation), rules.stacking, save.capitalize())


def _lines(rules: Ruleset, who: Combatant, save: Save, situation: Situation) -> Iterator[Line]:
    term = rules.find("term", rules.terms, "save.total")
    yield Line.of(term, getattr(who.saves, save), term.id, term.type)
    for index, given in enumerate(who.bonuses):
        kind = rules.bonus_type(given.type)
        if given.to == "save":
            label = given.label or "Bonus"
            yield Line(f"bonus.{index}", label, given.value, kind, given.cite)
    if save == "reflex":
        for row in reflex_rows(rules, situation):
            bonus, kind = int(row.number("bonus")), "untyped" if row.id == "dodging" else "cover"
            if bonus:
                yield Line(f"reflex.{row.id}", row.label, bonus, kind, row.cite)


def reflex_rows(rules: Ruleset, situation: Situation) -> list[Lookup]:
    """Rows of a situation that matter to its defender's Reflex saves."""
    known = {row.id: row for row in rules.lookups.values() if row.table == "reflex"}
    mine = (row for row in situation.rows(rules) if rules.tables[row.table].on == "defender")
    return [known[row.id] for row in mine if row.id in known]


def evasion_of(rules: Ruleset, situation: Situation) -> Evasion:
    """Tell the evasion that cover gives: improved cover gives improved evasion.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> evasion_of(load_ruleset("classic"), Situation(cover="improved"))
    'improved_evasion'
    """
    given = {row.cells["evasion"] for row in reflex_rows(rules, situation)}
    return "improved_evasion" if "improved_evasion" in given else "none"


def save_damage(
    rules: Ruleset,
    damage: str | Dist,
    bonus: int,
    dc: int,
    on_success: OnSuccess = "half",
    evasion: Evasion = "none",
    roll: Roll = "normal",
) -> Dist:
    """Distribution of the damage of something that allows a saving throw.

    Parameters
    ----------
    rules : Ruleset
        Its switches say what natural 1 and 20 do and how halves are rounded.
    damage : str or Dist
        Dice such as ``"6d6"``, or any damage that is never negative.
    bonus, dc : int
        Of the saving throw.
    on_success : {"half", "none"}, optional
        What a successful save leaves.
    evasion : {"none", "evasion", "improved_evasion"}, optional
        Where a success halves: evasion makes that nothing, and the improved kind halves a failure.
    roll : {"normal", "advantage", "disadvantage"}, optional
        How the save is rolled.

    Returns
    -------
    Dist

    Notes
    -----
    Sources: SRD combat statistics, Saving throws; SRD combat modifiers, improved cover; half
    damage and evasion are the public SRD's.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> save_damage(rules, "6d6", 3, 15).mean
    Fraction(1293, 80)
    >>> save_damage(rules, "6d6", 7, 15, evasion="improved_evasion").mean
    Fraction(287, 80)
    """
    check_word(on_success, get_args(OnSuccess), "on_success:")
    check_word(evasion, get_args(Evasion), "evasion:")
    full = damage if isinstance(damage, Dist) else dice(damage)
    if full.minimum < 0:
        raise CombatkitError("save_damage: damage cannot be negative")
    up = rules.switch("half_damage") == "up"
    half, nothing = full.map(lambda points: (points + up) // 2), Dist.constant(0)
    failed, saved = full, nothing
    if on_success == "half":
        saved = half if evasion == "none" else nothing
        failed = half if evasion == "improved_evasion" else full
    chance = p_save(rules, bonus, dc, roll)
    return Dist.mix([(chance, saved), (1 - chance, failed)])
