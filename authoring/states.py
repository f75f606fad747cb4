"""Train what lessons offer as trained, and write it to `attnlab/data/states`, where `training.load` finds it."""

from __future__ import annotations

import nbformat

from attnlab.training import stored
from authoring.answers import Namespace
from authoring.lessons import Lesson


def write_states(lesson: Lesson) -> None:
    """Train every model that `states.py` beside the lesson's text names, as the lesson trains it; lessons without that file have none.

    It is no part of the build: a training on another processor ends in other parameters, and those that are there stay good until the lesson's
    models get other sizes.
    """
    if not lesson.states.exists():
        return
    solved = Namespace(nbformat.read(lesson.solution, as_version=4))
    for name, trained in lesson.defined_in(lesson.states)["STATES"].items():
        stored.store(name, trained(solved), lesson.data.parent / stored.FOLDER)
