"""check.py: where its browser comes from, what it runs, and what it says at the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import check

PYTEST = " ".join(check.PYTEST)


class Machine:
    """A machine with these programs; ``packages`` says whether apt-get can install Chromium."""

    def __init__(self, programs: set[str], root: bool = False, packages: bool = True) -> None:
        self.programs, self.root, self.packages = programs, root, packages
        self.ran: list[str] = []

    def which(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.programs else None

    def run_shown(self, what: str, command: list[Any], **environment: str) -> tuple[int, str]:
        self.ran.append("apt-get" if command[0] == "apt-get" else command[2])
        if "chromium" in command and command[0] == "apt-get" and self.packages:
            assert environment == {"DEBIAN_FRONTEND": "noninteractive"}
            self.programs.add("chromium")
        return 0, ""


@pytest.mark.parametrize(
    ("machine", "runs"),
    [
        (Machine({"chromium", "apt-get"}, root=True), []),
        (Machine({"google-chrome"}), []),
        (Machine({"my-browser"}), []),
        (Machine({"apt-get"}, root=True), ["apt-get", "apt-get"]),
        (Machine({"apt-get"}, root=True, packages=False), ["apt-get", "apt-get", "playwright"]),
        (Machine({"apt-get"}), ["playwright"]),
        (Machine(set(), root=True), ["playwright"]),
    ],
    ids=["there", "chrome", "named", "debian", "not in apt", "not root", "no apt"],
)
def test_where_a_browser_comes_from(
    machine: Machine, runs: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM", "my-browser")
    monkeypatch.setattr(check.shutil, "which", machine.which)
    monkeypatch.setattr(check, "is_root", lambda: machine.root)
    monkeypatch.setattr(check, "run_shown", machine.run_shown)
    check.ensure_browser()
    assert machine.ran == runs


def test_the_browser_that_is_named_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check.shutil, "which", Machine({"chromium", "my-browser"}).which)
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert check.find_chromium() == "/usr/bin/chromium"
    monkeypatch.setenv("CHROMIUM", "my-browser")
    assert check.find_chromium() == "/usr/bin/my-browser"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], True),
        (["-x", "-k", "dice"], True),
        (["tests"], True),
        (["tests/browser"], True),
        (["tests/prob", "tests/browser/test_explorer.py::test_one"], True),
        (["tests/prob"], False),
        (["tests/prob/test_dice.py::test_one", "-k", "dice"], False),
    ],
)
def test_a_browser_is_fetched_only_for_browser_tests(arguments: list[str], wanted: bool) -> None:
    assert check.wants_browser(arguments) is wanted


def run_main(monkeypatch: pytest.MonkeyPatch, *arguments: str, failing: str = "") -> list[str]:
    """Run ``check.py`` with commands that do nothing; return them."""
    ran: list[str] = []

    def call(command: list[Any], **options: Any) -> int:
        ran.append(" ".join(command[2:]))
        return int(command[2] == failing)

    monkeypatch.setattr(sys, "argv", ["check.py", *arguments])
    monkeypatch.setattr(check, "ensure_environment", lambda *extras: ran.append(" ".join(extras)))
    monkeypatch.setattr(check, "ensure_browser", lambda: ran.append("browser"))
    monkeypatch.setattr(check.subprocess, "call", call)
    check.main()
    return ran


def test_everything_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_main(monkeypatch) == ["lab test", "browser", "ruff check .", "mypy", PYTEST]


def test_arguments_go_on_to_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = run_main(monkeypatch, "tests/prob", "-k", "dice")
    assert ran == ["lab test", "ruff check .", "mypy", f"{PYTEST} tests/prob -k dice"]


@pytest.mark.parametrize("failing", ["ruff", "mypy", "pytest"])
def test_what_failed_is_named(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match=f"Not passed: {failing}$"):
        run_main(monkeypatch, failing=failing)


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_without_a_browser_its_tests_are_skipped_but_not_in_ci(
    ci: str, code: int, root: Path, tmp_path: Path
) -> None:
    nowhere = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "CHROMIUM": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/browser"]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, **nowhere, "CI": ci}, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout
    lines = done.stdout.splitlines()
    assert (lines.count(check.NO_BROWSER) == 1) is not bool(ci)
    assert ("skipped in" in lines[-1]) is not bool(ci)
