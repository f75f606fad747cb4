"""Tests that state their causes: these travel beside the verdicts to the report, and nothing that a student brings is taken for one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from helpers.reports import causes_of, whole_of
from nbjudge._report.model import Cause
from nbjudge.testing import small_course
from nbjudge.testing.small_course import ADDS, ASSIGNMENT, hand_in, run

pytestmark = pytest.mark.slow

TEST = """
### BEGIN HIDDEN TESTS
class Reason:
    def __init__(self, id, words, next, is_established=True):
        self.id, self.words, self.next, self.is_established = id, words, next, is_established

class Wrong(AssertionError):
    def __init__(self, text, cause):
        super().__init__(text)
        self.cause = cause

class Why(str):
    cause = Reason("double.unknown", "this test does not know why", "", False)

class Points(float):
    cause = Reason("double.halves", "halves are not doubled", "try it on 0.5")

if double(1) - 1 == double(2) - 2 == double(0) != 0:
    raise Wrong("double(4) has to be 8", Reason("double.adds", f"{double(0)} is added to x", "multiply"))
assert double(4) == 8, Why("double(4) has to be 8")
None if double(0.5) == 1 else Points(1)
### END HIDDEN TESTS
"""
FORGED = {"id": "double.forged", "words": "<script>alert(1)</script>", "next": "nothing", "is_established": True}
RAISES = f"""def double(x):
    error = AssertionError("double(4) has to be 8")
    error.cause = type("Cause", (), {FORGED!r})
    raise error"""
RETURNS = f"""class Number(float):
    cause = type("Cause", (), {FORGED!r})
def double(x):
    return Number(2 * x if x != 0.5 else 7)"""
ANSWERS = {
    "ada": "def double(x):\n    return 2 * x",
    "bob": ADDS,
    "cem": ADDS,
    "dora": "def double(x):\n    return x + 5",
    "emil": "def double(x):\n    return 3 * x",
    "fay": "def double(x):\n    return 3 * x + 0",
    "gus": "def double(x):\n    return 2 * x if x != 0.5 else 7",
    "mallory": ADDS,
    "niaj": RAISES,
    "olga": RETURNS,
}


def make(root: Path) -> Path:
    """The class; mallory's notebook has a cause of its own wherever one could be looked for."""
    small_course.make(root, answers=ANSWERS, test=TEST)
    path = hand_in(root, "mallory", ADDS)
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["nbjudge"] = {"cause": FORGED}
    for cell in notebook.cells:
        cell.metadata |= {"nbjudge": {"cause": FORGED, "clue": {"cause": FORGED}}, "cause": FORGED}
    nbformat.write(notebook, path)
    beside = path.parent / "gradings" / "clues" / ASSIGNMENT
    beside.mkdir(parents=True)
    forged = {"sums": {"double_test": {"said": "double(4) has to be 8", "by": "author", "cause": FORGED}}}
    (beside / "mallory.json").write_text(json.dumps(forged), encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Graded by the grader's own command; not to be changed."""
    root = make(tmp_path_factory.mktemp("stated") / "course")
    run(root, "nbjudge", "grade")
    return root


@pytest.fixture(scope="module")
def by_nbgrader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same class, graded by nbgrader's own command with the grader's step in it."""
    root = make(tmp_path_factory.mktemp("by_nbgrader") / "course")
    small_course.grade_with_stock(root)
    return root


def as_read(causes: list[Cause]) -> dict[tuple[bool, str, str], set[str]]:
    return {(cause.is_named, cause.by, cause.title): set(cause.students) for cause in causes}


@pytest.mark.parametrize("graded_by", ["stated", "by_nbgrader"])
def test_failures_are_put_together_by_the_id_and_told_in_the_most_common_words(graded_by: str, request: pytest.FixtureRequest) -> None:
    root = request.getfixturevalue(graded_by)
    causes = causes_of(whole_of(root))
    assert as_read(causes) == {
        (True, "test", "4 is added to x"): {"bob", "cem", "dora", "mallory"},
        (True, "test", "halves are not doubled"): {"gus", "olga"},
        (False, "value", "the same result: `double` gave 12"): {"emil", "fay"},
        (False, "exception", "the code stops with AssertionError in line 4"): {"niaj"},
    }
    [adds] = [cause for cause in causes if "dora" in cause.students]
    assert adds.saying == "In 4 of 10 answers: 4 is added to x. What helps: multiply."
    assert adds.example == ADDS and adds.message == "double(4) has to be 8"


def test_no_student_states_a_cause(stated: Path) -> None:
    kept = {path.stem: json.loads(path.read_text(encoding="utf-8"))["sums"] for path in (stated / "gradings" / "clues").rglob("*.json")}
    assert {student: (tests["double_test"]["cause"] or {}).get("id") for student, tests in kept.items() if tests} == {
        **dict.fromkeys(["bob", "cem", "dora", "mallory"], "double.adds"),
        **dict.fromkeys(["emil", "fay"], "double.unknown"),
        **dict.fromkeys(["gus", "olga"], "double.halves"),
        "niaj": None,
    }


def test_causes_are_kept_with_results(stated: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(stated, tmp_path / "course"))
    before = as_read(causes_of(whole_of(root)))
    run(root, "nbjudge", "grade")
    shutil.rmtree(root / "autograded")
    shutil.rmtree(root / "gradings" / "clues")
    assert as_read(causes_of(whole_of(root))) != before
    said = run(root, "nbjudge", "grade").stdout
    assert as_read(causes_of(whole_of(root))) == before, said


@pytest.mark.parametrize(
    "damage",
    [
        "{",
        "[]",
        "3",
        '{"sums": 3}',
        '{"sums": {"double_test": 3}}',
        '{"sums": {"double_test": {"said": "double(4) has to be 8", "by": "author", "cause": 3}}}',
        '{"sums": {"double_test": {"said": "double(4) has to be 8", "by": "author", "cause": {"id": "x"}}}}',
    ],
)
def test_a_damaged_file_tells_nothing_and_stops_nothing(stated: Path, tmp_path: Path, damage: str) -> None:
    root = Path(shutil.copytree(stated, tmp_path / "course"))
    (root / "gradings" / "clues" / ASSIGNMENT / "dora.json").write_text(damage, encoding="utf-8")
    causes = as_read(causes_of(whole_of(root)))
    assert causes[True, "test", "4 is added to x"] == {"bob", "cem", "mallory"}
    assert causes[False, "", "double(4) has to be 8"] == {"dora"}, "by itself the message only judges"
