"""Every worked value in cases/*.toml holds as a fraction."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import worked_values  # noqa: E402

CASES = [
    case
    for path in sorted((ROOT / "cases").glob("*.toml"))
    for case in worked_values.read_cases(path)
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    assert worked_values.value_of(case) == Fraction(case["expected_fraction"])


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_the_runner_tells_failures_and_kinds_not_built(tmp_path: Path) -> None:
    good = (
        '[[case]]\nid="A"\nruleset="SRD"\nkind="p_hit"\ndescription="d"\n'
        'inputs={attack_bonus=5, ac=18}\nexpected_fraction="2/5"\n'
    )
    wrong = good.replace('"A"', '"B"').replace("2/5", "1/2")
    crash = good.replace('"A"', '"C"').replace("ac=18", "ca=18")
    unknown = good.replace('"A"', '"D"').replace("p_hit", "p_fly")
    file = tmp_path / "cases.toml"
    file.write_text(good + wrong + crash + unknown)
    run = subprocess.run(
        [sys.executable, ROOT / "tests" / "worked_values.py", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert "B p_hit: d: expected 1/2, got 2/5" in run.stdout
    assert "C p_hit: d: expected 2/5, got TypeError" in run.stdout
    assert "p_fly (1)" in run.stdout
    assert run.stdout.splitlines()[-1] == "1 passed, 2 failed, 1 skipped"
