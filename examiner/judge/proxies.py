"""Which stand-in a student's function or module gets."""

import importlib
from typing import Any

from examiner.judge import functions
from examiner.judge.raised import StudentError, rebuild_error
from examiner.wire.errors import WorkFault

__all__ = ["FUNCTIONS", "StudentError", "module_named", "rebuild_error"]

FUNCTIONS = {
    "function": functions.StudentFunction,
    "method": functions.StudentMethod,
    "builtin": functions.StudentBuiltin,
    "iterator": functions.StudentIterator,
    "generator": functions.StudentGenerator,
}
SHORT_NAMES = {
    "np": "numpy",
    "pd": "pandas",
    "plt": "matplotlib.pyplot",
    "mpl": "matplotlib",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "sns": "seaborn",
    "sp": "scipy",
}


def module_named(name: Any, alias: str) -> Any:
    """The examiner's own module for a student's name `alias`, only when the two names go together."""
    if not alias or name != SHORT_NAMES.get(alias, alias):
        raise WorkFault(f"`{alias or 'a value'}` is a module, where the exercise asks for something of your own.")
    try:
        return importlib.import_module(name)
    except ImportError:
        raise WorkFault(f"`{alias}` is the module {name}, which this test cannot use.") from None
