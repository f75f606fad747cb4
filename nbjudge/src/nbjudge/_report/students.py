"""What a report says of each student: points, what is missing, late, not graded and why, and what is unusual."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nbjudge._common.settings import Report
from nbjudge._course.course import Course
from nbjudge._nbgrader.feedback import in_points
from nbjudge._report.failures import Names, TestResult
from nbjudge._report.gradebook import Book, Graded
from nbjudge._report.history import Snapshot, lies_there
from nbjudge._report.model import Question, StudentLine, in_order
from nbjudge._report.terminal import duration

FEW = 4  # untouched questions that are named
FEWEST_ELSEWHERE, FEWEST_STUDENTS, MUCH = 2, 10, 2.0  # assignments, students, and standard deviations: see `much_better`


@dataclass
class About:
    """Sentences about one student."""

    absent: list[str] = field(default_factory=list)  # names of assignments, not sentences
    missing: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    not_graded: list[str] = field(default_factory=list)
    unusual: list[str] = field(default_factory=list)


def lines(
    course: Course, settings: Report, book: Book, told: Mapping[tuple[str, str], TestResult], now: Snapshot, before: Snapshot | None, names: Names
) -> tuple[StudentLine, ...]:
    """One line for everybody in the class list, in the gradebook and in `submitted/`, in the order of the names that the report shows."""
    own: dict[str, dict[str, Graded]] = defaultdict(dict)
    for submission in book.submissions:
        own[submission.student][submission.assignment] = submission
    about: dict[str, About] = defaultdict(About)
    troubles = {(entry["student"], entry["assignment"]): entry for entry in now.outcomes if entry["student"]}
    better = much_better(book)
    twins = _twins(now, told)
    everybody = sorted({*book.people, *own, *(student for student, _ in troubles)})
    dated = sorted((book.dates.due if book.dates is not None else {}).keys() - book.questions.keys(), key=in_order)
    assignments = {**book.questions, **{name: [] for name in dated}}
    for student in everybody:
        for assignment, questions in assignments.items():
            _tell(
                about[student],
                course,
                settings,
                book,
                student,
                assignment,
                questions,
                own[student].get(assignment),
                told.get((student, assignment)),
                troubles,
                now,
                before,
            )
            if others := twins.get((student, assignment)):
                about[student].unusual.append(f"{assignment}: the same file as {_listed([names.id_of(other) for other in others])}")
            if sentence := better.get((student, assignment)):
                about[student].unusual.append(f"{assignment}: {sentence}")
        for (other, assignment), entry in troubles.items():
            if other == student and assignment not in assignments and not entry["is_graded"]:
                about[student].not_graded.append(_why_not(entry))
    found = [_line(student, own[student], about[student], names, book) for student in everybody]
    return tuple(sorted(found, key=lambda line: (line.name.lower(), line.student)))


def _tell(
    about: About,
    course: Course,
    settings: Report,
    book: Book,
    student: str,
    assignment: str,
    questions: list[Question],
    graded: Graded | None,
    told: TestResult | None,
    troubles: Mapping[tuple[str, str], dict[str, Any]],
    now: Snapshot,
    before: Snapshot | None,
) -> None:
    entry = troubles.get((student, assignment))
    lies = lies_there(course, student, assignment)
    if entry is not None and not entry["is_graded"]:
        about.not_graded.append(_why_not(entry) + ("; the points are those of an earlier hand-in" if graded else ""))
    elif graded is None and lies:
        about.not_graded.append(f"{assignment}: handed in, and not graded yet")
    elif graded is None and assignment not in settings.optional and book.is_due(assignment, student):
        about.absent.append(assignment)
    if graded is None:
        return
    if graded.seconds_late > 0:
        off = f", {in_points(graded.penalty)} taken off" if graded.penalty else ""
        about.late.append(f"{assignment}: {duration(graded.seconds_late)} late{off}")
    if told is not None:
        untouched = [question.label for question in questions if told.attempted.get((question.notebook, question.name)) is False]
        if untouched:
            about.missing.append(f"{assignment}: untouched: {_listed(untouched)}")
    digest = now.points.get(student, {}).get(assignment, {}).get("handed_in", "")
    earlier = before.points.get(student, {}).get(assignment, {}).get("handed_in", "") if before else ""
    if earlier and digest and earlier != digest:
        about.unusual.append(f"{assignment}: handed in again since the grading before")
    if lies and digest and lies != digest:
        about.unusual.append(f"{assignment}: handed in again, and not graded again yet")
    about.unusual += [f"{assignment}: {note}" for note in (entry or {}).get("notes", ())]


def much_better(book: Book) -> dict[tuple[str, str], str]:
    """Who did much better in one assignment than in all others, with a sentence.

    Each share of an assignment's graded points is measured in standard deviations from the class's mean there. Told is who lies at least 2 of them
    above the mean of the student's own other assignments, with at least two others, in classes of ten and more. It is a reason to look, and
    no proof of anything: one lesson may simply have been easier to grasp.
    """
    shares = shares_of(book)
    placed: dict[str, dict[str, float]] = defaultdict(dict)
    for assignment, held in shares.items():
        spread = statistics.pstdev(held.values()) if len(held) >= FEWEST_STUDENTS else 0.0
        if spread > 0.01:
            mean = statistics.fmean(held.values())
            for student, share in held.items():
                placed[student][assignment] = (share - mean) / spread
    found = {}
    for student, places in placed.items():
        for assignment, place in places.items():
            others = [other for other in places if other != assignment]
            if len(others) >= FEWEST_ELSEWHERE and place - statistics.fmean(places[other] for other in others) >= MUCH and place > 0:
                elsewhere = statistics.fmean(shares[other][student] for other in others)
                found[student, assignment] = f"{shares[assignment][student]:.0%} of the points, and {elsewhere:.0%} on average elsewhere"
    return found


def shares_of(book: Book) -> dict[str, dict[str, float]]:
    """By assignment and student: the share of the points that are graded, where that is half of them at least."""
    shares: dict[str, dict[str, float]] = {assignment: {} for assignment in book.questions}
    for one in book.submissions:
        if (share := one.points(book.questions[one.assignment]).share) is not None:
            shares[one.assignment][one.student] = share
    return shares


def _twins(now: Snapshot, told: Mapping[tuple[str, str], TestResult]) -> dict[tuple[str, str], list[str]]:
    """Who handed in, byte for byte, the same notebooks as others; notebooks in which nothing was done are left out."""
    same: dict[tuple[str, str], list[str]] = defaultdict(list)
    for student, assignments in now.points.items():
        for assignment, held in assignments.items():
            worked = told.get((student, assignment))
            if held["handed_in"] and worked is not None and any(worked.attempted.values()):
                same[assignment, held["handed_in"]].append(student)
    return {
        (student, assignment): [other for other in students if other != student]
        for (assignment, _), students in same.items()
        if len(students) > 1
        for student in students
    }


def _line(student: str, own: Mapping[str, Graded], about: About, names: Names, book: Book) -> StudentLine:
    def shown(sentences: list[str]) -> tuple[str, ...]:
        return tuple(names.hidden(sentence, student) for sentence in sentences)

    absent = [f"not handed in: {', '.join(about.absent)}"] if about.absent else []
    return StudentLine(
        names.id_of(student),
        names.name_of(student),
        {name: graded.points(book.questions[name]) for name, graded in own.items()},
        shown(absent + about.missing),
        shown(about.late),
        shown(about.not_graded),
        shown(about.unusual),
        "" if names.are_hidden else book.groups.get(student, ""),
    )


def _why_not(entry: Mapping[str, Any]) -> str:
    return f"{entry['assignment'] or entry['where']}: {entry['why']}. Next: {entry['next_step']}"


def _listed(texts: list[str]) -> str:
    counted = list(Counter(texts))
    return ", ".join(counted[:FEW]) + (f" and {len(counted) - FEW} more" if len(counted) > FEW else "")
