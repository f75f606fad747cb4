"""Which files of the site are ours, and which are JupyterLite's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from website.building import LITE


def ours(site: Path, pattern: str = "*") -> Iterator[Path]:
    """The files of the pages, wherever they lie, but not those of JupyterLite."""
    return (path for path in site.rglob(pattern) if path.is_file() and path.relative_to(site).parts[0] != LITE)
