"""`giveback`: feedback pages into one zip for each assignment, as Moodle or Canvas takes it, or into nbgrader's exchange.

Moodle ("Upload multiple feedback files in a zip"), after its own importer, reads `NAME_NUMBER_assignfeedback_file_PAGE` and looks at the
number alone. Canvas ("Upload Submissions"), after its own reader, takes the first two numbers between underscores for the student and for
the file that was handed in, attaches the page as a comment, and calls it by the name of that file.
"""

from __future__ import annotations

import logging
import os
import shutil
import stat
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Assignment, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeReleaseFeedback
from traitlets.config import Config

from nbjudge._course.course import Course
from nbjudge._course.feedback_state import current_pages, is_of_another_hand_in, states
from nbjudge._lms.exchange import EXCHANGE
from nbjudge._lms.names import CANVAS, MOODLE, safe_file
from nbjudge._lms.placing import KeptHandIn, Ledger
from nbjudge._wire.errors import CannotGrade

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


PLATFORMS = (CANVAS, MOODLE, EXCHANGE)
FOLDER = "giveback"
NO_DATE = (1980, 1, 1, 0, 0, 0)  # of files in a zip, so that the same pages make the same zip
GRADE, WRITE = "make grade", "make feedback, then the same command again"
ADVICE = {
    MOODLE: [
        "In Moodle: the assignment, View all submissions, Upload multiple feedback files in a zip. "
        "The assignment's settings have to allow Feedback files."
    ],
    CANVAS: [
        "In Canvas: Gradebook, the assignment's menu, Upload Submissions (where its submissions were downloaded before).",
        "Canvas gives each page the name of the file that was handed in. Tell your students to save it under a name that ends in .html.",
    ],
    EXCHANGE: ["Students get it with `nbgrader fetch_feedback`, or with Fetch Feedback in JupyterLab."],
}


@dataclass
class FeedbackGiven:
    """What was given back: students by place, what to do there, and who gets nothing, by assignment, reason and next step."""

    written: dict[str, int] = field(default_factory=dict)
    advice: list[str] = field(default_factory=list)
    missing: dict[tuple[str, str, str], list[str]] = field(default_factory=lambda: defaultdict(list))


def give_back(course: Course, platform: str, assignment: str = "") -> FeedbackGiven:
    """Give all feedback back that tells what the gradebook holds now.

    Args:
        platform: one of `PLATFORMS`.
        assignment: the only one; all by default.

    Raises:
        CannotGrade: nothing is graded, or the exchange cannot be used. What was there is as it was.
        OSError: the disk is full. What was there is as it was.
    """
    graded = _graded(course)
    if assignment and assignment not in course.lessons:
        raise CannotGrade(f"the course has no assignment {assignment} (it has {', '.join(sorted(course.lessons))})", "mend the name")
    given = FeedbackGiven()
    submitted = course.folder("submitted")
    for name in [assignment] if assignment else sorted(course.lessons):
        handed_in = {path.parent.name for path in submitted.glob(f"*/{name}") if path.is_dir()} | graded.get(name, set())
        if not handed_in:
            continue
        pages = _pages(course, name, sorted(handed_in), graded.get(name, set()), given)
        if platform == EXCHANGE:
            given.written.update(release(course, name, pages, given.missing))
        else:
            _zip_for(platform, course, name, pages, given)
    if not given.written and not given.missing:
        raise CannotGrade("nobody has handed in anything yet", "make collect FROM=where the hand-ins lie, then make grade")
    given.advice = ADVICE[platform] if given.written else []
    return given


def _graded(course: Course) -> dict[str, set[str]]:
    """Who has a submission in the gradebook, by assignment."""
    found: dict[str, set[str]] = defaultdict(set)
    if course.has_gradebook:
        with course.gradebook() as gradebook:
            query = gradebook.db.query(Assignment.name, SubmittedAssignment.student_id)
            for name, student in query.join(SubmittedAssignment, SubmittedAssignment.assignment_id == Assignment.id):
                found[name].add(student)
    return found


