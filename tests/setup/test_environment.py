"""Bad surroundings are met with one clear sentence and the next step."""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[2] / "setup"
sys.path.insert(0, str(SETUP))

import environment  # noqa: E402 (found by the line above)


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


def test_a_venv_that_nobody_can_write_is_said_in_words(tmp_path: Path) -> None:
    (project(tmp_path, "six==1.16.0\n") / ".venv" / "install.log").mkdir(parents=True)
    (tmp_path / ".venv" / "bin").mkdir()
    (tmp_path / ".venv" / "bin" / "pip").touch()
    done = set_up(tmp_path)
    assert done.returncode == 1 and "install.log" in done.stderr and "Next: " in done.stderr and "Traceback" not in done.stderr


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
        ("error: failed to write (os error 28)", "The disk is full"),
        ("Temporary failure in name resolution", "no connection"),
        ("error sending request for url (https://example.org/simple/six/)", "no connection"),
    ],
)
def test_what_failed_is_explained(log: str, said: str) -> None:
    text = environment.explain(log, "requirements.txt")
    assert said in text
    assert "Next: " in text


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("", "looking for packages"),
        ("Collecting a==1\nCollecting b\n", "looking at package 2"),
        ("Resolved 3 packages in 1s\nDownloading a (4.0MiB)\nDownloading b (9.0MiB)\n Downloaded a\n", "fetching 3 packages, now b (9.0MiB)"),
        ("Resolved 3 packages in 1s\nPrepared 3 packages in 2s\n", "unpacked 2 of 3 packages"),
        ("Collecting a==1\nInstalling collected packages: a, b, c\n", "unpacked 2 of 3 packages"),
        ("Resolved 3 packages in 1s\nPrepared 3 packages in 2s\nInstalled 3 packages in 1s\n", "compiling what was installed"),
    ],
)
def test_progress_says_which_package_of_how_many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, log: str, said: str) -> None:
    for name in ("a-1.dist-info", "b-1.dist-info", "a"):
        (tmp_path / "lib" / "python3.11" / "site-packages" / name).mkdir(parents=True)
    monkeypatch.setattr(environment, "VENV", str(tmp_path))
    assert environment.stage(log) == said


def test_a_slow_set_up_tells_how_it_goes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(environment, "SECONDS", 0.3)
    slow = [sys.executable, "-c", "import time; print('Collecting a==1', flush=True); time.sleep(2); raise SystemExit(7)"]
    assert environment.follow(slow, str(tmp_path / "log"), {}) == 7
    assert "s: looking at package 1\n" in capsys.readouterr().out
    assert "Collecting a==1" in (tmp_path / "log").read_text(encoding="utf-8")


def test_uv_is_given_the_settings_of_pip() -> None:
    told = environment.uv_variables(
        "global.index-url='https://pypi.example.org/simple'\nglobal.extra-index-url='\\nhttps://a.example.org\\nfile:///b'\n"
        ":env:.find-links='/wheels /more'\ninstall.user='true'\n:env:.cert='/etc/ours.pem'\n"
    )
    assert told == {
        "UV_DEFAULT_INDEX": "https://pypi.example.org/simple",
        "UV_INDEX": "https://a.example.org file:///b",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/wheels,/more",
        "SSL_CERT_FILE": "/etc/ours.pem",
    }


@pytest.mark.parametrize(("uv", "small", "expected"), [(0, True, "uv-small uv pip"), (0, False, "uv pip"), (1, False, "pip"), (1, True, "pip-small")])
def test_where_uv_is_not_to_be_had_or_fails_pip_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, uv: int, small: bool, expected: str) -> None:
    monkeypatch.setattr(environment, "follow", lambda command, log, variables: uv)
    monkeypatch.setattr(environment, "has_small_torch", lambda requirements: small)
    monkeypatch.setattr(environment, "_output", lambda command: "")
    kinds = {"--torch-backend": "-small", "--extra-index-url": "-small"}
    ways = [command for command, _ in environment.ways("requirements.txt", str(tmp_path / "log"))]
    made = [("uv" if command[0].endswith("uv") else "pip") + "".join(kind for word, kind in kinds.items() if word in command) for command in ways]
    assert " ".join(made).replace("uv pip-small", "uv pip") == expected
    assert all(command[command.index("-r") + 1] == "requirements.txt" for command in ways)


def test_the_small_torch_is_taken_on_linux_where_it_can_be_reached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(environment, "ROOT", str(project(tmp_path, "torch==2.13.0\n")))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(environment, "SMALL_TORCH", "http://127.0.0.1:9")
    assert not environment.has_small_torch("requirements.txt")
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    (tmp_path / "torch").mkdir()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(environment, "SMALL_TORCH", f"http://127.0.0.1:{server.server_address[1]}")
        assert environment.has_small_torch("requirements.txt")
        monkeypatch.setattr(sys, "platform", "darwin")
        assert not environment.has_small_torch("requirements.txt")
        server.shutdown()


def test_a_library_is_looked_for_as_one_and_asked_for_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(environment, "need_debian_package", lambda package, why: asked.append((package, why)))
    monkeypatch.setattr(environment, "install", lambda requirements: None)
    monkeypatch.setattr(sys, "platform", "linux")
    assert environment.main(["requirements.txt", "libc=libc6", "libnobody=libnobody1", "sh=dash"]) == 0
    assert asked == [("libnobody1", "The library libnobody is not installed")]
