"""Why no bundle was made."""

from __future__ import annotations


class Refused(Exception):
    """The bundle is not made: what happened, and the next step."""

    def __init__(self, what: str, next_step: str):
        super().__init__(f"No bundle was made: {what}. Next: {next_step}.")
