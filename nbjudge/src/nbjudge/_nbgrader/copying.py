"""What nbgrader copies from `submitted/` to `autograded/`, and from there to `feedback/`, besides notebooks: within bounds, and no student's page."""

from __future__ import annotations

import contextlib
import filecmp
import fnmatch
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath

from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.converters.base import BaseConverter

from nbjudge._analysis.instructor import BESIDE
from nbjudge._nbgrader.student_files import FileLimits, StudentFiles, is_picture, look, page_in
from nbjudge._wire.errors import CannotGrade

NO_DATE = "its timestamp.txt is not a date", "write the date as `2026-01-31 12:00:00 UTC`, or delete the file"
RECEIPT = ".graded.json"  # lies beside a graded notebook and says what it was made from; no student writes it
LONGEST_DATE = 1000  # bytes
UNBOUNDED = FileLimits(sys.maxsize, sys.maxsize, sys.maxsize)  # of what was bounded before, and of the instructor's

_copy_all, _set_permissions = BaseConverter.init_assignment, BaseConverter.set_permissions


def bound_what_is_copied() -> None:
    """Let nbgrader's commands, its formgrader and the grader copy what `look` and the rules below let go, where nbgrader copies everything.

    nbgrader has no setting for it.
    """
    BaseConverter.init_assignment = _init_assignment
    BaseConverter.set_permissions = _finish


def released(folder: Path, ignored: Sequence[str]) -> Iterator[str]:
    """Paths of the files in an assignment's folder that nbgrader releases, besides notebooks. What is ignored is so at every level."""
    ignored = [*ignored, "*.ipynb"]
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_ignored(name, ignored)]
        for name in names:
            if not is_ignored(name, ignored):
                yield Path(where, name).relative_to(folder).as_posix()


def is_ignored(path: str, ignored: Collection[str]) -> bool:
    """Whether a path has a part that one of nbgrader's patterns names."""
    return any(fnmatch.fnmatch(part, pattern) for part in PurePosixPath(path).parts for pattern in ignored)


def require_date(folder: Path) -> None:
    """Refuse a `timestamp.txt` that nbgrader would read for ever, or whole into memory. Raises `CannotGrade`."""
    path = folder / "timestamp.txt"
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file() or path.stat().st_size > LONGEST_DATE):
        raise CannotGrade(*NO_DATE)


def _init_assignment(converter: BaseConverter, assignment_id: str, student_id: str) -> None:
    """In place of nbgrader's own."""
    if not isinstance(converter, Autograde | GenerateFeedback):
        _copy_all(converter, assignment_id, student_id)
        return
    source, target = (Path(form(assignment_id, student_id)) for form in (converter._format_source, converter._format_dest))
    converter.notebooks = [notebook for notebook in converter.notebooks if os.path.isfile(notebook)]
    theirs = _instructors(converter, assignment_id)
    ignored = [*converter.coursedir.ignore, "*.ipynb", RECEIPT]
    if isinstance(converter, GenerateFeedback):
        files = look(source, UNBOUNDED)
        files.copy(target, lambda name: not is_ignored(name, ignored) and _is_for_feedback(name, files, theirs, converter.notebooks))
        return
    require_date(source)
    files = look(source, FileLimits.of(converter.coursedir), theirs)
    for sentence in files.left_out.told():
        converter.log.warning("%s, %s: %s", student_id, assignment_id, sentence)
    files.copy(target, lambda name: not is_ignored(name, ignored))
    converter.students_pages = [target / name for name in files.files if page_in(name, source / name)]


def _finish(converter: BaseConverter, assignment_id: str, student_id: str) -> None:
    """Before permissions are set, which is the last step: take away pages that the student's cells may have read in `autograded/`."""
    for path in getattr(converter, "students_pages", ()):
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # other files are in its folder
            os.removedirs(path.parent)
    _set_permissions(converter, assignment_id, student_id)


def _is_for_feedback(name: str, files: StudentFiles, theirs: dict[str, Path], notebooks: Sequence[str]) -> bool:
    """What a page can show, and what releasing it needs."""
    path = files.folder / name
    top = name.split("/")[0].casefold()
    if any(top == f"{Path(notebook).stem}.html".casefold() for notebook in notebooks):  # the page itself
        return False
    if name in theirs and filecmp.cmp(path, theirs[name], shallow=False):
        return True
    return name in BESIDE or (not page_in(name) and is_picture(path))


def _instructors(converter: BaseConverter, assignment: str) -> dict[str, Path]:
    """The instructor's files that nbgrader puts beside a submission, by their paths."""
    folders = converter.coursedir
    source = Path(folders.format_path(folders.source_directory, ".", assignment))
    own = converter.exclude_overwriting.get(assignment, []) if isinstance(converter, Autograde) else []
    return {name: source / name for name in released(source, folders.ignore) if name not in own}
