"""Files of FROM, put together to hand-ins: one student's files for one assignment, as they will lie in `submitted/`."""

from __future__ import annotations

import datetime
import filecmp
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nbjudge._lms.archives import Found, Left, Stamp
from nbjudge._lms.names import CANVAS, PLAIN, Assignments, NotebookFacts, Origin, squeezed
from nbjudge._lms.people import WRITE_NAMES, ClassList, PersonFound
from nbjudge._nbgrader.copying import RECEIPT
from nbjudge._nbgrader.student_files import MOST_FILES, TOO_DEEP, TOO_MANY, FileLimits, LeftOut, is_too_deep, within

OURS = {"timestamp.txt", "submission_secret.txt", RECEIPT}  # what nbgrader and the grader believe: no student writes it into a hand-in
CHOOSE = "type the same command with ASSIGNMENT=NAME (`--assignment NAME`)"
LONGEST_PART = 200  # bytes of a name of a file or folder


@dataclass(frozen=True)
class HandInPart:
    """A file of FROM with what is known of it."""

    found: Found
    origin: Origin
    told: NotebookFacts | None  # of a notebook

    @property
    def where(self) -> str:
        """Where it lies, for a sentence."""
        return str(self.found.path if self.found.inside is None else self.found.path / self.found.inside)

    @property
    def upload(self) -> tuple[str, int]:
        """One thing that the student uploaded: a file, or an archive with several."""
        return str(self.found.path), self.origin.file


@dataclass
class HandIn:
    """What one student handed in for one assignment.

    Attributes:
        name: what FROM calls the student; of it `who` is the name, `number` the platform's number, `prefix` what files begin with.
        files: where each lies, by its path in the student's folder.
        uploads: for each notebook Canvas's number of its file, and the file's name there.
        at: the date that a platform's archive gives it; time of whoever packed it.
        upload: Canvas's number of the latest file: numbers grow with time.
        time: when it was handed in, in UTC, where that is known.
        marked_late: Canvas says so.
        remarks: what to know about it.
    """

    assignment: str
    student: str
    name: str
    platform: str
    prefix: str = ""
    who: str = ""
    number: str = ""
    files: dict[PurePosixPath, Path] = field(default_factory=dict)
    uploads: dict[str, tuple[int, str]] = field(default_factory=dict)
    at: Stamp | None = None
    upload: int = 0
    time: datetime.datetime | None = None
    marked_late: bool = False
    is_new_name: bool = False
    remarks: list[str] = field(default_factory=list)


def put_together(pieces: list[HandInPart], people: ClassList, assignments: Assignments, chosen: str = "") -> tuple[list[HandIn], list[Left]]:
    """The hand-ins among the files of FROM, and what is none.

    Args:
        chosen: the assignment that the instructor named.
    """
    handins: list[HandIn] = []
    left: list[Left] = []
    trusts_numbers = any(piece.origin.platform == CANVAS and piece.origin.number in people.numbers for piece in pieces)
    slots: dict[tuple[str, str], list[HandInPart]] = defaultdict(list)
    for piece in pieces:
        slots[piece.origin.platform, piece.origin.slot].append(piece)
    for (platform, slot), own in slots.items():
        of_slot = chosen if chosen or platform == PLAIN else _of_slot(slot, own, left)
        if not of_slot and platform != PLAIN:
            continue
        groups: dict[tuple[str, str], list[HandInPart]] = defaultdict(list)
        known: dict[str, PersonFound] = {}
        for piece in own:
            whose = people.whose(piece.origin, trusts_numbers)
            if not whose.student:
                left.append(Left(piece.where, whose.why, whose.next_step))
                continue
            key = "" if platform == PLAIN else piece.origin.prefix
            known[whose.student + "\0" + key] = whose
            groups[whose.student, key].append(piece)
        for (student, key), theirs in sorted(groups.items()):
            whose = known[student + "\0" + key]
            for assignment, some in _by_assignment(theirs, of_slot, assignments, left).items():
                if handin := _hand_in(assignment, whose, some, left):
                    handins.append(handin)
    return _one_person_each(handins, people, left), left


