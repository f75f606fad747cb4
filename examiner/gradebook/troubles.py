"""What a database's own errors mean for who grades: by the code that the database gives them, never by their words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from examiner.classroom.outcomes import DISK_FULL, MAKE_ROOM
from examiner.wire.errors import CannotGrade, Hindered

AGAIN = "then run the same command again"
DATABASE = {  # by SQLite's own code of what happened
    sqlite3.SQLITE_FULL: (DISK_FULL, MAKE_ROOM),
    sqlite3.SQLITE_BUSY: ("another program writes to gradebook.db", f"close it or wait for it, {AGAIN}"),
    sqlite3.SQLITE_READONLY: ("gradebook.db cannot be written", f"mend the file's permissions, {AGAIN}"),
    sqlite3.SQLITE_CORRUPT: ("gradebook.db is damaged", f"put a copy of it back, or move it away, {AGAIN}"),
    sqlite3.SQLITE_NOTADB: ("gradebook.db is no database", f"put a copy of it back, or move it away, {AGAIN}"),
}
LOST = "the connection to the gradebook's server was lost. What was recorded before stays", f"see that the server runs, {AGAIN}"
AT_ONCE = "another program writes to the same place of the gradebook at this moment", "run the same command again"
SERVER = {  # by the code of the SQL standard that PostgreSQL gives, or by its first two letters, which are its class
    "08": LOST,
    "57P01": LOST,
    "57P02": LOST,
    "57P05": LOST,
    "57P03": ("the gradebook's server is starting or ending", f"wait a moment, {AGAIN}"),
    "53100": ("the disk of the gradebook's server is full", f"make room there, {AGAIN}"),
    "53200": ("the gradebook's server has no memory left", f"look what else it does, {AGAIN}"),
    "53300": ("the gradebook's server has too many connections", f"close programs that use it, or raise max_connections there, {AGAIN}"),
    "40": AT_ONCE,
    "55P03": AT_ONCE,
    "23505": AT_ONCE,
    "57014": (
        "the gradebook's server stopped a question, for a limit of its own or because somebody asked for it",
        f"look at statement_timeout there, {AGAIN}",
    ),
    "42501": ("the account in c.CourseDirectory.db_url may not do that in the gradebook's database", f"have it granted, {AGAIN}"),
    "25006": ("the gradebook's server lets nobody write at present", f"look whether it is the right server, {AGAIN}"),
}
TOO_LONG = ("a name is longer than nbgrader lets a server keep: 128 letters for students, assignments and cells", f"make it shorter, {AGAIN}")
NO_TABLES = "42P01"


def explained(errors: Iterable[BaseException]) -> CannotGrade | None:
    """The first of `errors` that a database or its driver raised, in words; None where none is known here."""
    for error in errors:
        if isinstance(error, sqlite3.Error) and (known := DATABASE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)):
            return Hindered(*known)
        if isinstance(error, ModuleNotFoundError) and (driver := str(error.name).split(".")[0]).startswith(("psycopg", "pg8000", "asyncpg", "MySQL")):
            return CannotGrade(
                f"the gradebook's server needs the package {driver}, which is not installed here",
                f"pip install 'nbgrader-examiner[postgresql]', and let c.CourseDirectory.db_url begin with postgresql+psycopg://, {AGAIN}",
            )
        if is_servers(error):
            return _of_server(error)
    return None


def has_no_tables(error: BaseException | None) -> bool:
    """Whether a server's database has no gradebook in it yet."""
    return code(getattr(error, "orig", error)) == NO_TABLES


def is_servers(error: object) -> bool:
    """Whether PostgreSQL, or its driver, raised this."""
    return isinstance(error, Exception) and type(error).__module__.split(".")[0] == "psycopg"


def code(error: object) -> str:
    """The five letters that tell what happened; "" where the driver itself, or the way to the server, failed."""
    return str(getattr(error, "sqlstate", None) or "") if is_servers(error) else ""


def _of_server(error: BaseException) -> CannotGrade | None:
    found = code(error)
    if known := SERVER.get(found) or SERVER.get(found[:2]):
        return Hindered(*known)
    if found == "22001":
        return CannotGrade(*TOO_LONG)
    if found == NO_TABLES:
        return CannotGrade(
            "the gradebook's database has no gradebook of this nbgrader in it",
            "look whether c.CourseDirectory.db_url names the right one; one of an older nbgrader needs `nbgrader db upgrade`",
        )
    said = " ".join(str(error).split())[:300]
    if not found and type(error).__name__ == "OperationalError":
        if getattr(error, "pgconn", None) is None and "connection" not in said:
            return None
        if said.startswith(("connection failed", "connection is bad", "failed to resolve", "connection timeout")):
            return Hindered(f"the gradebook's server lets nobody in ({said})", f"mend that, or c.CourseDirectory.db_url, {AGAIN}")
        return Hindered(*LOST)
    return None
