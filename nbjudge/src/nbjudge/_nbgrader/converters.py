"""Runs one of nbgrader's converters, and says what went wrong by what was raised, never by the words of a log.

nbgrader catches what its steps raise, logs it and goes on with the next submission. A log holds what students wrote.
"""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
from dateutil.parser import ParserError
from jupyter_client.manager import start_new_kernel
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter, NbGraderException
from nbgrader.nbgraderformat import SchemaTooOldError, common
from nbgrader.preprocessors import instantiatetests
from traitlets import Callable, Dict

from nbjudge._common.atomic_write import DISK_FULL, MAKE_ROOM
from nbjudge._common.settings import temporarily
from nbjudge._nbgrader.copying import NO_DATE
from nbjudge._nbgrader.database import explained, is_servers
from nbjudge._wire.errors import CannotGrade, Hindered

CHECKS = common.jsonschema
UPDATE = "type `nbgrader update source`, which gives them today's form, then the same command again"


class Record(Autograde):
    """Writes `executed` to the gradebook and to `autograded/`, by those steps of nbgrader's that come after the execution.

    nbgrader's own road reads a submission, sanitises it, writes it to `autograded/`, reads it from there and executes it. Everything
    around that is done as there: timestamps, files of the assignment, permissions.
    """

    executed = Dict(help="The notebooks of the submission that were executed, by their names.")
    commit = Callable(help="Writes what the steps have told the gradebook.")

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Run the steps after the execution on one of `executed`, and write what comes of it. Other notebooks are no part of the assignment."""
        path = Path(notebook_filename)
        if path.stem not in self.executed:
            return
        about = {**self.init_single_notebook_resources(notebook_filename), "metadata": {"name": path.stem, "path": str(path.parent)}}
        notebook, resources = self.executed[path.stem], self.exporter._init_resources(about)
        self._sanitizing = False
        try:
            self._init_preprocessors()
            for step in self.exporter._preprocessors:
                notebook, resources = step(notebook, resources)
        finally:
            self._sanitizing = True
        invalid: dict[str, Exception] = {}
        text = nbformat.writes(notebook, self.exporter.nbformat_version, capture_validation_error=invalid)
        if invalid:
            nbformat.validate(notebook, relax_add_props=True)
        resources["output_extension"] = path.suffix
        self.write_single_notebook(f"{text}\n", resources)

    def run_post_convert_hook(self) -> None:
        """After everything: what cannot be written is not recorded."""
        self.commit()
        super().run_post_convert_hook()


def convert(converter: BaseConverter, what: str, next_step: str) -> None:
    """Run a converter.

    Args:
        what: what happened when it fails for a reason that is not known here.
        next_step: what to do then.

    Raises:
        CannotGrade: it failed.
        KeyboardInterrupt: somebody pressed Ctrl-C.
    """
    heard = _Heard()
    converter.log.addHandler(heard)
    try:
        with temporarily(common, jsonschema=SimpleNamespace(validate=_validate)), temporarily(instantiatetests, start_new_kernel=_started):
            converter.start()
    except (Exception, SystemExit) as error:
        raise explain([*heard.errors, error], what, next_step) from error
    finally:
        converter.log.removeHandler(heard)


def _validate(about: Any, schema: Any) -> None:
    """nbgrader's `jsonschema.validate` of a cell's metadata, without asking for each cell whether nbgrader's own schema is one.

    Raises:
        ValidationError: the metadata are none of nbgrader's.
    """
    error = CHECKS.exceptions.best_match(CHECKS.validators.validator_for(schema)(schema).iter_errors(about))
    if error is not None:
        raise error


def _started(**about: Any) -> Any:
    """nbgrader's own kernel, in which it runs the solution to write generated tests. What it warns of is its connection; nobody can act on that."""
    return start_new_kernel(**about, extra_arguments=["--log-level=ERROR"], env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})


def explain(errors: list[BaseException], what: str, next_step: str) -> CannotGrade:
    """Why nbgrader stopped: the first of `errors`, or of what caused them, that is known here; else the first that says something."""
    everything = [cause for error in errors for cause in _causes(error)]
    for error in everything:
        if isinstance(error, ParserError):
            return CannotGrade(*NO_DATE)
        if isinstance(error, SchemaTooOldError):
            return CannotGrade(f"{what}: its cells were made by an old nbgrader", UPDATE)
        if (known := explained([error])) is not None:
            return known
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            return Hindered(DISK_FULL, MAKE_ROOM)
    telling = next((error for error in everything if not isinstance(error, (NbGraderException, SystemExit))), errors[-1])
    kind = Hindered if any(isinstance(error, (OSError, sqlite3.Error)) or is_servers(error) for error in everything) else CannotGrade
    words = (str(telling).strip().splitlines() or ["it gave no reason"])[0]
    return kind(f"{what}: {type(telling).__name__}: {words}", next_step)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and what led to it, the first cause first. SQLAlchemy keeps the database's own exception in `orig`."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__ or getattr(error, "orig", None)
    return reversed(chain)


class _Heard(logging.Handler):
    """Keeps the exceptions that nbgrader handles while it logs."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if error is not None and error not in self.errors:
            self.errors.append(error)
