"""JupyterLab in headless Chromium: ``open_notebook(path or cells)`` gives a page that has run it.

Every page is watched: a page error, a console error or a request that leaves the machine fails the
test, and a failing test leaves a screenshot in /tmp.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import nbformat
import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Route,
    expect,
    sync_playwright,
)

from check import NO_BROWSER, find_chromium

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVER_START = 60.0  # seconds
STEP = 60_000  # milliseconds, for each step in the page; a first run of the cells may take two
expect.set_options(timeout=STEP / 2)  # what shall be seen; a busy machine takes its time
LOOPBACK = {"127.0.0.1", "localhost"}

RUN_ALL = """
async (limit) => {
  const app = window.jupyterapp;
  const within = (step, promise, ms = limit) =>
    Promise.race([promise, new Promise((_, fail) =>
      setTimeout(() => fail(new Error(`no end of "${step}" within ${ms} ms`)), ms))]);
  const until = async (test) => {
    while (!test()) await new Promise((resolve) => setTimeout(resolve, 50));
  };
  await within("Lab starts", app.restored);
  const current = () => app.shell.currentWidget;
  await within("notebook opens", until(() => current()?.sessionContext));
  const { context, sessionContext, content } = current();
  await within("notebook is read", context.ready);
  await within("session starts", sessionContext.ready);
  await within("kernel is idle", until(() => sessionContext.session?.kernel?.status === "idle"));
  await within("cells run", app.commands.execute("notebook:run-all-cells"), 2 * limit);
  return [...content.model.cells].flatMap((cell) => cell.toJSON().outputs ?? [])
    .filter((output) => output.output_type === "error")
    .map((output) => output.traceback.join("\\n"));
}
"""


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab server and the folder it serves."""

    url: str
    token: str
    folder: Path

    def request(self, path: str, method: str = "GET") -> Any:
        """Call the server's REST interface."""
        request = urllib.request.Request(
            f"{self.url}{path}", method=method, headers={"Authorization": f"token {self.token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")

    def end_kernels(self, page: Page) -> None:
        """Leave the page, which may still be building widgets, and end every kernel."""
        page.goto("about:blank")
        for session in self.request("/api/sessions"):
            self.request(f"/api/sessions/{session['id']}", "DELETE")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, jupyter_home: dict[str, str]) -> Iterator[Lab]:
    """Run a JupyterLab server that knows no user settings, on a folder of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(f"http://127.0.0.1:{port}", secrets.token_hex(16), folder)
    log = folder.parent / "lab.log"
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        f"--ServerApp.root_dir={folder}",
        *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        *("--ServerApp.terminals_enabled=False", "--expose-app-in-browser"),
    ]
    environment = {**os.environ, **jupyter_home, "JUPYTER_TOKEN": lab.token}
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        wait_for(lab, server, log)
        yield lab
    finally:
        stop(server)


def wait_for(lab: Lab, server: subprocess.Popen[bytes], log: Path) -> None:
    """Return when the server answers; fail with its log when it does not."""
    deadline = time.monotonic() + SERVER_START
    while server.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            lab.request("/api/status")
            return
        time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()}")


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server with its kernels: the whole process group."""
    for force in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, force)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(10)
            return


@pytest.fixture(scope="session")
def chromium(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """Run the machine's Chromium, or Playwright's; without either, skip, or fail in CI."""
    with sync_playwright() as playwright:
        path = find_chromium()
        try:
            browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        except Error as error:  # Playwright's is not there, or lacks a library
            if path:
                raise
            why = f"{NO_BROWSER} ({error.message.splitlines()[0]})"
            if os.environ.get("CI"):
                pytest.fail(NO_BROWSER, pytrace=False)
            pytestconfig.stash[SKIPPED] = True
            pytest.skip(why)
        yield browser
        browser.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the browser tests together: one server and one browser for all of them."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


SKIPPED = pytest.StashKey[bool]()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say once, at the end, that there was no browser."""
    if config.stash.get(SKIPPED, False):
        terminalreporter.section("browser tests skipped")
        terminalreporter.write_line(NO_BROWSER)


def told(line: ConsoleMessage) -> str:
    """Say what the page complained of, and about which address."""
    return f"{line.text} ({line.location.get('url', '')})"


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open an empty page that may talk to this machine only, and must show no error."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(STEP)
    errors: list[str] = []
    strangers: list[str] = []

    def is_near(url: str) -> bool:
        parts = urlsplit(url)
        near = parts.scheme in {"data", "blob"} or parts.hostname in LOOPBACK
        if not near:
            strangers.append(url)
        return near

    def guard(route: Route) -> None:
        if is_near(route.request.url):
            route.continue_()
        else:
            route.abort()

    context.route("**/*", guard)
    page = context.new_page()
    page.on("websocket", lambda socket: is_near(socket.url))
    page.on("pageerror", lambda error: errors.append(f"{error.message}\n{error.stack}"))
    page.on("console", lambda line: errors.append(told(line)) if line.type == "error" else None)
    yield page
    if request.node.stash.get(FAILED, False) or errors or strangers:
        page.screenshot(path=screenshot_path(request.node.name), full_page=True)
    context.close()
    assert not strangers, f"requests that leave the machine: {strangers}"
    assert not errors, "errors in the page:\n" + "\n".join(errors)


@pytest.fixture
def open_notebook(lab: Lab, page: Page) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a notebook file, or a list of cells, and runs all of it."""

    def open_and_run(source: Path | list[str]) -> Page:
        if isinstance(source, Path):
            notebook = nbformat.read(source, as_version=4)
        else:
            cells = [nbformat.v4.new_code_cell(cell) for cell in source]
            kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
            notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        name = f"{secrets.token_hex(4)}.ipynb"
        nbformat.write(notebook, lab.folder / name)
        page.goto(f"{lab.url}/lab/tree/{name}?token={lab.token}&reset")
        page.wait_for_function("() => window.jupyterapp")
        failed_cells = page.evaluate(RUN_ALL, STEP)
        assert not failed_cells, "\n".join(failed_cells)
        return page

    yield open_and_run
    lab.end_kernels(page)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Remember a failure, so that `page` can leave a screenshot."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


def screenshot_path(test: str) -> str:
    """Return where the screenshot of a failing test goes, and say so in its output."""
    path = f"/tmp/combatkit-{re.sub(r'[^a-z0-9]+', '-', test.lower())}.png"
    print(f"screenshot: {path}")
    return path
