"""`nbjudge gradescope`: for each assignment a zip that Gradescope makes an autograder of."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import io
import re
import shutil
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from rich.console import Console

from nbjudge._analysis.instructor import is_test
from nbjudge._common.atomic_write import write_atomically
from nbjudge._common.terminal_text import say
from nbjudge._course.course import CONFIG, Course
from nbjudge._course.outcomes import Assignment
from nbjudge._wire.errors import CannotGrade

PLACE = "dist/gradescope"
TEMPLATES = Path(__file__).parent / "templates"
UV = "0.13.9"
PYTHON = "3.12"
LEFT_OUT = ("__pycache__", "*.pyc", ".ipynb_checkpoints", ".git", "*.egg-info")
LOCAL = re.compile(r"\s*(-e|--editable|\.|/|file:|-r|-c|$|#)")
EPOCH = (1980, 1, 1, 0, 0, 0)  # of all files, so that the same course gives the same zip
PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]+")


def gradescope(course: Course, console: Console, names: Iterable[str], visibility: str) -> int:
    """Write a zip for each named assignment, or for all; 0 where that was done.

    Raises:
        CannotGrade: the course has no such assignment, or what it needs cannot be put into a zip.
    """
    lessons = course.lessons
    if unknown := [name for name in names if name not in lessons]:
        raise CannotGrade(
            f"source/ holds no assignment {', '.join(unknown)}", f"name some of {', '.join(sorted(lessons)) or 'none: source/ is empty'}"
        )
    if not lessons:
        raise CannotGrade("source/ holds no assignment", "put one there, then run the same command again")
    shared = _shared(course)
    for name in dict.fromkeys(names) or sorted(lessons):
        content = {**shared, **_own(course, lessons[name], visibility)}
        path = course.root / PLACE / f"{name}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _zipped(content))
        say(console, f"{path.relative_to(course.root)}  {path.stat().st_size / 1e6:.1f} MB")
    say(console, "They hold hidden tests and solutions: upload them to Gradescope, and give them to nobody else. README.md in each says how.")
    return 0


def _shared(course: Course) -> dict[str, bytes]:
    """What is the same for all assignments of a course, by its path in the zip."""
    executor = course.executor()
    found: dict[str, bytes] = {}
    for name in dict.fromkeys(["nbjudge", *(package.split(".")[0] for package in executor.packages)]):
        if name == "nbjudge" or _is_local(name, course.root):
            found |= _module(name, "lib")
    for name in _imported_from(course.root, executor.packages):
        found |= _module(name, "course")
    found[f"course/{CONFIG}"] = (course.root / CONFIG).read_bytes()
    found["requirements.txt"] = "\n".join(_requirements(course.root)).encode() + b"\n"
    found["constraints.txt"] = "\n".join(_installed(course.root)).encode() + b"\n"
    found["setup.sh"] = _filled("setup.sh", UV=UV, PYTHON=PYTHON)
    return found


def _own(course: Course, lesson: Assignment, visibility: str) -> dict[str, bytes]:
    """What is one assignment's."""
    if not PLAIN_NAME.fullmatch(lesson.name):
        raise CannotGrade(f"the assignment's name {lesson.name} has characters that a shell reads", "name it with letters, digits, - and _")
    ignored = shutil.ignore_patterns(*course.folders.ignore)
    found = dict(_files(lesson.folder, f"course/source/{lesson.name}", lambda folder, names: ignored(folder, names)))
    cells = [cell for name in lesson.notebooks for cell in nbformat.read(lesson.folder / f"{name}.ipynb", as_version=4).cells]
    points, by_hand = (sum(_points(cell) for cell in cells if is_test(cell) is tests) for tests in (True, False))
    told = f" Add {by_hand:g} more for a question that you grade by hand, with Gradescope's rubric." if by_hand else ""
    words = {
        "ASSIGNMENT": lesson.name,
        "POINTS": f"{points:g}",
        "BY_HAND": told,
        "SECONDS": str(round(course.executor().chosen_limits().submission_seconds)),
        "NOTEBOOKS": " and ".join(f"`{name}.ipynb`" for name in lesson.notebooks),
    }
    found["README.md"] = _filled("gradescope.md", **words)
    found["run_autograder"] = _filled("run_autograder", ASSIGNMENT=lesson.name, VISIBILITY=visibility)
    return found


def _points(cell: NotebookNode) -> float:
    about = cell.metadata.get("nbgrader", {})
    return float(about.get("points") or 0) if about.get("grade") or about.get("task") else 0.0


def _filled(template: str, **words: str) -> bytes:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text.encode()


def _is_local(name: str, root: Path) -> bool:
    spec = importlib.util.find_spec(name)
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve().is_relative_to(root)


def _imported_from(root: Path, public: Iterable[str]) -> list[str]:
    """Packages of the course's folder that its configuration has imported, other than those that students' cells import."""
    files = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items()) if "." not in name}
    own = [name for name, file in files.items() if file and Path(file).resolve().is_relative_to(root) and _in_place(Path(file), root)]
    return sorted(set(own) - {name.split(".")[0] for name in public} - {"nbjudge", "__main__"})


def _in_place(file: Path, root: Path) -> bool:
    """Whether a module lies at the top of the course's folder, and not in an environment in it."""
    return file.resolve().relative_to(root).parts[:-1] in ((), (file.resolve().parent.name,))


def _module(name: str, into: str) -> dict[str, bytes]:
    """The files of a package or module."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise CannotGrade(f"the package {name} has no files of its own, so none can be put into a zip", "give it an __init__.py")
    origin = Path(spec.origin)
    if not spec.submodule_search_locations:
        return {f"{into}/{origin.name}": origin.read_bytes()}
    ignored = shutil.ignore_patterns(*LEFT_OUT)
    return dict(_files(origin.parent, f"{into}/{name}", ignored))


def _files(folder: Path, into: str, ignored: object) -> Iterator[tuple[str, bytes]]:
    """All files below a folder but those that are ignored, by their paths in the zip."""
    names = sorted(path.name for path in folder.iterdir())
    left_out = ignored(str(folder), names) if callable(ignored) else set()
    for name in names:
        path = folder / name
        if name in left_out or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path, f"{into}/{name}", ignored)
        else:
            yield f"{into}/{name}", path.read_bytes()


def _requirements(root: Path) -> list[str]:
    """What has to be installed: what nbjudge needs, and what the course's requirements.txt names from elsewhere."""
    try:
        own = [line for line in importlib.metadata.requires("nbjudge") or [] if "extra ==" not in line]
    except importlib.metadata.PackageNotFoundError:
        own = []
    path = root / "requirements.txt"
    lines = path.read_text(encoding="utf-8-sig").splitlines() if path.is_file() else []
    return [*own, *(line.split(" #")[0].strip() for line in lines if not LOCAL.match(line))]


def _installed(root: Path) -> list[str]:
    """The versions of all that is installed here, so that the same are installed there."""
    found = {}
    for one in importlib.metadata.distributions():
        if one.metadata["Name"] and not one.read_text("direct_url.json"):
            found[one.metadata["Name"].lower()] = one.version.split("+")[0]
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def _zipped(content: dict[str, bytes]) -> bytes:
    """A zip, the same for the same content."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(content.items()):
            about = zipfile.ZipInfo(name, EPOCH)
            about.create_system, about.compress_type = 3, zipfile.ZIP_DEFLATED
            about.external_attr = (0o100755 if name in ("setup.sh", "run_autograder") else 0o100644) << 16
            archive.writestr(about, data)
    return made.getvalue()
