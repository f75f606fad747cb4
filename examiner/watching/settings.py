"""What a course may say about how hand-ins are watched."""

from __future__ import annotations

from traitlets import Bool, Float, Integer, TraitError
from traitlets.config import Config, Configurable

from examiner.wire.errors import CannotGrade


class Watch(Configurable):
    """How a course wants its hand-ins watched: `c.Watch` in `nbgrader_config.py`."""

    limit = Integer(
        10, min=1, help="How often a student is graded within `limit_seconds`. The first grading of an assignment never waits for it."
    ).tag(config=True)
    limit_seconds = Float(3600.0, min=0.1, help="The time for which `limit` holds: an hour.").tag(config=True)
    quiet_seconds = Float(2.0, min=0.0, help="How long nothing of a hand-in may change before it is taken to be whole.").tag(config=True)
    patient_seconds = Float(20.0, min=0.0, help="How long nothing of a hand-in that is not whole may change before it is said so.").tag(config=True)
    collect = Bool(True, help="Whether to collect what students submit to nbgrader's exchange, where the exchange has this course.").tag(config=True)
    release_feedback = Bool(False, help="Whether to release a student's feedback to the exchange after each grading.").tag(config=True)

    @classmethod
    def of(cls, config: Config) -> Watch:
        """The settings of a course.

        Raises:
            CannotGrade: one of them cannot be.
        """
        try:
            return cls(config=config)
        except TraitError as error:
            raise CannotGrade(f"a setting of c.Watch cannot be: {error}", "mend it in nbgrader_config.py") from error
