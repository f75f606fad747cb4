"""The second way to keep students' code apart, for a container that is thrown away after one submission and forbids namespaces.

Each kernel is an account of its own below root's, behind the filter of system calls, which allows no network. Nothing is covered: the
code sees what every account of the container may read, and the names of its processes. Somebody has to close what it must not read
first: `close` does so.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

from nbjudge._sandbox import bubblewrap

ACCOUNTS: Literal["accounts"] = "accounts"
Protection = bool | Literal["accounts"]  # namespaces, none, accounts
EVERYBODYS = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock")  # where Debian and Ubuntu let every account write
PROBE = f"""
import os, sys
from nbjudge._student import namespaces, system_calls

made = system_calls.compiled(bounds_memory=True, network=False)
namespaces.become({bubblewrap.FIRST_UID})
namespaces.seal(made)
for place in filter(None, sys.path):
    if os.path.isdir(place) != os.access(place, os.R_OK | os.X_OK):
        sys.exit(f"{{place}} is closed to other accounts, so students' code could import nothing from there")
import secrets
try:
    os.setuid(0)
except OSError:
    sys.exit()
sys.exit("an account can become root again")
"""


@cache
def why_not() -> str | None:
    """None when accounts hold here, else one sentence that says what is missing."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "Only root on Linux can give each kernel an account of its own."
    environment = bubblewrap.environment(())
    probe = subprocess.run([sys.executable, "-P", "-c", PROBE], capture_output=True, text=True, timeout=60, env=environment)
    if probe.returncode != 0:
        said = probe.stderr.strip().splitlines()[-1:] or ["no reason given"]
        return f"Accounts with filtered system calls do not work here ({said[0]})."
    return None


def close(private: Iterable[Path]) -> None:
    """Let no other account into `private` folders, nor write where everybody may. It changes this machine, for all of its programs.

    Raises:
        OSError: that cannot be changed.
    """
    for folder in private:
        folder.chmod(0o700)
    for place in map(Path, EVERYBODYS):
        if place.is_dir():
            place.chmod(0o755)
