"""The cells that ran in this session: which of them gave a name its value, and whether that is what the answer's cell says now.

Only what is certain is told. Jupyter's front ends say in which cell a text ran; where one does not, as in nbclient, less is known. Edits that
are not saved are never known.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnlab import reference
from attnlab.diagnosis.cause import Cause, Diagnosis

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

TYPOGRAPHIC = "“”„‟‘’‚‛«»"
ALIKE = 0.85  # the part of two names that is the same, when one is a slip of the other


@dataclass(frozen=True)
class Run:
    """One run of a cell.

    Attributes:
        number: as Jupyter counts, `In [3]`.
        text: of the cell.
        cell: which cell that was; None where the front end does not say.
        error: what ended it early.
        stopped_at: the line at which it did; 0 where nothing ran.
        bound: the names of answers that stand for another object than before.
        when: it ended, as `time.time` has it.
    """

    number: int
    text: str
    cell: str | None
    error: BaseException | None
    stopped_at: int
    bound: frozenset[str]
    when: float

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """The statements of the text; none where Python cannot read it."""
        return _statements(self.text)

    def defines(self, name: str) -> bool:
        """Whether the text gives a name its value, or was to, where Python cannot read it."""
        if self.statements and not self.text.lstrip().startswith("%%"):  # what such a magic runs is no statement of the cell
            return any(name in _bound_by(statement) for statement in self.statements)
        return bool(re.search(rf"^(?:(?:def|class)\s+{re.escape(name)}\b|{re.escape(name)}\s*=(?!=))", self.text, re.MULTILINE))

    def gave(self, name: str) -> bool:
        """Whether this run gave a name its value."""
        ran = (one for one in self.statements if self.error is None or (one.end_lineno or one.lineno) < self.stopped_at)
        return name in self.bound or any(name in _bound_by(statement) for statement in ran)


class _History:
    """What ran in one shell."""

    def __init__(self, shell: InteractiveShell):
        self.shell, self.runs = shell, list[Run]()
        self._asked = {name for lesson in reference.lessons() for item in reference.asked(lesson) for name in item.asks_for}
        self.values = self._values()
        shell.events.register("post_run_cell", self._ran)

    def _values(self) -> dict[str, Any]:
        return {name: self.shell.user_ns[name] for name in self._asked if name in self.shell.user_ns}

    def _ran(self, result: ExecutionResult) -> None:
        info: ExecutionInfo | None = result.info
        if info is None:
            return
        before, self.values = self.values, self._values()
        bound = frozenset(name for name, value in self.values.items() if name not in before or before[name] is not value)
        error = result.error_before_exec or result.error_in_exec
        line = _line_in_cell(error) if result.error_in_exec else 0
        self.runs.append(Run(result.execution_count or 0, str(info.raw_cell), info.cell_id, error, line, bound, time.time()))


_histories: list[_History] = []  # one, or none outside of IPython


def running_shell() -> InteractiveShell | None:
    """The IPython shell that runs this; None outside of IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def watch(shell: InteractiveShell) -> None:
    """From now on, remember which cells run in a shell."""
    if all(one.shell is not shell for one in _histories):
        _histories[:] = [_History(shell)]


def notebook() -> Path | None:
    """The notebook that is open in Jupyter; None where notebooks only run, as in grading and in tests."""
    path = os.environ.get("JPY_SESSION_NAME")  # Jupyter's server sets it for the kernels that it starts
    return Path(path) if path and Path(path).parent.is_dir() else None


def lesson() -> str | None:
    """The lesson whose folder holds the notebook that is open; None where that cannot be told."""
    path = notebook()
    return path.parent.name if path and path.parent.name in reference.lessons() else None


