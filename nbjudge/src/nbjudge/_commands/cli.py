"""The command line: `nbjudge collect`, `grade`, `watch`, `report`, `giveback` and so on; the same as `python -m nbjudge`."""

from __future__ import annotations

import argparse
import errno
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

from nbformat.warnings import MissingIDFieldWarning
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from nbjudge._commands.check_page import check
from nbjudge._commands.class_list import class_list
from nbjudge._commands.move import move
from nbjudge._common.atomic_write import DISK_FULL
from nbjudge._common.settings import Report
from nbjudge._common.signals import pause, stoppable
from nbjudge._common.terminal_text import NAME, plural, say, shown
from nbjudge._course.class_records import ASK, bring_up_to_date, has_class_files
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.grading import grade_class, left_alone, write_feedback
from nbjudge._course.locks import turn
from nbjudge._course.outcomes import INTERRUPTED, Outcome
from nbjudge._course.process_pool import Engine, LocalEngine
from nbjudge._lms.command import collect, giveback
from nbjudge._lms.export import export
from nbjudge._lms.gradescope import gradescope
from nbjudge._lms.regrade import regrade
from nbjudge._lms.result_formats import VISIBILITIES
from nbjudge._lms.single import single
from nbjudge._nbgrader.database import called
from nbjudge._report.command import remember, report
from nbjudge._report.csv_files import BY_QUESTION, GRADES, read_grades, write_grades
from nbjudge._report.terminal import MOST_STUDENTS, print_changes, print_report
from nbjudge._sandbox import doctor
from nbjudge._watch.watcher import watch
from nbjudge._wire.errors import CannotGrade, GraderError

Command = Callable[[argparse.Namespace, Console], int]


def grade(course: Course, console: Console, engine: Engine | None = None, wanted: Sequence[str] = (), forced: bool = False) -> int:
    """Grade the class, here by default; 0 when no outcome asks for another run. A submission that its student has to mend does not.

    Args:
        wanted: the assignments to grade; all by default.
        forced: whether each submission is executed once more, also where nothing has changed.
    """
    only = course.named(wanted)
    with turn(course, "nbjudge grade", lambda words: say(console, words)):
        return _grade(course, console, engine, only, forced)


