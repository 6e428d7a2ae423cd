"""Turns: what one may hold (table ``turn`` of the ruleset), and why one is illegal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from combatkit.combat.turns.actions import PAID, Action, Verdict, all_actions, find_action
from combatkit.errors import CombatkitError
from combatkit.rules import Combatant, Ruleset


@dataclass(frozen=True)
class Turn:
    """A turn and whether it is legal.

    Attributes
    ----------
    acts : tuple of Action
    why_not : str
        Why it is illegal; empty where it is legal.
    left : tuple of str
        Types of action that could still be added to a legal turn; after a 5-foot step, only those
        that cover no distance.
    """

    acts: tuple[Action, ...]
    why_not: str = ""
    left: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the turn is legal."""
        return not self.why_not

    def __bool__(self) -> bool:
        return self.legal


def turn(
    rules: Ruleset,
    acts: Iterable[str | Action],
    who: Combatant | None = None,
    hampered: bool = False,
    restricted: bool = False,
) -> Turn:
    """Judge a turn.

    Parameters
    ----------
    rules : Ruleset
    acts : iterable of str
        Ids of actions in their order, or just their types.
    who : Combatant, optional
        Whose turn it is: its speed and feats are then checked too.
    hampered : bool, optional
        By difficult terrain or darkness.
    restricted : bool, optional
        Whether only a single standard or move action is possible.

    Returns
    -------
    Turn
        True where it is legal.

    Notes
    -----
    Sources: Simplified 3.5, Action Types, Full-Round Actions, Free Actions, Take 5-Foot Step;
    Phased combat, turns and actions.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> turn(rules, ["attack_melee", "move", "speak"]).legal
    True
    >>> turn(rules, ["full_attack", "draw_weapon"]).why_not
    'a turn does not hold 1 move and 1 full-round action'
    >>> turn(rules, ["move", "five_foot_step"]).why_not
    '5-foot step: not in a round in which you move any distance (Move)'
    >>> turn(rules, ["attack_melee"]).left
    ('move', 'free', 'step')
    """
    when = "restricted" if restricted else "normal"
    return _judge(rules, _found(rules, acts), when, who, hampered)


def surprise_turn(
    rules: Ruleset, acts: Iterable[str | Action], who: Combatant | None = None
) -> Turn:
    """Judge the turn of somebody who acts in the surprise round.

    The switch ``surprise_turn`` chooses the reading: ``general`` (a standard or a move action, and
    free ones), ``procedures`` (one of the two and nothing free), ``section`` (a standard action
    and free ones), ``whole`` (a whole turn). Sources: Simplified 3.5, Combat Procedures step 1, The
    Surprise Round, Action Types; Phased combat, surprise round.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> surprise_turn(rules, ["move", "drop_item"]).legal
    True
    >>> surprise_turn(rules.with_switches(surprise_turn="section"), ["move"]).legal
    False
    """
    reading = rules.switch("surprise_turn")
    when = {"general": "restricted", "whole": "normal"}.get(reading, reading)
    return _judge(rules, _found(rules, acts), when, who, False)


def _found(rules: Ruleset, acts: Iterable[str | Action]) -> tuple[Action, ...]:
    if isinstance(acts, str):
        raise CombatkitError(f"a turn is a list of actions, not the text {acts!r:.60}")
    return tuple(find_action(rules, word) for word in acts)


def _judge(
    rules: Ruleset, acts: tuple[Action, ...], when: str, who: Combatant | None, hampered: bool
) -> Turn:
    checks = (
        _why_too_much(rules, acts, when),
        *_why_not_together(rules, acts),
        *_why_not_able(rules, acts, when, who),
        _why_no_step(rules, acts, who, hampered),
    )
    if why_not := next(filter(None, checks), ""):
        return Turn(acts, why_not)
    more = (*PAID, "free", "step")
    return Turn(acts, "", tuple(k for k in more if _fits(rules, acts, k, when, who, hampered)))


def _fits(
    rules: Ruleset,
    acts: tuple[Action, ...],
    kind: str,
    when: str,
    who: Combatant | None = None,
    hampered: bool = False,
) -> bool:
    """Whether one more action of a type still has room."""
    more = (*acts, Action(kind, kind, kind))
    return not (_why_too_much(rules, more, when) or _why_no_step(rules, more, who, hampered))