def outdated(exercise: str, name: str, value: Any, choices: tuple[Any, ...] = ()) -> Diagnosis | None:
    """Why what a name stands for is not what its cell says now; None where it is, or where that is not certain.

    Args:
        exercise: the grade id of the cell that the learner fills in.
        name: what is defined there.
        value: what it stands for.
        choices: of a prediction.
    """
    history = _history_of(name, value)
    if history is None:
        return None
    runs = history.runs
    made = next((number for number in reversed(range(len(runs))) if runs[number].gave(name)), None)
    if made is None:
        return None
    origin, later, saved = runs[made], runs[made + 1 :], _Saved(exercise)
    if failed := next((run for run in reversed(later) if run.defines(name)), None):
        return _failed(failed, name, choices) if failed.error else None
    is_elsewhere = saved.is_another(origin) or (origin.cell != exercise and any(run.cell == exercise and run.gave(name) for run in runs[:made]))
    if origin.cell and not is_elsewhere and (again := next((run for run in reversed(later) if run.cell == origin.cell), None)):
        return _failed(again, name, choices) if again.error and not again.statements else _no_longer(again, name)
    if is_elsewhere:
        return _of_another_cell(runs[:made], saved, origin, exercise, name)
    if saved.is_newer(origin) and saved.text and not _same(saved.text, origin.text, name):
        return _changed(origin, name)
    return None if origin.cell else _renamed(later, origin, name)


def stands_elsewhere(exercise: str, value: Any) -> Diagnosis | None:
    """What to say of an answer that is right, but was defined by another cell than the one that is handed in."""
    history = _history_of(exercise, value)
    origin = next((run for run in reversed(history.runs) if run.gave(exercise)), None) if history else None
    if origin is None:
        return None
    saved = _Saved(exercise)
    if not saved.is_another(origin) or (saved.text and _same(saved.text, origin.text, exercise)):
        return None
    return Diagnosis(
        f"all of this passes, for the `{exercise}` of In [{origin.number}]",
        f"the same in the cell of `{exercise}`, which is the one that is graded",
        Cause("history.passes_in_another_cell", "it was defined in another cell", "copy it into that cell, run that cell, then this one"),
    )


def text_of(name: str) -> str:
    """The text of the cell that gave a name its value last; "" where that is not known."""
    runs = _histories[0].runs if _histories else []
    return next((run.text for run in reversed(runs) if run.gave(name)), "")


def failed_to_define(name: str, choices: tuple[Any, ...] = ()) -> Diagnosis | None:
    """What became of the last cell that was to define a name which does not exist; None where no such cell ran, or it ran to its end."""
    runs = _histories[0].runs if _histories else []
    last = next((run for run in reversed(runs) if run.defines(name)), None)
    return _failed(last, name, choices) if last and last.error and not last.gave(name) else None


def unquoted(word: str, choices: tuple[Any, ...] = ()) -> Cause:
    """What to say of a word without quotes, where a prediction or an answer is chosen.

    Args:
        word: the name that Python did not find.
        choices: what can be chosen, where that is known.
    """
    meant = next((one for one in choices if isinstance(one, str) and word.lower() in one.lower()), word)
    return Cause(
        "history.choice_without_quotes",
        f"`{word}` has no quotes, so Python takes it for the name of a variable, and there is none",
        f"put quotes around it: {meant!r}" if choices else f"is it the word that you choose? Put quotes around it: {word!r}",
    )


def _history_of(name: str, value: Any) -> _History | None:
    """The history of a value that an earlier cell gave a name; None where this very cell did, or it is another value."""
    history = _histories[0] if _histories else None
    return history if history and history.shell.user_ns.get(name) is value and history.values.get(name) is value else None


class _Saved:
    """The cells of an exercise in the notebook as it was last saved.

    Attributes:
        text: of the cell that is graded; "" where there is none, or where there are two.
    """

    def __init__(self, exercise: str):
        path, self.text = notebook(), ""
        self._ids: dict[str, bool] = {}  # of every cell, whether it is the graded one
        self._when = 0.0
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"] if path else []
            graded = [cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise]
            self._ids = {cell["id"]: cell in graded for cell in cells}
            self._when = path.stat().st_mtime if path else 0.0
        except (OSError, ValueError, KeyError, TypeError, AttributeError):  # not saved, or no notebook
            return
        if len(graded) == 1:
            self.text = "".join(graded[0]["source"])
        elif not graded:
            self._ids = {}

    def is_newer(self, run: Run) -> bool:
        """Whether it was saved after a run."""
        return self._when > run.when

    def is_another(self, run: Run) -> bool:
        """Whether a run was certainly one of another cell than the graded one: of one that stands there, or was deleted before it was saved."""
        if not run.cell or not self._ids:
            return False
        if run.cell in self._ids:
            return not self._ids[run.cell]
        return self.is_newer(run) and run.number > 0 and self._knows_cells()

    def _knows_cells(self) -> bool:
        """Whether the front end calls cells by the ids that are saved."""
        return any(run.cell in self._ids for run in _histories[0].runs)


