"""What the code asks rulesets for and what ``needs.py`` and ``tables.py`` declare are the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

import combatkit as ck
from combatkit.rules import built_in, needs
from combatkit.rules.tables import LOOKUPS

HOME = Path(str(ck.__file__)).parent
CODE = {
    path: ast.parse(path.read_text("utf-8"))
    for path in sorted(HOME.rglob("*.py"))
    if path.name not in ("check.py", "needed.py", "needs.py", "tables.py", "read.py", "load.py")
}
ASKED_BY = {
    "number": {"number", "fraction", "series", "_part"},
    "switch": {"switch"},
    "term": {"term"},
}
NUMBERS = {key: kind for group in needs.NUMBERS.values() for key, kind in group.items()}
SWITCHES = {key: words for group in needs.SWITCHES.values() for key, words in group.items()}
TERMS = {key for group in needs.TERMS.values() for key in group}


def _texts(node: ast.AST) -> Iterator[str]:
    """Every text that an expression may come to, f-strings as patterns."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
            for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _asked(kind: str) -> list[str]:
    """Patterns of all ids that code asks for: by a call, by subscript, or held ready in a list."""
    found = []
    for tree in CODE.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in ASKED_BY[kind]:
                    found += [text for one in node.args for text in _texts(one)]
                elif name == "find" and _is(node.args[0], kind):
                    found += list(_texts(node.args[2]))
            elif isinstance(node, ast.Subscript) and _attribute(node.value) == f"{kind}s".replace(
                "switchs", "switches"
            ):
                found += list(_texts(node.slice))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += [re.escape(node.value)] if kind == "number" and "." in node.value else []
    return found


def _is(node: ast.AST, text: str) -> bool:
    return isinstance(node, ast.Constant) and node.value == text


def _attribute(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


def _procedures() -> set[str]:
    """Switches that an attack collects by the names of a class's fields (combat/attacks/blow)."""
    from combatkit.combat.attacks.blow import Procedures

    return {name for name, kind in get_type_hints(Procedures).items() if kind is str}


def _matches(patterns: list[str], word: str) -> bool:
    return any(re.fullmatch(pattern, word) for pattern in patterns)


@pytest.mark.parametrize(
    ("kind", "declared"),
    [("number", set(NUMBERS)), ("switch", set(SWITCHES)), ("term", TERMS)],
    ids=["numbers", "switches", "terms"],
)
def test_what_is_declared_is_read_and_what_is_read_is_declared(
    kind: str, declared: set[str]
) -> None:
    asked = _asked(kind)
    if kind == "switch":
        asked += [re.escape(name) for name in _procedures()]
    assert sorted(word for word in declared if not _matches(asked, word)) == []
    shape = re.compile(r"\w+" if kind == "switch" else r"\w+\\\.[\w\\+]+")
    calls = [p for p in _calls(kind) if shape.fullmatch(p)]
    assert len(calls) >= 20
    assert sorted({p for p in calls if not any(re.fullmatch(p, w) for w in declared)}) == []


def _calls(kind: str) -> Iterator[str]:
    """Ids asked for by a plain call of the ruleset's or the attempt's own method."""
    for tree in CODE.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                of_row = _attribute(node.func.value) == "" and ast.unparse(node.func.value) not in (
                    "rules",
                    "attempt",
                )
                if node.func.attr in ASKED_BY[kind] and not of_row:
                    yield from _texts(node.args[0])


def test_every_option_that_code_compares_with_is_declared() -> None:
    compared = []
    for tree in CODE.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Call):
                call = node.left
                if _attribute(call.func) == "switch" and isinstance(call.args[0], ast.Constant):
                    compared += [(call.args[0].value, one) for one in node.comparators]
    words = [(switch, one.value) for switch, one in compared if isinstance(one, ast.Constant)]
    assert len(words) > 20
    assert [pair for pair in words if pair[1] not in SWITCHES[str(pair[0])]] == []


def _tables_read() -> set[str]:
    found = set()
    for tree in CODE.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node.args and _attribute(node.func) == "lookup":
                found |= set(_texts(node.args[0]))
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("plain_tables.get"):
                found |= set(_texts(node.args[0]))
            if isinstance(node, ast.Compare) and _attribute(node.left) == "table":
                found |= {text for one in node.comparators for text in _texts(one)}
    return found


def test_plain_tables_and_their_columns_are_those_the_code_reads() -> None:
    assert _tables_read() == set(LOOKUPS)
    written = "\n".join(path.read_text("utf-8") for path in CODE)
    columns = {
        (table, name)
        for table, plain in LOOKUPS.items()
        for name in {**plain.needed, **plain.other}
    }
    unread = {pair for pair in columns if f'"{pair[1]}"' not in written}
    # the first is made of its two parts in move_distance, the second is for people
    assert unread == {("movement", "feat_heavy"), ("class", "hit_die")}


@pytest.mark.parametrize("name", built_in())
def test_the_built_in_rulesets_hold_no_option_and_no_column_unknown(name: str) -> None:
    """Each option declared is offered by some ruleset, and each column used in one."""
    rules = ck.load_ruleset(name)
    for key, switch in rules.switches.items():
        assert set(switch.options) <= set(SWITCHES[key])


def test_what_is_declared_is_in_some_ruleset() -> None:
    every = [ck.load_ruleset(name) for name in built_in()]
    assert {key for rules in every for key in rules.numbers} == set(NUMBERS)
    assert {key for rules in every for key in rules.terms} == TERMS
    assert {
        (key, word)
        for rules in every
        for key, switch in rules.switches.items()
        for word in switch.options
    } == {(key, word) for key, words in SWITCHES.items() for word in words}
    cells = {
        (entry.table, column)
        for rules in every
        for entry in rules.lookups.values()
        for column in entry.cells
    }
    declared = {
        (table, column)
        for table, plain in LOOKUPS.items()
        for column in {**plain.needed, **plain.other}
    }
    assert cells <= declared
    assert {table for table, _ in declared - cells} == {"maneuver_row"}  # a column each


def test_a_list_of_thousands_is_refused_at_once(tmp_path: Path) -> None:
    from time import process_time

    file = tmp_path / "house.toml"
    file.write_text(
        '[ruleset]\nid = "house"\ntitle = "H"\nextends = "srd35"\n[[number]]\n'
        f'id = "attack.iterative_thresholds"\ncite = "srd: House"\nvalue = {list(range(9000))}\n'
    )
    before = process_time()
    with pytest.raises(ck.CombatkitError, match="0 to 20 numbers"):
        ck.load_ruleset(file)
    assert process_time() - before < 2
