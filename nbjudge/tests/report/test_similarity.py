"""Who is listed as unusually alike: copies whose names and order were changed; not those who wrote the common answer. And its page."""

from __future__ import annotations

from pathlib import Path
from random import Random

import nbformat
import pytest
from bs4 import BeautifulSoup

from nbjudge import similar_answers
from nbjudge._course.course import Course
from nbjudge._report.alike import pairs
from nbjudge._report.command import read_notebooks
from nbjudge._report.failures import Names
from nbjudge._report.gradebook import Book, Cell, Graded, Marks
from nbjudge._report.model import AlikeAnswers, AlikePair, Question
from nbjudge._report.normal_forms import form_of
from nbjudge._report.pages import SIMILAR, render, write
from nbjudge._report.similarity import alike, groups, tail
from nbjudge.testing.notebooks import code, notebook
from nbjudge.testing.reports import HOSTILE, ordinary

SAME = [
    ("def f(x):\n    y = x + 1\n    return y", "def f(q):  # mine\n    '''Doc.'''\n    long_name = 1 + q\n    return long_name", "renamed, turned"),
    ("def f(x):\n    a = g(x)\n    b = h(x)\n    return a, b", "def f(x):\n    b = h(x)\n    a = g(x)\n    return a, b", "reordered"),
    ("def f(x):\n    x += g(1)", "def f(x):\n    x = x + g(1)", "augmented"),
    ("def f(x):\n    return a > x[0]", "def f(x):\n    return x[0] < a", "compared"),
    ("f(a, b, c=1, d=g(2))", "f(a, b, d=g(2), c=1)", "keywords"),
]


@pytest.mark.parametrize(("one", "other", "how"), SAME, ids=[how for *_, how in SAME])
def test_what_changes_nothing(one: str, other: str, how: str) -> None:
    assert form_of(one, (), True).parts.keys() == form_of(other, (), True).parts.keys() != set()


def test_a_while_that_counts_is_a_for() -> None:
    counted = form_of("def f(n):\n    for i in range(n):\n        use(i, n[0])", (), True).parts.keys()
    whiled = form_of("def f(n):\n    i = 0\n    while i < n:\n        use(i, n[0])\n        i += 1", (), True).parts.keys()
    assert len(counted & whiled) == len(counted) - 1  # all but the function


@pytest.mark.parametrize(
    ("one", "other"),
    [("f(x, 1)", "f(x, 2)"), ("a[0] - b[1]", "b[1] - a[0]"), ("f(x[0])", "g(x[0])"), ("x[0] < a", "a < x[0]"), ("f(a, b[1])", "f(b[1], a)")],
)
def test_what_changes_something(one: str, other: str) -> None:
    assert form_of(one, (), True).parts.keys() != form_of(other, (), True).parts.keys()


@pytest.mark.parametrize(
    "source", ["def (", "x = '\0'", "(" * 5000, "x" * 100_000, "", "a\n" * 3000, "\udcff", "-" * 50_000 + "1", "x" + ".a" * 20_000]
)
def test_any_text_has_a_form(source: str) -> None:
    assert form_of(source, (source,), True).parts == {} and form_of(source, (source,), False).parts == {}


def test_what_was_given_is_taken_out() -> None:
    given = "import numpy as np\nscale = np.sqrt(8 + 1)"
    assert form_of(given, (given,), True).parts == {}
    assert (
        form_of("To be or not, because of rows", ("To be or not",), False).parts.keys()
        == form_of("or not, because of rows", ("or not",), False).parts.keys()
    )


def answers(students: int, exercises: int = 5, seed: int = 1) -> dict[str, dict[str, str]]:
    """A class in which each takes one of 40 ways, of which the n-th most common has a weight of 1/n."""
    draw, ways = Random(seed), range(1, 41)
    made = {}
    for exercise in range(exercises):
        chosen = draw.choices(ways, [1 / way for way in ways], k=students)
        made[f"e{exercise}"] = {f"s{number}": way_of(exercise, way) for number, way in enumerate(chosen)}
    return made


def way_of(exercise: int, way: int) -> str:
    return f"def solve(x):\n    first = step_{way}(x, {exercise})\n    second = part_{way % 7}(x[{way % 5}])\n    return first + second * {way}"


COPIED = "def solve(x):\n    # another remark\n    b = part_{0}(x[{1}])\n    a = step_{2}(x, {3})\n    return {2} * b + a"


def test_those_who_wrote_apart_are_not_listed() -> None:
    assert [len(similar_answers(answers(students, seed=seed))) for students in (30, 300) for seed in range(4)] == [0] * 8


