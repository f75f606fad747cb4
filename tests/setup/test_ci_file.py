"""The workflow file is well formed, and what it runs is there. Its host was never asked."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
pytestmark = pytest.mark.check
COMMANDS = sorted({step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step})


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def commands_of(event: str) -> set[str]:
    """What runs when something is proposed, or once a week."""
    jobs = [job for job in WORKFLOW["jobs"].values() if (job.get("if") == "github.event_name == 'schedule'") == (event == "schedule")]
    return {step["run"] for job in jobs for step in job["steps"] if "run" in step}


def test_a_change_is_checked_and_everything_runs_once_a_week() -> None:
    assert set(WORKFLOW[True]) == {"push", "pull_request", "schedule"}  # YAML 1.1 reads the key `on` as true
    assert {job.get("if") for job in WORKFLOW["jobs"].values()} == {f"github.event_name {sign} 'schedule'" for sign in ("==", "!=")}
    assert commands_of("pull_request") == {"make check", "make test"}
    assert {"make test-all", "make portable", "pip install -r requirements-pytest.txt"} <= commands_of("schedule")


def test_what_a_change_runs_is_what_the_project_runs_itself() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_what_is_there(command: str) -> None:
    words = shlex.split(command)
    if words[0] == "make":
        assert set(words[1:]) <= targets()
    elif words[:3] == ["python", "-m", "pytest"]:
        assert words[3:5] == ["--tier", "test"] and words[5:] and all((ROOT / word).exists() for word in words[5:])
    else:
        assert words[:3] == ["pip", "install", "-r"] and (ROOT / words[3]).exists()


@pytest.mark.parametrize("name", WORKFLOW["jobs"])
def test_every_job_has_a_machine_a_limit_and_a_checkout(name: str) -> None:
    job = WORKFLOW["jobs"][name]
    assert job["runs-on"] and job["timeout-minutes"] <= 180
    assert job["steps"][0]["uses"].startswith("actions/checkout@")
    matrix = job.get("strategy", {}).get("matrix", {})
    assert set(re.findall(r"matrix\.(\w+)", str(job))) == set(matrix)


def test_the_oldest_python_of_the_project_is_tried() -> None:
    [oldest] = re.findall(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert oldest in WORKFLOW["jobs"]["everything"]["strategy"]["matrix"]["python"]
