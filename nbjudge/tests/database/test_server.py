"""A gradebook on PostgreSQL: the same as in a file, for one who grades and for two, and when the server goes away."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine, text

from nbjudge.testing import small_course
from nbjudge.testing.servers import Postgres, programs

pytestmark = [pytest.mark.database, pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed: sudo apt-get install -y postgresql")]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Postgres(tmp_path_factory.mktemp("server") / "p") as found:
        yield found


def on(url: str) -> str:
    return f"{small_course.NBJUDGE}c.CourseDirectory.db_url = {url!r}\n"


def begin(root: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "nbjudge", *command],
        cwd=root,
        env={**os.environ, "COLUMNS": "200"},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def files(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text() for name in ("grades.csv", "grades-canvas.csv", "grades-moodle.csv")}


def test_everything_is_as_with_a_file(server, tmp_path):
    here = small_course.make(tmp_path / "here")
    there = shutil.copytree(here, tmp_path / "there")
    url = server.database("same")
    (there / "nbgrader_config.py").write_text(small_course.CONFIG + on(url))
    for root in (here, there):
        said = small_course.run(root, "nbjudge", "grade").stdout
        assert ("the gradebook same on" in said) is (root == there)
        with Gradebook(url if root == there else f"sqlite:///{root / 'gradebook.db'}", "sums") as gradebook:
            grade = gradebook.find_grade("why", "sums", "week1", "ada")
            grade.manual_score = 1.5
            gradebook.db.commit()
        small_course.run(root, "nbjudge", "grade")
        small_course.run(root, "nbjudge", "feedback")
        small_course.run(root, "nbjudge", "export")
        small_course.run(root, "nbjudge", "report")
    assert files(here) == files(there)
    assert (here / "report" / "index.html").read_text().count("<tr") == (there / "report" / "index.html").read_text().count("<tr")
    page = Path("feedback", "ada", "week1", "sums.html")
    assert (here / page).read_text() == (there / page).read_text()
    assert not (there / "gradebook.db").exists()


def test_the_order_of_rows_does_not_matter(server, tmp_path):
    """PostgreSQL puts a row that was changed to the end."""
    url = server.database("ordered")
    root = small_course.make(tmp_path / "course", on(url))
    small_course.run(root, "nbjudge", "grade")
    before = files_of(root)
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in ("source_cell", "base_cell", "grade", "student", "submitted_assignment"):
            connection.execute(text(f"UPDATE {table} SET id = id WHERE id IN (SELECT id FROM {table} ORDER BY id LIMIT 2)"))
    engine.dispose()
    assert files_of(root) == before


def files_of(root: Path) -> list[str]:
    small_course.run(root, "nbjudge", "grade")
    small_course.run(root, "nbjudge", "report")
    page = (root / "report" / "index.html").read_text().split("<main")[1]
    return [(root / "grades.csv").read_text(), re.sub(r"\d\d:\d\d", "now", page)]


def test_two_gradings_at_once_lose_nothing(server, tmp_path):
    """Two folders, as on two machines, with one gradebook and a student more in each."""
    url = server.database("twice")
    students = {f"s{number}": answer for number, answer in enumerate(small_course.ANSWERS.values())}
    first = small_course.make(tmp_path / "first", on(url), students)
    second = shutil.copytree(first, tmp_path / "second")
    for student in students:
        (second / "submitted" / student).rename(second / "submitted" / f"t{student}")
    runs = [begin(root, "grade") for root in (first, second)]
    said = [run.communicate(timeout=300)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    assert any("comes first" in one for one in said), said
    with Gradebook(url, "sums") as gradebook:
        found = {submission.student_id: submission.score for submission in gradebook.assignment_submissions("week1")}
    assert len(found) == 2 * len(students) and all(found[name] == found[f"t{name}"] for name in students)


def test_points_by_hand_stay_while_somebody_grades(server, tmp_path):
    """Two people in the formgrader, each with other students, write what it writes while a grading records."""
    url = server.database("hands")
    root = small_course.make(tmp_path / "course", on(url))
    small_course.run(root, "nbjudge", "grade")
    (root / "nbgrader_config.py").write_text((root / "nbgrader_config.py").read_text() + "# another setting\n")
    grading, wanted = begin(root, "grade"), {}
    gradebooks = [Gradebook(url, "sums"), Gradebook(url, "sums")]
    number = 0
    while grading.poll() is None:
        student = list(small_course.ANSWERS)[number % len(small_course.ANSWERS)]
        gradebook, wanted[student] = gradebooks[number % 2], (number % 8) / 4
        gradebook.db.expire_all()
        gradebook.find_grade("why", "sums", "week1", student).manual_score = wanted[student]
        gradebook.find_comment("why", "sums", "week1", student).manual_comment = f"by hand {number}"
        gradebook.db.commit()
        number += 1
    said = grading.communicate()[0]
    assert grading.returncode == 0 and number > len(small_course.ANSWERS), said
    for gradebook in gradebooks:
        gradebook.close()
    with Gradebook(url, "sums") as gradebook:
        assert {student: gradebook.find_grade("why", "sums", "week1", student).manual_score for student in wanted} == wanted


def test_a_lost_connection_loses_nothing(server, tmp_path):
    url = server.database("lost")
    root = small_course.make(tmp_path / "course", on(url), {f"s{number:02d}": small_course.ANSWERS["ada"] for number in range(30)})
    run = begin(root, "grade")
    for line in run.stdout:
        if line.strip().startswith("graded"):
            break
    for _ in range(6):
        server.cut()
        time.sleep(0.5)
    said = run.communicate(timeout=300)[0]
    assert "Traceback" not in said, said
    again = begin(root, "grade").communicate(timeout=300)[0]
    assert "0 not graded" in again, again
    with Gradebook(url, "sums") as gradebook:
        assert {submission.score for submission in gradebook.assignment_submissions("week1")} == {4.0}
        assert gradebook.db.execute(text("SELECT count(*) FROM submitted_assignment")).scalar() == 30


def test_a_server_that_is_gone_is_told_and_comes_back(tmp_path):
    with Postgres(tmp_path / "p") as server:
        url = server.database("gone")
        root = small_course.make(tmp_path / "course", on(url), {f"s{number:02d}": small_course.ANSWERS["ada"] for number in range(20)})
        run = begin(root, "grade")
        for line in run.stdout:
            if line.strip().startswith("graded"):
                break
        server.stop()
        said = run.communicate(timeout=300)[0]
        assert run.returncode == 1 and "Traceback" not in said and "gradebook's server" in said and "Next: " in said, said
        refused = begin(root, "grade").communicate(timeout=100)[0]
        assert "the gradebook's server lets nobody in" in refused and "Next: " in refused, refused
        server.start()
        assert "0 not graded" in begin(root, "grade").communicate(timeout=300)[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda url: url.replace("/refused?", "/nowhere?"), 'database "nowhere" does not exist'),
        (lambda url: url.replace("teacher@", "nobody:geheim@"), 'role "nobody" does not exist'),
        (lambda url: "postgresql+psycopg://teacher:geheim@127.0.0.1:1/x", "refused"),
        (lambda url: "postgresql+psycopg2://teacher:geheim@127.0.0.1:1/x", "needs the package psycopg2"),
        (lambda url: "postgresql+psycopg://teacher:geheim@127.0.0.1:port/x", "no address"),
    ],
)
def test_what_is_wrong_with_an_address_is_told_without_its_password(change, why, server, tmp_path):
    if not hasattr(server, "refused"):
        server.refused = server.database("refused")
    root = small_course.make(tmp_path / "course", on(change(server.refused)), {"ada": small_course.ANSWERS["ada"]})
    for command in ("grade", "report", "export"):
        said = small_course.run(root, "nbjudge", command, check=False)
        words = said.stdout + said.stderr
        assert said.returncode == 1 and why in words and "Next: " in words and "geheim" not in words and "Traceback" not in words, words


def test_an_account_that_may_not_write_is_told(server, tmp_path):
    url = server.database("granted")
    root = small_course.make(tmp_path / "course", on(url), {"ada": small_course.ANSWERS["ada"]})
    small_course.run(root, "nbjudge", "grade")
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("CREATE ROLE reader LOGIN"))
        connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"))
    engine.dispose()
    (root / "nbgrader_config.py").write_text(small_course.CONFIG + on(url.replace("teacher@", "reader@")))
    small_course.run(root, "nbjudge", "report")
    small_course.hand_in(root, "bob", small_course.ANSWERS["bob"])
    said = small_course.run(root, "nbjudge", "grade", check=False)
    assert "may not do that in the gradebook's database" in said.stdout + said.stderr, said.stdout + said.stderr


def test_an_empty_database_has_no_grades_yet(server, tmp_path):
    root = small_course.make(tmp_path / "course", on(server.database("empty")), {"ada": small_course.ANSWERS["ada"]})
    said = small_course.run(root, "nbjudge", "report", check=False)
    assert "there are no grades yet" in said.stderr and said.returncode == 1
