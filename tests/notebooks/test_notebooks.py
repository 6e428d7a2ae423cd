"""Every notebook runs from top to bottom in a real kernel, and is stored without outputs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TIME_LIMIT = 120  # seconds a cell


def test_the_tour_and_the_explorer_are_there() -> None:
    assert {"00_tour.ipynb", "01_explorer.ipynb"} <= {path.name for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path, jupyter_home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in jupyter_home.items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=TIME_LIMIT, kernel_name="python3", resources=where).execute()
    assert any(cell.get("execution_count") for cell in notebook.cells)


def test_outputs_are_stripped() -> None:
    found = subprocess.run(
        [sys.executable, "-m", "nbstripout", "--verify", *NOTEBOOKS], capture_output=True, text=True
    )
    assert found.returncode == 0, f"run: nbstripout notebooks/*.ipynb\n{found.stdout}{found.stderr}"