def _pages(course: Course, assignment: str, students: Iterable[str], graded: set[str], given: FeedbackGiven) -> dict[str, list[Path]]:
    """Each student's current pages; who has none is noted as missing, with the next step."""
    now = states(course, assignment) if graded else {}
    found = {}
    for student in students:
        own = course.folder("feedback") / student / assignment
        if student not in graded or not any((course.folder("autograded") / student / assignment).glob("*.ipynb")):
            given.missing[assignment, "not graded yet", GRADE].append(student)
        elif is_of_another_hand_in(course, student, assignment):
            given.missing[assignment, "what lies in submitted/ was handed in after the grading", GRADE].append(student)
        elif pages := current_pages(course, student, assignment, now[student]):
            found[student] = pages
        elif any(own.glob("*.html")):
            given.missing[assignment, "the page is older than the points in the gradebook, or is not the grader's", WRITE].append(student)
        else:
            given.missing[assignment, "graded, but without a page", WRITE].append(student)
    return found


def _zip_for(platform: str, course: Course, assignment: str, pages: dict[str, list[Path]], given: FeedbackGiven) -> None:
    ledger = Ledger(course, assignment)
    files: dict[str, Path | list[Path]] = {}
    owners: dict[str, str] = {}
    count = 0
    for student, own in sorted(pages.items()):
        kept = ledger.students.get(student)
        if kept is None or kept.platform != platform or not kept.prefix or (platform == CANVAS and not kept.uploads):
            given.missing[
                assignment,
                f"no number of {platform.capitalize()}'s is known: it was not collected from there",
                f"make collect FROM=the zip of {platform.capitalize()}'s, then the same command again",
            ].append(student)
            continue
        if owners.setdefault(kept.number, student) != student:
            raise CannotGrade(
                f"{student} and {owners[kept.number]} have one number of {platform.capitalize()}'s, {kept.number}, in {assignment}",
                "look at both in collected/, and collect the right zip again",
            )
        files.update(_moodle_names(kept, own) if platform == MOODLE else _canvas_names(kept, own))
        count += 1
    if count:
        path = course.root / FOLDER / f"{platform}-{safe_file(assignment)}.zip"
        write_zip(path, files)
        given.written[f"{FOLDER}/{path.name}"] = count


def _moodle_names(kept: KeptHandIn, pages: list[Path]) -> dict[str, Path | list[Path]]:
    name = safe_file(kept.prefix.rpartition("_")[0].replace("_", " "))
    return {f"{name}_{kept.number}_assignfeedback_file_{safe_file(page.name)}": page for page in pages}


def _canvas_names(kept: KeptHandIn, pages: list[Path]) -> dict[str, Path | list[Path]]:
    """A page has the numbers of the file that it is about. Pages about one archive go together, as an archive: it is called as that was."""
    by_upload: dict[tuple[int, str], list[Path]] = defaultdict(list)
    for page in pages:
        upload = kept.uploads.get(page.stem, next(iter(kept.uploads.values())))
        by_upload[upload].append(page)
    files: dict[str, Path | list[Path]] = {}
    for (number, name), own in by_upload.items():
        if name.lower().endswith(".zip"):
            files[f"{kept.prefix}_{number}_feedback.zip"] = own
        else:
            files.update({f"{kept.prefix}_{number}_{safe_file(page.name)}": page for page in own})
    return files


def write_zip(path: Path, files: dict[str, Path | list[Path]]) -> None:
    """Write a zip, the same for the same pages, in the place of what was there, as a whole. Several pages under one name are a zip in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".giveback-", dir=path.parent) as folder:
        fresh = Path(folder, "fresh.zip")
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(files.items()):
                if isinstance(content, list):
                    inner = Path(folder, "inner.zip")
                    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as several:
                        for page in sorted(content):
                            _add(several, safe_file(page.name), page)
                    content = inner
                _add(archive, name, content)
        os.replace(fresh, path)


def _add(archive: zipfile.ZipFile, name: str, content: Path) -> None:
    info = zipfile.ZipInfo(name, NO_DATE)
    info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
    info.file_size = content.stat().st_size
    with content.open("rb") as source, archive.open(info, "w") as target:
        shutil.copyfileobj(source, target)
