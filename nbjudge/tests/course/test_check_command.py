"""`nbjudge check` as an instructor types it: one page, what to do first, and lines that can be pasted."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from rich.console import Console

from nbjudge._commands.check import Checked, proposed, unused
from nbjudge._commands.check_page import check
from nbjudge._course.course import Course
from nbjudge._execution.check import Finding
from nbjudge.testing.notebooks import code, notebook, test_cell

pytestmark = pytest.mark.slow

CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'checked'\nfrom nbjudge import switch_on\nswitch_on(c)\n"
NOISE = ("zmq", "TCP", "tornado", "jupyter_client", "frozen", "MissingID", "Warning", "WARNING", "Traceback")
BOX = "class Box:\n    pass\nbox = Box()\nwhere = id(box)"
BESIDE = "assert id(box) == where"  # only its own process can tell
DOUBLE = "def double(x):\n    return 2 * x"


def solution(name: str, text: str) -> NotebookNode:
    return code(f"### BEGIN SOLUTION\n{text}\n### END SOLUTION", solution=True, grade_id=name, cell_type="code")


def write(root: Path, place: str, *cells: NotebookNode) -> None:
    path = root / "source" / f"{place}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook(*cells), path)


def run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nbjudge", "check", *options], cwd=root, text=True, capture_output=True, check=False)


def page_of(root: Path, columns: int) -> tuple[int, str]:
    written = io.StringIO()
    return check(Course(root), Console(file=written, width=columns, highlight=False), []), written.getvalue()


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def beside_students(text: str) -> list[str]:
    [line] = ast.parse(text).body
    assert isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "c.Execute.beside_students"
    return list(ast.literal_eval(line.value))


def test_a_course_that_is_well_takes_a_line(course: Path) -> None:
    write(course, "week1/a", solution("double", DOUBLE), test_cell("double_test", "assert double(4) == 8"))
    write(
        course, "week2/b", solution("double", DOUBLE), test_cell("double_test", "assert double(3) == 6"), test_cell("again", "assert double(2) == 4")
    )
    done = run(course)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "2 notebooks of 2 assignments: your solution earns all points of all 3 test cells.\n"
    proposal = run(course, "--propose", "week1")
    assert proposal.returncode == 0 and ast.parse(proposal.stdout).body == []
    assert "1 of 1 test cell" in proposal.stdout


def test_notebooks_of_an_old_nbgrader_are_told_with_the_command_that_mends_them(course: Path) -> None:
    write(course, "week1/old", solution("double", DOUBLE), test_cell("double_test", "assert double(4) == 8"))
    path = course / "source" / "week1" / "old.ipynb"
    path.write_text(path.read_text().replace('"schema_version": 3', '"schema_version": 1'))
    done = run(course)
    said = " ".join(done.stdout.split())
    assert done.returncode and "its cells were made by an old nbgrader. Next: type `nbgrader update source`" in said, said
    subprocess.run([sys.executable, "-m", "nbgrader", "update", "source"], cwd=course, check=True, capture_output=True)
    assert run(course).returncode == 0


def test_one_page_what_to_do_first_and_lines_that_hold(course: Path) -> None:
    write(course, "week1/well", solution("double", DOUBLE), test_cell("double_test", "assert double(4) == 8"))
    heading = new_markdown_cell("## Boxes")
    random = test_cell("cell-8a3f09c2d4e5f607", BESIDE)
    wrong = test_cell("double_test", "assert double(4) == 9, 'nine'")
    write(
        course, "week2/boxes", heading, solution("box", BOX), random, solution("double", DOUBLE), wrong, test_cell("right", "assert double(1) == 2")
    )
    stops = solution("half", "half = 1 / 0"), test_cell("half_test", "assert half == 2"), test_cell("one", "assert 1 == 1")
    write(course, "week10/halves", *stops)
    (course / "source" / "week10" / "broken.ipynb").write_text("{", encoding="utf-8")
    (course / "nbgrader_config.py").write_text(CONFIG + "c.Execute.beside_students = ['gone', 'week1/double_test']\n", encoding="utf-8")

    for columns in (80, 120):
        status, page = page_of(course, columns)
        assert status == 1
        paste = page.index("\nc.Execute")
        assert max(map(len, page[:paste].splitlines())) <= columns
        in_order = ["Nothing to do in week1", "Not checked", "week10/broken", "Cells that stop", "week10/halves, half: ZeroDivisionError"]
        in_order += ["does not pass half_test", "Not judged", "AssertionError: nine", "To be named", "cell 3 (", "Notes", "Ready to paste"]
        places = [" ".join(page.split()).find(words) for words in in_order]
        assert -1 not in places and places == sorted(places), dict(zip(in_order, places))
    assert beside_students(page[paste:]) == ["gone", "week1/double_test", "week2/cell-8a3f09c2d4e5f607"]
    assert "# boxes, cell 3 (" in page[paste:]

    proposal = run(course, "--propose")
    assert beside_students(proposal.stdout) == ["gone", "week1/double_test", "week2/cell-8a3f09c2d4e5f607"] and proposal.returncode == 1
    assert "# Checked with this: 4 of 6 test cells are judged." in proposal.stdout and "week10/broken" in proposal.stdout
    with (course / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(proposal.stdout)
    (course / "source" / "week10" / "broken.ipynb").unlink()
    status, page = page_of(course, 120)
    assert status == 1 and page.startswith("3 notebooks of 3 assignments, 6 test cells: 2 judged; 2 judged beside the students' code, as c.Execute")
    assert "Ready to paste" not in page and "c.Execute.beside_students names gone: no test cell of the course." in page


def test_where_most_of_an_assignment_needs_it_the_assignment_is_named(course: Path) -> None:
    write(course, "boxes/a", solution("box", BOX), test_cell("one", BESIDE), test_cell("two", BESIDE), test_cell("three", "assert box is box"))
    write(course, "others/a", solution("box", BOX), test_cell("one", BESIDE), test_cell("two", "assert box is box"))
    config = CONFIG + "c.Execute.beside_students = ['boxes/one']\n"
    (course / "nbgrader_config.py").write_text(config, encoding="utf-8")
    done = run(course, "--propose")
    assert beside_students(done.stdout) == ["boxes/*", "others/one"] and done.returncode == 0


def test_nothing_of_a_kernels_connection_is_printed(course: Path) -> None:
    """Generated tests start nbgrader's own kernel; old notebooks have no cell ids."""
    generated = test_cell("double_test", "### AUTOTEST double(4); double(5)")
    write(course, "week1/a", solution("double", DOUBLE), generated)
    (course / "source" / "week1" / "autotests.yml").write_text(
        "python3:\n"
        "    setup: 'pass'\n"
        "    hash: 'hash({{snippet}})'\n"
        "    dispatch: 'type({{snippet}})'\n"
        "    normalize: 'str({{snippet}})'\n"
        '    check: \'assert {{snippet}} == "{{value}}", "{{message}}"\'\n'
        "    success: 'print(\"Success!\")'\n"
        "    templates:\n"
        "        default:\n"
        "            - test: '{{snippet}}'\n"
        "              fail: 'not the right value'\n",
        encoding="utf-8",
    )
    write(course, "week2/old", solution("double", DOUBLE), test_cell("double_test", "assert double(4) == 8"))
    old = course / "source" / "week2" / "old.ipynb"
    about = json.loads(old.read_text())
    about["nbformat_minor"], about["metadata"]["kernelspec"]["name"] = 1, "python2"
    for cell in about["cells"]:
        del cell["id"]
    old.write_text(json.dumps(about))
    done = run(course)
    assert (done.returncode, done.stderr) == (0, "") and not any(word in done.stdout for word in NOISE)
    assert done.stdout == "2 notebooks of 2 assignments: your solution earns all points of all 2 test cells.\n"


