"""Whose is a name? What each test cell of a notebook needs, read off the instructor's notebook once for all submissions.

The cell nearest above that binds a name decides: a test cell, then it is the grader's, as test cells share one world; a
cell that the instructor gave, then it is the grader's as far as the grader can make it without the student's work; or a
solution cell, then it is the student's.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from nbjudge._analysis.instructor import Instructor, grade_id, is_locked, is_skipped, role_of
from nbjudge._analysis.ownership import BESIDE, STUDENTS, Owner, Plan, Step, TestPlan, imported, star_names
from nbjudge._analysis.statements import BUILTINS, CHANCE, SEEDS, SHELL, Statement, Text, describe, given_code, imports_of, patched, read_cell

# Words in a test's text by which it may do something with files.
FILE_WORDS = frozenset(
    {
        "open",
        "Path",
        "exists",
        "isfile",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "listdir",
        "glob",
        "read_csv",
        "to_csv",
        "read_json",
        "to_json",
        "read_excel",
        "tempfile",
        "loadtxt",
        "savetxt",
        "genfromtxt",
        "getsize",
        "makedirs",
        "mkdir",
        "remove",
        "unlink",
        "rmtree",
        "imread",
        "load",
        "save",
        "savefig",
        "connect",
    }
)

CURRENT = ("gca", "gcf", "get_fignums", "close")


class _Session(Protocol):
    def pyplot(self, name: str, arguments: tuple[Any, ...]) -> Any: ...


@contextlib.contextmanager
def of_students(session: _Session) -> Iterator[None]:
    """In a test that asks for the current figure. It begins without any, as each cell of a notebook does."""
    import matplotlib.pyplot as plt

    own = {name: getattr(plt, name) for name in CURRENT}
    own["close"]("all")
    session.pyplot("close", ("all",))

    def asked(name: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            if name == "close":
                own[name](*[one for one in arguments if isinstance(one, (str, int))])
            elif own["get_fignums"]():
                return own[name](*arguments)
            return session.pyplot(name, arguments)

        return ask

    for name in CURRENT:
        setattr(plt, name, asked(name))
    try:
        yield
    finally:
        for name in CURRENT:
            setattr(plt, name, own[name])


def asks_for_figures(words: frozenset[str] | set[str]) -> bool:
    """Whether a test with these words asks for the current figure."""
    return not words.isdisjoint(("gca", "gcf", "get_fignums"))


def is_there() -> bool:
    """Whether there is pyplot in this process."""
    return "matplotlib.pyplot" in sys.modules


MADE_BESIDE = (
    "it uses `{name}`, which a test cell of the second road makes of the student's work: name this cell in c.Execute.beside_students, too, or make "
    "the value here"
)
CHANGED = (
    "the solution puts code of its own into `{name}` of {package}, which only the notebook's own kernel has: test a name that the notebook defines, "
    "or name this cell in c.Execute.beside_students"
)
USUAL = ("numpy", "torch", "pandas", "matplotlib")  # packages whose values tests get
PLACES = frozenset({"sys.path", "site.addsitedir", "os.chdir"})  # what says where modules and files are looked for
LOOKS_INSIDE = frozenset({"globals", "locals", "vars", "dir", "eval", "exec"})


def plan_for(instructor: Instructor) -> Plan:
    """The plan for a notebook, made once for all submissions in this process.

    Where a cell imports by a star, the module is imported, so the instructor's folder has to be importable by then.
    """
    cells = tuple(
        (role_of(cell), str(grade_id(cell) or ""), is_locked(cell), str(cell.source))
        for cell in instructor.notebook.cells
        if cell.cell_type == "code" and not is_skipped(cell)
    )
    return _plan(cells, frozenset(instructor.beside_students), instructor.complete, instructor.folder, instructor.students_names)


@lru_cache(maxsize=256)
def _plan(
    cells: tuple[tuple[str, str, bool, str], ...], beside: frozenset[str], complete: bool, _folder: Path | None, students_names: frozenset[str]
) -> Plan:
    return _Reader(cells, beside, complete, students_names).read()


class _Reader:
    """Walks down the notebook once and keeps, for each name, who has it at that place."""

    def __init__(self, cells: tuple[tuple[str, str, bool, str], ...], beside: frozenset[str], complete: bool, students_names: frozenset[str]):
        self._cells, self._beside, self._complete, self._students_names = cells, beside, complete, students_names
        self._texts = [read_cell(source) for *_, source in cells]
        solutions = [statement for (role, *_), text in zip(cells, self._texts) if role == "solution" for statement in text.statements]
        self._touched = _union(s.binds | s.deletes | s.now | s.later | s.changes for s in solutions)
        self._later = frozenset(_union(s.later for s in solutions))
        # What the solution's own cells bind, their lines read from there: a test's value of that name, which may be what it expects, stays here.
        now = _union(s.now for s in solutions) - _union(s.binds for s in solutions)
        self._read = now | _union(s.later for s in solutions) | _union(s.binds | s.changes for s in solutions if s.kind in ("def", "class"))
        self._bound_besides = _union(s.binds for (role, *_), text in zip(cells, self._texts) if role != "test" for s in text.statements)
        self._rewritten = _union(s.changes for s in solutions if s.kind in ("def", "class")) - _union(s.binds for s in solutions if s.kind != "data")
        own = {name for s in solutions for name in s.binds if s.kind in ("def", "class", "data")}
        self._changed = _union(s.changes for s in solutions) | {name for s in solutions for function, name in s.passes if function in own}
        self._imports = imports = {name: place for text in self._texts for s in text.statements for name, place in _imports(s.node)}
        # What of a package the solution puts code of its own into, as (package, word): a test that uses that would judge the package as it comes.
        given = [(name, path) for s in solutions for name, path in given_code(s.node) if name in imports]
        self._given_code = {name for name, _ in given}
        self._rebuilt = {(_root(imports[name][0]), _rebuilt(*imports[name], path)) for name, path in given}
        self._state: dict[str, Owner] = {}
        self._steps: dict[int, Step] = {}
        self._paths: frozenset[int] = frozenset()  # steps that change where modules and files are looked for
        self._needed: set[int] = set()
        self._open_ended = False  # names may have come from a text that does not tell them
        self._lost = ""  # why names that a given cell imports by a star are not known
        self._effects: list[tuple[frozenset[int], frozenset[str]]] = []  # steps that set something, with the packages that they set it in
        self._is_seeded = False  # whether something above has seeded generators
        self._made_by: dict[str, str] = {}  # the test cells that made names, by these
        self._made_besides: set[str] = set()  # names that cells above make which are no tests
        self._asked_below: dict[str, set[str]] = {}  # names of test cells that cells below read which are none
        reads = [_union(s.now | s.later for s in text.statements) for text in self._texts]
        self._read_below = [*itertools.accumulate(reads[:0:-1], set.union, initial=set[str]())][::-1]  # of each cell, what the cells below it read

    def read(self) -> Plan:
        tests: dict[str, TestPlan] = {}
        for index, ((role, name, locked, _), text) in enumerate(zip(self._cells, self._texts)):
            if role == "test" and name not in self._beside:
                tests.setdefault(name, self._test(index, text))
                self._made_by |= dict.fromkeys(_union(s.binds for s in text.statements), name)
            elif role == "given":
                self._given(index, text, locked)
            elif role == "test":
                tests.setdefault(name, TestPlan(index))
                self._elsewhere(index, text)
            else:
                self._student(index, text)
        for name, asked in self._asked_below.items():
            tests[name] = replace(tests[name], mirrors=tuple(sorted({*tests[name].mirrors, *asked})))
        self._needed |= self._paths
        self._need_parts()
        self._need_effects()
        return Plan(tests, tuple(self._steps[number] for number in sorted(self._needed)), self._later, frozenset(self._made_by), self._imports)

    def _need_parts(self) -> None:
        """Of a package that a test has a name for, what set-up cells import is loaded, too: there is a `matplotlib.patches` in `matplotlib` then."""
        tests = [s.node for (role, *_), text in zip(self._cells, self._texts) if role == "test" for s in text.statements]
        nodes = [*tests, *(self._steps[number].statement.node for number in self._needed)]
        named = {one for node in nodes for one in _whole_names(node)}
        for number, step in self._steps.items():
            if step.statement.kind == "import" and self._cells[step.cell][0] == "given":
                loaded = [*imports_of(step.statement.node), *_whole_names(step.statement.node)]
                if any(one.startswith(f"{package}.") for one in loaded for package in named):
                    self._needed.add(number)

    def _need_effects(self) -> None:
        """What sets something in a library is done, too, unless no test has that library and students' values are none of its own."""
        there = _packages(self._steps[number].statement.node for number in self._needed) | {*USUAL}
        for steps, packages in self._effects:
            if packages <= there | sys.stdlib_module_names:
                self._needed |= steps

    def _ask(self, statement: Statement) -> None:
        """A cell that is no test uses names of tests above, which no other cell makes: they have to be where it runs."""
        for name in ((statement.now | statement.later) & self._made_by.keys()) - self._made_besides:
            if self._state.get(name, STUDENTS).who == "test":
                self._asked_below.setdefault(self._made_by[name], set()).add(name)
        self._made_besides |= statement.binds

    def _elsewhere(self, index: int, text: Text) -> None:
        """A test that runs on the second road: what it makes without the student's work is made here, too, for the tests below."""
        for statement in text.statements:
            step = Step(len(self._steps), index, statement, f"cell {index + 1}")
            self._steps[step.number] = step
            owner = self._owner(step, True)
            if owner is not None:
                for name in filter(self._is_plain, statement.changes):
                    self._state[name] = replace(self._state[name], steps=self._state[name].steps | owner.steps)
            for name in statement.binds - {"*"}:
                self._state[name] = owner or BESIDE
            for name in statement.deletes - statement.binds:
                self._state.pop(name, None)

    def _student(self, index: int, text: Text) -> None:
        """A cell whose names are the student's, but for those that the instructor's text imports: a test may check with them."""
        if text.why_not or not any(s.binds and not s.is_stub for s in text.statements):
            self._open_ended = True
        for statement in text.statements:
            self._ask(statement)
            self._hand_over(statement.writes_into)
            for name in statement.binds | statement.deletes:
                if name == "*":
                    self._open_ended = True
                elif _is_absolute_import(statement):
                    if not self._is_same_import(name, statement):
                        step = Step(len(self._steps), index, statement, f"cell {index + 1}")
                        self._steps[step.number] = step
                        self._state[name] = self._import(name, step)
                elif not self._is_same_import(name, statement):
                    self._state[name] = STUDENTS

    def _hand_over(self, changed: Iterable[str], only_of_students: bool = False) -> None:
        """What a test has made and a cell of the student's kernel changes is from here on what stands there."""
        for name in changed:
            owner = self._state.get(name, STUDENTS)
            if owner.who == "test" and (owner.is_of_students or not only_of_students):
                self._state[name] = STUDENTS

    def _import(self, name: str, step: Step) -> Owner:
        """Whose a name is that a solution cell imports."""
        if self._is_rebuilt(name, step.statement):
            return STUDENTS
        return Owner("nbjudge", "import", frozenset({step.number}), is_solutions=True)

    def _is_rebuilt(self, name: str, statement: Statement) -> bool:
        """Whether the solution puts code into what `name` is imported as, so that the student's is another. What judges stays the grader's."""
        return name in self._given_code and _imports_a_thing(statement)

    def _is_same_import(self, name: str, statement: Statement) -> bool:
        """Whether a solution imports again what a given cell has imported under this name."""
        before = self._state.get(name)
        if before is None or before.who != "nbjudge" or not isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            return False
        steps = [self._steps[number].statement.node for number in before.steps]
        return any(imported(step).get(name) == imported(statement.node)[name] for step in steps if isinstance(step, (ast.Import, ast.ImportFrom)))

    def _given(self, index: int, text: Text, locked: bool) -> None:
        if text.why_not:
            self._open_ended = self._open_ended or "%" in text.why_not or not text.statements
        if not locked and not text.statements and not text.why_not:
            self._open_ended = True  # a cell for students to fill
        for statement in text.statements:
            self._ask(statement)
            self._hand_over(statement.writes_into, only_of_students=True)
            step = Step(len(self._steps), index, statement, f"cell {index + 1}", not locked)
            self._steps[step.number] = step
            owner = self._owner(step, locked)
            if owner is None:
                self._leave(statement)
                continue
            if any(self._state.get(name, STUDENTS).is_of_students for name in statement.now):
                owner, self._steps[step.number] = replace(owner, is_of_students=True), replace(step, is_of_students=True)
            for name in statement.changes:  # the value is the one that this step leaves
                if (known := self._state.get(name)) and known.who == "nbjudge" and known.is_plain:
                    self._state[name] = replace(known, steps=known.steps | owner.steps)
            if self._moves_path(statement):
                self._paths |= owner.steps | self._closure(statement.now)
            elif packages := self._packages_set(statement):
                self._effects.append((owner.steps | self._closure(statement.now), packages))
                self._is_seeded |= bool(self._effect_words(statement) & SEEDS)
            for name in statement.binds:
                if name == "*":
                    places = [self._steps[n].statement.node for n in sorted(self._paths)]
                    try:
                        self._state.update(dict.fromkeys(star_names(statement.node, places), owner))
                    except Exception as error:  # whatever the instructor's own module raises
                        self._lost = f"`{ast.unparse(statement.node)}` in {step.place} fails ({type(error).__name__}: {error})"
                elif (owner.is_plain and name in self._changed) or self._is_rebuilt(name, statement):
                    self._state[name] = STUDENTS
                else:
                    self._state[name] = owner
            for name in statement.deletes - statement.binds:
                self._state.pop(name, None)

    def _leave(self, statement: Statement) -> None:
        """A statement that only the student's kernel runs: what it makes, and may change, is the student's."""
        if statement.has_star:
            self._open_ended = True
        passed = {name for _, name in statement.passes}
        completed = {name for name, _ in given_code(statement.node) if self._state.get(name, STUDENTS).kind == "class"}
        for name in statement.binds | statement.deletes | completed | {n for n in statement.changes | passed if self._is_plain(n)}:
            self._state[name] = STUDENTS

    def _effect_words(self, statement: Statement) -> frozenset[str]:
        """The words of a statement, and those of the given functions that it calls."""
        steps = [self._steps[n].statement for n in self._closure(statement.now) if self._steps[n].statement.kind != "import"]
        return statement.words.union(*(one.words for one in steps))

    def _moves_path(self, statement: Statement) -> bool:
        """Whether it changes where modules or files are looked for, by itself or by a given function that it calls."""
        if statement.kind not in ("run", "data"):
            return False
        called = [self._steps[n].statement for n in self._closure(statement.now)]
        nodes = [statement.node, *(one.node for one in called if one.kind == "def")]
        used = {ast.unparse(inner) for node in nodes for inner in ast.walk(node) if isinstance(inner, (ast.Name, ast.Attribute))}
        return not PLACES.isdisjoint(module_of(name, self._imports) for name in used)

    def _packages_set(self, statement: Statement) -> frozenset[str]:
        """The packages in which a statement sets something for all that follows, by itself or by a given function that it calls; none otherwise."""
        if statement.kind != "run":
            return frozenset()
        steps = [self._steps[n].statement for n in self._closure(statement.now)]
        called = [inner for one in steps if isinstance(one.node, ast.FunctionDef) for inner in _described(one.node.body)]
        of_a_library = statement.has_effect and all(self._state.get(name, STUDENTS).kind == "import" for name in _roots(statement.node))
        if any(map(CHANCE.search, _words_given(statement.node))):
            return frozenset()
        if not (of_a_library or (_is_call(statement) and any(one.has_effect for one in called))):
            return frozenset()
        return frozenset(_packages(one.node for one in steps if one.kind == "import"))

    def _is_plain(self, name: str) -> bool:
        owner = self._state.get(name)
        return owner is not None and owner.who == "nbjudge" and owner.is_plain

    def _owner(self, step: Step, locked: bool) -> Owner | None:
        """The grader as the owner of what a given statement binds, or None when it takes the student's work to run it."""
        statement = step.statement
        if statement.is_shell or (not locked and (statement.is_open or statement.binds & self._students_names)):
            return None
        is_setting = bool(self._packages_set(statement))
        if statement.kind == "run" and not (is_setting or self._moves_path(statement) or any(map(self._is_plain, statement.changes))):
            return None  # it leaves nothing behind that a test could name
        reads = (statement.now | (statement.changes & self._state.keys() if statement.kind in ("data", "run") else set())) - BUILTINS
        needs = frozenset({step.number})
        for name in reads:
            owner = self._state.get(name)
            if owner is None and name in statement.binds:
                continue
            if owner is None or owner.who == "student":
                return None if statement.kind != "import" else Owner("nbjudge", "import", needs)
            needs |= owner.steps
        if statement.kind == "class" and not statement.is_checker and statement.binds & self._touched:
            return None  # a kind of thing that the student's work makes or takes
        later: set[str] = set(statement.later)
        if statement.kind in ("data", "run"):
            called = self._closure(statement.now)
            made = [statement, *(self._steps[n].statement for n in called if self._steps[n].statement.kind != "import")]
            if not is_setting and any(one.by_chance for one in made):
                return None
            if any(self._state.get(name, STUDENTS).who == "student" for n in called for name in self._steps[n].statement.later - BUILTINS):
                return None
            later = _union(self._steps[n].statement.later for n in called) | later
        return Owner("nbjudge", statement.kind, needs, frozenset(later))

    def _closure(self, names: Iterable[str]) -> set[int]:
        """The steps behind some names, and behind what these call."""
        found: set[int] = set()
        waiting, seen = list(names), set()
        while waiting:
            name = waiting.pop()
            owner = self._state.get(name)
            if name in seen or owner is None or owner.who != "nbjudge":
                continue
            seen.add(name)
            found |= owner.steps
            waiting += _union(self._steps[n].statement.later | self._steps[n].statement.now for n in owner.steps)
        return found

    def _test(self, index: int, text: Text) -> TestPlan:
        plan = self._needs(index, text, *_reads(text))
        self._after_test(text)
        return replace(plan, why_not=text.why_not) if text.why_not else plan

    def _needs(self, index: int, text: Text, reads: dict[str, bool], maybe: set[str]) -> TestPlan:
        owners: dict[str, Owner] = {}
        wanted: set[str] = set()
        perhaps: set[str] = set()
        nobodys: set[str] = set()
        looked_up = _looked_up(text)
        perhaps |= self._named_in_text(text, looked_up)
        waiting, seen = list(reads.items()), set(reads)
        changes, why_not = _union(s.changes for s in text.statements), ""
        while waiting:
            name, sure = waiting.pop()
            owner = self._state.get(name)
            if owner is None:
                if name in BUILTINS:
                    continue
                if self._lost and name not in maybe:
                    why_not = why_not or f"`{name}` may come from what cannot be imported here: {self._lost}"
                if name in SHELL and name not in maybe:
                    why_not = why_not or f"it uses `{name}`, which is there in a notebook's own kernel only"
                    continue
                (wanted if sure and name not in maybe else perhaps if name not in maybe else set()).add(name)
                if name not in maybe and sure and self._complete and not self._open_ended:
                    nobodys.add(name)
                continue
            owners[name] = owner
            if owner is BESIDE and sure and name not in maybe:
                why_not = why_not or MADE_BESIDE.format(name=name)
            if owner.who == "student":
                (wanted if sure and name not in maybe else perhaps).add(name)
                continue
            self._needed |= owner.steps
            inner = owner.later | _union(self._steps[n].statement.later for n in owner.steps)
            changes |= _union(self._steps[n].statement.changes for n in owner.steps if self._steps[n].statement.kind == "def")
            for further in inner - seen:
                seen.add(further)
                waiting.append((further, False))
        words = _union(s.words for s in text.statements) | _union(
            self._steps[n].statement.words for owner in owners.values() for n in owner.steps if owner.kind == "def"
        )
        files, figures = bool(words & FILE_WORDS), asks_for_figures(words)
        imports = {name for name, owner in owners.items() if owner.is_solutions and reads.get(name) and name not in maybe}
        for name in looked_up or ():
            if (owner := self._state.get(name, STUDENTS)).is_solutions:  # `"sqrt" in globals()` asks for the student's import, too
                self._needed |= owner.steps
                owners[name] = owner
                imports.add(name)
        changeable = self._changeable(text, reads)
        if not (wanted or perhaps or files or figures):  # then what it tests is what the student imports, or writes into cells that are for all
            theirs = {name for name in imports if self._may_be_students(owners[name])}
            theirs |= reads.keys() & changeable
            owners |= dict.fromkeys(theirs, STUDENTS)
            wanted, imports = theirs, imports - theirs
        if changed := next(iter(sorted(self._rebuilt_in(text, words, owners))), None):
            why_not = why_not or CHANGED.format(package=changed[0], name=changed[1])
        seeds = bool(words & SEEDS)
        is_seeded = self._is_seeded and (seeds or any(map(CHANCE.search, words)))
        aliases = self._imports | {name: place for s in text.statements for name, place in _imports(s.node)}
        patches = {(module_of(place, aliases), name) for s in text.statements for place, name in patched(s.node)}
        own_imports = _union(s.binds for s in text.statements if isinstance(s.node, (ast.Import, ast.ImportFrom)))
        sets = _union(s.binds | s.deletes for s in text.statements) | changes | {name for module, name in patches if module == "__main__"}
        plain = {name for name in sets if self._state.get(name, STUDENTS).kind not in ("import",)}
        mirrors = ((plain - own_imports) | (own_imports - self._bound_besides)) & self._read
        return TestPlan(
            index,
            tuple(sorted(wanted)),
            tuple(sorted(perhaps - wanted)),
            tuple(sorted(imports)),
            tuple(sorted(mirrors)),
            tuple(sorted(({*wanted, *perhaps} | mirrors) & self._rewritten)),
            tuple(sorted(({*wanted, *perhaps} - mirrors) & self._read_below[index])),
            tuple(sorted(patches)),
            seeds or is_seeded,
            is_seeded,
            changeable,
            owners,
            frozenset(nobodys),
            figures,
            "backward" in words,
            files,
            why_not,
        )

    def _changeable(self, text: Text, reads: Iterable[str]) -> frozenset[str]:
        """The names that the grader makes in cells that students may change, and that a test uses; none that judges, and none behind such."""
        found: set[str] = set()
        judges = {name for s in text.statements for name in _judging(s.node)}
        waiting, seen = list(reads), set()
        while waiting:
            name = waiting.pop()
            owner = self._state.get(name)
            if name in seen or owner is None or owner.who != "nbjudge":
                continue
            seen.add(name)
            steps = [self._steps[number] for number in owner.steps if self._steps[number].statement.kind in ("def", "class", "data")]
            if name not in judges and not any(step.statement.is_checker for step in steps):
                found |= _union(step.statement.binds for step in steps if step.is_changeable)
                waiting += _union(step.statement.later for step in steps)
        return frozenset(found)

    def _may_be_students(self, owner: Owner) -> bool:
        """Whether a test may use the student's own of what a solution cell imports."""
        statements = [self._steps[number].statement for number in owner.steps]
        return all(_imports_a_thing(s) for s in statements if s.kind == "import")

    def _rebuilt_in(self, text: Text, words: set[str], owners: dict[str, Owner]) -> Iterator[tuple[str, str]]:
        """What a test uses of packages, and the solution puts code into."""
        own = [s.node for s in text.statements]
        given = [self._steps[n].statement.node for owner in owners.values() if owner.who == "nbjudge" for n in owner.steps]
        packages = _packages([*own, *given])
        return (place for place in self._rebuilt if place[0] in packages and place[1] in words)

    def _named_in_text(self, text: Text, looked_up: set[str] | None) -> set[str]:
        """Names of students' work that stand in strings, in a cell that looks names up by their text."""
        mocked = {name for s in text.statements for module, name in patched(s.node) if module == "__main__"}
        if looked_up is None:
            return {name for name in mocked if self._state.get(name, Owner("")).who == "student"}
        return mocked | {name for name in looked_up if self._state.get(name, Owner("")).who == "student"}

    def _after_test(self, text: Text) -> None:
        later = _union(s.later for s in text.statements)
        self._is_seeded |= any(s.words & SEEDS for s in text.statements)
        for statement in text.statements:
            for name in statement.binds:
                if name == "*":
                    with contextlib.suppress(Exception):  # the test cell itself says so
                        self._state.update(dict.fromkeys(star_names(statement.node), Owner("test", "import")))
                else:
                    made_of = [self._state.get(one, STUDENTS) for one in statement.now - BUILTINS - statement.binds]
                    is_of_students = any(owner.who == "student" or owner.is_of_students for owner in made_of)
                    self._state[name] = Owner("test", statement.kind, later=frozenset(later), is_of_students=is_of_students)


