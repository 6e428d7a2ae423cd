"""Engagement in melee (``phased``): who is engaged with whom, and what moving away costs.

A :class:`Melee` is a small frozen state. Each method is one event of the text and returns the state
after it, with those who may answer by an opportunity attack. Source: Phased combat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from combatkit.combat.turns.actions import Verdict
from combatkit.errors import CombatkitError, nearest
from combatkit.rules import Ruleset

Point = tuple[int | Fraction, int | Fraction]


class Fighter(NamedTuple):
    """Somebody in a melee.

    Attributes
    ----------
    name, side : str
    speed, reach : int
        Feet; only the difference between 5 and 10 feet or more matters, not that of two swords.
    armed : bool
        Natural weapons and a monk's hands count.
    """

    name: str
    side: str
    speed: int = 30
    reach: int = 5
    armed: bool = True


class After(NamedTuple):
    """What an event leads to.

    Attributes
    ----------
    melee : Melee
        The state afterwards.
    strikers : tuple of str
        Who may use their reaction for an opportunity attack, resolved before the act that
        provoked it is completed.
    """

    melee: Melee
    strikers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Melee:
    """Who is engaged with whom, and who has reacted.

    Attributes
    ----------
    fighters : tuple of Fighter
    pairs : frozenset of frozenset of str
        Those engaged with one another.
    inside : frozenset of (str, str)
        Who has closed in on whom.
    reacted, readied : frozenset of str
        Who has used the reaction, and who has an action ready.
    owed : frozenset of (str, int)
        Feet moved on others' turns, to be taken off the next turn's movement.

    Examples
    --------
    >>> melee = Melee((Fighter("Mia", "players"), Fighter("Ogre", "enemies", 30, 10)))
    >>> melee, strikers = melee.attack("Mia", "Ogre")
    >>> strikers, melee.opponents("Mia")
    (('Ogre',), ('Ogre',))
    >>> melee.attack("Mia", "Ogre").strikers  # closed in already
    ()
    >>> melee.run_away("Mia").strikers
    ('Ogre',)
    """

    fighters: tuple[Fighter, ...]
    pairs: frozenset[frozenset[str]] = frozenset()
    inside: frozenset[tuple[str, str]] = frozenset()
    reacted: frozenset[str] = frozenset()
    readied: frozenset[str] = frozenset()
    owed: frozenset[tuple[str, int]] = frozenset()

    def __post_init__(self) -> None:
        names = [fighter.name for fighter in self.fighters]
        if len(set(names)) != len(names):
            raise CombatkitError("two fighters have the same name; a melee needs different ones")

    # ---- questions
    def fighter(self, name: str) -> Fighter:
        """Find a fighter by name."""
        for fighter in self.fighters:
            if fighter.name == name:
                return fighter
        known = [fighter.name for fighter in self.fighters]
        raise CombatkitError(f"{name!r:.60} is not in this melee{nearest(name, known)}")

    def engaged(self, one: str, other: str) -> bool:
        """Whether two are engaged with each other."""
        return frozenset((one, other)) in self.pairs

    def opponents(self, name: str) -> tuple[str, ...]:
        """Everybody this fighter is engaged with."""
        self.fighter(name)
        return tuple(f.name for f in self.fighters if self.engaged(name, f.name))

    def debt(self, name: str) -> int:
        """Feet moved on others' turns since the last turn."""
        self.fighter(name)
        return sum(feet for who, feet in self.owed if who == name)

    def movement(self, name: str, dash: bool = False) -> int:
        """Feet this fighter may still move, on the next turn or in answer to others."""
        return movement_left(self.fighter(name).speed, self.debt(name), dash)

    def may_react(self, name: str) -> Verdict:
        """Whether the reaction is still there: one until the start of the next turn."""
        self.fighter(name)
        return Verdict("has reacted already" if name in self.reacted else "")

    def may_pursue(self, name: str, other: str) -> Verdict:
        """Whether somebody may follow an opponent who backs away."""
        if not self.engaged(name, other):
            return Verdict(f"is not engaged with {other}")
        rest = [foe for foe in self.opponents(name) if foe != other]
        if rest:
            return Verdict(f"is also engaged with {' and '.join(rest)}")
        return Verdict("" if self.movement(name) else "has no movement left")

    def may_intercept(self, name: str, other: str, feet: int) -> Verdict:
        """Whether somebody may step into the way of a hostile creature."""
        if self.fighter(name).side == self.fighter(other).side:
            return Verdict(f"{other} is not hostile")
        if foes := self.opponents(name):
            return Verdict(f"is engaged with {' and '.join(foes)}")
        if _feet(feet) > (left := self.movement(name)):
            return Verdict(f"{feet} feet are more than the {left} left")
        return Verdict()

    # ---- events
    def start_turn(self, name: str) -> Melee:
        """Give the reaction back; an action readied before is lost."""
        self.fighter(name)
        return replace(self, reacted=self.reacted - {name}, readied=self.readied - {name})

    def end_turn(self, name: str) -> Melee:
        """Forget the movement owed, which this turn has paid."""
        self.fighter(name)
        return replace(self, owed=frozenset(o for o in self.owed if o[0] != name))

    def attack(self, name: str, target: str, opportunity: bool = False) -> After:
        """Make a melee attack, which engages the two.

        It provokes by closing in on a longer reach for the first time, or by striking unarmed at
        somebody armed; an opportunity attack never does.
        """
        one, other = self.fighter(name), self.fighter(target)
        if one.side == other.side:
            raise CombatkitError(f"{name} and {target} are on the same side")
        closes = other.reach > one.reach and (name, target) not in self.inside
        inside = self.inside
        if closes:  # closing in on one leaves the melee range of others
            inside = frozenset(i for i in inside if i[0] != name) | {(name, target)}
        after = replace(self, pairs=self.pairs | {frozenset((name, target))}, inside=inside)
        unguarded = closes or (other.armed and not one.armed)
        may = self._ready_to_strike([target]) if unguarded and not opportunity else ()
        return After(after, may)

    def act_carelessly(self, name: str) -> After:
        """Do something that hinders one's own defense: everybody engaged may strike."""
        return After(self, self._ready_to_strike(self.opponents(name)))

    def react(self, name: str) -> Melee:
        """Use the reaction, for an opportunity attack say."""
        if why_not := self.may_react(name).why_not:
            raise CombatkitError(f"{name} {why_not}")
        return replace(self, reacted=self.reacted | {name})

    def disengage(self, name: str, other: str) -> Melee:
        """Use the reaction to get away from an opponent whose guard is down."""
        if not self.engaged(name, other):
            raise CombatkitError(f"{name} is not engaged with {other}")
        return self.react(name)._apart(name, [other])

    def back_away(
        self,
        name: str,
        feet: int,
        pursuers: Iterable[str] = (),
        away_from: Iterable[str] | None = None,
    ) -> Melee:
        """Move away from opponents; who may and wants to pursues.

        Parameters
        ----------
        name : str
        feet : int
            Up to one's movement.
        pursuers : iterable of str
            Who follows, out of those :meth:`may_pursue` allows. They stay engaged if they have
            the movement to keep up, and owe it.
        away_from : iterable of str, optional
            Everybody engaged when left out.
        """
        if _feet(feet) > (left := self.movement(name)):
            raise CombatkitError(f"{name} cannot back away {feet} feet with {left} left")
        left_behind = set(self.opponents(name) if away_from is None else away_from)
        after, keeps = self, set()
        for chaser in dict.fromkeys(pursuers):
            if why_not := self.may_pursue(chaser, name).why_not:
                raise CombatkitError(f"{chaser} cannot pursue {name}: {why_not}")
            can = self.movement(chaser)
            after = after._owing(chaser, min(feet, can))
            keeps |= {chaser} if can >= feet else set()
        return after._apart(name, sorted(left_behind - keeps))

    def run_away(self, name: str) -> After:
        """Turn and dash away: everybody engaged may strike, nobody may pursue."""
        foes = self.opponents(name)
        if not foes:
            raise CombatkitError(f"{name} is not engaged with anybody")
        return After(self._apart(name, foes), self._ready_to_strike(foes))

    def move_past(self, name: str, other: str) -> After:
        """Cross the line through an opponent (see :func:`moves_past`): that opponent may strike."""
        if not self.engaged(name, other):
            raise CombatkitError(f"{name} is not engaged with {other}; {other} may intercept first")
        return After(self, self._ready_to_strike([other]))

    def intercept(self, name: str, other: str, feet: int) -> Melee:
        """Move into the way of a hostile creature and engage it; the reaction stays."""
        if why_not := self.may_intercept(name, other, feet).why_not:
            raise CombatkitError(f"{name} cannot intercept {other}: {why_not}")
        met = replace(self, pairs=self.pairs | {frozenset((name, other))})
        return met._owing(name, feet)

    def ready(self, name: str) -> Melee:
        """Ready an action for a trigger, as the turn's standard action."""
        self.fighter(name)
        return replace(self, readied=self.readied | {name})

    def carry_out(self, name: str) -> Melee:
        """Take the readied action when its trigger occurs: it uses the reaction."""
        if name not in self.readied:
            raise CombatkitError(f"{name} has no action ready")
        return replace(self.react(name), readied=self.readied - {name})

    # ---- parts
    def _ready_to_strike(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(name for name in names if self.may_react(name))

    def _apart(self, name: str, others: Sequence[str]) -> Melee:
        gone = {frozenset((name, other)) for other in others}
        inside = frozenset(i for i in self.inside if frozenset(i) not in gone)
        return replace(self, pairs=self.pairs - gone, inside=inside)

    def _owing(self, name: str, feet: int) -> Melee:
        others = frozenset(o for o in self.owed if o[0] != name)
        owes = self.debt(name) + feet
        return replace(self, owed=others | {(name, owes)} if owes else others)


def _feet(feet: int) -> int:
    if feet < 0:
        raise CombatkitError(f"a distance cannot be negative, not {feet}")
    return feet


def movement_left(speed: int, reactive: int, dash: bool = False) -> int:
    """Movement left on the next turn after reactive movement (Phased combat, Reactive movement).

    Parameters
    ----------
    speed : int
        Feet.
    reactive : int
        Feet moved on others' turns, at most the speed.
    dash : bool, optional
        Doubles the speed of the turn.

    Examples
    --------
    >>> movement_left(30, 20), movement_left(30, 20, dash=True)
    (10, 40)
    """
    if not 0 <= reactive <= speed:
        raise CombatkitError(f"reactive movement is 0 to {speed} feet, not {reactive}")
    return speed * (2 if dash else 1) - reactive


def moves_past(path: Sequence[Point], opponent: Point) -> bool:
    """Tell whether a path crosses the line through an opponent into the far half.

    Parameters
    ----------
    path : sequence of (x, y)
        From the position at the start of the turn, straight from point to point; whole numbers or
        fractions.
    opponent : (x, y)

    Returns
    -------
    bool
        The line stands across the way from the start to the opponent. Touching it is not crossing.
        Source: Phased combat, Moving past.

    Examples
    --------
    >>> moves_past([(0, 0), (3, 1)], (2, 0)), moves_past([(0, 0), (1, 5)], (2, 0))
    (True, False)
    """
    if not path:
        raise CombatkitError("a path has at least the point it starts from")
    if any(isinstance(part, float) for point in (*path, opponent) for part in point):
        raise CombatkitError("positions are whole numbers or fractions, not decimals")
    (x, y), (there_x, there_y) = path[0], opponent
    across_x, across_y = there_x - x, there_y - y
    # half planes are convex: a straight leg crosses exactly when its end lies beyond
    return any((px - there_x) * across_x + (py - there_y) * across_y > 0 for px, py in path[1:])


def abreast(rules: Ruleset, width: int) -> int:
    """How many medium creatures fight abreast in a width of so many feet (Phased combat).

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> abreast(load_ruleset("phased"), 10), abreast(load_ruleset("phased"), 14)
    (2, 2)
    """
    return _feet(width) // rules.number("engagement.space")


def reach_of(rules: Ruleset, reach_weapon: bool = False, natural: int | None = None) -> int:
    """Reach in feet, as far as the difference matters (Phased combat, Closing in).

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> reach_of(rules), reach_of(rules, reach_weapon=True), reach_of(rules, natural=15)
    (5, 10, 15)
    """
    own = rules.number("engagement.reach") if natural is None else natural
    return max(own, rules.number("engagement.reach_weapon")) if reach_weapon else own
