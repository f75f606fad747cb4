"""Runs a right answer and its variations on the inputs of their exercise, here and as if on another processor."""

from __future__ import annotations

import ast
import copy
import signal
import warnings
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any

from nbformat import NotebookNode

from attnlab.arrays import deep_copy
from attnlab.diagnosis.exercise import Exercise
from authoring.answer_files import Answer
from authoring.answers import Namespace, run_quietly
from authoring.variations.noise import Noise, names_of, torch_with, transform

SECONDS = 2.0  # of the processor; a variation that takes more is endless
SLOWER = 10.0  # times, at most, while everything is disturbed
WRONGS = Path(__file__).with_name("wrongs.py")  # a text, so that it can be disturbed as the answers are


class Bench:
    """Where a right answer and its variations run: beside everything of the lesson that they need.

    Args:
        notebook: of the lesson, with all answers in.
        answer: the right answer.
        described: its exercise.
        noise: disturbs the answer and what it needs; None leaves all as it is.
    """

    def __init__(self, notebook: NotebookNode, answer: Answer, described: Exercise, noise: Noise | None = None):
        self._exercise, self._described, self._noise = answer.exercise, described, noise
        names, wrongs = {}, WRONGS.read_text(encoding="utf-8")
        if noise:
            names, wrongs = names_of(noise), _disturbed(wrongs)
            notebook, answer = copy.deepcopy(notebook), replace(answer, source=_disturbed(answer.source))
            for cell in notebook.cells:
                cell.source = _disturbed(cell.source) if cell.cell_type == "code" else cell.source
        self._held = _NamespaceWith(names, notebook, answer)
        made = dict(names)
        run_quietly(wrongs, str(WRONGS), made)
        self._held.update(made["NAMES"])

    def results(self, source: str) -> list[Any]:
        """What a text of the answer gives for each case, None where it raises or does not end."""
        return _results(self._defined(source), self._described, SECONDS)

    def disturbed(self, source: str, seed: int, places: tuple[int, ...]) -> list[list[Any]]:
        """The same with noise, once for each number of `places` (see `Noise`)."""
        answer, results = self._defined(_disturbed(source)), []
        with torch_with(self._noise):
            for number in places:
                self._noise.begin(seed, number)
                results.append(_results(answer, self._described, SECONDS * SLOWER))
        return results

    def _defined(self, source: str) -> Any:
        namespace = dict(self._held)
        error, _ = run_quietly(source, "<variation>", namespace)
        return None if error else namespace.get(self._exercise)


class _NamespaceWith(Namespace):
    """What a notebook holds whose cells need these names, too."""

    def __init__(self, names: dict[str, Any], notebook: NotebookNode, answer: Answer):
        self.update(names)
        super().__init__(notebook, answer)


@cache
def _disturbed(source: str) -> str:
    """A text that sends its sums and functions through the noise."""
    try:
        return ast.unparse(transform(ast.parse(source)))
    except SyntaxError:  # a line for Jupyter
        return source


class _Endless(BaseException):
    """A variation did not come to an end."""


def _results(answer: Any, described: Exercise, seconds: float) -> list[Any]:
    def ring(_: int, __: FrameType | None) -> None:
        raise _Endless

    results = []
    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        for case in described.inputs:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            try:
                with warnings.catch_warnings(action="ignore"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                    results.append(described.call(answer, *deep_copy(case.arguments)))
            except (Exception, _Endless):
                results.append(None)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return results
