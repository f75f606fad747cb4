"""Settings and names of nbgrader's that have another value for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def temporarily(thing: object, **values: object) -> Iterator[None]:
    """Attributes of a thing have these values for as long as the context lasts, however it ends.

    nbgrader's own `temp_attrs` leaves them as they are when an error ends it.
    """
    before = {name: getattr(thing, name) for name in values}
    try:
        for name, value in values.items():
            setattr(thing, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(thing, name, value)
