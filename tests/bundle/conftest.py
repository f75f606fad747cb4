"""The bundle of the whole course, and a small course to spoil: copies, so that nothing in the project changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from authoring.bundle.contents import make_contents
from authoring.lessons import ROOT
from authoring.start_page import write_start_page

FILES = ["nbgrader_config.py", "pyproject.toml", "requirements.txt", "CHANGELOG.md", "CITATION.cff", "source/glossary.md"]
FOLDERS = ["attnlab", "source/1_basic_attention", "notebooks/1_basic_attention", "nbjudge/src", "nbjudge/labextensions"]
UNWANTED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".progress.json", "basic_attention.ipynb")


@pytest.fixture(scope="session")
def contents() -> dict[str, bytes]:
    """Every file of the bundle by its path."""
    return make_contents(ROOT)


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A project with lesson 1 alone, as its author has it."""
    root = tmp_path / "course"
    for name in FILES + FOLDERS:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=UNWANTED if name.startswith("source") else shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, root / name)
    write_start_page(root)
    return root
