"""Stock nbgrader on one course: releases the assignment `first`, autogrades `student`, writes points or the error as JSON.

Arguments: the course's folder, the file descriptor for the result, nbgrader's timeout of a cell in seconds.
"""

import json
import logging
import os
import re
import sys

from friend import friend
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

ERROR = re.compile(r"^(?:\w+\.)*(\w+(?:Error|Exception|Interrupt|Timeout))\b", re.MULTILINE)


class Errors(logging.Handler):
    """Remembers the names of the errors that nbgrader writes to its log."""

    def __init__(self):
        super().__init__()
        self.names: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        self.names += ERROR.findall(text)


def main() -> None:
    """Grade, and end at once: what is left running is not waited for."""
    folder, results, seconds = sys.argv[1], int(sys.argv[2]), int(float(sys.argv[3]))
    os.set_inheritable(results, False)
    os.chdir(folder)
    with friend():
        result = grade(folder, seconds)
    os.write(results, json.dumps(result).encode())
    os._exit(0)


def grade(folder: str, seconds: int) -> dict:
    """Points of each test cell, or the error that nbgrader stops with."""
    config = Config()
    config.CourseDirectory.root = folder
    config.CourseDirectory.assignment_id = "first"
    config.OverwriteCells.add_missing_cells = True
    config.Execute.timeout = seconds
    GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).start()
    config.CourseDirectory.student_id = "student"
    errors = Errors()
    try:
        autograde = Autograde(coursedir=CourseDirectory(config=config), config=config)
        autograde.log = logging.Logger("nbgrader")
        autograde.log.addHandler(errors)
        autograde.start()
        with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
            submission = gradebook.find_submission("first", "student")
            return {"points": {grade.name: grade.score for notebook in submission.notebooks for grade in notebook.grades}}
    except BaseException as error:
        return {"error": (errors.names or [type(error).__name__])[-1]}


if __name__ == "__main__":
    main()
