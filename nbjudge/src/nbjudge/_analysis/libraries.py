"""The libraries that a notebook imports: the warm process imports them once, and every kernel that is forked from it has them."""

import re
from functools import lru_cache

from nbjudge._analysis.instructor import Instructor

IMPORT = re.compile(r"^[ \t]*(?:import[ \t]+([\w.]+)|from[ \t]+([\w.]+)[ \t]+import\b)", re.MULTILINE)
OPTIMIZER = re.compile(r"\btorch\.optim\b")
NEEDED_BY_OPTIMIZERS = "torch._dynamo"  # torch imports it when the first one is made; that takes a second


def libraries_of(instructor: Instructor) -> tuple[str, ...]:
    """The modules that the instructor's cells import, each after the package that it is in, and what these will load."""
    return _libraries(tuple(cell.source for cell in instructor.notebook.cells if cell.cell_type == "code"))


@lru_cache(maxsize=256)
def _libraries(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Once for all submissions of a notebook."""
    names = [name for source in sources for found in IMPORT.findall(source) for name in found if name]
    found = dict.fromkeys(one for name in names for one in (name.partition(".")[0], name))
    if any(map(OPTIMIZER.search, sources)):
        found[NEEDED_BY_OPTIMIZERS] = None
    return tuple(found)
