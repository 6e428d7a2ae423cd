"""Team races against the duel, and against a naive program that plays every state out."""

from __future__ import annotations

import pickle
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Plan, attack, duel, full_attack, load_ruleset, race
from combatkit import Situation as There

F = Fraction
SRD = load_ruleset("srd35").with_switches(before_first_turn="ready")
First = Any


def _who(bonus: int, ac: int, points: int, dice: str, **fields: Any) -> Combatant:
    return Combatant(
        attack_bonus=bonus, armor_class=ac, hit_points=points, weapons=[{"damage": dice}], **fields
    )


fighters = st.builds(
    _who, st.integers(0, 10), st.integers(8, 18), st.integers(1, 12), st.sampled_from(["1d4", "3"])
)


@settings(max_examples=25)
@given(fighters, fighters, st.sampled_from(["team", "foe"]))
def test_a_team_of_one_is_a_duel(one: Combatant, foe: Combatant, first: First) -> None:
    told = race(SRD, one, 1, foe, first=first)
    twin = duel(SRD, one, foe, first="a" if first == "team" else "b")
    assert (told.p_team_wins, told.mean_rounds) == (twin.p_a_wins, twin.mean_rounds)
    assert {points: p for (_, points), p in told.team_left.items()} == twin.left("a")
    assert told.foe_left == twin.left("b")
    lost = {state: chance for state, chance in twin.loser("b").items() if chance}
    assert told.foe_states() == lost
    assert told.foe_in_the_end() == {k: v for k, v in twin.in_the_end("b").items() if k != "fled"}
    gone = {state: chance for state, chance in twin.loser("a").items() if chance}
    assert told.member_states() == gone
    assert [told.over_by(n) for n in (0, 1, 4)] == [twin.over_by(n) for n in (0, 1, 4)]
    sides = {"a": "team", "b": "foe", "both": "both"}
    assert told.by_round(4) == [{sides[end]: now[end] for end in now} for now in twin.by_round(4)]


@pytest.mark.parametrize("first", ["team", "foe"])
def test_dice_on_the_first_hit_are_everybodys_own(first: First) -> None:
    """Each member adds its own once a turn; the foe once a turn, whoever it hits."""
    member = _who(6, 13, 5, "1d2")
    foe = Combatant(base_attack=6, armor_class=15, hit_points=14, weapons=[{"damage": "1d2"}])
    sneak, bane = (There(first_hit=dice) for dice in ("1d3", "2"))
    plans = Plan(situation=sneak), Plan(then="full", situation=bane)
    alone = race(SRD, member, 1, foe, *plans, first=first)
    twin = duel(SRD, member, foe, *plans, first="a" if first == "team" else "b")
    assert (alone.p_team_wins, alone.mean_rounds) == (twin.p_a_wins, twin.mean_rounds)
    told = race(SRD, member, 2, foe, *plans, first=first)
    assert told.p_team_wins + told.p_foe_wins == 1
    strikes = [dict(attack(SRD, member, foe, situation=sneak).damage.items())]
    once, twice = full_attack(SRD, foe, member, situation=bane).strikes
    later = full_attack(SRD, foe, member).strikes[1]
    missed = 1 - once.p_hit
    # the foe's turn: the second strike has the bonus only where the first has missed
    turn: defaultdict[tuple[int, int], F] = defaultdict(F)
    for dealt, chance in once.damage.items():
        if not dealt:
            for more, p in twice.damage.items():
                turn[0, more] += missed * p
        else:
            for more, p in later.damage.items():
                turn[dealt, more] += chance * p
    won, lost, _, rounds = _play(strikes, turn, 2, (5, 14), first)
    assert abs(told.p_team_wins - won) < F(1, 10**9)
    assert abs(told.p_foe_wins - lost) < F(1, 10**9)
    assert told.mean_rounds is not None
    assert abs(told.mean_rounds - rounds) < F(1, 10**8)
    after = told.by_round(3)
    assert all(sum(now.values()) == 1 for now in after)


State = tuple[int, int, int]  # members fallen, damage of the next, damage of the foe


