"""Formulas against the engine: the same fractions for every armor class, whatever the rules."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.combat.attacks.blow import odds, procedures
from combatkit.combat.d20 import face_weights
from combatkit.view import (
    critical_chance,
    death_odds,
    expected_damage,
    formula_latex,
    heat_map,
    hit_chance,
    hit_chance_by_armor_class,
)
from combatkit.view.cases import Part, _cases
from combatkit.view.text import fraction_text

RULES = ck.load_ruleset("srd35")
ROLLED = (
    "attack_natural_1",
    "attack_natural_20",
    "attack_tie",
    "critical",
    "confirmation_natural_1",
    "confirmation_natural_20",
    "natural_20_confirms",
    "natural_20_threatens",
    "threat_must_hit",
)
DEALT = ("critical_damage", "extra_dice", "minimum_damage")
READINGS = st.fixed_dictionaries(
    {key: st.sampled_from(sorted(RULES.switches[key].options)) for key in ROLLED + DEALT}
)
ROLLS = st.sampled_from(["normal", "advantage", "disadvantage"])


def attack(
    readings: dict[str, str],
    armor_class: int,
    roll: str,
    miss: int,
    threat: int,
    bonus: int,
    confirm: int = 0,
) -> ck.attacks.Strike:
    arms = [{"label": "Arm", "damage": "1d6", "extra": "1d4", "threat_from": threat}]
    hero = ck.Combatant(attack_bonus=bonus, weapons=arms)
    there = ck.Situation(roll=roll, miss_chances=[miss], confirmation_bonus=confirm)
    return ck.attack(
        RULES.with_switches(**readings),
        hero,
        ck.Combatant(armor_class=armor_class),
        situation=there,
    )


def exact(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@given(
    READINGS,
    ROLLS,
    st.integers(0, 100),
    st.integers(2, 20),
    st.integers(-9, 40),
    st.integers(-24, 24),
)
def test_formulas_are_the_engines_odds(
    readings: dict[str, str], roll: str, miss: int, threat: int, bonus: int, confirm: int
) -> None:
    strike = attack(readings, 10, roll, miss, threat, bonus, confirm)
    hit, critical, damage = hit_chance(strike), critical_chance(strike), expected_damage(strike)
    for armor_class in (*range(bonus - 3, bonus + 5), *range(bonus + 6, bonus + 24, 3), bonus + 20):
        twin = attack(readings, armor_class, roll, miss, threat, bonus, confirm)
        assert exact(hit.subs("A", armor_class)) == twin.p_hit
        assert exact(critical.subs("A", armor_class)) == twin.p_critical
        assert exact(damage.subs("A", armor_class)) == twin.damage.mean


@pytest.mark.parametrize("fortification", [25, 100, "1/3"])
@pytest.mark.parametrize("sneak", ["", "3d6"])
def test_formulas_know_fortification_and_images(fortification: Any, sneak: str) -> None:
    rogue = ck.Combatant(attack_bonus=4, sneak_attack=sneak, weapons=["rapier"])
    there = ck.Situation(defender={"stunned"}, images=2, independent_miss_chances="1/7")

    def swing(armor_class: int) -> ck.attacks.Strike:
        foe = ck.Combatant(armor_class=armor_class, fortification=fortification)
        return ck.attack(RULES, rogue, foe, situation=there)

    strike = swing(16)
    hit, critical, damage = hit_chance(strike), critical_chance(strike), expected_damage(strike)
    curves = [dict(zip(curve.x, curve.customdata, strict=True))
              for curve in hit_chance_by_armor_class(strike).data]  # fmt: skip
    heat = heat_map(strike, "expected_damage").data[0]
    for armor_class in range(0, 30):
        twin = swing(armor_class)
        total = twin.armor_class.total
        assert exact(hit.subs("A", total)) == twin.p_hit
        assert exact(critical.subs("A", total)) == twin.p_critical
        assert exact(damage.subs("A", total)) == twin.damage.mean
        if total in curves[0]:
            assert curves[0][total] == fraction_text(twin.p_hit)
            assert curves[1][total] == fraction_text(twin.p_critical)
        column, middle = total - heat.x0, len(heat.customdata) // 2
        if 0 <= column < len(heat.customdata[middle]):
            assert heat.customdata[middle][column] == fraction_text(twin.damage.mean)
    latex = formula_latex(strike)
    check_equal(rows_of(latex["Critical chance"])[-1], strike.p_critical)
    check_equal(rows_of(latex["Expected damage"])[-1], strike.damage.mean)
    assert r"f \text{ fortification}" in latex["Critical chance"]
    assert r"f \text{ fortification}" not in latex["Hit chance"]


def value(part: Part, needs: int, roll: Any) -> Fraction:
    """Slow twin of the algebra: add the faces up."""
    weights = face_weights(roll)
    moving = sum(weights[max(0, needs - 1) :]) if part.moves else 0
    return part.rest + Fraction(moving, sum(weights))


@pytest.mark.parametrize("threat", [19, 21])
def test_every_reading_of_the_die(threat: int) -> None:
    options = [sorted(RULES.switches[key].options) for key in ROLLED]
    base = procedures(RULES)
    for chosen in product(*options):
        rule = base._replace(**dict(zip(ROLLED, chosen, strict=True)))
        tie = int(rule.attack_tie == "misses")
        cases = _cases("normal", threat, rule, 0)
        for needs in (-2, 1, 2, 3, 11, 18, 19, 20, 21, 22):
            engine = odds(needs - tie, threat, "normal", rule)
            case = next(case for case in cases if case.up_to is None or needs <= case.up_to)
            hit, threats, sure, confirm = (value(part, needs, "normal") for part in case[1:])
            assert hit == Fraction(engine.hit + engine.critical, engine.total), (chosen, needs)
            assert threats + sure == Fraction(engine.threat, engine.total), (chosen, needs)
            assert threats * confirm + sure == Fraction(engine.critical, engine.total), chosen


def test_an_attack_that_cannot_be_made_has_no_chance() -> None:
    hero = ck.Combatant(attack_bonus=5, weapons=["longsword"])
    there = ck.Situation(cover="total")
    strike = ck.attack(RULES, hero, ck.Combatant(armor_class=1), situation=there)
    assert hit_chance(strike) == critical_chance(strike) == expected_damage(strike) == 0
    assert list(formula_latex(strike)) == ["Hit chance", "Death odds"]


@pytest.mark.parametrize("ruleset", ck.rules.built_in())
def test_death_odds_are_the_engines(ruleset: str) -> None:
    rules = ck.load_ruleset(ruleset)
    strike = ck.attack(rules, ck.Combatant(attack_bonus=1), ck.Combatant(armor_class=9))
    formula, latex = death_odds(rules), formula_latex(strike)["Death odds"]
    first, *others = rows_of(latex)
    assert first.startswith(r"\left(\frac{\ell}{\ell + s}\right)^{10 - k}")
    powers = others[0].split(" = ")
    dying = [k for k in range(-1, 30) if rules.state_of(-k) == "dying"]
    assert len(dying) > 8
    for k in dying:
        assert exact(formula.subs("k", k)) == ck.dying(rules, -k).p_death
        for power in powers:
            assert evaluate(power, k=k) == ck.dying(rules, -k).p_death


# ---- LaTeX, read back


def python_of(latex: str) -> str:
    """Translate the few LaTeX words that formulas use."""
    latex = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(Fraction(\1) / (\2))", latex)
    latex = re.sub(r"\^\{([^{}]*)\}", r"**(\1)", latex)
    for word, meaning in ((r"\left(", "("), (r"\right)", ")"), (r"\cdot", "*")):
        latex = latex.replace(word, meaning)
    assert "\\" not in latex, latex
    return latex


def evaluate(latex: str, **names: Any) -> Fraction:
    return Fraction(eval(python_of(latex), {"Fraction": Fraction, **names}))


def rows_of(latex: str) -> list[str]:
    """Split an aligned derivation into its rows, cases kept whole."""
    inside = re.fullmatch(r"\\begin\{aligned\} (.*) \\end\{aligned\}", latex)
    assert inside, latex
    text = re.sub(
        r"\\begin\{cases\}.*?\\end\{cases\}",
        lambda found: found[0].replace(r" \\ ", " ;; "),
        inside[1],
    )
    return [row.partition("&= ")[2] for row in text.split(r" \\ ")]


def check_cases(row: str, chance: Any, misses: Fraction) -> None:
    """Compare every case of a row with the engine for every n it holds for."""
    row = row.partition(r" \quad")[0]
    found = re.fullmatch(r"(.*?)\\begin\{cases\} (.*) \\end\{cases\}", row)
    factor, cases = (found[1], found[2]) if found else ("", row + " & ")
    seen = set()
    for case in cases.split(" ;; "):
        text, _, where = case.partition(" & ")
        condition = where.replace(r"\le", "<=").replace(r"\ge", ">=").replace(" = ", " == ")
        for n in range(-3, 30):
            if not condition or eval(condition, {"n": n}):
                seen.add(n)
                product_ = f"{factor}1 * ({python_of(text)})" if factor else text
                product_ = product_.replace(r"\cdot", "*")
                assert evaluate(product_, n=n, m=misses) == chance(n), (case, n)
    assert seen == set(range(-3, 30))


@given(READINGS, ROLLS, st.sampled_from([0, 20, 50]), st.integers(2, 20), st.integers(-9, 30))
def test_latex_says_what_the_engine_does(
    readings: dict[str, str], roll: str, miss: int, threat: int, armor_class: int
) -> None:
    strike = attack(readings, armor_class, roll, miss, threat, bonus=3)
    latex = formula_latex(strike)
    tie = int(readings["attack_tie"] == "misses")
    assert f"= {armor_class - 3 + tie} " in latex["Natural roll needed"]

    def chances(n: int) -> ck.attacks.Strike:
        return attack(readings, n + 3 - tie, roll, miss, threat, bonus=3)

    for title, now, chance in (
        ("Hit chance", strike.p_hit, lambda n: chances(n).p_hit),
        ("Critical chance", strike.p_critical, lambda n: chances(n).p_critical),
    ):
        *general, last = rows_of(latex[title])
        formulas = [row for row in general if "P(" not in row] or [last.partition(" = ")[0]]
        if not formulas[0].endswith(r"\%"):
            check_cases(formulas[0], chance, strike.miss_chance)
        check_equal(last, now)
    check_equal(rows_of(latex["Expected damage"])[-1], strike.damage.mean)


def check_equal(row: str, value: Fraction) -> None:
    """Compare both or all sides of the last row of a derivation with the engine's number."""
    for part in re.split(r" = | \\approx ", row):
        if part.endswith(r"\,\%"):
            assert float(part.removesuffix(r"\,\%")) == pytest.approx(float(100 * value), rel=1e-5)
        elif re.fullmatch(r"-?\d+\.\d+", part):
            assert float(part) == pytest.approx(float(value), rel=1e-5)
        else:
            assert evaluate(part) == value, part


def test_latex_is_balanced(evil: ck.attacks.Strike) -> None:
    for latex in formula_latex(evil).values():
        assert latex.count("{") == latex.count("}")
        assert latex.count(r"\left") == latex.count(r"\right")
        assert latex.count(r"\begin") == latex.count(r"\end")
        assert "$" not in latex
        assert "<" not in latex


def test_long_numbers_are_shown_as_near(rules: ck.rules.Ruleset) -> None:
    arms = [{"label": "Doom", "damage": "30d6"}]
    hero = ck.Combatant(
        attack_bonus=5,
        weapons=arms,
        bonuses=[{"label": "Curse", "to": "damage", "value": -50, "type": "untyped"}],
    )
    latex = formula_latex(ck.attack(rules, hero, ck.Combatant(armor_class=12)))["Expected damage"]
    assert r"&\approx " in latex
    assert max(map(len, re.findall(r"\d+", latex))) < 20