def _grade(course: Course, console: Console, engine: Engine | None, only: Sequence[str], forced: bool) -> int:
    outcomes: list[Outcome] = []
    Report.of(course.config)  # what cannot be is told before anything is graded
    changed = bring_up_to_date(course).changed_penalties
    try:
        with (
            stoppable(),
            Progress(
                TextColumn("grading"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                TextColumn("{task.description}", markup=False),
                console=console,
            ) as bar,
        ):
            task = bar.add_task("")
            for outcome in grade_class(course, started=lambda count: bar.update(task, total=count), engine=engine, only=only, forced=forced):
                if course.roster is not None and outcome.student and outcome.student not in course.roster:
                    outcome.notes.append(ASK)
                outcomes.append(outcome)
                bar.update(task, advance=1, description=shown(outcome.student, NAME))
                if not console.is_terminal:
                    say(console, f"{outcome.status.value:>13}  {shown(outcome.where)}")
                pause()
    except KeyboardInterrupt:
        console.print(
            f"\nStopped. {plural(len(outcomes), 'outcome')} {'is' if len(outcomes) == 1 else 'are'} recorded; the same command goes on from here."
        )
        return INTERRUPTED
    _write_again(course, {*changed, *bring_up_to_date(course).changed_penalties}, outcomes)
    everything = [*outcomes, *(left_alone(course, only) if only else [])]
    every = read_grades(course, everything)
    grades = [one for one in every if not only or one.assignment in only]
    print_report(console, grades, outcomes, course.reporting)
    write_grades(course, every, everything)
    print_changes(console, remember(course, outcomes, only))
    if only:
        say(console, f"\nonly {', '.join(map(shown, only))} {'was' if len(only) == 1 else 'were'} graded and shown; {GRADES} has all assignments")
    console.print(
        f"grades: {GRADES}, {BY_QUESTION}/ and {called(course.folders.db_url)}; notebooks as they ran: autograded/; for the students: feedback/"
    )
    if any(len(assignment.rows) > MOST_STUDENTS for assignment in grades):
        report(course, console)
    return 1 if any(outcome.asks_for_another_run for outcome in outcomes) else 0


def _write_again(course: Course, changed: set[tuple[str, str]], outcomes: list[Outcome]) -> None:
    """Write the pages of those whose penalty has changed; what was not executed again tells so, too."""
    graded = {(outcome.student, outcome.assignment): outcome for outcome in outcomes}
    for student, assignment, trouble in write_feedback(course, changed) if changed else ():
        if trouble is not None and (student, assignment) in graded:
            graded[student, assignment].notes.append(f"its feedback page could not be written: {trouble.why}")


def feedback(course: Course, console: Console) -> int:
    """See that the feedback of every graded submission is as it would be now, for example after grading by hand; 1 when one fails."""
    written = troubles = 0
    with turn(course, "nbjudge feedback", lambda words: say(console, words)):
        bring_up_to_date(course)
        for student, assignment, trouble in write_feedback(course):
            written, troubles = written + (trouble is None), troubles + (trouble is not None)
            if trouble is not None:
                say(console, f"{shown(student)}/{shown(assignment)}: {shown(str(trouble))}")
    console.print(f"feedback for {plural(written, 'submission')}: open feedback/STUDENT/ASSIGNMENT/*.html")
    return 1 if troubles else 0


def _report(course: Course, console: Console, folder: Path | None, hides_names: bool, compares: bool) -> int:
    """The report of a gradebook that says what class.csv and dates.csv do."""
    if course.has_gradebook and has_class_files(course):
        with turn(course, "nbjudge report", lambda words: say(console, words)):
            bring_up_to_date(course)
    return report(course, console, folder, hides_names, compares)


def _doctor(chosen: argparse.Namespace, console: Console) -> int:
    """Examine the sandbox that grading uses in this course, or, where there is no course, the usual one."""
    if not (chosen.course / CONFIG).is_file():
        return doctor.main(sandboxed=not chosen.no_sandbox)
    executor = _course(chosen).executor()
    return doctor.main(tuple(executor.packages), executor.sandbox, executor.chosen_limits())


def _in_course(command: Callable[[Course, Console], int]) -> Command:
    """A command that works on a course, as one that takes the command line's choices."""
    return lambda chosen, console: command(_course(chosen), console)


def _course(chosen: argparse.Namespace) -> Course:
    course = Course(chosen.course.resolve())
    if getattr(chosen, "no_sandbox", False):
        course.config.Execute.sandbox = False
    return course


def _engine(chosen: argparse.Namespace, console: Console) -> Engine:
    """Where to execute. Dask is imported only where it is asked for."""
    if chosen.cluster is None:
        return LocalEngine(chosen.workers)
    try:
        from nbjudge._cluster.pool import Cluster
    except ModuleNotFoundError as missing:
        if str(missing.name).split(".")[0] not in ("dask", "distributed"):
            raise
        raise CannotGrade(
            f"a cluster needs Dask, and {missing.name} is not installed here",
            "pip install 'nbjudge[cluster]', or requirements-cluster.txt where the course has one, then run the same command again",
        ) from missing
    return Cluster(chosen.cluster, lambda words: say(console, shown(words, 2000)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="nbjudge", description="Grade nbgrader courses: student code in a sandbox, tests elsewhere.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Command, words: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=words, description=words[0].upper() + words[1:] + ".")
        added.set_defaults(command=command)
        added.add_argument("--course", type=Path, default=Path.cwd(), help="the folder with nbgrader_config.py; this one by default")
        return added

    collecting = add(
        "collect",
        lambda chosen, console: collect(_course(chosen), console, chosen.source, chosen.assignment, chosen.names, chosen.newer),
        "put hand-ins into submitted/, and list who handed in what",
    )
    collecting.add_argument(
        "source",
        nargs="?",
        default="",
        metavar="FROM",
        help="a zip of Moodle's or Canvas's, a folder of notebooks named by student, or an exchange; it is not changed",
    )
    collecting.add_argument("--assignment", default="", help="the one that all of it is for; by default the cells tell")
    collecting.add_argument("--names", type=Path, help="a file of lines `name,student`; names.csv in the course's folder by default, if it is there")
    collecting.add_argument("--newer", action="store_true", help="where nothing tells which of two hand-ins is later, it is the one in FROM")
    add("class", _in_course(class_list), "check class.csv and dates.csv, and say what they change: students, due dates, penalties")
    giving = add(
        "giveback",
        lambda chosen, console: giveback(_course(chosen), console, chosen.to, chosen.assignment),
        "give feedback back: a zip for each assignment, or nbgrader's exchange",
    )
    giving.add_argument("to", nargs="?", default="", metavar="TO", help="moodle, canvas or exchange")
    giving.add_argument("--assignment", default="", help="the only one; all by default")
    grading = add(
        "grade",
        lambda chosen, console: grade(_course(chosen), console, _engine(chosen, console), chosen.assignment, chosen.force),
        "grade everything in submitted/",
    )
    grading.add_argument("assignment", nargs="*", help="names of assignments; all by default")
    grading.add_argument("--force", action="store_true", help="execute each submission once more, also where nothing has changed")
    where = grading.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, help="how many submissions to execute at once; one for each core by default")
    where.add_argument("--cluster", metavar="ADDRESS", help="have the workers of a Dask scheduler execute them: its address, or its scheduler file")
    watching = add(
        "watch", lambda chosen, console: watch(lambda: _course(chosen), console, chosen.limit), "grade what is handed in as it comes, until Ctrl-C"
    )
    watching.add_argument("--limit", type=int, help="how often a student is graded within an hour; c.Watch.limit by default")
    checking = add(
        "check",
        lambda chosen, console: check(_course(chosen), console, chosen.assignment, chosen.propose),
        "before any student is graded: say which test cells can be judged, which not, why, and what to do",
    )
    checking.add_argument(
        "--propose", action="store_true", help="print only the lines for nbgrader_config.py that the cells need, checked with these"
    )
    checking.add_argument("assignment", nargs="*", help="names of assignments; all by default")
    reporting = add(
        "report",
        lambda chosen, console: _report(_course(chosen), console, chosen.folder, chosen.anonymous, chosen.similar),
        "write a folder of pages: who needs help, which question failed, and why",
    )
    reporting.add_argument("--folder", type=Path, help="where the pages go; `report` in the course's folder by default")
    reporting.add_argument("--anonymous", action="store_true", help="give students numbers in place of their names")
    reporting.add_argument("--similar", action="store_true", help="look for submissions that are unusually alike, too")
    add("feedback", _in_course(feedback), "write the students' feedback again where it would be another one, for example after grading by hand")
    looking = add(
        "regrade",
        lambda chosen, console: regrade(_course(chosen), console, chosen.source),
        "take in students' requests for a second look and your answers in regrades.csv, and list what is open",
    )
    looking.add_argument(
        "source", nargs="?", default="", metavar="FROM", help="a folder, a zip, a mailbox, or files of requests; what lies in submitted/ by default"
    )
    add("export", _in_course(export), "write the points as Canvas and Moodle import them")
    zipping = add(
        "gradescope",
        lambda chosen, console: gradescope(_course(chosen), console, chosen.assignment, chosen.visibility),
        "write a zip for each assignment, of which Gradescope makes an autograder, to dist/gradescope/",
    )
    zipping.add_argument("assignment", nargs="*", help="names of assignments; all by default")
    grading_one = add(
        "single",
        lambda chosen, console: single(_course(chosen), console, chosen),
        "grade one hand-in, and write its result as another platform reads it; the platform calls this",
    )
    grading_one.add_argument("assignment", help="its name")
    grading_one.add_argument("hand_in", type=Path, metavar="FOLDER", help="what was handed in")
    to = grading_one.add_mutually_exclusive_group(required=True)
    to.add_argument("--gradescope", type=Path, metavar="FILE", help="write Gradescope's results.json")
    to.add_argument("--classroom50", type=Path, metavar="FILE", help="write result.json of Classroom 50")
    grading_one.add_argument(
        "--private", type=Path, action="append", default=[], metavar="FOLDER", help="closed to students' code where namespaces are forbidden"
    )
    for added in (zipping, grading_one):
        added.add_argument("--visibility", choices=VISIBILITIES, default="visible", help="when Gradescope's students see points and messages")
    moving = add(
        "move",
        lambda chosen, console: move(_course(chosen), console, chosen.to),
        "move the gradebook to a server's database, or from there into a file",
    )
    moving.add_argument("to", metavar="TO", help="its address, as c.CourseDirectory.db_url will have it: postgresql+psycopg://USER@HOST/NAME")
    examining = add("doctor", _doctor, "try to break out of the sandbox, and say what holds")
    for added in (grading, watching, checking, examining):
        added.add_argument("--no-sandbox", action="store_true", help="run without protection, with your rights")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit status."""
    chosen = _parser().parse_args(arguments)
    # nbgrader 0.9.6 with newer libraries than it was made for; there is nothing to act on
    warnings.filterwarnings("ignore", module=r"nbgrader\.api")
    warnings.filterwarnings("ignore", category=MissingIDFieldWarning)
    for name in ("tornado.application", "sqlalchemy"):  # nbgrader's database errors, and lost connections; outcomes tell them
        logging.getLogger(name).addHandler(logging.NullHandler())
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    try:
        return chosen.command(chosen, console)
    except GraderError as error:
        print(shown(str(error), lines=True), file=sys.stderr)
        return 1
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"{DISK_FULL}. Next: make room, then run the same command again. What is recorded stays.", file=sys.stderr)
        return 1
