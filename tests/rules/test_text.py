"""House rules as one text."""

from __future__ import annotations

from pathlib import Path

import pytest

import combatkit as ck
from combatkit.rules import load_text, text_of

HOUSE = """[ruleset]
id = "house"
title = "House rules"
extends = "srd35"

[[row]]
table = "attack"
id = "drunk"
label = "Drunk"
melee = -3
cite = "user: page 1"
"""


def test_a_text_says_what_its_file_says(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, encoding="utf-8")
    text = text_of(file)
    rules, same = load_text(text), ck.load_ruleset(file)
    assert rules.rows["attack.drunk"].melee == same.rows["attack.drunk"].melee == -3
    assert rules.title == "House rules"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HOUSE.replace("srd35", "../secret.toml"), "can build on classic"),
        (HOUSE.replace("srd35", "/etc/passwd"), "can build on classic"),
        (HOUSE.replace("melee = -3", "melee = "), "not readable TOML"),
        (HOUSE.replace("melee", "malee"), "line 10: row 'attack.drunk'"),
        (HOUSE + "#" * 100_000, "more than 100,000 characters"),
        ("ruleset = 3\n", "ruleset"),
    ],
)
def test_a_bad_text_says_why(text: str, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        load_text(text)


def test_what_is_no_single_file_has_no_text(tmp_path: Path) -> None:
    with pytest.raises(ck.CombatkitError, match="cannot be put into one text"):
        text_of(tmp_path)
    with pytest.raises(ck.CombatkitError, match="cannot be put into one text"):
        text_of(tmp_path / "none.toml")
    further = tmp_path / "further.toml"
    further.write_text(HOUSE.replace("srd35", "house.toml"), encoding="utf-8")
    with pytest.raises(ck.CombatkitError, match="can build on classic"):
        text_of(further)
