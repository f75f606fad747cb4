"""The only place that joins the lessons, nbgrader and the examiner."""

from nbgrader.preprocessors import (
    CheckCellMetadata, ClearHiddenTests, ClearMarkScheme, ClearOutput, ComputeChecksums, IncludeHeaderFooter,
    InstantiateTests, LockCells, SaveCells,
)

from authoring.preprocessors import ClearSolutionsWithStubs, PolishRelease

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
    "python": "# Your code goes here. Delete the next line when you start.\n"
              "raise NotImplementedError(\"not written yet: this cell waits for your code\")",
}
c.ClearSolutionsWithStubs.text_stub = "*Your answer goes here: double-click, replace this line, press Shift+Enter.*"
