"""Links: short, safe in an address, and harmless whatever they hold."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import secrets
import zlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import ipywidgets as W
import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.rules.read import home
from combatkit_widgets import Encounter, Explorer, Side
from combatkit_widgets.forms import changed, everything
from combatkit_widgets.live import LiveHTML
from combatkit_widgets.share import binder_link, from_text, to_text

HTML_KINDS = (W.HTML, W.HTMLMath, LiveHTML)


def packed(content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return "1." + base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


def test_a_link_is_short_and_needs_no_escaping() -> None:
    encounter = Encounter(
        ruleset="classic",
        a=Side(fighter=ck.Combatant(name="Zoë <b>", hit_points=12), conditions={"flanking"}),
        b=Side(fighter="ogre", conditions={"prone"}, cover="50"),
        distance=30,
    )
    text = to_text(encounter)
    assert from_text(text) == encounter == from_text(f"  {text}\n")
    assert re.fullmatch(r"1\.[A-Za-z0-9_-]+", text) and len(text) < 300
    assert len(to_text(Encounter())) < 20


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


def test_a_link_carries_the_house_rules_themselves(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, encoding="utf-8")
    encounter = Encounter(ruleset=str(file), a=Side(fighter="fighter_6", conditions={"drunk"}))
    text = to_text(encounter)
    file.unlink()  # the friend does not have it
    explorer = Explorer(from_text(text))
    assert explorer.rules.title == "House rules"
    assert explorer.strike.p_hit == Fraction(14, 20)
    assert to_text(explorer.value) == text
    names: dict[str, Any] = {}
    exec(explorer.value.code(), names)
    assert names["attack"].p_hit == Fraction(14, 20)


def test_a_file_that_makes_no_link_says_why(tmp_path: Path) -> None:
    with pytest.raises(ck.CombatkitError, match="cannot be put into one text"):
        to_text(Encounter(ruleset="/home/me/house.toml"))
    file = tmp_path / "house.toml"
    noise = "".join(secrets.token_hex(30) + "\n# " for _ in range(900))
    file.write_text(HOUSE + "# " + noise, encoding="utf-8")
    with pytest.raises(ck.CombatkitError, match="too long for a link"):
        to_text(Encounter(ruleset=str(file)))


def test_rules_of_a_link_put_no_html_into_the_page(tmp_path: Path) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    words = re.compile(r'^((?:label|note|title|short) = ")(?=[^"])', re.MULTILINE)
    for file in home().joinpath("srd35").glob("*.toml"):
        text = words.sub(rf"\g<1>{hostile}", file.read_text("utf-8"))
        assert file.name not in ("attack.toml", "ruleset.toml") or hostile in text
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    conditions = {"prone", "flanking"}
    explorer = Explorer(Encounter(ruleset=str(tmp_path), b=Side(fighter="ogre", full=True)))
    explorer.value = changed(explorer.value, b=Side(fighter="ogre", conditions=conditions))
    explorer.pin(hostile)
    shown = []
    for page in range(len(explorer._panels)):
        explorer._pages.selected_index = page
        shown += [part.value for part in everything(explorer) if isinstance(part, HTML_KINDS)]
    assert not [html for html in shown if "<img" in html]
    assert sum("&lt;img" in html for html in shown) > 20


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no link"),
        ("hello", "no link"),
        ("2.abc", "version '2'"),
        ("1.???", "damaged"),
        ("1." + "A" * 30_000, "no link"),
        (to_text(Encounter(distance=30))[:-4], "damaged|cut off"),
        (packed("[]"), "this link"),
        (packed("{"), "this link"),
        (packed(b"\xff\xfe"), "damaged"),
        (packed(json.dumps({"ruleset": "/etc/passwd"})), "not built in"),
        (packed(json.dumps({"ruleset": "../srd35"})), "not built in"),
        (packed(json.dumps({"rounds": 10**9})), "rounds"),
        (packed(json.dumps({"keep": "/tmp"})), "keep"),
        (packed(json.dumps({"a": {"fighter": {"name": "x" * 10_000}}})), "name"),
        (packed(" " * 5_000_000), "too much"),
    ],
)
def test_a_bad_link_says_why(text: str, told: str) -> None:
    with pytest.raises(ck.CombatkitError, match=told):
        from_text(text)


@given(st.text(max_size=60) | st.binary(max_size=60).map(packed))
def test_no_text_does_anything_but_open_or_say_why(text: str) -> None:
    with contextlib.suppress(ck.CombatkitError):
        assert isinstance(from_text(text), Encounter)


def test_an_explorer_opens_a_link_and_offers_one() -> None:
    explorer = Explorer()
    bridge = explorer._toolbar._link
    assert from_text(bridge.text) == Encounter()
    bridge.opened = to_text(Encounter(b=Side(fighter="ogre", conditions={"prone"})))
    assert explorer.value.b.conditions == {"prone"}
    assert from_text(bridge.text) == explorer.value
    before = explorer.value
    bridge.opened = "1.nonsense"
    assert explorer.value == before and "damaged" in explorer._toolbar._alert.value
    bridge.opened = packed(json.dumps({"b": {"fighter": "ogr"}}))
    assert explorer.value == before and "ogre" in explorer._toolbar._alert.value


def test_binder_is_offered_for_a_fork_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert binder_link("1.abc") == ""
    urls = [
        "Repository, https://github.com/me/ck",
        "Binder, https://mybinder.org/v2/gh/me/ck/main?urlpath=lab/tree/x.ipynb",
    ]
    monkeypatch.setattr(
        "combatkit_widgets.share.metadata",
        lambda name: type("Metadata", (), {"get_all": lambda self, key: urls})(),
    )
    assert binder_link("1.abc").endswith("urlpath=lab/tree/x.ipynb%3Fck%3D1.abc")
