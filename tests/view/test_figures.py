from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import plotly.graph_objects as go
import pytest

import combatkit as ck
from combatkit.view import damage_at_least, damage_pmf, heat_map, hit_chance_by_armor_class

DRAWN = [hit_chance_by_armor_class, damage_pmf, damage_at_least, heat_map]


def strings(part: Any) -> Iterator[str]:
    """Yield every text in a figure."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for value in part.values():
            yield from strings(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from strings(value)


def check(figure: go.Figure) -> go.Figure:
    """Check what holds for every figure, and return it."""
    layout = figure.to_dict()["layout"]
    assert "transition" not in layout
    assert layout["title"]["text"]
    assert layout["xaxis"]["title"]["text"]
    assert max(layout["margin"].values()) < 90
    validated = go.Figure(figure.to_dict())
    assert json.loads(validated.to_json()) == json.loads(figure.to_json())
    assert all(trace.hovertemplate for trace in figure.data)
    for text in strings(figure.to_dict()):
        assert "<img" not in text
    return figure


def extreme(rules: ck.rules.Ruleset) -> dict[str, ck.attacks.Strike]:
    """Strikes at the edges of what can be."""
    ogre = rules.combatant("ogre")

    def hits(
        bonus: int = 5, foe: ck.Combatant = ogre, there: Any = None, **weapon: Any
    ) -> ck.attacks.Strike:
        arms = [{"label": "Arm", "damage": "1d6", **weapon}]
        hero = ck.Combatant(attack_bonus=bonus, weapons=arms)
        return ck.attack(rules, hero, foe, situation=there or ck.Situation())

    nets = ck.Combatant(attack_bonus=5, weapons=["net"])
    return {
        "impossible": hits(there=ck.Situation(cover="total")),
        "always": hits(100, ck.Combatant(armor_class=-60)),
        "never but for a 20": hits(-60, ck.Combatant(armor_class=150)),
        "misses for sure": hits(there=ck.Situation(miss_chances=[100])),
        "no damage": ck.attack(rules, nets, ogre),
        "huge": hits(extra="1000d6"),
        "advantage": hits(there=ck.Situation(roll="advantage")),
        "disadvantage": hits(there=ck.Situation(roll="disadvantage", miss_chances=[20])),
    }


@pytest.mark.parametrize("draw", DRAWN)
def test_extremes_can_be_drawn(rules: ck.rules.Ruleset, draw: Any) -> None:
    for strike in extreme(rules).values():
        check(draw(strike))


@pytest.mark.parametrize("draw", DRAWN)
def test_names_are_only_text(evil: ck.attacks.Strike, draw: Any) -> None:
    assert "&lt;img" in check(draw(evil)).layout.title.text


@pytest.mark.parametrize("draw", DRAWN)
def test_an_impossible_strike_says_so(rules: ck.rules.Ruleset, draw: Any) -> None:
    figure = draw(extreme(rules)["impossible"])
    assert "not possible: Total cover" in figure.layout.title.text


def test_hit_chances_are_the_engines(rules: ck.rules.Ruleset) -> None:
    for name, strike in extreme(rules).items():
        attempt = strike.attempt
        bonus, now = strike.attack_bonus.total, strike.armor_class.total
        hit, critical = hit_chance_by_armor_class(strike).data
        assert now in hit.x, name
        assert hit.x == critical.x == tuple(range(hit.x[0], hit.x[0] + len(hit.x)))
        for index, armor_class in enumerate(hit.x):
            foe = ck.Combatant(armor_class=min(150, max(-60, armor_class)))
            if foe.armor_class != armor_class:
                continue
            there = attempt.situation.model_copy(update={"cover": None, "attack_bonus": 0})
            hero = attempt.attacker.model_copy(update={"attack_bonus": bonus})
            twin = ck.attack(rules, hero, foe, situation=there)
            chances = (twin.p_hit, twin.p_critical) if strike.possible else (Fraction(0),) * 2
            for trace, chance in zip((hit, critical), chances, strict=True):
                assert Fraction(trace.customdata[index]) == chance
                assert trace.y[index] == float(chance)


def test_both_ends_of_the_slope_are_seen(strike: ck.attacks.Strike) -> None:
    figure = check(hit_chance_by_armor_class(strike))
    hit = figure.data[0]
    assert hit.y[0] == hit.y[1] == 0.95
    assert hit.y[-1] == hit.y[-2] == 0.05
    assert [words.text for words in figure.layout.annotations] == [
        "natural 1 misses",
        "natural 20 hits",
    ]
    assert figure.layout.shapes[0].path == "M16,0V1"
    assert figure.layout.yaxis.tickformat == ".0%"


def test_no_word_of_a_natural_1_or_20_that_decides_nothing(rules: ck.rules.Ruleset) -> None:
    plain = rules.with_switches(attack_natural_1="total_decides", attack_natural_20="total_decides")
    hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    figure = hit_chance_by_armor_class(ck.attack(plain, hero, ck.Combatant(armor_class=16)))
    assert not figure.layout.annotations
    assert (figure.data[0].y[0], figure.data[0].y[-1]) == (1, 0)


def test_bars_are_the_damage_above_0(
    strike: ck.attacks.Strike, round_: ck.attacks.FullAttack
) -> None:
    for attack in (strike, round_):
        figure = check(damage_pmf(attack))
        bars = figure.data[0]
        assert dict(zip(bars.x, bars.y, strict=True)) == {
            x: float(chance) for x, chance in attack.damage.items() if x > 0
        }
        assert [Fraction(text) for _, text in bars.customdata] == [
            chance for x, chance in attack.damage.items() if x > 0
        ]
        quartiles = [attack.damage.quantile(Fraction(part, 4)) for part in (1, 2, 3)]
        assert figure.layout.shapes[0].path == f"M{float(attack.damage.mean)},0V1"
        assert figure.layout.shapes[1].path == "".join(f"M{x},0V1" for x in quartiles)
    title = figure.layout.title.text
    assert "no damage 6.0% (not drawn); mean 18.34; quartiles 11, 19, 24; most 60" in title
    labels = ", ".join(words.text for words in figure.layout.annotations)
    assert labels == "25%, mean, 50%, 75%"


@pytest.mark.parametrize("dice", ["200d1", "201d1", "40d20", "3d1000"])
def test_many_amounts_are_drawn_in_groups(rules: ck.rules.Ruleset, dice: str) -> None:
    hero = ck.Combatant(attack_bonus=6, weapons=[{"label": "Doom", "damage": dice}])
    attack = ck.attack(rules, hero, ck.Combatant(armor_class=10))
    bars = check(damage_pmf(attack)).data[0]
    assert len(bars.x) <= 200
    assert sum(bars.y) == pytest.approx(float(attack.p_hit))
    for (span, text), y in zip(bars.customdata, bars.y, strict=True):
        low, _, high = span.partition(" to ")
        chance = sum(attack.damage.p(x) for x in range(int(low), int(high or low) + 1))
        assert y == pytest.approx(float(chance))
        assert text.startswith("≈") or Fraction(text) == chance


def test_survival_function_of_damage(
    strike: ck.attacks.Strike, round_: ck.attacks.FullAttack
) -> None:
    for attack in (strike, round_):
        figure = check(damage_at_least(attack))
        line = figure.data[0]
        assert line.x == tuple(range(1, attack.damage.maximum + 1))
        assert [Fraction(text) for text in line.customdata] == [
            attack.damage.at_least(x) for x in line.x
        ]
        assert line.y == tuple(float(attack.damage.at_least(x)) for x in line.x)
    assert figure.layout.shapes[0].path == "M29,0V1"
    assert "all 29 hit points 11.2%" in figure.layout.title.text


def test_survival_function_of_much_damage(rules: ck.rules.Ruleset) -> None:
    hero = ck.Combatant(attack_bonus=6, weapons=[{"label": "Doom", "damage": "40d20"}])
    attack = ck.attack(rules, hero, ck.Combatant(armor_class=10))
    line = damage_at_least(attack).data[0]
    assert len(line.x) <= 200
    assert line.y == tuple(float(attack.damage.at_least(x)) for x in line.x)


@pytest.mark.parametrize("measure", ["hit_chance", "expected_damage"])
def test_heat_map_cells_are_the_engines(rules: ck.rules.Ruleset, measure: Any) -> None:
    there = ck.Situation(roll="advantage", miss_chances=[10])
    hero = ck.Combatant(attack_bonus=6, weapons=["longsword"])
    figure = check(
        heat_map(ck.attack(rules, hero, ck.Combatant(armor_class=20), situation=there), measure)
    )
    cells = figure.data[0]
    assert (len(cells.z), len(cells.z[0])) == (15, 15)
    for row, column in [(0, 0), (0, 14), (14, 0), (7, 7), (3, 11), (9, 2)]:
        bonus, armor_class = cells.y0 + row, cells.x0 + column
        twin = ck.attack(
            rules,
            ck.Combatant(attack_bonus=bonus, weapons=["longsword"]),
            ck.Combatant(armor_class=armor_class),
            situation=there,
        )
        value = twin.p_hit if measure == "hit_chance" else twin.damage.mean
        assert cells.z[row][column] == float(value)
        assert Fraction(cells.customdata[row][column]) == value
    frame = figure.layout.shapes[0]
    assert (frame.x0, frame.x1, frame.y0, frame.y1) == (19.5, 20.5, 5.5, 6.5)


def test_another_measure_is_refused(strike: ck.attacks.Strike) -> None:
    with pytest.raises(ck.CombatkitError, match="did you mean 'hit_chance'"):
        heat_map(strike, "hit_chanse")  # type: ignore[arg-type]