def _failed(run: Run, name: str, choices: tuple[Any, ...]) -> Diagnosis | None:
    """What to say when the last cell that was to define a name ended early."""
    expected = f"`{name}` as its cell defines it now"
    if not run.statements:
        error = _syntax_error(run.text)
        if error is None:  # a line that is IPython's own, or an error of IPython's
            return None
        lines = run.text.splitlines()
        line = (lines[(error.lineno or 1) - 1 :] or [""])[0].strip()
        quotes = any(sign in line for sign in TYPOGRAPHIC) and "invalid character" in str(error.msg)
        return Diagnosis(
            f"the cell with `{name}` was run, but Python could not read it: {error.msg}, in line {error.lineno}: `{line}`",
            "a cell that Python can read",
            Cause(
                "undefined.syntax_error_in_cell",
                f"none of its lines ran, so `{name}` is not what stands there",
                "type straight quotes, `\"` or `'`, then run that cell, then this one"
                if quotes
                else "check that line and the end of the one above: brackets, colons, commas, indentation; run that cell, then this one",
            ),
        )
    error_said = f"{type(run.error).__name__}: {run.error}".rstrip(": ")
    line = (run.text.splitlines()[run.stopped_at - 1 :] or [""])[0].strip() if run.stopped_at else ""
    observed = f"the cell with `{name}` was run, but stopped before it came to its end, with {error_said}"
    if line:
        observed += f", in line {run.stopped_at}: `{line}`"
    if isinstance(run.error, NameError) and choices and _assigns(run, name, run.error.name):
        return Diagnosis(observed, expected, unquoted(str(run.error.name), choices))
    return Diagnosis(
        observed,
        expected,
        Cause("history.cell_stopped", f"it stopped before `{name}` was defined", "correct that line, run that cell, then this one"),
    )


def _no_longer(run: Run, name: str) -> Diagnosis:
    """What to say when the cell that defined a name ran again and does not define it any more."""
    others = [other for statement in run.statements if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) for other in _bound_by(statement)]
    near = max(others, key=lambda other: SequenceMatcher(None, other, name).ratio(), default="")
    return Diagnosis(
        f"the cell that defined `{name}` ran again as In [{run.number}], and does not define it any more"
        + (f": it defines `{near}`" if near else ""),
        f"a cell that defines `{name}`",
        Cause(
            "history.no_longer_defined",
            f"the name was changed there; the `{name}` of before still exists, but no cell holds it",
            f"call it `{name}` in that cell and run that cell, or run the cell that holds your answer; then this one",
        ),
    )


def _of_another_cell(earlier: list[Run], saved: _Saved, origin: Run, exercise: str, name: str) -> Diagnosis | None:
    """What to say when another cell than the graded one defined a name last, and the graded one holds something else."""
    graded = next((run for run in reversed(earlier) if run.cell == exercise and run.gave(name)), None)
    text = saved.text if saved.text and (saved.is_newer(origin) or not graded) else graded.text if graded else ""
    if not text or _is_stub(text) or _same(text, origin.text, name):
        return None
    line = next((one for one in origin.statements if name in _bound_by(one)), None)
    how = "" if line is None or isinstance(line, (ast.FunctionDef, ast.ClassDef)) else f", with `{ast.unparse(line).splitlines()[0]}`"
    return Diagnosis(
        f"another cell than that of `{exercise}` gave `{name}` its meaning last: In [{origin.number}]{how}",
        f"`{name}` as the cell defines it that is graded",
        Cause(
            "history.defined_in_another_cell",
            "a copy of it, or another use of its name, ran after it",
            "run the graded cell, then this one; the other cell needs another name",
        ),
    )


