"""Starts the warm process before a course's settings are read, by what stands in their text: reading them takes as long as half of its imports.

What is started by a wrong guess is ended, and another takes its place.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import sys
from pathlib import Path

from nbjudge._common import preload
from nbjudge._sandbox.accounts import Protection
from nbjudge._sandbox.starting import SLOW_FIRST, WarmKernels

_started: list[tuple[tuple[str, ...], WarmKernels]] = []


def begin(root: Path) -> None:
    """Start it for the course in this folder, where its settings say in plain words what it needs."""
    if (packages := _packages(root / "nbgrader_config.py")) is None:
        return
    if str(root) not in sys.path:
        sys.path.append(str(root))  # packages are looked for there, too
    with contextlib.suppress(Exception):  # whatever it is, the same is met again when nothing is guessed any more, and told then
        warm = WarmKernels(packages, later=preload.never_mentioned(root / "source", (*SLOW_FIRST, *packages)), is_certain=False)
        _started.append((packages, warm))
        atexit.register(_end)


def taken(packages: tuple[str, ...], sandboxed: Protection) -> WarmKernels | None:
    """The one that was started, for its owner to close, if it is what is wanted. Raises `SandboxMissing`."""
    if not _started or _started[0][0] != packages or sandboxed is not True:
        _end()
        return None
    _, warm = _started.pop()
    warm.see_that_it_is_sandboxed()
    return warm


def _end() -> None:
    while _started:
        _started.pop()[1].close()


def _packages(settings: Path) -> tuple[str, ...] | None:
    """`c.Execute.packages` as the text has it; None where it is not written out, or the sandbox is not the usual one."""
    try:
        tree = ast.parse(settings.read_text(encoding="utf-8"))
        found: tuple[str, ...] = ()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=[ast.Attribute(value=ast.Attribute(attr="Execute"), attr="packages")], value=value):
                    found = tuple(ast.literal_eval(value))
                case ast.Attribute(value=ast.Attribute(attr="Execute"), attr="sandbox"):
                    return None
        return found
    except (OSError, ValueError, SyntaxError, TypeError):
        return None
