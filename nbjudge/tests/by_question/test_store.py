"""Grading by question in nbgrader's gradebook: what nbgrader's own API, its export and its next grading see of it."""

from __future__ import annotations

import csv
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from helpers.by_question import ASSIGNMENT, CODE, NOTEBOOK, WHY, make, student
from nbjudge._by_question.store import Answer, Place, Question, Stale, Store, seen_of
from nbjudge._wire.errors import CannotGrade

PLACE = Place(ASSIGNMENT, NOTEBOOK, WHY)
CLASS = 6


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "course"
    root.mkdir()
    make(root, CLASS)
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "course"))


@pytest.fixture
def url(root: Path) -> str:
    return f"sqlite:///{root / 'gradebook.db'}"


@pytest.fixture
def store(url: str) -> Store:
    return Store(url)


def no_digest(question: Question, answer: Answer) -> str:
    return ""


def rubric(store: Store, *items: tuple[str, float]) -> list[str]:
    """Add items; return their ids."""
    change_rubric(store, what="add", items=[{"label": label, "points": points} for label, points in items])
    return [item.id for item in store.read(PLACE).rubric.items]


def change_rubric(store: Store, **change: object) -> dict:
    return store.change_rubric(PLACE, seen_of(store.read(PLACE).rubric), change).about


def state(store: Store, key: str) -> dict:
    return store.read(PLACE).told([key])["answers"][key]


def give(store: Store, key: str, *items: str, adjustment: float = 0, comment: str = "", mode: str = "rubric", digest: str = "text") -> dict:
    to = {"mode": mode, "items": list(items), "adjustment": adjustment, "comment": comment}
    return store.grade(PLACE, key, state(store, key)["seen"], to, lambda question, answer: digest).about


def bring_back(store: Store, key: str, before: dict) -> None:
    store.grade(PLACE, key, state(store, key)["seen"], before, lambda question, answer: "other")


def known(url: str, answer: Answer) -> tuple[float | None, bool, str | None]:
    """What nbgrader's own API says of an answer."""
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade(WHY, NOTEBOOK, ASSIGNMENT, answer.student)
        return grade.manual_score, grade.needs_manual_grade, gradebook.find_comment(WHY, NOTEBOOK, ASSIGNMENT, answer.student).manual_comment


def in_formgrader(url: str, answer: Answer, points: float | None = None, comment: str | None = None, again: bool = False) -> None:
    """What the formgrader, or grading again, writes."""
    with Gradebook(url) as gradebook:
        grade = gradebook.find_grade(WHY, NOTEBOOK, ASSIGNMENT, answer.student)
        if points is not None:
            grade.manual_score, grade.needs_manual_grade = points, False
        if comment is not None:
            gradebook.find_comment(WHY, NOTEBOOK, ASSIGNMENT, answer.student).manual_comment = comment
        if again:
            grade.needs_manual_grade = True
        gradebook.db.commit()


def test_questions_are_those_that_a_person_grades(store: Store) -> None:
    assert [(question.place.cell, question.kind, question.most, question.waiting, question.answers) for question in store.questions()] == [
        (CODE, "code", 3, CLASS, CLASS),
        (WHY, "written answer", 2, CLASS, CLASS),
    ]


def test_the_order_is_another_one_for_each_question_and_stays(store: Store, url: str) -> None:
    why = [answer.student for answer in store.read(PLACE).answers]
    code = [answer.student for answer in store.read(Place(ASSIGNMENT, NOTEBOOK, CODE)).answers]
    assert sorted(why) == sorted(code) == [student(number) for number in range(CLASS)]
    assert why != code
    assert [answer.student for answer in Store(url).read(PLACE).answers] == why


def test_points_and_comments_are_nbgraders_own(store: Store, url: str) -> None:
    first, second, third, *_ = store.read(PLACE).answers
    reason, order = rubric(store, ("the reason", 1), ("the order", 1))
    give(store, first.key, reason, comment="Which terms?")
    give(store, second.key, reason, order, adjustment=-0.5)
    give(store, third.key)
    assert known(url, first) == (1, False, "- the reason (+1)\n\nWhich terms?")
    assert known(url, second) == (1.5, False, "- the reason (+1)\n- the order (+1)\n- Adjustment (−0.5)")
    assert known(url, third) == (0, False, None)
    assert store.read(PLACE).question.waiting == CLASS - 3


def test_nbgrader_exports_these_points(store: Store, root: Path) -> None:
    answer = store.read(PLACE).answers[0]
    [reason] = rubric(store, ("the reason", 1.5))
    give(store, answer.key, reason)
    subprocess.run([sys.executable, "-m", "nbgrader", "export"], cwd=root, check=True, capture_output=True, timeout=120)
    with (root / "grades.csv").open(encoding="utf-8") as file:
        assert {line["student_id"]: float(line["score"]) for line in csv.DictReader(file)}[answer.student] == 1.5