def _looked_up(text: Text) -> set[str] | None:
    """The words in the strings of a cell that looks names up by their text; None for any other."""
    if not any(s.words & LOOKS_INSIDE for s in text.statements):
        return None
    strings = [inner.value for s in text.statements for inner in ast.walk(s.node) if isinstance(inner, ast.Constant) and isinstance(inner.value, str)]
    return {word for string in strings for word in re.findall(r"[^\W\d]\w*", string)}


def names_from_outside(source: str) -> set[str]:
    """The names that a cell does not go on without and takes from other cells: no builtins, and nothing that it may have bound itself."""
    reads, maybe = _reads(read_cell(source))
    return {name for name, sure in reads.items() if sure} - maybe - BUILTINS


def _reads(text: Text) -> tuple[dict[str, bool], set[str]]:
    """The names that a cell reads from outside, each with whether the cell does not go on without; and all that it may bind itself."""
    bound: set[str] = set()
    reads: dict[str, bool] = {}
    maybe: set[str] = _union(s.binds | s.deletes for s in text.statements)
    for statement in text.statements:
        for name in statement.now - bound:
            reads[name] = reads.get(name, False) or name not in statement.binds
        for name in statement.later - bound:
            reads[name] = reads.get(name, False) or name not in maybe
        bound |= statement.binds if statement.definite else set()
    return reads, maybe


