"""What a watcher says."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from nbjudge._common.due_dates import DATES
from nbjudge._common.roster import CLASS
from nbjudge._common.terminal_text import NAME, shown
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.intake import why_no_name
from nbjudge._nbgrader.database import parsed
from nbjudge._wire.errors import CannotGrade, GraderError

Place = tuple[str, str]  # a student's folder and what lies in it, by name; "" where there is nothing in it to look at
# How many files and folders, the latest time at which one changed in any way, bytes, and the sum of the numbers that the file system gave
# them. The time cannot be set by who copies a file, as the time of its content can.
Sign = tuple[int, int, int, int]
MOST_FILES = 1000  # of one hand-in whose times count; each look at all hand-ins would read the times of all


def look(submitted: Path) -> dict[Place, Sign]:
    """The sign of everything that `intake.places` names. A sign differs when something was changed, replaced, added or taken away.

    Raises:
        OSError: the folder itself cannot be read.
    """
    found: dict[Place, Sign] = {}
    for student in _entries(submitted) if submitted.is_dir() else ():
        below: list[os.DirEntry[str]] = []
        if student.is_dir(follow_symlinks=False) and not why_no_name(student.name):
            with contextlib.suppress(OSError):  # to be told by who looks closer
                below = list(_entries(student.path))
        for entry in below:
            _note(found, (student.name, entry.name), entry.path)
        if not below:
            _note(found, (student.name, ""), student.path)
    return found


def _note(found: dict[Place, Sign], place: Place, path: str) -> None:
    with contextlib.suppress(FileNotFoundError):  # it went away meanwhile
        found[place] = sign(path)


def sign(path: str | Path) -> Sign:
    """The sign of a hand-in: of a folder with all that is in it, but for hidden files, or of a file.

    Raises:
        OSError: there is none.
    """
    about = os.stat(path, follow_symlinks=False)
    count, newest, size, numbers = 1, about.st_ctime_ns, 0, about.st_ino
    for entry in _below(path):
        with contextlib.suppress(OSError):
            about = entry.stat(follow_symlinks=False)
            count, newest, size, numbers = count + 1, max(newest, about.st_ctime_ns), size + about.st_size, numbers + about.st_ino
        if count > MOST_FILES:
            break
    return count, newest, size, numbers


def course_sign(course: Course) -> tuple[str, str]:
    """Digests of what a course's grading depends on besides hand-ins: of class and dates; of settings, lessons, and which file is its gradebook.

    Raises:
        OSError: a file cannot be read.
    """
    listed, lessons = hashlib.sha256(), hashlib.sha256()
    for path in _decisive(course):
        seen = listed if path.name in (CLASS, DATES) else lessons
        seen.update(str(path).encode("utf-8", "surrogateescape") + b"\0" + path.read_bytes())
    return listed.hexdigest(), f"{lessons.hexdigest()} {_gradebook(course)}"


def course_times(course: Course) -> tuple[object, ...]:
    """What differs when `course_sign` may differ; cheap."""
    times = []
    for path in _decisive(course):
        with contextlib.suppress(OSError):
            about = path.stat()
            times.append((str(path), about.st_ctime_ns, about.st_size))
    return (*times, _gradebook(course))


def _decisive(course: Course) -> list[Path]:
    """The files on which grading depends."""
    listed = [course.root / name for name in (CLASS, DATES) if (course.root / name).is_file()]
    return [course.root / CONFIG, *listed, *sorted(course.folder("source").glob("*/*.ipynb"))]


def _gradebook(course: Course) -> int:
    url = parsed(course.folders.db_url)
    if url is None or url.get_backend_name() != "sqlite":
        return 0
    path = Path(url.database or "")
    return path.stat().st_ino if path.is_file() else 0


def _entries(folder: str | Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        yield from (entry for entry in entries if not entry.name.startswith("."))


def _below(path: str | Path) -> Iterator[os.DirEntry[str]]:
    folders: list[str | Path] = [path]
    while folders:
        with contextlib.suppress(OSError):  # no folder, or one that cannot be read
            for entry in _entries(folders.pop()):
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)


FIRST_PAUSE, LONGEST_PAUSE = 5.0, 300.0  # seconds before something of ours is tried again


def now() -> str:
    """The time of day that a line begins with."""
    return datetime.now().strftime("%H:%M:%S")


def name(place: Place) -> str:
    """A student and an assignment, for a line."""
    return "  ".join(shown(part, NAME) for part in place)


def points(course: Course, place: Place) -> str:
    """What the gradebook has for a hand-in that was graded. What waits for a person is not among the points that there are to be had."""
    with contextlib.suppress(CannotGrade), course.gradebook() as gradebook:  # the points are there, although they cannot be read now
        submission = gradebook.find_submission(place[1], place[0])
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        waiting = [grade for grade in grades if grade.auto_score is None and grade.manual_score is None]
        most = submission.max_score - sum(grade.max_score for grade in waiting)
        return f"{submission.score:g} of {most:g}" + (f", {len(waiting)} to grade by hand" if waiting else "")
    return "graded"


def sentence(error: BaseException) -> str:
    """What stopped a round."""
    if isinstance(error, CannotGrade):
        return str(error)
    text = (str(error).strip().splitlines() or [""])[0].rstrip(".")
    return f"{text}." if isinstance(error, GraderError) else f"{type(error).__name__}: {text}."


def later(tries: int) -> float:
    """How long to wait after so many tries in vain: each time longer."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(tries, 10))
