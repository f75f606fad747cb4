"""A database server in a folder of its own, by an ordinary user, reached through a socket in that folder only."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

SETTINGS = ["listen_addresses=''", "fsync=off", "shared_buffers=16MB", "max_connections=30"]


def programs() -> Path | None:
    """Where Debian has PostgreSQL's own programs; they are on nobody's path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


class Postgres:
    """A server that can be ended and started again. Everything is gone with the context."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._user = "postgres" if os.geteuid() == 0 else ""

    def __enter__(self) -> Postgres:
        self.folder.mkdir(parents=True)
        if self._user:
            about = pwd.getpwnam(self._user)
            os.chown(self.folder, about.pw_uid, about.pw_gid)
            for parent in self.folder.parents:  # the user has to get there
                with contextlib.suppress(PermissionError):
                    parent.chmod(parent.stat().st_mode | 0o011)
        self._run("initdb", "-D", str(self.folder / "data"), "-A", "trust", "-U", "teacher", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = " ".join(f"-c {setting}" for setting in [*SETTINGS, f"unix_socket_directories={self.folder}"])
        self._run("pg_ctl", "start", "-w", "-D", str(self.folder / "data"), "-l", str(self.folder / "log.txt"), "-o", options)

    def stop(self) -> None:
        """End the server at once; who is connected loses the connection."""
        self._run("pg_ctl", "stop", "-m", "immediate", "-D", str(self.folder / "data"))

    def cut(self) -> None:
        """End all connections, as a broken line does."""
        lines = (self.folder / "data" / "postmaster.pid").read_text().splitlines()
        children = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", lines[0]], capture_output=True, text=True, check=True).stdout
        for line in children.splitlines():
            if "teacher" in line:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(line.split()[0]), signal.SIGTERM)

    def database(self, name: str) -> str:
        """A new and empty database: its address, as `db_url` has it."""
        self._run("createdb", "-h", str(self.folder), "-U", "teacher", "-T", "template0", name)  # template1 may be in use
        return f"postgresql+psycopg://teacher@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        bin_folder = programs()
        assert bin_folder is not None
        who: dict[str, Any] = {"user": self._user, "group": self._user, "extra_groups": []} if self._user else {}
        # The server keeps what `pg_ctl` has open, so nobody waits for the end of its output.
        subprocess.run(
            [str(bin_folder / program), *arguments], cwd="/", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, **who
        )
