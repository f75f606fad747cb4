"""The grader as a package of its own: installed in an environment of its own, it grades nbgrader's own example as its README says."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

pytestmark = pytest.mark.network

PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "src" / "nbjudge"
README = (PROJECT / "README.md").read_text(encoding="utf-8")
SECTION = re.search(r"^## Quick start\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)
BLOCKS = re.findall(r"^```(sh|python)\n(.*?)^```", SECTION[1] if SECTION else "", re.MULTILINE | re.DOTALL)
IMPORTED_LATE = {"torch", "pandas", "scipy", "matplotlib"}  # only where a notebook uses them


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables of a new environment with the grader installed from its folder; what it depends on comes from this one."""
    root = tmp_path_factory.mktemp("installed")
    shutil.copytree(PROJECT, root / "nbjudge", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    subprocess.run([sys.executable, "-m", "venv", root / "venv"], check=True)
    python = root / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", root / "nbjudge"], check=True, timeout=300)
    packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True, capture_output=True, check=True
    ).stdout.strip()
    shutil.rmtree(root / "nbjudge")
    # Path files of the other environment are not read there, so this checkout is not on the path.
    (Path(packages) / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    usual = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {
        **usual,
        "PATH": f"{python.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(root),
        "JUPYTER_PATH": str(Path(sys.prefix, "share", "jupyter")),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def test_the_readme_grades_the_quickstart(environment: dict[str, str], tmp_path: Path) -> None:
    place = tmp_path
    for language, text in BLOCKS:
        if language == "python":
            with (place / "nbgrader_config.py").open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
            continue
        for line in text.strip().splitlines():
            command = line.partition("  #")[0].strip()
            if command.startswith(("sudo ", "python3 -m venv ", "pip install ")):  # done above, from the same folder
                continue
            if command.startswith("cd "):
                place = place / command.removeprefix("cd ").replace("~", environment["HOME"])
                continue
            done = subprocess.run(command, shell=True, cwd=place, env=environment, text=True, capture_output=True, timeout=300)
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    where = subprocess.run(
        ["python", "-c", "import nbjudge; print(nbjudge.__file__)"], cwd=place, env=environment, text=True, capture_output=True, check=True
    ).stdout
    assert "site-packages" in where
    with Gradebook(f"sqlite:///{place}/gradebook.db") as gradebook:
        submission = gradebook.find_submission("ps1", "bitdiddle")
        auto = {
            notebook.name: (
                sum(grade.auto_score or 0 for grade in notebook.grades),
                sum(grade.max_score for grade in notebook.grades if grade.cell.cell_type == "code" and grade.auto_score is not None),
            )
            for notebook in submission.notebooks
        }
    assert set(auto) == {"problem1", "problem2"}
    assert all(points == of for points, of in auto.values()), auto
    assert auto["problem1"] == (3, 3)
    assert list((place / "feedback" / "bitdiddle" / "ps1").glob("*.html"))


def test_what_it_imports_is_declared() -> None:
    declared = {re.split(r"[^\w.-]", line)[0].lower().replace("_", "-") for line in metadata.requires("nbjudge") or []}
    by_module = metadata.packages_distributions()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for top in {name.split(".")[0] for name in names} - sys.stdlib_module_names - IMPORTED_LATE - {"nbjudge"}:
                packages = {name.lower().replace("_", "-") for name in by_module.get(top, [])}
                assert packages & declared, f"{path.relative_to(PACKAGE)} imports {top}, which the package does not declare"
