"""What levels of classes and hit dice of creature types give: base attack, saves, attacks."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import Literal, get_args

from combatkit.errors import CombatkitError, expect
from combatkit.prob.exact import within
from combatkit.rules.creature import Saves
from combatkit.rules.modifier import Lookup
from combatkit.rules.ruleset import Ruleset

Rate = Literal["good", "poor"]


@dataclass(frozen=True)
class ClassBonuses:
    """What all levels together give, before abilities, feats and items.

    Attributes
    ----------
    base_attack : int
    saves : Saves
        Base save bonuses.
    attacks : int
        Attacks of one weapon in a full attack.
    """

    base_attack: int
    saves: Saves
    attacks: int


def class_bonuses(rules: Ruleset, levels: dict[str, int]) -> ClassBonuses:
    """Add up base attack and base saves of classes and creature types.

    Parameters
    ----------
    rules : Ruleset
    levels : dict of str to int
        Levels by class, and hit dice by creature type: ``{"fighter": 6, "rogue": 2}`` or
        ``{"giant": 4, "barbarian": 4}``; 0 to 100 of each.

    Returns
    -------
    ClassBonuses

    Raises
    ------
    CombatkitError
        For a class the ruleset does not have, with the nearest one.

    Notes
    -----
    Each class is rounded down by itself, then they add up (srd, Multiclass characters). Abilities
    are not in it, nor what a creature adds (a dire animal's good Will save).

    Examples
    --------
    >>> from combatkit.rules.load import load_ruleset
    >>> both = class_bonuses(load_ruleset("srd35"), {"fighter": 6, "rogue": 3})
    >>> both.base_attack, both.attacks, both.saves
    (8, 2, Saves(fortitude=6, reflex=5, will=3))
    """
    expect(levels, dict, "levels")
    rows = {name: rules.lookup("class", name) for name in levels}
    attack = sum(_base_attack(rules, rows[name], level) for name, level in levels.items())
    saves = {
        save: sum(
            base_save(rules, level, _rate(rows[name], save)) for name, level in levels.items()
        )
        for save in Saves.model_fields
    }
    return ClassBonuses(attack, Saves(**saves), attacks_per_round(rules, attack))


def _base_attack(rules: Ruleset, row: Lookup, level: int) -> int:
    rate = rules.lookup("base_attack", str(row.cells.get("base_attack")))
    return floor(within(level, "a level", 0, 100) * rate.number("per_level"))


def _rate(row: Lookup, save: str) -> Rate:
    rate = row.cells.get(save)
    for known in get_args(Rate):
        if rate == known:
            return known  # type: ignore[no-any-return]
    raise CombatkitError(f"class '{row.id}': save '{save}' is good or poor, not {rate!r:.40}")


def base_save(rules: Ruleset, level: int, rate: Rate) -> int:
    """Give the base save bonus of a class at a level (0 to 100), before the ability modifier.

    Source: SRD combat statistics, Saving throws, names it; the numbers are the public SRD's.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("srd35")
    >>> base_save(rules, 6, "good"), base_save(rules, 5, "poor")
    (5, 1)
    """
    row = rules.lookup("base_save", rate)
    return int(row.number("start") if level else 0) + floor(
        within(level, "a level", 0, 100) * row.number("per_level")
    )


def attacks_per_round(rules: Ruleset, base_attack: int) -> int:
    """How many attacks a base attack bonus gives in a full attack.

    Source: SRD combat statistics, Base attack bonus.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> [attacks_per_round(load_ruleset("srd35"), bonus) for bonus in (5, 6, 15, 16)]
    [1, 2, 3, 4]
    """
    return 1 + sum(base_attack >= least for least in rules.series("attack.iterative_thresholds"))
