"""Initiative: in which order combatants act, or who acts before the enemies' phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, cast, get_args

from combatkit.combat.checks.opposed import FARTHEST, MOST, Selection
from combatkit.combat.d20 import Roll
from combatkit.combat.turns.acting_order import Initiative, Tie
from combatkit.errors import CombatkitError, check_word, expect
from combatkit.prob import Dist, dice
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Line, Ruleset, Tally, modifier_of, tally

MOST_IN_FIGHT = 40
WIDEST = 200  # results of one initiative die


class InitiativeRoll(NamedTuple):
    """An initiative check that is not a plain d20 and a modifier.

    Attributes
    ----------
    bonus : int or Combatant
        Total initiative modifier, -1000 to 1000, or who has it.
    roll : {"normal", "advantage", "disadvantage"}
        With the others the die is rolled twice, and the better or the worse roll counts.
    die : str
        What is rolled, such as ``"1d20"``, ``"1d10"`` or ``"3d6"``.

    Examples
    --------
    >>> InitiativeRoll(8, "advantage")
    InitiativeRoll(bonus=8, roll='advantage', die='1d20')
    """

    bonus: int | Combatant = 0
    roll: Roll = "normal"
    die: str = "1d20"


Entrant = int | Combatant | InitiativeRoll


def initiative_bonus(rules: Ruleset, who: Combatant) -> Tally:
    """Tally what a combatant adds to an initiative check: Dexterity, feats, bonuses.

    Source: Simplified 3.5, Initiative Checks; Phased combat, initiative check.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> quick = Combatant(abilities={"dex": 16}, feats=["improved_initiative"])
    >>> initiative_bonus(load_ruleset("classic"), quick).total
    7
    """
    return tally(_lines(rules, who), rules.stacking, "Initiative")


def _lines(rules: Ruleset, who: Combatant) -> Iterator[Line]:
    term = rules.find("term", rules.terms, "initiative.dexterity")
    yield Line.of(term, modifier_of(who.score("dex")), term.id, term.type)
    for feat, _ in rules.feats_of(who.feats):
        for bonus in feat.bonuses:
            if bonus.to == "initiative":
                yield Line.of(feat, bonus.value, f"feat.{feat.id}", bonus.type)
    for index, given in enumerate(who.bonuses):
        kind = rules.bonus_type(given.type)
        if given.to == "initiative":
            label = given.label or "Bonus"
            yield Line(f"bonus.{index}", label, given.value, kind, given.cite)


def initiative_order(rules: Ruleset, combatants: Sequence[Entrant]) -> Initiative:
    """Work out the order of a fight.

    Parameters
    ----------
    rules : Ruleset
        Where everyone rolls (switch ``initiative``); the switch ``initiative_tie`` settles ties.
    combatants : sequence of int, Combatant or InitiativeRoll
        1 to 40 combatants, or their total initiative modifiers (-1000 to 1000), or how they roll.

    Returns
    -------
    Initiative

    Raises
    ------
    CombatkitError
        Where sides act in phases, or the modifiers are none.

    Notes
    -----
    Sources: Simplified 3.5, Initiative Checks and ties; the public SRD agrees.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> order = initiative_order(load_ruleset("classic"), [4, -1])
    >>> order.p_before(0, 1), order.place(1).mean
    (Fraction(59, 80), Fraction(139, 80))
    >>> twice = InitiativeRoll(8, "advantage")
    >>> initiative_order(load_ruleset("srd35"), [twice, 1, 0, 2, 3, 4]).p_first(0)
    Fraction(2818913, 4000000)
    """
    if rules.switch("initiative") == "phases":
        raise CombatkitError(
            f"in ruleset '{rules.id}' sides act in phases: ask phase_initiative, or choose "
            "initiative = each_rolls"
        )
    bonuses, rolls = zip(*_checks(rules, combatants, MOST_IN_FIGHT), strict=True)
    return Initiative(bonuses, rolls, cast(Tie, rules.switch("initiative_tie")))


def _checks(rules: Ruleset, combatants: Sequence[Entrant], most: int) -> Iterator[tuple[int, Dist]]:
    """Yield what each combatant adds, and what the die shows."""
    if isinstance(combatants, (str, InitiativeRoll)) or not isinstance(combatants, Sequence):
        raise CombatkitError(f"combatants: a list is needed, not {combatants!r:.60}")
    within(len(combatants), "the number of combatants", 1, most)
    for entrant in combatants:
        check = entrant if isinstance(entrant, InitiativeRoll) else InitiativeRoll(entrant)
        who = check.bonus
        bonus = initiative_bonus(rules, who).total if isinstance(who, Combatant) else who
        within(bonus, "an initiative modifier", -FARTHEST, FARTHEST)
        yield bonus, _rolled(check)


def _rolled(check: InitiativeRoll) -> Dist:
    check_word(check.roll, get_args(Roll), "initiative: roll")
    die = dice(expect(check.die, str, "initiative: die"))
    within(len(die), f"initiative: the results of {check.die!r:.60}", 1, WIDEST)
    if check.roll == "normal":
        return die
    return die.highest(2) if check.roll == "advantage" else die.lowest(2)


def phase_initiative_dc(
    rules: Ruleset, enemies: Sequence[int | Combatant], important: int = 0
) -> int:
    """Difficulty class of the players' initiative check.

    Parameters
    ----------
    rules : Ruleset
    enemies : sequence of int or Combatant
        Enemies, or their Dexterity scores.
    important : int, optional
        Index of the most important one, whose Dexterity counts when they differ.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> phase_initiative_dc(rules, [14]), phase_initiative_dc(rules, [10, 18], important=1)
    (13, 15)
    >>> phase_initiative_dc(rules.with_switches(initiative_dc="score"), [14])
    25
    """
    if isinstance(enemies, str) or not isinstance(enemies, Sequence) or not enemies:
        raise CombatkitError(f"enemies: a list of at least one is needed, not {enemies!r:.60}")
    enemy = enemies[within(important, "the most important enemy's index", 0, len(enemies) - 1)]
    score = enemy.score("dex") if isinstance(enemy, Combatant) else enemy
    within(score, "the enemy's Dexterity score", 0, FARTHEST)
    value = score if rules.switch("initiative_dc") == "score" else modifier_of(score)
    return rules.number("initiative.phase_base") + value


def phase_initiative(
    rules: Ruleset,
    players: Sequence[Entrant],
    enemies: Sequence[int | Combatant],
    important: int = 0,
) -> Selection:
    """Work out who acts in the first player phase, before the enemies.

    Parameters
    ----------
    rules : Ruleset
        Where sides act in phases (switch ``initiative``).
    players : sequence of int, Combatant or InitiativeRoll
        1 to 10 players' characters, or their Dexterity modifiers, or how they roll.
    enemies, important
        As for :func:`phase_initiative_dc`.

    Returns
    -------
    Selection
        Of the players by index; whoever is not in a set first acts in the second player phase.

    Notes
    -----
    Source: Phased combat, initiative check. No natural roll is special.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> first = phase_initiative(load_ruleset("phased"), [0, 3], enemies=[12])
    >>> first.each, first.count.mean, first.p_all
    ((Fraction(9, 20), Fraction(3, 5)), Fraction(21, 20), Fraction(27, 100))
    """
    if rules.switch("initiative") != "phases":
        raise CombatkitError(
            f"in ruleset '{rules.id}' everyone rolls: ask initiative_order, or choose "
            "initiative = phases"
        )
    dc = phase_initiative_dc(rules, enemies, important)
    sets: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    checks = list(_checks(rules, players, MOST))
    for index, (bonus, rolled) in enumerate(checks):
        passed = rolled.at_least(dc - bonus)
        sets = {
            found: chance
            for old, before in sets.items()
            for found, chance in (((*old, index), before * passed), (old, before * (1 - passed)))
            if chance
        }
    return Selection(len(checks), dict(sorted(sets.items())))
