"""Which solution cells each test cell is about, and which earlier ones the work behind it calls: read off the cells' texts, for follow-through.

Where a text leaves a doubt, a test counts as one that is about an earlier exercise, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from nbformat import NotebookNode

from nbjudge._analysis.instructor import Instructor, grade_id, is_skipped, role_of
from nbjudge._analysis.plans import FILE_WORDS
from nbjudge._analysis.statements import BUILTINS, SHELL, Statement, Text, describe, is_open, patched, read_cell

# What gets at names by their text, or from an object at the names of its module or class.
CALLED_INSIDE = frozenset({"globals", "locals", "vars", "dir", "eval", "exec", "__import__"}) | SHELL
ASKED_INSIDE = frozenset(
    "__main__ __globals__ __closure__ __code__ __dict__ __mro__ __bases__ __base__ __subclasses__ __wrapped__ mro f_globals f_locals".split()
)
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class SolutionCell:
    """A cell of the instructor's solution.

    Args:
        source: its text.
        names: what it binds or changes; no imports.
        needs: the other solution cells that it uses, by their numbers.
        before: statements that make what it uses of the instructor's other cells, for a kernel that lacks it.
        has_files: whether it does something with files.
        is_known: whether the text tells all of this, and is a solution.
    """

    source: str
    names: frozenset[str]
    needs: frozenset[int]
    before: tuple[str, ...]
    has_files: bool
    is_known: bool


@dataclass(frozen=True)
class TestedCells:
    """What a test cell is about.

    Args:
        own: the solution cells that it tests, by their numbers.
        cells: all solution cells that it may get something of, other than through the work of `own`.
        names: every name in its text, and all that stand behind those that it uses.
        asks: of these, what it takes from other cells.
        has_files: whether it does something with files, which an earlier answer may have written.
        is_doubtful: whether it may get at names that its text does not tell.
    """

    __test__ = False  # not a test of pytest's

    own: frozenset[int]
    cells: frozenset[int]
    names: frozenset[str]
    asks: frozenset[str]
    has_files: bool
    is_doubtful: bool


@dataclass(frozen=True)
class Exercises:
    """All of one notebook: solution cells by their numbers, and tests by their names."""

    solutions: dict[int, SolutionCell]
    tests: dict[str, TestedCells]

    def with_needs(self, cells: Iterable[int], sound: frozenset[int]) -> frozenset[int]:
        """These cells, and what they need of other solution cells, but of none that is `sound`; nothing where a text does not tell that."""
        found: set[int] = set()
        waiting = list(cells)
        while waiting:
            if (number := waiting.pop()) not in found:
                found.add(number)
                waiting += self.solutions[number].needs - sound
        return frozenset(found) if all(self.solutions[number].is_known for number in found) else frozenset()

    def names_of(self, cells: Iterable[int]) -> frozenset[str]:
        """What these cells bind or change."""
        return _union(self.solutions[number].names for number in cells)

    def may_be_about(self, test: str, cells: frozenset[int]) -> bool:
        """Whether a test may be about these cells itself, and not only through what other work calls of them."""
        about = self.tests[test]
        through_files = about.has_files and any(self.solutions[number].has_files for number in cells)
        return about.is_doubtful or through_files or bool(about.cells & cells or about.names & self.names_of(cells))


def exercises_of(instructor: Instructor) -> Exercises:
    """What the instructor's notebook tells, read once for all submissions in this process."""
    cells = [cell for cell in instructor.notebook.cells if cell.cell_type == "code" and not is_skipped(cell)]
    return _read(tuple((role_of(cell), str(grade_id(cell) or ""), str(cell.source)) for cell in cells))


@lru_cache(maxsize=256)
def _read(cells: tuple[tuple[str, str, str], ...]) -> Exercises:
    return _Reader().read(cells)


@dataclass
class _Behind:
    """What stands behind a name at some place: solution cells, names that its functions read when they are called, and what a call may change."""

    cells: frozenset[int] = frozenset()
    later: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    is_imported: bool = False

    def __or__(self, other: _Behind) -> _Behind:
        return _Behind(self.cells | other.cells, self.later | other.later, self.changes | other.changes, self.is_imported and other.is_imported)


