"""`python -m website`: build the site."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from authoring.bundle.refusal import Refused
from authoring.errors import BuildError
from authoring.lessons import ROOT
from website.building import build
from website.lite.fetching import host_of_numpy


def main(arguments: list[str] | None = None) -> int:
    """Build the site and say where it is; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m website", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "site", metavar="FOLDER", help="where it is written; site/ by default")
    to = parser.parse_args(arguments).to.absolute()
    try:
        pages = build(ROOT, to)
    except (Refused, BuildError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"NumPy and matplotlib in the browser come from {host_of_numpy() or 'this site'}.")
    print(f"Wrote {pages} pages. Next: open {to / 'index.html'}, or put the folder on any web server.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
