"""The team race: up to four alike against one, both sides dealing damage until one side is out.

The one strikes the team's members in order, each until it falls; the members that still stand
strike the one. A layer is a state of the team: how many have fallen, and how hurt the next is.
Within a layer only the foe's damage grows, so the visits to all its states are one power series,
and a layer is left only for later ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_args

from flint import fmpq, fmpq_poly, fmpz_poly

from combatkit.combat.attacks.blow import Blow
from combatkit.combat.attacks.within_round import START, blows_damage
from combatkit.combat.fights.cleave import Hurt, Swing, swing_at, swing_of
from combatkit.combat.fights.closed_form import told_rounds
from combatkit.combat.fights.plan import Plan, one_kind, read_plan, turn_blows, turn_strikes
from combatkit.combat.health.damage_taken import (
    Standing,
    Target,
    bits_of_turns,
    take_turn,
    target_of,
)
from combatkit.combat.health.fate import UNCONSCIOUS, Fate, fate
from combatkit.combat.health.kill_time import damage_poly, inverse_series
from combatkit.combat.health.massive import suffered
from combatkit.errors import CombatkitError, check_word, expect, refuse_work
from combatkit.prob.exact import within
from combatkit.rules import Combatant, Ruleset

MOST_MEMBERS = 4
MOST_ROUNDS = 200
# layers times the foe's hit points times bits of a chance, more where a turn leads to many layers
MAX_WORK = 300_000_000  # some seconds
MAX_COURSE = 30_000_000_000  # the same round for round, times the layers a turn leads to
First = Literal["team", "foe"]


class Layer(NamedTuple):
    """How many of the team have fallen, and the damage the next one has taken."""

    fallen: int
    taken: int


@dataclass(frozen=True, eq=False)
class Race:
    """A team race's exact odds.

    Attributes
    ----------
    team_left : dict
        By (members standing, hit points of the one under attack): chance that the team wins so.
    foe_left : dict
        By the foe's hit points: chance that the foe wins so.
    foe_falls : dict
        By the foe's hit points at its fall, the dead counted at the first deadly value: chance.
    member_falls : dict
        By a member's hit points at its fall: expected number of members that fall so.
    mean_rounds : Fraction or None
        Expected number of rounds begun; None when the fight may never end.
    names : dict
        By side, what it is called.
    """

    team_left: dict[tuple[int, int], Fraction]
    foe_left: dict[int, Fraction]
    foe_falls: dict[int, Fraction]
    member_falls: dict[int, Fraction]
    mean_rounds: Fraction | None
    track: Track
    first: First
    names: dict[str, str]

    @cached_property
    def p_team_wins(self) -> Fraction:
        """Chance that the team wins."""
        return sum(self.team_left.values(), Fraction(0))

    @cached_property
    def p_foe_wins(self) -> Fraction:
        """Chance that the foe wins."""
        return sum(self.foe_left.values(), Fraction(0))

    def standing(self) -> dict[int, Fraction]:
        """Chance that the team wins with so many members standing."""
        odds: dict[int, Fraction] = {}
        for (members, _), chance in self.team_left.items():
            odds[members] = odds.get(members, Fraction(0)) + chance
        return dict(sorted(odds.items()))

    def foe_states(self) -> dict[str, Fraction]:
        """Chance of each state of health in which the foe falls."""
        return _states(self.track.rule, self.track.foe, self.foe_falls)

    def member_states(self) -> dict[str, Fraction]:
        """Tell the expected number of members that fall in each state of health."""
        return _states(self.track.rule_of_member, self.track.member, self.member_falls)

    def foe_in_the_end(self) -> dict[str, Fraction]:
        """Chance of each end of a foe that falls, once it has met its fate alone."""
        if not self.track.foe.lethal:
            return self.foe_states()
        return self.track.rule.in_the_end(self.foe_falls)

    def by_round(self, rounds: int) -> list[dict[str, Fraction]]:
        """Chances after each round (0 to 200 of them) that the ``"team"`` or ``"foe"`` has won.

        The first entry is the start; ``"both"`` is the chance that both still stand.

        Raises
        ------
        CombatkitError
            For more rounds than can be followed exactly.
        """
        return self.track.course(within(rounds, "rounds", 0, MOST_ROUNDS), self.first)

    def over_by(self, rounds: int) -> Fraction:
        """Chance that the fight is over after so many rounds (0 to 200)."""
        return 1 - self.by_round(rounds)[-1]["both"]

    def __repr__(self) -> str:
        team, foe = self.names["team"], self.names["foe"]
        wins = f"{team} win {float(self.p_team_wins):.2%}, {foe} wins {float(self.p_foe_wins):.2%}"
        return f"Race: {wins}; {told_rounds(self.mean_rounds)}"


def race(
    rules: Ruleset,
    member: Combatant,
    count: int,
    foe: Combatant,
    plan_team: Plan | None = None,
    plan_foe: Plan | None = None,
    first: First = "team",
    down_at: int = 0,
) -> Race:
    """Work out a fight of several alike against one.

    Parameters
    ----------
    rules : Ruleset
    member, count : Combatant, int
        One to four alike.
    foe : Combatant
    plan_team, plan_foe : Plan, optional
        What each does every turn; their openings, nerve and healing are not for races.
    first : {"team", "foe"}, optional
        Which side moves first.
    down_at : int, optional
        Somebody is out of the fight at this many hit points or fewer.

    Returns
    -------
    Race

    Raises
    ------
    CombatkitError
        For a fight too large to follow exactly, with an estimate.

    Examples
    --------
    >>> from combatkit.rules import load_ruleset
    >>> bite, claw = {"damage": "1d6"}, {"damage": "1d8+2"}
    >>> wolf = Combatant(attack_bonus=3, armor_class=14, hit_points=5, weapons=[bite])
    >>> bear = Combatant(attack_bonus=7, armor_class=15, hit_points=15, weapons=[claw])
    >>> odds = race(load_ruleset("srd35"), wolf, 3, bear)
    >>> round(float(odds.p_team_wins), 4), odds.p_team_wins + odds.p_foe_wins
    (0.571, Fraction(1, 1))
    """
    expect(rules, Ruleset, "rules")
    expect(member, Combatant, "member")
    expect(foe, Combatant, "foe")
    members = within(count, "the number of members", 1, MOST_MEMBERS)
    check_word(first, get_args(First), "first:")
    plans = read_plan(plan_team, "the team"), read_plan(plan_foe, "the foe")
    for plan, name in zip(plans, ("the team", "the foe"), strict=True):
        if plan.opening or plan.holds is not None or plan.heals:
            raise CombatkitError(f"plan of {name}: a race knows no opening, nerve or healing")
    blows = turn_blows(rules, member, foe, plans[0], plans[0].then, plans[1].then)
    strikes = turn_strikes(rules, foe, member, plans[1], plans[1].then, plans[0].then)
    back = tuple(map(suffered, strikes))
    one, back = one_kind(target_of(rules, member, down_at, "the team"), back, "the team")
    other, blows = one_kind(target_of(rules, foe, down_at, "the foe"), blows, "the foe")
    swings = tuple(
        swing_of(strike, blow, members) for strike, blow in zip(strikes, back, strict=True)
    )
    return Track(one, members, other, blows, swings, fate(rules, foe), fate(rules, member)).run(
        first, member, foe
    )


def _states(rule: Fate, target: Target, falls: dict[int, Fraction]) -> dict[str, Fraction]:
    if target.lethal:
        return rule.states(falls)
    return {UNCONSCIOUS: sum(falls.values(), Fraction(0))}


class Track:
    """The layers of a race and what flows into each."""

    def __init__(
        self,
        member: Target,
        count: int,
        foe: Target,
        blows: tuple[Blow, ...],
        back: tuple[Swing, ...],
        rule: Fate,
        rule_of_member: Fate,
    ) -> None:
        self.member, self.count, self.foe = member, count, foe
        self.blows, self.back, self.rule = blows, back, rule
        self.rule_of_member = rule_of_member
        self.layers = count * member.needed
        self.struck = tuple(swing.blow for swing in back for _ in range(swing.most))
        self.bits = bits_of_turns(blows, foe.needed) + bits_of_turns(self.struck, self.layers)
        self.after = min(self.layers, blows_damage(self.struck).maximum)
        work = self.layers * foe.needed * self.bits * (200 + self.after) // 200
        what = f"this race ({count} times {member.needed} hit points against {foe.needed})"
        refuse_work(what, work, MAX_WORK, "take fewer fighters, or fewer hit points")
        self.inflow: dict[Layer, fmpq_poly] = {}
        self.foe_wins = fmpq_poly()
        self.falls = fmpq_poly()
        self.member_falls: defaultdict[int, fmpq] = defaultdict(fmpq)
        self.team_wins: dict[Layer, fmpq] = {}
        self.visits = self.backs = fmpq(0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it is made of: flint's polynomials cannot be pickled."""
        parts = (self.member, self.count, self.foe, self.blows, self.back)
        return Track, (*parts, self.rule, self.rule_of_member)

    def run(self, first: First, member: Combatant, foe: Combatant) -> Race:
        """Follow the fight through all layers."""
        start = fmpq_poly([1])
        if first == "team":
            self.inflow[Layer(0, 0)] = start
        else:
            self._strike_back(start, *self._after_strikes(Layer(0, 0)))
        endless = False
        for fallen in range(self.count):
            for taken in range(self.member.needed):
                layer = Layer(fallen, taken)
                if layer in self.inflow:
                    endless |= not self._pass(layer)
        return Race(
            self._team_left(self.member.full),
            _by_points(_listed(self.foe_wins), self.foe.full, self.foe),
            _by_points(_listed(self.falls), self.foe.full, self.foe),
            _by_points(self.member_falls, self.member.full, self.member),
            None if endless else _fraction(self.visits if first == "team" else self.backs),
            self,
            first,
            {"team": f"{self.count} × {member.name or 'team'}", "foe": foe.name or "the foe"},
        )

    def _team_left(self, full: int) -> dict[tuple[int, int], Fraction]:
        left: dict[tuple[int, int], Fraction] = {}
        for layer, chance in self.team_wins.items():
            lost = layer.taken if self.member.lethal else 0
            key = self.count - layer.fallen, full - lost
            left[key] = left.get(key, Fraction(0)) + _fraction(chance)
        return left

    def course(self, rounds: int, first: First) -> list[dict[str, Fraction]]:
        """Chance after each round, from the start on, that a side has won or both stand."""
        self._refuse_long_course(rounds)
        now, both = {Layer(0, 0): fmpq_poly([1])}, fmpq(1)
        team = foe = fmpq(0)
        odds = [{"team": Fraction(0), "foe": Fraction(0), "both": Fraction(1)}]
        for _ in range(rounds):
            for side in ("team", "foe") if first == "team" else ("foe", "team"):
                now = self._strikes(now) if side == "team" else self._struck(now)
                before, both = both, sum((flow(1) for flow in now.values()), fmpq(0))
                team += before - both if side == "team" else 0
                foe += before - both if side == "foe" else 0
            ends = {"team": team, "foe": foe, "both": both}
            odds.append({end: _fraction(chance) for end, chance in ends.items()})
        return odds

    def _refuse_long_course(self, rounds: int) -> None:
        bits = min(
            rounds * (bits_of_turns(self.blows, 1) + bits_of_turns(self.struck, 1)), 4 * self.bits
        )
        work = rounds * self.layers * self.foe.needed * max(1, self.after) * bits
        refuse_work(f"{rounds} rounds of this race", work, MAX_COURSE, "ask for fewer rounds")

    def _strikes(self, now: dict[Layer, fmpq_poly]) -> dict[Layer, fmpq_poly]:
        later = {}
        for layer, flow in now.items():
            later[layer] = flow.mul_low(self._flow(layer), self.foe.needed)
        return later

    def _struck(self, now: dict[Layer, fmpq_poly]) -> dict[Layer, fmpq_poly]:
        later: dict[Layer, fmpq_poly] = {}
        for layer, flow in now.items():
            for after, chance in self._after_strikes(layer)[0].items():
                if after.fallen < self.count:
                    later[after] = later.get(after, fmpq_poly()) + flow * chance
        return later

    def _pass(self, layer: Layer) -> bool:
        """Follow the fight through one layer; False when it may stay there for ever."""
        layers, falls = self._after_strikes(layer)
        # what stays in a layer is in its visits already
        idle = layers.pop(layer, fmpq(0))
        flow = self._flow(layer)
        if idle * flow[0] == 1:
            return False
        inflow = self.inflow.pop(layer)
        visits = inflow.mul_low(inverse_series(1 - idle * flow, self.foe.needed), self.foe.needed)
        self.visits += visits(1)
        scale = visits.denom()
        up = Standing(fmpz_poly((visits * scale).numer()), fmpz_poly(), 1)
        won = fmpq_poly()
        for _ in range(self.count - layer.fallen):
            up, out = take_turn(up, self.blows, self.foe)
            won += fmpq_poly(out.fallen) / (scale * up.total)
        self.falls += won
        if won(1):
            self.team_wins[layer] = self.team_wins.get(layer, fmpq(0)) + won(1)
        self._strike_back(fmpq_poly(up.taken) / (scale * up.total), layers, falls)
        return True

    def _flow(self, layer: Layer) -> fmpq_poly:
        """Damage of the members that stand, below what the foe needs to fall."""
        damage = blows_damage(self.blows)
        members = self.count - layer.fallen
        hit = damage_poly(damage, self.foe.needed).pow_trunc(members, self.foe.needed)
        flow: fmpq_poly = fmpq_poly(hit) / damage.total**members
        return flow

    def _strike_back(
        self, flow: fmpq_poly, layers: dict[Layer, fmpq], falls: dict[int, fmpq]
    ) -> None:
        """Let the foe strike: the flow goes on to these layers, members fall at this damage."""
        self.backs += flow(1)
        for taken, chance in falls.items():
            self.member_falls[taken] += chance * flow(1)
        for after, chance in layers.items():
            if after.fallen == self.count:
                self.foe_wins += flow * chance
            else:
                self.inflow[after] = self.inflow.get(after, fmpq_poly()) + flow * chance

    def _after_strikes(self, layer: Layer) -> tuple[dict[Layer, fmpq], dict[int, fmpq]]:
        """Layers after the foe's turn, and the damage at which members fall in it."""
        hurt: Hurt = {(layer.fallen, START, False): fmpz_poly([1]).left_shift(layer.taken)}
        falls, total = fmpz_poly(), 1
        for swing in self.back:
            hurt, fell = swing_at(swing, hurt, self.member, self.count)
            falls = falls * swing.total + fell
            total *= swing.total
        layers = defaultdict[Layer, fmpq](fmpq)
        for (fallen, _, _), poly in hurt.items():
            for taken, chance in _odds(poly, total):
                layers[Layer(fallen, taken)] += chance
        return layers, dict(_odds(falls, total))


def _odds(taken: fmpz_poly, total: int) -> Iterator[tuple[int, fmpq]]:
    for damage, weight in enumerate(taken.coeffs()):
        if weight:
            yield damage, fmpq(weight, total)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _listed(poly: fmpq_poly) -> dict[int, fmpq]:
    return {taken: chance for taken, chance in enumerate(poly.coeffs()) if chance}


def _by_points(chances: Mapping[int, fmpq], full: int, target: Target) -> dict[int, Fraction]:
    """Gather chances by damage taken into chances by hit points; nonlethal damage takes none."""
    odds: dict[int, Fraction] = {}
    for taken, chance in chances.items():
        points = full - taken if target.lethal else full
        odds[points] = odds.get(points, Fraction(0)) + _fraction(chance)
    return odds
