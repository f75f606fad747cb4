"""What the bundle is made from: the project's version, the pins of `requirements.txt`, the modules of `attnlab` that lessons reach."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeGuard

from nbformat import NotebookNode

from authoring.bundle.refusal import Refused
from authoring.lessons import grade_id
from nbjudge import tell_what_is_known

PACKAGE = "attnlab"
STARTS = ("attnlab.__main__", "attnlab.resume")  # what opens JupyterLab, and what its button Resume asks; no lesson imports them
GRADER = Path("nbjudge", "src")  # a learner needs what Validate needs of it
ALWAYS = ("jupyterlab", "ipykernel")  # what opens and runs notebooks; no lesson imports it
PIN = re.compile(r"(?P<name>[\w.-]+)==\S+")
IMPORTERS = (ast.Import, ast.ImportFrom)


def project_settings(root: Path) -> dict[str, Any]:
    """What the project's `pyproject.toml` says.

    Raises:
        Refused: it cannot be read, or its version is not three numbers.
    """
    path = root / "pyproject.toml"
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
        version = settings["project"]["version"]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise Refused(f"{path.name} names no version ({error})", 'write `version = "2.0.0"` below its line `[project]`') from error
    if not isinstance(version, str) or not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Refused(f"the version in {path.name}, {version!r}, is not three numbers", 'write it like `version = "2.0.1"`')
    return settings


def cited_versions(root: Path, version: str) -> None:
    """See to it that CHANGELOG.md and CITATION.cff speak of this version.

    Raises:
        Refused: one of them does not.
    """
    for name, wanted in (("CHANGELOG.md", f"## {version}"), ("CITATION.cff", f"version: {version}")):
        path = root / name
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        if not any(line == wanted or line.startswith(f"{wanted} ") for line in lines):
            raise Refused(
                f"{name} does not know version {version}, which pyproject.toml names",
                f"write a line `{wanted}` into {name}" + (", and below it what is new" if name.endswith("md") else ""),
            )


def reached_modules(root: Path, notebooks: Iterable[NotebookNode]) -> list[Path]:
    """The files of `attnlab` that the notebooks import, those of their exercises, and what these import in turn: nothing that merely lies there."""
    known = {_module(path.relative_to(root)): path for path in sorted((root / PACKAGE).rglob("*.py"))}
    notebooks = list(notebooks)
    exercises = {grade_id(cell) for notebook in notebooks for cell in notebook.cells}
    starts = [name for notebook in notebooks for name in _imported(_code(notebook))]
    return _reached(known, starts + [name for name in known if name.startswith(f"{PACKAGE}.exercises.") and name.rpartition(".")[2] in exercises])


def modules_of_the_lab(root: Path) -> list[Path]:
    """The files that open JupyterLab, and those of the grader that its Validate imports: no test, and nothing that grades."""
    folders = {root: PACKAGE, root / GRADER: "nbjudge"}
    known = {_module(path.relative_to(top)): path for top, name in folders.items() for path in sorted((top / name).rglob("*.py"))}
    return _reached(known, [*STARTS, tell_what_is_known.__module__])


def _reached(known: dict[str, Path], starts: Iterable[str]) -> list[Path]:
    """The files of modules, of what they import, and so on."""
    waiting, reached = list(starts), set[str]()
    while waiting:
        name = waiting.pop()
        if name in known and name not in reached:
            reached.add(name)
            waiting += [name.rpartition(".")[0], *_imported(known[name].read_text(encoding="utf-8"))]
    return sorted(known[name] for name in reached)


def needed_pins(root: Path, notebooks: Iterable[NotebookNode], modules: Iterable[Path], always: Iterable[str] = ALWAYS) -> dict[str, str]:
    """The lines of the project's `requirements.txt` that learners need, by the name of the package; those of `always` in any case.

    Raises:
        Refused: a lesson, or what it reaches, imports a package that has no line there.
    """
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = {found["name"].lower(): line for line in lines if (found := PIN.match(line))}
    texts = [_code(notebook) for notebook in notebooks] + [path.read_text(encoding="utf-8") for path in modules]
    imported = {name.partition(".")[0] for text in texts for name in _imported(text)} - {PACKAGE, "nbjudge"} - set(sys.stdlib_module_names)
    needed = {*always, *map(str.lower, imported)}
    if missing := sorted(needed - set(pins) - _pinned_beyond(root)):
        raise Refused(f"the lessons import {', '.join(missing)}, and requirements.txt pins no such package", "add it there, with its version")
    return {name: line for name, line in pins.items() if name in needed}


def beyond(root: Path, modules: Iterable[Path]) -> str:
    """The text of `requirements-model.txt` when what the lessons reach imports a package that stands there; else nothing."""
    path = root / "requirements-model.txt"
    imported = {name.partition(".")[0] for module in modules for name in _imported(module.read_text(encoding="utf-8"))}
    return path.read_text(encoding="utf-8") if path.is_file() and imported & _pinned_beyond(root) else ""


def _pinned_beyond(root: Path) -> set[str]:
    """The packages of one optional lesson, which are installed by a command of their own."""
    path = root / "requirements-model.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {found["name"].lower() for line in lines if (found := PIN.match(line))}


def _module(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def _code(notebook: NotebookNode) -> str:
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


def _imported(text: str) -> list[str]:
    """The modules that a text imports, and the names that it takes from them; not those that it can do without.

    It can where the import stands in a `try`, or is for type checkers alone.
    """
    tree = ast.parse(text)
    spared = {part for node in ast.walk(tree) if _can_do_without(node) for part in _imports(node.body)}
    read = [
        node.args[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] == "files"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]  # packages whose data is read
    return read + [name for node in _imports([tree]) if node not in spared for name in _names(node)]


def _imports(nodes: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    return (part for node in nodes for part in ast.walk(node) if isinstance(part, IMPORTERS))


def _can_do_without(node: ast.AST) -> TypeGuard[ast.Try | ast.If]:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    missing = ("ImportError", "ModuleNotFoundError")
    return isinstance(node, ast.Try) and any(handler.type and ast.unparse(handler.type) in missing for handler in node.handlers)


def _names(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
