"""The roll of the dying as data: a check, and successes and failures, against single bodies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from combatkit import Combatant, CombatkitError, attack, duel, dying, load_ruleset, survival
from combatkit.combat.health.recovery import recovery
from combatkit.combat.health.survival import Ally
from combatkit.rules import Ruleset

HEAD = """[ruleset]
id = "house"
title = "House"
extends = "srd35"
[dying]
die = 20
acts = false
help_condition = "helpless"
first_aid_dc = 15
cite = "user: table"
first_aid_cite = "user: table"
"""
COUNT = """kind = "count"
success = [10, 20]
successes = 3
failures = 3
counts_two = [1, 1]
rise = [20, 20]
"""
CHECK = """ability = "con"
penalty_per_negative = 1
lose_hit_point = [1, 9]
stabilize = [10, 20]
always_stabilize = [20, 20]
"""
HURT = COUNT + "failures_when_hurt = 1\n"
Odds = dict[Any, Fraction]


@pytest.fixture
def house(tmp_path: Path) -> Any:
    def made(rules: str) -> Ruleset:
        path = tmp_path / "house.toml"
        path.write_text(HEAD + rules)
        return load_ruleset(path)

    return made


def slow_count(turns: int) -> Odds:
    odds: Odds = {(0, 0): Fraction(1)}
    for _ in range(turns):
        later: Odds = {}
        for state, chance in odds.items():
            for face in range(1, 21):
                end = state
                if isinstance(state, tuple):
                    good, bad = state
                    if face == 20:
                        end = "up"
                    elif face >= 10:
                        end = (good + 1, bad) if good < 2 else "stable"
                    else:
                        bad += 2 if face == 1 else 1
                        end = (good, bad) if bad < 3 else "dead"
                later[end] = later.get(end, Fraction(0)) + chance / 20
        odds = later
    return odds


def test_three_and_three(house: Any) -> None:
    fate = dying(house(COUNT), -1)
    assert fate.p_death == Fraction(3239, 8000)
    slow = slow_count(6)
    assert fate.in_the_end == {end: slow[end] for end in ("stable", "dead", "up")}
    for turns in range(5):
        odds = slow_count(turns)
        open_ = sum((p for state, p in odds.items() if isinstance(state, tuple)), Fraction(0))
        assert fate.after(turns)["dying"] == open_
        assert fate.after(turns)["dead"] == odds.get("dead", 0)


@pytest.mark.parametrize("constitution", [8, 10, 16])
def test_a_constitution_check_gets_harder(house: Any, constitution: int) -> None:
    rules, modifier = house(CHECK), (constitution - 10) // 2
    sinks = Fraction(1)
    for points in range(-1, -10, -1):
        good = sum(face == 20 or face + modifier + points >= 10 for face in range(1, 21))
        sinks *= 1 - Fraction(good, 20)
    assert dying(rules, -1, modifier=modifier).p_death == sinks
    club = Combatant(attack_bonus=30, weapons=[{"damage": "5"}])
    body = Combatant(
        armor_class=10, hit_points=4, critical_immune=True, abilities={"con": constitution}
    )
    told = survival(attack(rules, club, body), rounds=1)
    assert told.in_the_end["dead"] == Fraction(19, 20) * sinks
    fight = duel(rules, club, body, first="a")
    assert fight.in_the_end("b")["dead"] == fight.loser("b")["dying"] * sinks


def slow_survival(harm: dict[int, Fraction], fails_when_hurt: int, rounds: int) -> list[Odds]:
    """Follow (hit points, successes, failures) from 4 hit points; the attacker keeps striking."""

    def name(body: Any) -> str:
        if not isinstance(body, tuple):
            return str(body)
        points = body[0]
        return "up" if points > 0 else "disabled" if points == 0 else "dying"

    odds: Odds = {(4, 0, 0): Fraction(1)}
    history = []
    for _ in range(rounds):
        later: Odds = {}
        for body, chance in odds.items():
            for damage, share in harm.items():
                end = body
                if isinstance(body, tuple) and damage:
                    points, good, bad = body
                    bad += fails_when_hurt * (points < 0)
                    end = (points - damage, good, bad)
                    end = "dead" if bad >= 3 or end[0] <= -10 else end
                elif damage and str(body).startswith("stable"):
                    left = int(str(body).partition(" ")[2]) - damage
                    end = (left, 0, fails_when_hurt) if left > -10 else "dead"
                later[end] = later.get(end, Fraction(0)) + chance * share
        odds, rolled = later, {}
        for body, chance in odds.items():
            for face in range(1, 21):
                end = body
                if name(body) == "dying":
                    points, good, bad = body
                    if face == 20:
                        end = (1, 0, 0)
                    elif face >= 10:
                        end = (points, good + 1, bad) if good < 2 else f"stable {points}"
                    else:
                        bad += 2 if face == 1 else 1
                        end = (points, good, bad) if bad < 3 else "dead"
                rolled[end] = rolled.get(end, Fraction(0)) + chance / 20
        odds = rolled
        told = dict.fromkeys(("up", "disabled", "dying", "stable", "dead"), Fraction(0))
        for body, chance in odds.items():
            told[name(body).partition(" ")[0]] += chance
        history.append(told)
    return history


@pytest.mark.parametrize("rules, hurt", [(COUNT, 0), (HURT, 1)])
def test_survival_counts_round_by_round(house: Any, rules: str, hurt: int) -> None:
    club = Combatant(attack_bonus=-30, weapons=[{"damage": "1d4+2"}])
    body = Combatant(armor_class=40, hit_points=4, critical_immune=True)
    made = attack(house(rules), club, body)
    harm = dict(made.damage.items())  # a natural 20 only, helpless or not
    told = survival(made, rounds=4, keeps_striking=True)
    assert list(told.by_round[1:]) == slow_survival(harm, hurt, 4)


def test_in_the_end_nobody_is_dying_with_and_without_care(house: Any) -> None:
    rules = house(COUNT)
    club = Combatant(attack_bonus=5, weapons=[{"damage": "1d6+2"}])
    made = attack(rules, club, Combatant(armor_class=12, hit_points=4))
    for ally in (None, Ally(aid=2), Ally(aid=2, order="save_first"), Ally(healing="1d2-1")):
        told = survival(made, rounds=2, ally=ally)
        assert sum(told.in_the_end.values()) == 1 and told.in_the_end["dying"] == 0
    alone, helped = (survival(made, 2, ally=ally).p_alive for ally in (None, Ally(aid=9)))
    assert helped > alone


@pytest.mark.parametrize(
    "rules, said",
    [
        ('kind = "count"\nsuccess = [10, 20]\nsuccesses = 3\n', "needs success, successes"),
        (COUNT + "lose_hit_point = [1, 9]\n", 'kind = "points"'),
        (CHECK + "failures = 3\n", 'kind = "count"'),
        (COUNT.replace("[20, 20]", "[20, 21]"), "faces are 1 to 20"),
        (COUNT.replace('"count"', '"cuont"'), "kind"),
    ],
)
def test_what_does_not_go_together_is_refused(house: Any, rules: str, said: str) -> None:
    with pytest.raises(CombatkitError, match=said):
        house(rules)


def test_a_modifier_that_would_not_count_is_refused() -> None:
    with pytest.raises(CombatkitError, match="add no ability"):
        dying(load_ruleset("srd35"), -3, modifier=2)


def test_recovery_of_the_stable() -> None:
    srd, tenth = load_ruleset("srd35"), Fraction(1, 10)
    tended = recovery(srd, -5, tended=True, hours=3)
    assert tended.conscious == (0, tenth, Fraction(19, 100), Fraction(271, 1000))
    assert (tended.p_death, tended.mean_hours) == (0, 10)
    for points in range(-1, -10, -1):
        rolls = points + 10
        # awake after so many misses, then a miss a day; or asleep to the end
        dies = Fraction(9, 10) ** rolls
        for misses in range(rolls):
            dies += Fraction(9, 10) ** misses * tenth * Fraction(9, 10) ** (rolls - misses)
        assert recovery(srd, points).p_death == dies
    assert recovery(srd, -9, hours=2).dead == (0, Fraction(9, 10), Fraction(9, 10))
    with pytest.raises(CombatkitError, match="stay awake"):
        recovery(load_ruleset("phased"), -3)
    with pytest.raises(CombatkitError, match="hit points of the dying"):
        recovery(srd, 3)