@dataclass
class _Reader:
    """Walks down the notebook once."""

    behind: dict[str, _Behind] = field(default_factory=dict)
    given: dict[str, tuple[int, Statement]] = field(default_factory=dict)  # what made a name last, of what students are given, and when
    since: set[int] = field(default_factory=set)  # solution cells since the last test
    is_open_ended: bool = False  # names may have come from a text that does not tell them
    number: int = 0  # of the statement

    def read(self, cells: Sequence[tuple[str, str, str]]) -> Exercises:
        solutions: dict[int, SolutionCell] = {}
        tests: dict[str, TestedCells] = {}
        for index, (role, name, source) in enumerate(cells):
            text = read_cell(source)
            if role == "solution":
                solutions[index] = self._solution(index, source, text)
                self.since.add(index)
                continue
            if role == "test" and name not in tests:
                tests[name] = self._test(text)
                self.since.clear()
            self.is_open_ended |= bool(text.why_not) or any(statement.has_star and not _is_absolute(statement) for statement in text.statements)
            for statement in text.statements:
                self._other(statement, role == "test")
        return Exercises(solutions, tests)

    def _solution(self, index: int, source: str, text: Text) -> SolutionCell:
        reads = _outer(text)
        cells, _ = self._all_behind(reads)
        before = tuple(self._made(reads))
        names: set[str] = set()
        for statement in text.statements:
            if isinstance(statement.node, (ast.Import, ast.ImportFrom)) and _is_absolute(statement):
                self._other(statement, is_test=False)
                continue
            changed = {name for name in self._changed(statement) if not self._is_librarys(name)}
            names |= statement.binds | changed
            for name in statement.binds:
                self.behind[name] = _Behind(frozenset({index}))
            for name in changed - statement.binds:
                self.behind[name] = self.behind.get(name, _Behind()) | _Behind(frozenset({index}))
        is_known = not text.why_not and not any(statement.has_star for statement in text.statements) and not is_open(text)
        return SolutionCell(source, frozenset(names), frozenset(cells - {index}), before, _has_files(text), is_known)

    def _other(self, statement: Statement, is_test: bool) -> None:
        """A statement that is no solution: what it makes stands for what it was made of. A test's names may be another one's in a kernel."""
        self.number += 1
        cells, seen = self._all_behind(_outer(Text((statement,))))
        later = statement.later | _union(self.behind[name].later for name in seen if name in self.behind)
        is_import = isinstance(statement.node, (ast.Import, ast.ImportFrom))
        made = _Behind(cells, later, statement.changes if statement.kind == "def" else frozenset(), is_import)
        for name in statement.binds - {"*"}:
            self.behind[name] = self.behind[name] | made if is_test and name in self.behind else made
            if not is_test:
                self.given[name] = self.number, statement
        for name in self._changed(statement) - statement.binds:
            if not self._is_librarys(name):
                self.behind[name] = self.behind.get(name, _Behind()) | _Behind(cells, later)
        for name in statement.deletes - statement.binds:
            self.behind.pop(name, None)

    def _changed(self, statement: Statement) -> frozenset[str]:
        """What it may change: by itself, or by functions that it calls."""
        _, seen = self._all_behind(statement.now)
        passed = {name for function, name in statement.passes if function not in BUILTINS}
        called = _union(self.behind[name].changes for name in seen if name in self.behind)
        return statement.changes | (passed & (statement.now | statement.later)) | called

    def _is_librarys(self, name: str) -> bool:
        """Whether nothing that a notebook does with a name makes it something else."""
        return name in BUILTINS or (name in self.behind and self.behind[name].is_imported)

    def _all_behind(self, names: Iterable[str]) -> tuple[frozenset[int], frozenset[str]]:
        """The solution cells behind some names, and all names that lead there."""
        found: set[int] = set()
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            if (name := waiting.pop()) in seen:
                continue
            seen.add(name)
            known = self.behind.get(name, _Behind())
            found |= known.cells
            waiting += known.later
        return frozenset(found), frozenset(seen)

    def _made(self, names: Iterable[str]) -> Iterator[str]:
        """Statements of what students are given that make these names, where a kernel lacks one of them; in order."""
        found: dict[int, Statement] = {}
        waiting, seen = list(names), set[str]()
        while waiting:
            if (name := waiting.pop()) in seen or name not in self.given:
                continue
            seen.add(name)
            number, statement = self.given[name]
            found[number] = statement
            waiting += statement.now | statement.later
        for _, statement in sorted(found.items(), key=lambda pair: pair[0]):
            yield _where_missing(statement)

    def _test(self, text: Text) -> TestedCells:
        nodes = [node for statement in text.statements for node in ast.walk(statement.node)]
        strings = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        asked = {alias.name for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
        asked |= {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {
            str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)
        }
        asked |= {word for string in strings for word in WORD.findall(string) if "__" in word}
        is_inside_modules = any(ast.unparse(node) == "sys.modules" for node in nodes if isinstance(node, ast.Attribute))
        used = {node.id for node in nodes if isinstance(node, ast.Name)} | _union(s.binds for s in text.statements)
        used |= {name for statement in text.statements for _, name in patched(statement.node)}
        is_inside = bool(used & CALLED_INSIDE or asked & ASKED_INSIDE or is_inside_modules)
        reads = _outer(text) | ({word for string in strings for word in WORD.findall(string) if word in self.behind} if is_inside else set())
        cells, asks = self._all_behind(reads)
        unknown = {name for name in asks if name not in self.behind and name not in BUILTINS}
        own = cells & self.since or cells
        return TestedCells(own, cells, asks | used, asks, _has_files(text), bool(text.why_not) or is_inside or (self.is_open_ended and bool(unknown)))


def _outer(text: Text) -> set[str]:
    """The names that a cell may read from other cells."""
    own = _union(statement.binds for statement in text.statements)
    return _read_of([statement.node for statement in text.statements], set(), own)


def _read_of(body: Iterable[ast.AST], bound: set[str], own: frozenset[str]) -> set[str]:
    """The names that statements or expressions read and that nothing above has bound for certain, of which `bound` becomes the list.

    Args:
        own: what the whole cell binds: a function that reads one of these when it is called means that.
    """
    reads: set[str] = set()
    for node in body:
        match node:
            case ast.For() | ast.AsyncFor():
                reads |= _read_of([node.iter], bound, own)
                reads |= _read_of(node.body, bound | _stored(node.target), own) | _read_of(node.orelse, set(bound), own)
            case ast.While():
                reads |= _read_of([node.test], bound, own) | _read_of(node.body, set(bound), own) | _read_of(node.orelse, set(bound), own)
            case ast.If():
                one, other = set(bound), set(bound)
                reads |= _read_of([node.test], bound, own) | _read_of(node.body, one, own) | _read_of(node.orelse, other, own)
                bound |= one & other
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    reads |= _read_of([item.context_expr], bound, own)
                    bound |= _stored(item.optional_vars) if item.optional_vars else set()
                reads |= _read_of(node.body, bound, own)
            case ast.Try() | ast.TryStar():
                begun = set(bound)
                reads |= _read_of(node.body, begun, own) | _read_of(node.orelse, begun, own)
                for handler in node.handlers:
                    named = {handler.name} if handler.name else set()
                    reads |= _read_of([handler.type] if handler.type else [], bound, own) | _read_of(handler.body, bound | named, own)
                reads |= _read_of(node.finalbody, set(bound), own)
            case ast.expr() | ast.stmt():
                statement = describe(node if isinstance(node, ast.stmt) else ast.Expr(node))
                reads |= (statement.now - bound) | (statement.later - bound - own)
                bound |= statement.binds if statement.definite else set()
    return reads


def _stored(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _has_files(text: Text) -> bool:
    return any(statement.words & FILE_WORDS for statement in text.statements)


def _where_missing(statement: Statement) -> str:
    """A statement that runs where one of the names that it makes is missing, and stops nothing."""
    lacking = ast.parse(f"not {{*{sorted(statement.binds)!r}}} <= globals().keys()", mode="eval").body
    guarded = ast.Try([statement.node], [ast.ExceptHandler(ast.Name("Exception", ast.Load()), None, [ast.Pass()])], [], [])
    return ast.unparse(ast.fix_missing_locations(ast.Module([ast.If(lacking, [guarded], [])], [])))


def _is_absolute(statement: Statement) -> bool:
    return not isinstance(statement.node, ast.ImportFrom) or not statement.node.level


def _union(sets: Iterable[frozenset[str] | set[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


class Mentions:
    """What the code cells of a submission mention: which names stand, directly or not, behind which."""

    def __init__(self, notebook: NotebookNode, instructor: Instructor):
        left, skipped = set(instructor.tests), instructor.skipped
        self._behind: dict[str, set[str]] = {}
        self._imported: set[str] = set()
        for cell in notebook.cells:
            if cell.cell_type != "code" or cell.source.strip() in skipped:
                continue
            if grade_id(cell) in left:  # the instructor's test is judged in its place
                left.remove(str(grade_id(cell)))
                continue
            text = read_cell(cell.source)
            if text.why_not:
                words = set(WORD.findall(cell.source))
                self._note(words, words)
            for statement in text.statements:
                self._statement(statement)

    def _statement(self, statement: Statement) -> None:
        mentioned = statement.now | statement.later | statement.changes
        if statement.words & (CALLED_INSIDE | ASKED_INSIDE | {"getattr"}):
            constants = [node.value for node in ast.walk(statement.node) if isinstance(node, ast.Constant)]
            mentioned |= {word for text in constants if isinstance(text, str) for word in WORD.findall(text)}
        if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            mentioned |= statement.words
            self._imported |= statement.binds
        else:
            self._imported -= statement.binds
        touched = statement.changes | {name for function, name in statement.passes if function not in BUILTINS}
        self._note(statement.binds | (touched - self._imported), mentioned)

    def _note(self, names: Iterable[str], mentioned: Iterable[str]) -> None:
        for name in names:
            self._behind.setdefault(name, set()).update(mentioned)

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """Every name that the work behind these mentions."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            if (name := waiting.pop()) not in seen:
                seen.add(name)
                waiting += self._behind.get(name, ())
        return frozenset(seen)
