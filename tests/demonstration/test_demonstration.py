"""The demonstration class comes when nobody is there, goes when the first real student comes, and touches nobody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import demonstration.command as program
from authoring.lessons import ROOT
from demonstration.__main__ import is_real, main
from demonstration.students import PREFIX, STUDENTS


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    monkeypatch.setattr(program, "ROOT", tmp_path)
    return tmp_path


def folders(root: Path) -> set[str]:
    return {path.name for path in (root / "submitted").iterdir()}


def test_an_empty_course_gets_the_class(root: Path) -> None:
    assert program.main([]) == 0
    assert folders(root) == {PREFIX + student.name for student in STUDENTS}
    assert len(STUDENTS) >= 12


def test_the_class_goes_when_a_real_student_comes(root: Path) -> None:
    program.main([])
    real = root / "submitted" / "ada" / "1_basic_attention"
    real.mkdir(parents=True)
    (real / "basic_attention.ipynb").write_text("mine", encoding="utf-8")
    program.main([])
    assert folders(root) == {"ada"}
    assert (real / "basic_attention.ipynb").read_text(encoding="utf-8") == "mine"


def test_real_students_are_left_alone(root: Path) -> None:
    (root / "submitted" / "ada").mkdir(parents=True)
    program.main([])
    assert folders(root) == {"ada"}


def test_a_second_call_changes_nothing(root: Path) -> None:
    program.main([])
    before = {path: path.read_bytes() for path in (root / "submitted").rglob("*") if path.is_file()}
    program.main([])
    assert before == {path: path.read_bytes() for path in (root / "submitted").rglob("*") if path.is_file()}


def test_a_real_class_waits_for_nothing_that_the_program_would_need(tmp_path: Path) -> None:
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    looks = "import sys; from pathlib import Path; from demonstration.__main__ import main; main(Path(sys.argv.pop())); print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", looks, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert "demonstration.students" in said
    assert not {"demonstration.command", "nbformat", "nbgrader", "authoring"} & set(said)


def test_somebody_of_the_demonstration_class_beside_a_real_student_is_not_overlooked(tmp_path: Path) -> None:
    assert not is_real(tmp_path / "none") and not is_real(tmp_path)
    (tmp_path / "ada").mkdir()
    assert is_real(tmp_path)
    (tmp_path / f"{PREFIX}perfect").mkdir()
    assert not is_real(tmp_path)


def test_nothing_is_made_again_where_nothing_has_moved(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    made: list[bool] = []
    monkeypatch.setattr(program, "make_class", lambda course, make=program.make_class: (make(course), made.append(True)))
    monkeypatch.setattr(sys, "argv", ["demonstration"])
    note = tmp_path / "note.json"
    for name in ("notebooks/1_basic_attention", "demonstration"):
        (root / name).mkdir(parents=True)
    released = root / "notebooks" / "1_basic_attention" / "basic_attention.ipynb"
    released.write_text("{}", encoding="utf-8")
    gradebook = root / "gradebook.db"
    work = root / "submitted" / f"{PREFIX}late" / "1_basic_attention" / "basic_attention.ipynb"
    changes = {
        "at first": lambda: None,
        "a lesson": lambda: released.write_text("[]", encoding="utf-8"),
        "a student's work": lambda: work.write_text("{}", encoding="utf-8"),
        "a student": lambda: shutil.rmtree(work.parents[1]),
        "no gradebook": gradebook.unlink,
    }
    for count, change in enumerate(changes.values(), 1):
        change()
        for _ in range(2):
            assert main(root, note) == 0
            assert len(made) == count and f"class of {len(STUDENTS)} stands in" in capsys.readouterr().out
        assert work.is_file()


def test_files_that_are_the_same_are_not_written_again(root: Path) -> None:
    program.main([])
    files = [path for path in (root / "submitted").rglob("*") if path.is_file()]
    for path in files:
        os.utime(path, (0, 0))
    program.main([])
    assert {path.stat().st_mtime for path in files} == {0}
