"""Turns the noise on in a process or a kernel whose environment asks for it."""

from __future__ import annotations

import ast
import builtins
import os
from pathlib import Path
from typing import Any

from authoring.variations.noise import install, transform
from tests.portable.settings import NOISE

STARTUP = """
from IPython import get_ipython
from authoring.variations.noise import Cells, install
import builtins, os
install(int(os.environ["{variable}"]), vars(builtins))
get_ipython().ast_transformers.append(Cells())
del get_ipython, Cells, install, builtins, os
"""


def make_profile(folder: Path) -> dict[str, str]:
    """Write a profile of IPython that turns the noise on in every kernel; returns the variable that makes kernels use it."""
    startup = folder / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-noise.py").write_text(STARTUP.format(variable=NOISE), encoding="utf-8")
    return {"IPYTHONDIR": str(folder)}


def disturb_this_process() -> None:
    """Turn the noise on here, also in answers and cells that this process runs itself. Does nothing where no seed is given."""
    if NOISE not in os.environ:
        return
    from authoring import answers

    def compile_disturbed(source: str, name: str, mode: str) -> Any:
        return builtins.compile(transform(ast.parse(source, name)), name, mode)

    install(int(os.environ[NOISE]), vars(builtins))
    answers.compile = compile_disturbed
