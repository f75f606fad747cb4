"""Lay out the folder of a hub: the environment that everybody's server runs from, our packages, the settings, the exchange.

Usage: sudo python3 deploy/jupyterhub/install.py FOLDER INSTRUCTOR COURSE, the last being the instructor's copy of this repository.

All of it can be read by every account, apart from `state/`; none of it is an answer or a hidden test. Run it again after a change of the course.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHONS = ("python3.11", "python3.12", "python3.13", "python3.14", "python3")
PLACES = (*os.environ.get("PATH", os.defpath).split(os.pathsep), "/usr/local/bin", "/usr/bin")
OLDEST = (3, 11)
NOBODY = 65534
# The learner's bundle, as a folder: what `make release` writes.
RELEASE = """
import sys
from pathlib import Path
from authoring.bundle.contents import bundle_name, make_contents
from authoring.bundle.packing import write_bundle
course, dist = map(Path, sys.argv[1:])
write_bundle(make_contents(course), bundle_name(course), dist)
"""
# What of the course's own configuration students' nbgrader has to know.
COURSE_FACTS = """
import json
from nbgrader.apps import NbGraderApp
app = NbGraderApp()
app.load_config_file()
print(json.dumps({"course_id": app.config.CourseDirectory.course_id, "ending": app.config.Report.get("ending", "")}))
"""


class Stop(Exception):
    """It cannot go on; the text says why and what to do next."""


def lay_out(folder: Path, environment: Path, instructor: str, course: Path) -> None:
    """Make or renew everything that a hub needs, apart from accounts, the environment and the instructor's copy of the course.

    Args:
        folder: the hub's folder.
        environment: the environment that everybody's server runs from.
        instructor: the account that owns the course's folders in the exchange.
        course: the instructor's copy of the course.

    Raises:
        Stop: a step failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    (folder / "state").mkdir(mode=0o700, exist_ok=True)
    install_own_packages(folder / "packages", environment, instructor, course)
    facts = copy_settings(folder / "settings", environment, instructor, course)
    make_exchange(folder / "exchange", facts["course_id"], instructor)


def make_environment(folder: Path) -> Path:
    """An environment with the class's packages, JupyterHub and its proxy, made once for each state of the pins.

    Args:
        folder: where environments are kept. One that no hub uses any more is removed when another is made.

    Returns:
        Its folder.

    Raises:
        Stop: it could not be made.
    """
    pins = [line for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("-e")]
    python = python_for_everybody()
    inputs = [python, *pins, *(path.read_text(encoding="utf-8") for path in (HERE / "requirements.txt", HERE / "proxy/package-lock.json"))]
    environment = folder / hashlib.sha256("\n".join(inputs).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (environment / "complete").exists():
            print("Setting up the hub's packages; the first time takes some minutes.", flush=True)
            for old in folder.glob("*/complete"):
                _remove_unless_used(old)
            shutil.rmtree(environment, ignore_errors=True)
            _fill(environment, python, pins)
            (environment / "complete").touch()
    return environment


def use(environment: Path) -> object:
    """Keep an environment from being removed for as long as the returned object lives."""
    mark = (environment / "complete").open()
    fcntl.flock(mark, fcntl.LOCK_SH)
    return mark


def _remove_unless_used(mark: Path) -> None:
    with mark.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        shutil.rmtree(mark.parent)


def _fill(environment: Path, python: str, pins: list[str]) -> None:
    run([python, "-m", "venv", environment], "The hub's environment cannot be made")
    own = environment / "requirements.txt"
    own.write_text("\n".join(pins), encoding="utf-8")
    run(
        [environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "-r", own, "-r", HERE / "requirements.txt"],
        "The hub's packages cannot be installed",
    )
    shutil.copytree(HERE / "proxy", environment / "proxy")
    cache = environment / "proxy/cache"
    run(
        [environment / "bin/npm", "ci", "--no-fund", "--no-audit", "--ignore-scripts", "--cache", cache],
        "The hub's proxy cannot be installed",
        cwd=environment / "proxy",
        PATH=f"{environment / 'bin'}:{os.environ['PATH']}",
    )
    shutil.rmtree(cache, ignore_errors=True)
    run(["chmod", "-R", "go+rX,go-w", environment], "The hub's environment cannot be opened to all accounts")


def install_own_packages(folder: Path, environment: Path, instructor: str, course: Path) -> None:
    """Install what `make release` gives learners to import, and the grader, where every account finds them, anew.

    All of it is made by the instructor's account: what builds it stands in the instructor's folder.

    Raises:
        Stop: a step failed.
    """
    owner = pwd.getpwnam(instructor)
    with tempfile.TemporaryDirectory() as scratch:
        os.chown(scratch, owner.pw_uid, owner.pw_gid)
        run(
            [environment / "bin/python", "-c", RELEASE, course, Path(scratch, "dist")],
            "What learners get cannot be made",
            cwd=course,
            user=instructor,
            PYTHONPATH=sources(course),
        )
        run(["cp", "-R", course / "nbjudge", scratch], "The grader cannot be installed", cwd=course, user=instructor)  # a build leaves files
        run(
            [
                environment / "bin/pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-cache-dir",
                "--no-deps",
                "--no-compile",
                "--target",
                Path(scratch, "packages"),
                *Path(scratch, "dist").glob("*/"),
                Path(scratch, "nbjudge"),
            ],
            "The course's own packages cannot be installed",
            cwd=course,
            user=instructor,
        )
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(scratch, "packages"), folder, symlinks=True)
    run(["chmod", "-R", "go+rX,go-w", folder], "The course's own packages cannot be opened to all accounts")