def _changed(origin: Run, name: str) -> Diagnosis:
    return Diagnosis(
        f"in the notebook as it was last saved, the cell of `{name}` holds something else than what ran as In [{origin.number}]",
        f"`{name}` as its cell defines it now",
        Cause("history.changed_since_it_ran", "it was changed and has not run since", "run that cell, then this one"),
    )


def _renamed(later: list[Run], origin: Run, name: str) -> Diagnosis | None:
    """What to say when a later cell defines the same under a name that is a slip of this one. In which cell that was is not known."""
    made = next((one for one in origin.statements if isinstance(one, (ast.FunctionDef, ast.ClassDef)) and one.name == name), None)
    if made is None:
        return None
    for run in reversed(later):
        for other in run.statements:
            if isinstance(other, (ast.FunctionDef, ast.ClassDef)) and type(other) is type(made) and _is_slip(other.name, name):
                if _parameters(other) == _parameters(made):
                    return Diagnosis(
                        f"In [{run.number}] defines `{other.name}`, with the same arguments, after In [{origin.number}] defined `{name}`",
                        f"your answer under the name `{name}`",
                        Cause(
                            "history.slip_of_the_name",
                            "the name may have been changed by mistake; then this check would look at the old one",
                            f"if that is your answer, call it `{name}`; if not, run the cell of `{name}` again. Then this cell",
                        ),
                    )
    return None


def _is_slip(other: str, name: str) -> bool:
    """Whether a name looks like a slip of another one. `softmax2` and `softmax_old` are meant."""
    digits, others_digits = (re.sub(r"\D", "", one) for one in (name, other))
    if other == name or digits != others_digits or other.startswith(f"{name}_") or other.endswith(f"_{name}") or reference.asking_for(other):
        return False
    return SequenceMatcher(None, other.lower(), name.lower()).ratio() >= ALIKE


def _parameters(made: ast.FunctionDef | ast.ClassDef) -> list[str]:
    functions = [one for one in made.body if isinstance(one, ast.FunctionDef)] if isinstance(made, ast.ClassDef) else [made]
    return [argument.arg for function in functions for argument in function.args.args]


def _assigns(run: Run, name: str, word: str | None) -> bool:
    """Whether a run stopped where a name was to be given a word as its value."""
    return any(
        isinstance(one, ast.Assign) and name in _bound_by(one) and any(isinstance(node, ast.Name) and node.id == word for node in ast.walk(one.value))
        for one in run.statements
    )


def _line_in_cell(error: BaseException | None) -> int:
    """The line of the cell at which an exception came up; 0 where none did."""
    steps = traceback.walk_tb(error.__traceback__) if error else ()
    return next((line for frame, line in steps if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") == "__main__"), 0)


def _same(text: str, other: str, name: str) -> bool:
    """Whether two texts say the same, apart from comments and from lines that define nothing; also where one cannot be read."""
    one, two = _statements(text), _statements(other)
    if not one or not two:
        return text.strip() == other.strip()
    return [ast.dump(node) for node in one if any(_bound_by(node))] == [ast.dump(node) for node in two if any(_bound_by(node))]


def _is_stub(text: str) -> bool:
    return "raise NotImplementedError" in text


def _syntax_error(text: str) -> SyntaxError | None:
    try:
        ast.parse(_transformed(text))
    except SyntaxError as error:
        return error
    except ValueError:
        return None
    return None


def _statements(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(_transformed(text)).body
    except (SyntaxError, ValueError):
        return []


def _transformed(text: str) -> str:
    """The text without Jupyter's own lines."""
    try:
        return str(_histories[0].shell.transform_cell(text)) if _histories and re.search(r"^\s*[%!?]|\?\s*$", text, re.MULTILINE) else text
    except SyntaxError:
        return text


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a cell gives a value, also within `if`, `with`, `for` and `try`."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (one.asname or one.name.partition(".")[0] for one in names)
        case _:
            for node in ast.iter_child_nodes(statement):
                if isinstance(node, ast.stmt):
                    yield from _bound_by(node)
                elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
                    yield from (name for one in node.body for name in _bound_by(one))
                else:
                    yield from (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
