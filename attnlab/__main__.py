"""Open the course in JupyterLab: `python -m attnlab`, in the folder of the course."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from attnlab.lab.opening import Lab, Stop, not_installed, open_lab, read_port

JUPYTER = Path(__file__).parent / "lab" / "jupyter"
START = "start.ipynb"


def main(arguments: list[str]) -> int:
    """Open JupyterLab at the start page, and come back when it has ended; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m attnlab", description=__doc__, allow_abbrev=False)
    parser.add_argument("--port", default="", help="where JupyterLab opens; 8888, or the next port that is free")
    asked = parser.parse_args(arguments)
    again = "make lab PORT=8890" if os.environ.get("MAKELEVEL") else "python -m attnlab --port 8890"
    try:
        port = read_port(asked.port, again)
        work = folder_to_work_in()
        use_settings()
        open_lab(Lab(work, f"lab/tree/{START}", lab_options(), again), port)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(not_installed(error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def folder_to_work_in() -> Path:
    """The folder with the learner's own copy of the lessons, which is made or brought up to date here.

    Raises:
        Stop: there are no lessons, or the copy cannot be made.
        ModuleNotFoundError: the course's packages are not installed.
    """
    from attnlab.working_copy import WorkingCopyError, bring  # here, where a package that is missing is told in a sentence

    course = course_folder()
    work = course / "work"
    try:
        said = bring(course / "notebooks", work)
    except WorkingCopyError as error:
        raise Stop(str(error)) from error
    for line in said:
        print(line)
    return work


def course_folder() -> Path:
    """The folder that holds `notebooks/`: this one, one above it, or the one that `attnlab` lies in.

    Raises:
        Stop: none of them does.
    """
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).resolve().parents[1]):
        if (folder / "notebooks" / START).is_file():
            return folder
    raise Stop(f"There are no lessons in {here}. Next: change to the folder of the course, which holds notebooks/, then type the same command again.")


def use_settings() -> None:
    """Let Jupyter and nbgrader in this process read what they have to know of a learner's JupyterLab."""
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, [str(JUPYTER / "config"), others]))


def lab_options() -> tuple[str, ...]:
    """The learner's settings and Resume; and Validate where it lies beside nbjudge's own folder, as in a clone, and not where Jupyter looks."""
    options = [f"--LabApp.app_settings_dir={JUPYTER / 'settings'}", f"--LabApp.extra_labextensions_path={JUPYTER / 'labextensions'}"]
    nbjudge = find_spec("nbjudge")
    if nbjudge and nbjudge.origin and (extensions := Path(nbjudge.origin).parents[2] / "labextensions").is_dir():
        options.append(f"--LabApp.extra_labextensions_path={extensions}")
    return tuple(options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
