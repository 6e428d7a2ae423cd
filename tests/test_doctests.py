"""The examples in the docstrings run.

Not by ``pytest --doctest-modules``: where a module and its function share a name (combat.attack),
its way of importing would put the module in the function's place.
"""

from __future__ import annotations

import doctest
import sys
from importlib import import_module
from pkgutil import walk_packages

import pytest

import combatkit
import combatkit_widgets

PACKAGES = (combatkit, combatkit_widgets)
MODULES = sorted(
    module.name
    for package in PACKAGES
    for module in walk_packages(package.__path__, f"{package.__name__}.")
)


@pytest.mark.parametrize("name", ["combatkit", *MODULES])
def test_examples(name: str) -> None:
    import_module(name)
    flags = doctest.ELLIPSIS
    assert doctest.testmod(sys.modules[name], optionflags=flags).failed == 0


def test_there_are_many() -> None:
    examples = 0
    for name in MODULES:
        import_module(name)
        found = doctest.DocTestFinder().find(sys.modules[name])
        examples += sum(len(test.examples) for test in found)
    assert examples > 200
