"""Every rule for lessons is enforced: a small lesson that breaks one is refused, with the cell and the next step."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from attnlab import check
from authoring.__main__ import main
from authoring.errors import BuildError
from authoring.lessons import ROOT, Lesson, find_lessons, grade_id, read_text
from authoring.lints import lint_release, lint_source
from authoring.pairing import pair
from authoring.release import release
from nbjudge import names_from_outside
from nbjudge.testing.steps import Instructor, plan_for

PROJECT = Path(__file__).parent / "small_project"
SMALL = (PROJECT / "source" / "1_doubling" / "doubling.md").read_text(encoding="utf-8")
AS_SHOWN = {
    "jp-MarkdownHeadingCollapsed": True,
    "collapsed": True,
    "scrolled": True,
    "editable": False,
    "deletable": False,
    "trusted": True,
    "jupyter": {"source_hidden": True, "outputs_hidden": True},
    "slideshow": {"slide_type": "slide"},
    "execution": {},
}
TRAINS = '```python tags=["raises-exception", "skip-execution"]\nmodel = 1\n```\n\n```python\n'
HIDDEN = "### BEGIN HIDDEN TESTS\n"


@pytest.fixture(autouse=True)
def small_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """The visible check of the small lesson, beside those of the course."""
    monkeypatch.setattr(check, "double", print, raising=False)


def lesson_of(text: str, root: Path) -> Lesson:
    folder = root / "source" / "1_doubling"
    shutil.copytree(PROJECT / "source" / "1_doubling", folder, dirs_exist_ok=True)
    shutil.copytree(PROJECT / "attnlab", root / "attnlab", dirs_exist_ok=True)
    (folder / "doubling.md").write_text(text, encoding="utf-8")
    return Lesson("1_doubling", root)


def problems(text: str, root: Path) -> str:
    lesson = lesson_of(text, root)
    return "\n".join(map(str, lint_source(lesson, read_text(lesson))))


def test_a_lesson_that_keeps_the_rules_passes(tmp_path: Path) -> None:
    assert problems(SMALL, tmp_path) == ""


@pytest.mark.parametrize(
    ("old", "new", "cell", "said"),
    [
        (
            "  lesson:\n    goals:\n    - double a number\n    in_short: Numbers are doubled.\n    minutes: 15\n"
            "    needs:\n    - numbers\n    points: 2\n    title: Doubling\n",
            "",
            "front matter",
            "there is no `lesson:` part",
        ),
        ("    minutes: 15\n", "", "front matter", "`minutes` is missing"),
        ("    points: 2\n", "    points: 4\n", "front matter", "it says 4 points, the cells sum to 2"),
        ("    minutes: 15\n", "    minutes: 3\n", "front matter", "the cards alone take 4"),
        ("    points: 2\n", "    optional: true\n    points: 2\n", "front matter", "does not tell the learner that the lesson is optional"),
        ("    points: 2\n", "    optional: perhaps\n    points: 2\n", "front matter", "`optional` is 'perhaps'"),
        ("gives 2 points", "gives points", "front matter", "does not tell the learner the 2 points"),
        ("> **Exercise 1 · `double`**   ●○○ difficulty · 4 min · 2 points", "> Double it.", "`double`", "the exercise has no card"),
        (" · 4 min", "", "`double`", "does not say how many minutes"),
        (" · 2 points", " · 5 points", "`double`", "does not say the 2 points"),
        ("●○○ ", "", "`double`", "how difficult"),
        ("<summary>A nudge</summary>", "<summary>Hint</summary>", "`double`", "no help called “A nudge”"),
        ("<summary>Worked by hand</summary>", "", "`double`", "no help called “Worked by hand”"),
        ("> Add.", "> <details><summary>Is it *twice*?</summary></details>", "Exercise 1", "nothing draws there: *twice*"),
        ("> Add.", "> <details><summary>What does `add` do?</summary></details>", "Exercise 1", "nothing draws there: `add`"),
        ("> Add.", "> <details><summary>Why $x^2$?</summary></details>", "Exercise 1", "nothing draws there: $x^2$"),
        ("> Shown below: `number` = 4\n", "", "`double`", "does not name the visible reference"),
        ('figures.compare("double", double)', "print(1)", "`double`", "no picture"),
        ("check.double(double)\n", "", "`double`", "no visible check"),
        ("check.double(double)\n", "check.treble(double)\n", "`double_test`", "`check.treble` does not exist"),
        ('figures.compare("double"', 'figures.compair("double"', "figures.compair", "did you mean `figures.compare`?"),
        ("> **Exercise 1 · `double`**", "> **Exercise 2 · `double`**", "the card of `double`", "called exercise 2, and is number 1"),
        ("> Add.", "> TODO: a question", "line 52", "still to be written: a question"),
        ('"grade_id": "double_test"', '"grade_id": "other_test"', "`double`", "no test cell"),
        ('"grade_id": "predict_eight"', '"grade_id": "double"', "`double`", "occurs 2 times"),
        ("**Predict first.** What", "What", "`predict_eight`", "the prediction has no question"),
        ('check.reveal("predict_eight")', "print(8)", "`predict_eight`", "the prediction is never answered"),
        ('check.reveal("predict_eight")', 'check.reveal("predict_nine")', "`predict_eight`", "the prediction is never answered"),
        ("predicted_eight = 8", "predicted_eight = 9", "`predict_eight`", "its answer 9 is not one of the choices of predictions.toml"),
        ("`4`, `8` or `16`", "`4`, `8` or 16", "`predict_eight`", "the question does not name the choice `16`"),
        ('check.reveal("predict_eight")', 'print(8)\ncheck.reveal("predict_eight")', "print(8)", "something stands above `check.reveal`"),
        ("print(4 + 4)", "eight = 4 + 4\n```\n\n```python\nprint(eight)", "print(eight)", "without a choice that cell stops"),
        ('"grade_id": "double_test"', '"grade_id": "predict_eight_test"', "`predict_eight`", "the prediction has a test cell"),
        (
            "check.double(double)\n",
            'check.double(double)\ncheck.choice("double", double, 1)\n',
            "`double_test`",
            "tests no question",
        ),
        (
            "```python\nfigures.compare",
            '```python\ncheck.choice("double", 1, 1)\nfigures.compare',
            "check.choice",
            "tests no question",
        ),
        (HIDDEN, HIDDEN + "assert helper(1)\n", "`double_test`", "uses `helper`"),
        (HIDDEN, HIDDEN + "import inspect\n", "`double_test`", "imports `inspect`"),
        (HIDDEN, HIDDEN + "assert isinstance(double, object)\n", "`double_test`", "type of the learner's own object"),
        (HIDDEN, HIDDEN + "assert double is double\n", "`double_test`", "compares with `is`"),
        (HIDDEN, HIDDEN + "double(2).backward()\n", "`double_test`", "autograd across the call"),
        (HIDDEN, HIDDEN + "assert (\n", "`double_test`", "is not Python"),
        ("```python\nfigures.compare", '```python tags=["skip-execution"]\nfigures.compare', "figures.compare", "without `raises-exception`"),
        ("```python\nfigures.compare", TRAINS + "print(model)\nfigures.compare", "print(model)", "makes; grading skips that cell"),
        (HIDDEN, HIDDEN + "numbers = 3\n```\n\n```python\nprint(numbers)\n```\n\n```python\n", "print(numbers)", "overwrites"),
    ],
)
def test_a_broken_rule_is_named_with_its_cell(tmp_path: Path, old: str, new: str, cell: str, said: str) -> None:
    assert old in SMALL
    found = problems(SMALL.replace(old, new, 1), tmp_path)
    assert said in found
    assert cell in found
    assert "source/1_doubling/doubling.md" in found
    assert "next: " in found


ROW = "> - **takes** `number`\n"
IN_PARTS = 'check = check.in_parts("double", {"small numbers": 1, "large ones": 1})\n'


def in_parts(row: str, parts: str) -> str:
    """The small lesson, with a row in its card and a line in its hidden tests."""
    return SMALL.replace("> Shown below: `number` = 4\n", f"{ROW}{row}>\n> Shown below: `number` = 4\n", 1).replace(HIDDEN, HIDDEN + parts, 1)


def test_a_card_says_the_parts_of_its_test(tmp_path: Path) -> None:
    assert problems(in_parts("> - **points** small numbers 1 · large ones 1\n", IN_PARTS), tmp_path) == ""


@pytest.mark.parametrize(
    ("row", "parts", "said"),
    [
        ("", IN_PARTS, "give it the line `- **points** small numbers 1 · large ones 1`"),
        ("> - **points** large ones 1 · small numbers 1\n", IN_PARTS, "does not say which parts earn points"),
        ("> - **points** small numbers 1 · large ones 2\n", IN_PARTS, "does not say which parts earn points"),
        ("> - **points** small numbers 1 · large ones 1\n", "", "promises points for parts, and no test cell has parts"),
        ("> - **points** small numbers 1 · large ones 1\n", IN_PARTS.replace('"double"', '"triple"'), "has the parts of `triple`"),
        ("> - **points** small numbers 2 · large ones 1\n", IN_PARTS.replace('numbers": 1', 'numbers": 2'), "worth 3 points, the test cells 2"),
    ],
)
def test_a_card_and_a_test_that_name_other_parts_are_refused(tmp_path: Path, row: str, parts: str, said: str) -> None:
    found = problems(in_parts(row, parts), tmp_path)
    assert said in found
    assert "`double`" in found
    assert "next: " in found


@pytest.mark.parametrize(
    ("leak", "said"),
    [
        ("twice_the_number = number + number", "holds the line `twice_the_number = number + number`"),
        ("twice_the_number=(number\n    +number)  # the same in another layout", "a piece of cell"),
        ('assert double(21) == 42, "twice 21 is another number"', "holds the line `assert double(21) == 42"),
        ("assert double( 21 )==42,'twice 21 is another number'", "a piece of cell"),
        ("### BEGIN SOLUTION", "holds a marker"),
    ],
)
def test_an_answer_or_hidden_test_in_the_release_is_found(tmp_path: Path, leak: str, said: str) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    released = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(leak)])
    found = "\n".join(map(str, lint_release(lesson, read_text(lesson), released)))
    assert said in found
    assert "notebooks/1_doubling/doubling.ipynb, cell 1" in found


def test_outputs_left_in_the_notebook_twin_stop_the_build(tmp_path: Path) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    pair(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    next(cell for cell in twin.cells if cell.cell_type == "code").outputs = [nbformat.v4.new_output("stream", text="8\n")]
    nbformat.write(twin, lesson.notebook)
    with pytest.raises(BuildError, match="has outputs"):
        pair(lesson)


def test_an_edit_in_jupyterlab_reaches_the_text(tmp_path: Path) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    pair(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    twin.cells[0].source = twin.cells[0].source.replace("# Doubling", "# Twice")
    nbformat.write(twin, lesson.notebook)
    pair(lesson)
    assert lesson.text.read_text(encoding="utf-8") == SMALL.replace("# Doubling", "# Twice")


def test_an_edit_of_the_text_reaches_the_twin(tmp_path: Path) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    pair(lesson)
    lesson.text.write_text(SMALL.replace("# Doubling", "# Twice"), encoding="utf-8")
    pair(lesson)
    assert nbformat.read(lesson.notebook, as_version=4).cells[0].source.startswith("# Twice")


def test_how_jupyterlab_shows_a_notebook_stays_with_the_author(tmp_path: Path) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    pair(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    for cell in twin.cells:
        cell.metadata.update(AS_SHOWN)
    twin.cells[0].source = twin.cells[0].source.replace("# Doubling", "# Twice")
    nbformat.write(twin, lesson.notebook)
    pair(lesson)
    assert lesson.text.read_text(encoding="utf-8") == SMALL.replace("# Doubling", "# Twice")


@pytest.mark.parametrize("says_so", ["text", "twin"])
def test_how_jupyterlab_shows_a_notebook_is_not_released(tmp_path: Path, says_so: str) -> None:
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    collapsed = "<!-- #region jp-MarkdownHeadingCollapsed=true -->\n# Doubling\n<!-- #endregion -->"
    lesson = lesson_of(SMALL.replace("# Doubling", collapsed) if says_so == "text" else SMALL, tmp_path)
    pair(lesson)
    if says_so == "twin":  # as it is when the formgrader generates a lesson that was just saved
        twin = nbformat.read(lesson.notebook, as_version=4)
        for cell in twin.cells:
            cell.metadata.update(AS_SHOWN)
        nbformat.write(twin, lesson.notebook)
    released = release(lesson)
    assert {key for cell in released.cells for key in cell.metadata} == {"nbgrader", "tags", "deletable", "editable", "id"}
    assert {grade_id(cell) or cell.cell_type: cell.metadata.get("editable") for cell in released.cells} == {
        "markdown": False,
        "code": None,
        "predict_eight": None,
        "double": None,
        "double_test": False,
    }


def test_edits_on_both_sides_lose_nothing(tmp_path: Path) -> None:
    lesson = lesson_of(SMALL, tmp_path)
    pair(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    twin.cells[0].source = "# Thrice"
    nbformat.write(twin, lesson.notebook)
    lesson.text.write_text(SMALL.replace("# Doubling", "# Twice"), encoding="utf-8")
    with pytest.raises(BuildError, match="were both changed"):
        pair(lesson)
    assert "# Twice" in lesson.text.read_text(encoding="utf-8")
    assert nbformat.read(lesson.notebook, as_version=4).cells[0].source == "# Thrice"


@pytest.mark.parametrize(("name", "said"), [("doubling", "a number, `_` and a name"), ("2_empty", "there is no empty.md")])
def test_a_folder_that_is_no_lesson_is_named(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "source" / name).mkdir(parents=True)
    with pytest.raises(BuildError, match=said):
        find_lessons(tmp_path)


def test_a_lesson_beside_another_one_stands_after_it(tmp_path: Path) -> None:
    for name in ("3_thrice", "2b_aside", "2_twice", "1_once"):
        folder = tmp_path / "source" / name
        folder.mkdir(parents=True)
        (folder / f"{name.split('_')[1]}.md").write_text(SMALL, encoding="utf-8")
    assert [(lesson.number, lesson.name) for lesson in find_lessons(tmp_path)] == [("1", "once"), ("2", "twice"), ("2b", "aside"), ("3", "thrice")]


@pytest.mark.check
def test_every_lesson_of_the_course_keeps_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint"]) == 0, capsys.readouterr().err


FROM_OUTSIDE = {
    "import math\nassert f(math.pi) == g": {"f", "g"},
    "total = 0\nfor row in rows:\n    total += row\nassert total == len(rows)": {"rows"},
    "def helper(x):\n    return scale * x\nassert helper(1)": {"scale"},
    "class Case:\n    data = given\n    def check(self): return self.data == answer": {"given", "answer"},
    "assert [close(x, y) for x, y in pairs]": {"close", "pairs"},
    "@deco\ndef f(a=default) -> note: ...": {"deco", "default", "note"},
    "%matplotlib inline\nassert answer == 4": {"answer"},
    "try:\n    extra\nexcept NameError:\n    extra = 1\nassert extra": set(),
}


@pytest.mark.parametrize("source", FROM_OUTSIDE)
def test_the_lint_and_the_grader_read_a_cells_names_alike(source: str) -> None:
    assert names_from_outside(source) == FROM_OUTSIDE[source]
    cell = new_code_cell(source, metadata={"nbgrader": {"grade": True, "solution": False, "points": 1, "grade_id": "t", "locked": True}})
    plan = plan_for(Instructor(new_notebook(cells=[cell]), complete=False)).tests["t"]
    assert names_from_outside(source) == set(plan.wanted), plan.why_not
