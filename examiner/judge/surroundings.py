"""The place where the instructor's code runs: a copy of the instructor's folder, importable, and nothing of a student's.

A copy, because a test may write files, and because the folder in `source/` must stay as it is. What is imported from it is
forgotten when the notebook is done, so that two assignments with a `helper.py` each do not mix in one process.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, TracebackType

from examiner.wire.limits import MB

MOST_COPIED = 16 * MB  # of one file; a larger one is linked to, which is quick, and is data
LEFT_OUT = (".ipynb_checkpoints", "__pycache__", ".git")


class Surroundings:
    """A working folder for the instructor's code of one notebook. Use as a context manager, and `entered` to run code there.

    The working directory, `sys.path` and the loaded modules belong to the whole process: one notebook at a time.
    """

    def __init__(self, source: Path | None):
        self._source = source
        self.folder = Path()
        self._loaded: dict[str, ModuleType] = {}  # before
        self._path: list[str] = []  # what the instructor's code made of `sys.path`

    def __enter__(self) -> Surroundings:
        # Wherever TMPDIR leads: files of tests have the same paths in a student kernel, which has a /tmp of its own and nothing in it.
        self.folder = Path(tempfile.mkdtemp(prefix="examiner-tests-", dir="/tmp")).resolve()
        if self._source is not None and self._source.is_dir():
            _copy(self._source, self.folder)
        self._loaded = dict(sys.modules)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for name, module in [(name, module) for name, module in sys.modules.items() if self._loaded.get(name) is not module]:
            places = [getattr(module, "__file__", None), *_places(module)]
            if any(isinstance(place, str) and place.startswith(f"{self.folder}{os.sep}") for place in places):
                del sys.modules[name]
        for place in [place for place in sys.path_importer_cache if place.startswith(str(self.folder))]:
            del sys.path_importer_cache[place]
        self._loaded = {}
        shutil.rmtree(self.folder, ignore_errors=True)
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """Work in the folder, with its modules before all others, and leave no trace of that."""
        before, path, bytecode = os.getcwd(), list(sys.path), sys.dont_write_bytecode
        os.environ.setdefault("MPLBACKEND", "agg")  # nobody looks at what a test draws
        sys.path[:] = self._path or [str(self.folder), *(place or before for place in path)]
        sys.dont_write_bytecode = True
        os.chdir(self.folder)
        try:
            yield
        finally:
            self._path, sys.path[:] = list(sys.path), path
            sys.dont_write_bytecode = bytecode
            os.chdir(before)


def _places(module: object) -> list[str]:
    try:
        return list(getattr(module, "__path__", None) or [])
    except Exception:  # a module may be anything
        return []


def _copy(source: Path, target: Path) -> None:
    """What a folder holds besides notebooks; large files as links."""

    def copy(one: str, other: str) -> None:
        if os.path.getsize(one) > MOST_COPIED:
            os.symlink(os.path.abspath(one), other)
        else:
            shutil.copyfile(one, other)

    with contextlib.suppress(shutil.Error, OSError):  # pipes and the like are left out
        shutil.copytree(source, target, copy_function=copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ipynb", *LEFT_OUT))
    importlib.invalidate_caches()
