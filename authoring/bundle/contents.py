"""Every file of the bundle, and what stands in it. A file that is not named here does not get in, whatever lies in the project's folders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

import nbformat
from nbformat import NotebookNode

from attnlab.explorer.pages import EXPLORES, PARTS, STYLE
from attnlab.explorer.runs import STORIES, path_of
from authoring.bundle.first_cell import read_address, repository_on_github, with_first_cell
from authoring.bundle.inputs import GRADER, beyond, cited_versions, modules_of_the_lab, needed_pins, project_settings, reached_modules
from authoring.bundle.refusal import Refused
from authoring.filled import next_step, written_in
from authoring.lessons import Lesson, find_lessons, read_text
from authoring.lints import lint_release
from authoring.pairing import pair
from authoring.release import release
from authoring.start_page import lessons_table, make_start_page

TEMPLATES = Path(__file__).parent / "templates"
NAME = "self-attention-course"
LAB = Path("attnlab", "lab", "jupyter")  # what Jupyter reads, where `python -m attnlab` looks for it
LAB_SETTINGS = LAB / "settings" / "overrides.d" / f"{NAME}.json"
# And where plain `jupyter lab` does, below the folder of the environment.
INSTALLED = {
    "share/jupyter/lab/settings/overrides.d": [LAB_SETTINGS],
    "etc/jupyter/labconfig/page_config.d": [LAB / "config" / "labconfig" / "page_config.d" / f"{NAME}.json"],
    "etc/jupyter": [LAB / "config" / "nbgrader_config.py"],
}
BUTTONS = (Path("nbjudge", "labextensions"), LAB / "labextensions")  # Validate, Resume
START = "notebooks/start.ipynb"
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # Windows' devices


def bundle_name(root: Path) -> str:
    """What the folder and the zip are called: with the version, so that a learner can tell two of them apart."""
    return f"{NAME}-{project_settings(root)['project']['version']}"


def make_contents(root: Path, address: str = "") -> dict[str, bytes]:
    """Every file of the bundle by its path, in order. The same course gives the same bytes, whatever the machine.

    Args:
        root: the folder of the project.
        address: where the bundle will be published; empty where that is not known.

    Raises:
        BuildError: a lesson cannot be released.
        Refused: `notebooks/` is not what the lessons' text says, or something else is not as it has to be.
    """
    address = read_address(address)
    settings, name = project_settings(root), bundle_name(root)
    version = settings["project"]["version"]
    cited_versions(root, version)
    lessons = find_lessons(root)
    released = made_now(root, lessons)
    notebooks = {**released, START: make_start_page(lessons, root, version)}

    modules, opening = reached_modules(root, released.values()), modules_of_the_lab(root)
    buttons = _buttons(root)
    pins = needed_pins(root, released.values(), [*modules, *opening])
    texts = {path: nbformat.writes(with_first_cell(notebook, address, f"{name}.zip")) + "\n" for path, notebook in notebooks.items()}
    texts |= {_place(path, root): _text(path) for path in [*modules, *opening, *buttons]}
    texts |= {path.as_posix(): _text(root / path) for paths in INSTALLED.values() for path in paths}
    texts |= {path.relative_to(root).as_posix(): _text(path) for lesson in lessons for path in (lesson.data, lesson.variations) if path.exists()}
    texts |= dict(_explorer(root, released.values()))
    if more := beyond(root, modules):
        texts["requirements-model.txt"] = more
    texts |= {
        "README.md": _readme(root, lessons, version, address, settings["project"]["requires-python"]),
        "AGENTS.md": _template("agents.md"),
        "CITATION.cff": _text(root / "CITATION.cff"),
        ".gitignore": _template("gitignore.txt"),
        "requirements.txt": _template("requirements.txt", pins="\n".join(pins.values())),
        "pyproject.toml": _package(settings, [*needed_pins(root, released.values(), modules, always=())], [_place(path, root) for path in buttons]),
        "binder/requirements.txt": _template("binder_requirements.txt"),
        "binder/runtime.txt": f"python-{settings['project']['requires-python'].removeprefix('>=')}\n",
    }
    contents = {path: text.encode() for path, text in texts.items()} | dict(_states(root, lessons))
    _refuse_names(contents)
    return dict(sorted(contents.items()))


def made_now(root: Path, lessons: list[Lesson]) -> dict[str, NotebookNode]:
    """The notebooks that learners get, by their paths, made from the lessons' text.

    Raises:
        BuildError: a lesson cannot be released.
        Refused: `notebooks/`, which is what people have looked at and tests have tried, is something else.
    """
    for path in (START, *(f"notebooks/{lesson.assignment}/{lesson.released.name}" for lesson in lessons)):
        if answers := written_in(root / path):
            raise Refused(
                f"{path} holds {answers}", next_step(Path(path), "type `make build`, which makes the released one anew, and the same command again")
            )
    made = {f"notebooks/{lesson.assignment}/{lesson.released.name}": _released(lesson) for lesson in lessons}
    made = {START: make_start_page(lessons, root), **made}
    differ = [path for path, notebook in made.items() if not (root / path).is_file() or _text(root / path) != nbformat.writes(notebook) + "\n"]
    if differ:
        raise Refused(
            f"{', '.join(differ)} {'is' if len(differ) == 1 else 'are'} not what source/ says",
            "type `make build`, which writes notebooks/ anew; a change of a lesson belongs into its text in source/",
        )
    return made


def _released(lesson: Lesson) -> NotebookNode:
    """The lesson's notebook, made now from its text."""
    source = pair(lesson)
    notebook = release(lesson)
    if problems := lint_release(lesson, source, notebook):
        raise Refused("; ".join(f"{problem.file}, {problem.cell}: {problem.what}" for problem in problems), problems[0].next_step)
    return notebook


