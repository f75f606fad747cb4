"""Look at `submitted/` before anything is graded: find the submissions and refuse what cannot be one, in a sentence each."""

from __future__ import annotations

import contextlib
import json
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nbjudge._course.outcomes import Assignment, Outcome, Status, Submission
from nbjudge._nbgrader.copying import require_date
from nbjudge._nbgrader.student_files import FileLimits, look
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

LAYOUT = "submitted/STUDENT/ASSIGNMENT/NOTEBOOK.ipynb"
OLDEST_FORMAT = 4  # of nbformat; older ones keep their cells elsewhere
OLDEST_SCHEMA = 3  # of nbgrader's cell metadata
# A link may lead to the instructor's files, which would be copied beside the student's graded notebook.
LINK_ADVICE = "put the file itself in its place"
NOT_IN_NAMES = set("*?[]")  # nbgrader looks folders up with patterns

ANY_SIZE = FileLimits(sys.maxsize, sys.maxsize)
LARGEST_MB = 100  # a notebook; those of the lessons have one
Assignments = Mapping[str, Assignment]


def find_submissions(submitted: Path, assignments: Assignments) -> tuple[list[Submission], list[Outcome]]:
    """Everything in `submitted/`: what can be graded, and an outcome for everything else.

    Args:
        submitted: the folder, laid out as `LAYOUT`.
        assignments: what the course has.
    """
    found = [look_at(place, submitted, assignments) for place in places(submitted)]
    return [one for one in found if isinstance(one, Submission)], [one for one in found if isinstance(one, Outcome)]


def places(submitted: Path) -> Iterator[Path]:
    """What there is to look at: each folder or file of a student's, and a student's own folder where there is nothing in it to look at."""
    for student in _entries(submitted):
        below: list[Path] = []
        if not student.is_symlink() and not why_no_name(student.name):
            with contextlib.suppress(OSError):  # `look_at` says that it cannot be read
                below = _entries(student)
        yield from below or [student]


def look_at(place: Path, submitted: Path, assignments: Assignments) -> Submission | Outcome:
    """What lies at one of the `places`: a submission, or the outcome that says why there is none."""
    try:
        return _look_at_student(place, submitted) if place.parent == submitted else _look_into(place, submitted, assignments)
    except OSError as error:
        student = "" if place.parent == submitted else place.parent.name
        return _misplaced(place, submitted, f"it cannot be read ({error.strerror})", "mend the folder's permissions", student)


def _look_at_student(student: Path, submitted: Path) -> Outcome:
    if student.is_symlink():
        return _misplaced(student, submitted, "it is a symbolic link", LINK_ADVICE)
    if not student.is_dir():
        return _misplaced(student, submitted, "a file lies where students' folders are")
    if why := why_no_name(student.name):
        return _misplaced(student, submitted, why, "rename the folder without that")
    _entries(student)
    return _misplaced(student, submitted, "the student's folder is empty", "put the assignment's folder into it")


def why_no_name(name: str) -> str:
    """Why nbgrader could not work with a student's folder of this name; "" where it can."""
    if NOT_IN_NAMES & set(name):
        return "the folder's name has one of the characters * ? [ ]"
    if any(unicodedata.category(letter) == "Cs" for letter in name):  # how Python writes bytes that are no text
        return "the folder's name is not text (UTF-8)"
    return "the folder's name has a line break" if "\n" in name else ""


def inspect(content: bytes, assignment: str, name: str, assignments: Assignments) -> tuple[str, bool]:
    """Look at the submitted notebook `name` without running it; return its text, and whether no cell of it has a name of the assignment's.

    Raises:
        CannotGrade: it is not a notebook that can be graded.
    """
    text, notebook = _parse(content)
    if (whole := json.dumps(notebook, ensure_ascii=False)) != (changed := whole.encode("utf-8", "replace").decode()):
        text = changed  # half of a character, as where an editor cut an emoji in two: no file can hold it
    ids = [one if isinstance(one := _settings(cell).get("grade_id", ""), str) else "" for cell in notebook["cells"]]
    is_nameless = not assignments[assignment].notebooks[name] & set(ids)
    if is_nameless:
        _refuse_another(set(ids), assignment, name, assignments)
    for cell in notebook["cells"]:
        schema = _settings(cell).get("schema_version", OLDEST_SCHEMA)
        if not isinstance(schema, int) or schema < OLDEST_SCHEMA:
            raise CannotGrade(
                f"its cells were made by an old nbgrader (schema {str(schema)[:20]})",
                "give the student the current notebook, or run `nbgrader update` on this one",
            )
    return text, is_nameless


