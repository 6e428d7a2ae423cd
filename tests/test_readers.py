"""Nothing a user says is accepted and then not counted: each field and each name has its reader.

A reader is an attribute of a value that goes by one of the model's usual names, or a ``getattr``
in a function that holds the field's name; what only makes up, writes or shows a model (its own
validators, the loader's check, the forms) is none.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import combatkit as ck
from combatkit.combat.board.map import Map, Placed
from combatkit.combat.checks.chase import Runner
from combatkit.combat.checks.opposed import Check
from combatkit.combat.fights.plan import Plan
from combatkit.combat.turns.price import Threat
from combatkit.rules import (
    Armor,
    ArmorClass,
    Bonus,
    Dying,
    Feat,
    Lookup,
    Number,
    Row,
    Saves,
    Source,
    Stacking,
    State,
    Switch,
    Table,
    Term,
    built_in,
)
from combatkit.rules.equipment import ArmorKind, Energy, Grip, Hand, Material
from combatkit.rules.modifier import Effect, Further, Target
from combatkit.rules.needs import FEAT_TARGETS, TABLE_TARGETS
from combatkit.rules.procedure import FeatBonus

HOME = Path(str(ck.__file__)).parent
CHECKERS = ("check.py", "needed.py", "needs.py", "tables.py", "read.py", "load.py", "validation.py")
CODE = {
    path: ast.parse(path.read_text("utf-8"))
    for path in sorted(HOME.rglob("*.py"))
    if path.name not in CHECKERS
}
WHO = "who attacker defender combatant target victim provoker member foe heal"
ENTRY = "entry found first row table feat state switch term number choice other"

# every model a user or a ruleset fills in, and what its values are called where they are read
MODELS: dict[type, str] = {
    ck.Combatant: WHO,
    ck.Weapon: "weapon held",
    Armor: "armor worn shield",
    ck.Situation: "situation there",
    Bonus: "given bonus",
    Saves: "saves",
    Row: "row entry other",
    Table: f"{ENTRY} tables",
    Feat: "feat entry",
    FeatBonus: "bonus b",
    Further: "step",
    State: f"{ENTRY} s",
    Dying: "dying rule die",
    Stacking: "stacking",
    ArmorClass: "armor_class rule guard",
    Switch: f"{ENTRY} switches",
    Number: f"{ENTRY} numbers find",
    Term: f"{ENTRY} terms",
    Lookup: f"{ENTRY} band square lookup e",
    Source: "document source cite",
    Plan: "plan plans",
    Map: "map",
    Placed: "placed",
    Threat: "threat",
    Runner: "who",
    Check: "check one",
}
# what every entry carries for people: tooltips, receipts and sources show it
FOR_PEOPLE = {"id", "label", "name", "note", "cite", "origin", "replaces", "first_aid_cite"}

# fields known and without effect on any odds, each with the reason
KNOWN = {
    "Combatant.challenge_rating": "printed in a stat block, for choosing a foe",
    "Combatant.printed_*": "totals of a stat block, which tests compare with the sum of the parts",
    "Stacking.highest_only": "read when rules are loaded: a type left out on purpose",
    "Weapon.category": "whether somebody is trained with it, which the feats say",
}


def _fields(model: Any) -> list[str]:
    if hasattr(model, "model_fields"):
        return list(model.model_fields)
    return list(getattr(model, "_fields", None) or model.__dataclass_fields__)


def _name(node: ast.AST) -> str:
    """Last word of what an attribute is taken from: `rules.weapon(x)` is a weapon."""
    if isinstance(node, ast.Call):
        return _name(node.func)
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@cache
def _reads() -> frozenset[tuple[str, str]]:
    """Pairs of a receiver's name and the field read, in all of combatkit."""
    return frozenset(
        (_name(node.value), node.attr)
        for tree in CODE.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


@cache
def _own_reads(model: type) -> frozenset[str]:
    """Fields that a model's own methods read, validators left out."""
    path = Path(str(__import__(model.__module__, fromlist=["x"]).__file__))
    found = set()
    for part in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(part, ast.ClassDef) and part.name == model.__name__:
            for method in part.body:
                if isinstance(method, ast.FunctionDef) and "validator" not in ast.unparse(
                    ast.Module(list(map(ast.Expr, method.decorator_list)), [])
                ):
                    text = ast.unparse(method)
                    found |= set(re.findall(r"self\.(\w+)", text))
                    found |= set(re.findall(r"getattr\(self, .(\w+).", text))
    return frozenset(found)


@cache
def _fetched() -> tuple[tuple[str, str], ...]:
    """Receivers of a ``getattr`` and patterns of what it may fetch, function by function."""
    found = []
    for tree in CODE.values():
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef):
                continue
            fetches = [
                node
                for node in ast.walk(function)
                if isinstance(node, ast.Call) and _name(node.func) == "getattr"
            ]
            texts = {
                text
                for node in ast.walk(function)
                for text in _texts(node)
                if re.fullmatch(r"[\w\\+\[\]]+", text)
            }
            names = {str(one) for one in _literals(function)}
            found += [(_name(call.args[0]), text) for call in fetches for text in texts | names]
    return tuple(set(found))


