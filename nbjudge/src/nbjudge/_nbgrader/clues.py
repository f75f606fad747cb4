"""What the grader knows of each test that lost points, for a report of the class.

It lies beside the gradebook: not in the notebook, whose metadata a student can write, and not beside it, where nbgrader would copy it to `feedback/`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nbjudge._execution.verdicts import Clue, Verdict, clue_from, writable

CLUES = "gradings/clues"


def clues_path(root: Path, student: str, assignment: str) -> Path:
    """Where the clues to a submission's failures lie in a course's folder."""
    return root / CLUES / assignment / f"{student}.json"


def write_clues(root: Path, student: str, assignment: str, verdicts: dict[str, list[Verdict]]) -> None:
    """Keep what is known by notebook and test, with the message it belongs to. What is kept of other notebooks stays.

    Raises:
        OSError: it cannot be written.
    """
    path = clues_path(root, student, assignment)
    found = _read(path) | {
        notebook: {verdict.grade_id: {"said": verdict.message or verdict.printed, **asdict(verdict.clue)} for verdict in own if verdict.has_lost}
        for notebook, own in verdicts.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(writable(json.dumps(found, ensure_ascii=False)), encoding="utf-8")


def read_clues(root: Path, student: str, assignment: str) -> dict[tuple[str, str], tuple[str, Clue]]:
    """By notebook and test, the message and the clue; nothing where there is nothing that can be read."""
    try:
        found = _read(clues_path(root, student, assignment))
        return {(notebook, name): (str(about.pop("said")), clue_from(about)) for notebook, cells in found.items() for name, about in cells.items()}
    except (TypeError, AttributeError, KeyError):
        return {}


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
