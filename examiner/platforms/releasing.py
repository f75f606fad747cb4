"""Feedback into nbgrader's exchange, by nbgrader's own `release_feedback`."""

from __future__ import annotations

import logging
import shutil
import stat
import tempfile
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeReleaseFeedback
from traitlets.config import Config

from examiner.classroom.course import Course
from examiner.wire.errors import CannotGrade

SECRET = "submission_secret.txt"  # of a hand-in: who knows it finds the page


def release(course: Course, assignment: str, pages: dict[str, list[Path]], missing: dict[tuple[str, str, str], list[str]]) -> dict[str, int]:
    """Give pages to the exchange, each under a name that only its student's JupyterLab can tell.

    nbgrader releases every `*.html` in `feedback/`, also what students handed in, so it is shown a folder with the pages alone.

    Args:
        missing: gets the students whose hand-in has no secret, because it did not come from the exchange.

    Returns:
        How many students got something, by the place.

    Raises:
        CannotGrade: the exchange cannot be used; nothing of this assignment was released.
    """
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        staged = 0
        for student, own in sorted(pages.items()):
            handed_in = course.folder("submitted") / student / assignment
            if not _has_text(handed_in / SECRET) or not _has_text(handed_in / "timestamp.txt"):
                key = assignment, "it was not collected from the exchange", "give it back where it came from: TO=moodle or TO=canvas"
                missing[key].append(student)
                continue
            target = Path(folder, student, assignment)
            target.mkdir(parents=True)
            for name in (SECRET, "timestamp.txt"):
                shutil.copyfile(handed_in / name, target / name)
            for page in own:
                shutil.copyfile(page, target / page.name)
                (target / page.name).chmod(0o644)
            staged += 1
        return {str(_released(course, assignment, Path(folder))): staged} if staged else {}


def _released(course: Course, assignment: str, staged: Path) -> Path:
    config = Config(course.config)
    config.merge(
        Config({"CourseDirectory": {"root": str(course.root), "feedback_directory": str(staged), "assignment_id": assignment, "student_id": "*"}})
    )
    log = logging.Logger("nbgrader")
    log.addHandler(logging.NullHandler())
    exchange = ExchangeReleaseFeedback(coursedir=CourseDirectory(config=config), config=config, log=log)
    place = Path(exchange.root) / exchange.coursedir.course_id / "feedback"
    if place.is_dir() and not exchange.coursedir.groupshared and place.stat().st_mode & stat.S_IROTH:
        raise CannotGrade(
            f"everybody can list {place}, and so read everybody's feedback. Nothing was released", f"chmod o-r {place}, then the same command again"
        )
    try:
        exchange.start()
    except (ExchangeError, OSError) as error:
        raise CannotGrade(f"nbgrader cannot release the feedback: {error}", "mend that, or set c.Exchange.root") from error
    return place


def _has_text(path: Path) -> bool:
    try:
        return path.is_file() and bool(path.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeError):
        return False