def _play(
    strikes: list[dict[int, F]],
    back: dict[tuple[int, ...], F],
    count: int,
    points: tuple[int, int],
    first: First,
) -> tuple[F, F, dict[int, F], F]:
    """Slow twin: round after round over a dictionary; chances, standing members, what is left.

    The foe's turn is given as the chance of each sequence of damage dealt.
    """
    now: dict[State, F] = {(0, 0, 0): F(1)}
    won, lost, rounds = F(0), F(0), F(0)
    standing: defaultdict[int, F] = defaultdict(F)
    for _ in range(70):
        rounds += sum(now.values())
        for side in ("team", "foe") if first == "team" else ("foe", "team"):
            after: defaultdict[State, F] = defaultdict(F)
            for (fallen, taken, foe), chance in now.items():
                if side == "team":
                    hurt: dict[int, F] = {foe: chance}
                    for damage in strikes * (count - fallen):
                        hurt = _spread(hurt, damage)
                    for total, p in hurt.items():
                        if total >= points[1]:
                            won += p
                            standing[count - fallen] += p
                        else:
                            after[fallen, taken, total] += p
                    continue
                for turn, p in back.items():
                    gone, one = fallen, taken
                    for dealt in turn:
                        one += dealt
                        if gone < count and one >= points[0]:
                            gone, one = gone + 1, 0
                    if gone == count:
                        lost += chance * p
                    else:
                        after[gone, one, foe] += chance * p
            now = {key: p.limit_denominator(10**20) for key, p in after.items() if p > F(1, 10**14)}
    return won, lost, standing, rounds


def _spread(hurt: dict[int, F], damage: dict[int, F]) -> dict[int, F]:
    out: defaultdict[int, F] = defaultdict(F)
    for total, p in hurt.items():
        for dealt, q in damage.items():
            out[total + dealt] += p * q
    return out


@pytest.mark.parametrize("first", ["team", "foe"])
@pytest.mark.parametrize("count", [2, 3])
def test_agrees_with_the_naive_program(count: int, first: First) -> None:
    member = _who(6, 13, 4, "1d3")
    foe = Combatant(
        base_attack=6, armor_class=15, hit_points=11, weapons=[{"damage": "1d2+1", "id": "arm"}]
    )
    told = race(SRD, member, count, foe, plan_foe=Plan(then="full"), first=first)
    strikes = [dict(attack(SRD, member, foe).damage.items())]
    one, two = (dict(strike.damage.items()) for strike in full_attack(SRD, foe, member).strikes)
    # the second strike may find the next member
    back = {(x, y): p * q for x, p in one.items() for y, q in two.items()}
    won, lost, standing, rounds = _play(strikes, back, count, (4, 11), first)
    assert told.p_team_wins + told.p_foe_wins == 1
    assert abs(told.p_team_wins - won) < F(1, 10**9)
    assert abs(told.p_foe_wins - lost) < F(1, 10**9)
    for members, chance in told.standing().items():
        assert abs(chance - standing[members]) < F(1, 10**9)
    assert told.mean_rounds is not None
    assert abs(told.mean_rounds - rounds) < F(1, 10**8)
    assert sum(told.foe_states().values()) == told.p_team_wins
    after = told.by_round(40)
    assert all(sum(now.values()) == 1 for now in after)
    assert abs(after[-1]["team"] - won) < F(1, 10**4) > abs(after[-1]["foe"] - lost)
    tail = sum((now["both"] for now in after[:-1]), F(0))
    assert abs(told.mean_rounds - tail) < F(1, 10**4)
    lost_members = sum(told.member_falls.values())
    lost_in_wins = sum((count - left) * p for left, p in told.standing().items())
    assert lost_members == lost_in_wins + count * told.p_foe_wins


def test_more_members_never_hurt() -> None:
    orc, ogre = _who(4, 13, 6, "1d8"), _who(8, 16, 29, "2d8+5")
    chances = [race(SRD, orc, count, ogre).p_team_wins for count in (1, 2, 3, 4)]
    assert chances == sorted(chances)


def test_nobody_can_hurt_anybody() -> None:
    doll = _who(4, 13, 6, "0")
    told = race(SRD, doll, 2, doll)
    assert (told.p_team_wins, told.p_foe_wins, told.mean_rounds) == (0, 0, None)


@pytest.mark.parametrize(
    "change, word",
    [
        ({"count": 0}, "members"),
        ({"count": 5}, "members"),
        ({"count": 1.5}, "members"),
        ({"first": "me"}, "team"),
        ({"plan_team": Plan(opening=["charge"])}, "opening"),
        ({"plan_foe": Plan(heals=1)}, "healing"),
        ({"member": _who(1, 10, 0, "1d4")}, "the team is already down"),
        ({"foe": _who(1, 10, 5, "1d4"), "down_at": 5}, "the foe is already down"),
        ({"foe": "ogre"}, "foe: a Combatant"),
        ({"foe": _who(1, 10, 2000, "1d4")}, "times the work"),
        (
            {"member": _who(1, 15, 500, "1d20"), "count": 4, "foe": _who(8, 15, 8, "50d10")},
            "times the work",
        ),
        ({"foe": _who(1, 10, 0, "1d4", temporary_hit_points=9)}, "the foe is already down"),
        ({"first": ["team"]}, "first: .* not known"),
    ],
)
def test_what_cannot_be_is_told(change: dict[str, Any], word: str) -> None:
    inputs: dict[str, Any] = {"member": _who(5, 12, 6, "1d6"), "count": 2}
    inputs |= {"foe": inputs["member"], **change}
    with pytest.raises(CombatkitError, match=word):
        race(SRD, **inputs)


