"""`python -m authoring build`, with the noise in it where the environment asks for that."""

from __future__ import annotations

import sys

from authoring.__main__ import main
from tests.portable.profile import disturb_this_process

if __name__ == "__main__":
    disturb_this_process()
    sys.exit(main(["build"]))
