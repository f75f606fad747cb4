"""A course of two lessons with a class, and hand-ins for it as people really have them."""

from __future__ import annotations

import io
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook, Student

from nbjudge._course.course import Course
from nbjudge._lms.collect import Collection, collect_from
from nbjudge.testing import small_course
from nbjudge.testing.notebooks import code, notebook, test_cell

CLASS = {  # id: first name, last name, email, number in Canvas
    "ada": ("Ada", "Lovelace", "ada@example.org", "12"),
    "bob": ("Bob", "O'Brien", "bob@example.org", "13"),
    "zoe": ("Zoë", "Müller-Lüdenscheidt", "zoe@example.org", "14"),
    "ung": ("", "Ung", "ung@example.org", "15"),
    "sam1": ("Sam", "Smith", "sam1@example.org", "16"),
    "sam2": ("Sam", "Smith", "sam2@example.org", "17"),
    "li": ("小明", "李", "li@example.org", "18"),
    "under": ("Un_der", "Score_s", "under@example.org", "19"),
}
Content = str | bytes
DATES = ((2026, 3, 1, 12, 0, 0), (2026, 3, 8, 12, 0, 0))  # of an older and a newer zip


def make_course(root: Path, students: Mapping[str, tuple[str, str, str, str]] | None = None) -> Path:
    """A course with the lessons week1 (sums) and week2 (products and quotients), and the class in its gradebook."""
    small_course.make(root, answers={})
    for name in ("products", "quotients"):
        (root / "source" / "week2").mkdir(exist_ok=True)
        lesson = notebook(
            code("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", solution=True, grade_id=name, cell_type="code"),
            test_cell(f"{name}_test", "assert x == 1", 1),
        )
        nbformat.write(lesson, root / "source" / "week2" / f"{name}.ipynb")
    if students is None or students:
        (root / "gradebook.db").write_bytes(_gradebook(tuple((students or CLASS).items())))
    return root


@cache
def _gradebook(students: tuple[tuple[str, tuple[str, str, str, str]], ...]) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        with Gradebook(f"sqlite:///{place}/gradebook.db", "sums") as gradebook:
            for student, (first, last, email, number) in students:
                gradebook.db.add(Student(id=student, first_name=first, last_name=last, email=email, lms_user_id=number))
            gradebook.db.commit()
        return Path(place, "gradebook.db").read_bytes()


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course whose gradebook knows the class."""
    return make_course(tmp_path / "course")


@pytest.fixture
def open_course(tmp_path: Path) -> Path:
    """A course without a gradebook."""
    return make_course(tmp_path / "course", {})


@cache
def sums(answer: str = small_course.ANSWERS["ada"]) -> str:
    """A notebook of week1, filled in."""
    source = small_course.source()
    source.cells[0].source = answer
    return nbformat.writes(source)


def of_week2(root: Path, name: str = "products") -> str:
    """A notebook of week2 as it is in source/."""
    return (root / "source" / "week2" / f"{name}.ipynb").read_text(encoding="utf-8")


def zipped(path: Path, files: Mapping[str, Content], at: tuple[int, ...] = DATES[0]) -> Path:
    """A zip with these files, all of one date."""
    path.write_bytes(zip_bytes(files, at))
    return path


def zip_bytes(files: Mapping[str, Content], at: tuple[int, ...] = DATES[0]) -> bytes:
    """What such a zip holds."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, at)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def tar_bytes(files: Mapping[str, Content], mode: str = "w:gz") -> bytes:
    """What a tar holds."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            data = content.encode() if isinstance(content, str) else content
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def folder(path: Path, files: Mapping[str, Content]) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def collected(root: Path, source: Path, assignment: str = "", **about: object) -> Collection:
    """What a run did, in a course that is read anew."""
    return collect_from(Course(root), source, assignment, **about)


def told(collection: Collection) -> dict[tuple[str, str], str]:
    """What became of each hand-in, by student and assignment."""
    return {(row.handin.student, row.handin.assignment): row.became.value for row in collection.rows}


def reasons(collection: Collection) -> str:
    """Why things were not collected, in lines."""
    return "\n".join(f"{left.where}: {left.why}. Next: {left.next_step}" for left in collection.left)


def submitted(root: Path) -> dict[str, bytes]:
    """What lies in submitted/."""
    place = root / "submitted"
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}
