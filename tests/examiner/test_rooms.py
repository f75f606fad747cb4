"""The rooms of the examiner: what runs beside a student's code imports, and can read, nothing that does not."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import examiner
from examiner.kernels.channel import Channel
from examiner.kernels.sandbox import BESIDE_STUDENTS

HOUSE = Path(examiner.__file__).parent
ROOMS = sorted(folder.name for folder in HOUSE.iterdir() if (folder / "__init__.py").is_file())
MAY_IMPORT = {
    "wire": {"wire"},
    "inside": {"inside", "wire"},
    "kernels": {"kernels", "wire", "inside"},
    "judge": {"judge", "kernels", "wire", "inside"},
    "jupyter": {"jupyter", "kernels", "wire"},
}  # `classroom` and `nbgrader_steps` may import all of these and each other


def imported_rooms(path: Path) -> Iterator[str]:
    """The rooms that a file names in its imports, wherever in the file they stand."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("examiner."))


@pytest.mark.check
@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_what_it_may(room: str) -> None:
    for path in (HOUSE / room).glob("*.py"):
        assert set(imported_rooms(path)) <= MAY_IMPORT[room], path


@pytest.mark.check
@pytest.mark.parametrize("room", ["inside", "wire"])
def test_what_runs_beside_students_loads_nothing_else(room: str) -> None:
    modules = [f"examiner.{room}.{path.stem}" for path in (HOUSE / room).glob("*.py") if path.stem != "__init__"]
    code = f"import sys, {', '.join(modules)}\nprint(sorted({{name.split('.')[1] for name in sys.modules if name.startswith('examiner.')}}))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(ast.literal_eval(said)) <= {"inside", "wire"}


def test_a_student_can_read_no_other_room(warm, limits) -> None:
    with_kernel = warm.start(limits)
    try:
        code = (
            f"import os\nfor folder in {str(HOUSE)!r}, *__import__('examiner').__path__:\n"
            "    print(*os.listdir(folder) if os.path.exists(folder) else ())"
        )
        [shown] = Channel(with_kernel, limits).run(code, 10)
    finally:
        with_kernel.close()
    assert {word for word in shown.text.split() if word != "__pycache__"} == set(BESIDE_STUDENTS)


@pytest.mark.check
def test_every_room_is_installed_with_the_package() -> None:
    packages = (HOUSE / "pyproject.toml").read_text()
    assert all(f'"examiner.{room}"' in packages for room in ROOMS)