def _of_slot(slot: str, pieces: Iterable[HandInPart], left: list[Left]) -> str:
    """The assignment of a platform's archive: that of most of its students."""
    votes: dict[str, set[str]] = defaultdict(set)
    for piece in pieces:
        if piece.told is not None and len(piece.told.assignments) == 1:
            votes[next(iter(piece.told.assignments))].add(piece.origin.prefix)
    counts = Counter({assignment: len(students) for assignment, students in votes.items()}).most_common()
    if counts and (len(counts) == 1 or counts[0][1] > sum(count for _, count in counts[1:])):
        return counts[0][0]
    why = (
        "no notebook in it is one of the course's"
        if not counts
        else f"its hand-ins are for several assignments ({', '.join(f'{name}: {count}' for name, count in counts)})"
    )
    left.append(Left(slot if slot != "." else "FROM", f"which assignment it is for cannot be told: {why}", CHOOSE))
    return ""


def _by_assignment(pieces: list[HandInPart], of_slot: str, assignments: Assignments, left: list[Left]) -> dict[str, list[HandInPart]]:
    """A student's files by assignment: notebooks as they tell, other files with the notebook beside them, or with the only one."""
    groups: dict[str, list[HandInPart]] = defaultdict(list)
    others: list[HandInPart] = []
    for piece in pieces:
        may_be = piece.told.assignments if piece.told else frozenset()
        folders = {name for name in assignments if any(squeezed(name) == squeezed(part) for part in piece.found.path.parts[:-1])}
        if of_slot:
            if may_be and of_slot not in may_be and piece.told is not None and piece.told.by_cells:
                left.append(
                    Left(
                        piece.where,
                        f"its cells belong to {' or '.join(sorted(may_be))}, not to {of_slot}",
                        "ask the student to hand it in where it belongs, or collect it from a folder of its own",
                    )
                )
                continue
            groups[of_slot].append(piece)
        elif piece.told is None or not may_be:
            others.append(piece)
        else:
            narrowed = may_be & folders or may_be
            if len(narrowed) == 1:
                groups[next(iter(narrowed))].append(piece)
            else:
                left.append(Left(piece.where, f"it may belong to {' or '.join(sorted(narrowed))}", CHOOSE))
    for piece in others:
        beside = {
            name
            for name, own in groups.items()
            if name in piece.found.path.parts or any(one.found.path.parent == piece.found.path.parent and one.found.inside is None for one in own)
        }
        folder = next((name for name in assignments if any(squeezed(name) == squeezed(part) for part in piece.found.path.parts[:-1])), "")
        if folder:
            groups[folder].append(piece)
        elif len(beside or groups) == 1:
            groups[next(iter(beside or groups))].append(piece)
        elif piece.told is not None:
            left.append(Left(piece.where, "it is none of the course's notebooks, by its cells and by its name", CHOOSE))
        else:
            left.append(Left(piece.where, "no notebook tells which assignment it belongs to", CHOOSE))
    return groups


def _hand_in(assignment: str, whose: PersonFound, pieces: list[HandInPart], left: list[Left]) -> HandIn | None:
    """The files of one student for one assignment, each in its place."""
    first = pieces[0].origin
    handin = HandIn(
        assignment,
        whose.student,
        first.shown_name,
        first.platform,
        first.prefix,
        next(iter(first.who), ""),
        first.number,
        is_new_name=whose.is_stranger,
    )
    notebooks: dict[str, list[HandInPart]] = defaultdict(list)
    others: list[HandInPart] = []
    for piece in pieces:
        notebook = piece.told.within(assignment) if piece.told else ""
        (notebooks[notebook] if notebook else others).append(piece)
    if not notebooks:
        names = ", ".join(sorted(piece.where for piece in pieces)[:3])
        left.append(Left(names, f"{whose.student or first.shown_name} handed in no notebook of {assignment}", "ask the student for the notebook"))
        return None
    counted = {}
    for notebook, several in notebooks.items():
        one = _the_one(several)
        if one is None:
            names = ", ".join(piece.where for piece in several)
            left.append(
                Left(
                    names,
                    f"these are different files for {notebook}.ipynb, and nothing tells which is the later",
                    "keep the one that counts, and collect again",
                )
            )
            return None
        if any(not _same(piece, one) for piece in several):
            handin.remarks.append(f"handed in {len(several)} files for {notebook}.ipynb: {one.found.path.name}, uploaded last, counts")
        counted[notebook] = one
        handin.files[PurePosixPath(f"{notebook}.ipynb")] = one.found.file
        handin.uploads[notebook] = one.origin.file, one.found.path.name
    folders = {piece.origin.rest.parent for piece in counted.values()}
    _add_others(handin, others, folders.pop() if len(folders) == 1 else PurePosixPath())
    handin.at = max((piece.found.at for piece in pieces if piece.found.at is not None), default=None) if first.platform != PLAIN else None
    handin.upload = max(piece.origin.file for piece in pieces)
    handin.marked_late = any(piece.origin.late for piece in pieces)
    return handin


