"""What is done with one submission in the processes beside the writer (see `task_pool`): prepare it, and write what people open."""

from __future__ import annotations

import contextlib
import hashlib
import json
import site
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode

from nbjudge._analysis.instructor import BESIDE
from nbjudge._common.atomic_write import write_atomically
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.feedback_state import note_pages, page_maker, states
from nbjudge._course.intake import LARGEST_MB, belongs_to, inspect, read
from nbjudge._course.outcomes import Outcome, Status, Submission, Work
from nbjudge._execution.verdicts import Verdict
from nbjudge._nbgrader.copying import RECEIPT, released
from nbjudge._nbgrader.pages import page_instead
from nbjudge._nbgrader.preprocessors import marks_of
from nbjudge._nbgrader.sanitize import harmless, harmless_and_plain
from nbjudge._nbgrader.student_files import FileLimits, StudentFiles, look
from nbjudge._recovery.cells import told
from nbjudge._recovery.given import cells_in_files
from nbjudge._recovery.mending import found_of
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB


def refuse_another(course: Course, assignment: str, name: str, text: str) -> None:
    """See that a notebook is the one that its place says.

    Args:
        name: the notebook's name.
        text: what was handed in.

    Raises:
        CannotGrade: it has more of another notebook of the course.
    """
    try:
        cells = nbformat.reads(text, as_version=4).cells
    except Exception:  # whatever a strange notebook makes nbformat raise; `Course.sanitise` says what is wrong with it
        return
    marks = marks_of(NotebookExporter(config=course.config))
    wanted = assignment, name
    every = [(one, notebook) for one, lesson in course.lessons.items() for notebook in lesson.notebooks]
    counts = {one: found_of(cells, cells_in_files(course.folders, marks, *one)) for one in every}
    best = max(counts, key=counts.__getitem__)
    if counts[best] > counts[wanted]:
        raise belongs_to(best, wanted)


CHANGES, NOT_JUDGED, BESIDE_TESTS = "changes", "not judged", "beside tests"  # in a receipt, beside the digests


def prepare(course: Course, submission: Submission) -> Work:
    """Read a submission, once, and make it ready to be executed.

    Raises:
        CannotGrade: it cannot be graded as it is.
        OSError: a file cannot be read.
    """
    several = len(course.lessons[submission.assignment].notebooks) > 1
    outcome = Outcome(submission.seen_from(course.root), Status.GRADED, submission.student, submission.assignment)
    contents, texts = {}, {}
    for path in submission.notebooks:
        with _named(path.name, several):
            contents[path.stem] = read(path)
            texts[path.stem], is_nameless = inspect(contents[path.stem], submission.assignment, path.stem, course.lessons)
            if is_nameless:
                refuse_another(course, submission.assignment, path.stem, texts[path.stem])
    files = files_of(course, submission)
    outcome.notes += files.left_out.told()
    made_from = {**_handed_in(submission, contents, files), **source_digests(course, submission.assignment)}
    work = Work(submission, outcome, made_from, has_all_files=files.is_whole)
    outcome.notes += _missing(course, submission)
    for name, text in texts.items():
        with _named(f"{name}.ipynb", several):
            work.notebooks[name], changes = course.sanitise(submission, name, text)
        work.changes += [f"{name}.ipynb: {sentence}" if several else sentence for sentence in told(changes)]
    outcome.notes += work.changes
    return work


@contextlib.contextmanager
def _named(notebook: str, several: bool) -> Iterator[None]:
    """Where a submission has several notebooks, what is raised says which one it is about."""
    try:
        yield
    except CannotGrade as refused:
        raise type(refused)(f"{notebook}: {refused.why}" if several else refused.why, refused.next_step) from refused


def files_of(course: Course, submission: Submission) -> StudentFiles:
    """What lies beside a submission's notebooks, and what of it goes on."""
    return look(submission.folder, FileLimits.of(course.folders), set(released(course.lessons[submission.assignment].folder, course.folders.ignore)))


def graded_before(course: Course, submission: Submission, sources: dict[str, str], beside: Callable[[str], str]) -> Outcome | None:
    """The outcome of a submission that was graded as it lies there now, with the same lesson; None for any other. Reads, and parses nothing.

    Args:
        sources: what `source_digests` says of its assignment.
        beside: what `beside_tests` says of an assignment, by its name: a test that could not judge may be mended there, too.

    Whether the gradebook still has it is asked for all at once: `Course.graded`.
    """
    try:
        receipt = json.loads(receipt_of(course, submission).read_text(encoding="utf-8"))
        changes, broken = receipt.pop(CHANGES, []), [Verdict(**about) for about in receipt.pop(NOT_JUDGED, [])]
        files = files_of(course, submission)
        if broken and receipt.pop(BESIDE_TESTS) != beside(submission.assignment):
            return None
        if receipt != {**_handed_in(submission, {path.stem: read(path) for path in submission.notebooks}, files), **sources}:
            return None
    except (CannotGrade, OSError, ValueError, AttributeError, KeyError, TypeError):  # what cannot be read is for the grading to tell
        return None
    where = submission.seen_from(course.root)
    outcome = Outcome(where, Status.GRADED_BEFORE, submission.student, submission.assignment, broken_tests=broken)
    outcome.notes += [*files.left_out.told(), *_missing(course, submission), *changes]
    return outcome


