"""nbgrader's Validate, in words that say what it knows and what it does not: the tests that a student sees pass or do not, no more."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from collections.abc import Callable
from contextvars import Context, ContextVar
from textwrap import indent, shorten
from types import ModuleType
from typing import Any

import nbformat
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, Execute
from nbgrader.validator import Validator
from tornado import web
from traitlets.config import Config

from nbgrader import utils
from nbjudge._common.check_lines import is_python, said_in_kernel
from nbjudge._common.settings import Report, in_words

# nbgrader's command and its handler in JupyterLab name the class that validates; neither has a setting for it.
COMMAND, HANDLERS = "nbgrader.apps.validateapp", "nbgrader.server_extensions.validate_assignment.handlers"
MOST_SAID = 2000
MOST_QUOTED = 60
TOO_LONG = "TimeoutError"  # how the name of an exception ends by which a test says that the answer took too long, as the kernel's own does

_progress: ContextVar[Callable[[str], None] | None] = ContextVar("_progress", default=None)
LATER = (
    "After you hand in, your notebook is graded by tests that may hold more than you can see: other inputs, or whether an answer that is "
    "only noted here is right. Validate does not know them."
)
BROKEN = "the test itself cannot run, and that is no fault of yours: its text is no Python. Tell your instructor."


class ExecuteInTime(Execute):
    """Runs the cells of a notebook up to the first one that takes too long, and tells which one runs."""

    ended_at: int | None = None

    def _find_my_config(self, cfg: Config) -> Config:
        """Without what `c.Execute` says to the step that grades: traitlets would warn of each."""
        found = super()._find_my_config(cfg)
        return Config({name: value for name, value in found.items() if name in self.traits()})

    def preprocess_cell(self, cell: NotebookNode, resources: dict[str, Any], index: int) -> tuple[NotebookNode, dict[str, Any]]:
        """Run one cell, unless an earlier one has taken too long."""
        if self.ended_at is not None:
            return cell, resources
        if cell.cell_type == "code":
            _tell(f"running cell {index + 1} of {len(self.nb.cells)}: {quoted(cell)}")
        cell, resources = super().preprocess_cell(cell, resources, index)
        if any(output.output_type == "error" and output.ename.endswith(TOO_LONG) for output in cell.get("outputs", [])):
            self.ended_at = self.parent.ended_at = index
        return cell, resources


class TellingValidator(Validator):
    """Adds `told` to nbgrader's results: a list of `{"kind": "heading" | "line" | "item" | "code", "text": ...}`.

    Attributes:
        ended_at: the index of the cell that took too long, after which no cell ran; None where all ran.
    """

    ended_at: int | None = None

    def validate(self, filename: str) -> dict[str, list[dict[str, str]]]:
        """Run the notebook and look at its cells, as nbgrader does."""
        self._seen: list[tuple[NotebookNode, bool]] = []
        self.ended_at = None
        self.preprocessors = [CheckCellMetadata, ClearOutput, ExecuteInTime]
        results = super().validate(filename)
        if broken := results.get("type_changed") or (not self.ignore_checksums and results.get("changed")):
            results["told"] = _told_of_changed(broken)
        elif not self.invert:
            results["told"] = self._told(nbformat.read(filename, as_version=4))
        self._last = results.get("told", [])
        return results

    def _get_failed_cells(self, nb: NotebookNode) -> list[NotebookNode]:
        failed: list[NotebookNode] = super()._get_failed_cells(nb)
        self._seen = [(cell, any(cell is one for one in failed)) for cell in nb.cells if utils.is_grade(cell)]
        self._too_long = None if self.ended_at is None else nb.cells[self.ended_at]
        self._not_run = [] if self.ended_at is None else nb.cells[self.ended_at + 1 :]
        return failed

    def _told(self, nb: NotebookNode) -> list[dict[str, str]]:
        every = [(cell, fails) for cell, fails in self._seen if not utils.is_solution(cell)]
        broken = [cell for cell, _ in every if cell.cell_type == "code" and not is_python(cell.source)]
        tests = [(cell, fails) for cell, fails in every if all(cell is not one for one in broken)]
        failing = [cell for cell, fails in tests if fails]
        not_run = [cell for cell, _ in tests if any(cell is one for one in self._not_run)]
        empty = {self._name(cell) for cell, fails in self._seen if fails and utils.is_solution(cell)}
        read = [self._name(cell) for cell in nb.cells if (utils.is_grade(cell) and utils.is_solution(cell)) or utils.is_task(cell)]
        told = (
            [_block("heading", f"{len(tests) - len(failing) - len(not_run)} of {_number(len(tests), 'test')} that you can see pass")] if tests else []
        )
        if self._too_long is not None:
            told.append(_block("line", f"A cell took too long, so Validate ended there: {_number(len(not_run), 'test')} after it did not run."))
            if all(cell is not self._too_long for cell in failing):
                told += [_block("item", f"`{quoted(self._too_long)}` was stopped:"), _block("code", self._error_of(self._too_long))]
        for cell in failing:
            told += [_block("item", f"{self._name(cell)} does not pass:"), _block("code", self._error_of(cell))]
        told += [_block("item", f"{self._name(cell)}: {BROKEN}") for cell in broken]
        told.append(_block("heading", "This is not your grade yet"))
        if tests:
            told.append(_block("line", LATER))
        for name in read:
            state = "you have not written an answer yet." if name in empty else "your instructor reads and grades it. Nothing here has judged it."
            told.append(_block("item", f"{name}: {state}"))
        return told

    def _error_of(self, cell: NotebookNode) -> str:
        for output in cell.get("outputs", []):
            if output.output_type == "error" and output.ename == "AssertionError" and not output.evalue:
                return said_in_kernel(output.traceback, cell.source)
        return str(strip_ansi(self._extract_error(cell)).strip()[-MOST_SAID:])

    def _print_num_failed(self, num_failed: int) -> None:
        """What `nbgrader validate` prints, in place of "Success!"."""
        marks = {"heading": "\n{}\n", "line": "{}\n", "item": "- {}\n"}
        for block in self._last:
            if block["kind"] == "code":
                self.stream.write(indent(block["text"], self.indent) + "\n")
            else:
                self.stream.write(marks[block["kind"]].format(block["text"]))

    def _print_error(self, source: str, error: str) -> None:
        """Told already, with the name of the test."""

    def _name(self, cell: NotebookNode) -> str:
        name = str(cell.metadata.nbgrader.get("grade_id", "a cell"))
        return in_words(name, Report(parent=self).ending)


def quoted(cell: NotebookNode) -> str:
    """The last line of a cell, which says best what it does."""
    return shorten(str(cell.source).strip().rpartition("\n")[2], MOST_QUOTED, placeholder=" …")


def _tell(line: str) -> None:
    """Tell whoever waits, in JupyterLab or at a terminal, what goes on."""
    if tell := _progress.get():
        tell(line)
    elif sys.stderr.isatty():
        print(line, file=sys.stderr)


def _tell_progress(handlers: ModuleType) -> None:
    """Let nbgrader's handler tell what goes on, one JSON text a line, to a request that asks for it; the last line is nbgrader's own answer."""
    stock, one_at_a_time = handlers.ValidateAssignmentHandler.post, asyncio.Lock()  # nbgrader changes the folder of the whole process meanwhile

    async def post(handler: Any) -> None:
        asked = handler.get_json_body() if handler.request.body.startswith(b"{") else {}
        if not asked.get("tells_progress"):
            stock(handler)
            return
        loop = asyncio.get_running_loop()

        def say(line: str) -> None:
            handler.write(json.dumps({"running": line}) + "\n")
            handler.flush()

        def tell(line: str) -> None:
            loop.call_soon_threadsafe(say, line)

        def validate() -> dict[str, Any]:
            _progress.set(tell)
            return dict(handler.validate_notebook(asked["path"]))

        async with one_at_a_time:
            answer = await loop.run_in_executor(None, Context().run, validate)  # a context of its own: Jupyter keeps a thread's loop there
        handler.finish(json.dumps(answer) + "\n")

    handlers.ValidateAssignmentHandler.post = web.authenticated(post)


def tell_what_is_known() -> None:
    """Let `nbgrader validate` and JupyterLab's Validate use `TellingValidator`, where this process has loaded them, or is Jupyter's server."""
    if "jupyter_server.serverapp" in sys.modules:  # nbgrader's formgrader reads the configuration when the server starts, before this is loaded
        importlib.import_module(HANDLERS)
    for name in (COMMAND, HANDLERS):
        if (module := sys.modules.get(name)) is None or vars(module)["Validator"] is TellingValidator:
            continue
        vars(module)["Validator"] = TellingValidator
        if name == HANDLERS:
            _tell_progress(module)


def _told_of_changed(cells: list[dict[str, str]]) -> list[dict[str, str]]:
    told = [
        _block(
            "heading",
            f"{_number(len(cells), 'cell')} of your instructor's is not as it was given to you"
            if len(cells) == 1
            else f"{_number(len(cells), 'cell')} of your instructor's are not as they were given to you",
        ),
        _block(
            "line",
            "Nothing more can be said: a test that was changed says nothing about your answers. When you hand in, the "
            "instructor's own tests count. Next: copy these cells from a fresh copy of the notebook, and validate again.",
        ),
    ]
    return told + [_block("code", cell["source"][:MOST_SAID]) for cell in cells]


def _block(kind: str, text: str) -> dict[str, str]:
    return {"kind": kind, "text": text}


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
