"""Set up combatkit beside this file and open JupyterLab on the explorer.

Run ``python3.11 start.py``; on a server, ``python3.11 start.py --headless``; for the explorer alone
(a page), ``python3.11 start.py --app``. Standard library only.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
NOTEBOOK = "notebooks/01_explorer.ipynb"
AUTORUN = "combatkit-autorun"  # JupyterLab's plugin, widgets/labextension
NEWS = "@jupyterlab/apputils-extension:announcements"  # asks to fetch news, and looks for updates


def ensure_environment(*extras):
    """Create ``.venv`` and install combatkit with these extras, unless that is done already."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what an older one runs into
        sys.exit(
            f"combatkit needs Python 3.11 or newer, and this is {sys.version.split()[0]}.\n"
            f"Try: python3.11 {Path(sys.argv[0]).name}"
        )
    # The environment is ours to compile, and without bytecode every kernel would compile anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    project = (ROOT / "pyproject.toml").read_bytes()
    wanted = hashlib.sha256(project + str(ROOT).encode()).hexdigest()
    stamps = [VENV / f"installed-{extra}" for extra in extras]
    if not python_runs():
        create_venv()
    elif all(stamp.exists() and stamp.read_text() == wanted for stamp in stamps):
        return
    print(f"Installing combatkit ({', '.join(extras)}) …", flush=True)
    install(f".[{','.join(extras)}]")
    run_shown("no news pop-up", [PYTHON, "-m", "jupyterlab.labextensions", "disable", NEWS])
    for stamp in stamps:
        stamp.write_text(wanted)


def python_runs():
    """Say whether ``.venv`` has a Python that starts; an upgrade of the system can break it."""
    try:
        return subprocess.call([PYTHON, "-c", ""], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def create_venv():
    """Create ``.venv`` afresh."""
    print(f"Creating the environment {VENV} …", flush=True)
    try:
        venv.create(VENV, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(
            f"The environment could not be created: {error}\n"
            "On Debian and Ubuntu: sudo apt-get install python3.11-venv"
        )


def install(project):
    """Install this with uv, which takes a third of pip's time; where uv cannot, with pip."""
    pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
    uv = [PYTHON, "-m", "uv", "pip", "install", "--python", PYTHON]
    failed, _ = run_shown("uv, a fast installer", [*pip, "--only-binary=:all:", "uv"])
    if not failed:
        failed, _ = run_shown("combatkit, with uv", [*uv, "-e", project])
    if failed:
        # Python compiles what it imports; compiling everything takes as long as all the rest.
        failed, output = run_shown("combatkit, with pip", [*pip, "--no-compile", "-e", project])
    if failed:
        print(output)
        sys.exit("Installing failed: pip's message above says why. Is the network reachable?")


def run_shown(what, command, **environment):
    """Run a command; show the seconds and its last line. Return its exit code and output."""
    begun, lines = time.monotonic(), []
    with subprocess.Popen(
        list(map(str, command)),
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        reader = threading.Thread(target=keep_lines, args=(process.stdout, lines), daemon=True)
        reader.start()
        while reader.is_alive():
            show_line(begun, f"{what}: {lines[-1] if lines else '…'}")
            reader.join(0.5 if sys.stdout.isatty() else 10)
    show_line(begun, f"{what}: {'failed' if process.returncode else 'done'}", end="\n")
    return process.returncode, "".join(lines)


def keep_lines(stream, lines):
    """Append each line that is not blank as it comes."""
    for line in stream:
        if line.strip():
            lines.append(line)


def show_line(begun, text, end=None):
    """Print one line, cut to the terminal's width; on a terminal the next one overwrites it."""
    width = shutil.get_terminal_size().columns - 1
    line = f"{time.monotonic() - begun:5.0f} s  {' '.join(text.split())}"[:width]
    if sys.stdout.isatty():
        print(line.ljust(width), end=end or "\r", flush=True)
    else:
        print(line, flush=True)


def is_root():
    """Say whether this runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def lab_of(options):
    """Return what starts JupyterLab on the explorer, which widgets/labextension then runs."""
    runs = json.dumps({"page_config_data": {"combatkitRun": NOTEBOOK}})
    return [
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={ROOT}",
        f"--ServerApp.port={options.port}",
        f"--ServerApp.tornado_settings={runs}",
        f"--LabApp.default_url=/lab/tree/{NOTEBOOK}",
        *(["--allow-root"] if is_root() else []),
    ]


def page_of(options):
    """Return what shows the explorer alone."""
    return [
        "-m",
        "voila",
        str(ROOT / NOTEBOOK),
        f"--port={options.port}",
        "--template=combatkit",
        f"--VoilaConfiguration.extension_denylist={AUTORUN}",  # the page runs by itself anyway
        "--MappingKernelManager.cull_idle_timeout=900",  # seconds; a page that is closed ends there
        "--MappingKernelManager.cull_interval=60",
    ]


def main():
    """Install what is missing, then hand over to JupyterLab."""
    parser = argparse.ArgumentParser(
        description="Open JupyterLab on the combatkit explorer.",
        epilog="Any other option is passed on to JupyterLab.",
    )
    parser.add_argument("--headless", action="store_true", help="open no browser, print the URL")
    parser.add_argument("--app", action="store_true", help="show the explorer alone, as a page")
    parser.add_argument("--port", type=int, default=8888, help="default: 8888, or the next free")
    options, passed_on = parser.parse_known_args()
    ensure_environment("lab", *(["app"] if options.app else []))
    command = [str(PYTHON), *(page_of(options) if options.app else lab_of(options))]
    command += ["--no-browser"] if options.headless else []
    command += passed_on
    name = "the explorer" if options.app else "JupyterLab"
    print(f"Starting {name}; its address is printed below. Ctrl-C ends it.", flush=True)
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)  # signals then reach JupyterLab itself


if __name__ == "__main__":
    main()