def _missing(course: Course, submission: Submission) -> list[str]:
    there = {path.stem for path in submission.notebooks}
    return [f"there is no {name}.ipynb: it has no points" for name in sorted(course.lessons[submission.assignment].notebooks.keys() - there)]


def write_receipt(course: Course, work: Work) -> None:
    """Note what a graded submission was made from, and what was changed in it: from now on another run skips it."""
    about: dict[str, Any] = {**work.made_from, CHANGES: work.changes}
    if broken := work.outcome.broken_tests:
        told = [{name: getattr(verdict, name) for name in ("grade_id", "points", "max_points", "kind", "message")} for verdict in broken]
        about |= {NOT_JUDGED: told, BESIDE_TESTS: work.beside_tests}
    write_atomically(receipt_of(course, work.submission), json.dumps(about).encode())


def beside_tests(course: Course, assignment: str) -> str:
    """A digest of what may mend a test cell that could not judge, besides its lesson and the settings: files and packages beside it, and what is
    installed."""
    folders = [course.lessons[assignment].folder, *(course.root / name.split(".")[0] for name in course.executor().packages)]
    paths = [(path, str(path.relative_to(course.root))) for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    places = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
    beside = [(path, name) for path, name in paths if path.suffix not in (".ipynb", ".pyc")]
    about = [(name, path.stat().st_mtime_ns) for path, name in (*beside, *((Path(place), place) for place in sorted(places) if Path(place).is_dir()))]
    return hashlib.sha256(json.dumps(about).encode()).hexdigest()


def receipt_of(course: Course, submission: Submission) -> Path:
    """Where the receipt of a graded submission lies."""
    return course.folder("autograded") / submission.student / submission.assignment / RECEIPT


def show(course: Course, student: str, assignment: str) -> None:
    """Make a recorded notebook harmless, and write its feedback page.

    Raises:
        CannotGrade: nbgrader cannot write the page.
    """
    _rewrite(course, student, assignment, harmless)
    _write_pages(course, student, assignment)


def show_plainly(course: Course, student: str, assignment: str) -> None:
    """The same for a notebook on which `show` did not end: texts letter by letter, outputs as text, and what is long cut."""
    _rewrite(course, student, assignment, harmless_and_plain)
    _write_pages(course, student, assignment)


def show_nothing(course: Course, student: str, assignment: str) -> None:
    """A page that says why there is no other."""
    state = states(course, assignment, student).get(student, "")
    for path in _notebooks(course, student, assignment):
        page = course.folder("feedback") / student / assignment / f"{path.stem}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(page_instead(path.stem), encoding="utf-8")
    note_pages(course, student, assignment, state, made_by="")


def _write_pages(course: Course, student: str, assignment: str) -> None:
    state = states(course, assignment, student).get(student, "")  # before: who grades by hand meanwhile makes the pages out of date
    course.write_feedback(student, assignment)
    note_pages(course, student, assignment, state, page_maker(course))


def source_digests(course: Course, assignment: str) -> dict[str, str]:
    """Digests of what decides an assignment's points besides what was handed in."""
    lesson = course.lessons[assignment]
    files = {f"source {name}": lesson.folder / f"{name}.ipynb" for name in lesson.notebooks}
    files["config"] = course.root / CONFIG
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}


def _handed_in(submission: Submission, submitted: dict[str, bytes], others: StudentFiles) -> dict[str, str]:
    """Digests of what a student handed in, by what it is."""
    found = {f"submitted {name}": hashlib.sha256(content).hexdigest() for name, content in submitted.items()}
    timestamp = submission.folder / "timestamp.txt"
    if timestamp.is_file():
        found["timestamp"] = hashlib.sha256(timestamp.read_bytes()).hexdigest()
    if names := [name for name in (*others.files, *others.replaced) if name not in BESIDE and not name.startswith(".")]:
        lines = (f"{name}\0{_digest_of(submission.folder / name)}\0" for name in sorted(names, key=PurePosixPath))
        found["other files"] = hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    return found


def _digest_of(path: Path) -> str:
    """Of a very large file the size alone."""
    if (size := path.stat().st_size) > LARGEST_MB * MB:
        return str(size)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def was_handed_in(course: Course, submission: Submission) -> bool:
    """Whether the last grading was of what lies there now, whatever became of the lesson since. Reads, and parses nothing.

    Raises:
        CannotGrade: a notebook cannot be read.
        OSError: another file cannot be read.
    """
    try:
        receipt = json.loads(receipt_of(course, submission).read_text(encoding="utf-8"))
        others = {"config", CHANGES, NOT_JUDGED, BESIDE_TESTS}
        kept = {name: digest for name, digest in receipt.items() if not name.startswith("source ") and name not in others}
    except (OSError, ValueError, AttributeError):
        return False
    return kept == _handed_in(submission, {path.stem: read(path) for path in submission.notebooks}, files_of(course, submission))


def _notebooks(course: Course, student: str, assignment: str) -> list[Path]:
    return sorted((course.folder("autograded") / student / assignment).glob("*.ipynb"))


def _rewrite(course: Course, student: str, assignment: str, change: Callable[[NotebookNode], NotebookNode]) -> None:
    """Put a changed notebook in the place of a graded one, whole or not at all. nbgrader makes its files read-only."""
    for path in _notebooks(course, student, assignment):
        before = path.read_text(encoding="utf-8")
        notebook: NotebookNode = nbformat.reads(before, as_version=4)
        text = nbformat.writes(change(notebook))
        if text != before:
            write_atomically(path, text.encode())
