"""`plt.gca()` and its like in a test: the figure that the student's function has drawn, unless the test has drawn one itself."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, Protocol

CURRENT = ("gca", "gcf", "get_fignums", "close")


class _Session(Protocol):
    def pyplot(self, name: str, arguments: tuple[Any, ...]) -> Any: ...


@contextlib.contextmanager
def of_students(session: _Session) -> Iterator[None]:
    """In a test that asks for the current figure. It begins without any, as each cell of a notebook does."""
    import matplotlib.pyplot as plt

    own = {name: getattr(plt, name) for name in CURRENT}
    own["close"]("all")
    session.pyplot("close", ("all",))

    def asked(name: str) -> Callable[..., Any]:
        def ask(*arguments: Any) -> Any:
            if name == "close":
                own[name](*[one for one in arguments if isinstance(one, (str, int))])
            elif own["get_fignums"]():
                return own[name](*arguments)
            return session.pyplot(name, arguments)

        return ask

    for name in CURRENT:
        setattr(plt, name, asked(name))
    try:
        yield
    finally:
        for name in CURRENT:
            setattr(plt, name, own[name])


def asks_for_figures(words: frozenset[str] | set[str]) -> bool:
    """Whether a test with these words asks for the current figure."""
    return not words.isdisjoint(("gca", "gcf", "get_fignums"))


def is_there() -> bool:
    """Whether there is pyplot in this process."""
    return "matplotlib.pyplot" in sys.modules
