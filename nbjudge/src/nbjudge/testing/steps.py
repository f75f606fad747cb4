"""Single steps of the grader, for tests and benchmarks of a course. They may change with each release, and nothing else should use them."""

from nbjudge._analysis.instructor import Instructor, grade_id
from nbjudge._analysis.plans import plan_for
from nbjudge._course.given_files import given_files
from nbjudge._course.grading import grade_class
from nbjudge._course.intake import find_submissions
from nbjudge._course.outcomes import Submission
from nbjudge._course.process_pool import Engine, Job, LocalEngine, Pool
from nbjudge._course.tasks import refuse_another
from nbjudge._execution.execute import execute
from nbjudge._nbgrader.pages import markdown_to_html
from nbjudge._proxies.pickling import imported_submodules
from nbjudge._recovery.cells import Given, plain
from nbjudge._recovery.given import cells_in_files
from nbjudge._recovery.mending import Mended, mend
from nbjudge._report.causes import share_named
from nbjudge._report.command import make
from nbjudge._report.model import Cause
from nbjudge._sandbox.starting import WarmKernels

__all__ = [
    "Cause",
    "Engine",
    "Given",
    "Instructor",
    "Job",
    "LocalEngine",
    "Mended",
    "Pool",
    "Submission",
    "WarmKernels",
    "cells_in_files",
    "execute",
    "find_submissions",
    "given_files",
    "grade_class",
    "grade_id",
    "imported_submodules",
    "make",
    "markdown_to_html",
    "mend",
    "plain",
    "plan_for",
    "refuse_another",
    "share_named",
]
