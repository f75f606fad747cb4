"""The only place that joins the lessons, nbgrader and nbjudge, which grades them."""

from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ComputeChecksums,
    IncludeHeaderFooter,
    InstantiateTests,
    LockCells,
    SaveCells,
)

try:
    from authoring.preprocessors import ClearSolutionsWithStubs, KeepWhatIsMeant, PolishRelease
    from nbjudge import switch_on
except ImportError as error:  # after any other error nbgrader goes on without this file, and grades without a sandbox
    raise SystemExit(f"This course cannot be read ({error}). Nothing was done. Next: pip install -r requirements.txt") from error

c = get_config()

# Where things are. The other folders keep nbgrader's own names.
c.CourseDirectory.course_id = "self-attention"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.solution_directory = "solutions"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "*.md", "states.py", "run.py", "predictions.toml", "answers"]

# The release: nbgrader's steps, with stubs that say what to do and checks that let "Run All" go on.
c.GenerateAssignment.preprocessors = [
    KeepWhatIsMeant,
    IncludeHeaderFooter,
    InstantiateTests,
    LockCells,
    ClearSolutionsWithStubs,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    PolishRelease,
    ComputeChecksums,
    CheckCellMetadata,
]
c.ClearSolutionsWithStubs.code_stub = {
    "python": '# Your code goes here, in place of the next line.\nraise NotImplementedError("not written yet")',
}
c.ClearSolutionsWithStubs.text_stub = "*Your answer goes here: click this line once, press Enter, write in its place, press Shift+Enter.*"

# Grading. The grader executes submissions: students' cells in a sandbox, test cells in a process of its own. nbgrader's own
# steps do everything else, so `nbgrader autograde` and the formgrader grade in the same way. A slip costs its own points: what an exercise
# calls of earlier ones is the solution's where the student's own failed its test.
switch_on(c, follow_through=True)
c.Exporter.optimistic_validation = True  # a notebook is validated once after all steps, not after each
c.Execute.packages = ["attnlab"]  # what lessons import from this folder; students' cells see nothing else of it
# The lessons' own cells take less than one second, their tests less than five; one trains four models, each of which may take five seconds.
c.Execute.limits = {"cell_seconds": 10, "test_seconds": 25}  # see nbjudge/src/nbjudge/_wire/limits.py
c.Report.ending = "_test"
c.Report.optional = ["2b_columns", "3b_backward_pass", "5b_rotary_positions", "8_real_model"]
