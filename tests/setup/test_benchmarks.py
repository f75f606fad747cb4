"""Every benchmark starts as its own text says, with nothing but the project's environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USAGE = re.compile(r"python (?:-m (?P<module>[\w.]+)|(?P<path>[\w/]+\.py))")
SCRIPTS = sorted(path for folder in ("benchmarks", "nbjudge/benchmarks") for path in (ROOT / folder).glob("*.py") if USAGE.search(path.read_text()))
LOADS = """
import runpy, sys
how, what, folder = sys.argv[1:]
sys.path[0] = folder
(runpy.run_module if how == "module" else runpy.run_path)(what, run_name="loaded")
"""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_benchmark_finds_what_it_imports(script: Path) -> None:
    usage = USAGE.search(script.read_text())
    assert usage
    project = script.parents[1]
    how, what, folder = ("module", usage["module"], project) if usage["module"] else ("path", usage["path"], script.parent)
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-c", LOADS, how, what, str(folder)], cwd=project, env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
