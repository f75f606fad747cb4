"""`make exercise` writes an exercise's skeleton in all places or in none, and README's "Add an exercise" leads to a lesson that builds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from attnlab import check
from authoring import new_exercise
from authoring.answer_files import answers_to
from authoring.errors import BuildError
from authoring.lessons import ROOT, Lesson, find_lessons, grade_id
from authoring.new_exercise import Refused, find_lesson, write_exercise
from authoring.pairing import pair

PROJECT = Path(__file__).parent / "small_project"
CARD = {
    "a heading that": "Triple",
    "what it does, in a sentence; ": "Add a number to itself, twice.",
    "each argument": "`x`: a number",
    "the kind, the shape": "a number",
    "whatever else is asked for": "work for whole numbers",
    "the first input in the exercise's own file": "`x` = 5",
    "a question that": "How often?",
    "the steps in words": "x + x + x",
    "the numbers of one": "5 + 5 + 5 = 15",
}
RIGHT = ["x + x + x", "3 * x", "sum([x, x, x])", "x * 3", "4 * x - x", "2 * x + x"]
WRONG = {
    "input_returned": ("x", "expected"),
    "doubled": ("x + x", "one x is missing"),
    "cubed": ("x ** 3", "expected"),
    "fourfold": ("4 * x", "expected"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A course whose only lesson is the small one, with the code of ours."""
    shutil.copytree(ROOT / "attnlab", tmp_path / "attnlab", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copytree(ROOT / "authoring", tmp_path / "authoring", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for folder in (tmp_path / "attnlab" / "exercises").glob("*/"):
        shutil.rmtree(folder)
    shutil.copytree(PROJECT, tmp_path, dirs_exist_ok=True)
    shutil.copy(ROOT / "source" / "glossary.md", tmp_path / "source")
    return tmp_path


def run(project: Path, *words: str) -> tuple[int, str]:
    """`python -m authoring` in the project: its exit status, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "authoring", *words],
        cwd=project,
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(project)},
    )
    return done.returncode, done.stdout + done.stderr


def everything(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def replace(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def write_what_is_to_do(lesson: Lesson) -> None:
    """Do steps 2 to 5 of the README."""
    text = lesson.text.read_text(encoding="utf-8")
    for mark, words in CARD.items():
        text, found = re.subn(rf"TODO: {re.escape(mark)}[^|\n]*?(?= \|$|$)", words, text, flags=re.MULTILINE)
        assert found == 1, mark
    lesson.text.write_text(text, encoding="utf-8")
    replace(
        lesson.text, ("  # TODO: the arguments, which learners see", ""), ("return x  # TODO: the answer, which they do not see", "return x + 2 * x")
    )
    replace(lesson.text, ("lambda x: x)  # TODO: what is right, written in another way than the answer", "lambda x: 3 * x)"))
    replace(
        lesson.exercises / "triple.py",
        ("TODO: what its check looks at, in a few words", "values"),
        ("TODO: what it does, in a few words", "three times a number"),
        ('TODO: what the card calls the input that it shows", []),  # TODO: its arguments, in the list', 'the number of the card", [5]),'),
        ("import numpy as np\n\nfrom attnlab.diagnosis.drawn import numbers\n", ""),
        ("random: np.random.RandomState", "random"),
        (
            '"arrays": [[numbers(random, 2, 3)], [numbers(random, 1, 1)]],  # TODO: inputs of every kind that the card allows, lists of arguments',
            '"numbers": [[random.randint(2, 9)]],',
        ),
        ('TODO: an input of another size", []),  # TODO: its arguments', 'a negative number", [-2]),'),
    )
    answers = lesson.answers / "triple.py"
    for answer in RIGHT:
        answers.write_text(re.sub(r"x  # TODO: .*", answer, answers.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    for name, (answer, says) in WRONG.items():
        says += "" if says == "expected" else f"\n# likely: {says}\n# next: add it"
        text = re.sub(
            r"# wrong: TODO: .*\n# says: TODO: .*\n(def .*\n    return) x",
            rf"# wrong: {answer}\n# says: {says}\n\1 {answer}",
            answers.read_text(encoding="utf-8"),
            count=1,
        )
        answers.write_text(re.sub(r"# %% wrong: \w+\n(# wrong: " + re.escape(answer) + "\n)", rf"# %% wrong: {name}\n\1", text), encoding="utf-8")


@pytest.mark.slow
def test_the_way_of_the_readme_takes_two_builds(project: Path) -> None:
    lesson = Lesson("1_doubling", project)
    assert run(project, "build")[0] == 0
    status, said = run(project, "exercise", "triple", "1")
    assert status == 0, said
    for path in (lesson.text, lesson.exercises / "triple.py", lesson.answers / "triple.py"):
        [line] = re.findall(rf"^  {re.escape(str(lesson.shown(path)))}:(\d+)$", said, re.MULTILINE)
        assert "TODO" in path.read_text(encoding="utf-8").splitlines()[int(line) - 1]

    before = everything(project / "notebooks")
    status, said = run(project, "build")
    assert status == 1 and everything(project / "notebooks") == before
    assert said.count("still to be written") == 26
    assert "it says 3 points, the cells sum to 5" in said

    write_what_is_to_do(lesson)
    replace(lesson.text, ("    points: 3\n", "    points: 5\n"), ("gives 3 points", "gives 5 points"))
    assert run(project, "build") == (0, "build: 1_doubling ✓\n")
    released = nbformat.read(lesson.released, as_version=4)
    assert [grade_id(cell) for cell in released.cells if "triple" in grade_id(cell)] == ["triple", "triple_test"]
    solved = nbformat.read(lesson.solution, as_version=4)
    [output] = next(cell.outputs for cell in solved.cells if grade_id(cell) == "triple_test")
    assert output.text.startswith("✓ triple: all 8 steps pass")
    right = {answer.source.split("return ")[1].strip() for answer in answers_to(lesson, "triple").values() if answer.right}
    assert right == {*RIGHT}


@pytest.mark.parametrize("after", ["", "double", "predict_eight"])
def test_only_lines_are_added(project: Path, after: str) -> None:
    lesson = Lesson("1_doubling", project)
    before = everything(project)
    write_exercise("triple", lesson, [lesson], after)
    now = everything(project)
    assert now.keys() - before.keys() - {lesson.notebook} == {lesson.exercises / "triple.py", lesson.answers / "triple.py"}
    assert {path for path in before if now[path] != before[path]} <= {lesson.text, lesson.notebook}
    lines = now[lesson.text].splitlines()
    assert [line for line in before[lesson.text].splitlines() if line not in lines] == []
    text = lesson.text.read_text(encoding="utf-8")
    assert (text.index("· `triple`") < text.index("· `double`")) == (after == "predict_eight")
    assert f"**Exercise {1 if after == 'predict_eight' else 2} · `triple`**" in text


@pytest.mark.parametrize(
    ("name", "after", "said"),
    [
        ("", "", "no name"),
        ("two words", "", "cannot be the name of a Python function"),
        ("class", "", "cannot be the name"),
        ("predict_it", "", "begins with `predict_`"),
        ("double_test", "", "has `_test` in it"),
        ("double", "", "is there already, in 1_doubling"),
        ("predicted_eight", "", "is there already, in 1_doubling"),
        ("progress", "", "`check.progress` is there already"),
        ("triple", "thrice", "has no exercise `thrice`. Nothing was written.\nNext: choose from: predict_eight, double; or leave AFTER out."),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(project: Path, name: str, after: str, said: str) -> None:
    lesson = Lesson("1_doubling", project)
    pair(lesson)
    before = everything(project)
    with pytest.raises(Refused, match=re.escape(said)):
        write_exercise(name, lesson, [lesson], after)
    assert everything(project) == before


def test_removing_an_exercise_is_deleting_its_three_places(project: Path) -> None:
    lesson = Lesson("1_doubling", project)
    before = everything(project)
    write_exercise("triple", lesson, [lesson])
    (lesson.exercises / "triple.py").unlink()
    (lesson.answers / "triple.py").unlink()
    lesson.text.write_bytes(before[lesson.text])
    lesson.notebook.unlink()
    assert {path: text for path, text in everything(project).items() if path != lesson.notebook} == before


def test_a_file_that_cannot_be_written_leaves_all_as_they_were(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = Lesson("1_doubling", project)
    pair(lesson)
    before, write = everything(project), Path.write_text

    def full(path: Path, text: str, encoding: str) -> int:
        if path.name == "triple.py":
            path.touch()
            raise OSError(28, "No space left on device")
        return write(path, text, encoding=encoding)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(Refused, match="No space left on device"):
        write_exercise("triple", lesson, [lesson])
    assert everything(project) == before


def test_an_edit_of_the_twin_is_carried_over_and_edits_of_both_are_refused(project: Path) -> None:
    lesson = Lesson("1_doubling", project)
    pair(lesson)
    twin = nbformat.read(lesson.notebook, as_version=4)
    twin.cells[0].source = twin.cells[0].source.replace("# Doubling", "# Twice")
    nbformat.write(twin, lesson.notebook)
    write_exercise("triple", lesson, [lesson])
    assert "# Twice" in lesson.text.read_text(encoding="utf-8") and "`triple`" in lesson.text.read_text(encoding="utf-8")
    twin = nbformat.read(lesson.notebook, as_version=4)
    twin.cells[0].source = "# Thrice"
    nbformat.write(twin, lesson.notebook)
    replace(lesson.text, ("# Twice", "# Two times"))
    before = everything(project)
    with pytest.raises(BuildError, match="were both changed"):
        write_exercise("fourfold", lesson, [lesson])
    assert everything(project) == before


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("1", "1_basic_attention"), ("2", "2_queries_keys_values"), ("2b", "2b_columns"), ("5_perm", "5_permutation_test"), ("3_scaling", "3_scaling")],
)
def test_a_lesson_is_found_by_number_or_beginning(wanted: str, found: str) -> None:
    assert find_lesson(find_lessons(), wanted).assignment == found


@pytest.mark.parametrize(("wanted", "said"), [("12", "there is no lesson `12`"), ("", "no lesson is named")])
def test_a_lesson_that_is_not_there_is_refused_with_a_choice(wanted: str, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        find_lesson(find_lessons(), wanted)
    assert "2b_columns" in str(refused.value)


def test_every_lesson_of_the_course_has_a_place_for_an_exercise() -> None:
    assert not hasattr(check, "an_exercise")
    for lesson in find_lessons():
        new = new_exercise._new_texts("an_exercise", lesson, "")
        assert len(new) == 3 and all("an_exercise" in text for text in new.values())
