"""Shared by all tests: light, repeatable Hypothesis runs, and a Jupyter that knows no user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: a busy machine is no failure. Hypothesis itself makes runs repeatable under CI.
settings.register_profile("combatkit", settings.default, deadline=None, max_examples=60)
settings.load_profile("combatkit")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the top folder of the project."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def jupyter_home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return environment variables that keep Jupyter away from the user's own settings."""
    home = tmp_path_factory.mktemp("jupyter")
    lab = home / "config" / "labconfig"
    lab.mkdir(parents=True)
    # no news, and no panel of a library that only the tests of sweeps need
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    disabled |= {"ipyparallel-labextension": True}
    (lab / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}))
    return {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel of this environment, not a user's
    }
