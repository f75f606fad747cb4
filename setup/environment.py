"""Set up what the make targets need: a Python that is new enough, `.venv`, Debian packages.

Usage: python3 setup/environment.py REQUIREMENTS_FILE [PROGRAM=DEBIAN_PACKAGE ...] [PROGRAM ...]

A program that is given with its Debian package is needed; so is a shared library, whose name begins with `lib`, and what lies at a path. One
without is good to have, and its package has the same name.

Quiet when nothing is to do. This file is run by whatever `python3` is, so it keeps to syntax that old ones read.
"""

import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from ctypes.util import find_library

try:
    from urllib.request import urlopen
except ImportError:  # Python 2, which is told that it is too old
    urlopen = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
OLDEST = (3, 11)
CANDIDATES = (sys.executable, "python3", "python3.11", "python3.12", "python3.13", "python3.14")
NO_NETWORK = re.compile(
    r"NewConnectionError|Temporary failure in name resolution|Network is unreachable|No route to host"
    r"|Connection refused|ConnectTimeout|ProxyError|Failed to establish|error sending request"
)
NO_ROOM = re.compile(r"No space left on device|Disk quota exceeded|os error (28|122)\b")
UV = "uv==0.13.8"  # installs packages, several at once: MIT or Apache-2.0, by Astral, released every week
SMALL_TORCH = "https://download.pytorch.org/whl/cpu"
SECONDS = 5
LONGEST = 200
UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "proxy": "ALL_PROXY",
    "trusted-host": "UV_INSECURE_HOST",
}


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
    except EnvironmentError as error:
        sys.stderr.write(
            "The set-up cannot go on: %s.\nNext: make room on the disk, or see to it that you may write there, then type the same command again.\n"
            % error
        )
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nThe set-up was stopped. Next: type the same command again; what was fetched is kept.\n")
        return 0 if "MAKELEVEL" in os.environ else 130  # the same Ctrl-C ends make, which would add a line of its own
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
    is_first = not os.path.exists(os.path.join(VENV, "bin", "pip"))
    if is_first:
        print("Setting up .venv from %s: 1.5 GB; the first time takes a few minutes." % requirements)
    else:
        print("Bringing .venv to what %s says." % requirements)
    sys.stdout.flush()
    if is_first:
        make_venv(find_python())
    log = os.path.join(VENV, "install.log")
    open(log, "w").close()
    for command, variables in ways(requirements, log):
        if follow(command, log, variables) == 0:
            break
        if NO_ROOM.search(_last(log)):
            raise Stop(explain(_last(log), requirements))
    else:
        raise Stop(explain(_last(log), requirements))
    with open(stamp, "w") as output:
        output.write(wanted)


def ways(requirements, log):
    """The commands that install a requirements file, best first, each with the variables that it needs.

    uv takes half of pip's time. Where there is none for this machine, or where it fails, pip goes on.
    """
    pip = [os.path.join(VENV, "bin", "python"), "-m", "pip"]
    uv = os.path.join(VENV, "bin", "uv")
    small = has_small_torch(requirements)
    if follow(pip + ["install", "--quiet", "--retries", "1", "--disable-pip-version-check", UV], log, {}) == 0:
        command = [uv, "pip", "install", "--python", pip[0], "--compile-bytecode", "-r", requirements]
        variables = uv_variables(_output(pip + ["config", "list"]))
        if small:
            yield command + ["--torch-backend", "cpu"], variables
        yield command, variables
    extra = ["--extra-index-url", SMALL_TORCH] if small else []
    yield pip + ["install", "--progress-bar", "off", "--disable-pip-version-check"] + extra + ["-r", requirements], {}


def follow(command, log, variables):
    """Run a command, its output in a file, and tell how it goes: in one line of a terminal, elsewhere in a line every few seconds.

    Returns:
        Its exit status.
    """
    shown, width, begin = "", 0, time.time()
    live = sys.stdout.isatty()
    with open(log, "a") as output:
        output.write("$ %s\n" % " ".join(command))
        output.flush()
        child = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, env=dict(os.environ, **variables))
        told = begin
        while child.poll() is None:
            time.sleep(0.1)
            if time.time() - told >= (1 if live else SECONDS):
                told = time.time()
                shown = "%4d s: %s" % (told - begin, stage(_last(log)))
                width = max(width, len(shown))
                sys.stdout.write("\r" + shown.ljust(width) if live else shown + "\n")
                sys.stdout.flush()
    if live and shown:
        sys.stdout.write("\r" + " " * width + "\r")
    return child.returncode


