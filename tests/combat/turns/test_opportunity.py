"""Attacks of opportunity: the table's answers, who may strike, the price by brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combatkit import Combatant, CombatkitError, Situation, Weapon, attack, load_ruleset
from combatkit.combat.turns.actions import all_actions, standard_action_table
from combatkit.combat.turns.opportunity import (
    approach_provokes,
    attacks_of_opportunity,
    is_armed,
    opportunity_limit,
    provokes,
)
from combatkit.combat.turns.price import Price, Threat, may_strike, price_of_provoking
from combatkit.rules import Ruleset
from combatkit.view import result_html

SRD, CLASSIC, PHASED = (load_ruleset(name) for name in ("srd35", "classic", "phased"))
RULES = {rules.id: rules for rules in (SRD, CLASSIC, PHASED)}


def answer(action: str, **said: object) -> str:
    return provokes(CLASSIC, action, **said).answer  # type: ignore[arg-type]


# ---- which acts provoke
def test_plain_rows_answer_as_printed() -> None:
    for action in standard_action_table(CLASSIC):
        if action.provokes != "maybe":
            assert provokes(CLASSIC, action).answer == action.provokes


def test_aid_another_provokes_as_the_aided_act_does() -> None:
    assert answer("aid_another") == "maybe"
    for action in all_actions(CLASSIC):
        if action.id != "aid_another":
            assert answer("aid_another", aided=action) == provokes(CLASSIC, action).answer
    with pytest.raises(CombatkitError, match="leads nowhere"):
        answer("aid_another", aided="aid_another")


def test_sundering_an_object_depends_on_who_holds_it() -> None:
    assert answer("sunder_object") == "maybe"
    assert answer("sunder_object", attended=True) == "yes"
    assert answer("sunder_object", attended=False) == "no"


def test_an_unarmed_attack_by_both_readings() -> None:
    text, table = CLASSIC, CLASSIC.with_switches(unarmed_provokes="everyone")
    cases = {
        (rules, armed): provokes(rules, "attack_unarmed", target_armed=armed)
        for rules in (text, table)
        for armed in (None, True, False)
    }
    assert [(p.answer, p.by) for p in cases.values()] == [
        ("yes", "target"),
        ("yes", "target"),
        ("no", "target"),
        ("yes", "everyone"),
        ("yes", "everyone"),
        ("yes", "everyone"),
    ]
    monk = Combatant(feats=["improved_unarmed_strike"])
    assert provokes(CLASSIC, "attack_unarmed", monk).answer == "no"


def test_acts_the_document_is_silent_about_by_each_reading() -> None:
    as_srd = CLASSIC.with_switches(unlisted_provokes="as_srd")
    never = CLASSIC.with_switches(unlisted_provokes="no")
    silent = [action for action in all_actions(CLASSIC) if action.provokes == "unknown"]
    assert len(silent) > 15
    for action in silent:
        assert provokes(CLASSIC, action).answer == "unknown"
        assert provokes(CLASSIC, action).likely is None
        assert provokes(never, action).answer == "no"
        elsewhere = provokes(SRD, action.id).answer
        assert provokes(as_srd, action).answer == elsewhere
    spell = provokes(PHASED.with_switches(unlisted_provokes="as_srd"), "cast_spell")
    assert (provokes(PHASED, "cast_spell").answer, spell.answer) == ("unknown", "yes")
    assert provokes(PHASED, "attack_unarmed").answer == "yes"


def test_moving() -> None:
    for word in ("move", "run", "climb", "swim", "move_through_difficult"):
        assert answer(word) == "maybe"
        assert answer(word, leaves=True) == "yes"
        assert answer(word, leaves=False) == "no"
    assert answer("crawl") == "yes"
    assert answer("five_foot_step", leaves=True) == "no"
    assert provokes(SRD, "withdraw", leaves=True).answer == "maybe"
    assert answer("use_skill") == "usually" and provokes(CLASSIC, "use_skill").likely
    assert answer("speak") == "rarely" and provokes(CLASSIC, "speak").likely is False


def test_a_step_into_a_square_by_both_readings() -> None:
    never = CLASSIC.with_switches(step_into_square="never")
    step = "five_foot_step"
    assert provokes(CLASSIC, step, into_square=True).answer == "yes"
    assert provokes(never, step, into_square=True).answer == "no"
    assert provokes(never, "move", into_square=True).answer == "yes"
    assert approach_provokes(CLASSIC, 0, 5, step=True)
    assert not approach_provokes(never, 0, 5, step=True)
    assert approach_provokes(never, 0, 5)


@given(st.integers(0, 6), st.integers(0, 6), st.booleans())
def test_approaching_a_longer_reach_square_by_square(own: int, its: int, step: bool) -> None:
    """Slow twin: walk in from far away; each square left within its reach provokes."""
    never = CLASSIC.with_switches(step_into_square="never")
    walked = [distance for distance in range(20, own, -1) if distance <= its]
    if step and walked:
        walked.pop()
    assert approach_provokes(never, 5 * own, 5 * its, step) == bool(walked)


def test_who_counts_as_armed() -> None:
    claw = Weapon(label="Claw", hand="natural", damage="1d4")
    armed = {
        "sword": is_armed(CLASSIC, Combatant(weapons=["longsword"])),
        "claw": is_armed(CLASSIC, Combatant(weapons=[claw])),
        "monk": is_armed(CLASSIC, Combatant(feats=["improved_unarmed_strike"])),
        "spell": is_armed(CLASSIC, Combatant(), touch_spell=True),
        "fist": is_armed(CLASSIC, Combatant()),
        "gauntlet": is_armed(CLASSIC, Combatant(weapons=["gauntlet"])),
        "bow": is_armed(CLASSIC, Combatant(weapons=["longbow"])),
    }
    assert [name for name, it_is in armed.items() if it_is] == ["sword", "claw", "monk", "spell"]


def test_how_many() -> None:
    flags = ("armed", "cover", "total_concealment", "total_defense")
    for rules in (SRD, CLASSIC):
        for values in product((False, True), repeat=4):
            said = dict(zip(flags, values, strict=True))
            free = values == (True, False, False, False)
            for provocations in range(4):
                expected = min(1, provocations) if free else 0
                assert attacks_of_opportunity(rules, provocations, **said) == expected
    quick = Combatant(abilities={"dex": 16}, feats=["combat_reflexes"])
    slow = Combatant(abilities={"dex": 6}, feats=["combat_reflexes"])
    assert [attacks_of_opportunity(SRD, n, who=quick) for n in (0, 2, 9)] == [0, 2, 4]
    assert (opportunity_limit(SRD, slow), opportunity_limit(PHASED, quick)) == (1, 1)
    assert attacks_of_opportunity(PHASED, 2, armed=False) == 1  # even an unarmed strike
    with pytest.raises(CombatkitError, match="negative"):
        attacks_of_opportunity(SRD, -1)


GUARD = Combatant(name="Guard", attack_bonus=5, weapons=["spear"])
MAGE = Combatant(name="Mage", armor_class=14, hit_points=6)
REFUSALS = [
    (Threat(Combatant()), "not armed"),
    (Threat(Combatant(weapons=["longbow"])), "not armed"),
    (Threat(GUARD, "longbow", touch_spell=True), "no melee weapon"),
    (Threat(GUARD, taken=1), "has made 1 of 1 this round"),
    (Threat(GUARD, total_defense=True), "Total defense forbids it"),
    (Threat(GUARD, situation=Situation(cover="standard")), "Cover forbids it"),
    (Threat(GUARD, situation=Situation(cover="improved")), "Improved cover forbids it"),
    (Threat(GUARD, situation=Situation(cover="total")), "no attack is possible"),
    (Threat(GUARD, situation=Situation(defender={"cover"})), "forbids it"),
    (Threat(GUARD, situation=Situation(concealment="total")), "Total concealment"),
    (Threat(GUARD, situation=Situation(defender={"invisible"})), "forbids it"),
    (Threat(GUARD, situation=Situation(distance=30)), "beyond a reach"),
]


@pytest.mark.parametrize("rules", (SRD, CLASSIC), ids=lambda r: r.id)
@pytest.mark.parametrize(("threat", "why"), REFUSALS, ids=[why for _, why in REFUSALS])
def test_who_may_not_strike(rules: Ruleset, threat: Threat, why: str) -> None:
    verdict = may_strike(rules, threat, MAGE)
    assert not verdict and why in verdict.why_not
    price = price_of_provoking(rules, MAGE, [threat])
    assert price.strikes == () and why in price.refused[0][1]
    assert (price.expected_damage, price.p_interrupted) == (0, 0)


def test_who_may_strike_all_the_same() -> None:
    soft = Situation(cover="soft")  # against ranged attacks only
    some = Situation(concealment="standard")
    assert may_strike(SRD, Threat(GUARD, situation=soft), MAGE)
    assert may_strike(SRD, Threat(GUARD, situation=some), MAGE)
    percent = Threat(GUARD, situation=Situation(cover="25"))
    assert "25% cover" in may_strike(CLASSIC, percent, MAGE).why_not
    assert may_strike(PHASED, Threat(Combatant()), MAGE)


# ---- the price, by brute force
def faces(rules: Ruleset, threat: Threat, mage: Combatant) -> dict[int, Fraction]:
    """Damage of one strike, from every pair of d20 faces and every face of a single die."""
    strike = attack(rules, threat.who, mage, threat.weapon, threat.situation)
    bonus, target = strike.attack_bonus.total, strike.armor_class.total
    sides = int(strike.blow.dice.partition("d")[2])
    odds: dict[int, Fraction] = {}

    def lands(face: int) -> bool:
        return face == 20 or (face > 1 and face + bonus >= target)

    for face, confirm, one, two in product(
        range(1, 21), range(1, 21), range(1, sides + 1), range(1, sides + 1)
    ):
        if not lands(face):
            harm = 0
        elif rules is PHASED:
            harm = sides if face == 20 else one
        else:
            harm = one + two if face == 20 and lands(confirm) else one
        odds[harm] = odds.get(harm, Fraction(0)) + Fraction(1, 400 * sides**2)
    return odds


def state_at(rules: Ruleset, points: int) -> str:
    if points <= -10:
        return "dead"
    if points >= 1:
        return "up"
    return "disabled" if points == 0 and rules is not PHASED else "dying"


def slow_price(
    rules: Ruleset,
    threats: list[Threat],
    mage: Combatant,
    concentration: int | None,
    level: int,
) -> tuple[Fraction, dict[str, Fraction], Fraction]:
    """Every sequence of strikes, one outcome after the other."""
    mean, states, interrupted = Fraction(0), dict.fromkeys(rules.states, Fraction(0)), Fraction(0)
    for outcome in product(*(faces(rules, threat, mage).items() for threat in threats)):
        chance, taken, holds = Fraction(1), 0, Fraction(1)
        for harm, weight in outcome:
            chance *= weight
            health = mage.hit_points - max(0, taken - mage.temporary_hit_points)
            if state_at(rules, health) in ("dying", "dead"):
                continue  # nobody strikes any more; the other outcomes of this strike sum to one
            taken += harm
            if harm and concentration is not None:
                passed = sum(f + concentration >= 10 + harm + level for f in range(1, 21))
                holds *= Fraction(passed, 20)
        health = mage.hit_points - max(0, taken - mage.temporary_hit_points)
        state = state_at(rules, health)
        mean += chance * taken
        states[state] += chance
        down = state == "dead" or (state == "dying" and rules is not PHASED)
        interrupted += chance * (1 if down else 1 - holds)
    return mean, states, interrupted


def of(price: Price) -> tuple[Fraction, dict[str, Fraction], Fraction]:
    return price.expected_damage, price.states, price.p_interrupted


THREAT = st.builds(
    lambda bonus, sides: Threat(
        Combatant(attack_bonus=bonus, weapons=[{"label": "Blade", "damage": f"1d{sides}"}])
    ),
    st.integers(-2, 12),
    st.integers(1, 4),
)


@given(
    st.sampled_from(sorted(RULES)),
    st.lists(THREAT, max_size=3),
    st.integers(-3, 9),
    st.integers(0, 3),
    st.none() | st.integers(0, 12),
    st.integers(0, 5),
)
def test_the_price_against_every_sequence_of_outcomes(
    name: str,
    threats: list[Threat],
    points: int,
    temporary: int,
    concentration: int | None,
    level: int,
) -> None:
    rules = RULES[name]
    mage = Combatant(armor_class=13, hit_points=points, temporary_hit_points=temporary)
    word = "cast_spell" if name != "phased" else None
    concentration = concentration if word else None
    price = price_of_provoking(rules, mage, threats, word, concentration, level)
    assert of(price) == slow_price(rules, threats, mage, concentration, level)
    assert sum(price.states.values()) == 1


def test_acts_that_damage_spoils() -> None:
    price = price_of_provoking(SRD, MAGE, [Threat(GUARD, target=True)], "disarm")
    assert price.p_interrupted == price.p_hurt == price.strikes[0].p_hit


def test_acts_that_provoke_from_their_target_only() -> None:
    near, far = Threat(GUARD, target=True), Threat(GUARD.model_copy(update={"name": "Other"}))
    price = price_of_provoking(SRD, MAGE, [near, far], "attack_unarmed")
    assert len(price.strikes) == 1
    assert price.refused == (("Other", "Attack (unarmed) provokes from its target only"),)
    wide = SRD.with_switches(unarmed_provokes="everyone")
    assert len(price_of_provoking(wide, MAGE, [near, far], "attack_unarmed").strikes) == 2


def test_acts_that_do_not_provoke_cost_nothing() -> None:
    price = price_of_provoking(SRD, MAGE, [Threat(GUARD)], "attack_melee")
    assert price.damage.maximum == 0 and price.states["up"] == 1
    assert price.refused == (("Guard", "Attack (melee) does not provoke"),)


def test_the_strike_is_made_at_the_full_bonus() -> None:
    veteran = Combatant(base_attack=16, weapons=["longsword"])
    price = price_of_provoking(SRD, MAGE, [Threat(veteran)])
    assert price.strikes[0].attack_bonus.total == 16
    assert price.damage == price.strikes[0].damage


def test_in_phased_the_dying_still_act() -> None:
    ogre = Combatant(attack_bonus=30, weapons=[{"label": "Club", "damage": "1d4+6"}])
    prices = [price_of_provoking(rules, MAGE, [Threat(ogre)]) for rules in (SRD, PHASED)]
    assert [price.p_dropped for price in prices] == [Fraction(19, 20)] * 2
    assert [price.p_interrupted for price in prices] == [Fraction(19, 20), 0]


@settings(max_examples=20)
@given(st.lists(THREAT, max_size=4), st.integers(1, 9))
def test_more_threats_never_cost_less(threats: list[Threat], points: int) -> None:
    mage = Combatant(armor_class=13, hit_points=points)
    prices = [price_of_provoking(SRD, mage, threats[:n]) for n in range(len(threats) + 1)]
    for fewer, more in pairwise(prices):
        assert more.expected_damage >= fewer.expected_damage
        assert more.p_dropped >= fewer.p_dropped
        assert more.p_interrupted >= fewer.p_interrupted


def test_a_price_shows_itself() -> None:
    cheat = Threat(Combatant(name="<b>", weapons=["longbow"]))
    shown = result_html(price_of_provoking(SRD, MAGE, [Threat(GUARD), cheat]))
    assert "1 attacks of opportunity" in shown and "&lt;b&gt;: is not armed" in shown


def test_hostile_sizes_are_refused() -> None:
    with pytest.raises(CombatkitError, match="at most 12"):
        price_of_provoking(SRD, MAGE, [Threat(GUARD)] * 13)
    giant = Combatant(attack_bonus=50, weapons=[{"label": "Rock", "damage": "100d100"}])
    whale = Combatant(hit_points=2000)
    with pytest.raises(CombatkitError, match="too many to follow"):
        price_of_provoking(SRD, whale, [Threat(giant)] * 12)