def _look_into(folder: Path, submitted: Path, assignments: Assignments) -> Submission | Outcome:
    student = folder.parent.name
    if folder.is_symlink():
        return _misplaced(folder, submitted, "it is a symbolic link", LINK_ADVICE, student)
    if not folder.is_dir():
        return _misplaced(folder, submitted, "a file lies where assignments' folders are", student=student)
    if folder.name not in assignments:
        known = ", ".join(sorted(assignments))
        return _misplaced(folder, submitted, f"the course has no assignment of that name (it has {known})", "rename the folder", student)
    wanted = [folder / f"{name}.ipynb" for name in assignments[folder.name].notebooks]
    notebook_links = [path.name for path in wanted if path.is_symlink()]
    if links := notebook_links + look(folder, ANY_SIZE).links:
        return _misplaced(folder, submitted, f"{links[0]} is a symbolic link", LINK_ADVICE, student)
    try:
        require_date(folder)
    except CannotGrade as refused:
        return _misplaced(folder, submitted, refused.why, refused.next_step, student)
    if present := tuple(path for path in wanted if path.is_file()):
        return Submission(student, folder.name, folder, present)
    names = " and no ".join(path.name for path in wanted)
    others = sorted(path.name for path in folder.glob("*.ipynb"))
    if others:
        return _misplaced(
            folder,
            submitted,
            f"there is no {names}, only {', '.join(others)}",
            f"rename the student's notebook to {' or '.join(path.name for path in wanted)}",
            student,
        )
    return _misplaced(folder, submitted, f"there is no {names}", "ask the student for the notebook", student)


def read(path: Path) -> bytes:
    """A submitted file.

    Raises:
        CannotGrade: it cannot be read, or it is no notebook by its size.
    """
    try:
        if (size := path.stat().st_size) > LARGEST_MB * MB:
            raise CannotGrade(
                f"it has {size // MB} MB; the largest notebook that is graded has {LARGEST_MB}",
                "ask the student to clear all outputs, save, and hand in again",
            )
        return path.read_bytes()
    except OSError as error:
        raise CannotGrade(f"it cannot be read ({error.strerror})", "mend the file's permissions") from error


def _parse(raw: bytes) -> tuple[str, dict[str, Any]]:
    try:
        text = raw.decode("utf-8")
        content = json.loads(text)
    except UnicodeDecodeError as error:
        raise CannotGrade("it is not text, so it is no notebook", "ask the student to hand in the .ipynb file itself") from error
    except json.JSONDecodeError as error:
        raise CannotGrade(
            f"it is not JSON (line {error.lineno}: {error.msg}), so the file is damaged or cut off", "ask the student to save and hand in again"
        ) from error
    except RecursionError as error:
        raise CannotGrade("it is nested too deeply to be a notebook", "ask the student to hand in the .ipynb file from JupyterLab") from error
    except ValueError as error:  # a number of thousands of digits
        raise CannotGrade(f"it is no notebook ({error})", "ask the student to hand in the .ipynb file from JupyterLab") from error
    if not isinstance(content, dict) or "nbformat" not in content:
        raise CannotGrade("it is JSON, but not a notebook", "ask the student to hand in the .ipynb file from JupyterLab")
    if not isinstance(content["nbformat"], int) or content["nbformat"] < OLDEST_FORMAT:
        raise CannotGrade(
            f"it was saved in the old notebook format {str(content['nbformat'])[:20]}", "open it in JupyterLab, save it, and put it back"
        )
    cells = content.get("cells")
    if not isinstance(cells, list) or not cells:
        raise CannotGrade("it has no cells", "ask the student to hand in again")
    if not all(
        isinstance(cell, dict)
        and isinstance(cell.get("source"), (str, list))
        and isinstance(cell.get("metadata", {}), dict)
        and isinstance(cell.get("cell_type"), str)
        for cell in cells
    ):
        raise CannotGrade("one of its cells is no cell", "ask the student to open it in JupyterLab, save it, and hand in again")
    return text, content


def _settings(cell: dict[str, Any]) -> dict[str, Any]:
    settings = cell.get("metadata", {}).get("nbgrader", {})
    return settings if isinstance(settings, dict) else {}


def belongs_to(found: tuple[str, str], wanted: tuple[str, str]) -> CannotGrade:
    """The refusal of a notebook that is another one than its place says; both are an assignment and a notebook's name."""
    if found[0] == wanted[0]:
        return CannotGrade(f"it is {found[1]}.ipynb under the name of {wanted[1]}.ipynb", "rename it, or ask the student for the right one")
    return CannotGrade(f"it belongs to {found[0]}, not to {wanted[0]}", f"move it to the folder {found[0]}, or ask the student for the right one")


def _refuse_another(ids: set[str], assignment: str, name: str, assignments: Assignments) -> None:
    for other, known in sorted(assignments.items(), key=lambda one: one[0] != assignment):
        for notebook, known_ids in known.notebooks.items():
            if (other, notebook) != (assignment, name) and known_ids & ids:
                raise belongs_to((other, notebook), (assignment, name))


def _misplaced(path: Path, submitted: Path, why: str, next_step: str = f"lay the folder out as {LAYOUT}", student: str = "") -> Outcome:
    return Outcome(f"{submitted.name}/{path.relative_to(submitted)}", Status.NOT_GRADED, student, "", why, next_step)


def _entries(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".")) if folder.is_dir() else []
