"""The visible check of the small lesson."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attnlab.diagnosis.examine import examine


def double(answer: Callable[..., Any]) -> None:
    """Check `double(number)`."""
    examine("double", answer)
