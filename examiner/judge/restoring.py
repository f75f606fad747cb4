"""What the instructor's code changes of the examiner's own process is put back when a notebook is done.

A worker judges one notebook after the other. A mock that a test did not take away, because the student's function raised in between, a
variable of the environment, a seed or a setting of torch must not reach the next student's test.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
import warnings
from typing import Any

from examiner.judge.settings import SETTINGS, PutBack

NOT_OURS = ("stdout", "stderr", "modules", "path", "meta_path", "path_hooks", "path_importer_cache")  # whoever set them puts them back


class ProcessState:
    """The state of this process now. `put_back` makes it what it was."""

    def __init__(self) -> None:
        self._environment = dict(os.environ)
        self._builtins, self._filters = dict(vars(builtins)), list(warnings.filters)
        self._places: dict[tuple[str, str], Any] = {}
        self._settings: dict[str, PutBack] = {}
        self.look()

    def look(self) -> None:
        """Remember the settings of libraries that have been imported since; before anything is run that could change them."""
        for name, read in SETTINGS.items():
            if name not in self._settings and name in sys.modules:
                with contextlib.suppress(AttributeError):  # it is imported right now, or is another thing of that name
                    self._settings[name] = read(sys.modules[name])

    def note(self, module: str, name: str) -> None:
        """Remember what is at this place of a module, which a test may put something else into."""
        if (module, name) not in self._places and hasattr(sys.modules.get(module), name) and not (module == "sys" and name in NOT_OURS):
            self._places[module, name] = getattr(sys.modules[module], name)

    def put_back(self) -> None:
        """Undo every change. Raises nothing that a change could bring about."""
        for (module, name), value in self._places.items():
            if module in sys.modules and getattr(sys.modules[module], name, None) is not value:
                setattr(sys.modules[module], name, value)
        for name in vars(builtins).keys() - self._builtins.keys():
            delattr(builtins, name)
        vars(builtins).update(self._builtins)
        if dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        warnings.filters[:] = self._filters  # type: ignore[index]
        for put_back in self._settings.values():
            with contextlib.suppress(Exception):  # the others are put back whatever becomes of one
                put_back()
