"""Late penalties by the rules in `dates.csv`, through nbgrader's own step and plugin, so that every program of nbgrader's shows the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Gradebook, SubmittedAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config

from nbjudge._common.due_dates import DATES, Dates, read_dates, without_zone
from nbjudge._common.late_rules import LateRule
from nbjudge._common.roster import CLASS, read_roster
from nbjudge._wire.file_stamps import FileStamp, stamp_of


class LatePenalties(AssignLatePenalties):
    """nbgrader's step, which first tells the gradebook what `dates.csv` says of the submission. Without that file it is nbgrader's own."""

    dates: Dates | None = None

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        """As nbgrader's.

        Raises:
            CannotGrade: `dates.csv` or `class.csv` is wrong.
        """
        self.dates = _dates_of(self)
        if self.dates is not None:
            about = resources["nbgrader"]
            with Gradebook(about["db_url"]) as gradebook:
                set_dates(gradebook.find_submission(about["assignment"], about["student"]), self.dates)
                gradebook.db.commit()
            if self.dates.rule(about["assignment"]) is not None:
                self.plugin_class = ByDates
        return super().preprocess(nb, resources)


class ByDates(LateSubmissionPlugin):
    """nbgrader's plugin, for the step `LatePenalties`."""

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """The share of a notebook in what is taken off its submission. Other notebooks of the submission get theirs anew, too."""
        step = self.parent
        rule = step.dates.rule(step.assignment_id)
        submission = step.gradebook.find_submission(step.assignment_id, student_id)
        scores = {notebook.name: float(notebook.score) for notebook in submission.notebooks}
        found = shares(scores, float(submission.max_score), rule, timedelta(seconds=total_seconds_late))
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = found[notebook.name]
        return found[step.notebook_id]


def set_dates(submission: SubmittedAssignment, dates: Dates) -> None:
    """Write the due date of an assignment, and the extension of one submission, as `dates.csv` has them."""
    name, student = submission.assignment.name, submission.student_id
    if (due := dates.due_at(name)) is None:
        return
    submission.assignment.duedate = without_zone(due)
    if (own := dates.extensions.get((name, student))) is not None:
        submission.extension = own - due


def shares(scores: Mapping[str, float], possible: float, rule: LateRule, late: timedelta) -> dict[str, float | None]:
    """What is taken off each notebook of a submission, in proportion to its points; None for nothing.

    Args:
        scores: the points of each notebook, by anything that names it.
        possible: those of the assignment.
        late: how long after its due date the submission came.
    """
    own = {notebook: max(0.0, score) for notebook, score in scores.items()}
    earned = sum(own.values())
    taken = rule.penalty(earned, possible, late)
    return {notebook: min(score, taken * score / earned) if taken else None for notebook, score in own.items()}


def has_own_plugin(config: Config) -> bool:
    """Whether a course's configuration chooses another late penalty of nbgrader's than none."""
    chosen: Any = config.AssignLatePenalties.get("plugin_class", "") if "AssignLatePenalties" in config else ""
    method = config.LateSubmissionPlugin.get("penalty_method", "none") if "LateSubmissionPlugin" in config else "none"
    return bool(chosen) or method != "none"


def _dates_of(step: LatePenalties) -> Dates | None:
    folders = CourseDirectory(parent=step)
    root = Path(folders.root)
    if not (root / DATES).exists():
        return None
    names = tuple(path.name for path in (root / folders.source_directory).glob("*/") if any(path.glob("*.ipynb")))
    stamps = (stamp_of(str(path)) if path.exists() else None for path in (root / DATES, root / CLASS))
    return _read(root, str(step.config.Exchange.get("timezone", "")), names, *stamps)


@lru_cache(maxsize=1)
def _read(root: Path, timezone: str, names: tuple[str, ...], *_: FileStamp | None) -> Dates | None:
    """Both files, read once as long as they stay as they are: the step is called for every notebook."""
    return read_dates(root, Config({"Exchange": {"timezone": timezone}}), names, read_roster(root))
