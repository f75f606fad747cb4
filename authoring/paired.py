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
    texts = _digests(root, "source/*/*.md")
    if _noted(note) == _seen(root, texts):
        return 0
    from authoring.__main__ import main as run

    status = run(["pair"])
    if status == 0:
        seen = _seen(root, texts)  # with the texts as they were before: one that moved meanwhile is paired the next time
        with contextlib.suppress(OSError):
            note.write_text(json.dumps(seen), encoding="utf-8")
    return status


def _seen(root: Path, texts: dict[str, str]) -> dict[str, str]:
    made = {name: digest for pattern in ("source/*/*.ipynb", *MAKING) for name, digest in _digests(root, pattern).items()}
    return {"course": str(root), "jupytext": metadata.version("jupytext"), **texts, **made}


def _digests(root: Path, pattern: str) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(root.glob(pattern))}


def _noted(note: Path) -> object:
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


if __name__ == "__main__":
    sys.exit(main())
