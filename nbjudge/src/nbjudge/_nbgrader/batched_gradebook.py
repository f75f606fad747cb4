"""nbgrader's gradebook with fewer questions: what its steps ask for cell by cell is asked for once, and what they write is written at once.

nbgrader looks for the tables whenever it opens the gradebook, which it does ten times for a submission, asks for each cell by itself, and commits
after each. On a lesson that was half of the time of recording. What is asked for and written is the same, in one transaction.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import nbgrader.api
import sqlalchemy
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import select
from sqlalchemy.orm import Session, scoped_session, sessionmaker, undefer

from nbjudge._common.settings import temporarily
from nbjudge._nbgrader.database import backend

BUSY_SECONDS = 10  # that a program which writes to the gradebook is waited for
USUAL = Gradebook.__init__
ONE_THREAD = threading.RLock()  # nbgrader's names are the process's: two threads would put each other's ones back
SUMMED = Assignment, Notebook, Student, SubmittedAssignment, SubmittedNotebook, Grade  # have columns that the database computes
CELLS = {Grade: ("GradeCell", "TaskCell"), Comment: ("SolutionCell", "TaskCell")}  # whose a row may be, the first one first


class Quick:
    """How a course opens its gradebook: one engine for all times, so that a query is compiled once, and tables that are looked for once."""

    def __init__(self) -> None:
        self._engines: dict[str, sqlalchemy.Engine] = {}
        self._known: set[tuple[str, str]] = set()  # that were opened before, by address and course
        self._open: dict[str, scoped_session[OneCommit]] = {}  # of the steps that run, by address

    @contextlib.contextmanager
    def entered(self, cells_change: bool = False, for_steps: bool = True) -> Iterator[None]:
        """All of nbgrader's gradebooks are such for as long as the context lasts. Another thread that enters waits until then.

        Args:
            cells_change: of the assignments themselves.
            for_steps: gradebooks are open for nbgrader's steps, and are one: what they write is committed when the context ends, or with `commit`,
                and taken back when it ends with an exception. Any other commits when it is told to.
        """
        if not for_steps:
            with self._patched({}, sessionmaker):
                yield
            return
        with self._patched({"close": _flush, **({} if cells_change else METHODS)}, _maker):
            before, self._open = self._open, {}
            try:
                yield
                self.commit()
            finally:
                for url, session in self._open.items():
                    session.remove()
                    self._engines[url].dispose()
                self._open = before

    def commit(self) -> None:
        """Write what the steps have written."""
        for session in self._open.values():
            session().write()

    @contextlib.contextmanager
    def _patched(self, methods: dict[str, Any], maker: Callable[..., Any]) -> Iterator[None]:
        def opened(gradebook: Any, db_url: str, course_id: str = "default_course", authenticator: Any = None) -> None:
            self._enter(gradebook, db_url, course_id, authenticator, maker)

        ours: dict[str, Any] = {"create_engine": self._engine, "sessionmaker": maker, "get_alembic_version": _version}
        with ONE_THREAD, temporarily(nbgrader.api, **ours), temporarily(Gradebook, __init__=opened, **methods):
            yield

    def _engine(self, url: str, **_: object) -> sqlalchemy.Engine:
        if url not in self._engines:
            self._engines[url] = patient_engine(url)
        return self._engines[url]

    def _enter(self, gradebook: Any, db_url: str, course_id: str, authenticator: Any, maker: Callable[..., Any]) -> None:
        """What `Gradebook.__init__` does, without looking for what was found before."""
        engine, shared = self._engine(db_url), self._open.get(db_url)
        gradebook.known_rows = {}
        is_known = (db_url, course_id) in self._known
        if shared is not None or (is_known and not _is_gone(engine)):
            gradebook.engine, gradebook.db = engine, shared or scoped_session(maker(autoflush=True, bind=engine, future=True))
            gradebook.course_id, gradebook.authenticator = course_id, authenticator
            if not is_known:
                gradebook.check_course(course_id)
        else:
            USUAL(gradebook, db_url, course_id, authenticator)
        self._known.add((db_url, course_id))
        if maker is _maker:
            self._open[db_url] = gradebook.db


class OneCommit(Session):
    """Commits when it is told to `write`: a submission is written as a whole, or not at all."""

    is_due = False

    def commit(self) -> None:
        """Write what is new, so that the database says what it has against it, and keep the transaction."""
        if self.new or self.deleted:
            self.flush()
        self.is_due = True

    def rollback(self) -> None:
        """As always; nothing is left to commit."""
        self.is_due = False
        super().rollback()

    def write(self) -> None:
        """Commit."""
        if self.is_due:
            self.is_due = False
            super().commit()


def _flush(gradebook: Any) -> None:
    """In place of `Gradebook.close`, where another one that is open or will be goes on with the same rows. It computes sums anew."""
    gradebook.db.flush()
    for row in gradebook.db():
        if isinstance(row, SUMMED):
            gradebook.db.expire(row)


def _maker(**settings: Any) -> sessionmaker[OneCommit]:
    return sessionmaker(class_=OneCommit, **settings)


def _rows(gradebook: Any, kind: Any, notebook: str, assignment: str, student: str) -> dict[str, Any]:
    """The grades or comments of one submitted notebook, by the names of their cells."""
    key = kind, notebook, assignment, student
    if key not in gradebook.known_rows:
        wanted = (
            select(kind, BaseCell.name, BaseCell.type)
            .join(BaseCell, BaseCell.id == kind.cell_id)
            .join(SubmittedNotebook, SubmittedNotebook.id == kind.notebook_id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(Notebook.name == notebook, Assignment.name == assignment, SubmittedAssignment.student_id == student)
        )
        if kind is Grade:
            wanted = wanted.options(undefer(Grade.max_score))
        rows = [row for row in gradebook.db.execute(wanted) if row.type in CELLS[kind]]
        rows.sort(key=lambda row: CELLS[kind].index(row.type), reverse=True)
        gradebook.known_rows[key] = {row.name: row[0] for row in rows}
    return gradebook.known_rows[key]


def _cells(gradebook: Any, kind: Any, notebook: str, assignment: str) -> dict[str, Any]:
    """The cells of one kind of an assignment's notebook, by their names."""
    key = kind, notebook, assignment
    if key not in gradebook.known_rows:
        wanted = (
            select(kind)
            .join(Notebook, Notebook.id == kind.notebook_id)
            .join(Assignment, Assignment.id == Notebook.assignment_id)
            .where(Notebook.name == notebook, Assignment.name == assignment)
        )
        gradebook.known_rows[key] = {cell.name: cell for cell in gradebook.db.execute(wanted).scalars()}
    return gradebook.known_rows[key]


