"""The JupyterLab that `make lab` and `make formgrader` start, with a home of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SECONDS = 90  # for a first start on a slow machine


class LabServer:
    """A running `python -m attnlab`, or `setup/lab.py` for an instructor.

    Instead of a browser, a script is opened that writes down what JupyterLab wants to show; so the test opens the very page
    that a person would see, token and all, and knows when the server is ready.

    Args:
        course: the folder of the course, a copy.
        profile: "learner" or "instructor".
        home: an empty folder in place of the user's own.
    """

    def __init__(self, course: Path, profile: str, home: Path):
        self.course = course
        self._home = home
        home.mkdir(exist_ok=True)
        self._opened, self._log = home / "opened.txt", home / "server.txt"
        browser = home / "browser.sh"
        browser.write_text(f'#!/bin/sh\nprintf %s "$1" > "{self._opened}.new" && mv "{self._opened}.new" "{self._opened}"\n', encoding="utf-8")
        browser.chmod(0o755)
        with self._log.open("w") as output:
            self._process = subprocess.Popen(
                [sys.executable, *(["-m", "attnlab", "--port"] if profile == "learner" else ["setup/lab.py"]), self._port()],
                cwd=course,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=self.surroundings(f"{browser} %s"),
            )

    def surroundings(self, browser: str = "true") -> dict[str, str]:
        """The environment of the server: the course's copy comes first, and no file of the user's home is read or written."""
        folders = {
            name: str(self._home / name.lower())
            for name in (
                "JUPYTER_CONFIG_DIR",
                "JUPYTER_DATA_DIR",
                "JUPYTER_RUNTIME_DIR",
                "IPYTHONDIR",
                "JUPYTERLAB_SETTINGS_DIR",
                "JUPYTERLAB_WORKSPACES_DIR",
            )
        }
        own = str(Path(sys.executable).parent)
        return {
            **os.environ,
            **folders,
            "HOME": str(self._home),
            "BROWSER": browser,
            "PYTHONPATH": os.pathsep.join([str(self.course), str(self.course / "nbjudge" / "src")]),
            "PATH": os.pathsep.join([own, os.environ["PATH"]]),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def first_page(self) -> str:
        """The address that JupyterLab opens by itself, once it does."""
        deadline = time.monotonic() + SECONDS
        while not self._opened.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"JupyterLab did not start:\n{self.log()}")
            time.sleep(0.1)
        return self._opened.read_text(encoding="utf-8")

    def log(self) -> str:
        """What stands at the terminal, and everything that the server has said."""
        logs = [self._log, *(self._home / "jupyter_runtime_dir").glob("attnlab-*.log")]
        return "".join(log.read_text(encoding="utf-8", errors="replace") for log in logs)

    def terminal(self) -> str:
        """What stands at the terminal alone."""
        return self._log.read_text(encoding="utf-8")

    def stop(self) -> None:
        """End the server and the kernels that it started."""
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    @staticmethod
    def _port() -> str:
        """Where to look for a free port: another place for every test process, so that two do not race for one."""
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
        return str(19000 + 100 * int(worker))
