"""`make portable`: build the course and run its solutions, checks and answers as other processors would.

    python -m tests.portable [SETTING ...]

Each setting works in a copy of the project. What it builds has to be what is committed here, to the byte, and every test of the lessons has to
pass. Settings are named by any part of their name; all of them take about half an hour on two cores.
"""

from __future__ import annotations

import argparse
import difflib
import filecmp
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from authoring.lessons import ROOT
from tests.portable.profile import make_profile
from tests.portable.settings import NOISE, SETTINGS, Setting

GENERATED = ("attnlab/data", "notebooks", "solutions")
COPIED = ("attnlab", "authoring", "notebooks", "solutions", "source", "tests", "nbgrader_config.py", "pyproject.toml", "README.md")
WIDTH, MOST_LINES = 300, 40  # of a file's difference
LEFT = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".progress.json")
BUILD = [sys.executable, "-m", "tests.portable.build"]
TESTS = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/lessons", "tests/attnlab", "solutions"]


def main() -> int:
    """Run the chosen settings, print a line for each, and what failed in full; 1 when one of them failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.portable", description=__doc__)
    parser.add_argument("settings", nargs="*", metavar="SETTING", help="part of the name of a setting; all by default")
    chosen = parser.parse_args().settings
    settings = [setting for setting in SETTINGS if not chosen or any(part in setting.name for part in chosen)]
    if not settings:
        print(f"There is no such setting. Next: choose from: {', '.join(setting.name for setting in SETTINGS)}.", file=sys.stderr)
        return 2
    failed = [setting.name for setting in settings if setting.is_possible and not try_setting(setting)]
    for setting in settings:
        if not setting.is_possible:
            print(f"-  {setting.name:<32} this machine does not have {setting.needs}")
    print(f"{len(failed)} of {len(settings)} settings failed{': ' * bool(failed)}{', '.join(failed)}.")
    return int(bool(failed))


def try_setting(setting: Setting) -> bool:
    """Build and test under one setting; print what came of it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="portable-") as folder:
        copy = Path(folder) / "course"
        for name in COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, copy / name, ignore=LEFT)
            else:
                shutil.copy(ROOT / name, copy / name)
        environment = {**setting.environment(), "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        if NOISE in setting.variables:
            environment |= make_profile(Path(folder) / "ipython")
        built, tested = (
            subprocess.run(command, cwd=copy, env=environment, text=True, capture_output=True, check=False) for command in (BUILD, TESTS)
        )
        changed = [str(path) for path in changed_files(copy)]
        lines = [line for path in changed for line in difference(ROOT / path, copy / path)]
    good = not (built.returncode or tested.returncode or changed)
    said = tested.stdout.strip().splitlines()[-1:] or ["no tests ran"]
    print(
        f"{'✓' if good else '✗'}  {setting.name:<32} build: {'fails' if built.returncode else ', '.join(changed) or 'no change'}; "
        f"tests: {said[0].strip('= ')}; {time.monotonic() - started:.0f} s",
        flush=True,
    )
    if not good:
        print(built.stdout + built.stderr + tested.stdout + tested.stderr, *lines, sep="\n", flush=True)
    return good


def changed_files(copy: Path) -> list[Path]:
    """Generated files that are not, byte for byte, what is in the project."""
    files = {
        path.relative_to(root)
        for root in (ROOT, copy)
        for folder in GENERATED
        for path in (root / folder).rglob("*")
        if path.suffix in (".ipynb", ".json") and not any(part.startswith(".") for part in path.relative_to(root).parts)
    }
    return sorted(
        file for file in files if not ((ROOT / file).exists() and (copy / file).exists() and filecmp.cmp(ROOT / file, copy / file, shallow=False))
    )


def difference(committed: Path, made: Path) -> list[str]:
    """The first lines of what has changed in a file, each cut off where it gets long."""
    before, after = (path.read_text(encoding="utf-8").splitlines() if path.exists() else [] for path in (committed, made))
    return [line[:WIDTH] for line in islice(difflib.unified_diff(before, after, str(committed), str(made), n=0), MOST_LINES)]


if __name__ == "__main__":
    sys.exit(main())
