"""Install what the tests need into ``.venv`` and run them all: ``python3.11 check.py``.

Arguments go on to pytest: ``python3.11 check.py tests/prob -k dice``. Standard library only.
"""

import os
import shutil
import subprocess
import sys

from start import PYTHON, ROOT, ensure_environment

NO_CHROMIUM = """\
No Chromium was found, so the browser tests cannot run. On Debian: sudo apt-get install chromium
Elsewhere: install Chromium or Chrome and name it: CHROMIUM=/path/to/chrome python3.11 check.py
"""


def find_chromium():
    """Return the path of a Chromium, by ``$CHROMIUM`` or its usual names, or ``None``."""
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


def main():
    """Run the linter, the type checker and the tests; exit 1 when one of them fails."""
    ensure_environment("lab", "test")
    chromium = find_chromium()
    pytest = ["pytest", *sys.argv[1:]]
    if not chromium:
        print(NO_CHROMIUM, file=sys.stderr)
        pytest.append("--ignore=tests/browser")
    failed = [] if chromium else ["browser tests (no Chromium)"]
    for command in (["ruff", "check", "."], ["mypy"], pytest):
        print(f"\n== {' '.join(command)}", flush=True)
        if subprocess.call([PYTHON, "-m", *command], cwd=ROOT, stdin=subprocess.DEVNULL):
            failed.append(command[0])
    if failed:
        sys.exit(f"\nNot passed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
