"""From the lessons, and what was fetched, to a folder of JupyterLite that any web server can show."""

from __future__ import annotations

import hashlib
import importlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL
from packaging.utils import parse_wheel_filename

from authoring.bundle.contents import LAB_SETTINGS
from authoring.bundle.inputs import PACKAGE, project_settings
from authoring.bundle.packing import write_folder
from authoring.bundle.refusal import Refused
from website.lite.fetching import LOCK, NUMPY, PYODIDE, WHEELS, NotFetched, check_fetched, has_numpy, hashes_of_numpy, host_of_numpy, read_lock
from website.lite.notebooks import in_browser

FOLDER = "notebooks/"
IN_BROWSER = Path(__file__).with_name("in_browser.py")
FOR_DEVELOPERS = {".ts", ".map", ".html", ".md"}  # parts of Pyodide's package that no reader's browser asks for
EXTENSIONS = ("@jupyterlite/pyodide-kernel-extension", "@jupyter-widgets/jupyterlab-manager", "anywidget")
STOOD_FOR = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.optim",
    "torch.overrides",
    "torch.random",
    "torch.linalg",
    "torch.utils",
    "torch.utils.data",
)
SETTINGS = {
    "jupyter-lite-schema-version": 0,
    "jupyter-config-data": {"appName": "Self-attention, step by step", "defaultKernelName": "python"},
}
HOW = {
    "apps": ["lab", "notebooks"],
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
    "no_libarchive": True,
    "ignore_sys_prefix": ["federated_extensions"],  # others talk to a server, such as nbgrader's
}
ON_A_PHONE = """<script>
if (matchMedia("(max-width: 700px)").matches) location.replace(location.href.replace("/lab/", "/notebooks/"));
</script>
"""
WHEEL = """[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "{version}"

[tool.setuptools]
packages = {packages}

[tool.setuptools.package-data]
"*" = ["*"]
"""
ONLY_ON_A_COMPUTER = f"{PACKAGE}/lab/"  # what opens JupyterLab


def build_lite(root: Path, bundle: dict[str, bytes], to: Path) -> None:
    """Write JupyterLite with all lessons.

    Args:
        root: the folder of the project.
        bundle: what learners get, by paths.
        to: the folder to write; it is not there yet.

    Raises:
        Refused: something was not fetched, or JupyterLite cannot be built.
    """
    try:
        check_fetched()
    except NotFetched as error:
        raise Refused(error.what, error.next_step) from error
    with tempfile.TemporaryDirectory() as folder:
        lite, package, notebooks = (Path(folder, name) for name in ("lite", "package", "notebooks"))
        own = _put_pyodide(lite / "static" / "pyodide")
        inside = {path: data for path, data in bundle.items() if path.startswith(f"{PACKAGE}/") and not path.startswith(ONLY_ON_A_COMPUTER)}
        write_folder(inside, package)
        shutil.copy(IN_BROWSER, package / PACKAGE)
        (package / PACKAGE / "torch_names.json").write_text(json.dumps(names_of_torch()), encoding="utf-8")
        _put_wheels(own, package, project_settings(root)["project"]["version"], lite / "pypi")
        host = host_of_numpy()
        texts = {path.removeprefix(FOLDER): in_browser(data.decode(), host) for path, data in bundle.items() if path.startswith(FOLDER)}
        write_folder({path: text.encode() for path, text in texts.items()}, notebooks)
        (lite / "jupyter-lite.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
        shutil.copyfile(root / LAB_SETTINGS, lite / "overrides.json")
        extensions = [str(Path(sys.prefix, "share", "jupyter", "labextensions", name)) for name in EXTENSIONS]
        told = {"LiteBuildConfig": {**HOW, "contents": [str(notebooks)], "federated_extensions": extensions}}
        (lite / "jupyter_lite_config.json").write_text(json.dumps(told), encoding="utf-8")
        _run(
            [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", str(lite), "--output-dir", str(to)],
            lite,
            "JupyterLite could not be built",
        )
    _leave_the_screen_to_the_notebook(to / "lab" / "index.html")


def names_of_torch() -> dict[str, dict[str, bool | None]]:
    """For the modules of torch that lessons and learners use, and for its tensors: what they hold, and whether that is a class; None for a module."""
    parts = {name: importlib.import_module(name) for name in STOOD_FOR} | {"torch.Tensor": importlib.import_module("torch").Tensor}

    def kind(thing: object) -> bool | None:
        return None if isinstance(thing, ModuleType) else isinstance(thing, type)

    return {whole: {name: kind(getattr(part, name, None)) for name in dir(part) if not name.startswith("_")} for whole, part in parts.items()}


def _leave_the_screen_to_the_notebook(page: Path) -> None:
    """Let JupyterLab's page, on a narrow screen, open the notebook alone: its side bars would leave a tenth of the width."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</head>", f"{ON_A_PHONE}</head>", 1), encoding="utf-8")


def _put_pyodide(to: Path) -> list[Path]:
    """Pyodide with those of its packages that were fetched; for all others its lock names its address. Returns the other wheels.

    A wheel that PyPI has too is another file than Pyodide's, with another hash; NumPy's, matplotlib's and theirs are the files that its lock names.
    """
    lock = read_lock()
    shutil.copytree(PYODIDE, to, ignore=lambda _, names: [name for name in names if Path(name).suffix in FOR_DEVELOPERS])
    here = [NUMPY / name for name in hashes_of_numpy()] if has_numpy() else []
    fetched = {parse_wheel_filename(path.name)[0]: path for path in (*WHEELS.glob("*.whl"), *here)}
    for name, package in lock["packages"].items():
        if wheel := fetched.pop(name, None):
            shutil.copy(wheel, to)
            package |= {"file_name": wheel.name, "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest()}
        else:
            package["file_name"] = f"{PYODIDE_CDN_URL}/{package['file_name']}"
    (to / LOCK).write_text(json.dumps(lock), encoding="utf-8")
    return list(fetched.values())


def _put_wheels(own: list[Path], package: Path, version: str, to: Path) -> None:
    """The wheels that Pyodide has not: those that were fetched, and one of ours made from a folder."""
    to.mkdir(parents=True)
    for wheel in own:
        shutil.copy(wheel, to)
    folders = sorted({path.parent.relative_to(package).as_posix().replace("/", ".") for path in package.rglob("*") if path.is_file()})
    (package / "pyproject.toml").write_text(WHEEL.format(name=PACKAGE, version=version, packages=json.dumps(folders)), encoding="utf-8")
    _run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-build-isolation",
            "--wheel-dir",
            str(to),
            str(package),
        ],
        package,
        f"the wheel of {PACKAGE} could not be made",
    )


def _run(command: list[str], folder: Path, trouble: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        last = [line for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()][-3:]
        raise Refused(f"{trouble}: {'; '.join(last)}", "run it again; see whether the disk is full")
