"""Install what the tests need into ``.venv`` and run them all: ``python3.11 check.py``.

Arguments go on to pytest: ``python3.11 check.py tests/prob -k dice``. Standard library only.
"""

import os
import shutil
import subprocess
import sys

from start import PYTHON, ROOT, ensure_environment, is_root, run_shown

DEBIAN = ["chromium", "fonts-dejavu-core"]
# on every core, but the tests of one page after the other
PYTEST = ["pytest", "-n", "auto", "--dist", "loadgroup"]
NO_BROWSER = (
    "The browser tests found no browser: install Chromium or Chrome, or name the one you have, "
    "as in CHROMIUM=/path/to/chrome python3.11 check.py"
)


def find_chromium():
    """Return the path of a Chromium, by ``$CHROMIUM`` or its usual names, or ``None``."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


def ensure_browser():
    """Get a browser, if there is none: Debian's, else Playwright's. The tests see what came."""
    if not find_chromium() and is_root() and shutil.which("apt-get"):
        install_from_debian()
    if not find_chromium():
        install = [PYTHON, "-m", "playwright", "install", "--only-shell", "chromium"]
        run_shown("Playwright's Chromium", install)


def install_from_debian():
    """Install Debian's Chromium, and a font for it to write with."""
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=120"]  # another apt-get may be at work
    run_shown("Debian's list of packages", [*apt, "update"])
    install = [*apt, "install", "-y", "--no-install-recommends", *DEBIAN]
    run_shown("Debian's Chromium", install, DEBIAN_FRONTEND="noninteractive")


def wants_browser(arguments):
    """Say whether pytest, given these arguments, comes to the browser tests."""
    browser_tests = ROOT / "tests" / "browser"
    paths = [ROOT / word.split("::")[0] for word in arguments if not word.startswith("-")]
    paths = [path.resolve() for path in paths if path.exists()]
    return not paths or any(
        browser_tests.is_relative_to(path) or path.is_relative_to(browser_tests) for path in paths
    )


def main():
    """Run the linter, the type checker and the tests; exit 1 when one of them fails."""
    arguments = sys.argv[1:]
    ensure_environment("lab", "test")
    if wants_browser(arguments):
        ensure_browser()
    failed = []
    for command in (["ruff", "check", "."], ["mypy"], [*PYTEST, *arguments]):
        print(f"\n== {' '.join(command)}", flush=True)
        if subprocess.call([PYTHON, "-m", *command], cwd=ROOT, stdin=subprocess.DEVNULL):
            failed.append(command[0])
    if failed:
        sys.exit(f"\nNot passed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
