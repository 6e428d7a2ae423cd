"""The explorer alone, as a page: what ``start.py --app`` serves."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from argparse import Namespace
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import start

NOTEBOOK = Path(__file__).parents[2] / start.NOTEBOOK
SERVER_START = 60.0  # seconds


@pytest.fixture
def app(
    tmp_path: Path, jupyter_home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Serve a copy of the explorer's notebook; yield its address."""
    (tmp_path / "notebooks").mkdir()
    shutil.copy(NOTEBOOK, tmp_path / "notebooks")
    monkeypatch.setattr(start, "ROOT", tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, *start.page_of(Namespace(port=port)), "--no-browser"]
    environment = {**os.environ, **jupyter_home}
    server = subprocess.Popen(command, env=environment, cwd=tmp_path, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/"
    deadline = time.monotonic() + SERVER_START
    try:
        while server.poll() is None and time.monotonic() < deadline:
            with suppress(OSError), urllib.request.urlopen(f"{url}voila/static/voila.js"):
                break
            time.sleep(0.2)
        yield url
    finally:
        server.terminate()
        server.wait(20)


def test_the_explorer_alone(app: str, page: Page) -> None:
    page.goto(app)
    status = page.locator(".ck-explorer").first.locator(".ck-sides")
    expect(status).to_contain_text("hits 85.0%", timeout=60_000)
    expect(page.get_by_text("from combatkit_widgets import")).to_have_count(0)
    page.locator(".ck-explorer").first.get_by_label("Prone").nth(1).check()
    expect(status).to_contain_text("hits 95.0%")
    again = page.context.new_page()  # a new kernel, and what was picked is there
    again.goto(app)
    expect(again.locator(".ck-sides")).to_contain_text("hits 95.0%", timeout=60_000)
