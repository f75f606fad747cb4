"""Who belongs to a run."""

from __future__ import annotations

from pathlib import Path


def descendants(process: int) -> set[str]:
    """Numbers of all processes below `process`."""
    parents = {folder.name: _parent(folder) for folder in Path("/proc").glob("[0-9]*")}
    family, added = set(), {str(process)}
    while added:
        added = {name for name, parent in parents.items() if parent in added}
        family |= added
    return family


def _parent(folder: Path) -> str:
    try:
        return (folder / "stat").read_text().rsplit(")", 1)[1].split()[1]
    except OSError:
        return ""
