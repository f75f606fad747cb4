"""Run nbgrader's own tests of `nbgrader autograde` with the grader switched on.

    pip install pytest-rerunfailures==16.7 requests-mock==1.12.1 selenium==4.51.0   # what nbgrader's tests import
    python tests/nbgrader/nbgrader_own.py [PYTEST_ARGUMENTS]

Not part of `make test`: the tests start nbgrader some two hundred times, which takes minutes. `EXCEPTIONS` lists the tests that
ask for something the grader does differently on purpose, each with the reason; these have to fail, every other has to pass.
pytest reads this file as a plugin, too, which tells it so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import nbgrader

HERE = Path(__file__).parent
PLUGIN = "nbgrader_own"  # this file
MODULE = Path(nbgrader.__file__).parent / "tests" / "apps" / "test_nbgrader_autograde.py"
# What the README says to put into nbgrader_config.py.
SETTINGS = """
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties, CheckCellMetadata, ClearOutput, DeduplicateIds, IgnorePattern, LimitOutput, OverwriteCells,
    OverwriteKernelspec, SaveAutoGrades)
from nbjudge._nbgrader.preprocessors import Execute, HideTests
from nbjudge._nbgrader.preprocessors import RecoverCells

c = get_config()
c.Autograde.sanitize_preprocessors = [
    RecoverCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
c.Autograde.autograde_preprocessors = [
    Execute, IgnorePattern, ClearMetadataPreprocessor, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata,
    HideTests]
"""
EXCEPTIONS = {
    "test_side_effects": "a file that a cell writes stays in the sandbox; the test wants it in autograded/",
    "test_hidden_tests_single_notebook": "the autograded copy shows no hidden tests; the test wants them there",
    "test_hidden_tests_autotest": "the same, for tests that nbgrader generates",
    "test_handle_failure": "a submission with cells that the instructor never made is graded, those cells as the student's own; "
    "the test wants nbgrader to fail on it",
    "test_handle_failure_single_notebook": "the same, for one notebook",
    "test_autograde_timeout": "a test that the instructor's own solution does not pass in the time either costs nobody points, and says so; "
    "the test wants a 0",
    "test_force_single_notebook": "the test hands in a notebook without any cell; that is not graded, and the instructor is told why",
    "test_update_newer": "the same",
    "test_update_newer_single_notebook": "the same",
}


def main() -> int:
    """Run the tests; return pytest's exit status."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "nbgrader_config.py").write_text(SETTINGS, encoding="utf-8")
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # nbgrader starts `alembic`
        environment = {**os.environ, "PATH": programs, "JUPYTER_CONFIG_PATH": folder, "PYTHONPATH": str(HERE)}
        command = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={MODULE.parent}", "-ra", "-p", PLUGIN, str(MODULE), *sys.argv[1:]]
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the exceptions fail, or the run does: one that passes is none."""
    for item in items:
        if reason := EXCEPTIONS.get(item.name):
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


if __name__ == "__main__":
    sys.exit(main())
