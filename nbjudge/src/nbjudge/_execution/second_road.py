"""Runs test cells on the second road: in a fresh kernel, together with the student's code, for the cells that an instructor names.

In that kernel the notebook's cells run from the top, and each test cell at its place, as nbgrader itself does it. The tests run on a thread of
their own; see
`nbjudge._student.test_thread`. What is said to it is sealed with a key that only it and the grader have, and so is its verdict. A test that does not
come to its end, a verdict that somebody else has written, and none at all give no points.
"""

from __future__ import annotations

import ast
import base64
import json
import marshal
import time
import types
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from nbformat import NotebookNode

from nbjudge._analysis.answering_classes import JUDGING, SEEING
from nbjudge._analysis.instructor import Instructor, role_of
from nbjudge._analysis.ownership import TestPlan
from nbjudge._analysis.second_road_code import rewritten
from nbjudge._analysis.statements import given_code, imports_of, parse, read_cell
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.session import StudentSession
from nbjudge._execution.test_cell import CANNOT, EARLIER, HIDDEN, UNDEFINED, compiled, explain_own_error
from nbjudge._execution.verdicts import Clue, Verdict, credit
from nbjudge._execution.visible_checks import texts_for, with_place, without_message
from nbjudge._sandbox.channel import Channel
from nbjudge._student.test_thread import opened, sealed
from nbjudge._wire.errors import KernelStartFailed, KernelTimeout, Malformed, TestStopped

NOTE = (
    "judged on the second road (c.Execute.beside_students): the test ran in a process of its own together with the student's code, which could not "
    "reach the test by any way of Python's that is known here, but could by writing to the memory of the process"
)
NO_VERDICT = "The test gave no verdict: the notebook has changed the program that runs it. Remove what changes Python itself."
START_SECONDS = 60.0
Code = tuple[types.CodeType, types.CodeType | None]


