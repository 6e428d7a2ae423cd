"""Awareness and surprise: who knows of the enemy, and who acts before the first round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from combatkit.combat.checks.opposed import Check, Selection, seekers_tie, selection
from combatkit.errors import CombatkitError
from combatkit.prob.exact import within
from combatkit.rules import Ruleset

MOST = 100


def awareness(
    rules: Ruleset, watchers: Sequence[int | Check], hiders: Sequence[int | Check]
) -> Selection:
    """Work out who becomes aware of the enemy by opposed checks.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``opposed_tie`` decides a tie.
    watchers : sequence of int or Check
        Listen, Spot or other bonuses of one side, 1 to 10.
    hiders : sequence of int or Check
        Hide, Move Silently or other bonuses of the other side, 1 to 10.

    Returns
    -------
    Selection
        Of the watchers; to be aware is to beat at least one of those who hide.

    Notes
    -----
    Everybody rolls once, so watchers who are all fooled by one good roll are fooled together.
    Source: Simplified 3.5, Determining Awareness; opposed checks are the public SRD's.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> seen = awareness(load_ruleset("classic"), watchers=[2, 0], hiders=[5])
    >>> seen.each, seen.p_any, seen.count.p(2)
    ((Fraction(17, 50), Fraction(21, 80)), Fraction(719, 1600), Fraction(49, 320))
    """
    return selection(rules, hiders, watchers, "above_lowest", seekers_tie(rules))


@dataclass(frozen=True)
class SurpriseRound:
    """What happens before the first round.

    Attributes
    ----------
    happens : bool
        Whether there is a surprise round at all.
    acts, waits : tuple of int
        Those who act in it and those who do not, by index; both empty when there is none.
    allowance : str
        What somebody who acts may do.
    condition : str
        Id of the defender's row for somebody who waits.
    """

    happens: bool
    acts: tuple[int, ...]
    waits: tuple[int, ...]
    allowance: str
    condition: str


def surprise_round(
    rules: Ruleset,
    aware: Sequence[bool],
    sides: Sequence[object] | None = None,
    planned: Sequence[int] = (),
) -> SurpriseRound:
    """Tell whether there is a surprise round, and who acts in it.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``surprise_acts`` says who acts.
    aware : sequence of bool
        Whether each combatant is aware of the enemy at the start, 1 to 100 of them.
    sides : sequence, optional
        Which side each is on, by any word; when left out, the aware are one side.
    planned : sequence of int
        Indices of those who agreed beforehand to attack; the first aware one when left out. It
        matters only where surprise is for those who planned it.

    Returns
    -------
    SurpriseRound

    Raises
    ------
    CombatkitError
        For somebody who planned the attack but is not aware of the enemy, or is on another side.

    Notes
    -----
    Simplified 3.5, Surprise: it happens when some but not all are aware, and all who are aware act.
    Phased combat, Surprise: it happens when no enemy of those who attack is aware of them; only
    those who agreed act, and everybody else is stunned.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> ambush = surprise_round(load_ruleset("classic"), [True, True, False])
    >>> ambush.acts, ambush.waits, ambush.condition
    ((0, 1), (2,), 'flat_footed')
    >>> ambush = surprise_round(load_ruleset("phased"), [True, True, False])
    >>> ambush.acts, ambush.waits, ambush.condition
    ((0,), (1, 2), 'stunned')
    """
    flags = [bool(flag) for flag in _listed(aware, "aware")]
    within(len(flags), "the number of combatants", 1, MOST)
    teams: Sequence[object] = flags if sides is None else _listed(sides, "sides")
    if len(teams) != len(flags):
        raise CombatkitError(f"sides: {len(teams)} given for {len(flags)} combatants")
    if rules.switch("surprise_acts") == "planned":
        acts = _attackers(flags, teams, _listed(planned, "planned"))
    else:
        acts = {index for index, flag in enumerate(flags) if flag}
        acts = set() if len(acts) == len(flags) else acts
    waits = [index for index in range(len(flags)) if index not in acts] if acts else []
    return SurpriseRound(
        bool(acts),
        tuple(sorted(acts)),
        tuple(waits),
        str(rules.lookup("surprise", "acts").cells["allowance"]),
        str(rules.lookup("surprise", "waits").cells["condition"]),
    )


def _listed(values: object, what: str) -> list[object]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise CombatkitError(f"{what}: a list is needed, not {values!r:.60}")
    return list(values)


def _attackers(aware: list[bool], teams: Sequence[object], planned: list[object]) -> set[int]:
    """Find who attacks, or nobody where an enemy of theirs is aware of them."""
    chosen = {within(index, "planned: an index", 0, len(aware) - 1) for index in planned}
    for index in chosen:
        if not aware[index]:
            raise CombatkitError(f"planned: combatant {index} is not aware of the enemy")
    if not chosen and any(aware):
        chosen = {aware.index(True)}
    if len({teams[index] for index in chosen}) > 1:
        raise CombatkitError("planned: those who attack together are on one side")
    enemies = [aware[i] for i, team in enumerate(teams) if chosen and team != teams[min(chosen)]]
    return chosen if enemies and not any(enemies) else set()