def _why_too_much(rules: Ruleset, acts: tuple[Action, ...], when: str) -> str:
    """Whether one of the turns of the ruleset holds all that is done."""
    restricted = when != "normal"
    spent = Counter(
        "standard" if restricted and action.cell("as_standard") else action.type for action in acts
    )
    allowed = [
        entry.cells
        for entry in rules.lookups.values()
        if entry.table == "turn" and entry.cells.get("when") == when
    ]
    for cells in allowed:
        within = all(spent[kind] <= int(cells.get(kind, 0)) for kind in PAID)
        if within and spent["free"] <= int(cells.get("free", spent["free"])):
            return ""
    counted = [kind for kind in (*PAID, "free") if spent[kind]]
    words = [f"{spent[kind]} {kind.replace('_', '-')}" for kind in counted]
    plural = "s" if spent.total() > 1 and len(counted) == 1 else ""
    holds = {"normal": "a turn", "restricted": "a restricted turn"}.get(when, "a surprise turn")
    return f"{holds} does not hold {' and '.join(words)} action{plural}"


def _why_not_together(rules: Ruleset, acts: tuple[Action, ...]) -> Iterator[str]:
    ids = Counter(action.id for action in acts)
    for action in acts:
        for other in action.cell("excludes").split():
            if other in ids:
                name = find_action(rules, other).label
                yield f"{action.label}: not in the same turn as {name.lower()}"
        needed = action.cell("requires").split()
        if needed and not any(other in ids for other in needed):
            yield f"{action.label}: only as part of an attack or full attack"
        limit = action.cell("per_turn")
        if limit and ids[action.id] > int(limit):
            yield f"{action.label}: {limit} in a round"
    if any(action.type == "reaction" for action in acts):
        yield "a reaction answers a trigger; it is no part of a turn"


def _why_not_able(
    rules: Ruleset, acts: tuple[Action, ...], when: str, who: Combatant | None
) -> Iterator[str]:
    for place, action in enumerate(acts):
        kind = action.cell("needs")
        if kind and not _fits(rules, acts[:place], kind, when):
            yield f"{action.label}: only while a {kind} action is still left"
        feat = action.cell("feat")
        if feat and who is not None and not who.has_feat(feat):
            yield f"{action.label}: needs the feat {rules.feat(feat).label}"


def _why_no_step(
    rules: Ruleset, acts: tuple[Action, ...], who: Combatant | None, hampered: bool
) -> str:
    steps = sum(action.type == "step" for action in acts)
    if not steps:
        return ""
    moving = [action for action in acts if action.mode]
    speed = who.speed if who is not None else None
    verdict = five_foot_step(rules, speed, len(moving), steps - 1, hampered)
    about = f" ({moving[0].label})" if moving and "distance" in verdict.why_not else ""
    return f"5-foot step: {verdict.why_not}{about}" if verdict.why_not else ""


def five_foot_step(
    rules: Ruleset,
    speed: int | None = None,
    moved: int = 0,
    taken: int = 0,
    hampered: bool = False,
    listed_speed: bool = True,
) -> Verdict:
    """Judge a 5-foot step.

    Parameters
    ----------
    rules : Ruleset
    speed : int, optional
        Feet; None leaves it out of account.
    moved : int, optional
        Feet moved this round by anything else, running included.
    taken : int, optional
        Steps already taken this round.
    hampered : bool, optional
        By difficult terrain or darkness.
    listed_speed : bool, optional
        Whether the creature has a listed speed for this form of movement.

    Returns
    -------
    Verdict
        Source: Simplified 3.5, Take 5-Foot Step.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("classic")
    >>> bool(five_foot_step(rules, speed=30))
    True
    >>> five_foot_step(rules, speed=5).why_not
    'it takes a speed above 5 feet'
    """
    if not any(action.type == "step" for action in all_actions(rules)):
        return Verdict(f"ruleset '{rules.id}' has none")
    if taken > 0:
        return Verdict("one in a round")
    if moved > 0:
        return Verdict("not in a round in which you move any distance")
    if hampered:
        return Verdict("not where terrain or darkness hampers movement")
    least = rules.number("step.speed_above")
    if speed is not None and speed <= least:
        return Verdict(f"it takes a speed above {least} feet")
    if not listed_speed:
        return Verdict("not by a form of movement without a listed speed")
    return Verdict()
