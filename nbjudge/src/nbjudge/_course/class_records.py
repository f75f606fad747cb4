"""What `class.csv` and `dates.csv` say, written into the gradebook: names, due dates, extensions and late penalties, all at once or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader.api import Assignment, Gradebook, Student, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import select, update

from nbjudge._common.atomic_write import write_atomically
from nbjudge._common.due_dates import DATES, Dates, without_zone
from nbjudge._common.roster import CLASS, Person, Roster
from nbjudge._common.settings import Report
from nbjudge._course.course import Course
from nbjudge._course.feedback_state import GRADINGS
from nbjudge._nbgrader.batched_gradebook import points_and_penalties
from nbjudge._nbgrader.late_penalties import has_own_plugin, shares
from nbjudge._wire.errors import CannotGrade

APPLIED = f"{GRADINGS}/dates.json"  # what `dates.csv` put into the gradebook, so that it can be taken back
ASK = "is not in class.csv. Next: add a line for the student, or rename the folder in submitted/"


@dataclass(frozen=True)
class LateHandIn:
    """A submission that came after its due date. `before` is the penalty that the gradebook had, `now` the one it has."""

    student: str
    assignment: str
    late: timedelta
    earned: float
    before: float
    now: float


@dataclass
class ClassChanges:
    """What the two files change in the gradebook.

    Attributes:
        new: who is added.
        changed: whose name, address or number changes, with what was there.
        gone: who is taken out: not in `class.csv`, and nothing of theirs in the gradebook.
        kept: who is not in `class.csv`, and has submissions, which stay.
        due: assignments whose due date changes, with the one before and the one now.
        extensions: how many submissions get another extension.
        late: every late submission.
        changed_penalties: student and assignment of each submission whose penalty changes.
        timeless: by assignment with a late rule, how many submissions have no known time.
    """

    new: list[Person] = field(default_factory=list)
    changed: list[tuple[Person, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    due: dict[str, tuple[datetime | None, datetime | None]] = field(default_factory=dict)
    extensions: int = 0
    late: list[LateHandIn] = field(default_factory=list)
    changed_penalties: list[tuple[str, str]] = field(default_factory=list)
    timeless: dict[str, int] = field(default_factory=dict)
    known: frozenset[str] = frozenset()  # everybody in the gradebook afterwards


def has_class_files(course: Course) -> bool:
    """Whether there is anything to bring up to date: one of the files, or what an earlier `dates.csv` left in the gradebook."""
    return any((course.root / name).exists() for name in (CLASS, DATES, APPLIED))


def bring_up_to_date(course: Course, removes: bool = False) -> ClassChanges:
    """Write what the files say into the gradebook, in one transaction. Whoever calls it has the turn to write; see `locks`.

    Args:
        removes: whether those who are not in `class.csv`, and have handed in nothing, are taken out.

    Raises:
        CannotGrade: one of the files is wrong, or the gradebook cannot be used; nothing was changed.
    """
    roster, dates = course.roster, course.dates
    changes = ClassChanges()
    if not has_class_files(course):
        return changes
    if dates is not None and any(due.rule is not None for due in dates.due.values()) and has_own_plugin(course.config):
        raise CannotGrade(
            f"both {DATES} and nbgrader_config.py (c.AssignLatePenalties, c.LateSubmissionPlugin) say what being late costs",
            f"delete the settings, or leave the column late of {DATES} empty",
        )
    before = _applied(course)
    with course.gradebook() as gradebook:
        if roster is not None:
            _write_people(gradebook, roster, changes, removes)
        applied = _write_dates(gradebook, dates, before, changes)
        gradebook.db.flush()
        _write_penalties(course, gradebook, dates, changes)
        changes.known = frozenset(gradebook.db.execute(select(Student.id)).scalars())
        gradebook.db.commit()
    path = course.root / APPLIED
    if dates is None:
        path.unlink(missing_ok=True)
    elif applied != before or not path.exists():
        path.parent.mkdir(exist_ok=True)
        write_atomically(path, json.dumps(applied, indent=1, sort_keys=True).encode())
    return changes


def is_handed_in(course: Course, student: str, assignment: str) -> bool:
    """Whether something lies in `submitted/`, graded or not."""
    folder = course.folder("submitted") / student / assignment
    return folder.is_dir() and any(folder.iterdir())


def is_missing(course: Course, student: str, assignment: str, now: datetime | None = None) -> bool:
    """Whether an assignment was due for a student, by `dates.csv`, has to be handed in, and nothing lies there."""
    dates = course.dates
    if dates is None or dates.due_at(assignment) is None or assignment in Report.of(course.config).optional:
        return False
    return dates.is_due(assignment, student, now) and not is_handed_in(course, student, assignment)


def _write_people(gradebook: Gradebook, roster: Roster, changes: ClassChanges, removes: bool) -> None:
    known = {student.id: student for student in gradebook.db.execute(select(Student)).scalars()}
    with_work = set(gradebook.db.execute(select(SubmittedAssignment.student_id).distinct()).scalars())
    for person in roster:
        about = {"first_name": person.first_name, "last_name": person.last_name, "email": person.mail, "lms_user_id": person.number}
        if person.first_name or person.last_name:
            written = {name: text for name, text in about.items() if text or name in ("first_name", "last_name")}
        else:
            written = {name: text for name, text in about.items() if text}
        if (student := known.get(person.student)) is None:
            changes.new.append(person)
            gradebook.db.add(Student(id=person.student, **written))
        elif others := [name for name, text in written.items() if (getattr(student, name) or "") != text]:
            changes.changed.append((person, ", ".join(getattr(student, name) or "nothing" for name in others)))
            for name in others:
                setattr(student, name, written[name])
    for name, student in sorted(known.items()):
        if name in roster:
            continue
        if name in with_work:
            changes.kept.append(name)
        else:
            changes.gone.append(name)
            if removes:
                gradebook.db.delete(student)


def _write_dates(gradebook: Gradebook, dates: Dates | None, before: Mapping[str, Any], changes: ClassChanges) -> dict[str, Any]:
    """Write due dates and extensions, take back those that an earlier file wrote, and return what is written now."""
    assignments = {one.name: one for one in gradebook.db.execute(select(Assignment)).scalars()}
    wanted = {name: without_zone(due.at) for name, due in dates.due.items()} if dates else {}
    for name, text in before.get("due", {}).items():
        if name not in wanted and name in assignments and assignments[name].duedate == datetime.fromisoformat(text):
            changes.due[name] = assignments[name].duedate.replace(tzinfo=UTC), None
            assignments[name].duedate = None
    for name, at in wanted.items():
        if name not in assignments:
            assignments[name] = Assignment(name=name, duedate=None, course_id=gradebook.course_id)
            gradebook.db.add(assignments[name])
        if (had := assignments[name].duedate) != at:
            changes.due[name] = had.replace(tzinfo=UTC) if had else None, at.replace(tzinfo=UTC)
            assignments[name].duedate = at
    gradebook.db.flush()
    longer = {key: at - dates.due[key[0]].at for key, at in dates.extensions.items()} if dates else {}
    earlier = {(assignment, student) for assignment, student in before.get("extensions", [])}
    names = {one.id: name for name, one in assignments.items()}
    columns = SubmittedAssignment.id, SubmittedAssignment.assignment_id, SubmittedAssignment.student_id, SubmittedAssignment.extension
    written: list[dict[str, Any]] = []
    for row in gradebook.db.execute(select(*columns)):
        key = names.get(row.assignment_id, ""), row.student_id
        if (key in longer or key in earlier) and row.extension != longer.get(key):  # others are extensions that nbgrader was given
            written.append({"id": row.id, "extension": longer.get(key)})
    if written:
        gradebook.db.execute(update(SubmittedAssignment), written)
    changes.extensions = len(written)
    return {"due": {name: at.isoformat() for name, at in wanted.items()}, "extensions": sorted(map(list, longer))}


def _write_penalties(course: Course, gradebook: Gradebook, dates: Dates | None, changes: ClassChanges) -> None:
    """Recompute every penalty that a rule decides, from the points as they are now; where there is no rule any more, there is no penalty."""
    keeps = has_own_plugin(course.config)
    rows = gradebook.db.execute(
        select(
            SubmittedAssignment.id,
            SubmittedAssignment.assignment_id,
            SubmittedAssignment.student_id,
            SubmittedAssignment.timestamp,
            SubmittedAssignment.extension,
            Assignment.name,
            Assignment.duedate,
        ).join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    ).all()
    possible: dict[str, float] = {one.id: float(one.max_score) for one in gradebook.db.execute(select(Assignment.id, Assignment.max_score))}
    notebooks = points_and_penalties(gradebook)
    written: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda row: (row.name, row.student_id)):
        rule = dates.rule(row.name) if dates else None
        if rule is not None and row.timestamp is None:
            changes.timeless[row.name] = changes.timeless.get(row.name, 0) + 1
        due = row.duedate + (row.extension or timedelta(0)) if row.duedate else None
        late = max(timedelta(0), row.timestamp - due) if due and row.timestamp else timedelta(0)
        scores, penalties = notebooks.get(row.id, ({}, {}))
        before = sum(penalties.values())
        if not late and not before:
            continue
        now = before
        if rule is not None or not keeps:
            found = shares(scores, possible[row.assignment_id], rule, late) if rule is not None else {}
            now = sum(penalty or 0.0 for penalty in found.values())
            if abs(now - before) > 1e-9:
                changes.changed_penalties.append((row.student_id, row.name))
                written += [{"id": notebook, "late_submission_penalty": found.get(notebook)} for notebook in scores]
        if late:
            changes.late.append(LateHandIn(row.student_id, row.name, late, sum(scores.values()), before, now))
    if written:
        gradebook.db.execute(update(SubmittedNotebook), written)


def _applied(course: Course) -> dict[str, Any]:
    path: Path = course.root / APPLIED
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError):
        return {}
