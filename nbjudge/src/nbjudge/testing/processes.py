"""Who belongs to a run, and who is there."""

from __future__ import annotations

from pathlib import Path


def descendants(process: int) -> set[str]:
    """Numbers of all processes below `process`."""
    parents = {folder.name: parent(folder.name) for folder in Path("/proc").glob("[0-9]*")}
    family, added = set(), {str(process)}
    while added:
        added = {name for name, parent in parents.items() if parent in added}
        family |= added
    return family


def parent(process: str) -> str:
    """The number of the process that started it, or "" where it is gone."""
    return _about(process)[1]


def is_running(process: str) -> bool:
    """Whether it is there, and has not ended without anybody having asked for its exit status."""
    return _about(process)[0] not in ("", "Z")


def _about(process: str) -> tuple[str, str]:
    """The state of a process and the number of its parent; empty where it is gone."""
    try:
        state, number, *_ = Path("/proc", process, "stat").read_text().rsplit(")", 1)[1].split()
    except (OSError, IndexError):
        return "", ""
    return state, number
