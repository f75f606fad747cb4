"""What a lesson says where it runs in a browser, and needs what does not run there."""

from __future__ import annotations


class NeedsTorch(BaseException):
    """This cell asked torch for something. Not an `Exception`, so that no check takes it for a learner's mistake.

    Attributes:
        in_short: the same for whoever has read it once.
    """

    def __init__(self, what: str):
        super().__init__(
            f"torch does not run in a browser, and this cell needs it ({what}). That says nothing about what you wrote: go on with the "
            "next cell.\nTo run this one, work on your own computer: see “Begin” on the course's site."
        )
        self.in_short = f"On your own computer: this needs torch ({what})."
