"""Small classes whose mistakes are known."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nbjudge.testing import small_course
from nbjudge.testing.small_course import grade_with_stock, run


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Graded by the grader; not to be changed."""
    root = small_course.make(tmp_path_factory.mktemp("graded") / "course")
    run(root, "nbjudge", "grade")
    return root


@pytest.fixture
def course(graded: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(graded, tmp_path / "course"))


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same class, graded by nbgrader alone."""
    root = small_course.make(tmp_path_factory.mktemp("stock") / "course", config="")
    grade_with_stock(root)
    return root
