"""What others import: the README's examples run as they stand, bad input is refused in a sentence, and an old import says what to write now."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import nbjudge
from helpers.courses import make_course
from hostile import HONEST, cheat_source
from nbjudge import CannotGrade, Status, check_course, check_notebook, grade_course, grade_notebook
from nbjudge.testing.notebooks import code, notebook, test_cell

PROJECT = Path(__file__).parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As the README's example has it: a package, a source with a file beside it, and what was handed in."""
    (tmp_path / "my_lessons").mkdir()
    (tmp_path / "my_lessons" / "__init__.py").write_text("def twice(x):\n    return 2 * x\n", encoding="utf-8")
    (tmp_path / "source" / "week1").mkdir(parents=True)
    (tmp_path / "source" / "week1" / "known.txt").write_text("8", encoding="utf-8")
    test = "assert double(4) == int(open('known.txt').read()), 'twice 4 is another number'"
    work = code("import my_lessons\ndef double(x): return my_lessons.twice(x)", solution=True, grade_id="double", cell_type="code")
    nbformat.write(notebook(work, test_cell("double_test", test, 3)), tmp_path / "source" / "week1" / "week1.ipynb")
    nbformat.write(notebook(work, test_cell("double_test", "pass", 3)), tmp_path / "submitted.ipynb")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_readme_grades_one_notebook_in_five_lines_with_one_import(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    section = README.split("## Without nbgrader")[1]
    [example] = re.findall(r"^```python\n(.*?)^```", section.split("\n## ")[0], re.MULTILINE | re.DOTALL)
    lines = [line for line in example.splitlines() if line]
    assert len(lines) <= 5 and sum("import" in line for line in lines) == 1
    exec(example, {})
    assert capsys.readouterr().out == "double_test 3.0 \n"


def test_students_do_not_find_what_lies_beside_the_source(folder: Path) -> None:
    reads = "def double(x): return int(open('known.txt').read())"
    submitted = notebook(code(reads, solution=True, grade_id="double", cell_type="code"))
    assert grade_notebook(submitted, "source/week1/week1.ipynb", ["my_lessons"]).verdicts[0].points == 0
    (folder / "given").mkdir()
    (folder / "given" / "known.txt").write_text("8", encoding="utf-8")
    assert grade_notebook(submitted, "source/week1/week1.ipynb", ["my_lessons"], files="given").verdicts[0].points == 3


def test_a_solution_is_checked(folder: Path) -> None:
    [finding] = check_notebook("source/week1/week1.ipynb", ["my_lessons"])
    assert finding.is_full
    wrong = cheat_source(HONEST.replace("answer = 42", "answer = 41"))
    assert [finding.grade_id for finding in check_notebook(wrong) if not finding.is_full] == ["answer_test"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.ipynb", "source/week1/week1.ipynb"), "nowhere.ipynb cannot be read"),
        (("source/week1/known.txt", "source/week1/week1.ipynb"), "known.txt is no notebook"),
        (("submitted.ipynb", "source/week1/week1.ipynb", ["no_such_package"]), "Python finds no_such_package neither"),
    ],
)
def test_bad_input_is_refused_with_what_to_do(folder: Path, arguments: tuple, says: str) -> None:
    with pytest.raises(CannotGrade, match=says) as caught:
        grade_notebook(*arguments)
    assert "Next: " in str(caught.value)


def test_files_that_are_nowhere_are_refused(folder: Path) -> None:
    with pytest.raises(CannotGrade, match="no_folder is no folder"):
        grade_notebook("submitted.ipynb", "source/week1/week1.ipynb", ["my_lessons"], files="no_folder")


def test_a_course_is_checked_and_graded(tmp_path: Path) -> None:
    root = make_course(tmp_path / "course", students=2, first_cell="import math")
    [checked] = check_course(root)
    assert (checked.assignment, checked.notebook, checked.troubles) == ("first", "work", [])
    assert [outcome.status for outcome in grade_course(root)] == [Status.GRADED] * 2
    assert [outcome.status for outcome in grade_course(root, workers=1)] == [Status.GRADED_BEFORE] * 2
    with pytest.raises(CannotGrade, match="there is no assignment second"):
        check_course(root, ["second"])


def test_an_old_import_says_what_to_write_now() -> None:
    old = "from examiner.nbgrader_steps.configuration import switch_on"
    said = subprocess.run([sys.executable, "-c", old], text=True, capture_output=True, check=False)
    assert said.returncode == 1 and "from nbjudge import switch_on" in said.stderr.splitlines()[-1]


def test_a_name_stands_in_the_readme_and_can_be_listed() -> None:
    assert [name for name in nbjudge.__all__ if f"`{name}`" not in README] == []
    assert set(nbjudge.__all__) <= set(dir(nbjudge))