def _described(body: Iterable[ast.stmt]) -> Iterator[Statement]:
    """The statements of a function, but for those that mean nothing outside of one."""
    for node in body:
        with contextlib.suppress(SyntaxError):  # a `nonlocal` within
            yield describe(node)


def _union(sets: Iterable[frozenset[str] | set[str]]) -> set[str]:
    return set().union(*sets)


def _imports(node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    """The names that a statement imports, also within a function, each with a module and a name in it."""
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Import, ast.ImportFrom)):
            yield from imported(inner).items()


def module_of(dotted: str, imports: dict[str, tuple[str, str]]) -> str:
    """What a notebook calls by this name, with its own name: `numpy.linalg` of `np.linalg`."""
    root, *rest = dotted.split(".")
    module, name = imports.get(root, (root, ""))
    return ".".join([module, *([name] if name else []), *rest])


def _imports_a_thing(statement: Statement) -> bool:
    """Whether it imports what stands in a module, not a module itself, and nothing that judges."""
    return isinstance(statement.node, ast.ImportFrom) and not statement.is_checker


def _whole_names(node: ast.AST) -> Iterator[str]:
    """What the names that a statement imports stand for, with the modules in which it is: `numpy.linalg` of `from numpy import linalg`."""
    for name, origin in _imports(node):
        yield module_of(name, {name: origin})


