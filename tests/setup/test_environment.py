"""Bad surroundings are met with one clear sentence and the next step."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "setup"
sys.path.insert(0, str(SETUP))

import environment  # noqa: E402 (found by the line above)
import lab  # noqa: E402


def python_that_says(version: str, folder: Path) -> str:
    path = folder / "python3"
    path.write_text(f"#!/bin/sh\necho '{version}'\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def project(folder: Path, requirements: str) -> Path:
    """A project of its own with the real set-up script and its own requirements."""
    shutil.copytree(SETUP, folder / "setup", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("requirements.txt", "pyproject.toml"):
        (folder / name).write_text(requirements if name == "requirements.txt" else "", encoding="utf-8")
    return folder


def set_up(folder: Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PIP_") and "proxy" not in key.lower()}
    return subprocess.run(
        [sys.executable, "setup/environment.py", "requirements.txt"],
        cwd=folder,
        text=True,
        capture_output=True,
        env={**clean, **surroundings},
        timeout=300,
        check=False,
    )


def test_an_old_python_is_refused_with_the_version_found(tmp_path: Path) -> None:
    with pytest.raises(environment.Stop, match=r"Python 3\.11 or newer is needed, and the newest one here is 3\.9\.\nNext: install it"):
        environment.find_python([python_that_says("3 9", tmp_path)])


def test_a_newer_python_further_on_is_taken(tmp_path: Path) -> None:
    old = python_that_says("3 9", tmp_path)
    assert environment.find_python([old, sys.executable]) == sys.executable


def test_a_python_that_does_not_run_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    broken.chmod(0o755)
    assert environment.find_python([str(broken), sys.executable]) == sys.executable


def test_no_network_is_said_in_words_and_tried_again_later(tmp_path: Path) -> None:
    done = set_up(project(tmp_path, "six==1.16.0\n"), HTTPS_PROXY="http://127.0.0.1:9", PIP_RETRIES="1", PIP_CONFIG_FILE=os.devnull)
    assert done.returncode == 1
    assert "there is no connection to the package index" in done.stderr
    assert "Next: connect to the network" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / ".venv" / "installed-requirements.txt").exists()


def test_a_second_run_has_nothing_to_do_and_says_nothing(tmp_path: Path) -> None:
    project(tmp_path, "# nothing\n")
    assert set_up(tmp_path).returncode == 0
    made = (tmp_path / ".venv" / "installed-requirements.txt").stat().st_mtime_ns
    again = set_up(tmp_path)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert (tmp_path / ".venv" / "installed-requirements.txt").stat().st_mtime_ns == made


@pytest.mark.slow
def test_a_venv_that_lies_elsewhere_is_made_there(tmp_path: Path) -> None:
    course, elsewhere = tmp_path / "ein Kurs für alle", tmp_path / "elsewhere"
    course.mkdir()
    elsewhere.mkdir()
    (project(course, "# nothing\n") / ".venv").symlink_to(elsewhere)
    assert set_up(course).returncode == 0
    assert (elsewhere / "bin" / "pip").exists() and (course / ".venv").is_symlink()


@pytest.mark.skipif(not shutil.which("apt-get"), reason="needs Debian")
def test_a_missing_debian_package_without_root_gives_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(environment.Stop, match=r"It is missing\. Next: type `sudo apt-get install -y python3-venv`, then the same command"):
        environment.need_debian_package("python3-venv", "It is missing")


def test_a_program_that_is_good_to_have_is_named_and_does_not_stop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(environment, "install", lambda requirements: None)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get" if name == "apt-get" else None)
    assert environment.main(["requirements.txt", "chromium"]) == 0
    assert "type `sudo apt-get install -y chromium`, then the same command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("ERROR: No matching distribution found for torch==9", "torch==9"),
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        ("Temporary failure in name resolution", "no connection"),
    ],
)
def test_pip_is_explained(log: str, said: str) -> None:
    text = environment.explain_pip(log, "requirements.txt")
    assert said in text
    assert "Next: " in text


def test_a_taken_port_is_passed_over() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        taken = holder.getsockname()[1]
        assert lab.free_port(taken) > taken


@pytest.mark.parametrize("port", ["abc", "80", "70000"])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert lab.main([port]) == 1
    assert f"PORT={port} is not a port. Next: give a number" in capsys.readouterr().err


def test_a_library_is_looked_for_as_one_and_asked_for_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(environment, "need_debian_package", lambda package, why: asked.append((package, why)))
    monkeypatch.setattr(environment, "install", lambda requirements: None)
    monkeypatch.setattr(sys, "platform", "linux")
    assert environment.main(["requirements.txt", "libc=libc6", "libnobody=libnobody1", "sh=dash"]) == 0
    assert asked == [("libnobody1", "The library libnobody is not installed")]