def stage(said):
    """How far pip or uv is, in words."""
    if "\nInstalled " in said:
        return "compiling what was installed"
    many = re.search(r"^(?:Resolved (\d+) packages|Installing collected packages: (.*))", said, re.MULTILINE)
    many = many and (int(many.group(1)) if many.group(1) else many.group(2).count(",") + 1)
    if many and ("Prepared" in said or "Installing collected" in said):
        there = sum(
            name.endswith(".dist-info") for folder in glob.glob(os.path.join(VENV, "lib*", "python*", "site-packages")) for name in os.listdir(folder)
        )
        return "unpacked %d of %d packages" % (there, many) if there < many else "compiling what was installed"
    coming = set(re.findall(r"^ *Downloading (\S+ \(.*\))", said, re.MULTILINE))
    done = set(re.findall(r"^ *Downloaded (\S+)", said, re.MULTILINE))
    if many:
        left = sorted(name for name in coming if name.split()[0] not in done)
        return "fetching %d packages%s" % (many, ", now %s" % ", ".join(left[:2]) if left else "")
    looked_at = len(set(re.findall(r"^ *Collecting (\S+)", said, re.MULTILINE)))
    return "looking at package %d" % looked_at if looked_at else "looking for packages"


def has_small_torch(requirements):
    """Whether torch's own index can be reached, which has it for Linux without what graphics cards need: 2 GB less to fetch."""
    if not sys.platform.startswith("linux") or not re.search(r"^torch==", _with_named(requirements), re.MULTILINE):
        return False
    try:
        urlopen(SMALL_TORCH + "/torch/", timeout=SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


def uv_variables(settings):
    """pip's own settings, as `pip config list` prints them, in the variables of uv, which does not read them."""
    variables = {}
    for line in settings.splitlines():
        key, _, value = line.partition("=")
        name = UV_NAMES.get(key.strip().rpartition(".")[2])
        words = value.strip().strip("'\"").replace("\\n", " ").split()
        if name and words:
            variables[name] = ("," if name == "UV_FIND_LINKS" else " ").join(words)
    if "UV_INDEX" in variables:
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"  # all indexes together, as pip does
    return variables


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
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    said, _ = child.communicate()  # held back: after Ctrl-C it is the traceback of somebody else's program
    if child.returncode:
        raise Stop(
            "%s`%s` failed. Next: read the lines above; a full disk or a folder that you may not write to are the usual reasons."
            % (said, " ".join(command))
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


def explain(log, requirements):
    """What pip's log says, in a sentence with the next step."""
    if NO_ROOM.search(log):
        return "The disk is full. Next: make room (the packages take about 2 GB), then type the same command again."
    if NO_NETWORK.search(log):
        return (
            "The packages could not be fetched: there is no connection to the package index.\n"
            "Next: connect to the network (behind a proxy, set HTTPS_PROXY), then type the same command again."
        )
    lines = [line for line in log.splitlines() if line.startswith("ERROR")][-1:] or log.splitlines()[-3:]
    said = "\n  ".join(line[:LONGEST] for line in lines)
    return "pip could not install %s:\n  %s\nNext: the whole log is in .venv/install.log." % (requirements, said)


def _version(python):
    """The version of a Python as two numbers; (0, 0) when it does not run."""
    try:
        output = subprocess.check_output([python, "-c", "import sys; print('%d %d' % sys.version_info[:2])"], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return 0, 0
    return tuple(int(number) for number in output.split())


def _last(log):
    """What the last command has said."""
    return ("\n" + _read(log)).rpartition("\n$ ")[2]


def _output(command):
    """What a command prints; nothing where it fails."""
    try:
        return subprocess.check_output(command, stderr=subprocess.DEVNULL, universal_newlines=True)
    except (OSError, subprocess.CalledProcessError):
        return ""


def _digest(requirements):
    """Changes when a requirements file, one that it names, or the description of a package in this folder changes."""
    return hashlib.sha256(_with_named(requirements).encode()).hexdigest()


def _with_named(requirements):
    """The texts that say what is installed: of requirements files, and of packages in this folder."""
    texts, names = [], ["requirements.txt", "pyproject.toml", requirements]
    for name in names:  # which grows meanwhile
        texts.append(_read(os.path.join(ROOT, name)))
        named = re.findall(r"^-r (\S+)", texts[-1], re.MULTILINE)
        named += [os.path.join(folder, "pyproject.toml") for folder in re.findall(r"^-e (\S+)", texts[-1], re.MULTILINE)]
        names.extend(other for other in named if other not in names)
    return "\n".join(texts)


def _read(path):
    with open(path) as file:
        return file.read()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