def _text(path: Path) -> str:
    """A file of the project, with the line ends that it has in git."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{path} is no text in UTF-8", "save it as UTF-8, or get it back from git") from error


def _template(name: str, **values: str) -> str:
    text = _text(TEMPLATES / name)
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value)
    return text


def _place(path: Path, root: Path) -> str:
    """Where a file of the project is in the bundle: there, what is imported lies in the top folder."""
    own = root / GRADER
    return path.relative_to(own if path.is_relative_to(own) else root).as_posix()


def _buttons(root: Path) -> list[Path]:
    """The files of JupyterLab's extensions, of the grader and of the course."""
    return sorted(path for folder in BUTTONS for kind in ("package.json", "static/*.js") for path in (root / folder).glob(f"*/{kind}"))


def _package(settings: dict, dependencies: list[str], buttons: list[str]) -> str:
    data = settings["tool"]["setuptools"]["package-data"]["attnlab"]
    installed = {folder: [path.as_posix() for path in paths] for folder, paths in INSTALLED.items()}
    for path in buttons:
        folder = f"share/jupyter/labextensions/{path.partition('/labextensions/')[2]}".rpartition("/")[0]
        installed.setdefault(folder, []).append(path)
    return _template(
        "package.txt",
        version=settings["project"]["version"],
        python=settings["project"]["requires-python"],
        build=json.dumps(settings["build-system"]["requires"]),
        data=json.dumps(data),
        dependencies=json.dumps(sorted(dependencies)),
        installed="\n".join(f"{json.dumps(folder)} = {json.dumps(paths)}" for folder, paths in sorted(installed.items())),
    )


def _readme(root: Path, lessons: list[Lesson], version: str, address: str, python: str) -> str:
    return _template(
        "README.md",
        version=version,
        python=python.removeprefix(">="),
        lessons="\n".join(lessons_table(lessons, "notebooks/")),
        online=_online(lessons, address, f"{NAME}-{version}.zip").rstrip("\n"),
    )


def _online(lessons: list[Lesson], address: str, zip_name: str) -> str:
    if not address or address.endswith(".zip"):
        return _template("online_zip.md", zip=zip_name)
    host, _, repository = address.removeprefix("https://").removeprefix("www.").partition("/")
    place = f"gh/{repository}" if host.lower() == "github.com" else f"git/{quote(address, safe='')}"
    binder = f"https://mybinder.org/v2/{place}/HEAD?urlpath=lab/tree/{START}"
    on_github = repository_on_github(address)
    if not on_github:
        return _template("online_published.md", binder=binder) + "\n" + _template("online_zip.md", zip=zip_name)
    rows = [
        f"- [{lesson.number} · {read_text(lesson).metadata.lesson.title}](https://colab.research.google.com/github/{on_github}/blob/main/"
        f"notebooks/{lesson.assignment}/{lesson.released.name})"
        for lesson in lessons
    ]
    return _template("online_published.md", binder=binder) + "\n" + _template("online_colab.md", lessons="\n".join(rows))


def _states(root: Path, lessons: list[Lesson]) -> Iterator[tuple[str, bytes]]:
    """The trained models that lessons name."""
    for lesson in lessons:
        for name in lesson.defined_in(lesson.states)["STATES"] if lesson.states.exists() else ():
            path = lesson.data.parent / "states" / f"{name}.npz"
            if not path.is_file():
                raise Refused(f"{path.relative_to(root)} is missing", "get it back from git, or train it again with `python -m authoring states`")
            yield path.relative_to(root).as_posix(), path.read_bytes()


def _explorer(root: Path, notebooks: Iterable[NotebookNode]) -> Iterator[tuple[str, str]]:
    """What the attention explorer needs, with the trainings that notebooks show; nothing where none does."""
    names = [name for notebook in notebooks for cell in notebook.cells for name in EXPLORES.findall(cell.source)]
    paths = [root / "attnlab" / "explorer" / file for file in (*PARTS, STYLE, STORIES)] + [
        path_of(name, root / "attnlab" / "data" / "runs") for name in names
    ]
    for path in paths if names else ():
        if not path.is_file():
            raise Refused(f"{path.relative_to(root)} is missing", "get it back from git, or make it with `python -m authoring runs`")
        yield path.relative_to(root).as_posix(), _text(path)


def _refuse_names(contents: dict[str, bytes]) -> None:
    """Refuse what cannot be unpacked on Windows."""
    folded: dict[str, str] = {}
    for path in contents:
        other = folded.setdefault(path.lower(), path)
        if other != path:
            raise Refused(f"{other} and {path} are one file on Windows and macOS", "give one of them another name")
        if any(RESERVED.fullmatch(part) or not re.fullmatch(r"[\w.-]*[\w-]", part, re.ASCII) for part in path.split("/")) or len(path) > 150:
            raise Refused(f"Windows cannot hold a file called {path}", "give it another name")
