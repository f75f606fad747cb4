"""The gradebook's database: how it is called, who writes it, and what its errors mean, by their codes and never by their words."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from nbjudge._common.atomic_write import DISK_FULL, MAKE_ROOM
from nbjudge._wire.errors import CannotGrade, Hindered

AGAIN = "then run the same command again"
DATABASE = {  # by SQLite's own code of what happened
    sqlite3.SQLITE_FULL: (DISK_FULL, MAKE_ROOM),
    sqlite3.SQLITE_BUSY: ("another program writes to gradebook.db", f"close it or wait for it, {AGAIN}"),
    sqlite3.SQLITE_READONLY: ("gradebook.db cannot be written", f"mend the file's permissions, {AGAIN}"),
    sqlite3.SQLITE_CORRUPT: ("gradebook.db is damaged", f"put a copy of it back, or move it away, {AGAIN}"),
    sqlite3.SQLITE_NOTADB: ("gradebook.db is no database", f"put a copy of it back, or move it away, {AGAIN}"),
}
LOST = "the connection to the gradebook's server was lost. What was recorded before stays", f"see that the server runs, {AGAIN}"
COLLISION = "another program writes to the same place of the gradebook at this moment", "run the same command again"
SERVER = {  # by the code of the SQL standard that PostgreSQL gives, or by its first two letters, which are its class
    "08": LOST,
    "57P01": LOST,
    "57P02": LOST,
    "57P05": LOST,
    "57P03": ("the gradebook's server is starting or ending", f"wait a moment, {AGAIN}"),
    "53100": ("the disk of the gradebook's server is full", f"make room there, {AGAIN}"),
    "53200": ("the gradebook's server has no memory left", f"look what else it does, {AGAIN}"),
    "53300": ("the gradebook's server has too many connections", f"close programs that use it, or raise max_connections there, {AGAIN}"),
    "40": COLLISION,
    "55P03": COLLISION,
    "23505": COLLISION,
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
                f"pip install 'nbjudge[postgresql]', and let c.CourseDirectory.db_url begin with postgresql+psycopg://, {AGAIN}",
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


NO_ADDRESS, MEND = "c.CourseDirectory.db_url is no address of a database ({})", "mend it in nbgrader_config.py"
AT_ONCE = 0.5  # seconds in which a turn may come without a word
LOOK_SECONDS = 1.0
NAMED = 63  # letters of a program's name that PostgreSQL keeps
TRY = text("SELECT pg_try_advisory_lock(:key)")
HOLDER = text(
    "SELECT activity.application_name FROM pg_locks AS locks JOIN pg_stat_activity AS activity USING (pid) "
    "WHERE locks.locktype = 'advisory' AND locks.granted AND locks.objsubid = 1 "
    "AND (locks.classid::bigint << 32) + locks.objid::bigint = :key"
)


def parsed(url: str) -> URL | None:
    """An address of a database in its parts; None for what is none."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # a port that is no number
        return None


def backend(url: str) -> str:
    """The kind of database that an address names: sqlite, postgresql and so on; "" for what is no address."""
    found = parsed(url)
    return found.get_backend_name() if found else ""


def called(url: str) -> str:
    """A gradebook in words: the file's name, or the database and its server. Never with a password."""
    if (found := parsed(url)) is None:
        return re.sub(r"(?<=://)[^@/]*@", "", url)
    if found.get_backend_name() == "sqlite":
        return os.path.basename(found.database or "") or "gradebook.db"
    return f"the gradebook {found.database} on {found.host or found.query.get('host') or 'this machine'}"


@contextlib.contextmanager
def server_turn(url: str, course: str, name: str, tell: Callable[[str], None], patience: float) -> Iterator[None]:
    """This process alone, of all machines, writes a course's gradebook on PostgreSQL for as long as the context lasts. Elsewhere nothing happens.

    The server gives the lock back when the connection ends, in whatever way.

    Args:
        course: the course's id.
        name: the command, as others are told it.
        tell: hears a sentence when there is something to wait for.
        patience: seconds after which waiting is given up.

    Raises:
        CannotGrade: `url` is no address, or what is waited for takes too long.
        SQLAlchemyError, ImportError: the server cannot be used.
    """
    if (kind := backend(url)) != "postgresql":
        if not kind:
            raise CannotGrade(NO_ADDRESS.format(called(url)), MEND)
        yield
        return
    engine = _engine(url, f"{name} (process {os.getpid()} on {socket.gethostname()})")
    try:
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            key = int.from_bytes(hashlib.sha256(f"nbjudge {course}".encode()).digest()[:8], signed=True)
            _wait(connection, key, tell, patience)
            yield
    finally:
        engine.dispose()


def _engine(url: str, name: str) -> Engine:
    return create_engine(make_url(url).update_query_dict({"application_name": name[:NAMED]}), poolclass=NullPool)


def _wait(connection: Connection, key: int, tell: Callable[[str], None], patience: float) -> None:
    began, is_told = time.monotonic(), False
    while not connection.execute(TRY, {"key": key}).scalar():
        waited = time.monotonic() - began
        if waited > patience:
            raise CannotGrade(
                f"{_holder(connection, key)} has not given the gradebook free for {patience / 60:.0f} minutes",
                "look whether it still works, end it, then type the same command again",
            )
        if waited > AT_ONCE and not is_told:
            tell(f"{_holder(connection, key)} comes first. This waits until the gradebook is free, and goes on by itself.")
            is_told = True
        time.sleep(AT_ONCE if waited < AT_ONCE else LOOK_SECONDS)


def _holder(connection: Connection, key: int) -> str:
    found = connection.execute(HOLDER, {"key": key}).scalar()
    return f"`{found}`" if found else "another program"
