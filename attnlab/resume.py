"""What *Resume* runs in a lesson, and where the learner goes on. JupyterLab's button asks both, in the notebook's kernel.

It runs what stands above the place that the learner has come to, and no cell that would answer a prediction which has not been made.
"""

from __future__ import annotations

import json
import re
from typing import Any

import nbformat
from nbformat import NotebookNode

from attnlab import reference
from attnlab.check import session
from attnlab.new_version import FOLDED, grade_id, is_answered, is_solution

REVEALS = re.compile(r"\breveal\(\s*[\"'](?P<name>\w+)[\"']")
NOT_NEEDED = "skip-execution"  # such a cell trains or shows progress; a lint sees to it that no other cell needs its names
NO_LESSON = "This notebook is no lesson of the course, so there is nothing to resume. Next: open a lesson from the start page."
MAY_FAIL = {"raises-exception", FOLDED}  # cells that wait for an answer, and pictures
INTERRUPTED = "interrupted"  # how a run ended early, where it was no error


class Told(dict[str, Any]):
    """What the button is told, as JSON."""

    def _repr_json_(self) -> dict[str, Any]:
        return dict(self)


def plan(notebook: str) -> Told:
    """Which cells to run, by their places, in order, and which of them stop the run when they end with an error.

    Args:
        notebook: the open notebook's cells without outputs, as JSON.
    """
    lesson = _Lesson(notebook)
    return Told(run=lesson.run, stopping=lesson.stopping()) if lesson.tasks else Told(run=[], stopping=[], said=NO_LESSON)


def outcome(notebook: str, ran: int, stopped: str = "") -> Told:
    """Where to go on, and what to tell the learner: at most 140 letters, since JupyterLab shows no more.

    Args:
        notebook: as in `plan`.
        ran: how many of the planned cells ran.
        stopped: how the last of them ended the run: "error", "interrupted"; empty where nothing did.
    """
    lesson = _Lesson(notebook)
    if stopped:
        how = "You interrupted this cell" if stopped == INTERRUPTED else "This cell of the lesson ended with an error"
        return Told(
            place=next(iter(lesson.run[ran - 1 : ran]), None),  # none where somebody has emptied the cell meanwhile
            said=f"{how}; those below have not run. Next: mend it, or restart the kernel, then press Resume again.",
        )
    passing = sum(bool(passes) and lesson.is_exercise(name) for name, passes in session.now().items())
    said = f"{_counted(ran, 'cell')} ran, {_counted(passing, 'check')} {'pass' if passing != 1 else 'passes'}."
    left = [f"{len(lesson.closed)} with open predictions"] if lesson.closed else []
    left += [f"{len(lesson.not_needed)} that nothing needs"] if lesson.not_needed else []
    said += f" Not run: {', '.join(left)}." if left else ""
    place, title = lesson.next()
    return Told(place=place, said=f"{said} {f'Go on here: {title}' if title else 'Nothing is open here'}.")


class _Lesson:
    """A lesson as it stands in the browser.

    Attributes:
        tasks: everything in it that earns points, by the place of the cell that the learner fills in.
        run: the cells to run.
        closed: those that would answer a prediction which has not been made.
        not_needed: those that nothing below needs.
    """

    def __init__(self, notebook: str):
        self.cells: list[NotebookNode] = [nbformat.from_dict(cell) for cell in json.loads(notebook)]
        items = {item.name: item for lesson in reference.lessons() for item in reference.graded(lesson)}
        self._answers = {place: grade_id(cell) for place, cell in enumerate(self.cells) if is_solution(cell)}
        self.tasks = {place: items[name] for place, name in self._answers.items() if name in items}
        self._open = {place for place in self._answers if not is_answered(self.cells[place])}
        self._unmade = {self._answers[place] for place in self._open}
        self._wanted = {name for one in self._unmade for name in reference.names_asked_for(one)}
        last = max((place for place in self._answers if place not in self._open), default=-1)
        end = next((place for place in self.tasks if place in self._open and place > last), len(self.cells))
        self.run, self.closed, self.not_needed = list[int](), list[int](), list[int]()
        for place in range(end):
            self._sort(place)

    def _sort(self, place: int) -> None:
        cell = self.cells[place]
        if cell.cell_type != "code" or not cell.source.strip() or place in self._open or self._checks_what_is_open(place):
            return
        if FOLDED in cell.metadata.get("tags", []) and self._wanted & set(re.findall(r"\w+", cell.source)):
            return  # a picture of what was not begun
        if any(found["name"] in self._unmade for found in REVEALS.finditer(cell.source)):
            self.closed.append(place)
        elif NOT_NEEDED in cell.metadata.get("tags", []):
            self.not_needed.append(place)
        else:
            self.run.append(place)

    def stopping(self) -> list[int]:
        """The given cells whose error nothing explains that the learner wrote, or has not written."""
        first = min((place for place in self._open if place in self.tasks), default=len(self.cells))
        given = [place for place in self.run if place < first and place not in self._answers]
        return [place for place in given if not MAY_FAIL & set(self.cells[place].metadata.get("tags", []))]

    def _checks_what_is_open(self, place: int) -> bool:
        """Whether a cell is the check of an answer that was not begun."""
        above = max((one for one in self._answers if one < place), default=-1)
        return bool(grade_id(self.cells[place])) and place not in self._answers and above in self._open

    def is_exercise(self, name: str) -> bool:
        return any(item.name == name and item.kind == "exercise" for item in self.tasks.values())

    def next(self) -> tuple[int | None, str]:
        """The place and the title of the first task that is not done: not begun, or its check does not pass."""
        now, elsewhere = session.now(), session.elsewhere()
        for place, item in self.tasks.items():
            is_text = self.cells[place].cell_type == "markdown"
            if place in self._open or not (is_text or now.get(item.name) or item.name in elsewhere):
                return place, item.title
        return None, ""


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"
