"""What the grader knows of each test that lost points, or was judged by follow-through, for a report of the class.

It lies beside the gradebook: not in the notebook, whose metadata a student can write, and not beside it, where nbgrader would copy it to `feedback/`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nbjudge._execution.verdicts import Clue, FollowThrough, Verdict, clue_from, follow_through_from, writable

CLUES = "gradings/clues"


@dataclass(frozen=True)
class Known:
    """What is known of one test: what was said to the student, why it lost points, and what follow-through gave."""

    said: str = ""
    clue: Clue | None = None
    follow_through: FollowThrough | None = None


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
        notebook: {
            verdict.grade_id: {
                "said": verdict.message or verdict.printed,
                **asdict(verdict.clue),
                **({"follow_through": asdict(verdict.follow_through)} if verdict.follow_through else {}),
            }
            for verdict in own
            if verdict.has_lost or verdict.follow_through
        }
        for notebook, own in verdicts.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(writable(json.dumps(found, ensure_ascii=False)), encoding="utf-8")


def read_clues(root: Path, student: str, assignment: str) -> dict[tuple[str, str], Known]:
    """By notebook and test; nothing where there is nothing that can be read."""
    try:
        found = _read(clues_path(root, student, assignment))
        return {(notebook, name): _known(about) for notebook, cells in found.items() for name, about in cells.items()}
    except (TypeError, AttributeError, KeyError):
        return {}


def _known(about: dict[str, Any]) -> Known:
    return Known(str(about.pop("said")), follow_through=follow_through_from(about.pop("follow_through", None)), clue=clue_from(about))


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
