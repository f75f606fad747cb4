"""Set up what the make targets need: a Python that is new enough, `.venv`, Debian packages.

Usage: python3 setup/environment.py REQUIREMENTS_FILE [PROGRAM=DEBIAN_PACKAGE ...] [PROGRAM ...]

A program that is given with its Debian package is needed; so is a shared library, whose name begins with `lib`, and what lies at a path. One
without is good to have, and its package has the same name.

Quiet when nothing is to do. This file is run by whatever `python3` is, so it keeps to syntax that old ones read.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from ctypes.util import find_library

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
OLDEST = (3, 11)
CANDIDATES = (sys.executable, "python3", "python3.11", "python3.12", "python3.13", "python3.14")
NO_NETWORK = re.compile(
    r"NewConnectionError|Temporary failure in name resolution|Network is unreachable|No route to host"
    r"|Connection refused|ConnectTimeout|ProxyError|Failed to establish"
)


class Stop(Exception):
    """The set-up cannot go on; the text says why and what to do."""


def main(arguments):
    """Set up for one requirements file and the programs named after it; return the exit status."""
    if not arguments:
        print(__doc__)
        return 2
    needed = [argument.split("=") for argument in arguments[1:] if "=" in argument]
    good_to_have = [argument for argument in arguments[1:] if "=" not in argument]
    try:
        for program, package in needed:
            if sys.platform == "linux" and not is_there(program):
                kind = "folder" if program.startswith("/") else "library" if program.startswith("lib") else "program"
                need_debian_package(package, "The %s %s is not %s" % (kind, program, "there" if kind == "folder" else "installed"))
        install(arguments[0])
    except Stop as stop:
        sys.stderr.write("%s\n" % stop)
        return 1
    for program in good_to_have:
        if not shutil.which(program):
            try:
                need_debian_package(program, "%s is not installed, so some tests are skipped" % program)
            except Stop as stop:
                sys.stderr.write("%s\n" % stop)
    return 0


def install(requirements):
    """Bring `.venv` to the state of a requirements file, unless it is there already."""
    stamp = os.path.join(VENV, "installed-" + os.path.basename(requirements))
    wanted = _digest(requirements)
    if os.path.exists(stamp) and _read(stamp) == wanted:
        return
    if not os.path.exists(os.path.join(VENV, "bin", "pip")):
        make_venv(find_python())
    print("Setting up .venv from %s; the first time takes some minutes." % requirements)
    sys.stdout.flush()
    log = os.path.join(VENV, "install.log")
    with open(log, "w") as output:
        status = subprocess.call(
            [os.path.join(VENV, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
            cwd=ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    if status:
        raise Stop(explain_pip(_read(log), requirements))
    with open(stamp, "w") as output:
        output.write(wanted)


def find_python(names=CANDIDATES):
    """The first Python among `names` that is new enough: its path.

    Raises:
        Stop: there is none.
    """
    found = [path for path in map(shutil.which, names) if path]
    for path in found:
        if _version(path) >= OLDEST:
            return path
    raise Stop(
        "Python %d.%d or newer is needed, and the newest one here is %d.%d.\n"
        "Next: install it (Debian, Ubuntu: sudo apt-get install python3.11 python3.11-venv; macOS, Windows: python.org), "
        "then type the same command again." % (OLDEST + max(map(_version, found)))
    )


def make_venv(python):
    """Make `.venv`; on Debian this needs a package of its own."""
    command = [python, "-m", "venv", "--clear", os.path.realpath(VENV)]  # `.venv` may be a link to a place with more room
    if subprocess.call([python, "-c", "import ensurepip"], stderr=subprocess.DEVNULL):
        need_debian_package("python%d.%d-venv" % _version(python), "Python's venv module is not complete")
    if subprocess.call(command):
        raise Stop(
            "`%s` failed. Next: read the lines above; a full disk or a folder that you may not write to are the usual reasons." % " ".join(command)
        )


def is_there(name):
    """Whether a program, a shared library whose name begins with `lib`, or what lies at a path, is installed."""
    if name.startswith("/"):
        return os.path.exists(name)
    return bool(find_library(name[len("lib") :]) if name.startswith("lib") else shutil.which(name))


def need_debian_package(package, why):
    """Install a Debian package where we may, otherwise stop with the command to type."""
    command = ["apt-get", "install", "-y", package]
    if not shutil.which("apt-get"):
        raise Stop("%s. Next: install what Debian calls %s with your system's own tool, then type the same command again." % (why, package))
    if os.geteuid() != 0:
        raise Stop("%s. Next: type `sudo %s`, then the same command again." % (why, " ".join(command)))
    print("Installing the Debian package %s." % package)
    command.insert(2, "--no-install-recommends")  # these bring services, and accounts for them
    sys.stdout.flush()
    quiet = dict(stdout=subprocess.DEVNULL, env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"))
    if subprocess.call(command, **quiet) and (subprocess.call(["apt-get", "update"], **quiet) or subprocess.call(command, **quiet)):
        raise Stop("%s, and `%s` failed. Next: read the lines above; without a network nothing can be installed." % (why, " ".join(command)))


def explain_pip(log, requirements):
    """What pip's log says, in a sentence with the next step."""
    if NO_NETWORK.search(log):
        return (
            "The packages could not be fetched: there is no connection to the package index.\n"
            "Next: connect to the network (behind a proxy, set HTTPS_PROXY), then type the same command again."
        )
    if "No space left on device" in log:
        return "The disk is full. Next: make room (the packages take about 2 GB), then type the same command again."
    lines = [line for line in log.splitlines() if line.startswith("ERROR")] or log.splitlines()[-3:]
    return "pip could not install %s:\n  %s\nNext: the whole log is in .venv/install.log." % (requirements, "\n  ".join(lines[-3:]))


def _version(python):
    """The version of a Python as two numbers; (0, 0) when it does not run."""
    try:
        output = subprocess.check_output([python, "-c", "import sys; print('%d %d' % sys.version_info[:2])"], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return 0, 0
    return tuple(int(number) for number in output.split())


def _digest(requirements):
    """Changes when a requirements file, one that it names, or the description of a package in this folder changes."""
    texts, names = [], ["requirements.txt", "pyproject.toml", requirements]
    for name in names:  # which grows meanwhile
        texts.append(_read(os.path.join(ROOT, name)))
        named = re.findall(r"^-r (\S+)", texts[-1], re.MULTILINE)
        named += [os.path.join(folder, "pyproject.toml") for folder in re.findall(r"^-e (\S+)", texts[-1], re.MULTILINE)]
        names.extend(other for other in named if other not in names)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _read(path):
    with open(path) as file:
        return file.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
