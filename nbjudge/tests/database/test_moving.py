"""The gradebook moves to a server and back, whole or not at all."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from nbgrader.api import Base
from sqlalchemy import create_engine, inspect, select, text

from nbjudge.testing import small_course
from nbjudge.testing.servers import Postgres, programs

pytestmark = [pytest.mark.database, pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed: sudo apt-get install -y postgresql")]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Postgres(tmp_path_factory.mktemp("server") / "p") as found:
        yield found


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Path:
    root = small_course.make(tmp_path_factory.mktemp("graded") / "course")
    small_course.run(root, "nbjudge", "grade")
    return root


@pytest.fixture
def course(graded, tmp_path) -> Path:
    return shutil.copytree(graded, tmp_path / "course")


def use(root: Path, url: str) -> None:
    (root / "nbgrader_config.py").write_text(f"{small_course.CONFIG}{small_course.NBJUDGE}c.CourseDirectory.db_url = {url!r}\n")


def move(root: Path, to: str, check: bool = True) -> str:
    done = small_course.run(root, "nbjudge", "move", to, check=check)
    assert "Traceback" not in done.stderr and (check or done.returncode == 1)
    return done.stdout + done.stderr


def content(url: str) -> dict[str, list]:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {table.name: sorted(map(tuple, connection.execute(select(table))), key=str) for table in Base.metadata.sorted_tables}
        found["alembic_version"] = sorted(map(tuple, connection.execute(text("SELECT * FROM alembic_version"))))
    engine.dispose()
    return found


def is_empty(url: str) -> bool:
    engine = create_engine(url)
    names = inspect(engine).get_table_names()
    engine.dispose()
    return not names


def test_there_and_back(server, course):
    file, there, back = f"sqlite:///{course / 'gradebook.db'}", server.database("moved"), f"sqlite:///{course / 'back.db'}"
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("UPDATE grade SET manual_score = 0.1 + 0.2, extra_credit = 1e-17 WHERE auto_score IS NULL")
        database.execute("UPDATE comment SET manual_comment = 'é 中 \U0001f600 ''\" \\ \n'")
        database.execute("UPDATE assignment SET duedate = '2026-01-31 12:00:00.123456'")
        database.execute("UPDATE submitted_assignment SET extension = '1970-01-03 00:00:01.000000'")
    before, bytes_before = content(file), (course / "gradebook.db").read_bytes()
    said = move(course, there)
    assert f"{sum(map(len, before.values()))} rows of {len(before)} tables" in said and "c.CourseDirectory.db_url = " in said
    assert content(there) == before and (course / "gradebook.db").read_bytes() == bytes_before
    use(course, there)
    small_course.run(course, "nbgrader", "db", "student", "add", "zoe")
    move(course, back)
    after = content(back)
    assert after == content(there) and {**after, "student": before["student"]} == before
    use(course, back)
    assert "0 not graded" in small_course.run(course, "nbjudge", "grade").stdout
    assert {0.1 + 0.2} == {row for (row,) in sqlite3.connect(course / "back.db").execute("SELECT manual_score FROM grade WHERE auto_score IS NULL")}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE student SET first_name = hex(zeroblob(100)) WHERE id = 'ada'", "longer than the 128 letters that a server keeps there (student."),
        ("UPDATE comment SET manual_comment = 'a' || char(0) || 'b'", "does not keep, number 0 (comment.manual_comment"),
        ("UPDATE grade SET cell_id = 'nowhere' WHERE id = (SELECT min(id) FROM grade)", "cannot be moved"),
        ("ALTER TABLE student DROP COLUMN lms_user_id", "of another nbgrader"),
    ],
)
def test_what_a_server_does_not_take_is_told_and_nothing_is_there(change, why, server, course, request):
    url = server.database(f"refused{abs(hash(request.node.name))}")
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute(change)
    said = move(course, url, check=False)
    assert why in said and "Next: " in said, said
    assert is_empty(url)


def test_no_gradebook_is_written_over(server, course, tmp_path):
    url = server.database("taken")
    move(course, url)
    before = content(url)
    assert "has a gradebook already" in move(course, url, check=False) and content(url) == before
    other = tmp_path / "other.db"
    move(course, f"sqlite:///{other}")
    taken = other.read_bytes()
    assert "has a gradebook already" in move(course, f"sqlite:///{other}", check=False) and other.read_bytes() == taken
    assert "is in gradebook.db already" in move(course, f"sqlite:///{course / 'gradebook.db'}", check=False)


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("gradebook", "`gradebook` is no address of a database"),
        ("", "`` is no address of a database"),
        ("sqlite:////no/such/folder/x.db", "cannot be moved"),
        ("postgresql+psycopg://teacher:geheim@127.0.0.1:1/x", "lets nobody in"),
    ],
)
def test_a_target_that_is_none_is_told(to, why, course):
    said = move(course, to, check=False)
    assert why in said and "Next: " in said and "geheim" not in said, said


def test_without_a_gradebook_there_is_nothing_to_move(tmp_path):
    root = small_course.make(tmp_path / "course", answers={})
    assert "there is no gradebook to move" in move(root, f"sqlite:///{tmp_path / 'x.db'}", check=False)
    assert not (tmp_path / "x.db").exists()
