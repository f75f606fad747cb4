"""Which test cells give points to an answer of which nothing is right. The best way to know is to try.

The instructor's notebook is run once more. At each test cell, the functions and values of the solution that it uses are replaced, by each
kind of empty answer in turn, and the cell is judged as for a student.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from nbjudge._analysis.answering_classes import answering_texts, trusted_comparisons
from nbjudge._analysis.flow import Flow
from nbjudge._analysis.instructor import Instructor, grade_id, is_skipped, is_test, role_of
from nbjudge._analysis.mutations import changing_functions
from nbjudge._analysis.statements import parse, read_cell
from nbjudge._analysis.weak_tests import ANY, Weakness, weaknesses
from nbjudge._execution.execute import execute
from nbjudge._execution.namespace import CellNamespace
from nbjudge._execution.session import StudentSession
from nbjudge._execution.test_cell import judge
from nbjudge._execution.transcript import Kernels
from nbjudge._execution.verdicts import Verdict
from nbjudge._sandbox.starting import KernelStarter
from nbjudge._student.empty_answers import KINDS, NotThere, emptied, filled, shortened
from nbjudge._wire.limits import Limits

NAMES = {
    "none": "None",
    "kind": "something empty of the right kind",
    "nans": "nan in the right shape",
    "zeros": "zeros in the right shape",
    "list": "[]",
    "nan": "nan",
    "zero": "0",
    "true": "True",
    "argument": "its first argument",
    "array": "an empty array",
    "text": '""',
    "tuple": "()",
    "error": "nothing but an exception",
    "short": "everything but its last item",
}
MOST_NAMED = 3
SAME = {"kind": {"list", "text", "tuple", "array"}, "nans": {"nan"}, "zeros": {"zero"}}  # which the others say, too
MOST_PLACES = 12  # of one test cell, that are tried one by one
SHORTEST = 5.0  # seconds that a test has here at least, where the solution takes less
GIVE, EMPTY = "_nbjudge_gives", "_nbjudge_empty"
START = f"""from nbjudge._student.empty_answers import EmptyAnswers as _nbjudge_kind
{EMPTY} = globals().get({EMPTY!r}) or _nbjudge_kind(globals())
"""
COMPARE = "compare what comes back with the value that is right, in an `assert`"
NOTHING = "it gives points to the notebook as students get it"
USE = "let it use what the student has written"


def weak_tests(
    instructor: Instructor, verdicts: Sequence[Verdict], warm: KernelStarter, limits: Limits, files: list[Path], known: dict[str, list[str]]
) -> dict[str, list[str]]:
    """What is to be said of each test cell that gives points to an empty answer, by its name.

    Args:
        verdicts: the solution's own.
        known: why some of the cells check nothing whatever is handed in.
    """
    slowest = max((verdict.seconds for verdict in verdicts), default=0.0)
    short = replace(
        limits,
        test_seconds=min(limits.test_seconds, max(SHORTEST, 3 * slowest)),
        submission_seconds=len(KINDS) * limits.submission_seconds,
        cpu_seconds=len(KINDS) * limits.cpu_seconds,
    )
    passing = {verdict.grade_id: verdict for verdict in verdicts if verdict.points == verdict.max_points > 0}
    found: dict[str, list[str]] = {name: list(whys) for name, whys in known.items()}
    if not passing:
        return found
    nothing = [name for name in _given_for_nothing(instructor, warm, short, files) if name in passing]
    tried = _Trial(
        replace(instructor, beside_students=frozenset()),
        warm,
        short,
        files,
        {name: verdict for name, verdict in passing.items() if name not in nothing},
    )
    for name, passes, whys in [*((name, NOTHING, [USE]) for name in nothing), *tried.notes()]:
        found[name] = [f"{passes}: {'; '.join(known.get(name) or whys)}", *found.get(name, [])[len(known.get(name, [])) :]]
    return found


def _given_for_nothing(instructor: Instructor, warm: KernelStarter, limits: Limits, files: list[Path]) -> list[str]:
    """The test cells that give points to the notebook as students get it."""
    return [v.grade_id for v in execute(instructor.released(), instructor, warm, limits, files, excuse=False).verdicts if v.points > 0]


@dataclass(frozen=True)
class _Passing:
    """Kinds of empty answers that get points, and what of the solution was replaced by them."""

    kinds: tuple[str, ...]
    functions: tuple[str, ...]
    values: tuple[str, ...]

    def __str__(self) -> str:
        shown = [NAMES[kind] for kind in self.kinds if not SAME.get(kind, set()) & set(self.kinds)][:MOST_NAMED]
        said = shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"
        functions, values = (_listed([f"`{name}`" for name in names]) for names in (self.functions, self.values))
        parts = [f"{functions} {'return' if len(self.functions) > 1 else 'returns'} {said}"] if functions else []
        parts += [f"{values} {'are' if len(self.values) > 1 else 'is'} {said}"] if values else []
        return " and ".join(parts)


class _Trial:
    """One run of the notebook in which each test cell is judged several times."""

    def __init__(self, instructor: Instructor, warm: KernelStarter, limits: Limits, files: list[Path], passing: dict[str, Verdict]):
        self._instructor, self._warm, self._limits, self._files, self._passing = instructor, warm, limits, files, passing
        self._known: set[str] = set()  # names of the solution that a test cell above uses
        self._own = _own_names(instructor)
        solutions = [read_cell(cell.source) for cell in instructor.notebook.cells if cell.cell_type == "code" and role_of(cell) == "solution"]
        nodes = [node for text in solutions for statement in text.statements for node in ast.walk(statement.node)]
        self._methods = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
        self._changing = changing_functions(statement.node for text in solutions for statement in text.statements)

    def notes(self) -> Iterator[tuple[str, str, list[str]]]:
        """For each test cell that gives points to an empty answer: its name, to which answer, and why."""
        kernels, instructor = Kernels(self._warm), self._instructor
        trusted = trusted_comparisons(answering_texts(instructor))
        with StudentSession(kernels, self._limits, self._files, trusted) as session, CellNamespace(instructor, session) as world:
            kernels.seed()
            for cell in instructor.notebook.cells:
                if is_test(cell):
                    yield from ((str(grade_id(cell)), *note) for note in self._tried(cell, world))
                elif cell.cell_type == "code" and not is_skipped(cell):
                    session.run_cell(cell.source)

    def _tried(self, cell: NotebookNode, world: CellNamespace) -> Iterator[tuple[str, list[str]]]:
        name = str(grade_id(cell))
        plan = world.plan.tests[name]
        used = [one for one in (*plan.wanted, *plan.perhaps) if one in self._own]
        new = [one for one in used if one not in self._known]
        self._known |= set(used)
        if name not in self._passing or not used:
            self._judged(cell, cell.source, world)
            return
        world.prepare(plan)
        self._ask(world, f"{EMPTY}.listen({used!r})")
        verdict = self._judged(cell, cell.source, world)
        self._put_back(world)
        names = dict(world.names)
        if verdict.points == verdict.max_points:
            forms = _forms(cell, used, self._instructor)
            groups = [some for some in ([new, used] if new != used else [used]) if some]
            if passing := next(filter(None, (self._passes(cell, world, names, some) for some in groups)), None):
                whys = [f"line {form.line}: {form.what}" for form in forms if form.kinds & set(passing.kinds)]
                yield f"it gives points when {passing}", whys or [COMPARE]
            else:
                yield from self._one_by_one(cell, world, names, forms)
        _restore(world, names)

    def _passes(self, cell: NotebookNode, world: CellNamespace, names: dict[str, Any], replaced: list[str]) -> _Passing | None:
        """The empty answers to which the cell gives points, when they stand in the place of these names."""
        kinds, asked = [], set()
        puts = [f"{EMPTY}.put({replaced!r}, {kind!r})" for kind in KINDS]
        self._ask(world, puts[0])
        for kind, following in zip(KINDS, [*puts[1:], ""], strict=True):
            _restore(world, names)
            verdict = self._judged(cell, cell.source, world)
            differs = self._put_back(world, following)
            if verdict.kind in ("timeout", "ended"):
                self._put_back(world)
                break  # the others may take as long
            other = {label for label, is_other in differs.items() if is_other or (is_other is None and kind == "none" and self._changes(label))}
            if verdict.points > 0 and other:
                kinds.append(kind)
                asked |= other
        functions = sorted(label for label in asked if not label.startswith("="))
        return _Passing(tuple(kinds), tuple(functions), tuple(sorted(label[1:] for label in asked if label.startswith("=")))) if kinds else None

    def _changes(self, label: str) -> bool:
        """Whether a function that returns nothing is there to change what it is called with."""
        return f"{label.rpartition('.')[2]}()" in self._changing

    def _one_by_one(self, cell: NotebookNode, world: CellNamespace, names: dict[str, Any], forms: list[Weakness]) -> Iterator[tuple[str, list[str]]]:
        """What passes at one place of the cell where the solution's values stand at all others."""
        found = [(form, place) for form in forms if form.one_by_one for place in form.places if self._is_written_by_students(place)]
        places = [(form, place, text) for form, place in found if (text := _with_place_replaced(cell.source, place))]
        said: set[str] = set()
        full = self._passing[str(grade_id(cell))].max_points
        for form, place, text in places[:MOST_PLACES]:
            if text in said:
                continue
            for kind in ("none",) if form.kinds == ANY else [kind for kind in ("kind", "short", "nans") if kind in form.kinds]:
                giving = _Giving(kind)
                _restore(world, {**names, GIVE: giving})
                if self._judged(cell, text, world).points == full and giving.differs:
                    does = "is" if isinstance(place, ast.Name) else "gives"
                    said.add(text)
                    yield f"it gives points when `{ast.unparse(place)}` {does} {NAMES[kind]}", [f"line {form.line}: {form.what}"]
                    break

    def _is_written_by_students(self, place: ast.expr) -> bool:
        """Whether it is what the solution gives, and not what a library's class brings along for the solution's."""
        return not (isinstance(place, ast.Call) and isinstance(place.func, ast.Attribute)) or place.func.attr in self._methods

    def _judged(self, cell: NotebookNode, source: str, world: CellNamespace) -> Verdict:
        name, points = str(grade_id(cell)), float(cell.metadata["nbgrader"]["points"])
        return judge(name, source, points, world)

    def _ask(self, world: CellNamespace, line: str) -> str:
        outputs = world.session.run_cell(START + line)
        return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")

    def _put_back(self, world: CellNamespace, following: str = "") -> dict[str, bool | None]:
        """What the test has asked for, each with whether the solution gives something else there; nothing when the kernel is another one."""
        try:
            return dict(json.loads(self._ask(world, f"print({EMPTY}.put_back())\n{following}")))
        except ValueError:
            return {}


