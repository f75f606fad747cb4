"""`nbjudge move`: the gradebook goes from a file to a server's database, or back, whole or not at all, and is compared row by row."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy
from nbgrader.api import Base
from rich.console import Console
from sqlalchemy import Column, Connection, MetaData, String, Table, func, insert, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from nbjudge._by_question.tables import create, tables_in
from nbjudge._common.terminal_text import say, shown
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.locks import turn
from nbjudge._nbgrader.converters import explain
from nbjudge._nbgrader.database import called, parsed
from nbjudge._wire.errors import CannotGrade

# Of nbgrader's tables; nbgrader has no class for it.
VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
ITSELF = {"course"}  # nbgrader writes a row there when it opens a new database
AT_ONCE = 1000
HOW = "write it as c.CourseDirectory.db_url has it: postgresql+psycopg://USER@HOST/NAME, or sqlite:////path/gradebook.db"
Row = tuple[Any, ...]


def move(course: Course, console: Console, to: str) -> int:
    """Copy the gradebook to the database that `to` names, which has to have none, and compare. What it was copied from stays as it is.

    Raises:
        CannotGrade: there is nothing to move, the target is no database or has a gradebook, or it does not take all rows.
    """
    source = course.folders.db_url
    _require(to, source)
    if not course.has_gradebook:
        raise CannotGrade("there is no gradebook to move", f"look whether c.CourseDirectory.db_url in {CONFIG} names the right one")
    with turn(course, "nbjudge move", lambda words: say(console, words)), _made(to):
        try:
            counts = _copy(source, to)
        except (SQLAlchemyError, ImportError) as error:
            raise explain([error], f"the gradebook cannot be moved to {called(to)}", "mend that, then run the same command again") from error
    rows = sum(counts.values())
    console.print(
        f"{rows} rows of {len(counts)} tables are in {called(to)} now, each compared with the one in {called(source)}, which stays as it is.",
        markup=False,
        soft_wrap=True,
    )
    console.print(
        f"Next: in {CONFIG} write c.CourseDirectory.db_url = {shown(repr(make_url(to).render_as_string(hide_password=True)))}"
        f"{', with the password in the place of ***' if make_url(to).password else ''}.",
        markup=False,
        soft_wrap=True,
    )
    return 0


def _require(to: str, source: str) -> None:
    """See that two addresses are of two databases."""
    target, known = parsed(to), parsed(source)
    if target is None or known is None:
        raise CannotGrade(f"`{called(to if target is None else source)}` is no address of a database", HOW)
    if target.set(query={}) == known.set(query={}) and target.query.get("host") == known.query.get("host"):
        raise CannotGrade(f"the gradebook is in {called(to)} already", "name another database")


@contextlib.contextmanager
def _made(to: str) -> Iterator[None]:
    """A file that was not there before goes again when something goes wrong."""
    url = make_url(to)
    path = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
    was_there = path is None or path.exists()
    try:
        yield
    except BaseException:
        if path is not None and not was_there:
            path.unlink(missing_ok=True)
        raise


def _copy(source: str, to: str) -> dict[str, int]:
    """Copy all tables in one transaction; how many rows each has."""
    ours, theirs = sqlalchemy.create_engine(source), sqlalchemy.create_engine(to)
    try:
        with ours.connect().execution_options(isolation_level="SERIALIZABLE") as reading, theirs.begin() as writing:
            rubrics = tables_in(reading)
            tables = [*Base.metadata.sorted_tables, VERSION, *rubrics]
            _require_same_nbgrader(reading, tables)
            _require_room(writing, [*tables, *(table for table in tables_in(writing) if table not in rubrics)], to)
            Base.metadata.create_all(writing)
            if rubrics:
                create(writing)
            VERSION.create(writing, checkfirst=True)
            for table in reversed(tables):
                writing.execute(table.delete())
            counts = {table.name: _copy_table(reading, writing, table) for table in tables}
            for table in tables:
                _compare(reading, writing, table, to)
        return counts
    finally:
        ours.dispose()
        theirs.dispose()


def _require_same_nbgrader(reading: Connection, tables: list[Table]) -> None:
    there = set(inspect(reading).get_table_names())
    columns = {table.name: {column["name"] for column in inspect(reading).get_columns(table.name)} for table in tables if table.name in there}
    if any(columns.get(table.name) != set(table.columns.keys()) for table in tables):
        raise CannotGrade(
            "the gradebook is of another nbgrader than the one that is installed", "nbgrader db upgrade, then run the same command again"
        )


def _require_room(writing: Connection, tables: list[Table], to: str) -> None:
    there = set(inspect(writing).get_table_names())
    taken = [
        table.name
        for table in tables
        if table.name in there - ITSELF - {VERSION.name} and writing.execute(select(func.count()).select_from(table)).scalar()
    ]
    if taken:
        raise CannotGrade(
            f"{called(to)} has a gradebook already (rows in {', '.join(taken)}). Nothing of it was changed",
            "name an empty database, or empty this one yourself",
        )


def _copy_table(reading: Connection, writing: Connection, table: Table) -> int:
    count = 0
    for rows in reading.execute(select(table)).mappings().partitions(AT_ONCE):
        found = [dict(row) for row in rows]
        for row in found:
            _require_fit(row, table, writing.dialect.name)
        writing.execute(insert(table), found)
        count += len(found)
    return count


def _require_fit(row: dict[str, Any], table: Table, kind: str) -> None:
    """SQLite takes texts of any length and with any letter; a server does not, and would not say which."""
    for name, value in row.items():
        most = getattr(table.columns[name].type, "length", None)
        where = f"{table.name}.{name}, {shown(repr(value), 80)}"
        if kind != "sqlite" and isinstance(value, str) and most is not None and len(value) > most:
            raise CannotGrade(
                f"a text of the gradebook is longer than the {most} letters that a server keeps there ({where})",
                "make it shorter, for example in the formgrader, then run the same command again",
            )
        if kind == "postgresql" and isinstance(value, str) and "\0" in value:
            raise CannotGrade(
                f"a text of the gradebook has a letter that PostgreSQL does not keep, number 0 ({where})",
                "take it out, then run the same command again",
            )


def _compare(reading: Connection, writing: Connection, table: Table, to: str) -> None:
    here, there = _rows(reading, table), _rows(writing, table)
    if here != there:
        other = next((key for key in here.keys() | there.keys() if here.get(key) != there.get(key)), ())
        raise CannotGrade(
            f"a row of {table.name} is not the same in {called(to)} ({shown(str(other), 80)}). Nothing was moved",
            "tell the authors of the grader, with this sentence",
        )


def _rows(connection: Connection, table: Table) -> dict[Row, Row]:
    """All rows by their primary keys, with every column."""
    keys = [column.name for column in table.primary_key.columns]
    return {tuple(row[key] for key in keys): tuple(row.values()) for row in connection.execute(select(table)).mappings()}
