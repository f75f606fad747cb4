"""The checks of a session, and what a learner has done: now, and before, as a small file beside the notebook remembers.

The file is for the learner's eyes. Nobody grades by it, and a check that is run again overwrites what it says.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from attnlab import exercises, history, reference
from attnlab.check.cards import card, tell
from attnlab.check.other_ways import folded, other_ways
from attnlab.diagnosis.cause import CheckFailed, wrapped
from attnlab.diagnosis.examine import examine
from attnlab.diagnosis.exceptions.raised import NOT_WRITTEN
from attnlab.elsewhere import NeedsTorch

FILE = ".progress.json"

_state: dict[str, bool | None] = {}  # passes or noted, fails, or is not started
_elsewhere: set[str] = set()  # what cannot be looked at here, for want of torch
_answers: dict[tuple[str, int | None], int] = {}  # how many answers to a question each run of a cell has noted


def check_of(name: str) -> Callable[[Any], None]:
    """The visible check of an exercise, which remembers what it said."""

    def check(answer: Any) -> None:
        started(name)
        try:
            exercise = exercises.find(name)
            if found := history.outdated(name, name, answer):
                raise CheckFailed(f"{name}: nothing was looked at", found)
            all_passed = examine(name, exercise, answer, exercises.find)
            if found := history.stands_elsewhere(name, answer):
                raise CheckFailed(f"{name}: passes in another cell", found)
        except CheckFailed as error:
            if error.diagnosis is NOT_WRITTEN:
                untouched(name)
            raise
        except NeedsTorch:
            _remember(name, None)
            _elsewhere.add(name)
            raise
        passed(name)
        ways = folded(other_ways(name, history.text_of(name)), "Other ways to write it")
        tell(card(f"{name}: {all_passed}", "✓") + ways, "\n".join(wrapped(f"✓ {name}: {all_passed}", then="  ")))

    check.__name__ = check.__qualname__ = name
    with suppress(NeedsTorch):  # where a browser reads it, the check says so when it is called
        check.__doc__ = f"Check {exercises.about(name)}"
    return check


def started(exercise: str) -> None:
    """Remember that a check of the exercise began; it counts as failed until `passed`."""
    _remember(exercise, False)


def passed(exercise: str) -> None:
    """Remember that the visible check of the exercise passed, or that the prediction was made."""
    _remember(exercise, True)


def untouched(exercise: str) -> None:
    """Forget the exercise: its answer is still the stub, which is no failure."""
    _answers.pop((exercise, _run()), None)
    _remember(exercise, None)


def answered(exercise: str) -> bool:
    """Remember one more answer to a question. It counts once one run of its cell has noted as many as it asks for: whether it has."""
    asked = len(reference.names_asked_for(exercise)) or 1
    run = (exercise, _run())
    _answers[run] = _answers.get(run, 0) + 1
    _remember(exercise, True if _answers[run] >= asked else None)
    return _answers[run] >= asked


def elsewhere() -> frozenset[str]:
    """The exercises whose checks, when they ran last in this session, needed what is not here."""
    return frozenset(_elsewhere)


def now() -> dict[str, bool | None]:
    """What checks said in this session."""
    return dict(_state)


def before(folder: Path | None) -> dict[str, bool]:
    """What the file in `folder` says; nothing when there is none or somebody else wrote it."""
    try:
        content = json.loads((folder / FILE).read_text(encoding="utf-8")) if folder else {}
    except (OSError, ValueError):
        return {}
    return {exercise: passes for exercise, passes in content.items() if isinstance(passes, bool)} if isinstance(content, dict) else {}


def written(path: Path | None, placeholders: dict[str, str]) -> dict[str, bool | None]:
    """Which written answers stand in a notebook as it was last saved, by the grade ids of their cells.

    Args:
        path: the notebook, or None.
        placeholders: for each grade id, the text that stands for no answer.

    Returns:
        For each grade id whether there is an answer; None where that cannot be seen.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path else []
        texts = {cell["metadata"].get("nbgrader", {}).get("grade_id"): "".join(cell["source"]) for cell in cells}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):  # not saved, or no notebook
        texts = {}
    return {
        name: " ".join(texts[name].split()) not in ("", " ".join(placeholder.split())) if name in texts else None
        for name, placeholder in placeholders.items()
    }


def _remember(exercise: str, passes: bool | None) -> None:
    _state[exercise] = passes
    _elsewhere.discard(exercise)
    path = history.notebook()
    if path is None:
        return
    try:
        (path.parent / FILE).write_text(json.dumps({**before(path.parent), **_state}, indent=1), encoding="utf-8")
    except OSError:  # a folder that may not be written to costs the memory, never the check
        return


def _run() -> int | None:
    """The number of the cell that runs, in a notebook; None elsewhere."""
    shell = history.running_shell()
    return shell.execution_count if shell else None