class _Giving:
    """What a call in a test cell gives in the place of the student's result."""

    def __init__(self, kind: str):
        self._kind, self.differs = kind, False

    def __call__(self, ask: Any) -> Any:
        try:
            right = ask()
        except Exception:
            if self._kind != "none":
                raise
            self.differs = True
            return None
        try:
            wrong = {"none": lambda _: None, "kind": emptied, "short": shortened, "nans": lambda one: filled(one, float("nan"))}[self._kind](right)
        except NotThere:
            return right
        self.differs = True
        return wrong


def _with_place_replaced(source: str, place: ast.expr) -> str | None:
    """The cell with one of its expressions replaced; None when it is not in this cell, or cannot be."""
    tree = parse(source)
    if any(isinstance(inner, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)) for inner in ast.walk(place)):
        return None
    replacing = _Replacing(place)
    text = ast.unparse(ast.fix_missing_locations(replacing.visit(tree)))
    return text if replacing.found else None


class _Replacing(ast.NodeTransformer):
    def __init__(self, place: ast.expr):
        self._at, self.found = ast.dump(place, include_attributes=True), False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and ast.dump(node, include_attributes=True) == self._at:
            self.found = True
            asked = ast.Lambda(ast.arguments([], [], None, [], [], None, []), node)
            return ast.copy_location(ast.Call(ast.Name(GIVE, ast.Load()), [asked], []), node)
        return super().generic_visit(node)