def test_a_course_too_long_is_refused_with_an_estimate() -> None:
    big = race(SRD, _who(5, 15, 60, "1d6"), 4, _who(8, 16, 110, "1d8"))
    assert big.p_team_wins + big.p_foe_wins == 1
    assert sum(big.by_round(5)[-1].values()) == 1
    with pytest.raises(CombatkitError, match=r"200 rounds .* times the work .* fewer rounds"):
        big.by_round(200)


def _turns(
    strikes: list[dict[int, F]], points: int, count: int, most: int
) -> dict[tuple[int, int], dict[tuple[int, int], F]]:
    """Slow twin of Cleave: each turn of the foe played out, blow by blow, from every state."""
    table: dict[tuple[int, int], dict[tuple[int, int], F]] = {}

    def play(fallen: int, taken: int, blow: int, left: int, chance: F, ends: Any) -> None:
        if blow == len(strikes) or fallen == count:
            ends[fallen, 0 if fallen == count else taken] += chance
            return
        for dealt, p in strikes[blow].items():
            if taken + dealt < points:
                play(fallen, taken + dealt, blow + 1, left, chance * p, ends)
            elif left:
                play(fallen + 1, 0, blow, left - 1, chance * p, ends)  # the same blow, at the next
            else:
                play(fallen + 1, 0, blow + 1, left, chance * p, ends)

    for fallen in range(count):
        for taken in range(points):
            ends: defaultdict[tuple[int, int], F] = defaultdict(F)
            play(fallen, taken, 0, most, F(1), ends)
            table[fallen, taken] = dict(ends)
    return table


@pytest.mark.parametrize("first", ["team", "foe"])
@pytest.mark.parametrize(
    "feats, most",
    [([], 0), (["cleave"], 1), (["great_cleave"], 9), (["cleave", "great_cleave"], 9)],
)
def test_cleave_strikes_the_next_when_one_falls(feats: list[str], most: int, first: First) -> None:
    member = _who(6, 13, 2, "1d3")
    foe = Combatant(
        base_attack=6, armor_class=15, hit_points=9, weapons=[{"damage": "1d3"}], feats=feats
    )
    count = 3
    told = race(SRD, member, count, foe, plan_foe=Plan(then="full"), first=first)
    strikes = [dict(s.damage.items()) for s in full_attack(SRD, foe, member).strikes]
    table = _turns(strikes, 2, count, most)
    blow = dict(attack(SRD, member, foe).damage.items())
    now: dict[State, F] = {(0, 0, 0): F(1)}
    won = lost = F(0)
    for _ in range(40):
        for side in ("team", "foe") if first == "team" else ("foe", "team"):
            after: defaultdict[State, F] = defaultdict(F)
            for (fallen, taken, hurt), chance in now.items():
                if side == "foe":
                    for (gone, one), p in table[fallen, taken].items():
                        after[gone, one, hurt] += chance * p
                    continue
                odds: dict[int, F] = {hurt: chance}
                for damage in [blow] * (count - fallen):
                    odds = _spread(odds, damage)
                for total, p in odds.items():
                    after[fallen, taken, min(total, 9)] += p
            won += sum(p for (_, _, hurt), p in after.items() if hurt == 9)
            lost += sum(p for (gone, _, _), p in after.items() if gone == count)
            now = {
                key: p.limit_denominator(10**20)
                for key, p in after.items()
                if key[2] < 9 and key[0] < count and p > F(1, 10**14)
            }
    assert told.p_team_wins + told.p_foe_wins == 1
    assert abs(told.p_team_wins - won) < F(1, 10**9)
    assert abs(told.p_foe_wins - lost) < F(1, 10**9)


def test_cleave_is_for_melee_and_for_several() -> None:
    archer = Combatant(attack_bonus=5, hit_points=9, weapons=["longbow"], feats=["great_cleave"])
    plain = archer.model_copy(update={"feats": ()})
    member = _who(6, 13, 4, "1d3")
    assert race(SRD, member, 3, archer).p_foe_wins == race(SRD, member, 3, plain).p_foe_wins
    one = _who(5, 12, 9, "1d6")
    cleaver = one.model_copy(update={"feats": ("cleave",)})
    assert race(SRD, member, 1, cleaver).p_foe_wins == race(SRD, member, 1, one).p_foe_wins
    assert race(SRD, member, 3, cleaver).p_foe_wins > race(SRD, member, 3, one).p_foe_wins


def test_a_race_survives_pickling() -> None:
    told = race(SRD, _who(3, 12, 6, "1d4"), 3, _who(5, 14, 12, "1d4"))
    again = pickle.loads(pickle.dumps(told))
    assert (again.team_left, again.foe_left) == (told.team_left, told.foe_left)
    assert again.by_round(6) == told.by_round(6)
