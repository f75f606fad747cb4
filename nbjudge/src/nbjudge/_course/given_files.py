"""What students have of an assignment's folder besides notebooks: what nbgrader releases, and nothing of the rest."""

from __future__ import annotations

import shutil
from pathlib import Path

from nbjudge._course.course import Course
from nbjudge._nbgrader.copying import released
from nbjudge._wire.errors import CannotGrade


def given_files(course: Course, assignment: str, into: Path) -> Path | None:
    """A folder with the instructor's files that students' cells may find, as nbgrader's own `autograde` puts them beside a submission.

    What `CourseDirectory.ignore` names in the course's configuration is not among them: the lesson as text, with solutions and
    hidden tests, notes, answers. A name that is ignored is so at every level, and a folder with all that is in it.

    Args:
        into: where the copies go; each assignment's are made once.

    Raises:
        CannotGrade: a file cannot be copied.
    """
    target = into / assignment
    if not target.exists():
        target.mkdir(parents=True)
        try:
            _copy(course.folder("source") / assignment, target, course.folders.ignore)
        except OSError as error:
            shutil.rmtree(target, ignore_errors=True)  # half of the files would be taken for all
            raise CannotGrade(
                f"a file that students have beside the notebook cannot be copied ({error.strerror}: {error.filename})",
                "mend that, then run the same command again",
            ) from error
    return target if any(target.iterdir()) else None


def _copy(folder: Path, target: Path, ignored: list[str]) -> None:
    for name in released(folder, ignored):
        if (folder / name).is_file():  # pipes and the like are left out
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, target / name)
