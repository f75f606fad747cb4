"""Notebooks in `notebooks/` that somebody worked in: what the build makes anew, and what would be lost then."""

from __future__ import annotations

from pathlib import Path

import nbformat

from attnlab.new_version import ADDED, answers_in
from attnlab.wording import few_of
from authoring.errors import BuildError, Problem

MOST = 8  # answers that a message names


def refuse_where_answers_are(root: Path, path: Path) -> None:
    """Stop before a released notebook is made anew that somebody wrote into.

    Raises:
        BuildError: it holds answers, or cells that were added.
    """
    if answers := written_in(path):
        shown = path.relative_to(root)
        raise BuildError([Problem(shown, "whole file", f"it holds what the build would overwrite: {answers}", next_step(shown))])


def written_in(path: Path) -> str:
    """What somebody wrote into a released notebook, in words; empty where that is nothing, or where the file is no notebook."""
    try:
        answers = answers_in(nbformat.read(path, as_version=4))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, nbformat.ValidationError):
        return ""
    return few_of([name if name.startswith(ADDED) else f"an answer to {name}" for name in answers], MOST)


def next_step(shown: Path, again: str = "type the same command again") -> str:
    """What to do with a released notebook that holds answers, without a full stop; `again` is what follows."""
    place = Path("work", *shown.parts[1:])
    return (
        f"move it to {place.as_posix()}, or to another name there if that one is taken; `make lab` opens work/, which nothing overwrites. "
        f"Then {again}"
    )
