"""Morale: when a check is due, whether it holds, and a whole fight with morale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Literal, get_args

from flint import fmpq_poly, fmpz_poly

from combatkit.combat.attacks.attack import Strike
from combatkit.combat.attacks.full_attack import FullAttack
from combatkit.combat.d20 import Roll, p_check
from combatkit.combat.health.kill_time import (
    MAX_WORK,
    KillTime,
    damage_poly,
    inverse_series,
    kill_time,
)
from combatkit.combat.health.pairs import deals_any
from combatkit.errors import CombatkitError, check_word
from combatkit.prob import Dist
from combatkit.prob.exact import within
from combatkit.rules import Ruleset

Kind = Literal["solitary", "group"]
MOST_IN_GROUP = 100
MOST_ROUNDS = 200
MOST_CHECKS = 1000


def morale_trigger(
    rules: Ruleset, kind: Kind, total: int, lost: int, leader_defeated: bool = False
) -> bool:
    """Tell whether a morale check is due.

    Parameters
    ----------
    rules : Ruleset
    kind : {"solitary", "group"}
        A solitary creature counts its hit points, a group its members.
    total, lost : int
        Of hit points or members; total at least 1.
    leader_defeated : bool, optional
        Whether a group's leader has been defeated.

    Notes
    -----
    Source: Phased combat, Morale check triggers. Players' characters and the fearless never check.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> rules = load_ruleset("phased")
    >>> morale_trigger(rules, "solitary", 30, 15), morale_trigger(rules, "group", 7, 3)
    (True, False)
    """
    check_word(kind, get_args(Kind), "kind")
    within(total, "the total", 1, 10**6)
    within(lost, "what is lost", 0, 10**6)
    enough = lost >= total * rules.fraction("morale.share")
    return enough or (kind == "group" and leader_defeated)


def p_morale(rules: Ruleset, leader: int = 0, roll: Roll = "normal", checks: int = 1) -> Fraction:
    """Chance to pass every one of so many morale checks (0 to 1000).

    Parameters
    ----------
    rules : Ruleset
    leader : int, optional
        Charisma modifier of the leader who is followed; a solitary creature adds nothing.
    roll : {"normal", "advantage", "disadvantage"}, optional
        The brave have advantage, cowards disadvantage.

    Notes
    -----
    Source: Phased combat, Making a morale check. No natural roll is special.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> p_morale(load_ruleset("phased")), p_morale(load_ruleset("phased"), 9, checks=3)
    (Fraction(11, 20), Fraction(1, 1))
    """
    chance = p_check(within(leader, "the leader's Charisma", -1000, 1000), _dc(rules), roll)
    return chance ** within(checks, "checks", 0, MOST_CHECKS)


def _dc(rules: Ruleset) -> int:
    return rules.number("morale.dc")


@dataclass(frozen=True)
class MoraleFight:
    """A fight with morale: who runs before being brought down.

    Attributes
    ----------
    by_round : tuple of dict
        Chance to be ``fighting``, ``fled`` and ``down``; index 0 is before the first round.
    in_the_end : dict
        The same when the attacks never stop.
    """

    by_round: tuple[dict[str, Fraction], ...]
    in_the_end: dict[str, Fraction]

    @property
    def p_flees(self) -> Fraction:
        """Chance to flee or surrender before being brought down."""
        return self.in_the_end["fled"]


def solitary_morale(
    rules: Ruleset,
    attack: Strike | FullAttack | Dist,
    hit_points: int | None = None,
    rounds: int = 10,
    roll: Roll = "normal",
) -> MoraleFight:
    """Work out a fight against a solitary creature that may lose heart.

    Parameters
    ----------
    rules : Ruleset
    attack : Strike, FullAttack or Dist
        What is done to it every round, or the damage of a round.
    hit_points : int, optional
        The creature's; the defender's, temporary ones included, when left out.
    rounds : int, optional
        0 to 200.
    roll : {"normal", "advantage", "disadvantage"}, optional
        Of the morale check.

    Returns
    -------
    MoraleFight

    Notes
    -----
    After the round in which it has lost half its hit points and is not yet down, it checks once;
    having passed, it fights on to the end. Source: Phased combat, Morale check triggers.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> fight = solitary_morale(load_ruleset("phased"), Dist({0: 1, 4: 1}), hit_points=10)
    >>> fight.p_flees, fight.by_round[3]["down"]
    (Fraction(9, 20), Fraction(11, 160))
    """
    time = _losing(kill_time(attack, hit_points), attack)
    within(rounds, "rounds", 0, MOST_ROUNDS)
    if rounds * rounds * time.needed * time.damage.total.bit_length() > MAX_WORK:
        raise CombatkitError(f"{rounds} rounds against {time.needed} hit points are too many")
    flees = 1 - p_check(0, _dc(rules), roll)
    share = rules.fraction("morale.share")
    half = min(time.needed, -int(-time.needed * share // 1))  # lost at least this: a check is due
    history = list(_solitary_rounds(time, half, flees, rounds))
    return MoraleFight(tuple(history), _solitary_end(time, half, flees))


def _losing(time: KillTime, attack: Strike | FullAttack | Dist) -> KillTime:
    """Refuse what takes no hit points, or gives some back: morale goes by those lost."""
    blows = () if isinstance(attack, Dist) else tuple(one.blow for one in attack.strikes)
    if time.course is not None or any(deals_any(blow) for blow in blows):
        raise CombatkitError(
            "morale: nonlethal and massive damage, fast healing and regeneration are not followed; "
            "give the damage of a round as a Dist"
        )
    return time


def _solitary_rounds(
    time: KillTime, half: int, flees: Fraction, rounds: int
) -> Iterator[dict[str, Fraction]]:
    blow = damage_poly(time.damage, time.needed)
    stays, whole = flees.denominator - flees.numerator, flees.denominator
    bold, steady = fmpz_poly([1] if time.needed else []), fmpz_poly()  # before and after the check
    fled, total = 0, 1
    yield _odds(bold, steady, fled, total)
    for _ in range(rounds):
        hurt = bold.mul_low(blow, time.needed)
        bold = hurt.truncate(half)
        shaken = hurt - bold
        steady = steady.mul_low(blow, time.needed) * whole + shaken * stays
        fled = fled * time.damage.total * whole + int(shaken(1)) * flees.numerator
        bold *= whole
        total *= time.damage.total * whole
        yield _odds(bold, steady, fled, total)


def _odds(bold: fmpz_poly, steady: fmpz_poly, fled: int, total: int) -> dict[str, Fraction]:
    fighting = Fraction(int(bold(1)) + int(steady(1)), total)
    gone = Fraction(fled, total)
    return {"fighting": fighting, "fled": gone, "down": 1 - fighting - gone}


def _solitary_end(time: KillTime, half: int, flees: Fraction) -> dict[str, Fraction]:
    if not time.needed:
        return {"fighting": Fraction(0), "fled": Fraction(0), "down": Fraction(1)}
    if time.damage.maximum == 0:
        return {"fighting": Fraction(1), "fled": Fraction(0), "down": Fraction(0)}
    fled = flees * _shaken(time, half)
    return {"fighting": Fraction(0), "fled": fled, "down": 1 - fled}


def _shaken(time: KillTime, half: int) -> Fraction:
    """Chance to stand, once half is lost.

    1 / (1 - r) counts the visits to each loss below half, r being a round's generating function;
    from each of them a round may lead to half or more, but short of all.
    """
    whole = time.damage.total
    blow = damage_poly(time.damage, time.needed)
    visits = whole * inverse_series(fmpq_poly((whole - blow).truncate(half)), half)
    landed = visits * fmpq_poly(blow) / whole
    reached = sum((landed[loss] for loss in range(half, time.needed)), start=fmpq_poly([0])[0])
    return Fraction(int(reached.p), int(reached.q))


def group_morale(
    rules: Ruleset,
    attack: Strike | FullAttack | Dist,
    members: int,
    hit_points: int | None = None,
    rounds: int = 10,
    charisma: int = 0,
    leader_falls: int | None = None,
    roll: Roll = "normal",
) -> MoraleFight:
    """Work out a fight against a group that may lose heart together.

    Parameters
    ----------
    rules : Ruleset
        Its switch ``fallen_leader`` says whether a dead leader's Charisma still counts.
    attack : Strike, FullAttack or Dist
        What is done every round to one of them until it is down, then to the next; what exceeds
        its hit points is lost.
    members : int
        1 to 100, all with the same hit points.
    hit_points : int, optional
        Of each; the defender's, temporary ones included, when left out.
    rounds : int, optional
        0 to 200.
    charisma : int, optional
        The leader's Charisma modifier.
    leader_falls : int, optional
        Which one in the order of falling is the leader, 1 being the first; None for no leader.
    roll : {"normal", "advantage", "disadvantage"}, optional
        Of the morale checks.

    Returns
    -------
    MoraleFight
        ``down`` is all of them down.

    Notes
    -----
    One check at half the group down and one when the leader falls; a single one when both happen
    at once. Source: Phased combat, Morale check triggers.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> fight = group_morale(load_ruleset("phased"), Dist.constant(5), members=4, hit_points=5)
    >>> fight.p_flees, fight.by_round[2]["fled"], fight.by_round[1]["fled"]
    (Fraction(9, 20), Fraction(9, 20), Fraction(0, 1))
    """
    time = _losing(kill_time(attack, hit_points), attack)
    within(members, "members", 1, MOST_IN_GROUP)
    within(rounds, "rounds", 0, MOST_ROUNDS)
    if leader_falls is not None:
        within(leader_falls, "leader_falls", 1, members)
    flees = dict(_checks(rules, members, charisma, leader_falls, roll))
    if time.needed and time.damage.maximum == 0:
        odds = {"fighting": Fraction(1), "fled": Fraction(0), "down": Fraction(0)}
        return MoraleFight((odds,) * (rounds + 1), odds)
    never = 1 - sum(flees.values(), Fraction(0))
    step, whole = _one_falls(time, members, rounds)
    falls = {n: _fallen(step, whole, n) for n in {*flees, members}}

    def by(number: int) -> dict[str, Fraction]:
        fled = sum((chance * falls[n][number] for n, chance in flees.items()), Fraction(0))
        down = never * falls[members][number]
        return {"fighting": 1 - fled - down, "fled": fled, "down": down}

    end = {"fighting": Fraction(0), "fled": 1 - never, "down": never}
    return MoraleFight(tuple(by(number) for number in range(rounds + 1)), end)


def _checks(
    rules: Ruleset, members: int, charisma: int, leader_falls: int | None, roll: Roll
) -> Iterator[tuple[int, Fraction]]:
    """Yield the number of fallen at which a check is due, and the chance to flee just then."""
    within(charisma, "the leader's Charisma", -1000, 1000)
    half = next(n for n in range(members + 1) if morale_trigger(rules, "group", members, n))
    standing = Fraction(1)
    for fallen in sorted({half, leader_falls or half}):
        led = leader_falls is not None and (
            fallen < leader_falls or rules.switch("fallen_leader") == "still_counts"
        )
        fails = 1 - p_check(charisma if led else 0, _dc(rules), roll)
        if fallen < members:  # nobody is left to flee otherwise
            yield fallen, standing * fails
            standing *= 1 - fails


def _one_falls(time: KillTime, members: int, rounds: int) -> tuple[list[int], int]:
    """Weights of the round in which one of them falls, over one total."""
    one_round = time.damage.total
    if (members * rounds) ** 2 * one_round.bit_length() + rounds**2 * time.needed > MAX_WORK:
        raise CombatkitError(f"{rounds} rounds against {members} creatures are too many")
    blow = damage_poly(time.damage, time.needed)
    short, down = fmpz_poly([1] if time.needed else []), list[int]()
    for number in range(rounds + 1):
        down.append((one_round**number - int(short(1))) * one_round ** (rounds - number))
        short = short.mul_low(blow, time.needed)
    return [later - now for now, later in pairwise([0, *down])], one_round**rounds


def _fallen(step: list[int], whole: int, count: int) -> list[Fraction]:
    """Chance by round that so many have fallen, one after the other."""
    weights = fmpz_poly(step).pow_trunc(count, len(step)).coeffs()
    sums = [*accumulate(map(int, weights))]
    sums += [sums[-1] if sums else 0] * (len(step) - len(sums))
    return [Fraction(weight, whole**count) for weight in sums]
