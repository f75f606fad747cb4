"""Grades notebooks safely: student code in a sandbox, tests in the grader's own process. See README.md.

What stands in `__all__`, and `nbjudge.testing`, is public; every other name may change with each release. A student's process imports this
package, too, and can read nothing of it but `_student` and `_wire`; so what is public is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nbjudge._analysis.instructor import SKIPPED, Markers, is_skipped, is_test
    from nbjudge._analysis.plans import names_from_outside
    from nbjudge._commands.api import Checked, check_course, check_notebook, grade_course, grade_notebook
    from nbjudge._course.course import Course
    from nbjudge._course.outcomes import Outcome, Status
    from nbjudge._execution.check import Finding
    from nbjudge._execution.execute import Execution
    from nbjudge._execution.verdicts import Verdict
    from nbjudge._lms.export import CanvasExporter, MoodleExporter
    from nbjudge._nbgrader.configuration import switch_on
    from nbjudge._nbgrader.exchange_collect import CollectOwn
    from nbjudge._nbgrader.markup import clean as clean_html
    from nbjudge._nbgrader.validating import tell_what_is_known
    from nbjudge._report.history import forget as forget_students
    from nbjudge._report.similarity import similar_answers
    from nbjudge._sandbox.provisioner import install_kernelspec
    from nbjudge._wire.errors import (
        CannotGrade,
        GraderError,
        KernelGone,
        KernelTimeout,
        OwnFailure,
        Refused,
        SandboxMissing,
        Unjudgeable,
        Unsendable,
    )
    from nbjudge._wire.limits import Limits

_ERRORS = (
    "CannotGrade",
    "GraderError",
    "KernelGone",
    "KernelTimeout",
    "OwnFailure",
    "Refused",
    "SandboxMissing",
    "Unjudgeable",
    "Unsendable",
)
_PLACES = {
    "SKIPPED": "_analysis.instructor",
    "Markers": "_analysis.instructor",
    "is_skipped": "_analysis.instructor",
    "is_test": "_analysis.instructor",
    "names_from_outside": "_analysis.plans",
    "Checked": "_commands.api",
    "check_course": "_commands.api",
    "check_notebook": "_commands.api",
    "grade_course": "_commands.api",
    "grade_notebook": "_commands.api",
    "Course": "_course.course",
    "Outcome": "_course.outcomes",
    "Status": "_course.outcomes",
    "Finding": "_execution.check",
    "Execution": "_execution.execute",
    "Verdict": "_execution.verdicts",
    "CanvasExporter": "_lms.export",
    "MoodleExporter": "_lms.export",
    "switch_on": "_nbgrader.configuration",
    "CollectOwn": "_nbgrader.exchange_collect",
    "clean_html": "_nbgrader.markup:clean",
    "tell_what_is_known": "_nbgrader.validating",
    "forget_students": "_report.history:forget",
    "similar_answers": "_report.similarity:similar_answers",
    "install_kernelspec": "_sandbox.provisioner",
    "Limits": "_wire.limits",
    **dict.fromkeys(_ERRORS, "_wire.errors"),
}

__all__ = [
    "SKIPPED",
    "CannotGrade",
    "CanvasExporter",
    "Checked",
    "CollectOwn",
    "Course",
    "Execution",
    "Finding",
    "GraderError",
    "KernelGone",
    "KernelTimeout",
    "Limits",
    "Markers",
    "MoodleExporter",
    "Outcome",
    "OwnFailure",
    "Refused",
    "SandboxMissing",
    "Status",
    "Unjudgeable",
    "Unsendable",
    "Verdict",
    "check_course",
    "check_notebook",
    "clean_html",
    "forget_students",
    "grade_course",
    "grade_notebook",
    "install_kernelspec",
    "is_skipped",
    "is_test",
    "names_from_outside",
    "similar_answers",
    "switch_on",
    "tell_what_is_known",
]


def __getattr__(name: str) -> Any:
    if (place := _PLACES.get(name)) is None:
        raise AttributeError(f"nbjudge has nothing public that is called {name}. Next: see `nbjudge.__all__`, or README.md.")
    module, _, own = place.partition(":")
    value = globals()[name] = getattr(importlib.import_module(f"nbjudge.{module}"), own or name)
    return value


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """What `nbjudge` is to Jupyter's server: pages to grade by hand."""
    return [{"module": "nbjudge._by_question.server"}]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
