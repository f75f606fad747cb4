"""Why no bundle, and no site, was made."""

from __future__ import annotations


class Refused(Exception):
    """Nothing is made: what happened, and the next step."""

    def __init__(self, what: str, next_step: str):
        super().__init__(f"Nothing was made: {what}. Next: {next_step}.")
