"""The lessons that a learner works in: copies of those in `notebooks/`, in a folder of their own."""

from __future__ import annotations

import shutil
from pathlib import Path


class WorkingCopyError(Exception):
    """There is no folder to work in; the text says why and what to do next."""


def bring(notebooks: Path, work: Path) -> list[str]:
    """Copy what is in `notebooks` and not in `work` yet; return what to tell the learner, line by line.

    Raises:
        WorkingCopyError: the folder cannot be written.
    """
    try:
        for path in sorted(notebooks.rglob("*.ipynb")):
            copy = work / path.relative_to(notebooks)
            if not copy.exists() and ".ipynb_checkpoints" not in path.parts:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    except OSError as error:
        raise WorkingCopyError(f"{work} cannot be written ({error.strerror}). Next: see to it that you may write there, then start again.") from error
    return []
