"""Check a file of worked values against the public API.

    python tests/worked_values.py FILE.json

The adapters, one a kind, are in tests/adapters. It prints what fails and a closing line
``N passed, N failed, N skipped``.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

from adapters import ADAPTERS
from adapters.common import RULESETS

import combatkit as ck


def value_of(case: dict[str, Any]) -> Fraction:
    """Compute one case through its adapter."""
    rules = ck.load_ruleset(RULESETS[case["ruleset"]])
    return Fraction(ADAPTERS[case["kind"]](rules, **case["inputs"]))


def read_cases(path: Path) -> list[dict[str, Any]]:
    """Read cases from JSON (a list) or TOML (``[[case]]``)."""
    if path.suffix == ".toml":
        cases: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["case"]
        return cases
    loaded: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return loaded


def main(paths: list[str]) -> int:
    """Check files and print what fails and a closing line."""
    if not paths:
        print(__doc__)
        return 2
    passed, failed, skipped = 0, 0, Counter[str]()
    for case in (case for path in paths for case in read_cases(Path(path))):
        if case["kind"] not in ADAPTERS:
            skipped[case["kind"]] += 1
            continue
        try:
            got: object = value_of(case)
        except Exception as error:  # any failure is a failed case, reported with its reason
            got = f"{type(error).__name__}: {error}"
        if got == Fraction(case["expected_fraction"]):
            passed += 1
        else:
            failed += 1
            print(
                f"{case['id']} {case['kind']}: {case['description']}: "
                f"expected {case['expected_fraction']}, got {got}"
            )
    if skipped:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(skipped.items()))
        print(f"kinds not built yet: {kinds}")
    print(f"{passed} passed, {failed} failed, {sum(skipped.values())} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
