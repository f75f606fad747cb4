"""`make hub` where it cannot start, and after a crash: real processes, and the accounts of the machine."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from trial_hub import TRIAL, TrialHub

NOBODY = 65534
pytestmark = [pytest.mark.root, pytest.mark.network, pytest.mark.timeout(1800), pytest.mark.usefixtures("root")]

SBIN = Path("/usr/sbin")


def trial(*options: str, **who: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-B", str(TRIAL), *options], cwd="/", text=True, capture_output=True, check=False, timeout=900, **who)


def accounts_of(prefix: str) -> list[str]:
    return [entry.pw_name for entry in pwd.getpwall() if entry.pw_name.startswith(f"{prefix}-")]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "hub"
    assert [path.name for path in (tmp_path / "hub").glob("*")] in ([], ["lock"])


def refused(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1 and "Next: " in done.stderr and "Traceback" not in done.stderr, done.stderr
    return done.stderr


def test_without_root_it_says_so_and_does_nothing(tmp_path: Path) -> None:
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if not python:
        pytest.skip("There is no Python that other accounts can run. Next: install python3.")
    copy = Path("/var/tmp") / tmp_path.name
    shutil.copytree(TRIAL.parent, copy)
    try:
        copy.chmod(0o755)
        done = subprocess.run(
            [python, "-B", str(copy / "trial.py"), "--folder", str(tmp_path / "hub")],
            cwd="/",
            text=True,
            capture_output=True,
            check=False,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
        )
    finally:
        shutil.rmtree(copy)
    assert "only root" in refused(done)
    assert not (tmp_path / "hub").exists()


@pytest.mark.parametrize("options", [("--port", "80"), ("--port", "eight"), ("--port", "70000"), ("--port", "-1"), ("--port=²",)])
def test_what_is_no_port_is_refused(folder: Path, prefix: str, options: tuple[str, ...]) -> None:
    assert "is not a port" in refused(trial("--folder", str(folder), "--prefix", prefix, *options))
    assert accounts_of(prefix) == []


@pytest.mark.parametrize("name", ["", "Ada", "../ada", "ada bob", "a" * 17, "-x", "1a"])
def test_what_cannot_begin_an_account_is_refused(folder: Path, name: str) -> None:
    assert "cannot begin" in refused(trial("--folder", str(folder), f"--prefix={name}"))


def test_an_account_that_is_there_stays_and_no_other_is_left(folder: Path, prefix: str, tmp_path: Path) -> None:
    name = f"{prefix}-ben"
    subprocess.run([SBIN / "useradd", "--no-create-home", "--home-dir", str(tmp_path / "home"), name], check=True, capture_output=True)
    try:
        before = pwd.getpwnam(name)
        assert f"There is an account '{name}'" in refused(trial("--folder", str(folder), "--prefix", prefix))
        assert pwd.getpwnam(name) == before and accounts_of(prefix) == [name]
    finally:
        subprocess.run([SBIN / "userdel", name], check=True, capture_output=True)


def test_a_taken_port_is_refused_and_nothing_is_left(folder: Path, prefix: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert f"Port {port} is taken" in refused(trial("--folder", str(folder), "--prefix", prefix, "--port", port))
    assert accounts_of(prefix) == []


def test_where_the_hub_cannot_be_set_apart_it_says_so(folder: Path, prefix: str, tmp_path: Path) -> None:
    assert "The hub cannot be set apart" in refused(trial("--folder", str(folder), "--prefix", prefix, env={"PATH": str(tmp_path)}))
    assert accounts_of(prefix) == [] and not folder.exists()


def test_a_folder_that_the_accounts_cannot_reach_is_refused(folder: Path, prefix: str) -> None:
    folder.parent.chmod(0o700)
    assert "a folder above it is closed to them" in refused(trial("--folder", str(folder), "--prefix", prefix, "--port", "0"))
    assert accounts_of(prefix) == []


def test_what_a_crash_leaves_is_removed_and_a_second_trial_does_not_disturb_the_first(prefix: str) -> None:
    hub = TrialHub(prefix)
    try:
        names = [person.name for person in hub.wait_until_ready().people.values()]
        assert "A trial runs already" in refused(trial("--folder", str(hub.folder), "--prefix", prefix))
        assert accounts_of(prefix) == names
        started = (hub.folder / "state/hub.pid").read_text(encoding="utf-8").split()[0]
        hub.process.send_signal(signal.SIGKILL)
        hub.process.wait()
        assert accounts_of(prefix) == names and runs(started)  # so there is something to remove
        done = trial("--folder", str(hub.folder), "--environments", str(hub.folder / "none"), "--clean")
        assert done.returncode == 0 and all(name in done.stdout for name in names), done.stderr
        assert accounts_of(prefix) == [] and not runs(started)
        assert not listens(int(hub.address.rsplit(":", 1)[1]))
        assert os.listdir(hub.folder) == ["lock"]
    finally:
        hub.forget()


def runs(process: str) -> bool:
    """Whether a process is there that has not ended: one that nobody has asked for its end is listed, too."""
    stat = Path("/proc", process, "stat")
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
