"""`python -m website.lite.fetching`: get what the notebooks in the browser are made of, unless it is here already.

That is the core of Pyodide, from npm, as `package-lock.json` pins it; from PyPI the wheels without compiled parts that its kernel and our widgets
need; and NumPy and matplotlib as Pyodide's project built them. PyPI has those builds only within the wheel of another program, which ships them
unchanged: they are taken out of it, each is compared with Pyodide's own lock, and nothing else of it is kept. Where it cannot be had, the site goes
without, and a reader's browser gets them from Pyodide's address.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL
from packaging.utils import canonicalize_name, parse_wheel_filename

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PYODIDE = MODULES / "pyodide"
LOCK = "pyodide-lock.json"
WHEELS = HERE / "wheels"
NUMPY = WHEELS / "numpy"  # with matplotlib, and with what both need
OF_PYODIDE = ("micropip", "ipython", "jedi", "typing-extensions")  # in the versions of its lock, with what they need
OF_NUMPY = ("numpy", "matplotlib")  # the same, out of the carrier
CARRIER = "open-webui==0.12.4"  # the newest; 106 MB, and kept only while it is unpacked
CARRIED_IN = "open_webui/frontend/pyodide/"
CARRIERS_PYTHON = "3.12"  # it allows no newer one
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
        fetch_numpy()
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
    for wheel in WHEELS.glob("*.whl"):
        wheel.unlink()
    pinned = [f"{name}=={number}" for name, number in wanted.items()]
    _run(_download(WHEELS, _python(), *pinned), "pip could not fetch wheels for the browser")


def fetch_numpy() -> None:
    """Bring the folder `NUMPY` to what Pyodide's lock says; where the carrier cannot be had, say so and go on.

    Raises:
        NotFetched: the carrier holds something else.
    """
    wanted = hashes_of_numpy()
    if _has_numpy(wanted):
        return
    print("Fetching NumPy and matplotlib for the browser, once: 106 MB, of which 13 stay.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        try:
            _run(_download(Path(folder), CARRIERS_PYTHON, CARRIER), f"pip could not fetch {CARRIER}")
        except NotFetched as error:
            print(f"{error}\nThe site is built without; readers' browsers get NumPy and matplotlib from Pyodide's address.", file=sys.stderr)
            return
        wheels = carried(next(Path(folder).glob("*.whl")), wanted)
    shutil.rmtree(NUMPY, ignore_errors=True)
    NUMPY.mkdir(parents=True)
    for name, data in wheels.items():
        (NUMPY / name).write_bytes(data)


def carried(carrier: Path, wanted: dict[str, str]) -> dict[str, bytes]:
    """The wanted files out of the carrier.

    Args:
        carrier: its wheel.
        wanted: names of files, with the sha256 of each.

    Raises:
        NotFetched: one is not in it, or is another one.
    """
    with zipfile.ZipFile(carrier) as packed:
        held = set(packed.namelist())
        found = {name: packed.read(CARRIED_IN + name) if CARRIED_IN + name in held else b"" for name in wanted}
    for name, data in found.items():
        if not is_the_one(data, wanted[name]):
            what = f"has the sha256 {hashlib.sha256(data).hexdigest()}" if data else "is missing"
            raise NotFetched(
                f"{name} {what} in {carrier.name}, and Pyodide's lock wants {wanted[name]}; nothing of it was kept",
                "choose versions in website/lite/package.json and CARRIER of website/lite/fetching.py that agree",
            )
    return found


def is_the_one(data: bytes, sha256: str) -> bool:
    """Whether a file is the one that a lock names."""
    return hashlib.sha256(data).hexdigest() == sha256


def wanted_wheels() -> dict[str, str]:
    """Names of the wheels without compiled parts, in their canonical form, with their versions."""
    locked = read_lock()["packages"]
    return {name: locked[name]["version"] for name in _with_what_they_need(OF_PYODIDE)} | {name: version(name) for name in OF_OURS}


def hashes_of_numpy() -> dict[str, str]:
    """The files of NumPy, matplotlib and what they need, with the sha256 of each, as Pyodide's lock has them."""
    locked = read_lock()["packages"]
    return {locked[name]["file_name"]: locked[name]["sha256"] for name in sorted(_with_what_they_need(OF_NUMPY))}


def check_fetched() -> None:
    """Raises `NotFetched` where something is missing, or is another version than it should be. NumPy may be missing."""
    if not _has_pyodide() or not _has_wheels(wanted_wheels()):
        raise NotFetched(MISSING, FETCH)


def has_numpy() -> bool:
    """Whether NumPy and matplotlib come from the site: each file is here, and is the one that Pyodide's lock names."""
    return _has_numpy(hashes_of_numpy())


def host_of_numpy() -> str:
    """Where a reader's browser gets NumPy and matplotlib from: "" for the site itself, or the host of Pyodide's address."""
    return "" if has_numpy() else str(urlsplit(PYODIDE_CDN_URL).hostname)


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


def _has_numpy(wanted: dict[str, str]) -> bool:
    return all((NUMPY / name).is_file() and is_the_one((NUMPY / name).read_bytes(), sha256) for name, sha256 in wanted.items())


def _has_wheels(wanted: dict[str, str]) -> bool:
    here = (parse_wheel_filename(path.name)[:2] for path in WHEELS.glob("*.whl"))
    return {(name, str(number)) for name, number in here} == set(wanted.items())


def _with_what_they_need(names: Iterable[str]) -> set[str]:
    locked = read_lock()["packages"]
    found, open_names = set[str](), [canonicalize_name(name) for name in names]
    while open_names:
        name = open_names.pop()
        if name not in found:
            found.add(name)
            open_names += map(canonicalize_name, locked[name]["depends"])
    return found


def _download(to: Path, python: str, *pinned: str) -> list[str]:
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:")
    return [sys.executable, "-m", "pip", "download", *quiet, "--python-version", python, "--platform", "any", "--dest", str(to), *pinned]


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
