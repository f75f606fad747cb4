"""What a course writes into its `nbgrader_config.py` so that the examiner grades it."""

from __future__ import annotations

from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import (
    AssignLatePenalties,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config
from traitlets.config.loader import LazyConfigValue

from examiner.nbgrader_steps.limited import MakeHarmless
from examiner.nbgrader_steps.pages import SAFE, TEMPLATE, TEMPLATES
from examiner.nbgrader_steps.preprocessors import Execute, HideTests
from examiner.nbgrader_steps.recovering import NameCells, RecoverCells
from examiner.nbgrader_steps.validating import tell_what_is_known


def switch_on(c: Config) -> None:
    """Let the examiner execute submissions, in `nbgrader autograde`, in the formgrader and in `examiner grade`, and Validate be true.

    nbgrader's own steps go on doing everything else. Whatever is set in `c` afterwards counts.

    Args:
        c: what `get_config()` returns in `nbgrader_config.py`.
    """
    # Nothing checks the metadata of a submission: `RecoverCells` takes them from the gradebook.
    c.Autograde.sanitize_preprocessors = [RecoverCells, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells]
    c.Autograde.autograde_preprocessors = [
        Execute,
        IgnorePattern,
        ClearMetadataPreprocessor,
        LimitOutput,
        SaveAutoGrades,
        AssignLatePenalties,
        HideTests,
        MakeHarmless,
    ]
    c.OverwriteCells.add_missing_cells = True  # a test cell that was deleted is put back
    usual, chosen = GenerateAssignment().preprocessors, c.GenerateAssignment.get("preprocessors")
    releasing = chosen.get_value(usual) if isinstance(chosen, LazyConfigValue) else chosen or usual
    c.GenerateAssignment.preprocessors = [*(step for step in releasing if step is not NameCells), NameCells]
    c.GenerateFeedback.preprocessors = [GetGrades, HideTests, "examiner.nbgrader_steps.feedback.TellGrades"]
    c.GenerateFeedback.exporter_class = "examiner.nbgrader_steps.pages.FeedbackExporter"
    c.FeedbackExporter.preprocessors = []  # it cleans by itself, and what the formgrader's pages show besides is not for students
    c.FeedbackExporter.template_name = TEMPLATE
    c.FeedbackExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.HTMLExporter.update(SAFE)  # the formgrader's pages, too
    tell_what_is_known()
