"""What the pages take from npm as it comes: the library that searches, and the font of formulas.

`lite/package.json` pins them, and `lite/fetching.py` gets them.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from authoring.bundle.refusal import Refused
from website.lite.fetching import FETCH, MODULES

FILES = {
    # MiniSearch: small, without dependencies, finds beginnings of words and forgives typing errors
    "minisearch.js": "minisearch/dist/umd/index.js",
    "minisearch.LICENSE.txt": "minisearch/LICENSE.txt",
    # STIX Two Math: its large operators and roots are what MathML needs; Chromium and Firefox have no such font by themselves
    "stix-two-math.woff2": "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2",
    "stix-two-math.LICENSE.txt": "@fontsource/stix-two-math/LICENSE",
}


def copy_packages(to: Path) -> None:
    """Copy the files, with their licences.

    Raises:
        Refused: one was not fetched.
    """
    for name, path in FILES.items():
        if not (MODULES / path).is_file():
            raise Refused(f"{path} has not been fetched", FETCH)
        shutil.copyfile(MODULES / path, to / name)
