"""Open JupyterLab for a learner or an instructor. Usage: python setup/lab.py [learner|instructor] [PORT]"""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "setup" / "lab_settings"
EXTENSIONS = ROOT / "nbjudge" / "labextensions"  # Validate in place of nbgrader's
PORT = 8888
TRIES = 50


@dataclass(frozen=True)
class Profile:
    """What JupyterLab shows first, and the `make` target that opens it. Which panels it shows stands in `lab_settings/`."""

    folder: Path
    start: str
    target: str
    options: tuple[str, ...] = ()


PROFILES = {
    "learner": Profile(ROOT / "notebooks", "/lab/tree/start.ipynb", "lab"),
    "instructor": Profile(
        ROOT, "/nbjudge/by-question", "formgrader", ("--ServerApp.jpserver_extensions=nbjudge=True",)
    ),  # the questions that need a person, from which formgrader and JupyterLab are one click
}


def free_port(wanted: int) -> int:
    """The first port from `wanted` on that nobody listens at.

    Raises:
        OSError: none of the next `TRIES` ports is free.
    """
    for port in range(wanted, min(wanted + TRIES, 65536)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError(f"the ports {wanted} to {wanted + TRIES - 1} are all taken")


def main(arguments: list[str]) -> int:
    """Start JupyterLab in place of this process; return only when that cannot be."""
    name = arguments.pop(0) if arguments and arguments[0] in PROFILES else "learner"
    profile = PROFILES[name]
    if arguments and not (arguments[0].isdecimal() and 1024 <= int(arguments[0]) <= 65535):
        print(
            f"PORT={arguments[0]} is not a port. Next: give a number from 1024 to 65535, for example `make {profile.target} PORT=8890`.",
            file=sys.stderr,
        )
        return 1
    wanted = int(arguments[0]) if arguments else PORT
    try:
        port = free_port(wanted)
    except OSError as error:
        print(
            f"JupyterLab cannot start: {error}. Next: close one of them, or choose another with `make {profile.target} PORT=9500`.", file=sys.stderr
        )
        return 1
    if port != wanted:
        print(f"Port {wanted} is taken, so JupyterLab opens at port {port}.")
    command = [
        "jupyter",
        "lab",
        str(profile.folder),
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--LabApp.default_url={profile.start}",
        f"--LabApp.app_settings_dir={SETTINGS / name}",
        f"--LabApp.extra_labextensions_path={EXTENSIONS}",
        *profile.options,
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    sys.stdout.flush()
    os.chdir(ROOT)  # where nbgrader looks for its configuration
    os.execvp(command[0], command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