@pytest.mark.parametrize("students", [30, 300])
def test_a_copy_is_listed_and_nobody_else(students: int) -> None:
    made = answers(students, exercises=8)
    for number, exercise in enumerate(made):
        way = 20 + number
        made[exercise]["s3"], made[exercise]["s9"] = way_of(number, way), COPIED.format(way % 7, way % 5, way, number)
    [one] = similar_answers(made)
    assert (one.first, one.second) == ("s3", "s9") and one.expected < 0.01 and len(one.exercises) >= 8
    assert groups([one]) == [["s3", "s9"]]


def test_one_equal_answer_says_nothing() -> None:
    made = answers(60)
    made["e0"]["s1"] = made["e0"]["s2"] = way_of(0, 39)
    assert similar_answers(made) == [] and similar_answers({"e0": made["e0"]}) == []


def test_few_students_or_nothing_written() -> None:
    assert alike({}) == [] and similar_answers(answers(5)) == [] and similar_answers({"e": {}, "f": {"s1": ""}}) == []
    assert similar_answers({name: dict.fromkeys((f"s{n}" for n in range(30)), "x = f(1, 2, 3)") for name in "abc"}) == []  # all the same


def test_fishers_method() -> None:
    """One exercise: p itself. Two with p = 0.05 each: 0.0025 (1 - ln 0.0025), as tables have it."""
    assert tail(3.0, 1) == pytest.approx(0.049787, rel=1e-4) and tail(2 * 2.995732, 2) == pytest.approx(0.017479, rel=1e-3)


def test_a_copy_in_a_course_is_shown_and_names_nobody_where_names_are_hidden(tmp_path: Path) -> None:
    """The copy still has its author's name in it, and the copier's, whom the gradebook knows by nothing but an id."""
    made, author, copier = answers(30, exercises=8), "s3", "willi_wombat"
    for number, exercise in enumerate(made):
        way = 20 + number
        made[exercise][author] = f"# by Ada Lovelace\n{way_of(number, way)}"
        made[exercise][copier] = f"# by Ada Lovelace, typed by Wombat\n{COPIED.format(way % 7, way % 5, way, number)}"
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
    students = sorted(made["e0"])
    for student in students:
        folder = tmp_path / "autograded" / student / "ps1"
        folder.mkdir(parents=True)
        nbformat.write(notebook(*(code(texts[student], grade_id=name) for name, texts in made.items())), folder / "n.ipynb")
    questions = [Question("ps1", "n", name, name, 1.0, "code") for name in made]
    cells = [Cell("n", name, "", is_code=True, is_solution=True) for name in made]
    people = {student: ("Ada", "Lovelace", "") if student == author else ("", "", "") for student in students}
    marks = {("n", name): Marks(None, 1.0) for name in made}
    book = Book({"ps1": questions}, {"ps1": cells}, people, [Graded(student, "ps1", None, 0.0, 0.0, marks) for student in students])
    course = Course(tmp_path)
    told = read_notebooks(course, book, compares=True)
    for names in (Names(people, hidden=False), Names(people, hidden=True)):
        [pair] = pairs(course, book, told, names)
        assert (pair.first, pair.second) == (names.id_of(author), names.id_of(copier))
        assert [one.question for one in pair.answers] == questions
        for number, one in enumerate(pair.answers):
            assert [line for line, _ in one.first[1:]] == way_of(number, 20 + number).splitlines()
            assert [is_shared for _, is_shared in one.first] == [False, False, True, True, True]
        text = " ".join(line for one in pair.answers for side in (one.first, one.second) for line, _ in side)
        known = ["Ada", "Lovelace", "Wombat"]
        assert [name for name in known if name in text] == ([] if names.are_hidden else known)


def test_the_page_shows_both_answers_and_says_what_it_is(tmp_path: Path) -> None:
    from dataclasses import replace

    whole = ordinary(12, 2)
    question = whole.parts[0].items[0].question
    lines = tuple((text[:200], place % 2 == 0) for place, text in enumerate(HOSTILE))
    pair = AlikePair(
        whole.parts[0].assignment, whole.lines[0].student, whole.lines[1].student, 1e-7, (AlikeAnswers(question, 0.9, 0.002, lines, lines),), True
    )
    page = BeautifulSoup(render(replace(whole, alike=(pair,)))[SIMILAR], "html.parser")
    assert "A reason to look, not a finding." in page.get_text() and len(page.select(".sides pre")) == 2
    assert page.select("img, [onerror], iframe") == [] and len(page.select("script")) == 3
    assert SIMILAR not in render(whole) and "No two submissions" in render(replace(whole, alike=()))[SIMILAR]
    write(tmp_path / "report", replace(whole, alike=(pair,)))