def _literals(function: ast.FunctionDef) -> Iterator[str]:
    """Words of the closed lists that annotate a function's arguments (a save, a target)."""
    known = {"Save": ("fortitude", "reflex", "will"), "Target": get_args(Target)}
    for argument in function.args.args:
        yield from known.get(_name(argument.annotation or ast.Constant("")), ())


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield re.escape(node.value)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
            for part in node.values
        )


def _is_read(model: type, field: str) -> bool:
    names = MODELS[model].split()
    if any((name, field) in _reads() for name in names) or field in _own_reads(model):
        return True
    return any(
        name in (*names, "self") and text != r"\w+" and re.fullmatch(text, field)
        for name, text in _fetched()
    )


def _excused(model: type, field: str) -> bool:
    return any(_means(key, model, field) for key in KNOWN)


def _means(key: str, model: type, field: str) -> bool:
    pattern = re.escape(key).replace(r"\*", r"\w+")
    return re.fullmatch(pattern, f"{model.__name__}.{field}") is not None


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_is_read(model: type) -> None:
    fields = [field for field in _fields(model) if field not in FOR_PEOPLE]
    assert [f for f in fields if not _is_read(model, f) and not _excused(model, f)] == []


def test_excuses_are_few_and_needed() -> None:
    assert len(KNOWN) <= 10
    for key in KNOWN:
        meant = [(m, f) for m in MODELS for f in _fields(m) if _means(key, m, f)]
        assert meant, key
        assert not any(_is_read(m, f) for m, f in meant), f"{key} is read by now"


@pytest.mark.parametrize("name", sorted(FOR_PEOPLE - {"replaces", "origin", "first_aid_cite"}))
def test_what_is_for_people_is_shown(name: str) -> None:
    shown = [pair for pair in _reads() if pair[1] == name]
    assert len(shown) > 1


def test_a_field_that_nothing_reads_is_found() -> None:
    assert not _is_read(ck.Combatant, "challenge_rating")
    assert not _is_read(ck.Combatant, "shoe_size")
    assert _is_read(ck.Combatant, "natural_armor")  # fetched by name


# ---- names in the data

MODELS_THEMSELVES = ("modifier.py", "equipment.py", "procedure.py", "creature.py")


@cache
def _words() -> frozenset[str]:
    """Every text that code holds, outside the lists of the models themselves."""
    return frozenset(
        node.value
        for path, tree in CODE.items()
        if path.name not in MODELS_THEMSELVES
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _own_words() -> set[str]:
    """Texts that the models' own properties compare with."""
    return {
        word
        for path, tree in CODE.items()
        if path.name in MODELS_THEMSELVES
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        for word in [getattr(node, "value", None)]
        if isinstance(word, str)
    }


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("effect", get_args(Effect)),
        ("grant", get_args(get_args(Feat.model_fields["grants"].annotation)[0])),
        ("grip", get_args(Grip)),
        ("hand", get_args(Hand)),
        ("use", get_args(ck.Weapon.model_fields["use"].annotation)),
        ("target", get_args(Target)),
        ("kind of armor", get_args(ArmorKind)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_name_is_asked_for(what: str, words: tuple[str, ...]) -> None:
    assert len(words) > 1
    known = {*_words(), *_own_words()}
    rest = {word for word in words if word not in known}
    assert rest == PLAIN_CASES.get(what, set())


# the case that is left when all others are asked for, so that code need not name it
PLAIN_CASES = {"use": {"sling"}}


def test_qualities_are_compared_as_they_are() -> None:
    """Materials and energies meet in sets: whatever word is on both sides counts."""
    for word in get_args(Material):
        assert word in ck.Weapon(materials=[word]).qualities
    assert len(get_args(Energy)) == len(set(get_args(Energy)))


def test_targets_of_tables_and_feats_are_asked_for() -> None:
    asked: dict[str, set[str]] = {"lines": set(), "feat_lines": set(), "bonus_lines": set()}
    for tree in CODE.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _name(node.func) in asked and node.args:
                asked[_name(node.func)] |= {
                    arg.value for arg in node.args if isinstance(arg, ast.Constant)
                }
    assert asked["lines"] == set(TABLE_TARGETS)
    assert asked["feat_lines"] | {"initiative"} == set(FEAT_TARGETS)
    assert asked["bonus_lines"] | {"initiative", "save", "check"} == set(get_args(Target))


@pytest.mark.parametrize("name", built_in())
def test_every_row_does_something(name: str) -> None:
    """A row changes something in melee or at range."""
    rules = ck.load_ruleset(name)
    idle = [
        key
        for key, row in rules.rows.items()
        if not (row.applies("melee") or row.applies("ranged"))
    ]
    assert idle == []
