"""Imports go down the floors only, and heavy libraries stay off the import path."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FLOORS = {
    "combatkit.errors": 0,
    "combatkit.prob": 1,
    "combatkit.grid": 1,
    "combatkit.rules": 2,
    "combatkit.combat": 3,
    "combatkit.view": 4,
    "combatkit.workbench": 5,
    "combatkit": 6,  # the package's face, combatkit/__init__.py
    "combatkit_widgets": 7,
}
# The rooms of combat, each of which imports only from those before it.
ROOMS = ["d20", "attacks", "checks", "health", "turns", "maneuvers", "board", "fights", "sweeps"]
LATE = {"numpy", "pandas", "sympy"}  # imported only inside the functions that need them
NOT_WITH_COMBATKIT = LATE | {"anywidget", "ipywidgets", "plotly"}


def modules() -> dict[str, Path]:
    """Return every module of both packages by its dotted name."""
    found = {}
    for top, package in ((ROOT, "combatkit"), (ROOT / "widgets", "combatkit_widgets")):
        for path in sorted((top / package).rglob("*.py")):
            parts = path.relative_to(top).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def floor_of(module: str) -> str:
    """Return the key of `FLOORS` a module belongs to."""
    parts = module.split(".")
    return parts[0] if parts[0] != "combatkit" else ".".join(parts[:2])


def imported(module: str, tree: ast.AST) -> Iterator[str]:
    """Yield the full name of all that a module imports, inside functions too."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            source = ".".join([*(base if node.level else []), *filter(None, [node.module])])
            for alias in node.names:
                # "from combatkit import prob" names a package; "… import attack" uses the face.
                inner = f"{source}.{alias.name}"
                yield inner if inner in MODULES or inner in FLOORS else source


def height(module: str) -> tuple[int, int]:
    """Return how high a module is: its floor, and within combat the place of its room."""
    room = module.split(".")[2] if module.startswith("combatkit.combat.") else ""
    return FLOORS[floor_of(module)], ROOMS.index(room) if room else 0


def package_of(module: str) -> str:
    """Return the floor, or within combat the room, whose modules may import each other."""
    parts = module.split(".")
    return ".".join(parts[:3]) if parts[:2] == ["combatkit", "combat"] else floor_of(module)


def breaks(module: str, tree: ast.AST) -> list[str]:
    """Return what a module imports from its own height or above, outside its own package."""
    ours = [name for name in imported(module, tree) if name.split(".")[0] in FLOORS]
    others = [name for name in ours if package_of(name) != package_of(module)]
    return [name for name in others if height(name) >= height(module)]


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run when a module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from (part for other in node.orelse for part in at_import(other))
            continue
        yield node
        yield from at_import(node)


def loads_late(tree: ast.AST) -> set[str]:
    """Return the heavy libraries a module imports at its own import."""
    names = set()
    for node in at_import(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module).split(".")[0])
    return names & LATE


def test_every_module_has_a_floor() -> None:
    assert {"combatkit", "combatkit_widgets"} <= {name.split(".")[0] for name in MODULES}
    assert not {floor_of(module) for module in MODULES} - FLOORS.keys()


def test_every_room_of_combat_has_its_place() -> None:
    rooms = {name.split(".")[2] for name in MODULES if name.startswith("combatkit.combat.")}
    assert rooms == set(ROOMS)


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    assert not breaks(module, ast.parse(MODULES[module].read_text()))


@pytest.mark.parametrize("module", MODULES)
def test_heavy_libraries_are_imported_late(module: str) -> None:
    assert not loads_late(ast.parse(MODULES[module].read_text()))


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("combatkit.errors", "def f():\n    import combatkit.prob.dist"),
        ("combatkit.errors", "import combatkit"),
        ("combatkit.errors", "from combatkit import attack"),
        ("combatkit.errors", "from combatkit import view"),
        ("combatkit.errors", "from .rules.load import load_ruleset"),
        ("combatkit.errors", "from . import combat"),
        ("combatkit.errors", "import combatkit_widgets.forms"),
        ("combatkit.prob", "import combatkit.grid"),
        ("combatkit.prob.dist", "from ..grid import line"),
        ("combatkit.combat.attacks.attack", "from combatkit.combat.health import heal"),
        ("combatkit.combat.d20", "from combatkit.combat.attacks.blow import Blow"),
        ("combatkit.combat.turns.price", "from combatkit.combat.fights.duel import duel"),
    ],
)
def test_an_import_that_goes_up_is_found(module: str, code: str) -> None:
    assert breaks(module, ast.parse(code))


@pytest.mark.parametrize("code", ["import numpy as np", "if x:\n  from sympy.core import S"])
def test_an_early_import_is_found(code: str) -> None:
    assert loads_late(ast.parse(code))
    assert not loads_late(ast.parse(f"def late():\n  {code.replace(chr(10), chr(10) + '  ')}"))


@pytest.mark.parametrize(
    ("package", "unwanted"), [("combatkit", NOT_WITH_COMBATKIT), ("combatkit_widgets", LATE)]
)
def test_importing_leaves_the_heavy_ones_out(package: str, unwanted: set[str]) -> None:
    code = f"import sys, {package}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert loaded.returncode == 0, loaded.stderr
    assert package in loaded.stdout.split()
    assert not unwanted & set(loaded.stdout.split())
