"""Questions, answers and rubrics in the gradebook: read at one moment, written in one transaction.

nbgrader's `manual_score` and `manual_comment` are what counts, for the formgrader, feedback, reports and exports too. What is kept beside
them says which items they come from. Where somebody changed them elsewhere, they no longer follow the rubric and are left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from uuid import uuid4

from nbgrader.api import Assignment, BaseCell, Comment, Grade, GradeCell, Notebook, SolutionCell, SubmittedAssignment, SubmittedNotebook, TaskCell
from sqlalchemy import BindParameter, Connection, Engine, RowMapping, and_, bindparam, case, delete, func, insert, inspect, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from nbjudge._by_question.rubric import MOST_ITEMS, Item, Rubric, read_comment, read_label, read_points, read_text, same
from nbjudge._by_question.tables import ITEM, MARK, RUBRIC, USE, create
from nbjudge._nbgrader.batched_gradebook import patient_engine
from nbjudge._nbgrader.converters import explain
from nbjudge._wire.errors import CannotGrade, GraderError

GRADE, COMMENT = Grade.__table__, Comment.__table__


class Stale(GraderError):
    """Somebody changed what the page shows, before what was asked for came here. Nothing was written."""


class Place(NamedTuple):
    """The names of a graded cell."""

    assignment: str
    notebook: str
    cell: str


@dataclass(frozen=True)
class Question:
    """A graded cell, and how many answers to it a person has to look at (`waiting`)."""

    place: Place
    cell_id: str
    kind: str  # "written answer", "code", "task" or "test"
    most: float
    answers: int
    waiting: int


@dataclass(frozen=True)
class Answer:
    """One student's answer as the gradebook has it. `key` is all that leaves this process; its order is random, and stays."""

    key: str
    grade_id: str
    comment_id: str | None
    student: str
    submission: str  # nbgrader's id of the notebook, which the formgrader's address has
    by_test: float | None
    points: float | None
    extra: float
    needs: bool
    comment: str
    remark: str  # nbgrader's own, such as "No response."
    mark: RowMapping | None
    items: tuple[str, ...]

    @property
    def follows(self) -> bool:
        """Whether the points are the rubric's."""
        return self.mark is not None and self.points is not None and same(self.points, self.mark["score"])

    @property
    def by_hand(self) -> bool:
        """Whether somebody set the points elsewhere."""
        return self.points is not None and not self.follows

    @property
    def adjustment(self) -> float:
        """Points for this answer alone."""
        return float(self.mark["adjustment"]) if self.mark is not None else 0.0

    @property
    def own_comment(self) -> str:
        """The comment without the part that tells the items; all of it where that part was changed elsewhere."""
        return self._rest if self._rest is not None else self.comment

    @property
    def said_follows(self) -> bool:
        """Whether the comment still begins with what tells the items."""
        return self._rest is not None

    @cached_property
    def _rest(self) -> str | None:
        said = self.mark["said"] if self.mark is not None else ""
        return self.comment[len(said) :].lstrip("\n") if self.comment.startswith(said) else None

    def state(self, rubric: Rubric, most: float) -> dict[str, Any]:
        """All that a page says of it; as `before`, what brings it back."""
        mode = "waits" if self.points is None else "rubric" if self.follows else "hand"
        told = {
            "mode": mode,
            "points": self.points,
            "items": [item.id for item in rubric.chosen(self.items)],
            "adjustment": self.adjustment,
            "comment": self.own_comment,
            "whole": self.comment,
            "needs": self.needs,
            "of": self.mark["answer"] if self.mark is not None else "",
        }
        sum_ = rubric.sum(self.items, self.adjustment, most)
        return {
            **told,
            "key": self.key,
            "seen": _digest(told)[:32],
            "by_test": self.by_test,
            "extra": self.extra,
            "remark": self.remark,
            "commentable": self.comment_id is not None,
            "sum": sum_ if mode == "rubric" and not 0 <= sum_ <= most else None,
        }