def _packages(nodes: Iterable[ast.AST]) -> set[str]:
    """The packages that statements import something of."""
    return {_root(module) for node in nodes for _, (module, _name) in _imports(node)}


def _root(module: str) -> str:
    return module.split(".")[0]


def _rebuilt(module: str, name: str, path: str) -> str:
    """The word by which a test uses what a statement puts code into: see `given_code`."""
    *inner, attribute = path.split(".")
    return inner[-1] if inner else name or attribute or module.rpartition(".")[2]


def _judging(node: ast.stmt) -> Iterator[str]:
    """The functions whose answer about a value decides: `same` in `assert same(square(2), 4)`, and one whose answer is left."""
    for inner in ast.walk(node):
        deciding = (
            [inner.test] if isinstance(inner, (ast.Assert, ast.If, ast.While, ast.IfExp)) else [inner.value] if isinstance(inner, ast.Expr) else []
        )
        while deciding:
            match deciding.pop():
                case ast.UnaryOp(op=ast.Not(), operand=operand):
                    deciding.append(operand)
                case ast.BoolOp(values=values):
                    deciding += values
                case ast.Call(func=ast.Name(id="bool" | "all"), args=[ast.Call() as call]):
                    deciding.append(call)
                case ast.Call(func=ast.Name(id=name), args=[_, _, *_]) | ast.Call(func=ast.Name(id=name), args=[_], keywords=[_, *_]):
                    yield name


