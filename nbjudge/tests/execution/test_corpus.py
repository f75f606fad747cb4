"""The cheats and faults as a corpus for any grader: what is written, what is read back, and stock nbgrader in its cage."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from hostile import CHEATS, FAULTS, HERE, SETUP_CHEATS, TOGETHER
from hostile.course import HONEST, chosen, hand_ins
from hostile.points import Given, Refused, read, tell
from hostile.points import write as write_points

ALONE = (
    "import runpy, sys\nsys.modules.update(dict.fromkeys(('nbjudge', 'nbgrader', 'numpy', 'torch')))\nsys.argv = ['hostile', 'write', sys.argv[1]]\n"
)


def command(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of the corpus's."""
    return subprocess.run(
        [sys.executable, "-m", "hostile", *map(str, words)], cwd=HERE.parent, capture_output=True, text=True, timeout=500, check=False
    )


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """All of it, written where there is nothing but nbformat."""
    folder = tmp_path_factory.mktemp("written") / "course"
    code = f"{ALONE}runpy.run_module('hostile', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=HERE.parent, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def right_points() -> dict[tuple[str, str], Given]:
    """What a perfect grader gives."""
    return {(one.assignment, one.student): Given(dict(one.right)) for one in hand_ins()}


def test_the_course_holds_every_cheat_and_every_fault(course: Path) -> None:
    right = json.loads((course / "right.json").read_text())
    files = {path.parent.parent.name for path in course.glob("submitted/*/*/work.ipynb")}
    assert files == {HONEST, *(path.stem for path in [*CHEATS, *SETUP_CHEATS, *FAULTS, *TOGETHER]), *(f"{path.stem}_tells" for path in TOGETHER)}
    assert {name: set(students) for name, students in right.items()} == {
        path.name: {one.parent.parent.name for one in course.glob(f"submitted/*/{path.name}/work.ipynb")} for path in (course / "source").iterdir()
    }


def test_hidden_tests_are_in_the_instructors_notebooks_alone(course: Path) -> None:
    assert "### BEGIN HIDDEN TESTS" in (course / "source" / "cheats" / "work.ipynb").read_text()
    for path in course.glob("submitted/*/*/work.ipynb"):
        assert "### BEGIN HIDDEN TESTS" not in path.read_text(), path
        nbformat.validate(nbformat.read(path, as_version=4))


def test_a_folder_with_something_in_it_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = command("write", tmp_path)
    assert done.returncode == 2 and "is not empty. Nothing was written" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_names_choose_what_is_written_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    assert {(one.assignment, one.student) for one in chosen(["cell_raises"])} == {("faults", HONEST), ("faults", "cell_raises")}
    done = command("write", tmp_path / "course", "no_such_cheat")
    assert done.returncode == 2 and "no cheat and no fault 'no_such_cheat'" in done.stderr and not (tmp_path / "course").exists()


def test_points_that_are_right_are_told_so(course: Path, tmp_path: Path) -> None:
    write_points(tmp_path / "mine.csv", right_points().items())
    assert read(tmp_path / "mine.csv") == read(course / "right.json") == right_points()
    table, fooled = tell({"mine": read(tmp_path / "mine.csv")})
    assert not fooled
    assert f"mine: {len(CHEATS) + len(SETUP_CHEATS) + 2 * len(TOGETHER)} cheats. Earned points: 0. Not graded: 0." in table
    assert f"mine: {len(FAULTS)} faults. Cost more than one test: 0. Of these, the whole submission: 0." in table
    assert "Lost points: 0." in table


@pytest.mark.parametrize(
    ("student", "points", "said"),
    [
        (("cheats", "print_passed"), {"answer_test": 0.5}, "Earned points: 1."),
        (("cheats", "notebook_own_test"), {"bonus": 100.0}, "Earned points: 1."),
        (
            ("faults", "cell_raises"),
            {"before": 1.0, "fault": 0.0, "after": 0.0, "after_all": 1.0},
            "Cost more than one test: 1. Of these, the whole submission: 0.",
        ),
        (("faults", "cell_raises"), {}, "Cost more than one test: 1. Of these, the whole submission: 1."),
        (("cheats", HONEST), {"answer_test": 2.0}, "Lost points: 1."),
    ],
)
def test_a_grader_that_is_fooled_is_told_where(student: tuple[str, str], points: dict[str, float], said: str) -> None:
    table, fooled = tell({"mine": {**right_points(), student: Given(points)}})
    assert fooled
    assert table.count(said) == 1


