"""What a course writes into its `nbgrader_config.py` so that the grader grades it."""

from __future__ import annotations

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import (
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
)
from traitlets.config import Config
from traitlets.config.loader import LazyConfigValue

from nbjudge._nbgrader.copying import bound_what_is_copied
from nbjudge._nbgrader.late_penalties import LatePenalties
from nbjudge._nbgrader.pages import SAFE, TEMPLATE, TEMPLATES
from nbjudge._nbgrader.preprocessors import Execute, HideTests, NameCells, RecoverCells, SaveGrades
from nbjudge._nbgrader.process_limit import MakeHarmless
from nbjudge._nbgrader.validating import tell_what_is_known


def switch_on(c: Config, follow_through: bool = False) -> None:
    """Let the grader execute submissions, in `nbgrader autograde`, in the formgrader and in `nbjudge grade`, and Validate be true.

    nbgrader's own steps go on doing everything else. Whatever is set in `c` afterwards counts.

    Args:
        c: what `get_config()` returns in `nbgrader_config.py`.
        follow_through: whether what an exercise calls of earlier exercises is the solution's where the student's own failed its test, so that one
            slip costs its own points alone. Off, the points are those that nbgrader's own execution gives.
    """
    c.Execute.follow_through = follow_through
    # Nothing checks the metadata of a submission: `RecoverCells` takes them from the gradebook.
    c.Autograde.sanitize_preprocessors = [RecoverCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells]
    c.Autograde.autograde_preprocessors = [
        Execute,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        SaveGrades,
        LatePenalties,
        HideTests,
        MakeHarmless,
    ]
    c.OverwriteCells.add_missing_cells = True  # a test cell that was deleted is put back
    usual, chosen = GenerateAssignment().preprocessors, c.GenerateAssignment.get("preprocessors")
    releasing = chosen.get_value(usual) if isinstance(chosen, LazyConfigValue) else chosen or usual
    c.GenerateAssignment.preprocessors = [*(step for step in releasing if step is not NameCells), NameCells]
    c.GenerateFeedback.preprocessors = [GetGrades, HideTests, "nbjudge._nbgrader.feedback.TellGrades"]
    c.GenerateFeedback.exporter_class = "nbjudge._nbgrader.pages.FeedbackExporter"
    c.FeedbackExporter.preprocessors = []  # it cleans by itself, and what the formgrader's pages show besides is not for students
    c.FeedbackExporter.template_name = TEMPLATE
    c.FeedbackExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.HTMLExporter.update(SAFE)  # the formgrader's pages, too
    tell_what_is_known()
    bound_what_is_copied()