def _finder(usual: Callable[..., Any], find: Callable[..., dict[str, Any]], kind: Any) -> Callable[..., Any]:
    """nbgrader's method, which says what is missing, behind one that asks for all rows at once."""

    def found(gradebook: Any, name: str, *where: str) -> Any:
        rows = find(gradebook, kind, *where)
        return rows[name] if name in rows else usual(gradebook, name, *where)

    return found


METHODS: dict[str, Any] = {
    "find_grade": _finder(Gradebook.find_grade, _rows, Grade),
    "find_comment": _finder(Gradebook.find_comment, _rows, Comment),
    "find_source_cell": _finder(Gradebook.find_source_cell, _cells, SourceCell),
    "find_graded_cell": _finder(Gradebook.find_graded_cell, _cells, GradeCell),
}


def points_and_penalties(gradebook: Gradebook) -> dict[str, tuple[dict[str, float], dict[str, float]]]:
    """Points and penalties of the notebooks of each submission, by their ids. nbgrader looks through all grades for each of them."""
    points = select(Grade.notebook_id, sqlalchemy.func.sum(Grade.score).label("points")).group_by(Grade.notebook_id).subquery()
    columns = SubmittedNotebook.id, SubmittedNotebook.assignment_id, SubmittedNotebook.late_submission_penalty, points.c.points
    found: dict[str, tuple[dict[str, float], dict[str, float]]] = {}
    for notebook, owner, penalty, score in gradebook.db.execute(select(*columns).outerjoin(points, points.c.notebook_id == SubmittedNotebook.id)):
        scores, penalties = found.setdefault(owner, ({}, {}))
        scores[notebook], penalties[notebook] = float(score or 0.0), penalty or 0.0
    return found


def _version() -> str | None:
    """What a new gradebook notes as its version: what nbgrader starts another program for, which takes two seconds."""
    from alembic.script import ScriptDirectory  # 0.3 s, which whoever has a gradebook does not wait for

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


def _is_gone(engine: sqlalchemy.Engine) -> bool:
    """Whether a gradebook that was there is a file that is not there any more."""
    name = engine.url.database
    return engine.url.get_backend_name() == "sqlite" and (not name or not os.path.exists(name))


def patient_engine(url: str) -> sqlalchemy.Engine:
    """The gradebook at an address, as one that waits for other programs."""
    settings: dict[str, Any] = {}
    if (kind := backend(url)) == "sqlite":
        settings["connect_args"] = {"timeout": BUSY_SECONDS}
    elif kind == "postgresql":
        settings = {"connect_args": {"connect_timeout": BUSY_SECONDS}, "pool_pre_ping": True}  # a watcher's connection may be days old
    return sqlalchemy.create_engine(url, **settings)