def test_a_cheat_that_is_not_graded_has_earned_nothing_and_one_that_is_missing_was_not_asked(tmp_path: Path) -> None:
    write_points(tmp_path / "one.csv", [(("cheats", "print_passed"), Given(note="KeyError")), (("cheats", HONEST), Given({"answer_test": 2.0}))])
    (tmp_path / "two.json").write_text(json.dumps({"cheats": {"patched_math": {"answer_test": 2}, "print_passed": "KeyError"}}))
    table, _ = tell({path.stem: read(path) for path in sorted(tmp_path.iterdir())})
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in table.splitlines() if line}
    assert rows["print_passed"] == "not graded (KeyError) not graded (KeyError)"
    assert rows["patched_math"] == "not asked 2"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.csv", "assignment,student_id,points\ncheats,friend,1\n", "there is no column 'grade_id'"),
        ("p.csv", "assignment,student_id,grade_id,points\ncheats,nobody,answer_test,1\n", "line 2: no student 'nobody'"),
        ("p.csv", "assignment,student_id,grade_id,points\ncheats,friend,answer_test,two\n", "'two' is no number of points"),
        ("p.csv", "assignment,student_id,grade_id,points\ncheats,friend,answer_test,nan\n", "'nan' is no number of points"),
        ("p.csv", "assignment,student_id,grade_id,points\ncheats,friend,answer_test\n", "None is no number of points"),
        ("p.csv", "assignment,student_id,grade_id,points\ncheats,friend,a,1\ncheats,friend,a,0\n", "has points already"),
        ("p.csv", "", "there is no column 'assignment'"),
        ("p.csv", "assignment,student_id,grade_id,points\n", "nothing stands in it"),
        ("p.json", "{", "cannot be read"),
        ("p.json", "[]", "another form than right.json"),
        ("p.json", '{"cheats": {"friend": {"answer_test": [2]}}}', "[2] is no number of points"),
        ("p.json", '{"cheats": {"friend": 2}}', "another form than right.json"),
    ],
)
def test_points_that_cannot_be_read_are_refused_in_words(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Refused) as refused:
        read(tmp_path / name)
    assert said in str(refused.value) and "Next: " in str(refused.value)


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    done = command("tell", tmp_path / "none.csv")
    assert done.returncode == 2 and "cannot be read" in done.stderr and "Traceback" not in done.stderr


def test_nbjudge_grades_the_course_and_is_not_fooled(tmp_path: Path) -> None:
    path, names = tmp_path / "nbjudge.csv", ["assert_removed_from_tree", "notebook_own_test", "cell_os_exit"]
    assert (done := command("nbjudge", path, *names)).returncode == 0, done.stderr
    assert {key: given.points for key, given in read(path).items()} == {(one.assignment, one.student): one.right for one in chosen(names)}
    assert command("tell", path).returncode == 0


@pytest.mark.slow
def test_stock_nbgrader_in_its_cage_pays_a_cheat_and_loses_a_submission_to_a_fault(tmp_path: Path) -> None:
    path, names = tmp_path / "stock.csv", ["assert_removed_from_tree", "cell_os_exit", "setup_import_redefined"]
    assert (done := command("stock", path, *names)).returncode == 0, done.stderr
    found = read(path)
    assert sum(found["cheats", "assert_removed_from_tree"].points.values()) == 10
    assert (found["faults", "cell_os_exit"].points, found["faults", "cell_os_exit"].note) == ({}, "DeadKernelError")
    assert {key: given.points for key, given in found.items() if key[1] == HONEST} == {
        (one.assignment, HONEST): one.right for one in chosen(names) if one.kind == "honest"
    }
    assert command("tell", path).returncode == 1
