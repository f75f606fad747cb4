"""`python -m website.lite.fetching`: get what the notebooks in the browser are made of, unless it is here already.

That is the core of Pyodide, from npm, as `package-lock.json` pins it; and from PyPI the wheels without compiled parts that its kernel and our
widgets need. NumPy and matplotlib for the browser are not among them: PyPI has none, so a reader's browser gets them from Pyodide's address.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PYODIDE = MODULES / "pyodide"
LOCK = "pyodide-lock.json"
WHEELS = HERE / "wheels"
OF_PYODIDE = ("micropip", "ipython", "jedi", "typing-extensions")  # in the versions of its lock, with what they need
OF_OURS = ("anywidget", "ipywidgets", "jupyterlab-widgets", "psygnal", "comm")  # in the versions that are installed here
MISSING, FETCH = "Python for the browser has not been fetched", "`make site` fetches it, or `python -m website.lite.fetching`"
NEXT = "see whether this machine reaches the npm registry and PyPI, and type the same command again"


class NotFetched(Exception):
    """Something could not be fetched, or was not; `what` happened, and the `next_step`."""

    def __init__(self, what: str, next_step: str = NEXT):
        super().__init__(f"{what}. Next: {next_step}.")
        self.what, self.next_step = what, next_step


def main() -> int:
    """Fetch what is missing; return the exit status."""
    try:
        fetch_pyodide()
        fetch_wheels()
    except NotFetched as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def fetch_pyodide() -> None:
    """Bring `node_modules` to the state of `package-lock.json`.

    Raises:
        NotFetched: npm is not there, or it could not.
    """
    if _has_pyodide():
        return
    npm = shutil.which("npm")
    if not npm:
        raise NotFetched("npm is not installed, and Python for the browser comes from its registry", "install npm, and type the same command again")
    print("Fetching Python for the browser; the first time takes a minute.", flush=True)
    _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], "npm could not fetch Pyodide")


def fetch_wheels() -> None:
    """Bring `wheels` to what `wanted_wheels` says.

    Raises:
        NotFetched: pip could not.
    """
    wanted = wanted_wheels()
    if _has_wheels(wanted):
        return
    shutil.rmtree(WHEELS, ignore_errors=True)
    pinned = [f"{name}=={number}" for name, number in wanted.items()]
    _run(
        [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary",
            ":all:",
            "--python-version",
            _python(),
            "--platform",
            "any",
            "--dest",
            str(WHEELS),
            *pinned,
        ],
        "pip could not fetch wheels for the browser",
    )


def wanted_wheels() -> dict[str, str]:
    """Names of the wheels, in their canonical form, with their versions."""
    locked = read_lock()["packages"]
    wanted, open_names = {}, [canonicalize_name(name) for name in OF_PYODIDE]
    while open_names:
        name = open_names.pop()
        if name not in wanted:
            wanted[name] = locked[name]["version"]
            open_names += map(canonicalize_name, locked[name]["depends"])
    return wanted | {name: version(name) for name in OF_OURS}


def check_fetched() -> None:
    """Raises `NotFetched` where something is missing, or is another version than it should be."""
    if not _has_pyodide() or not _has_wheels(wanted_wheels()):
        raise NotFetched(MISSING, FETCH)


def read_lock() -> dict:
    """Which packages Pyodide has, as it comes.

    Raises:
        NotFetched: Pyodide is not here.
    """
    if not (PYODIDE / LOCK).is_file():
        raise NotFetched(MISSING, FETCH)
    return json.loads((PYODIDE / LOCK).read_text(encoding="utf-8"))


def _has_pyodide() -> bool:
    return (PYODIDE / LOCK).is_file() and _versions(MODULES / ".package-lock.json") == _versions(HERE / "package-lock.json")


def _has_wheels(wanted: dict[str, str]) -> bool:
    here = (parse_wheel_filename(path.name)[:2] for path in WHEELS.glob("*.whl"))
    return {(name, str(number)) for name, number in here} == set(wanted.items())


def _python() -> str:
    """The version of Python that Pyodide is, as pip wants it: "3.14"."""
    return ".".join(read_lock()["info"]["python"].split(".")[:2])


def _versions(path: Path) -> dict[str, str] | None:
    """What a lock file of npm pins, by place; None where there is none."""
    if not path.is_file():
        return None
    return {place: entry["version"] for place, entry in json.loads(path.read_text(encoding="utf-8"))["packages"].items() if place}


def _run(command: list[str], trouble: str) -> None:
    done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if re.search(r"\b(ERR|ERROR)", line, re.IGNORECASE)]
        raise NotFetched(f"{trouble}: {'; '.join(said[:3]) or f'it ended with {done.returncode} and said no more'}")


if __name__ == "__main__":
    sys.exit(main())
