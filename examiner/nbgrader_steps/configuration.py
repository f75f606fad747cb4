"""What a course writes into its `nbgrader_config.py` so that the examiner grades it."""

from __future__ import annotations

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
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

from examiner.nbgrader_steps.limited import MakeHarmless
from examiner.nbgrader_steps.pages import SAFE
from examiner.nbgrader_steps.preprocessors import Execute, HideTests, RestoreMetadata


def switch_on(c: Config) -> None:
    """Let the examiner execute submissions, in `nbgrader autograde`, in the formgrader and in `examiner grade`.

    nbgrader's own steps go on doing everything else. Whatever is set in `c` afterwards counts.

    Args:
        c: what `get_config()` returns in `nbgrader_config.py`.
    """
    # Nothing checks the metadata of a submission: `RestoreMetadata` takes them from the gradebook.
    c.Autograde.sanitize_preprocessors = [RestoreMetadata, ClearOutput, DeduplicateIds, OverwriteKernelspec, OverwriteCells]
    c.Autograde.autograde_preprocessors = [
        Execute, IgnorePattern, ClearMetadataPreprocessor, LimitOutput, SaveAutoGrades, AssignLatePenalties, HideTests, MakeHarmless,
    ]
    c.OverwriteCells.add_missing_cells = True  # a test cell that was deleted is put back
    c.GenerateFeedback.preprocessors = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]
    c.GenerateFeedback.exporter_class = "examiner.nbgrader_steps.pages.FeedbackExporter"
    c.HTMLExporter.update(SAFE)  # the formgrader's pages, too
