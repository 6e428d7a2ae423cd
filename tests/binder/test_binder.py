"""What Binder builds, built here in a fresh environment; the tour runs in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import venv
from pathlib import Path

import start

# What repo2docker's image has before it reads binder/: these are in the way of what we need.
BASE_IMAGE = [
    "ipywidgets==8.1.8",
    "jsonschema==4.25.1",
    "jupyterlab==4.4.10",
    "notebook==7.4.7",
    "pydantic==2.12.4",
]
NOT_IN_A_CLONE = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")


def run(command: list[str | Path], tree: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_binder_builds_and_runs_the_tour(
    root: Path, tmp_path: Path, jupyter_home: dict[str, str]
) -> None:
    tree, home = tmp_path / "tree", tmp_path / "environment"
    shutil.copytree(root, tree, ignore=NOT_IN_A_CLONE)
    venv.create(home, with_pip=True)
    environment = {**os.environ, **jupyter_home, "PATH": f"{home / 'bin'}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    pip: list[str | Path] = [home / "bin/python", "-m", "pip"]

    run([*pip, "install", *BASE_IMAGE], tree, environment)
    run([*pip, "install", "-r", "binder/requirements.txt"], tree, environment)
    run([tree / "binder/postBuild"], tree, environment)
    run([*pip, "check"], tree, environment)
    run(
        [home / "bin/jupyter", "execute", "--inplace", "notebooks/00_tour.ipynb"],
        tree,
        environment,
    )
    assert '"execution_count": 1' in (tree / "notebooks/00_tour.ipynb").read_text()


def test_binder_python_is_the_oldest_that_is_supported(root: Path) -> None:
    runtime = (root / "binder/runtime.txt").read_text().strip()
    assert runtime == "python-3.11"
    assert 'requires-python = ">=3.11"' in (root / "pyproject.toml").read_text()


def test_the_badge_opens_the_explorer_of_this_repository(root: Path) -> None:
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    host, owner_and_name = urls["Repository"].split("github.com/")
    assert host == "https://"
    assert urls["Binder"] == (
        f"https://mybinder.org/v2/gh/{owner_and_name}/main?urlpath=lab/tree/{start.NOTEBOOK}"
    )
    assert (root / start.NOTEBOOK).is_file()
    badge = f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({urls['Binder']})"
    assert badge in (root / "README.md").read_text("utf-8").splitlines()


def test_nothing_else_names_the_address_of_the_repository(root: Path) -> None:
    address = re.compile(rb"(github\.com|mybinder\.org/v2/gh)/[\w.-]+/combatkit\b")
    naming = set()
    for folder, inner, names in os.walk(root):
        inner[:] = set(inner) - NOT_IN_A_CLONE(folder, inner)
        files = [Path(folder, name) for name in names]
        naming |= {file for file in files if address.search(file.read_bytes())}
    assert naming == {root / "README.md", root / "pyproject.toml"}


def test_post_build_is_executable(root: Path) -> None:
    assert os.access(root / "binder/postBuild", os.X_OK)
