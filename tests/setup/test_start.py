"""`python -m attnlab` and `setup/lab.py` in bad surroundings: a sentence and the next step; and what a terminal shows of a good day."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from attnlab.lab.opening import free_port
from authoring.lessons import ROOT

SECONDS = 90


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course with the start page alone, and with what is imported from the project."""
    (tmp_path / "course" / "notebooks").mkdir(parents=True)
    shutil.copy(ROOT / "notebooks" / "start.ipynb", tmp_path / "course" / "notebooks")
    return tmp_path / "course"


def surroundings(course: Path) -> dict[str, str]:
    home = course.parent
    own = {name: str(home / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "MAKELEVEL", "MAKEFLAGS")}
    return {**kept, **own, "HOME": str(home), "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "nbjudge" / "src")])}


def starts(course: Path, *arguments: str, python: Sequence[str] = (sys.executable,), **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*python, "-m", "attnlab", *arguments],
        cwd=course,
        text=True,
        capture_output=True,
        check=False,
        timeout=SECONDS,
        env={**surroundings(course), **variables},
    )


def refused(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1 and "Next: " in done.stderr and "Traceback" not in done.stderr, done.stderr
    return done.stderr


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_taken_port_is_passed_over(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    both = [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]  # where `localhost` is both, as on most machines
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, type: [(family, type, 0, "", (address, port)) for family, address in both])
    with socket.socket(family) as holder:
        try:
            holder.bind((address, 0))
        except OSError:
            pytest.skip(f"This machine has no {address}.")
        holder.listen()
        taken = holder.getsockname()[1]
        assert free_port(taken) > taken


@pytest.mark.parametrize("port", ["abc", "80", "70000", "²", "-1"])
def test_a_port_that_is_none_is_refused(course: Path, port: str) -> None:
    assert f"{port} is not a port. Next: give a number from 1024 to 65535, for example `python -m attnlab" in refused(
        starts(course, f"--port={port}")
    )
    assert not (course / "work").exists()


def test_through_make_the_next_step_is_a_target(course: Path) -> None:
    assert "`make lab PORT=8890`" in refused(starts(course, "--port", "80", MAKELEVEL="1"))


def test_where_the_packages_are_not_installed_it_says_so(course: Path) -> None:
    said = refused(starts(course, python=(sys.executable, "-S")))  # as where `.venv` was not activated
    assert re.match(r"\w+ is not installed in .*Next: pip install -r requirements\.txt", said)


def test_where_nobody_may_write_it_says_so(course: Path) -> None:
    (course / "work").write_text("a file in its place", encoding="utf-8")
    assert str(course / "work") in refused(starts(course))


def test_where_jupyter_may_not_write_it_says_so(course: Path) -> None:
    (course.parent / "jupyter_runtime_dir").write_text("a file in its place", encoding="utf-8")
    assert "jupyter_runtime_dir" in refused(starts(course))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo-terminal")
@pytest.mark.parametrize("presses", [1, 3])
@pytest.mark.parametrize("through_make", [False, True], ids=["python", "make"])
def test_the_address_stands_alone_on_the_last_line_and_ctrl_c_ends_quietly(course: Path, presses: int, through_make: bool) -> None:
    port = str(free_port(21000))
    command = ["make", "lab", f"PORT={port}"] if through_make else [sys.executable, "-m", "attnlab", "--port", port]
    if through_make:  # the target's own line, without the set-up before it
        line = re.search(r"^lab:.*\n\t\$\(LEARNER\)\n(\t.*\n)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert line
        (course / "Makefile").write_text(f"lab:\n{line[1]}", encoding="utf-8")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(course)
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        os.execvpe(command[0], command, {**surroundings(course), "PATH": path})
    try:
        shown = _read_until(terminal, re.compile(r"token=\w+\r\n"))
        *_, how, address, rest = shown.split("\r\n")
        assert "Ctrl-C" in how and re.fullmatch(r"http://localhost:\d+/lab/tree/start\.ipynb\?token=\w+", address) and rest == ""
        assert len(shown.splitlines()) <= 3
        for _ in range(presses):
            os.write(terminal, b"\x03")
            time.sleep(0.05)
        shown = _read_until(terminal, None)
        assert shown.replace("^C", "").strip() == ""
    finally:
        _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == (-signal.SIGINT if through_make else 0)  # make ends by the signal, and says nothing


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a pseudo-terminal")
def test_ctrl_c_during_the_set_up_is_told_in_one_sentence(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "setup", tmp_path / "setup", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execvpe("make", ["make", "lab"], {name: value for name, value in os.environ.items() if not name.startswith("MAKE")})
    try:
        _read_until(terminal, re.compile(r"takes a few minutes\.\r\n"))
        _read_until(terminal, re.compile("."), seconds=1)  # .venv is being made
        os.write(terminal, b"\x03")
        shown = _read_until(terminal, None)
    finally:
        _, status = os.waitpid(pid, 0)
    assert shown.replace("^C", "").strip() == "The set-up was stopped. Next: type the same command again; what was fetched is kept."
    assert os.waitstatus_to_exitcode(status) == -signal.SIGINT


def _read_until(terminal: int, what: re.Pattern[str] | None, seconds: float = SECONDS) -> str:
    """What a terminal shows, until something stands there or, without `what`, until it is closed."""
    shown, deadline = b"", time.monotonic() + seconds
    while time.monotonic() < deadline and not (what and what.search(shown.decode())):
        if select.select([terminal], [], [], 1)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # Linux's way of saying that nobody is at the other end
                return shown.decode()
    return shown.decode()


@pytest.mark.slow
def test_what_goes_wrong_in_the_server_is_told_and_its_kernels_end_with_it(course: Path, tmp_path: Path) -> None:
    port = str(free_port(21100))
    probe = (
        "import json, sys, urllib.request as u; a, m, b = sys.argv[1:]; print(u.urlopen(u.Request(a, b.encode() or None, method=m)).read().decode())"
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "attnlab", "--port", port], cwd=course, stdout=subprocess.PIPE, text=True, env=surroundings(course)
    )
    assert server.stdout
    address = next(line for line in server.stdout if "token=" in line)
    base, token = address.partition("/lab/")[0], address.rpartition("token=")[2].strip()
    kernels = f"{base}/api/kernels?token={token}"
    started = subprocess.run([sys.executable, "-c", probe, kernels, "POST", "{}"], capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    assert '"id"' in started
    running = _children(server.pid)
    assert len(running) == 1
    server.send_signal(signal.SIGINT)
    assert server.wait(SECONDS) == 0
    assert not any(Path("/proc", child).exists() for child in running)


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
