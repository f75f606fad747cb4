"""The only place that joins the lessons, nbgrader and the examiner."""

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties, CheckCellMetadata, ClearHiddenTests, ClearMarkScheme, ClearOutput, ComputeChecksums, DeduplicateIds, Execute,
    GetGrades, IgnorePattern, IncludeHeaderFooter, InstantiateTests, LimitOutput, LockCells, OverwriteKernelspec, SaveAutoGrades,
    SaveCells,
)

from authoring.preprocessors import ClearSolutionsWithStubs, PolishRelease
from examiner.feedback import HideHiddenTests
from examiner.restore import RestoreCells

c = get_config()  # noqa: F821 (nbgrader defines it)

# Where things are. The other folders keep nbgrader's own names.
c.CourseDirectory.course_id = "self-attention"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.solution_directory = "solutions"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.md", "references.py"]

# The release: nbgrader's steps, with stubs that say what to do and checks that let "Run All" go on.
c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter, InstantiateTests, LockCells, ClearSolutionsWithStubs, ClearOutput, CheckCellMetadata,
    ComputeChecksums, SaveCells, ClearHiddenTests, ClearMarkScheme, PolishRelease, ComputeChecksums, CheckCellMetadata,
]
c.ClearSolutionsWithStubs.code_stub = {
    "python": "# Your code goes here, in place of the next line.\nraise NotImplementedError(\"not written yet\")",
}
c.ClearSolutionsWithStubs.text_stub = "*Your answer goes here: double-click, replace this line, press Shift+Enter.*"

# Grading. This list's first step is the seam: whatever executes a submission stands there.
c.Autograde.autograde_preprocessors = [
    Execute, IgnorePattern, ClearMetadataPreprocessor, LimitOutput, SaveAutoGrades, AssignLatePenalties, CheckCellMetadata,
]
c.Execute.timeout = 15  # seconds for one cell; the lessons' own take less than one
c.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"]
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"(?s).*"  # a warning on stderr is no mistake; nbgrader would take all points for it
c.Autograde.sanitize_preprocessors = [ClearOutput, DeduplicateIds, OverwriteKernelspec, RestoreCells, CheckCellMetadata]
c.RestoreCells.add_missing_cells = True  # a test cell that was deleted is put back

# Feedback: students read their points and messages, not the hidden tests.
c.GenerateFeedback.preprocessors = [GetGrades, HideHiddenTests, CSSHTMLHeaderPreprocessor]
c.HTMLExporter.filters = {"markdown2html": "examiner.feedback.markdown_to_html"}  # cards are tables in block quotes
