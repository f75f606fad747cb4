"""What a report says of a course."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from nbjudge._course.course import Course
from nbjudge._report.command import make
from nbjudge._report.model import Cause, ReportData


def whole_of(root: Path, hide_names: bool = False) -> ReportData:
    return make(Course(root), Console(quiet=True), hide_names)


def causes_of(whole: ReportData, question: str = "double_test") -> list[Cause]:
    return [cause for part in whole.parts for cause in part.causes if cause.question.name == question]