def test_a_change_of_an_item_recalculates_everybody_who_has_it(store: Store, url: str) -> None:
    answers = store.read(PLACE).answers
    reason, order = rubric(store, ("the reason", 1), ("the order", 1))
    for answer in answers[:4]:
        give(store, answer.key, reason, comment="kept")
    give(store, answers[4].key, order)
    done = change_rubric(store, what="change", item=reason, label="a reason", points=0.5)
    assert (done["recalculated"], done["kept"]) == (4, 0)
    assert [known(url, answer)[0] for answer in answers] == [0.5] * 4 + [1, None]
    assert known(url, answers[0])[2] == "- a reason (+0.5)\n\nkept"
    change_rubric(store, **done["undo"])
    assert [known(url, answer)[0] for answer in answers] == [1, 1, 1, 1, 1, None]
    assert known(url, answers[0])[2] == "- the reason (+1)\n\nkept"


def test_a_deleted_item_comes_back_to_those_who_had_it(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    reason, order = rubric(store, ("the reason", 1), ("the order", 0.5))
    give(store, first.key, reason, order)
    give(store, second.key, order)
    done = change_rubric(store, what="delete", ids=[reason])
    assert done["recalculated"] == 1
    assert known(url, first)[0] == 0.5
    give(store, first.key, order, comment="meanwhile")
    change_rubric(store, **done["undo"])
    assert known(url, first)[0] == 1.5
    assert known(url, first)[2] == "- the reason (+1)\n- the order (+0.5)\n\nmeanwhile"
    assert known(url, second)[0] == 0.5


def test_scoring_from_the_top_recalculates_too(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    [wrong] = rubric(store, ("wrong sign", -0.5))
    give(store, first.key, wrong)
    give(store, second.key)
    done = change_rubric(store, what="scoring", from_most=True)
    assert [known(url, answer)[0] for answer in (first, second)] == [1.5, 2]
    change_rubric(store, **done["undo"])
    assert [known(url, answer)[0] for answer in (first, second)] == [0, 0]


def test_points_from_the_formgrader_are_seen_and_not_overwritten(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    give(store, first.key, reason)
    in_formgrader(url, first, 1.75)
    in_formgrader(url, second, 2, "Good.")
    assert [state(store, answer.key)["mode"] for answer in (first, second)] == ["hand", "hand"]
    done = change_rubric(store, what="change", item=reason, label="the reason", points=0.5)
    assert (done["recalculated"], done["kept"]) == (0, 1)
    assert known(url, first)[0] == 1.75
    before = give(store, second.key, reason, comment="Good.")["before"]
    assert known(url, second) == (0.5, False, "- the reason (+0.5)\n\nGood.")
    bring_back(store, second.key, before)
    assert known(url, second) == (2, False, "Good.")
    assert state(store, second.key)["mode"] == "hand"


def test_a_recalculation_that_meets_the_points_set_by_hand_does_not_take_them_over(store: Store, url: str) -> None:
    first, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    give(store, first.key, reason)
    in_formgrader(url, first, 1.5)
    for points in (1.5, 0.5):
        change_rubric(store, what="change", item=reason, label="the reason", points=points)
        assert known(url, first)[0] == 1.5
        assert state(store, first.key)["mode"] == "hand"


def test_a_comment_changed_in_the_formgrader_is_kept(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    for answer in (first, second):
        give(store, answer.key, reason)
    in_formgrader(url, first, comment="- the reason (+1)\n\nMore words.")
    in_formgrader(url, second, comment="Other words.")
    change_rubric(store, what="change", item=reason, label="reason", points=0.5)
    assert known(url, first) == (0.5, False, "- reason (+0.5)\n\nMore words.")
    assert known(url, second) == (0.5, False, "Other words.")
    assert state(store, second.key)["comment"] == "Other words."


def test_undo_brings_back_what_was_there(store: Store, url: str) -> None:
    first, *_ = store.read(PLACE).answers
    reason, order = rubric(store, ("the reason", 1), ("the order", 0.5))
    before = give(store, first.key, reason, comment="one")["before"]
    bring_back(store, first.key, before)
    assert known(url, first) == (None, True, None)
    assert state(store, first.key) == before
    give(store, first.key, reason, comment="one")
    again = give(store, first.key, order, comment="two")["before"]
    bring_back(store, first.key, again)
    assert known(url, first) == (1, False, "- the reason (+1)\n\none")
    assert state(store, first.key) == again


def test_who_comes_second_loses_nothing_and_hears_of_it(store: Store, url: str) -> None:
    first, *_ = store.read(PLACE).answers
    reason, order = rubric(store, ("the reason", 1), ("the order", 0.5))
    old, old_rubric = state(store, first.key)["seen"], seen_of(store.read(PLACE).rubric)
    give(store, first.key, reason, comment="mine")
    for stale in (old, "", "x"):
        with pytest.raises(Stale):
            store.grade(PLACE, first.key, stale, {"mode": "rubric", "items": [order]}, no_digest)
    seen = state(store, first.key)["seen"]
    in_formgrader(url, first, comment="from the formgrader")
    with pytest.raises(Stale):
        store.grade(PLACE, first.key, seen, {"mode": "rubric", "items": [order]}, no_digest)
    change_rubric(store, what="delete", ids=[order])
    for change in ({"what": "change", "item": order, "label": "x", "points": 1}, {"what": "scoring", "from_most": True}):
        with pytest.raises(Stale):
            store.change_rubric(PLACE, old_rubric, change)
    with pytest.raises(Stale):
        give(store, first.key, order)
    assert known(url, first) == (1, False, "from the formgrader")


def test_grading_again_keeps_points_and_rubric_and_can_be_confirmed(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    for answer in (first, second):
        give(store, answer.key, reason, digest="as it was")
        in_formgrader(url, answer, again=True)
    assert state(store, first.key)["mode"] == "rubric"
    assert store.confirm(PLACE, {first.key: "as it was", second.key: "another text"}).about["confirmed"] == 1
    assert [known(url, answer)[:2] for answer in (first, second)] == [(1, False), (1, True)]


def test_a_deleted_student_is_forgotten(store: Store, url: str) -> None:
    first, second, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    for answer in (first, second):
        give(store, answer.key, reason)
    with Gradebook(url) as gradebook:
        gradebook.remove_student(first.student)
    with pytest.raises(Stale, match="not in the gradebook any more"):
        store.grade(PLACE, first.key, "x", {"mode": "rubric"}, no_digest)
    assert change_rubric(store, what="change", item=reason, label="r", points=0.5)["recalculated"] == 1
    with sqlite3.connect(url.removeprefix("sqlite:///")) as database:
        for table in ("nbjudge_rubric_mark", "nbjudge_rubric_use"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)


@pytest.mark.parametrize(
    "to",
    [
        {"mode": "rubric", "items": [], "adjustment": "NaN"},
        {"mode": "rubric", "items": [], "adjustment": 5},
        {"mode": "hand", "items": [], "points": 3},
        {"mode": "hand", "items": [], "points": None},
        {"mode": "hand", "items": [], "points": -1},
        {"mode": "other"},
        {"mode": "rubric", "items": "abc"},
        {"mode": "rubric", "items": [], "comment": "x" * 30_000},
        {},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(store: Store, url: str, to: dict) -> None:
    first, *_ = store.read(PLACE).answers
    with pytest.raises(CannotGrade, match="Next: "):
        store.grade(PLACE, first.key, state(store, first.key)["seen"], to, no_digest)
    assert known(url, first) == (None, True, None)


@pytest.mark.parametrize(
    "change",
    [
        {"what": "add", "items": [{"label": "", "points": 1}]},
        {"what": "add", "items": [{"label": "x", "points": "much"}]},
        {"what": "add", "items": [{"label": "x", "points": 3}]},
        {"what": "add", "items": [{"label": "x", "points": 1}] * 101},
        {"what": "add", "items": []},
        {"what": "add", "items": ["x"]},
        {"what": "drop table"},
        {},
    ],
)
def test_a_rubric_that_cannot_be_is_refused(store: Store, change: dict) -> None:
    rubric(store, ("kept", 1))
    with pytest.raises(CannotGrade, match="Next: "):
        change_rubric(store, **change)
    assert [item.label for item in store.read(PLACE).rubric.items] == ["kept"]


def test_an_unknown_question_a_locked_and_another_gradebook_are_said(store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotGrade, match="no answers to a question nowhere"):
        store.read(PLACE._replace(cell="nowhere"))
    with pytest.raises(CannotGrade, match="another nbgrader"):
        Store(f"sqlite:///{tmp_path / 'empty.db'}").questions()
    (tmp_path / "text.db").write_text("no database at all " * 100)
    with pytest.raises(CannotGrade, match="no database"):
        Store(f"sqlite:///{tmp_path / 'text.db'}").questions()
    monkeypatch.setattr("nbjudge._nbgrader.batched_gradebook.BUSY_SECONDS", 0.1)
    copy = tmp_path / "locked.db"
    shutil.copy(url.removeprefix("sqlite:///"), copy)
    locked = Store(f"sqlite:///{copy}")
    with sqlite3.connect(copy) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CannotGrade, match="another program writes"):
            change_rubric(locked, what="add", items=[{"label": "x", "points": 1}])
    assert locked.read(PLACE).rubric.items == ()


def test_the_rubric_moves_with_the_gradebook_and_nbgrader_upgrades_it(store: Store, root: Path, tmp_path: Path) -> None:
    first, *_ = store.read(PLACE).answers
    [reason] = rubric(store, ("the reason", 1))
    give(store, first.key, reason)
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    for command in (["nbgrader", "db", "upgrade"], ["nbjudge", "move", elsewhere]):
        done = subprocess.run([sys.executable, "-m", *command], cwd=root, check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
    moved = Store(elsewhere)
    assert moved.read(PLACE).told() == store.read(PLACE).told()
    change_rubric(moved, what="change", item=reason, label="the reason", points=0.5)
    assert known(elsewhere, first)[0] == 0.5
