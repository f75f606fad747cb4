"""Who owns which name of a notebook: the answers that `nbjudge._analysis.plans` finds."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from nbjudge._analysis.statements import Statement


@dataclass(frozen=True)
class Owner:
    """Who has a name at some place: "nbjudge", "test" or "student"; and what the grader runs to have it."""

    who: str
    kind: str = "data"
    steps: frozenset[int] = frozenset()
    later: frozenset[str] = frozenset()  # what functions behind the name read when they are called
    is_solutions: bool = False  # whether only a solution cell imports it: then it is for the student to do
    is_of_students: bool = False  # whether a test made it, or what it is made of, of the student's work

    @property
    def is_plain(self) -> bool:
        """Whether the student's own value does as well when the grader has none."""
        return self.kind == "data"


STUDENTS = Owner("student")
BESIDE = Owner("student", "beside")  # made of the student's work by a test cell of the second road


@dataclass(frozen=True)
class Step:
    """One statement of a given cell that the grader runs, when all cells above have run."""

    number: int
    cell: int
    statement: Statement
    place: str
    is_changeable: bool = False  # whether it stands in a cell that students may change
    is_of_students: bool = False  # whether it reads what a test made of the student's work


@dataclass(frozen=True)
class TestPlan:
    """What one test cell needs.

    `wanted` are the student's names that it uses; `perhaps` those that it may come to use; `imports` what the grader has, and has to be there
    in the student's notebook, too; `mirrors` names that it sets, and that the student's functions may read; `owners` tells whose each name is
    that it uses.
    """

    __test__ = False  # not a test of pytest's

    cell: int = 0
    wanted: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    mirrors: tuple[str, ...] = ()
    volatile: tuple[str, ...] = ()  # names that the solution's functions change
    lasting: tuple[str, ...] = ()  # the student's names that cells below read, too: what the test changes in their values stays changed
    patches: tuple[tuple[str, str], ...] = ()  # functions of modules that it puts something else in the place of
    seeds: bool = False  # whether the states of random generators go with what it sets, and come back
    is_seeded: bool = False  # whether the generators have been seeded above, so that the test goes on where the notebook's cells left them
    changeable: frozenset[str] = frozenset()  # names of the grader's that it uses, from cells that students may change
    owners: dict[str, Owner] = field(default_factory=dict)
    nobodys: frozenset[str] = frozenset()  # names that no cell of the instructor's makes
    figures: bool = False  # whether it asks for the current figure
    backward: bool = False  # whether it asks for gradients
    files: bool = False  # whether it does something with files
    why_not: str = ""


@dataclass(frozen=True)
class Plan:
    """All of one notebook."""

    tests: dict[str, TestPlan]
    steps: tuple[Step, ...]
    called: frozenset[str] = frozenset()  # names that functions of the solution read
    of_tests: frozenset[str] = frozenset()  # names that test cells make
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)  # what the names stand for that some cell imports


def imported(node: ast.Import | ast.ImportFrom) -> dict[str, tuple[str, str]]:
    """What each name of an import stands for: a module, and a name in it."""
    if isinstance(node, ast.Import):
        return {alias.asname or alias.name.split(".")[0]: (alias.name if alias.asname else alias.name.split(".")[0], "") for alias in node.names}
    return {alias.asname or alias.name: ("." * node.level + (node.module or ""), alias.name) for alias in node.names}


def star_names(node: ast.stmt, before: Iterable[ast.stmt] = ()) -> list[str]:
    """The names that `from module import *` binds, once `before` has changed where modules are looked for. Raises what these raise."""
    found, path, here = list[str](), list(sys.path), os.getcwd()
    try:
        exec(compile(ast.Module([*before], []), "<set-up>", "exec"), {"__name__": "__main__"})
        for inner in ast.walk(node):
            if isinstance(inner, ast.ImportFrom) and inner.names[0].name == "*" and inner.module and not inner.level:
                module = importlib.import_module(inner.module)
                found += getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    finally:
        sys.path[:] = path
        os.chdir(here)
    return found
