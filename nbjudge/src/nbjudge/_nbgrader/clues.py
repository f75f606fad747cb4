"""What the grader knows of each test that lost points, could not judge, or was judged by follow-through, for whoever grades.

It lies beside the gradebook: not in the notebook, whose metadata a student can write, and not beside it, where nbgrader would copy it to `feedback/`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nbjudge._execution.verdicts import FOR_STUDENT, Clue, FollowThrough, Verdict, clue_from, follow_through_from, writable

CLUES = "gradings/clues"


@dataclass(frozen=True)
class Known:
    """What is known of one test: what was said to the student, why it lost points, what follow-through gave, and why it could not judge."""

    said: str = ""
    clue: Clue | None = None
    follow_through: FollowThrough | None = None
    not_judged: str = ""


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
        notebook: {verdict.grade_id: _about(verdict) for verdict in own if verdict.has_lost or verdict.follow_through or verdict.kind == "unjudged"}
        for notebook, own in verdicts.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(writable(json.dumps(found, ensure_ascii=False)), encoding="utf-8")


def _about(verdict: Verdict) -> dict[str, Any]:
    if verdict.kind == "unjudged":
        return {"said": FOR_STUDENT, "not_judged": verdict.message}
    through = {"follow_through": asdict(verdict.follow_through)} if verdict.follow_through else {}
    return {"said": verdict.message or verdict.printed, **asdict(verdict.clue), **through}


def read_clues(root: Path, student: str, assignment: str) -> dict[tuple[str, str], Known]:
    """By notebook and test; nothing where there is nothing that can be read."""
    try:
        found = _read(clues_path(root, student, assignment))
        return {(notebook, name): _known(about) for notebook, cells in found.items() for name, about in cells.items()}
    except (TypeError, AttributeError, KeyError):
        return {}


def _known(about: dict[str, Any]) -> Known:
    said, not_judged = str(about.pop("said")), str(about.pop("not_judged", ""))
    if not_judged:
        return Known(said, not_judged=not_judged)
    return Known(said, follow_through=follow_through_from(about.pop("follow_through", None)), clue=clue_from(about))


def why_not_judged(root: Path, assignment: str, notebook: str, test: str, students: Iterable[str]) -> list[str]:
    """Why a test could not judge these students' work, as far as that is known: each reason once, the most common one first."""
    known = (read_clues(root, student, assignment).get((notebook, test), Known()).not_judged for student in students)
    return [reason for reason, _ in Counter(filter(None, known)).most_common()]


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