def test_what_is_named_stays_and_what_names_nothing_is_told() -> None:
    found = [Finding("a", 0, 1, road="only beside", label="a"), Finding("b", 1, 1)]
    checked = [Checked("w1", "n", found), Checked("w2", "n", found, wants_all=True), Checked("w3", "n", why="no", next_step="do")]
    assert list(proposed(["x", "w2/b", "w3/*", "w1/a"], checked)) == ["x", "w3/*", "w1/a", "w2/*"]
    assert unused(["x", "a", "w1/a", "w2/*", "w9/*", "*", "w1/c"], checked) == ["x", "w9/*", "w1/c"]


def test_a_table_and_a_page_call_a_cell_with_a_random_name_by_what_it_is(course: Path) -> None:
    random = ("cell-8a3f09c2d4e5f607", "cell-9b3f09c2d4e5f607")
    cells = [[solution("double", DOUBLE), test_cell(name, "assert double(4) == 8")] for name in random]
    for place, both in zip(("week1/a", "week1/b"), cells):
        write(course, place, *both)
        submitted = course / "submitted" / "ada" / f"{place}.ipynb"
        submitted.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(*both), submitted)
    about = {"cwd": course, "text": True, "capture_output": True, "check": True}
    done = subprocess.run([sys.executable, "-m", "nbjudge", "grade", "--workers", "1"], **about)
    table = done.stdout[done.stdout.index("week1") :]
    assert "8a3f09c2" not in table and "9b3f09c2" not in table
    assert table.count("double") == 2, "two cells, and no column for both of them"
    subprocess.run([sys.executable, "-m", "nbjudge", "report"], **about)
    pages = "".join(path.read_text(encoding="utf-8") for path in (course / "report").rglob("*.html"))
    assert "double cell 2" in pages and "b double cell 2" in pages
    feedback = (course / "feedback" / "ada" / "week1" / "a.html").read_text(encoding="utf-8")
    assert "double cell 2" in feedback and "cell 8a3f09c2d4e5f607" not in feedback
