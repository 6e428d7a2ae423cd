"""The explorer in headless Chromium: seconds to the first picture, milliseconds from key to chart.

    python benchmarks/explorer.py [number of keys a page]

Opens the explorer as ``start.py`` does, in a folder of its own. "Open" is the time from entering
the address, with the server running, to the headline and to the first chart; a second opening
finds the browser's cache warm. "Key" is the time from the key that ticks a condition to the last
change of the headline and of the page in front, on each page in turn; the next key comes when all
is quiet.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from argparse import Namespace
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import start  # noqa: E402
from check import find_chromium  # noqa: E402

PORT, TOKEN, QUIET = 8971, "bench", 250  # QUIET: milliseconds without a change
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
PICTURE = ".ck-explorer .combatkit-figure .main-svg"

WATCH = """
() => {
  const right = document.querySelector(".ck-explorer .ck-right");
  const seen = (window.combatkitBench = { key: 0, last: 0 });
  addEventListener("keydown", (event) => {
    if (event.key === " ") seen.key = seen.last = performance.now();
  }, true);
  new MutationObserver(() => requestAnimationFrame(() => (seen.last = performance.now())))
    .observe(right, { subtree: true, childList: true, characterData: true, attributes: true });
}
"""
SETTLED = f"""
() => {{
  const {{ key, last }} = window.combatkitBench;
  return key && last > key && performance.now() - last > {QUIET} ? last - key : 0;
}}
"""


def keys(page: Page, count: int) -> list[float]:
    """Milliseconds from each key to the last change that it brings."""
    tick = page.locator(".ck-explorer").get_by_label("Prone").nth(1)
    tick.focus()
    took = []
    for _ in range(count):
        page.keyboard.press("Space")
        took.append(float(page.wait_for_function(SETTLED, polling=20).json_value()))
    return took


def told(took: list[float]) -> str:
    """Median and 90th percentile."""
    p90 = statistics.quantiles(took, n=10)[8]
    return f"median {statistics.median(took):5.0f} ms, p90 {p90:5.0f} ms"


def opened(page: Page, url: str) -> tuple[float, float]:
    """Seconds until the headline and until the first chart stand on the page."""
    begun = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.locator(".ck-explorer .ck-sides").wait_for(timeout=90_000)
    headline = time.perf_counter() - begun
    page.locator(PICTURE).first.wait_for(timeout=90_000)
    return headline, time.perf_counter() - begun


def measure(page: Page, count: int) -> None:
    """Open the explorer twice and press keys on each page."""
    url = f"http://127.0.0.1:{PORT}/lab/tree/{start.NOTEBOOK}?token={TOKEN}&reset"
    for which in ("first", "second"):
        headline, chart = opened(page, url)
        print(f"open ({which}): headline {headline:.1f} s, chart {chart:.1f} s", flush=True)
    page.evaluate(WATCH)
    every: list[float] = []
    for tab in page.locator(".ck-explorer").get_by_role("tab").all():
        tab.click()
        page.wait_for_timeout(1500)
        took = keys(page, count)[2:]
        every += took
        print(f"key, {tab.inner_text():16} {told(took)}", flush=True)
    print(f"key, all pages        {told(every)}")


@contextlib.contextmanager
def server(folder: Path) -> Any:
    """Serve a copy of the notebooks as start.py does."""
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    start.ROOT = folder
    command = [sys.executable, *start.lab_of(Namespace(port=PORT)), "--no-browser"]
    environment = {**os.environ, "JUPYTER_TOKEN": TOKEN}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for _ in range(300):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api?token={TOKEN}")
                break
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(20)


def main() -> None:
    """Run everything once and print it."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)), sync_playwright() as play:
        browser = play.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        measure(browser.new_page(viewport={"width": 1400, "height": 900}), count)
        browser.close()


if __name__ == "__main__":
    main()
