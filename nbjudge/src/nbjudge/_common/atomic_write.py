"""A file that is written whole, or not at all: neither a full disk nor a killed process leaves half of one; and what is said of a full disk."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

DISK_FULL, MAKE_ROOM = "the disk is full", "make room, then run the same command again"


def write_atomically(path: Path, content: bytes) -> None:
    """Put a file with this content in the place of what is there, with its permissions.

    Raises:
        OSError: it cannot be written. What was there before is there still.
    """
    fresh = path.with_name(f".new-{secrets.token_hex(8)}")
    try:
        with fresh.open("xb") as file:
            file.write(content)
        with contextlib.suppress(FileNotFoundError):
            fresh.chmod(path.stat().st_mode)
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