def _forms(cell: NotebookNode, used: list[str], instructor: Instructor) -> list[Weakness]:
    try:
        return weaknesses(flow_of(cell, used, instructor))
    except (SyntaxError, RecursionError):  # the cell itself says so
        return []


def flow_of(cell: NotebookNode, students: Sequence[str], instructor: Instructor) -> Flow:
    """Where the values of a test cell come from. Raises `SyntaxError`."""
    above, classes, defined = [], set(), set()
    for one in instructor.notebook.cells:
        if one is cell:
            break
        if one.cell_type == "code" and role_of(one) == "solution":
            made = [statement for statement in read_cell(one.source).statements if statement.kind in ("def", "class")]
            classes |= {name for statement in made if statement.kind == "class" for name in statement.binds}
            defined |= {name for statement in made for name in statement.binds}
        elif one.cell_type == "code" and not read_cell(one.source).why_not:
            above.append(parse(one.source))
    return Flow(parse(cell.source), students, classes, above, defined & set(students))


def _own_names(instructor: Instructor) -> set[str]:
    """The names that the solution makes, and what given cells compute with these."""
    own: set[str] = set()
    for cell in instructor.notebook.cells:
        if cell.cell_type != "code" or is_test(cell):
            continue
        for statement in read_cell(cell.source).statements:
            if statement.kind != "import" and (role_of(cell) == "solution" or (statement.kind == "data" and statement.now & own)):
                own |= statement.binds - {"*"}
    return own


def _restore(world: CellNamespace, names: dict[str, Any]) -> None:
    """The names of the tests as they were."""
    world.names.clear()
    world.names.update(names)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
