"""`python -m website`: build the site."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path

from authoring.bundle.contents import bundle_name
from authoring.bundle.refusal import Refused
from authoring.errors import BuildError
from authoring.lessons import ROOT
from website.building import build
from website.lite.fetching import host_of_numpy


def main(arguments: list[str] | None = None) -> int:
    """Build the site and say where it is; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "site", metavar="FOLDER", help="where it is written; site/ by default")
    parser.add_argument("--address", default="", metavar="URL", help="where it will be published; previews of links need it")
    chosen = parser.parse_args(arguments)
    to = chosen.to.absolute()
    try:
        pages = build(ROOT, to, chosen.address)
    except (Refused, BuildError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"NumPy and matplotlib in the browser come from {host_of_numpy() or 'this site'}.")
    shown = shlex.quote(os.path.relpath(to)) if to.is_relative_to(Path.cwd()) else shlex.quote(str(to))
    print(f"Wrote {pages} pages, and {bundle_name(ROOT)}.zip for learners, to {shown}.")
    print(f"Next: type `python3 -m http.server --bind 127.0.0.1 --directory {shown}`, and open http://127.0.0.1:8000.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
