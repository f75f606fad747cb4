"""`collect`: from what people have to `submitted/`."""

from __future__ import annotations

import datetime
import fnmatch
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from nbgrader.api import Assignment

from nbjudge._common.due_dates import without_zone
from nbjudge._common.signals import pause
from nbjudge._course.course import Course
from nbjudge._course.task_pool import TaskPool
from nbjudge._lms.archives import Found, Left, unpack
from nbjudge._lms.exchange import fetch, find_inbound
from nbjudge._lms.hand_ins import HandIn, HandInPart, leave_out_large, put_together
from nbjudge._lms.names import MOODLE_PART, grade_ids, is_notebook, origin, squeezed, tell
from nbjudge._lms.people import ClassList
from nbjudge._lms.placing import Ledger, PlacingResult, digest, lay_out, place, scratch_folder, time_of
from nbjudge._lms.regrade import TakenIn, take_in
from nbjudge._lms.regrade_requests import PATTERN, Asked, from_beside
from nbjudge._nbgrader.regrades import journal
from nbjudge._nbgrader.student_files import FileLimits
from nbjudge._report.regrades import stands
from nbjudge._report.terminal import duration
from nbjudge._wire.errors import CannotGrade
from nbjudge._wire.limits import MB

SMALL = 4 * MB  # a notebook that is read in this process


@dataclass(frozen=True)
class CollectRow:
    """What became of one hand-in. `late`: by how much, or that its platform says so; "" where it is not late or that is not known."""

    handin: HandIn
    became: PlacingResult
    late: str = ""


@dataclass
class Collection:
    """What a run did: hand-ins, what was not collected, due dates by assignment, and of whom nothing has come by assignment."""

    rows: list[CollectRow] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    due: dict[str, datetime.datetime | None] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)
    knows_class: bool = True
    requests: int = 0  # for a second look, that came beside hand-ins and are taken in


def collect_from(course: Course, source: Path, assignment: str = "", names: Path | None = None, is_newer: bool = False) -> Collection:
    """Put the hand-ins in FROM into `submitted/`. FROM stays as it is.

    Args:
        source: a zip of Moodle's or Canvas's, a folder or an archive of notebooks named by student, or an exchange.
        assignment: the one that they are for; by default their cells tell.
        names: a file that says whose a name is; `names.csv` in the course's folder by default, if it is there.
        is_newer: where nothing tells which of two hand-ins is later, it is the one in FROM.

    Raises:
        CannotGrade: nothing can be collected at all; nothing was changed.
        OSError: for example, the disk is full. Each hand-in is there as a whole, or not at all.
    """
    if not course.lessons:
        raise CannotGrade("source/ holds no assignment", "put the lessons there (`make build` makes those of this course)")
    if assignment and assignment not in course.lessons:
        raise CannotGrade(f"the course has no assignment {assignment} (it has {', '.join(sorted(course.lessons))})", "mend the name")
    if _is_own(course, source):
        raise CannotGrade(f"{source} is the course's own folder of hand-ins", "say where other hand-ins lie: FROM=a zip file or a folder")
    people = ClassList.of(course, names)
    submitted = course.folder("submitted")
    people.add_folders(sorted(path.name for path in submitted.iterdir() if path.is_dir()) if submitted.is_dir() else [])
    with scratch_folder(course) as scratch:
        if inbound := find_inbound(source, course.folders.course_id):
            ready, left = fetch(course, inbound, people, assignment, scratch / "fetched")
            asked: list[Asked] = []
        else:
            ready, left, asked = _read(course, source, assignment, people, scratch)
        collection = Collection([], left, _due_dates(course), knows_class=bool(people.ids) and people.is_closed)
        if asked:
            _take_in(course, asked, collection)
        _place_all(course, ready, collection, scratch, is_newer)
    for name in sorted({row.handin.assignment for row in collection.rows}):
        collection.missing[name] = [
            student for student in sorted(people.ids) if not (submitted / student / name).is_dir() and _should_be_here(course, name, student)
        ]
    return collection


def _should_be_here(course: Course, assignment: str, student: str) -> bool:
    return course.dates is None or course.dates.is_due(assignment, student)


