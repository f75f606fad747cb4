"""The visible checks of the small lesson."""

from attnlab.diagnosis.cause import CheckFailed
from attnlab.check.doubling import double
from attnlab.check.predictions import choice, prediction, reveal

__all__ = [
    # tools
    "CheckFailed", "choice", "prediction", "reveal",
    # lesson 1
    "double",
]
