"""The outer sandbox: which folders a warm process sees, and the bubblewrap command that shows it no others.

bubblewrap was chosen over a Landlock package: it hides what it does not show (Landlock refuses access, but names and processes
stay visible), cuts the network off, works on kernels without Landlock, is in every distribution and is what Flatpak relies on.
System calls are filtered one step further in, in each kernel: see `nbjudge._student.system_calls`. The list of
folders names what is shown, so a course folder is hidden wherever it lies.
"""

import ctypes.util
import importlib.util
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
OWN = Path(__file__).resolve().parent.parent  # the grader's code
ITS_PLACE = "/run/nbjudge"  # and where what is beside students lies in the sandbox
BESIDE_STUDENTS = ("__init__.py", "_student", "_wire")  # all of it that a student's process can read
COVERED = ("/tmp", "/dev/shm")  # each kernel has these for itself: see `namespaces.private_files`
WHOLE_PROC = "/tmp/whole-proc"
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "fonts", "alternatives", "mime.types")
ROOT_KEEPS = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")  # to become each kernel's own user, and to end it
FIRST_UID = 1_400_000_000  # of students' kernels: above what systems give to people and services
HINT = "Install bubblewrap (Debian, Ubuntu: `sudo apt-get install -y bubblewrap`), then type the same command again."
# Switches below /proc/sys that forbid user namespaces: the value that does, and one that does not.
SWITCHES = {
    "user/max_user_namespaces": ("0", "15000"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
}  # Debian's; Ubuntu's since 23.10


NO_FILTER = 3
PROBE = f"""
import os, sys
from nbjudge._student import namespaces
from nbjudge._student import system_calls

def try_filter(step):
    try:
        return step()
    except Exception as error:
        print(error, file=sys.stderr)
        sys.exit({NO_FILTER})

made = try_filter(system_calls.compiled)
namespaces.become(os.geteuid() == 0 and 65534 or None)
namespaces.enter_namespaces()
namespaces.drop_capabilities()
try_filter(made.load)
"""


def command(boxes: str, packages: tuple[str, ...], inner: list[str]) -> list[str]:
    """The command line that runs `inner` with only system, Python and `packages` visible, and `boxes` writable.

    `packages` are importable packages, such as one that lessons import, that live outside Python's own folders.
    """
    line = [_find(), "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--die-with-parent", "--new-session", "--hostname", "student"]
    if os.geteuid() == 0:
        for capability in ROOT_KEEPS:
            line += ["--cap-add", capability]
    else:
        line += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
    visible = shown(packages)
    line += ["--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc"]  # before what is shown, some of which may lie there
    if os.geteuid() == 0:
        # Linux gives a kernel a /proc of its own only where a whole one can be seen, and bubblewrap covers parts of root's. Each
        # kernel's own /tmp hides this one.
        line += ["--bind", "/proc", WHOLE_PROC]
    parents = {str(parent) for path in (*visible, f"{ITS_PLACE}/{OWN.name}/x") for parent in Path(path).parents}
    for folder in sorted(parents - {"/", "/dev", *COVERED}, key=len):
        line += ["--perms", "0755", "--dir", folder]  # left to itself, bwrap lets only its own user through
    for path in visible:
        line += ["--ro-bind", path, path]
    if any(OWN.is_relative_to(path) for path in visible):  # it is installed among other packages
        line += ["--tmpfs", str(OWN), "--remount-ro", str(OWN)]
    line += [part for name in BESIDE_STUDENTS for part in ("--ro-bind", str(OWN / name), f"{ITS_PLACE}/{OWN.name}/{name}")]
    line += ["--bind", boxes, boxes]
    # The sandbox's own root and /dev are unbounded memory when they can be written.
    line += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp", "--clearenv"]
    for name, value in environment(packages, ITS_PLACE).items():
        line += ["--setenv", name, value]
    # Python started as `../.venv/bin/python` calls itself /here/../.venv/bin/python, and /here is not shown.
    return [*line, "--", os.path.normpath(inner[0]), *inner[1:]]


def shown_in_covered(packages: tuple[str, ...]) -> list[str]:
    """Folders to show that lie in a folder that each kernel covers with its own, such as a course below /tmp."""
    return [path for path in shown(packages) if path.startswith(tuple(f"{folder}/" for folder in COVERED)) and os.path.isdir(path)]


def environment(packages: tuple[str, ...], place: str = str(OWN.parent)) -> dict[str, str]:
    """Environment of student processes: nothing of the grader's own.

    `packages` are found there, and so is, in `place`, this very nbjudge, also where another one is installed: for example when it
    runs from a copy of a course.
    """
    found_in = dict.fromkeys(str(Path(path).parent) for name in packages for path in _package_paths(name))
    return {
        "PYTHONPATH": os.pathsep.join([place, *found_in, *_other_site_packages()]),
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "MPLCONFIGDIR": "/tmp/.matplotlib",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # a warning about breakpoints that nobody sets
        "NBGRADER_EXECUTION": "autograde",
    }


def lacks() -> str | None:
    """None when all that a sandbox is made of is installed, else one sentence that says what is missing."""
    if sys.platform != "linux":
        return "The sandbox needs Linux."
    if shutil.which("bwrap") is None:
        return f"The program bwrap is not installed. {HINT}"
    if importlib.util.find_spec("pyseccomp") is None:
        return "The package pyseccomp is not installed: type `pip install pyseccomp`, then the same command again."
    if ctypes.util.find_library("seccomp") is None:
        return f"The library libseccomp is not installed. {HINT.replace('bubblewrap', 'libseccomp2')}"
    return None


@cache
def why_not() -> str | None:
    """None when a sandbox with namespaces inside works here, else one sentence that says what is missing."""
    if missing := lacks():
        return missing
    try:
        result = subprocess.run(command("/tmp", (), [sys.executable, "-c", PROBE]), capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not run here: {error}"
    if result.returncode == NO_FILTER:
        return (
            f"System calls cannot be filtered here ({result.stderr.strip()}). This needs a Linux with seccomp filters "
            "(CONFIG_SECCOMP_FILTER) and libseccomp 2.5 or newer: grade on another machine or in another container."
        )
    if result.returncode != 0:
        said = result.stderr.strip().splitlines()[-1:] or ["no reason given"]
        return f"The sandbox does not work here ({said[0]}). {_advice()}"
    return None


def _advice() -> str:
    """What to do where bubblewrap is there and namespaces cannot be made."""
    for name, (forbids, allows) in SWITCHES.items():
        switch = Path("/proc/sys", name)
        if switch.exists() and switch.read_text().strip() == forbids:
            return f"User namespaces are switched off: type `sudo sysctl -w {name.replace('/', '.')}={allows}`, then the same command again."
    return "In a container, the container has to allow namespaces, as `docker run --privileged` does."


def font_cache() -> str | None:
    """matplotlib's folder with its list of fonts, if matplotlib is installed and ran before."""
    if importlib.util.find_spec("matplotlib") is None:
        return None
    base = os.environ.get("MPLCONFIGDIR") or os.path.expanduser("~/.cache/matplotlib")
    return base if os.path.isdir(base) else None


def _find() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise FileNotFoundError(f"bwrap is not installed. {HINT}")
    return found


def shown(packages: tuple[str, ...]) -> list[str]:
    """Folders and files to show read-only, parents before children."""
    paths = [path for path in SYSTEM if os.path.exists(path)]
    paths += [path for name in SETTINGS if os.path.exists(path := f"/etc/{name}")]
    paths += [sys.prefix, sys.base_prefix, *_other_site_packages()]
    # A virtual environment's interpreter is often a link into another place.
    paths += [str(Path(sys.executable).resolve().parent.parent)]
    paths += [path for name in packages for path in _package_paths(name)]
    if cache_folder := font_cache():
        paths.append(cache_folder)
    found: list[str] = []
    for path in sorted(set(paths), key=len):
        inside = any(path == outer or path.startswith(outer + "/") for outer in found)
        if not inside or os.path.islink(path):
            found.append(path)
    return [path for path in found if path not in ("/", os.path.expanduser("~"))]


def _other_site_packages() -> list[str]:
    """Where packages were installed for one user only, or through a path file."""
    own = (sys.prefix, sys.base_prefix)
    return [path for path in sys.path if path.endswith("-packages") and os.path.isdir(path) and not path.startswith(own)]


def _package_paths(name: str) -> list[str]:
    spec = importlib.util.find_spec(name)
    if spec is None:
        return []
    return list(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))