@dataclass(frozen=True)
class Whole:
    """One question with everything that belongs to it."""

    question: Question
    rubric: Rubric
    answers: tuple[Answer, ...]

    @cached_property
    def by_key(self) -> dict[str, Answer]:
        """The answers by what a page calls them."""
        return {answer.key: answer for answer in self.answers}

    def told(self, keys: Iterable[str] | None = None) -> dict[str, Any]:
        """The rubric, the counts, and the states of some answers or of all, as a page gets them."""
        known = self.by_key
        wanted = known if keys is None else [key for key in keys if key in known]
        used = {item.id: 0 for item in self.rubric.items}
        for answer in self.answers:
            for one in answer.items:
                if one in used:
                    used[one] += 1
        items = [{"id": item.id, "label": item.label, "points": item.points, "used": used[item.id]} for item in self.rubric.items]
        return {
            "rubric": {"from_most": self.rubric.from_most, "items": items, "seen": seen_of(self.rubric)},
            "answers": {key: known[key].state(self.rubric, self.question.most) for key in wanted},
            "waiting": self.question.waiting,
            "count": len(self.answers),
        }


class Done(NamedTuple):
    """A question after something was written, and what else there is to say of that."""

    whole: Whole
    about: dict[str, Any]


def seen_of(rubric: Rubric) -> str:
    """A digest of a rubric, by which a page says what it has seen of it."""
    return _digest([rubric.from_most, [[item.id, item.label, item.points] for item in rubric.items]])[:32]


class Store:
    """A course's gradebook.

    Args:
        url: its address.

    Raises of all methods:
        CannotGrade: the gradebook cannot be used, is none of this nbgrader's, or does not know the question.
    """

    def __init__(self, url: str):
        self._engine = _engine(url)

    def questions(self) -> list[Question]:
        """Those that are graded by hand, and tests with an answer that a person has to look at."""
        with self._open() as connection:
            return [question for question in _questions(connection) if question.kind != "test" or question.waiting]

    def read(self, place: Place) -> Whole:
        """A question, its rubric and its answers."""
        with self._open() as connection:
            return _read(connection, place)

    def grade(self, place: Place, key: str, seen: str, to: Mapping[str, Any], digest_of: Callable[[Question, Answer], str]) -> Done:
        """Bring one answer into another state.

        Args:
            seen: the state that the page showed, by its digest.
            to: `mode` ("rubric", "hand" or "waits"), `items`, `adjustment`, `comment`; to bring a state
                back, all that `Answer.state` says of it.
            digest_of: a digest of the answer's text, or `Stale`.

        Returns:
            As `before`, the state that this answer had.

        Raises:
            Stale: the answer is in another state, or one of the items is gone.
        """
        with self._write(place) as (connection, whole):
            answer = whole.by_key.get(key)
            if answer is None:
                raise Stale("this answer is not in the gradebook any more")
            before = answer.state(whole.rubric, whole.question.most)
            if before["seen"] != seen:
                raise Stale("somebody changed this answer meanwhile, here or in the formgrader")
            _put(connection, whole, answer, to, digest_of(whole.question, answer))
        return Done(self.read(place), {"before": before})

    def change_rubric(self, place: Place, seen: str, change: Mapping[str, Any]) -> Done:
        """Change the rubric, and with it everybody's points that follow it.

        Args:
            seen: the rubric that the page showed, by its digest.
            change: `what` ("add", "change", "delete", "restore" or "scoring") with `items` (of `label` and `points`), `item`, `ids` or `from_most`.

        Returns:
            `undo`, the change that takes this one back; `recalculated` and `kept`, how many answers have other
            points now, and how many were left alone because their points were set by hand.

        Raises:
            Stale: the rubric is another one.
        """
        with self._write(place) as (connection, whole):
            if seen_of(whole.rubric) != seen:
                raise Stale("somebody changed the rubric meanwhile")
            undo = _change(connection, whole, change)
            counts = _recalculate(connection, whole, _rubric(connection, place) or whole.rubric)
        return Done(self.read(place), {**counts, "undo": undo})

    def confirm(self, place: Place, digests: Mapping[str, str]) -> Done:
        """Take the mark "graded again" from answers whose text is the one that was graded.

        Args:
            digests: of the answers' texts now, by key.
        """
        with self._write(place) as (connection, whole):
            same_text = [
                a for a in whole.answers if a.needs and a.points is not None and a.mark is not None and a.mark["answer"] == digests.get(a.key)
            ]
            if same_text:
                confirmed = update(GRADE).where(GRADE.c.id == bindparam("row")).values(needs_manual_grade=False)
                connection.execute(confirmed, [{"row": answer.grade_id} for answer in same_text])
        return Done(self.read(place), {"confirmed": len(same_text)})

    @contextlib.contextmanager
    def _open(self, writes: bool = False) -> Iterator[Connection]:
        try:
            with self._engine.begin() if writes else self._engine.connect() as connection:
                _require_gradebook(connection)
                yield connection
        except (SQLAlchemyError, ImportError) as error:
            raise explain([error], "the gradebook cannot be used", "try again; nothing was changed") from error

    @contextlib.contextmanager
    def _write(self, place: Place) -> Iterator[tuple[Connection, Whole]]:
        """A question that nobody else writes to by its rubric until the transaction ends."""
        with self._open() as connection:
            _known(connection, place)
        with self._open(writes=True) as connection:
            create(connection)
        with self._open(writes=True) as connection:
            named = RUBRIC.c.assignment == place.assignment, RUBRIC.c.notebook == place.notebook, RUBRIC.c.cell == place.cell
            if not connection.execute(update(RUBRIC).where(*named).values(changes=RUBRIC.c.changes + 1)).rowcount:
                connection.execute(insert(RUBRIC).values(id=uuid4().hex, **place._asdict(), from_most=False, changes=1))
            whole = _read(connection, place, locked=True)
            _forget(connection, whole)
            yield connection, whole


