"""A class that the workers of a Dask scheduler grade: the same as here. What is not fit for it is refused, in a sentence each."""

from __future__ import annotations

import shutil
import socketserver
import threading
from pathlib import Path

import pytest

import nbjudge
from nbjudge.testing import small_course
from nbjudge.testing.machines import machines

pytestmark = pytest.mark.cluster

KIT = "def twice(x):\n    return 2 * x\n"
WITH_KIT = small_course.NBJUDGE + "c.Execute.packages = ['kit']\n"
USES_KIT = "from kit import twice\n" + small_course.TEST + "assert double(3) == twice(3)\nassert open('table.txt').read() == '6'\n"
READS_KIT = "from kit import twice\ndef double(x):\n    return twice(x) if open('own.txt').read() == 'o' and open('table.txt').read() == '6' else 0"
ANSWERS = {**small_course.ANSWERS, "kim": READS_KIT}


def a_course(root: Path) -> Path:
    """A course with a package of its own, files of the instructor's and files of a student's."""
    small_course.make(root, WITH_KIT, ANSWERS, test=USES_KIT)
    (root / "kit.py").write_text(KIT)
    (root / "source" / small_course.ASSIGNMENT / "table.txt").write_text("6")
    (root / "submitted" / "kim" / small_course.ASSIGNMENT / "own.txt").write_text("o")
    return root


def grade(root: Path, address: object, check: bool = True) -> str:
    done = small_course.run(root, "nbjudge", "grade", "--cluster", str(address), check=check)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with machines(tmp_path_factory.mktemp("dask"), 2, environment={"HOME": str(tmp_path_factory.mktemp("home"))}) as found:
        yield found


def test_the_points_are_those_of_this_machine(cluster, tmp_path):
    """With nothing of the course on the workers' side but what was sent."""
    here = a_course(tmp_path / "here")
    there = shutil.copytree(here, tmp_path / "there")
    small_course.run(here, "nbjudge", "grade")
    said = grade(there, cluster.address)
    assert f"{len(ANSWERS)} graded, 0 graded before, 0 not graded" in said
    assert (here / "grades.csv").read_text() == (there / "grades.csv").read_text()
    for student in ANSWERS:
        page = Path("feedback", student, small_course.ASSIGNMENT, "sums.html")
        assert (here / page).read_text() == (there / page).read_text()
    assert f"0 graded, {len(ANSWERS)} graded before" in grade(there, cluster.address)


def test_a_scheduler_file_is_an_address(cluster, tmp_path):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    assert "1 graded" in grade(root, cluster.scheduler_file)


def test_a_class_that_is_graded_needs_no_scheduler(tmp_path):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    small_course.run(root, "nbjudge", "grade")
    assert "0 graded, 1 graded before" in grade(root, "127.0.0.1:1")


class Stranger(socketserver.BaseRequestHandler):
    """A server of another protocol."""

    def handle(self) -> None:
        self.request.recv(1000)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:1", "nobody listens at tcp://127.0.0.1:1"),
        ("no.such.host.invalid:8786", "nobody listens at tcp://no.such.host.invalid:8786"),
        ("", "no address"),
        ("8786", "no address"),
        ("tcp://127.0.0.1", "no address"),
        ("tcp://127.0.0.1:port", "no address"),
        ("http://127.0.0.1:80", "no address"),
        ("tcp://127.0.0.1:99999", "no address"),
        ("/no/such/file.json", "no address"),
        ("nbgrader_config.py", "is no scheduler file"),
        ("tls://127.0.0.1:1", "name no certificates"),
    ],
)
def test_an_address_that_is_none_is_told(address, why, tmp_path):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    said = grade(root, address, check=False)
    [sentence] = [line for line in said.splitlines() if not line.startswith("grading ")]
    assert why in sentence and "Next: " in sentence
    assert not (root / "autograded").exists()


def test_somebody_else_at_the_address_is_told(cluster, tmp_path):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert "does not answer as a Dask scheduler" in grade(root, f"127.0.0.1:{server.server_address[1]}", check=False)
        server.shutdown()
    log = (cluster.folder / "worker2.log").read_text()
    worker = next(word for word in log.split() if word.startswith("tcp://") and word != cluster.address)
    assert "is a Worker of Dask's, and not the scheduler" in grade(root, worker, check=False)


