"""`nbjudge report`: from the gradebook and the graded notebooks to a report, and to its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from nbjudge._common.settings import Report
from nbjudge._common.terminal_text import NAME, plural, say, shown
from nbjudge._course.course import Course
from nbjudge._course.outcomes import Outcome
from nbjudge._course.task_pool import TaskPool
from nbjudge._execution.verdicts import Clue
from nbjudge._report import alike, charts, item_statistics, pages, regrades, students
from nbjudge._report.causes import Causes
from nbjudge._report.failures import Failure, Names, TestResult, Wanted, tell, wanted_of, words_of
from nbjudge._report.gradebook import Book, Graded, read_book, with_class
from nbjudge._report.history import Snapshot, changes, keep, last_two, photograph
from nbjudge._report.model import Cause, Consequences, NotJudged, Part, PointsChange, Question, ReportData, Trend
from nbjudge._report.trend import trend
from nbjudge._wire.errors import CannotGrade

CLOSE = 1e-9
NO_TEST = "No question here is graded by a test, so nothing can be said about causes."
NO_NOTEBOOKS = (
    "There is no graded notebook to read of {count} of {all} submissions: what was attempted, and why points were lost, is not known there."
)
Notebooks = Mapping[tuple[str, str], TestResult]  # by student and assignment


def read_notebooks(course: Course, book: Book, read: Callable[[], None] = lambda: None, compares: bool = False) -> dict[tuple[str, str], TestResult]:
    """What the graded notebooks tell, read beside this process; one that cannot be read is left out.

    Args:
        read: called after each.
        compares: whether answers are to be compared.
    """
    wanted: dict[str, Wanted] = {
        name: replace(wanted_of(questions, book.cells.get(name, [])), compares=compares) for name, questions in book.questions.items()
    }
    found = {}
    with TaskPool[tuple[str, str]](course.root) as pool:
        asked = ((one.student, one.assignment, wanted[one.assignment]) for one in book.submissions)
        for (student, assignment, _), told in pool.map(tell, asked):
            if isinstance(told, TestResult) and told.attempted:
                found[student, assignment] = told
            read()
    return found


def compose(
    course: Course, settings: Report, book: Book, told: Notebooks, now: Snapshot, before: Snapshot | None, hide_names: bool, compares: bool = False
) -> ReportData:
    """The whole report.

    Args:
        now: the photograph of `book`.
        before: the one of the grading before, or None.
        hide_names: whether students have numbers instead of names.
        compares: whether answers are compared.
    """
    names = Names(_everybody(book, now), hide_names)
    by_assignment: dict[str, list[Graded]] = defaultdict(list)
    for submission in book.submissions:
        by_assignment[submission.assignment].append(submission)
    parts = tuple(_part(name, questions, by_assignment[name], told, names, book) for name, questions in book.questions.items())
    listed = [question for questions in book.questions.values() for question in questions]
    changed, news = changes(before, now, listed) if before else ((), ())
    shown = tuple(
        PointsChange(one.question, one.why, tuple((names.id_of(student), then, here) for student, then, here in one.who)) for one in changed
    )
    nobodys = [f"{entry['where']}: {entry['why']}. Next: {entry['next_step']}" for entry in now.outcomes if not entry["student"]]
    if hide_names and nobodys:
        are = "is no submission" if len(nobodys) == 1 else "are no submissions"
        nobodys = [f"{plural(len(nobodys), 'entry', 'entries')} in {course.folder('submitted').name}/ {are} of anybody's"]
    return ReportData(
        course.folders.course_id or course.root.name,
        datetime.now(UTC),
        parts,
        students.lines(course, settings, book, told, now, before, names),
        shown,
        news,
        before.when if before else None,
        hide_names,
        tuple(nobodys),
        {part.assignment: part.most for part in parts},
        _trend(settings, book, names),
        tuple(name for name in book.questions if book.due_at(name) is None and name not in settings.optional),
        second_looks=regrades.figures(course, book),
        alike=alike.pairs(course, book, told, names) if compares else None,
    )


def _everybody(book: Book, now: Snapshot) -> dict[str, tuple[str, str, str]]:
    others = {entry["student"]: ("", "", "") for entry in now.outcomes if entry["student"]}
    return {**others, **{submission.student: ("", "", "") for submission in book.submissions}, **book.people}


def _part(assignment: str, questions: list[Question], submissions: list[Graded], told: Notebooks, names: Names, book: Book) -> Part:
    scores = {
        one.student: {question: one.marks[key].points for question in questions if (key := (question.notebook, question.name)) in one.marks}
        for one in submissions
    }
    attempts: dict[str, dict[Question, bool | None]] = {
        one.student: {question: known.attempted.get((question.notebook, question.name)) for question in questions}
        for one in submissions
        if (known := told.get((one.student, assignment))) is not None
    }
    texts = {(cell.notebook, cell.name): cell.source for cell in book.cells.get(assignment, [])}
    kept = words_of(texts.values())
    tests = [question for question in questions if question.is_automatic]
    causes = [
        cause
        for question in tests
        for cause in _causes(question, submissions, told, Causes(question, texts.get((question.notebook, question.name), ""), names, kept), names)
    ]
    consequences = [found for question in tests if (found := _consequences(question, submissions, told)).answers]
    not_judged = [one for question in tests if (one := _not_judged(question, submissions, told, names)).answers]
    missing = sum((one.student, assignment) not in told for one in submissions)
    notes = ([] if tests else [NO_TEST]) + ([NO_NOTEBOOKS.format(count=missing, all=len(submissions))] if missing else [])
    of, sums = item_statistics.complete_sums(questions, scores)
    return Part(
        assignment,
        assignment,
        sum(question.most for question in questions),
        of,
        len(submissions),
        sums,
        item_statistics.items(questions, scores, attempts),
        tuple(sorted(causes, key=lambda cause: (cause.is_named, -len(cause.students)))),
        item_statistics.together(questions, scores),
        tuple(notes),
        tuple(consequences),
        tuple(not_judged),
    )


def _consequences(question: Question, submissions: list[Graded], told: Notebooks) -> Consequences:
    """What follow-through gave at a question."""
    key, only, partly, points = (question.notebook, question.name), 0, 0, 0.0
    for one in submissions:
        known, marks = told.get((one.student, one.assignment)), one.marks.get(key)
        if known is not None and marks is not None and (found := known.follow_through.get(key)) is not None:
            is_only = found.points >= question.most - CLOSE
            only, partly = only + is_only, partly + (not is_only)
            points += max(0.0, (marks.automatic or 0.0) - found.own_points)
    return Consequences(question, only, points, partly)


def _not_judged(question: Question, submissions: list[Graded], told: Notebooks, names: Names) -> NotJudged:
    """How many answers wait because the test of a question could not judge."""
    key = question.notebook, question.name
    waiting = [one for one in submissions if (marks := one.marks.get(key)) is not None and marks.points is None]
    known = [(one.student, told.get((one.student, one.assignment), TestResult()).not_judged.get(key)) for one in waiting]
    reasons = Counter(names.hidden(why, student) for student, why in known if why)
    return NotJudged(question, len(waiting), reasons.most_common(1)[0][0] if reasons else "")


def _causes(question: Question, submissions: list[Graded], told: Notebooks, causes: Causes, names: Names) -> list[Cause]:
    """Failures of a question by cause: of those who attempted it and lost points at its test, other than as a consequence of earlier failures alone.

    Where the test gave all points and a person fewer, the answer is right as far as the test can tell, and no example of a failure.
    """
    key, attempts = (question.notebook, question.name), 0
    for one in submissions:
        known = told.get((one.student, one.assignment))
        marks = one.marks.get(key)
        if known is None or marks is None or marks.points is None or key in known.not_judged or not known.attempted.get(key):
            continue
        attempts += 1
        through = known.follow_through.get(key)
        is_consequence = through is not None and through.points >= question.most - CLOSE
        is_passed = marks.automatic is not None and marks.automatic >= question.most - CLOSE
        if marks.points < question.most - CLOSE and not is_passed and not is_consequence:
            causes.add(one.student, known.failures.get(key) or Failure(*key, "", Clue(), ""))
    return [cause.with_students(tuple(sorted(map(names.id_of, cause.students)))) for cause in causes.told(attempts)]


def _trend(settings: Report, book: Book, names: Names) -> Trend:
    """The trend over the assignments that everybody has to hand in, of those that are due or that have no date."""
    shares = {name: held for name, held in students.shares_of(book).items() if name not in settings.optional}
    by_now = {name: held for name, held in shares.items() if book.due_at(name) is None or any(book.is_due(name, one) for one in held)}
    everybody = {one for held in shares.values() for one in held}
    expected = {
        name: {one for one in everybody if book.is_due(name, one)}
        if book.due_at(name) is not None
        else everybody
        if 2 * len(held) >= len(everybody)
        else set()
        for name, held in by_now.items()
    }
    found = trend(by_now, expected)
    return replace(found, moved=tuple(replace(one, student=names.id_of(one.student)) for one in found.moved))


FOLDER = "report"
FEW, LONGEST_CAUSE, INDENT = 3, 120, 15  # students, questions and causes that are named; letters of a cause, and before an answer


def report(course: Course, console: Console, folder: Path | None = None, hide_names: bool = False, compares: bool = False) -> int:
    """Write the report, and say what it answers and where it is; 0 always.

    Args:
        folder: where the pages go; `report` in the course's folder by default.
        hide_names: whether students have numbers instead of names.
        compares: whether to look for submissions that are unusually alike.

    Raises:
        CannotGrade: there is nothing to report, or the pages cannot be written there.
    """
    target = folder or course.root / FOLDER
    whole = make(course, console, hide_names, compares)
    index = pages.write(target, whole)
    say(console, summary(whole))
    if whole.alike is not None:
        found = len(whole.alike)
        say(console, f"{'unusually alike:':<{INDENT}} {plural(found, 'pair')} of submissions{', a reason to look' if found else ''}")
    say(console, f"report: {_seen_from(course.root, index)}")
    return 0


def summary(whole: ReportData) -> str:
    """The three answers of a report in a few lines: who needs you, what went worst, and why."""
    listed = pages.pages_of(whole)
    return "\n".join(
        f"{question if place == 0 else '':<{INDENT}}{line}"
        for question, lines in (
            ("who needs you:", _who(whole, listed) or ["nobody"]),
            ("went worst:", _worst(listed) or [f"no question has a mean under {charts.percent(charts.WELL)}"]),
            ("why:", _why(whole, listed)),
        )
        for place, line in enumerate(lines)
    )


def _who(whole: ReportData, listed: list[charts.Page]) -> list[str]:
    standings = sorted((charts.standing(line) for line in whole.lines), key=lambda each: each.order)
    names = [shown(each.line.name or each.line.student, NAME) for each in standings if each.stands_out]
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    not_graded, waiting = sum(len(line.not_graded) for line in whole.lines), sum(page.waiting for page in listed)
    broken = [one for page in listed for one in page.part.not_judged]
    not_judged = sum(one.answers for one in broken)
    lines = [f"{plural(len(names), 'student')}: {'; '.join(names[:FEW])}{more}"] if names else []
    lines += [f"{plural(not_graded, 'hand-in')} that {'is' if not_graded == 1 else 'are'} not graded"] if not_graded else []
    lines += [f"{plural(waiting - not_judged, 'answer')} to grade by hand"] if waiting > not_judged else []
    named = ", ".join(shown(one.question.label, NAME) for one in broken[:FEW]) + (f" and {len(broken) - FEW} more" if len(broken) > FEW else "")
    return lines + ([f"{plural(not_judged, 'answer')} that {'a test' if len(broken) == 1 else 'tests'} could not judge: {named}"] if broken else [])


def _worst(listed: list[charts.Page]) -> list[str]:
    return [
        f"{shown(item.question.label, NAME)}: {charts.number(item.mean)} of {charts.number(item.question.most)} on average"
        + (f" ({shown(item.question.assignment, NAME)})" if len(listed) > 1 else "")
        for _, item, _ in charts.worst(listed)[:FEW]
    ]


def _why(whole: ReportData, listed: list[charts.Page]) -> list[str]:
    if not whole.failures:
        lines = ["no answer lost points at a test"]
    else:
        lines = [f"{whole.named} of {plural(whole.failures, 'failure')} {'has' if whole.failures == 1 else 'have'} a cause with a name"]
        lines += [f"{each.count} × {shown(each.places[0].cause.title, LONGEST_CAUSE)}" for each in charts.frequent(listed)[:FEW]]
    if whole.consequences:
        lines.append(f"{plural(whole.consequences, 'answer')} more failed only as a consequence of an earlier failure")
    return lines


def make(course: Course, console: Console, hide_names: bool = False, compares: bool = False) -> ReportData:
    """Read the gradebook and the graded notebooks; keep a photograph of the gradebook where something is different from the last.

    Raises:
        CannotGrade: there is nothing to report.
    """
    settings = Report.of(course.config)
    book = with_class(read_book(course, settings.ending), course)
    earlier, last = last_two(course)
    now = photograph(course, book, before=last)
    before = earlier if last is not None and now.shows_the_same(last) else last
    with Progress(TextColumn("reading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task("", total=len(book.submissions))
        told = read_notebooks(course, book, lambda: bar.advance(task), compares)
    keep(course, now)
    return compose(course, settings, book, told, now, before, hide_names, compares)


def remember(course: Course, outcomes: list[Outcome], only: Collection[str] = ()) -> tuple[PointsChange, ...]:
    """After a grading: keep a photograph of the gradebook, with what became of everything, for reports that tell what changed.

    Args:
        only: the assignments that were graded, where these were not all: of the others, what became of them before is kept.

    Returns:
        Who has other points than in the photograph before, and why.
    """
    try:
        book = read_book(course)
    except CannotGrade:  # nothing was graded, or another program writes at this moment; the report says so itself
        return ()
    _, before = last_two(course)
    now = photograph(course, book, outcomes)
    if only and before:
        now.outcomes += [entry for entry in before.outcomes if entry["assignment"] not in only]
    keep(course, now)
    return changes(before, now, [question for questions in book.questions.values() for question in questions])[0] if before else ()


def _seen_from(root: Path, path: Path) -> str:
    """A path as the person who typed the command would write it."""
    try:
        return str(path.relative_to(root))
    except ValueError:
        return str(path)
