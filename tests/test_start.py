"""start.py: installing with uv or else with pip, one line of progress, and its own options."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import start


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the commands that start.py ran, none of which really runs."""
    return fake_runs(monkeypatch, failing=())


def fake_runs(monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...]) -> list[str]:
    """Let every command succeed at once, but for those with one of these words in them."""
    ran: list[str] = []

    def run(what: str, command: list[Any], **environment: str) -> tuple[int, str]:
        ran.append(" ".join(map(str, command[1:])))
        failed = any(word in ran[-1] for word in failing)
        return int(failed), f"output of {what}\n"

    monkeypatch.setattr(start, "run_shown", run)
    return ran


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an environment whose Python runs."""
    monkeypatch.setattr(start, "VENV", tmp_path)
    monkeypatch.setattr(start, "PYTHON", Path(sys.executable))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return tmp_path


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_uv_installs(commands: list[str]) -> None:
    start.install(".[lab]")
    assert [command.split()[1] for command in commands] == ["pip", "uv"]
    assert commands[0].endswith(" uv")
    assert commands[1].endswith("-e .[lab]")


@pytest.mark.parametrize(
    ("failing", "tried"), [("--only-binary", ["pip", "pip"]), ("-m uv", ["pip", "uv", "pip"])]
)
def test_pip_installs_where_uv_cannot(
    failing: str, tried: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = fake_runs(monkeypatch, failing=(failing,))
    start.install(".[lab]")
    assert [command.split()[1] for command in commands] == tried
    assert commands[-1].endswith("-e .[lab]")


def test_a_failed_installation_shows_what_pip_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_runs(monkeypatch, failing=("install",))
    with pytest.raises(SystemExit, match="Is the network reachable"):
        start.install(".[lab]")
    assert capsys.readouterr().out == "output of combatkit, with pip\n\n"


@pytest.mark.usefixtures("venv")
def test_what_is_installed_is_not_installed_again(commands: list[str]) -> None:
    start.ensure_environment("lab")
    assert sum("-e .[lab]" in command for command in commands) == 1
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ  # so that kernels start from bytecode
    del commands[:]
    start.ensure_environment("lab")
    assert commands == []
    start.ensure_environment("lab", "test")
    assert sum("-e .[lab,test]" in command for command in commands) == 1


def test_a_failed_installation_is_tried_again_next_time(
    venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_runs(monkeypatch, failing=("install",))
    with pytest.raises(SystemExit):
        start.ensure_environment("lab")
    assert not list(venv.iterdir())


def test_an_old_python_is_told_which_one_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 14))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        start.ensure_environment("lab")


def test_a_talkative_command_leaves_a_line_or_two(capsys: pytest.CaptureFixture[str]) -> None:
    code, output = start.run_shown("dice", python("for n in range(999): print('line', n)"))
    assert code == 0
    assert output.splitlines()[-1] == "line 998"
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2
    assert shown[-1].endswith(" s  dice: done")


def test_a_failed_command_gives_all_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    code, output = start.run_shown("dice", python("print('one'); raise SystemExit('two')"))
    assert code == 1
    assert sorted(output.split()) == ["one", "two"]
    assert capsys.readouterr().out.endswith(" s  dice: failed\n")


def test_a_command_meets_the_variables_it_was_given() -> None:
    _, output = start.run_shown("x", python("import os; print(os.environ['SHOW'])"), SHOW="me")
    assert output == "me\n"


def test_on_a_terminal_the_line_is_written_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "40")
    code = "import time\nfor n in range(3): print('package', n, 'x' * 99); time.sleep(1)"
    start.run_shown("dice", python(code), PYTHONUNBUFFERED="1")
    *lines, last, rest = capsys.readouterr().out.replace("\n", "\r").split("\r")
    assert len(lines) >= 3
    assert {len(line) for line in [*lines, last]} == {39}
    assert "dice: package 2 xxx" in lines[-1]
    assert last.rstrip().endswith("dice: done")
    assert rest == ""


def test_its_options_are_explained() -> None:
    command = [sys.executable, start.ROOT / "start.py", "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "--headless" in said
    assert "passed on to JupyterLab" in said


@pytest.mark.parametrize("script", ["start.py", "check.py"])
def test_a_fresh_python_can_run_it(script: str, root: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse((root / script).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module))
    assert names <= sys.stdlib_module_names | {"start"}
