"""What a course may say in `nbgrader_config.py` about reports, watching and second looks; and nbgrader's settings for a while."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Self

from traitlets import Bool, Dict, Float, Integer, List, TraitError, Unicode
from traitlets.config import Config, Configurable

from nbjudge._wire.errors import CannotGrade


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


class _Settings(Configurable):
    """One section of a course's `nbgrader_config.py`, named by the class."""

    @classmethod
    def of(cls, config: Config) -> Self:
        """The settings of a course.

        Raises:
            CannotGrade: one of them cannot be.
        """
        try:
            return cls(config=config)
        except TraitError as error:
            raise CannotGrade(f"a setting of c.{cls.__name__} cannot be: {error}", "mend it in nbgrader_config.py") from error


class Watch(_Settings):
    """How a course wants its hand-ins watched: `c.Watch` in `nbgrader_config.py`."""

    limit = Integer(
        10, min=1, help="How often a student is graded within `limit_seconds`. The first grading of an assignment never waits for it."
    ).tag(config=True)
    limit_seconds = Float(3600.0, min=0.1, help="The time for which `limit` holds: an hour.").tag(config=True)
    quiet_seconds = Float(1.0, min=0.0, help="How long nothing of a hand-in may change before it is taken to be whole.").tag(config=True)
    patient_seconds = Float(20.0, min=0.0, help="How long nothing of a hand-in that is not whole may change before it is said so.").tag(config=True)
    collect = Bool(True, help="Whether to collect what students submit to nbgrader's exchange, where the exchange has this course.").tag(config=True)
    release_feedback = Bool(False, help="Whether to release a student's feedback to the exchange after each grading.").tag(config=True)


class Report(_Settings):
    """How a course wants its reports: `c.Report` in `nbgrader_config.py`."""

    together = Dict(Unicode(), help="Questions that share a column: how their names begin, and the column's heading.").tag(config=True)
    ending = Unicode("", help="An ending of questions' names that headings do without.").tag(config=True)
    optional = List(Unicode(), help="Assignments that nobody has to hand in: they are not missing, and their points come on top.").tag(config=True)

    readable: Mapping[str, str] = {}  # for random names of cells those that tell which cell it is

    def name_of(self, question: str) -> str:
        """What a question is called in a table."""
        return self.readable.get(question, question).removesuffix(self.ending)

    def column_of(self, question: str) -> str | None:
        """The heading of the column that a question shares with others, or None."""
        return next((heading for beginning, heading in self.together.items() if question.startswith(beginning)), None)


class Regrade(_Settings):
    """How students ask for a second look: `c.Regrade` in `nbgrader_config.py`."""

    ask = Unicode(
        "file", help='"file": by a file that the feedback page makes; an address: by mail to it, too; "": the pages offer no second look.'
    ).tag(config=True)

    @property
    def address(self) -> str:
        """Where mail goes; "" where there is no address."""
        return self.ask if "@" in self.ask else ""


def in_words(grade_id: str, ending: str) -> str:
    """The name of a cell as a person would write it: "self_attention_test" is "self attention" where "_test" is the ending."""
    return (grade_id.removesuffix(ending) or grade_id).replace("_", " ").replace("-", " ")
