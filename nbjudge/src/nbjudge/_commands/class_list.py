"""`nbjudge class`: what `class.csv` and `dates.csv` say, and what they change in the gradebook."""

from __future__ import annotations

from rich.console import Console

from nbjudge._common.due_dates import DATES, Dates
from nbjudge._common.roster import CLASS, Roster
from nbjudge._common.terminal_text import MOST_NAMES, plural, say, shown, some
from nbjudge._course.class_records import ClassChanges, LateHandIn, bring_up_to_date, has_class_files
from nbjudge._course.course import Course
from nbjudge._course.locks import turn
from nbjudge._nbgrader.feedback import in_points, number
from nbjudge._report.terminal import duration
from nbjudge._wire.errors import CannotGrade


def class_list(course: Course, console: Console) -> int:
    """Check both files, write what they say into the gradebook, and tell what is different now; 0 always.

    Raises:
        CannotGrade: there is neither file, or one of them is wrong; nothing was changed.
    """
    if not has_class_files(course):
        raise CannotGrade(
            f"there is neither {CLASS} nor {DATES} in {course.root}",
            f"write {CLASS} with a line `name,id,mail,group` and one for each student, {DATES} with `assignment,due,late,student`; "
            "a spreadsheet program writes both",
        )
    roster, dates = course.roster, course.dates
    with turn(course, "nbjudge class", lambda words: say(console, words)):
        changes = bring_up_to_date(course, removes=True)
    if roster is not None:
        _tell_people(console, course, roster, changes)
    _tell_dates(console, course, dates, changes)
    _tell_late(console, dates, changes)
    return 0


def _tell_people(console: Console, course: Course, roster: Roster, changes: ClassChanges) -> None:
    groups = ", ".join(f"{shown(name)} {len(students)}" for name, students in roster.groups.items())
    say(console, f"{CLASS}: {plural(len(roster), 'student')}{f' (groups: {groups})' if groups else ''}")
    if without := [person.student for person in roster if not person.mail]:
        say(console, f"  without a mail address: {some(without)}")
    if roster.others:
        say(console, f"  columns that say nothing here: {some(roster.others)}")
    if changes.new:
        say(console, f"  new: {some(person.student for person in changes.new)}")
    for person, before in changes.changed[:MOST_NAMES]:
        say(
            console,
            f"  changed: {shown(person.student)} was {shown(before)}, is {shown(person.name)} {shown(person.mail)} {shown(person.number)}".rstrip(),
        )
    if len(changes.changed) > MOST_NAMES:
        say(console, f"  and {len(changes.changed) - MOST_NAMES} more have changed")
    if changes.gone:
        say(console, f"  taken out of the gradebook, where they have no work: {some(changes.gone)}")
    near = {student: roster.near(student) for student in changes.kept}
    for student, meant in near.items():
        if meant:
            say(console, f"  not in {CLASS}, and has work, which stays: {shown(student)}. Did you mean {shown(meant)}?")
    if others := [student for student, meant in near.items() if not meant]:
        say(console, f"  not in {CLASS}, and {'has' if len(others) == 1 else 'have'} work, which stays: {some(others)}")
    folder = course.folder("submitted")
    handed_in = sorted(path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")) if folder.is_dir() else []
    if strangers := [name for name in handed_in if name not in roster and name not in changes.kept]:
        say(console, f"  in {folder.name}/, and not in {CLASS}: {some(strangers)}")
    if not any((changes.new, changes.changed, changes.gone)):
        say(console, "  the gradebook says the same")


def _tell_dates(console: Console, course: Course, dates: Dates | None, changes: ClassChanges) -> None:
    if dates is None:
        if taken := [name for name, (_, now) in changes.due.items() if now is None]:
            say(console, f"{DATES} is gone. Its due dates and penalties are taken back: {some(taken)}")
        return
    say(console, f"{DATES}: {plural(len(dates.due), 'due date')}, {plural(len(dates.extensions), 'extension')}; times are in {_zone(dates)}")
    for name, due in sorted(dates.due.items(), key=lambda pair: (pair[1].at, pair[0])):
        before = changes.due.get(name)
        was = "" if before is None else " (new)" if before[0] is None else f" (the gradebook had {dates.shown(before[0])})"
        say(console, f"  {shown(name)}: due {dates.shown(due.at)}{was}; late: {shown(due.rule.text) if due.rule else 'nothing is taken off'}")
        for (assignment, student), at in sorted(dates.extensions.items()):
            if assignment == name:
                say(console, f"    {shown(student)} until {dates.shown(at)}")
    for name, (had, now) in changes.due.items():
        if now is None and had is not None:
            say(console, f"  {shown(name)}: no due date any more, it was {dates.shown(had)}")
    if without := [name for name in course.lessons if name not in dates.due]:
        say(console, f"  without a due date: {some(without)}")
    nobody = [student for student in dates.strangers if student not in changes.known and not (course.folder("submitted") / student).is_dir()]
    if nobody:
        say(console, f"  extensions of somebody who is not known yet: {some(nobody)}. Next: look whether the id is right; {CLASS} would tell")


def _tell_late(console: Console, dates: Dates | None, changes: ClassChanges) -> None:
    for name, count in sorted(changes.timeless.items()):
        say(console, f"{shown(name)}: when {count} of the graded hand-ins came is not known (no timestamp.txt). Nothing is taken off there")
    if not changes.late:
        if dates is not None and dates.due:
            say(console, "late: no graded hand-in, as far as their times are known")
        return
    say(console, f"late: {plural(len(changes.late), 'hand-in')}")
    for one in changes.late[:MOST_NAMES]:
        say(console, f"  {shown(one.assignment)}/{shown(one.student)}: {duration(one.late.total_seconds())} late; {_points(one)}")
    if len(changes.late) > MOST_NAMES:
        say(console, f"  and {len(changes.late) - MOST_NAMES} more; grades.csv has all of them")
    if changes.changed_penalties:
        say(console, f"points have changed for {plural(len(changes.changed_penalties), 'hand-in')}. Next: make feedback")


def _points(one: LateHandIn) -> str:
    after = in_points(one.earned) if not one.now else f"{number(one.earned)} - {number(one.now)} = {in_points(one.earned - one.now)}"
    return after if abs(one.now - one.before) < 1e-9 else f"{after} (before, {number(one.before)} taken off)"


def _zone(dates: Dates) -> str:
    return dates.zone_name if dates.zone else f"the time zone of this machine, {dates.zone_name} (c.Exchange.timezone chooses another)"