@lru_cache(8)
def _engine(url: str) -> Engine:
    return patient_engine(url)


def _require_gradebook(connection: Connection) -> None:
    looked = inspect(connection)
    there = set(looked.get_table_names())
    for table in (GRADE, COMMENT, *(kind.__table__ for kind in (BaseCell, GradeCell, TaskCell, SubmittedNotebook, SubmittedAssignment, Notebook))):
        columns = {column["name"] for column in looked.get_columns(table.name)} if table.name in there else set()
        if not set(table.columns.keys()) <= columns:
            raise CannotGrade(
                "the gradebook is empty, or of another nbgrader than the one that is installed",
                "grade something first; for a gradebook of an older nbgrader: nbgrader db upgrade",
            )


def _questions(connection: Connection, only: Place | None = None) -> list[Question]:
    """All graded cells of which there are answers, or `only` one: to count all answers of a large course takes a second."""
    solution, grade, task = SolutionCell.__table__, GradeCell.__table__, TaskCell.__table__
    base = BaseCell.__table__
    solutions = {
        (row.notebook_id, row.name) for row in connection.execute(select(base.c.notebook_id, base.c.name).join(solution, solution.c.id == base.c.id))
    }
    counts = func.count().label("answers"), func.sum(case((GRADE.c.needs_manual_grade, 1), else_=0)).label("waiting")
    by_cell = select(GRADE.c.cell_id, *counts).group_by(GRADE.c.cell_id)
    if only is not None:
        here = select(base.c.id).join(Notebook, Notebook.id == base.c.notebook_id).join(Assignment, Assignment.id == Notebook.assignment_id)
        named = Assignment.name == only.assignment, Notebook.name == only.notebook, base.c.name == only.cell
        by_cell = by_cell.where(GRADE.c.cell_id.in_(here.where(*named)))
    counted = by_cell.subquery()
    asked = (
        select(
            Assignment.name.label("assignment"),
            Notebook.name.label("notebook"),
            base.c.name.label("cell"),
            base.c.id,
            base.c.notebook_id,
            func.coalesce(grade.c.max_score, task.c.max_score, 0.0).label("most"),
            grade.c.cell_type,
            task.c.id.label("task"),
            counted.c.answers,
            counted.c.waiting,
        )
        .join(counted, counted.c.cell_id == base.c.id)
        .join(Notebook, Notebook.id == base.c.notebook_id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .outerjoin(grade, grade.c.id == base.c.id)
        .outerjoin(task, task.c.id == base.c.id)
    )
    found = []
    for row in connection.execute(asked):
        kind = (
            "task"
            if row.task
            else "test"
            if (row.notebook_id, row.cell) not in solutions
            else "code"
            if row.cell_type == "code"
            else "written answer"
        )
        place = Place(row.assignment, row.notebook, row.cell)
        found.append(Question(place, row.id, kind, float(row.most), row.answers, int(row.waiting)))
    return sorted(found, key=lambda question: question.place)


def _known(connection: Connection, place: Place) -> Question:
    for question in _questions(connection, place):
        return question
    raise CannotGrade(
        f"the gradebook has no answers to a question {place.cell} in {place.assignment}", "choose a question from the list; if it is new, grade first"
    )


def _read(connection: Connection, place: Place, locked: bool = False) -> Whole:
    question = _known(connection, place)
    rubric = _rubric(connection, place) or Rubric("", False, ())
    marks: dict[str, RowMapping] = {}
    uses: dict[str, list[str]] = {}
    if rubric.id:
        for row in connection.execute(select(MARK).where(MARK.c.rubric_id == rubric.id)).mappings():
            marks[row["grade_id"]] = row
        for use in connection.execute(select(USE).join(ITEM, ITEM.c.id == USE.c.item_id).where(ITEM.c.rubric_id == rubric.id)):
            uses.setdefault(use.grade_id, []).append(use.item_id)
    base = BaseCell.__table__
    cells = {"task": ("TaskCell",), "test": ()}.get(question.kind, ("SolutionCell",))
    here = select(base.c.notebook_id).where(base.c.id == question.cell_id).scalar_subquery()
    of_comment = select(base.c.id).where(base.c.notebook_id == here, base.c.name == place.cell, base.c.type.in_(cells)).scalar_subquery()
    asked = (
        select(
            GRADE.c.id.label("grade_id"),
            GRADE.c.auto_score,
            GRADE.c.manual_score,
            GRADE.c.extra_credit,
            GRADE.c.needs_manual_grade,
            GRADE.c.notebook_id.label("submission"),
            SubmittedAssignment.__table__.c.student_id.label("student"),
            COMMENT.c.id.label("comment_id"),
            COMMENT.c.manual_comment,
            COMMENT.c.auto_comment,
        )
        .join(SubmittedNotebook, SubmittedNotebook.id == GRADE.c.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .outerjoin(COMMENT, and_(COMMENT.c.notebook_id == GRADE.c.notebook_id, COMMENT.c.cell_id == of_comment))
        .where(GRADE.c.cell_id == question.cell_id)
    )
    if locked:
        asked = asked.with_for_update(of=GRADE)
    answers = [
        Answer(
            _digest([*place, row["grade_id"]])[:20],
            row["grade_id"],
            row["comment_id"],
            row["student"],
            row["submission"],
            row["auto_score"],
            row["manual_score"],
            float(row["extra_credit"] or 0),
            bool(row["needs_manual_grade"]),
            row["manual_comment"] or "",
            row["auto_comment"] or "",
            marks.get(row["grade_id"]),
            tuple(uses.get(row["grade_id"], ())),
        )
        for row in connection.execute(asked).mappings()
    ]
    return Whole(question, rubric, tuple(sorted(answers, key=lambda answer: answer.key)))


def _rubric(connection: Connection, place: Place) -> Rubric | None:
    if not inspect(connection).has_table(RUBRIC.name):
        return None
    named = select(RUBRIC).where(RUBRIC.c.assignment == place.assignment, RUBRIC.c.notebook == place.notebook, RUBRIC.c.cell == place.cell)
    if (row := connection.execute(named).mappings().first()) is None:
        return None
    items = connection.execute(
        select(ITEM)
        .where(ITEM.c.rubric_id == row["id"], or_(ITEM.c.is_deleted.is_(False), ITEM.c.is_deleted.is_(None)))
        .order_by(ITEM.c.place, ITEM.c.id)
    )
    return Rubric(row["id"], bool(row["from_most"]), tuple(Item(item.id, item.label, float(item.points)) for item in items))


def _forget(connection: Connection, whole: Whole) -> None:
    """Take out marks of grades that nbgrader deleted, for example with their student."""
    there = select(GRADE.c.id).where(GRADE.c.cell_id == whole.question.cell_id)
    gone = MARK.c.rubric_id == whole.rubric.id, MARK.c.grade_id.not_in(there)
    connection.execute(delete(USE).where(USE.c.grade_id.in_(select(MARK.c.grade_id).where(*gone))))
    connection.execute(delete(MARK).where(*gone))


def _put(connection: Connection, whole: Whole, answer: Answer, to: Mapping[str, Any], digest: str) -> None:
    rubric, most = whole.rubric, whole.question.most
    mode, wanted = to.get("mode"), to.get("items", [])
    if mode not in ("rubric", "hand", "waits") or not isinstance(wanted, list):
        raise CannotGrade("the page asked for something that is not known here", "reload the page")
    brings_back = "needs" in to
    ids = [item.id for item in rubric.chosen(str(one) for one in wanted)]
    if len(ids) != len({str(one) for one in wanted}):
        raise Stale("an item of the rubric was deleted meanwhile")
    adjustment = read_points(to.get("adjustment", 0), "the adjustment", most)
    comment = read_comment(to.get("comment", ""))
    if comment and answer.comment_id is None:
        raise CannotGrade("nbgrader keeps no comment at a test", "write it at another question of the same notebook")
    total, said = rubric.total(ids, adjustment, most), rubric.said(ids, adjustment)
    points = {"rubric": total, "waits": None}.get(mode, to.get("points"))
    if mode == "hand":
        points = read_points(points, "the points", most, 0.0)
    hidden = [one for one in answer.items if one not in {item.id for item in rubric.items}]  # of deleted items, which may come back
    connection.execute(delete(USE).where(USE.c.grade_id == answer.grade_id))
    connection.execute(delete(MARK).where(MARK.c.grade_id == answer.grade_id))
    if mode == "waits":
        said = ""
    else:
        of = str(to.get("of", ""))[:64] if brings_back else digest
        if mode == "rubric" or ids or adjustment:
            connection.execute(
                insert(MARK).values(grade_id=answer.grade_id, rubric_id=rubric.id, adjustment=adjustment, score=total, said=said, answer=of)
            )
            if ids or hidden:
                connection.execute(insert(USE), [{"grade_id": answer.grade_id, "item_id": one} for one in (*ids, *hidden)])
        else:
            said = ""
    needs = bool(to["needs"]) if brings_back else points is None and answer.by_test is None
    connection.execute(update(GRADE).where(GRADE.c.id == answer.grade_id).values(manual_score=points, needs_manual_grade=needs))
    if answer.comment_id is not None:
        if brings_back:
            said, comment = "", read_text(to.get("whole"))
        _say(connection, answer.comment_id, said, comment)


def _say(connection: Connection, comment_id: str, said: str, comment: str) -> None:
    connection.execute(update(COMMENT).where(COMMENT.c.id == comment_id).values(manual_comment=_joined(said, comment)))


def _joined(said: str, comment: str) -> str | None:
    return "\n\n".join(part for part in (said, comment) if part) or None


def _change(connection: Connection, whole: Whole, change: Mapping[str, Any]) -> dict[str, Any]:
    """Write a change of the rubric itself; return the one that takes it back."""
    rubric, most, what = whole.rubric, whole.question.most, change.get("what")
    given, ids = change.get("items"), change.get("ids")
    if what == "scoring":
        connection.execute(update(RUBRIC).where(RUBRIC.c.id == rubric.id).values(from_most=bool(change.get("from_most"))))
        return {"what": "scoring", "from_most": rubric.from_most}
    if what == "add" and isinstance(given, list) and given and all(isinstance(one, dict) for one in given):
        if len(rubric.items) + len(given) > MOST_ITEMS:
            raise CannotGrade(f"a rubric has {MOST_ITEMS} items at most", "delete one that nobody needs")
        last = connection.execute(select(func.max(ITEM.c.place)).where(ITEM.c.rubric_id == rubric.id)).scalar() or 0
        rows = [
            {
                "id": uuid4().hex,
                "rubric_id": rubric.id,
                "place": last + number,
                "label": read_label(one.get("label")),
                "points": read_points(one.get("points"), "the item's points", most),
                "is_deleted": False,
            }
            for number, one in enumerate(given, start=1)
        ]
        connection.execute(insert(ITEM), rows)
        return {"what": "delete", "ids": [row["id"] for row in rows]}
    if what == "change":
        if (item := next((item for item in rubric.items if item.id == change.get("item")), None)) is None:
            raise Stale("this item was deleted meanwhile")
        values = {"label": read_label(change.get("label")), "points": read_points(change.get("points"), "the item's points", most)}
        connection.execute(update(ITEM).where(ITEM.c.id == item.id).values(**values))
        return {"what": "change", "item": item.id, "label": item.label, "points": item.points}
    if what in ("delete", "restore") and isinstance(ids, list) and len(ids) <= MOST_ITEMS:
        wanted = [str(one) for one in ids]
        connection.execute(update(ITEM).where(ITEM.c.rubric_id == rubric.id, ITEM.c.id.in_(wanted)).values(is_deleted=what == "delete"))
        return {"what": "restore" if what == "delete" else "delete", "ids": wanted}
    raise CannotGrade("the page asked for something that is not known here", "reload the page")


def _recalculate(connection: Connection, whole: Whole, rubric: Rubric) -> dict[str, int]:
    """Write the points and comments that follow the rubric anew; those that were set elsewhere stay."""
    kept = 0
    most = whole.question.most
    points, words, marks = [], [], []
    for answer in whole.answers:
        if (mark := answer.mark) is None:
            continue
        total, said = rubric.total(answer.items, answer.adjustment, most), rubric.said(answer.items, answer.adjustment)
        if same(total, mark["score"]) and said == mark["said"]:
            continue
        if answer.by_hand:
            kept += 1
            if same(total, answer.points):  # it would seem to follow the rubric from now on
                continue
        elif not same(total, mark["score"]):
            points.append({"row": answer.grade_id, "points": total})
        if answer.said_follows and answer.comment_id is not None:
            words.append({"row": answer.comment_id, "words": _joined(said, answer.own_comment)})
        marks.append({"row": answer.grade_id, "score": total, "said": said if answer.said_follows else mark["said"]})
    row: BindParameter[str] = bindparam("row")
    for table, values, rows in (
        (GRADE, {"manual_score": bindparam("points")}, points),
        (COMMENT, {"manual_comment": bindparam("words")}, words),
    ):
        if rows:
            connection.execute(update(table).where(table.c.id == row).values(values), rows)
    if marks:
        changed = update(MARK).where(MARK.c.grade_id == row).values(score=bindparam("score"), said=bindparam("said"))
        connection.execute(changed, marks)
    return {"recalculated": len(points), "kept": kept}


def _digest(values: Any) -> str:
    return hashlib.sha256(json.dumps(values, ensure_ascii=True, sort_keys=True).encode()).hexdigest()