def _is_own(course: Course, source: Path) -> bool:
    own = [course.folder(kind).resolve() for kind in ("submitted", "autograded", "feedback", "source")]
    here = source.resolve()
    return here == course.root.resolve() or any(here == folder or folder in here.parents for folder in own)


def _take_in(course: Course, asked: list[Asked], collection: Collection) -> None:
    """Add requests for a second look to the journal; what is none is told with what was not collected."""
    requests, left = from_beside(course, asked)
    try:
        book = stands(course)
        with journal(course.root) as kept:
            done = TakenIn()
            left += take_in(course, kept, requests, book, done)
            collection.requests = done.new
    except CannotGrade as refused:
        left += [Left(one.where, refused.why, refused.next_step) for one in requests]
    collection.left += left


def _read(
    course: Course, source: Path, assignment: str, people: ClassList, scratch: Path
) -> tuple[list[tuple[HandIn, Path]], list[Left], list[Asked]]:
    """Hand-ins from files, each with its folder made by nbgrader's zip_collect; and files that ask for a second look, which are part of none."""
    (scratch / "unpacked").mkdir()
    unpacked = unpack(source, scratch / "unpacked")
    if not unpacked.found and not unpacked.left:
        raise CannotGrade(f"{source} holds no file", "say where the hand-ins lie: FROM=a zip file or a folder")
    words = [*course.lessons, *(notebook for lesson in course.lessons.values() for notebook in lesson.notebooks)]
    found = _without_wrapper(unpacked.found, words)
    asking: list[Found] = []
    others: list[Found] = []
    for one in found:
        (asking if _asks(one, words) else others).append(one)
    asked = [(str(one.path), people.whose(origin(one.path, one.inside, words), False).student, one.file) for one in asking]
    ids = _ids(course, [one.file for one in others if is_notebook((one.inside or one.path).name)])
    pieces = []
    for one in others:
        told = tell((one.inside or one.path).name, ids[one.file], course.lessons) if one.file in ids else None
        whose = origin(one.path, one.inside, words)
        if told is not None and one.inside is None:  # a platform's own part of the name tells nothing of the notebook
            told = tell(whose.rest.name, ids[one.file], course.lessons) if whose.prefix else told
        pieces.append(HandInPart(one, whose, told))
    every, left = put_together(pieces, people, course.lessons, assignment)
    handins = []
    for handin in every:
        if (refused := leave_out_large(handin, FileLimits.of(course.folders))) is None:
            handins.append(handin)
        else:
            left.append(refused)
    rounds: dict[tuple[str, int], list[HandIn]] = defaultdict(list)  # zip_collect takes one hand-in of each student at a time
    counts: Counter[tuple[str, str]] = Counter()
    for handin in handins:
        rounds[handin.assignment, counts[handin.assignment, handin.student]].append(handin)
        counts[handin.assignment, handin.student] += 1
    ready = []
    for (name, number), some in rounds.items():
        made = lay_out(name, some, scratch / f"round{number}-{name}")
        for handin in some:
            handin.time = time_of(made / handin.student / name)
            ready.append((handin, made / handin.student / name))
    return ready, [*unpacked.left, *left], asked


def _asks(one: Found, words: list[str]) -> bool:
    """Whether a file is one that feedback pages make to ask for a second look."""
    names = {(one.inside or one.path).name, origin(one.path, one.inside, words).rest.name}
    return any(fnmatch.fnmatchcase(name, PATTERN) for name in names)


def _without_wrapper(found: list[Found], words: list[str]) -> list[Found]:
    """FROM without a folder that holds all of it, as archives of folders have one. Where one student's files may lie in it, it stays."""
    tops = {one.path.parts[0] for one in found if len(one.path.parts) > 1}
    if len(tops) != 1 or any(len(one.path.parts) == 1 for one in found) or MOODLE_PART.fullmatch(min(tops)):
        return found
    shorter = [replace(one, path=PurePosixPath(*one.path.parts[1:])) for one in found]
    below = [origin(one.path, one.inside, words) for one in shorter if is_notebook((one.inside or one.path).name)]
    names = {squeezed(next(iter(whose.who), whose.stem)) for whose in below}
    return _without_wrapper(shorter, words) if len(names) > 1 and "" not in names else found


