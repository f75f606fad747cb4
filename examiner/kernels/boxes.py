"""The folder in which a warm process keeps its kernels' boxes; and what is left of runs that were killed."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import tempfile
from pathlib import Path
from typing import IO

PLACE = Path("/tmp")  # short, because the path of a socket may not exceed about 100 characters
LOCK = "lock"  # held by the owner; the system lets go of it when the owner is gone


def new_folder() -> tuple[Path, IO[str]]:
    """A new empty folder, and the lock that says it is in use: close it to let go."""
    remove_left()
    folder = Path(tempfile.mkdtemp(prefix="examiner.", dir=PLACE))
    folder.chmod(0o711)
    lock = (folder / LOCK).open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    final = folder.with_name(folder.name.replace("examiner.", "examiner-"))  # from now on it may be found
    return folder.rename(final), lock


def remove_left() -> None:
    """Remove folders whose owner was killed."""
    for path in PLACE.glob(f"examiner-*/{LOCK}"):
        with contextlib.suppress(OSError), path.open() as lock:  # somebody else's folder is not ours to open
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path.parent)
