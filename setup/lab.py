"""Open JupyterLab for an instructor, in the course's own folder and with nbgrader's panels. Usage: python setup/lab.py [PORT]"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from attnlab.lab.opening import Lab, Stop, open_lab, read_port

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "setup" / "lab_settings" / "instructor"
EXTENSIONS = ROOT / "nbjudge" / "labextensions"  # Validate in place of nbgrader's
START = "nbjudge/by-question"  # the questions that need a person, from which the formgrader and JupyterLab are one click
AGAIN = "make formgrader PORT=8890"
NO_EXCHANGE = "Unwritable directory, please contact your instructor"  # nbgrader's formgrader says so where it has no exchange to release to


def main(arguments: list[str]) -> int:
    """Open JupyterLab, and come back when it has ended; return the exit status."""
    os.chdir(ROOT)  # where nbgrader looks for its configuration
    options = (
        f"--LabApp.app_settings_dir={SETTINGS}",
        f"--LabApp.extra_labextensions_path={EXTENSIONS}",
        "--ServerApp.jpserver_extensions=nbjudge=True",
    )
    try:
        open_lab(Lab(ROOT, START, options, AGAIN, (NO_EXCHANGE,)), read_port("".join(arguments[:1]), AGAIN))
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
