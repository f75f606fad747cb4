"""A gradebook on a server: how it is called, and who writes it, where locks in the course's folder do not reach other machines."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
import time
from collections.abc import Callable, Iterator

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool

from examiner.wire.errors import CannotGrade

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
            key = int.from_bytes(hashlib.sha256(f"examiner {course}".encode()).digest()[:8], signed=True)
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
