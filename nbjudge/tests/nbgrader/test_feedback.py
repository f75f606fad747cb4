"""A feedback page tells what the gradebook holds: every exercise by its name, and what nobody has graded yet."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from traitlets.config import Config

from helpers.courses import about
from nbjudge._execution.verdicts import Clue, FailureCause, Verdict
from nbjudge._nbgrader.clues import write_clues
from nbjudge._nbgrader.configuration import switch_on
from nbjudge._nbgrader.feedback import TellGrades
from nbjudge._nbgrader.pages import FeedbackExporter

V4 = nbformat.v4
FAILED = V4.new_output("error", ename="Test", evalue="✗ product: no\n  observed   3", traceback=["✗ product: no", "  observed   3"])
REPORT = [
    V4.new_output("stream", name="stdout", text="✓ one part of two\n"),
    V4.new_output("execute_result", data={"text/plain": "1.5"}, execution_count=None),
]
ABOUT = {"notebook": "work", "assignment": "week1", "student": "ada"}


def notebook() -> NotebookNode:
    """A test that passes, one that gives part of the points, one that fails, a written answer, a cell that nobody ran."""
    return V4.new_notebook(
        cells=[
            V4.new_markdown_cell("# Week *one*\n\n```\n# no heading\n```"),
            V4.new_markdown_cell("## Sums of `a_b`"),
            V4.new_code_cell("def sum_of(): ...", metadata=about("sum_of", solution=True, comment="**Short**, don't change it."), execution_count=1),
            V4.new_code_cell("assert sum_of()", metadata=about("sum_of_test", grade=True), execution_count=2),
            V4.new_code_cell("1.5", metadata=about("parts_test", grade=True), outputs=REPORT, execution_count=3),
            V4.new_markdown_cell("## Products"),
            V4.new_code_cell("assert product", metadata=about("product_test", grade=True), outputs=[FAILED], execution_count=4),
            V4.new_markdown_cell("Because $x^2$.", metadata=about("why", grade=True, solution=True)),
            V4.new_code_cell("report()"),
            V4.new_code_cell("print(1)", execution_count=6),
        ]
    )


@pytest.fixture
def gradebook(tmp_path: Path) -> Iterator[Gradebook]:
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        gradebook.add_assignment("week1")
        gradebook.add_notebook("work", "week1")
        for name, most in {"sum_of_test": 2, "parts_test": 3, "product_test": 1}.items():
            gradebook.add_grade_cell(name, "work", "week1", max_score=most, cell_type="code")
        gradebook.add_grade_cell("why", "work", "week1", max_score=4, cell_type="markdown")
        gradebook.add_student("ada")
        gradebook.add_submission("week1", "ada")
        for name, points in {"sum_of_test": 2, "parts_test": 1.5, "product_test": 0}.items():
            grade = gradebook.find_grade(name, "work", "week1", "ada")
            grade.auto_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()
        yield gradebook


def by_hand(gradebook: Gradebook, name: str, points: float) -> None:
    grade = gradebook.find_grade(name, "work", "week1", "ada")
    grade.manual_score, grade.needs_manual_grade = points, False
    gradebook.db.commit()


def page_of(tmp_path: Path, penalty: float = 0, with_looks: bool = False, ask: str = "file") -> BeautifulSoup:
    config = Config()
    switch_on(config)
    config.Report.ending, config.CourseDirectory.root = "_test", str(tmp_path)
    config.Regrade.ask = ask
    resources = {"nbgrader": {**ABOUT, "db_url": f"sqlite:///{tmp_path / 'gradebook.db'}", "late_penalty": penalty}}
    nb, resources = TellGrades(config=config).preprocess(notebook(), resources)
    kept, exporter = {cell.id: cell.metadata.nbgrader.comment for cell in nb.cells if "comment" in cell.metadata.get("nbgrader", {})}, None

    def comments(nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:  # nbgrader's GetGrades writes them at this place
        for cell in nb.cells:
            if cell.id in kept:
                cell.metadata.nbgrader.comment = kept[cell.id]
        return nb, resources

    exporter = FeedbackExporter(config=config)
    exporter.register_preprocessor(comments, enabled=True)
    page = BeautifulSoup(exporter.from_notebook_node(nb, resources)[0], "html.parser")
    if not with_looks:
        for look in page.select(".regrade"):
            look.decompose()
    return page


def text_of(part: Tag) -> str:
    return " ".join(part.get_text(" ").split())


def test_the_list_names_every_exercise_with_its_points_and_leads_there(gradebook: Gradebook, tmp_path: Path) -> None:
    page = page_of(tmp_path)
    rows = [text_of(row) for row in page.select("table.list tbody tr")]
    assert rows == ["Sums of a_b", "sum of ✓ 2 of 2", "parts ◐ 1.5 of 3", "Products", "product ✗ 0 of 1 ✗ product: no", "why … – of 4 not graded yet"]
    assert all(page.find(id=link["href"][1:]) for link in page.select("table.list a, .up"))
    assert text_of(page.h1) == "Feedback: Week one"


@pytest.mark.parametrize(
    ("words", "told"),
    [("the factors are  added", "the factors are added"), ("it is the second test of the hidden ones", "✗ product: no")],
)
def test_the_list_tells_the_cause_where_the_student_reads_it_in_the_message(
    gradebook: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, told: str
) -> None:
    """The cause of a test is for the instructor, unless its message says the same."""
    said = "✗ product: no\n  likely     the factors are\n             added"
    monkeypatch.setattr("test_feedback.FAILED", V4.new_output("error", ename="Test", evalue=said, traceback=said.splitlines()))
    verdict = Verdict("product_test", 0, 1, "failed", said, clue=Clue("author", cause=FailureCause("product.added", words, "multiply", True)))
    write_clues(tmp_path, "ada", "week1", {"work": [verdict]})
    assert f"product ✗ 0 of 1 {told}" in {text_of(row) for row in page_of(tmp_path).select("table.list tr")}


def test_what_a_message_has_between_backticks_is_code(gradebook: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "`a < b` in line 3, ` is not"
    monkeypatch.setattr("test_feedback.FAILED", V4.new_output("error", ename="Test", evalue=said, traceback=[said]))
    [row] = [row for row in page_of(tmp_path).select("table.list tr") if text_of(row).startswith("product")]
    assert [text_of(part) for part in row.find_all("code")] == ["a < b"] and text_of(row).endswith("a < b in line 3, ` is not")


def test_the_list_tells_the_cause_of_a_part_that_is_missing(gradebook: Gradebook, tmp_path: Path) -> None:
    words = "one part of two"
    verdict = Verdict("parts_test", 1.5, 3, "partial", printed=REPORT[0].text, clue=Clue("author", cause=FailureCause("part", words, "", True)))
    write_clues(tmp_path, "ada", "week1", {"work": [verdict]})
    assert f"parts ◐ 1.5 of 3 {words}" in {text_of(row) for row in page_of(tmp_path).select("table.list tr")}


def test_an_answer_that_was_left_as_it_came_is_not_called_a_comment(gradebook: Gradebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """nbgrader comments on it by itself."""
    by_hand(gradebook, "why", 0)
    untouched = notebook()
    for cell in untouched.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.metadata.nbgrader.comment = "No response."
    monkeypatch.setattr("test_feedback.notebook", lambda: untouched)
    page = page_of(tmp_path)
    assert "why ✗ 0 of 4 no answer" in {text_of(row) for row in page.select("table.list tr")}
    assert "Comments on your code" not in page.get_text()


def test_what_is_not_graded_is_no_zero(gradebook: Gradebook, tmp_path: Path) -> None:
    page = page_of(tmp_path)
    assert text_of(page.select_one(".total")) == "3.5 of 6 graded points; 4 points not graded yet."
    assert "not graded yet, 4 points" in text_of(page.find(id="why"))
    assert page.find(id="why").find("math")
    by_hand(gradebook, "why", 0)
    page = page_of(tmp_path)
    assert text_of(page.select_one(".total")) == "3.5 of 10 points."
    assert "✗ 0 of 4 points" in text_of(page.find(id="why"))
    assert "not graded" not in page.get_text()


def test_a_late_penalty_is_in_the_total(gradebook: Gradebook, tmp_path: Path) -> None:
    by_hand(gradebook, "why", 4)
    assert text_of(page_of(tmp_path, 2).select_one(".total")) == "5.5 of 10 points. 2 points taken off, because it was handed in late."


def test_a_test_shows_points_message_and_what_it_printed(gradebook: Gradebook, tmp_path: Path) -> None:
    page = page_of(tmp_path)
    failed, part = text_of(page.find(id="product_test")), text_of(page.find(id="parts_test"))
    assert failed == "Test of product ✗ 0 of 1 point to the list ✗ product: no observed 3 Show the test assert product"
    assert part == "Test of parts ◐ 1.5 of 3 points to the list ✓ one part of two Show the test 1.5"


def test_points_that_an_instructor_has_changed_say_so(gradebook: Gradebook, tmp_path: Path) -> None:
    by_hand(gradebook, "product_test", 1)
    page = page_of(tmp_path)
    assert "✓ 1 of 1 point to the list Your instructor has set these points by hand." in text_of(page.find(id="product_test"))
    assert "product ✓ 1 of 1 set by your instructor" in text_of(page.select_one("table.list"))


def test_a_comment_stands_at_its_answer_and_in_the_list(gradebook: Gradebook, tmp_path: Path) -> None:
    page = page_of(tmp_path)
    link = next(link for link in page.select("a") if link["href"] == "#comment-sum_of")
    assert text_of(link) == "sum of"
    assert text_of(page.find(id="comment-sum_of")) == "Comment Short , don't change it."


def test_a_cell_that_was_not_run_says_so(gradebook: Gradebook, tmp_path: Path) -> None:
    notes = page_of(tmp_path).select(".note")
    assert [text_of(note) for note in notes] == ["This cell is not run when your notebook is graded."]
    assert text_of(notes[0].parent).startswith("report ()")


def test_a_second_look_can_be_asked_for_at_what_is_graded(gradebook: Gradebook, tmp_path: Path) -> None:
    """By a script whose digest the policy names, without one by a file and a text; by mail where there is an address; or not at all."""
    page = page_of(tmp_path, with_looks=True)
    looks = page.select(".regrade")
    assert [look.find_parent(id=True)["id"] for look in looks] == ["sum_of_test", "parts_test", "product_test"]  # nobody has graded the fourth
    [script] = page.select("script")
    digest = base64.b64encode(hashlib.sha256(script.string.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page.select_one("meta[http-equiv]")["content"]
    text = looks[0].pre.get_text()
    assert base64.b64decode(looks[0].select_one("a[download]")["href"].split(",")[1]).decode() == text and "mailto" not in str(page)
    assert page_of(tmp_path, with_looks=True, ask="").select(".regrade, script") == []
    mail = page_of(tmp_path, with_looks=True, ask="help@example.org").select_one(".plain a")["href"]
    assert mail.startswith("mailto:help@example.org?subject=") and parse_qs(mail)["body"][0].replace("\r\n", "\n") == text