def _words_given(node: ast.stmt) -> Iterator[str]:
    """The words of what it sets something to."""
    for inner in ast.walk(node):
        values = [inner.value] if isinstance(inner, ast.Assign) else [*inner.args, *inner.keywords] if isinstance(inner, ast.Call) else []
        for one in (part for value in values for part in ast.walk(value)):
            yield one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""


def _roots(node: ast.stmt) -> Iterator[str]:
    """The names through which it sets something: `np` of `np.random.seed(0)`, `getcontext` of `getcontext().prec = 5`."""
    for inner in ast.walk(node):
        places = inner.targets if isinstance(inner, ast.Assign) else [inner.value] if isinstance(inner, ast.Expr) else []
        for place in places:
            while isinstance(place, (ast.Attribute, ast.Subscript, ast.Call)):
                place = place.func if isinstance(place, ast.Call) else place.value
            yield place.id if isinstance(place, ast.Name) else ""


def _is_call(statement: Statement) -> bool:
    """Whether it calls a function and leaves what that gives."""
    return isinstance(statement.node, ast.Expr) and isinstance(statement.node.value, ast.Call) and isinstance(statement.node.value.func, ast.Name)


def _is_absolute_import(statement: Statement) -> bool:
    return isinstance(statement.node, ast.Import) or (isinstance(statement.node, ast.ImportFrom) and not statement.node.level)