class SecondRoad:
    """The tests of one submission in the kernels of `session`. `world` knows whose each name is; all test cells are tests there."""

    def __init__(self, session: StudentSession, world: CellNamespace, trusted: frozenset[str]):
        self._session, self._world, self._trusted = session, world, trusted
        self._secret, self._count, self._steps = b"", 0, 0
        session.begins = self._begin

    def _begin(self, channel: Channel) -> None:
        """Have a new kernel start the thread of its tests, before it runs a cell."""
        instructor = self._world.instructor
        request = {
            "do": "begin_tests",
            **_about(_cells(instructor)),
            "helpers": _helpers(instructor),
            "trusted": sorted(self._trusted),
            "judging": sorted(JUDGING | SEEING),
        }
        try:
            [reply] = channel.ask([json.dumps(request).encode()], START_SECONDS)
            self._secret, self._count, self._steps = bytes.fromhex(json.loads(reply)["value"]), 0, 0
        except (TestStopped, KeyError, ValueError) as error:  # nothing of the student's has run
            raise KernelStartFailed(f"A kernel of the second road did not come up. {error}") from error

    def judge(self, name: str, source: str, max_points: float) -> Verdict:
        """Run a test cell. No finished test, no points.

        Raises:
            OwnFailure: no kernel could be started, which is no verdict on anybody.
        """
        started, session = time.monotonic(), self._session

        def verdict(kind: str, points: float = 0.0, message: str = "", printed: str = "", clue: Clue = Clue()) -> Verdict:
            if session.failure:
                raise session.failure
            return Verdict(name, points, max_points, kind, message, printed, round(time.monotonic() - started, 3), NOTE, clue)

        plan = self._world.plan.tests[name]
        try:
            code = _code(source, f"<test {name}>")
        except SyntaxError as error:
            return verdict("unjudged", message=f"line {error.lineno}: {error.msg}")
        try:
            session.begin_test()
            found = self._heard(session.send(self._words(name, code, plan), _nobody))
        except TestStopped as stopped:
            session.start_anew()
            return verdict("timeout" if isinstance(stopped, KernelTimeout) else "ended", message=str(stopped), clue=Clue("limit"))
        if found is None:
            session.start_anew()
            return verdict("ended", message=NO_VERDICT, clue=Clue("limit"))
        printed, kind = str(found["printed"]), found["kind"]
        if kind in ("end", "raised"):
            session.also_again(lambda channel, seconds: self._heard(channel.ask(self._words(name, code, plan), seconds)))
        if kind == "end":
            given = credit(found["value"], max_points)
            return verdict(*given, printed=printed, clue=Clue("author" if printed.strip() else ""))
        if kind != "raised":
            session.start_anew()
            return verdict("ended", message=CANNOT.format(why=found["message"]), printed=printed, clue=Clue("limit"))
        if reason := _authors_matter(found, plan):
            return verdict("unjudged", message=reason, printed=printed)
        hidden = found["line"] in self._world.instructor.markers.hidden_lines(source)
        message = _message(found, plan, hidden, f"<test {name}>", self._world.instructor)
        return verdict("failed", message=message, printed=printed, clue=_clue(found, message, hidden))

    def _words(self, name: str, code: Code, plan: TestPlan) -> list[bytes]:
        """One sealed request, with what the instructor gave above the test, as far as it has not run in this kernel."""
        steps, all_steps = [], self._world.plan.steps
        while self._steps < len(all_steps) and all_steps[self._steps].cell < plan.cell:
            step = all_steps[self._steps]
            steps.append((sorted(step.statement.binds), _statements(ast.unparse(step.statement.node), f"<{step.place}, step {step.number}>")))
            self._steps += 1
        mine = {*plan.mirrors, *plan.volatile}
        students = {*plan.wanted, *plan.perhaps, *(one for one in plan.mirrors if one in plan.owners and plan.owners[one].who == "student")}
        about = {
            "name": f"<test {name}>",
            "steps": steps,
            "body": code[0],
            "last": code[1],
            "students": sorted(students),
            "mirrors": sorted(mine),
            "volatile": list(plan.volatile),
            "patches": [list(one) for one in plan.patches],
        }
        words = sealed(self._secret, b"%d to judge" % self._count, marshal.dumps(about))
        self._count += 1
        return [json.dumps({"do": "judge", "words": base64.b64encode(words).decode()}).encode()]

    def _heard(self, reply: list[bytes]) -> dict[str, Any] | None:
        """What the thread of the tests says; None where it says nothing."""
        try:
            words = base64.b64decode(json.loads(reply[0])["value"])
            text = opened(self._secret, b"%d judged" % self._count, words)
            return None if text is None else marshal.loads(text)
        except (ValueError, TypeError, KeyError, IndexError, Malformed):
            return None


def _nobody(_: list[bytes]) -> list[bytes]:
    raise KernelTimeout("a call to nobody")


def _cells(instructor: Instructor) -> tuple[tuple[str, str], ...]:
    cells: list[NotebookNode] = [cell for cell in instructor.notebook.cells if cell.cell_type == "code"]
    return tuple((role_of(cell), str(cell.source)) for cell in cells)