def copy_settings(folder: Path, environment: Path, instructor: str, course: Path) -> dict[str, str]:
    """Copy the settings of JupyterLab and nbgrader, and write down what students' nbgrader has to know of the course.

    Returns:
        That: the course's id, and the ending of test cells' names.

    Raises:
        Stop: the course's configuration cannot be read.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "settings", folder)
    shutil.copytree(ROOT / "setup/lab_settings/instructor", folder / "lab")  # as `make formgrader`
    shutil.copy(HERE / "jupyterhub_config.py", folder)
    told = run(
        [environment / "bin/python", "-c", COURSE_FACTS],
        "The course's nbgrader_config.py cannot be read",
        cwd=course,
        user=instructor,
        PYTHONPATH=sources(course),
    )
    facts: dict[str, str] = json.loads(told.splitlines()[-1])
    (folder / "course.json").write_text(json.dumps(facts), encoding="utf-8")
    run(["chmod", "-R", "go+rX,go-w", folder], "The settings cannot be opened to all accounts")
    return facts


def make_exchange(folder: Path, course_id: str, instructor: str) -> None:
    """Make nbgrader's exchange as tight as nbgrader can use it; what lies in it stays.

    Students may put a folder into `inbound`, but not list it, and, by the sticky bit, not move or remove what others put there. The
    course's folders are made here and not by nbgrader at the first release, so that no student can make them first.
    """
    owner = pwd.getpwnam(instructor)
    course = folder / course_id
    for path, mode, uid, gid in (
        (folder, 0o1777, 0, 0),
        (course, 0o755, owner.pw_uid, owner.pw_gid),
        (course / "outbound", 0o755, owner.pw_uid, owner.pw_gid),
        (course / "feedback", 0o711, owner.pw_uid, owner.pw_gid),
        (course / "inbound", 0o3733, owner.pw_uid, owner.pw_gid),
    ):
        path.mkdir(parents=True, exist_ok=True)
        os.chown(path, uid, gid)
        path.chmod(mode)


def python_for_everybody() -> str:
    """The path of a Python that is new enough and that every account can run; one in a home folder is not.

    Raises:
        Stop: there is none.
    """
    for path in dict.fromkeys(os.path.realpath(Path(place, name)) for name in PYTHONS for place in PLACES):
        try:
            probe = subprocess.run(
                [path, "-c", "import ensurepip, sys, venv; print(*sys.version_info[:2])"],
                cwd="/",
                env={},
                text=True,
                capture_output=True,
                check=False,
                user=NOBODY,
                group=NOBODY,
                extra_groups=[],
            )
        except OSError:
            continue
        if probe.returncode == 0 and tuple(map(int, probe.stdout.split())) >= OLDEST and ".venv" not in Path(path).parts:
            return path
    raise Stop(
        "No Python 3.11 or newer here can be run by every account (one in a home folder cannot). "
        "Next: sudo apt-get install python3 python3-venv, then type the same command again."
    )


def sources(course: Path) -> str:
    """Where Python finds a course's own packages, and the grader, before they are installed."""
    return f"{course}:{course / 'nbjudge' / 'src'}"


def run(command: list[str | Path], trouble: str, cwd: Path = ROOT, user: str = "", **variables: str) -> str:
    """Run a program to its end, as root or as another account, and return what it printed.

    Raises:
        Stop: it failed; with `trouble` and the end of what it said.
    """
    who = {} if not user else {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
    home = {} if not user else {"HOME": pwd.getpwnam(user).pw_dir, "USER": user}
    try:
        done = subprocess.run(command, cwd=cwd, text=True, capture_output=True, check=False, env={**os.environ, **home, **variables}, **who)
    except OSError as error:
        raise Stop(f"{trouble}: {error}. Next: install or repair it, then type the same command again.") from error
    if done.returncode:
        said = "\n  ".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-5:])
        raise Stop(f"{trouble}:\n  {said}\nNext: repair what it names, then type the same command again.")
    return done.stdout


def main(arguments: list[str]) -> int:
    """Lay out a hub's folder for real; see README.md for the steps around it."""
    if len(arguments) != 3:
        print(__doc__)
        return 2
    folder, instructor, course = Path(arguments[0]).resolve(), arguments[1], Path(arguments[2]).resolve()
    try:
        if os.geteuid() != 0:
            raise Stop("A hub can only be set up by root. Next: type the same command with sudo.")
        if instructor not in (entry.pw_name for entry in pwd.getpwall()):
            raise Stop(f"There is no account {instructor!r}. Next: sudo adduser {instructor}, then type the same command again.")
        if not (course / "nbgrader_config.py").is_file():
            raise Stop(f"{course} is no copy of the course: it has no nbgrader_config.py. Next: give the folder that has one.")
        environment = make_environment(folder / "environments")
        lay_out(folder, environment, instructor, course)
    except Stop as stop:
        print(stop, file=sys.stderr)
        return 1
    print(f"The hub's folder is {folder}. For its site.toml: environment = {str(environment)!r}, exchange = {str(folder / 'exchange')!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
