"""`python -m authoring release`: make the bundle, look for answers in it, write it, say what it is good for."""

from __future__ import annotations

import sys
from pathlib import Path

from authoring.bundle.answers_inside import refuse_answers
from authoring.bundle.contents import bundle_name, make_contents
from authoring.bundle.packing import write_bundle
from authoring.bundle.refusal import Refused
from authoring.errors import BuildError
from authoring.lessons import find_lessons

HELP = "write what learners get to dist/, as a folder and as a zip"


def write_release(root: Path, address: str) -> int:
    """Write the bundle and say what to do with it; return the exit status.

    Args:
        root: the folder of the project.
        address: where the bundle will be published, or an empty string.
    """
    dist = root / "dist"
    try:
        contents = make_contents(root, address)
        refuse_answers(contents, find_lessons(root))
        name = bundle_name(root)
        kept = write_bundle(contents, name, dist)
    except (Refused, BuildError) as error:
        print(error, file=sys.stderr)
        return 1
    if kept:
        print(f"dist/{name} held what no release had written there. It is now in dist/{kept.name}.")
    print(f"Wrote dist/{name}.zip and dist/{name}/, {len(contents)} files each: the lessons, what they import, and a page for learners.")
    print(
        f"Next: give learners the zip, or publish the folder's content as a repository of its own{f' at {address}' if address else ''}. "
        "Everything else here stays with you."
    )
    return 0
