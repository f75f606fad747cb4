"""A folder /autograder as Gradescope has it, in a container that bubblewrap makes, with the rights that Docker leaves to root."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy

import nbjudge

# What Docker gives to root in a container that is not privileged.
DOCKER = ["CHOWN", "DAC_OVERRIDE", "FSETID", "FOWNER", "MKNOD", "NET_RAW", "SETGID", "SETUID", "SETFCAP", "SETPCAP"]
DOCKER += ["NET_BIND_SERVICE", "SYS_CHROOT", "KILL", "AUDIT_WRITE"]
HOME = "/opt/nbjudge"
VENV = "/opt/nbjudge/venv"


class Container:
    """An autograder that was set up: this Python and its packages stand for those that `setup.sh` installs.

    Args:
        zipped: what `nbjudge gradescope` wrote.
        folder: an empty one.
        privileged: whether namespaces may be made in it.
    """

    def __init__(self, zipped: Path, folder: Path, privileged: bool = False):
        self.autograder, self._home, self._privileged = folder / "autograder", folder / "home", privileged
        for name in ("source", "submission", "results"):
            (self.autograder / name).mkdir(parents=True)
        with zipfile.ZipFile(zipped) as archive:
            archive.extractall(self.autograder / "source")
        shutil.copytree(self.autograder / "source" / "lib", self._home / "lib")
        for name in ("venv", "matplotlib"):
            (self._home / name).mkdir()
        shutil.copy(self.autograder / "source" / "run_autograder", self.autograder)
        self.printed = ""

    @property
    def results(self) -> Path:
        """Where the result lies, if there is one."""
        return self.autograder / "results" / "results.json"

    def run(self, **files: bytes) -> dict[str, Any] | None:
        """Hand in these files, by their names with `__` for a dot, and run the autograder. Returns its result; None where it left none."""
        submission = self.autograder / "submission"
        shutil.rmtree(submission)
        submission.mkdir()
        for name, content in files.items():
            (submission / name.replace("__", ".")).write_bytes(content)
        done = subprocess.run([*self._command(), "bash", "./run_autograder"], text=True, capture_output=True, timeout=900, check=False)
        self.printed = done.stdout + done.stderr
        return json.loads(self.results.read_text()) if self.results.is_file() else None

    def _command(self) -> list[str]:
        base, packages = Path(sys.base_prefix), Path(numpy.__file__).parents[4]  # the environment, also where only a path names it
        line = [
            "bwrap",
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--die-with-parent",
            "--ro-bind",
            "/usr",
            "/usr",
            "--ro-bind",
            "/etc",
            "/etc",
        ]
        for name in ("bin", "sbin", "lib", "lib64"):
            line += ["--symlink", f"usr/{name}", f"/{name}"]
        for name in ("/var", "/run", "/opt", *reversed([str(folder) for folder in base.parents[:-1]])):
            line += ["--perms", "0755", "--dir", name]
        for name in ("/tmp", "/var/tmp", "/run/lock"):
            line += ["--perms", "1777", "--tmpfs", name]
        line += ["--ro-bind", str(base), str(base), "--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/dev/shm"]
        line += [
            "--bind",
            str(self._home),
            HOME,
            "--ro-bind",
            str(packages),
            VENV,
            "--bind",
            str(self.autograder),
            "/autograder",
            "--chdir",
            "/autograder",
        ]
        if not self._privileged:
            line += ["--cap-drop", "ALL", *(part for name in DOCKER for part in ("--cap-add", f"CAP_{name}"))]
        else:
            line += ["--cap-add", "ALL"]
        return [*line, "--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/root", "--"]


def zip_of(course: Path, assignment: str) -> Path:
    """Have nbjudge write the zip of an assignment."""
    environment = {"PYTHONPATH": f"{course}:{Path(nbjudge.__file__).parents[1]}", "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-m", "nbjudge", "gradescope", assignment], cwd=course, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return course / "dist" / "gradescope" / f"{assignment}.zip"
