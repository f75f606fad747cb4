"""The libraries that a notebook imports: the warm process imports them once, and every kernel that is forked from it has them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from nbjudge._analysis.instructor import Instructor

# What takes long to import, and leaves nothing behind that does not survive a fork, such as a thread.
SLOW = ("networkx", "pandas", "PIL", "scipy", "seaborn", "skimage", "sklearn", "statsmodels", "sympy", "torch", "torchvision")
IMPORT = re.compile(r"^[ \t]*(?:import[ \t]+([\w.]+)|from[ \t]+([\w.]+)[ \t]+import\b)", re.MULTILINE)
OPTIMIZER = re.compile(r"\btorch\.optim\b")
NEEDED_BY_OPTIMIZERS = "torch._dynamo"  # torch imports it when the first one is made; that takes a second


def libraries_of(instructor: Instructor) -> tuple[str, ...]:
    """The modules of these libraries that the instructor's cells import or will load, in the order of the cells."""
    return _libraries(tuple(cell.source for cell in instructor.notebook.cells if cell.cell_type == "code"))


@lru_cache(maxsize=256)
def _libraries(sources: Iterable[str]) -> tuple[str, ...]:
    """Once for all submissions of a notebook."""
    found = dict.fromkeys(name for source in sources for names in IMPORT.findall(source) for name in names if name.partition(".")[0] in SLOW)
    if any(map(OPTIMIZER.search, sources)):
        found[NEEDED_BY_OPTIMIZERS] = None
    return tuple(found)
