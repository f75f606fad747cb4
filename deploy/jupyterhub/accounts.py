"""Accounts that a trial makes and removes again. One that was there before, or that somebody else made, is never touched."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from install import Stop, run

COMMENT = "made-up account of a trial of the self-attention hub"
RUNTIME = Path("/run/self-attention-hub")  # as in jupyterhub_config.py
PATIENCE = 10.0  # seconds that the processes of an account get to end


@dataclass(frozen=True)
class Account:
    """A made-up person's account."""

    name: str
    password: str

    @property
    def home(self) -> Path:
        """The home folder."""
        return Path(pwd.getpwnam(self.name).pw_dir)


def make(name: str, homes: Path) -> Account:
    """Make an account with a password of its own and a home that nobody else can open.

    Args:
        name: the account's name.
        homes: the folder that gets its home.

    Raises:
        Stop: there is an account of this name, or it could not be made.
    """
    if any(entry.pw_name == name for entry in pwd.getpwall()):
        raise Stop(
            f"There is an account {name!r} on this machine, and it was not made by a trial in this folder; it stays as it is. "
            "Next: choose other names, for example make hub PREFIX=demo."
        )
    homes.mkdir(exist_ok=True)
    homes.chmod(0o711)
    run(
        [
            "useradd",
            "--comment",
            COMMENT,
            "--home-dir",
            homes / name,
            "--create-home",
            "--skel",
            "/var/empty",
            "--shell",
            "/bin/bash",
            "--user-group",
            "--key",
            "HOME_MODE=0700",
            name,
        ],
        f"The account {name} cannot be made",
        cwd=Path("/"),
    )
    password = secrets.token_urlsafe(9)
    told = subprocess.run(["chpasswd"], input=f"{name}:{password}\n", text=True, capture_output=True, check=False)
    if told.returncode:
        raise Stop(f"The account {name} gets no password: {told.stderr.strip()}. Next: repair what it names, then type the same command again.")
    return Account(name, password)


def remove_all(homes: Path) -> list[str]:
    """End the processes of all accounts that a trial has made with homes in `homes`, and remove these accounts.

    Returns:
        Their names.

    Raises:
        Stop: one of them cannot be removed.
    """
    ours = [entry for entry in pwd.getpwall() if entry.pw_gecos == COMMENT and Path(entry.pw_dir).parent == homes]
    end_processes({entry.pw_uid for entry in ours})
    for entry in ours:
        shutil.rmtree(RUNTIME / str(entry.pw_uid), ignore_errors=True)
        run(["userdel", entry.pw_name], f"The account {entry.pw_name} cannot be removed", cwd=Path("/"))
    return [entry.pw_name for entry in ours]


def end_processes(uids: set[int]) -> None:
    """Kill every process of these accounts, until there is none."""
    deadline = time.monotonic() + PATIENCE
    while (running := [pid for pid, uid in _owners() if uid in uids]) and time.monotonic() < deadline:
        for pid in running:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(0.05)


def _owners() -> list[tuple[int, int]]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            found.append((int(entry.name), entry.stat().st_uid))
        except OSError:
            continue
    return found