def customized(folder: Path, code: str) -> dict[str, str]:
    """Variables with which a Python begins with `code`."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code)
    return {"PYTHONPATH": str(folder)}


def another_version(folder: Path, name: str, version: str) -> dict[str, str]:
    about = folder / f"{name}-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return {"PYTHONPATH": str(folder)}


def another_commit(folder: Path) -> dict[str, str]:
    shutil.copytree(Path(nbjudge.__file__).parent, folder / "nbjudge", ignore=shutil.ignore_patterns("__pycache__"))
    with (folder / "nbjudge" / "_proxies" / "truth_values.py").open("a") as file:
        file.write("# another commit\n")
    return {"PYTHONPATH": str(folder)}


NO_GRADER = """
import sys
class Nothing:
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "nbjudge":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing)
"""


def test_workers_that_are_not_fit_are_refused_by_name(tmp_path):
    root = a_course(tmp_path / "course")
    unfit = {
        "bubbleless": ({"PATH": "/nowhere"}, "bwrap is not installed"),
        "newer": (customized(tmp_path / "python", "import platform\nplatform.python_version = lambda: '3.99.0'\n"), "Python 3.99.0 there, and 3."),
        "torchless": (another_version(tmp_path / "torch", "torch", "2.12.0"), "torch 2.12.0 there, and 2.13.0"),
        "committed": (another_commit(tmp_path / "nbjudge"), "the grader of code"),
        "empty": (customized(tmp_path / "empty", NO_GRADER), "the grader is not installed there"),
    }
    with machines(tmp_path / "dask", 0) as cluster:
        for name, (environment, _) in unfit.items():
            cluster.start_worker("--name", name, environment=environment)
        cluster.wait_for_workers(len(unfit))
        said = grade(root, cluster.address, check=False)
        for name, (_, why) in unfit.items():
            assert any(f"worker {name} at" in sentence and why in sentence for sentence in said.splitlines()), (name, said)
        assert "may grade" in said and "Next: " in said
        cluster.start_worker("--name", "fit")
        cluster.wait_for_workers(len(unfit) + 1)
        assert f"{len(ANSWERS)} graded, 0 graded before, 0 not graded" in grade(root, cluster.address)


@pytest.mark.root
def test_a_worker_with_a_full_disk_is_refused_and_the_others_go_on(tmp_path):
    root = a_course(tmp_path / "course")
    (root / "submitted" / "kim" / small_course.ASSIGNMENT / "large.bin").write_bytes(b"x" * 2_000_000)
    small, script = tmp_path / "small", 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"'
    small.mkdir()
    with machines(tmp_path / "dask", 0) as cluster:
        cluster.start_worker("--name", "small", "--local-directory", str(small), before=("unshare", "--mount", "sh", "-c", script, str(small)))
        cluster.wait_for_workers(1)
        said = grade(root, cluster.address, check=False)
        assert "worker small at" in said and "its disk is full" in said and "What is recorded stays" in said
        cluster.start_worker("--name", "large")
        cluster.wait_for_workers(2)
        said = grade(root, cluster.address)
        assert "0 not graded" in said
    assert len((root / "grades.csv").read_text().splitlines()) == len(ANSWERS) + 1


def test_a_scheduler_of_another_version_is_refused(tmp_path):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    with machines(tmp_path / "dask", 0, environment=another_version(tmp_path / "other", "distributed", "2020.1.0")) as cluster:
        said = grade(root, cluster.address, check=False)
    assert "is `distributed` 2020.1.0, and here is" in said and "Next: " in said


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    root = small_course.make(tmp_path / "course", answers={"ada": small_course.ANSWERS["ada"]})
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "sitecustomize.py").write_text(NO_GRADER.replace('"nbjudge"', '"distributed"'))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "none"))
    said = grade(root, "127.0.0.1:1", check=False)
    assert "distributed is not installed here" in said and "nbjudge[cluster]" in said
    assert "1 graded" in small_course.run(root, "nbjudge", "grade").stdout  # without a cluster everything stays as it is
