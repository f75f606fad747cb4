"""`python -m authoring.paired`: `pair` for every lesson, where a text or a notebook is another one than after the last time.

To pair takes seconds to import and to do. What was seen the last time lies with the installed packages, which decide the notebooks, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTE = Path(sys.prefix) / "paired.json"
MAKING = ("authoring/lessons.py", "authoring/pairing.py", "attnlab/new_version.py")  # what makes one side of the other, besides jupytext


def main(root: Path = ROOT, note: Path = NOTE) -> int:
    """Pair what has moved; return the exit status."""
    texts = digests(root, "source/*/*.md")
    if noted(note) == _seen(root, texts):
        return 0
    from authoring.__main__ import main as run

    status = run(["pair"])
    if status == 0:
        seen = _seen(root, texts)  # with the texts as they were before: one that moved meanwhile is paired the next time
        write_note(note, seen)
    return status


def _seen(root: Path, texts: dict[str, str]) -> dict[str, str]:
    made = {name: digest for pattern in ("source/*/*.ipynb", *MAKING) for name, digest in digests(root, pattern).items()}
    return {"course": str(root), "jupytext": metadata.version("jupytext"), **texts, **made}


def digests(root: Path, pattern: str) -> dict[str, str]:
    """What files hold, by their names below `root`."""
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(root.glob(pattern))}


def write_note(note: Path, seen: object) -> None:
    """Keep what was seen; where that is not possible, everything is done again the next time."""
    with contextlib.suppress(OSError):
        note.write_text(json.dumps(seen), encoding="utf-8")


def noted(note: Path) -> object:
    """What was seen the last time; None where that is not known."""
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    sys.exit(main())