def _about(cells: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """What the thread of the tests has to know of a notebook: the modules that judge, and what the solution itself changes of modules."""
    modules = _imported(text for role, text in cells if role != "solution")
    modules |= {name for role, text in cells if role != "solution" for name in _perhaps_modules(text)}
    solutions = [one for role, text in cells if role == "solution" for one in read_cell(text).statements]
    words = {word.lower() for one in solutions for word in one.words} | (
        {"functions among items"} if any(_makes_functions(one.node) for one in solutions) else set()
    )
    rebuilt = {path.rpartition(".")[2] for one in solutions for _, path in given_code(one.node)}
    return {"modules": sorted(modules), "rebuilt": sorted(rebuilt), "words": sorted(words)}


def _makes_functions(node: ast.AST) -> bool:
    """Whether a solution may give functions among other values."""
    inner = [one for one in ast.walk(node) if one is not node]
    held = [one for one in inner if isinstance(one, (ast.List, ast.Tuple, ast.Dict, ast.Set))]
    return any(isinstance(one, (ast.Lambda, ast.FunctionDef)) for one in inner if not isinstance(node, ast.ClassDef)) or any(
        isinstance(item, (ast.Name, ast.Attribute)) for one in held if isinstance(one, ast.Dict) for item in one.values
    )


def _perhaps_modules(text: str) -> set[str]:
    """What may be modules within those that a cell imports: `numpy.testing` for `np.testing.assert_allclose`."""
    found = set()
    nodes = [node for one in read_cell(text).statements for node in ast.walk(one.node)]
    aliases = {alias.asname or alias.name.split(".")[0]: alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    aliases |= {"np": "numpy", "pd": "pandas"}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in aliases:
            found.add(f"{aliases[node.value.id]}.{node.attr}")
    return found


def _imported(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for one in read_cell(text).statements for name in imports_of(one.node)}


def _helpers(instructor: Instructor) -> dict[str, str]:
    """Modules of the instructor's that tests import, and no solution does: they are made of the instructor's text, apart from the student's."""
    if instructor.folder is None:
        return {}
    cells = _cells(instructor)
    names = _imported(text for role, text in cells if role != "solution") - _imported(text for role, text in cells if role == "solution")
    found = {}
    for name in sorted(names):
        path = instructor.folder / f"{name}.py"
        if path.is_file():
            try:
                found[name] = marshal.dumps(_statements(path.read_text(encoding="utf-8"), path.name)).hex()
            except (SyntaxError, ValueError):
                continue
    return found


@lru_cache(maxsize=1024)
def _statements(source: str, name: str) -> types.CodeType:
    return compile(rewritten(ast.parse(source)), name, "exec", dont_inherit=True, optimize=0)


@lru_cache(maxsize=1024)
def _code(source: str, name: str) -> Code:
    """A test cell ready to run, its last line apart when that is an expression. Raises `SyntaxError`."""
    return compiled(rewritten(parse(source, name)), source, name)


def _authors_matter(found: dict[str, Any], plan: TestPlan) -> str:
    """What the author of the test cell has to mend, when no student's work could have gone better; else ""."""
    if found["students"] or found["refused"]:
        return ""
    broken = dict(found["broken"])
    if found["name"] in broken:
        return f"`{found['name']}` could not be made: {broken[found['name']]}"
    if "NameError" in found["types"] and found["name"] in plan.nobodys:
        return f"no cell of the instructor's notebook makes `{found['name']}`"
    return str(found["message"]) if "ImportError" in found["types"] else ""


def _message(found: dict[str, Any], plan: TestPlan, hidden: bool, file: str, instructor: Instructor) -> str:
    """The sentence that a student reads, as on the first road."""
    kind, said = found["types"][0], str(found["message"]).strip()
    if found["refused"]:
        return CANNOT.format(why=said)
    if found["students"]:
        return explain_own_error(kind, said, found["at"], hidden).strip(": ")
    if found["library"] and hidden:
        return HIDDEN.format(kind="" if "AssertionError" in found["types"] else f" ({kind})")
    if "AssertionError" in found["types"]:
        return said or without_message(map(tuple, found["frames"]), texts_for(instructor))
    if "NameError" in found["types"] and found["name"] in {*plan.wanted, *plan.perhaps, *plan.imports}:
        return UNDEFINED.format(name=found["name"])
    if "NameError" in found["types"] and found["name"] in plan.owners and plan.owners[found["name"]].who == "test":
        return EARLIER.format(name=found["name"])
    return with_place(f"{kind}: {said}".strip(": "), kind, map(tuple, found["frames"]), texts_for(instructor))


def _clue(found: dict[str, Any], message: str, hidden: bool) -> Clue:
    if found["students"]:
        return Clue("error", hidden, found["line"], found["types"][0], found["at"])
    is_author = "AssertionError" in found["types"] and message == str(found["message"]).strip()
    return Clue("author" if is_author else "nbjudge" if "NameError" in found["types"] or found["refused"] else "", hidden, found["line"])
