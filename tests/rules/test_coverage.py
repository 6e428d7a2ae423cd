"""Every rule of the documents has a home, and the home is there."""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from combatkit import CombatkitError, load_ruleset
from combatkit.rules import built_in, rule_coverage
from combatkit.rules.coverage import Covered

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COVERAGE = {rule.id: rule for rule in rule_coverage()}


def test_no_rule_is_without_a_home() -> None:
    wanted = (HERE / "rule_ids.txt").read_text("utf-8").split()
    assert len(wanted) == len(set(wanted)) == 519
    assert set(COVERAGE) == set(wanted)


def test_most_rules_are_computed() -> None:
    counts = Counter(rule.by for rule in COVERAGE.values())
    assert counts["computed"] >= 290
    assert counts["data"] > 100
    assert counts["text"] < 60


def test_every_rule_has_its_words() -> None:
    assert len({rule.title for rule in COVERAGE.values()}) > 480
    assert len({rule.text for rule in COVERAGE.values()}) == 519
    for rule in COVERAGE.values():
        assert rule.text.endswith(".") and not rule.title.endswith("."), rule.id


@pytest.mark.parametrize("name", built_in())
def test_every_entry_says_what_it_does(name: str) -> None:
    rules = load_ruleset(name)
    groups = (rules.rows, rules.switches, rules.numbers, rules.feats, rules.terms)
    for entry in (one for group in (*groups, rules.states, rules.tables) for one in group.values()):
        assert entry.note.endswith("."), entry.id


OURS = ("seed", "blow", "reading", "catalogue", "srd35", "toml")


@pytest.mark.parametrize("name", built_in())
def test_the_words_are_a_player_s(name: str) -> None:
    rules = load_ruleset(name)
    groups = (rules.rows, rules.switches, rules.numbers, rules.feats, rules.terms, rules.weapons)
    told = [rule.text for rule in COVERAGE.values()] + [
        f"{entry.label} {entry.note} {entry.cite}" for group in groups for entry in group.values()
    ]
    told += [meaning for switch in rules.switches.values() for meaning in switch.options.values()]
    told += [f"{source.title} {source.note}" for source in rules.sources.values()]
    found = [text for text in told if any(re.search(rf"\b{word}", text.lower()) for word in OURS)]
    assert found == []


def _resolve(where: str) -> Any:
    module, _, path = where.partition(":")
    importlib.import_module(module)
    found: Any = sys.modules[module]
    for name in path.split("."):
        # a field of a model or of a dataclass is not an attribute of its class
        fields = getattr(found, "__annotations__", {}) if isinstance(found, type) else {}
        found = fields[name] if name in fields else getattr(found, name)
    return found


def _held(ruleset: str, key: str) -> bool:
    rules = load_ruleset(ruleset)
    keys = [rules.rows, rules.tables, rules.numbers, rules.terms, rules.lookups, rules.feats]
    keys += [rules.weapons, rules.armors, rules.switches, rules.states]
    plain = {entry.table for entry in rules.lookups.values()} | {"dying", "stacking"}
    return key in plain or any(key in known for known in keys)


@pytest.mark.parametrize("key", sorted(COVERAGE))
def test_the_home_is_there(key: str) -> None:
    rule = COVERAGE[key]
    if rule.by == "text":
        assert len(rule.note) > 15
    ruleset, is_data, entry = rule.where.partition(": ")
    if is_data:
        assert _held(ruleset, entry), rule.where
    elif rule.where:
        assert _resolve(rule.where) is not None


@pytest.mark.parametrize(
    "data, word",
    [
        ({"id": "HYB-ATK-01", "by": "text"}, "reason"),
        ({"id": "HYB-ATK-01", "by": "computed", "where": "srd35: dying"}, "where"),
        ({"id": "HYB-ATK-01", "by": "data", "where": "combatkit.combat:attack"}, "where"),
        ({"id": "HYB-ATK-01", "by": "magic"}, "computed"),
        ({"id": "attack", "by": "text", "note": "x" * 20}, "id"),
    ],
)
def test_a_home_is_checked(data: dict[str, str], word: str) -> None:
    with pytest.raises(CombatkitError, match=word):
        Covered.from_data({"title": "Title", "text": "A text of a rule.", **data})


# the catalogue's contradictions: the switch that holds the readings, or why none is needed
CONTRADICTIONS: dict[str, tuple[str, str]] = {
    "A1": ("classic", "surprise_turn"),
    "A2": ("", "both wordings agree for every pattern of awareness of two sides"),
    "A3": ("classic", "size_in_attack"),
    "A4": ("classic", "cover_table"),
    "A5": ("classic", "concealment"),
    "A6": ("classic", "critical_damage"),
    "A7": ("classic", "unarmed_provokes"),
    "A8": ("phased", "stunned_touch"),
    "A9": ("phased", "initiative_dc"),
    "A10": ("phased", "self_aid"),
    "A11": ("", "the table's reach is used; 'typically' reconciles the text with it"),
    "A12": ("", "when the dice are rolled changes no probability"),
    "A13": ("classic", "unlisted_provokes"),
    "A14": ("", "which footnote belongs to which number is fixed by the other document"),
    "A15": ("", "creature or obstacle decides: the cover rows 'soft' and 'standard'"),
    "A16": ("srd35", "line_touching"),
    "A17": ("", "the specific rule wins: coup_de_grace allows it in two full rounds"),
    "A18": ("", "any percentage is allowed: Situation.miss_chances"),
    "A19": ("phased", "strenuous_save"),
    "A20": ("", "collapse after some minutes changes no odds; the states are told apart"),
    "A21": ("phased", "dodge_lasts"),
    "A22": ("phased", "stray_again"),
    "A23": ("", "the two sentences agree"),
    "A24": ("", "exactly the last increment is in range, as the text's 'maximum' says"),
    "A25": ("classic", "save_natural_1"),
    "A26": ("", "the rows stand under Concealment and are read so"),
    "A27": ("classic", "fighting_defensively_lasts"),
    "A28": ("classic", "soft_cover_into_melee"),
    "A29": ("classic", "step_into_square"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_each_contradiction_has_its_switch_or_a_reason(name: str) -> None:
    ruleset, told = CONTRADICTIONS[name]
    if not ruleset:
        assert len(told) > 20
        return
    rules = load_ruleset(ruleset)
    switch = rules.switches[told]
    assert len(switch.options) >= 2
    assert rules.switch(told) == switch.default
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests" / "combat").rglob("*.py"))
    assert f'"{told}"' in tests or f"{told}=" in tests
    for option in switch.options.keys() - {switch.default}:  # the default needs no name
        assert f'"{option}"' in tests, f"no test names option {option!r} of {told}"


def test_contradictions_are_all_listed() -> None:
    assert list(CONTRADICTIONS) == [f"A{number}" for number in range(1, 30)]