def _ids(course: Course, files: list[Path]) -> dict[Path, frozenset[str]]:
    """The grade ids in each notebook. JSON takes no time out of proportion, but memory: what is large is read beside, within limits."""
    ids = {file: grade_ids(course, file) if file.stat().st_size <= SMALL else frozenset[str]() for file in files}
    if large := [file for file in files if file.stat().st_size > SMALL]:
        with TaskPool[Path](course.root) as pool:
            for (file,), result in pool.map(grade_ids, ((file,) for file in large)):
                if isinstance(result, frozenset):
                    ids[file] = result
    return ids


def _place_all(course: Course, ready: list[tuple[HandIn, Path]], collection: Collection, scratch: Path, is_newer: bool) -> None:
    by_assignment: dict[str, list[tuple[HandIn, Path]]] = defaultdict(list)
    for handin, made in ready:
        by_assignment[handin.assignment].append((handin, made))
    for assignment, several in sorted(by_assignment.items()):
        ledger = Ledger(course, assignment)
        try:
            for some in _by_student(several):
                pause()
                if len(some) > 1 and not _are_ordered(some):
                    first = some[0][0]
                    why = f"FROM holds {len(some)} different hand-ins of {first.student} for {assignment}, and nothing tells which is the later"
                    collection.left.append(Left(first.name or first.student, why, "keep the one that counts, and collect again"))
                    continue
                for handin, made in some:
                    try:
                        became = place(course, handin, made, ledger, scratch, is_newer)
                    except CannotGrade as refused:
                        collection.left.append(Left(handin.name or handin.student, refused.why, refused.next_step))
                        continue
                    collection.rows.append(CollectRow(handin, became, _lateness(handin, _due_for(course, handin, collection.due.get(assignment)))))
        finally:
            ledger.write()


def _by_student(ready: list[tuple[HandIn, Path]]) -> list[list[tuple[HandIn, Path]]]:
    """The hand-ins of each student, the earliest first."""
    students: dict[str, list[tuple[HandIn, Path]]] = defaultdict(list)
    for handin, made in ready:
        students[handin.student].append((handin, made))
    return [sorted(some, key=lambda one: _mark(one[0])) for _, some in sorted(students.items())]


def _mark(handin: HandIn) -> tuple[datetime.datetime, int, tuple[int, ...]]:
    return handin.time or datetime.datetime.min, handin.upload, handin.at or ()


def _are_ordered(some: list[tuple[HandIn, Path]]) -> bool:
    """Whether it is known which of a student's hand-ins in FROM is the latest: by time, by Canvas's number, by the archive's date, or all are one."""
    handins = [handin for handin, _ in some]
    if len({digest(handin.files) for handin in handins}) == 1:
        return True
    if len({handin.platform for handin in handins}) > 1:
        return all(handin.time for handin in handins) and len({handin.time for handin in handins}) == len(handins)
    for marks in ([handin.time for handin in handins], [handin.upload for handin in handins], [handin.at for handin in handins]):
        if all(marks):
            return len(set(marks)) == len(marks)
    return False


def _due_dates(course: Course) -> dict[str, datetime.datetime | None]:
    """When each assignment is due, in UTC: `dates.csv`, else the gradebook."""
    found: dict[str, datetime.datetime | None] = {}
    if course.has_gradebook:
        with course.gradebook() as gradebook:
            found = dict(gradebook.db.query(Assignment.name, Assignment.duedate).all())
    return {**found, **{name: without_zone(due.at) for name, due in (course.dates.due if course.dates else {}).items()}}


def _due_for(course: Course, handin: HandIn, due: datetime.datetime | None) -> datetime.datetime | None:
    """When it is due for the student."""
    own = course.dates.extensions.get((handin.assignment, handin.student)) if course.dates else None
    return due if own is None else without_zone(own)


def _lateness(handin: HandIn, due: datetime.datetime | None) -> str:
    if handin.time is not None and due is not None:
        return f"late by {duration((handin.time - due).total_seconds())}" if handin.time > due else ""
    return "late, says Canvas" if handin.marked_late else ""
