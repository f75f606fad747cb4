"""What runs beside a student's code loads, and can read, nothing else. What imports what stands in `pyproject.toml`, for import-linter."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import nbjudge
from nbjudge._sandbox.bubblewrap import BESIDE_STUDENTS
from nbjudge._sandbox.channel import Channel

PACKAGE = Path(nbjudge.__file__).parent


@pytest.mark.check
@pytest.mark.parametrize("room", ["_student", "_wire"])
def test_what_runs_beside_students_loads_nothing_else(room: str) -> None:
    modules = [f"nbjudge.{room}.{path.stem}" for path in (PACKAGE / room).glob("*.py") if path.stem != "__init__"]
    code = f"import sys, {', '.join(modules)}\nprint(sorted({{name.split('.')[1] for name in sys.modules if name.startswith('nbjudge.')}}))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert set(ast.literal_eval(said)) <= {"_student", "_wire"}


def test_a_student_can_read_no_other_room(warm, limits) -> None:
    with_kernel = warm.start(limits)
    try:
        code = (
            f"import os\nfor folder in {str(PACKAGE)!r}, *__import__('nbjudge').__path__:\n"
            "    print(*os.listdir(folder) if os.path.exists(folder) else ())"
        )
        [shown] = Channel(with_kernel, limits).run(code, 10)
    finally:
        with_kernel.close()
    assert {word for word in shown.text.split() if word != "__pycache__"} == set(BESIDE_STUDENTS)


@pytest.mark.check
def test_all_that_is_public_is_there_and_is_private_by_its_place() -> None:
    assert sorted(nbjudge.__all__) == sorted(nbjudge._PLACES) and all(getattr(nbjudge, name) is not None for name in nbjudge.__all__)
    assert {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and folder.name[0] != "_"} == {"testing"}
    with pytest.raises(AttributeError, match="nothing public that is called grade_everything"):
        nbjudge.__getattr__("grade_everything")