def _the_one(pieces: list[HandInPart]) -> HandInPart | None:
    """Of several files for one notebook the one that counts; None where that cannot be told."""
    if all(_same(piece, pieces[0]) for piece in pieces[1:]):
        return pieces[0]
    latest = max(piece.origin.file for piece in pieces)
    last = [piece for piece in pieces if piece.origin.file == latest]
    return last[0] if latest and all(_same(piece, last[0]) for piece in last[1:]) else None


def _same(one: HandInPart, other: HandInPart) -> bool:
    return filecmp.cmp(one.found.file, other.found.file, shallow=False)


def _add_others(handin: HandIn, pieces: list[HandInPart], folder: PurePosixPath) -> None:
    """Put what was handed in beside the notebooks in its place: seen from the notebook, where it lies below it."""
    for piece in sorted(pieces, key=lambda piece: piece.where):
        rest = piece.origin.rest
        below = rest.relative_to(folder) if rest.is_relative_to(folder) else rest
        path = PurePosixPath(*[_part(part) for part in below.parts])
        if str(path) in OURS and not (str(path) == "timestamp.txt" and _is_instructors(piece, handin)):
            handin.remarks.append(f"{path} is left out: no student writes it")
        elif any(path == there or path in there.parents or there in path.parents for there in handin.files):
            handin.remarks.append(f"{piece.where} is left out: another file has its place")
        else:
            handin.files[path] = piece.found.file


def leave_out_large(handin: HandIn, limits: FileLimits) -> Left | None:
    """Leave out what a hand-in has more than it may have, and say so; what to tell in its place where that is its notebook."""
    left_out, sizes = LeftOut(), dict[str, int]()
    for path in sorted(handin.files, key=lambda path: (len(path.parts), path)):
        name = str(path)
        if is_too_deep(name) or len(sizes) == MOST_FILES:
            left_out.add(name, TOO_DEEP if is_too_deep(name) else TOO_MANY)
        else:
            sizes[name] = handin.files[path].stat().st_size
    kept = set(within(sizes, limits, left_out))
    handin.files = {path: file for path, file in handin.files.items() if str(path) in kept}
    handin.remarks += left_out.told()
    if lost := [name for name in handin.uploads if f"{name}.ipynb" not in kept]:
        name = f"{lost[0]}.ipynb"
        return Left(handin.name or handin.student, f"{name} is not taken: {left_out.why(name)}", "ask the student to clear all outputs, and save")
    return None


def _is_instructors(piece: HandInPart, handin: HandIn) -> bool:
    """Whether a file lies as the instructor lays it out: STUDENT/ASSIGNMENT/timestamp.txt, in no archive of a student's."""
    return piece.origin.platform == PLAIN and piece.found.inside is None and piece.found.path.parts[-2:-1] == (handin.assignment,)


def _part(name: str) -> str:
    text = "".join("_" if unicodedata.category(letter)[0] == "C" else letter for letter in name)
    while len(text.encode()) > LONGEST_PART:
        text = text[1:]
    return text


def _one_person_each(handins: list[HandIn], people: ClassList, left: list[Left]) -> list[HandIn]:
    """Leave out hand-ins of a platform that call two of its participants by one student's name."""
    numbers: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for handin in handins:
        if handin.number:
            numbers[handin.platform, handin.assignment, handin.student].add(handin.number)
    kept = []
    for handin in handins:
        several = numbers.get((handin.platform, handin.assignment, handin.student), set())
        if len(several) > 1 and not people.is_written(handin.prefix, f"{handin.who}_{handin.number}"):
            left.append(Left(handin.prefix, f"{len(several)} participants have the name of {handin.student}", WRITE_NAMES))
        else:
            kept.append(handin)
    return kept
