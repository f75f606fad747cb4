"""What changed since the grading before: a photograph of all points is kept after each grading, and compared with the next.

Photographs lie in the course's folder `gradings`, one file each, and hold points by student. They can be deleted at any time.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbjudge._common.atomic_write import write_atomically
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.feedback_state import GRADINGS, RESULTS
from nbjudge._course.outcomes import Outcome, Status, Submission
from nbjudge._course.result_cache import ResultStore
from nbjudge._course.tasks import receipt_of
from nbjudge._nbgrader.clues import CLUES
from nbjudge._nbgrader.regrades import forget as forget_requests
from nbjudge._report.gradebook import Book, Marks
from nbjudge._report.model import PointsChange, Question

KEPT = 50  # photographs; the oldest go
NAME = "%Y-%m-%dT%H-%M-%S-%fZ"
CLOSE = 1e-9


@dataclass
class Snapshot:
    """All points at one moment.

    Args:
        made: when, in UTC.
        tests: by assignment, notebook and grade id, a digest of the cell's text and its points.
        lessons: by assignment, a digest of all that was released.
        settings: a digest of the course's configuration.
        points: by student and assignment: the digest of what was handed in, and by notebook and grade id the points of the test and by hand.
        outcomes: what became of everything in `submitted/` when it was graded last.
    """

    made: str = ""
    tests: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    lessons: dict[str, str] = field(default_factory=dict)
    settings: str = ""
    points: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    outcomes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def when(self) -> datetime:
        """`made` as a date."""
        return datetime.fromisoformat(self.made)

    def shows_the_same(self, other: Snapshot) -> bool:
        """Whether nothing is different but the moment."""
        return {**asdict(self), "made": ""} == {**asdict(other), "made": ""}


def photograph(course: Course, book: Book, outcomes: Iterable[Outcome] | None = None, before: Snapshot | None = None) -> Snapshot:
    """The gradebook as it stands.

    Args:
        outcomes: those of a grading that has just ended; without, those of `before` are kept.
        before: the photograph before.
    """
    made = Snapshot(datetime.now(UTC).isoformat(timespec="microseconds"), settings=_digest_of(course.root / CONFIG))
    for assignment, questions in book.questions.items():
        texts = {(cell.notebook, cell.name): cell.source for cell in book.cells.get(assignment, [])}
        made.tests[assignment] = {
            _join(question.notebook, question.name): [_digest(texts.get((question.notebook, question.name), "")), question.most]
            for question in questions
        }
        made.lessons[assignment] = _digest("\0".join(f"{name}\0{text}" for name, text in sorted(texts.items())))
    for submission in book.submissions:
        marks = {_join(*key): [given.automatic, given.by_hand, given.extra] for key, given in submission.marks.items()}
        made.points.setdefault(submission.student, {})[submission.assignment] = {
            "handed_in": handed_in(course, submission.student, submission.assignment),
            "marks": marks,
        }
    made.outcomes = before.outcomes if outcomes is None and before else [_written(outcome) for outcome in outcomes or ()]
    return made


def handed_in(course: Course, student: str, assignment: str) -> str:
    """A digest of the notebooks that were graded; where the grader did not grade them, of those that lie in `submitted/`."""
    folder = course.folder("submitted") / student / assignment
    with contextlib.suppress(OSError, ValueError, AttributeError):
        receipt = json.loads(receipt_of(course, Submission(student, assignment, folder, ())).read_text(encoding="utf-8"))
        return _digest(json.dumps({name: digest for name, digest in sorted(receipt.items()) if name.startswith("submitted ")}))
    return lies_there(course, student, assignment)


def lies_there(course: Course, student: str, assignment: str) -> str:
    """The digest of the notebooks in `submitted/`; "" where there are none."""
    folder = course.folder("submitted") / student / assignment
    with contextlib.suppress(OSError):
        paths = [path for path in sorted(folder.glob("*.ipynb")) if path.is_file() and not path.is_symlink()]
        found = {f"submitted {path.stem}": hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}  # as the receipt has it
        return _digest(json.dumps(found)) if found else ""
    return ""


def keep(course: Course, made: Snapshot) -> None:
    """Write a photograph, whole or not at all, unless the last one shows the same; the oldest go.

    Raises:
        OSError: it cannot be written.
    """
    paths = _paths(course)
    if paths and (last := _read(paths[-1])) is not None and last.shows_the_same(made):
        return
    _write(course.root / GRADINGS / f"{made.when.strftime(NAME)}.json.gz", made)
    for path in _paths(course)[:-KEPT]:
        path.unlink(missing_ok=True)


def forget(course: Course, students: Collection[str]) -> None:
    """Take students out of all that was kept; a photograph of nobody goes.

    Raises:
        OSError: a file cannot be written.
    """
    for path in _paths(course):
        if (one := _read(path)) is None or not one.points.keys() & set(students):
            continue
        one.points = {student: held for student, held in one.points.items() if student not in students}
        one.outcomes = [entry for entry in one.outcomes if entry["student"] not in students]
        path.unlink()
        if one.points:
            _write(path, one)
    for path in (course.root / CLUES).glob("*/*.json"):
        if path.stem in students:
            path.unlink()
    forget_requests(course.root, students)
    ResultStore(course.root / RESULTS).forget()  # whose they are is not written there


def last_two(course: Course) -> tuple[Snapshot | None, Snapshot | None]:
    """The photograph before the last, and the last. One that cannot be read is none."""
    found: list[Snapshot] = []
    for path in reversed(_paths(course)):
        if (one := _read(path)) is not None:
            found.append(one)
        if len(found) == 2:
            break
    return found[1] if len(found) > 1 else None, found[0] if found else None


def changes(before: Snapshot, now: Snapshot, questions: Iterable[Question]) -> tuple[tuple[PointsChange, ...], tuple[str, ...]]:
    """What became different, question by question with the reason, and other news in sentences."""
    known = {(question.assignment, _join(question.notebook, question.name)): question for question in questions}
    moved: dict[tuple[Question, str], list[tuple[str, float, float]]] = defaultdict(list)
    fresh: dict[str, list[str]] = defaultdict(list)
    for student, assignments in now.points.items():
        for assignment, held in assignments.items():
            earlier = before.points.get(student, {}).get(assignment)
            if earlier is None:
                fresh[assignment].append(student)
                continue
            for name, marks in held["marks"].items():
                older, newer = _points(earlier["marks"].get(name)), _points(marks)
                if (assignment, name) in known and abs(older - newer) > CLOSE:
                    why = _why(before, now, assignment, name, earlier, held)
                    moved[known[assignment, name], why].append((student, older, newer))
    found = [PointsChange(question, why, tuple(sorted(who))) for (question, why), who in moved.items()]
    order = {question: place for place, question in enumerate(known.values())}
    news = [f"{assignment}: {len(students)} handed in and graded since then" for assignment, students in sorted(fresh.items())]
    news += [f"{assignment}: no longer in the gradebook for {len(gone)}" for assignment, gone in sorted(_gone(before, now).items())]
    return tuple(sorted(found, key=lambda change: (order[change.question], change.why))), tuple(news)


def _why(before: Snapshot, now: Snapshot, assignment: str, name: str, earlier: dict[str, Any], held: dict[str, Any]) -> str:
    """The reason that the photographs show, the most certain first."""
    older, newer = earlier["marks"].get(name, [None, None, 0.0]), held["marks"][name]
    if older[1:] != newer[1:]:
        return "points were given by hand"
    if earlier["handed_in"] != held["handed_in"]:
        return "another notebook was handed in"
    text, most = before.tests.get(assignment, {}).get(name, ["", 0.0])
    now_text, now_most = now.tests[assignment][name]
    if text != now_text:
        return "the test was changed"
    if most != now_most:
        return "the question's points were changed"
    if before.lessons.get(assignment) != now.lessons.get(assignment):
        return "another cell of the assignment was changed"
    if before.settings != now.settings:
        return "nbgrader_config.py was changed"
    return "not known: test, notebook and settings are the same"


def _gone(before: Snapshot, now: Snapshot) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for student, assignments in before.points.items():
        for assignment in assignments.keys() - now.points.get(student, {}).keys():
            found[assignment].append(student)
    return found


def _points(marks: list[Any] | None) -> float:
    return Marks(*marks).points or 0.0 if marks else 0.0


def _written(outcome: Outcome) -> dict[str, Any]:
    broken = [test.grade_id for test in outcome.broken_tests]
    return {
        "where": outcome.where,
        "student": outcome.student,
        "assignment": outcome.assignment,
        "why": outcome.why,
        "next_step": outcome.next_step,
        "is_graded": outcome.status is not Status.NOT_GRADED,
        "notes": outcome.notes,
        "broken": broken,
    }


def _paths(course: Course) -> list[Path]:
    return sorted((course.root / GRADINGS).glob("*.json.gz"))


def _read(path: Path) -> Snapshot | None:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as text:
            return Snapshot(**json.load(text))
    except (OSError, EOFError, ValueError, TypeError):
        return None


def _write(path: Path, one: Snapshot) -> None:
    path.parent.mkdir(exist_ok=True)
    write_atomically(path, gzip.compress(json.dumps(asdict(one), ensure_ascii=True).encode(), compresslevel=5))


def _join(notebook: str, name: str) -> str:
    return f"{notebook}\0{name}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""
