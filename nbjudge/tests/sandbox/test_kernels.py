"""Student kernels: what they may not reach, how they end, and grading without a sandbox only when told."""

import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest

from helpers.courses import assert_gone
from hostile import cheat_source
from nbjudge._analysis.instructor import Instructor
from nbjudge._analysis.libraries import libraries_of
from nbjudge._execution.execute import execute
from nbjudge._sandbox import bubblewrap, doctor, early, starting
from nbjudge._sandbox.channel import Channel
from nbjudge._wire.errors import KernelGone, KernelStartFailed, KernelTimeout, OwnFailure, SandboxMissing
from nbjudge._wire.limits import Limits
from nbjudge.testing.notebooks import notebook, test_cell
from nbjudge.testing.processes import is_running


@pytest.fixture
def channel(warm, limits):
    kernel = warm.start(limits)
    yield Channel(kernel, limits)
    kernel.close()


def test_no_sandbox_no_grading(monkeypatch, capsys):
    monkeypatch.setattr(bubblewrap, "why_not", lambda: "The program bwrap is not installed.")
    with pytest.raises(SandboxMissing, match="Nothing was graded"):
        starting.WarmKernels()
    assert doctor.main() == 1
    assert "refuses" in capsys.readouterr().out


SWITCHED_OFF = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" -c "from nbjudge._sandbox import bubblewrap; print(bubblewrap.why_not())"'


def test_switched_off_namespaces_are_told_with_the_command_to_type():
    done = subprocess.run(["unshare", "-Ur", "sh", "-c", SWITCHED_OFF, sys.executable], text=True, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"no namespace can be made here to switch them off in: {done.stderr}")
    assert "User namespaces are switched off: type `sudo sysctl -w user.max_user_namespaces=15000`, then the same command" in done.stdout


def test_without_sandbox_only_when_told():
    with starting.WarmKernels(sandboxed=False) as warm:
        nb = notebook("def f(x): return x", test_cell("t", "assert f(1) == 1"), "import os; os._exit(0)", test_cell("u", "assert f(2) == 2"))
        assert [verdict.points for verdict in execute(nb, nb, warm).verdicts] == [1, 1]
        boxes = warm._boxes
    assert not boxes.exists()


def test_libraries_of_the_instructors_cells_are_imported_before_a_kernel_is_forked(warm, limits):
    """And one that is not installed is the notebook's own affair."""
    cells = ("from PIL.GimpPaletteFile import GimpPaletteFile\nif 0:\n    import seaborn.nothing", "best = torch.optim.Adam")
    libraries = libraries_of(Instructor(notebook(*cells)))
    assert libraries == ("PIL", "PIL.GimpPaletteFile", "seaborn", "seaborn.nothing", "torch._dynamo")
    kernel = warm.start(limits, libraries=libraries)
    said = Channel(kernel, limits).run("import sys\nprint({'PIL.GimpPaletteFile', 'PIL.PcfFontFile', 'torch._dynamo'} - sys.modules.keys())", 5)
    assert said[0].text == "{'PIL.PcfFontFile'}\n"
    kernel.close()


def test_what_no_notebook_mentions_is_imported_when_one_needs_it(tmp_path, monkeypatch, limits):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\nc.Execute.packages = ['lessons']\n")
    for path, text in {"lessons/__init__.py": "", "lessons/one.py": "", "source/a/a.ipynb": '"import numpy"'}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(sys, "path", [*sys.path])
    early.begin(tmp_path)
    with early.taken(("lessons",), True) as warm:
        for libraries, there in (
            ((), set()),
            (("lessons",), {"lessons", "lessons.one"}),
            (("torch", "torch.nn"), {"torch", "lessons", "lessons.one"}),
        ):
            kernel = warm.start(limits, libraries=libraries)
            said = Channel(kernel, limits).run("import sys\nprint(sorted({'lessons', 'lessons.one', 'torch'} & sys.modules.keys()))", 5)
            assert said[0].text == f"{sorted(there)}\n"
            kernel.close()


@pytest.mark.parametrize(
    ("settings", "packages", "sandboxed"),
    [
        ("c.Execute.packages = ['nbformat']", (), True),
        ("c.Execute.packages = ['nbformat']", ("nbformat",), "accounts"),
        ("c.Execute.sandbox = True", (), True),
        ("c.Execute.packages = list(some)", ("nbformat",), True),
        ("c.Execute.packages =", ("nbformat",), True),
    ],
)
def test_what_was_started_by_a_wrong_guess_is_ended(tmp_path, monkeypatch, settings, packages, sandboxed):
    (tmp_path / "nbgrader_config.py").write_text(settings)
    monkeypatch.setattr(sys, "path", [*sys.path])
    early.begin(tmp_path)
    begun = [warm for _, warm in early._started]
    assert early.taken(packages, sandboxed) is None and not early._started
    assert all(not warm.is_running and not warm._boxes.exists() for warm in begun)
    assert len(begun) == ("nbformat'" in settings)


def test_output_is_cut(channel, limits):
    outputs = channel.run("print('x' * 1000 * 200)", 5)
    assert sum(len(str(output)) for output in outputs) < 2 * limits.output_kb * 1024
    assert "cut here" in outputs[-1].text


def test_a_hang_is_told_with_what_was_printed(channel):
    with pytest.raises(KernelTimeout) as caught:
        channel.run("print('so far', flush=True)\nwhile True: pass", 1)
    assert "so far" in caught.value.outputs[0].text


def test_an_end_is_told_with_its_reason(channel):
    with pytest.raises(KernelGone, match="SIGKILL"):
        channel.run("import os\nos.kill(os.getpid(), 9)", 5)


def test_kernels_do_not_see_each_other(warm, limits):
    first, second = warm.start(limits), warm.start(limits)
    talk = Channel(second, limits)
    try:
        listing = talk.run(f"import os\nprint(os.listdir({str(warm._boxes)!r}))", 5)[0].text
        assert listing == f"{[second.box.name]}\n"
        reached = talk.run(f"import os\nprint(os.path.exists({str(first.box)!r}))", 5)[0].text
        assert reached == "False\n"
    finally:
        first.close()
        second.close()


def test_the_connection_folder_is_read_only(channel):
    source = "import glob\n[box] = glob.glob('/tmp/nbjudge-*/k*')\nopen(box + '/more', 'w')"
    assert "Read-only" in channel.run(source, 5)[0].evalue


STARTS_AND_STAYS = """
import time
from nbjudge._sandbox.starting import WarmKernels
warm = WarmKernels()
warm.wait_until_warm()
print(warm._process.pid, flush=True)
time.sleep(60)
"""


def test_the_warm_process_dies_with_the_nbjudge():
    owner = subprocess.Popen([sys.executable, "-c", STARTS_AND_STAYS], stdout=subprocess.PIPE, text=True)
    process = owner.stdout.readline().strip()
    assert is_running(process)
    owner.kill()
    owner.communicate()
    assert_gone({process})


def test_a_broken_grader_is_no_failed_test():
    with starting.WarmKernels() as warm:
        warm.wait_until_warm()
        warm._process.kill()
        warm._process.wait()
        with pytest.raises(OwnFailure, match="Grade again"):
            execute(cheat_source(), cheat_source(), warm)


def test_a_kernel_that_does_not_come_up_leaves_nothing(warm, clean_box):
    with pytest.raises(KernelStartFailed, match="did not come up"):
        execute(cheat_source(), cheat_source(), warm, Limits(start_seconds=0))


def test_what_a_killed_grader_leaves_is_removed_by_the_next():
    left, lock = starting.new_folder()
    in_use, other = starting.new_folder()
    lock.close()  # what the system does when the owner is gone
    (left / "k1-0").mkdir()
    starting.remove_left()
    assert not left.exists() and in_use.exists()
    other.close()
    starting.remove_left()
    assert not in_use.exists()


def test_without_matplotlib_everything_else_works(limits, monkeypatch):
    """An empty folder is what a library leaves that was half removed, and Python takes it for a package."""
    folder, usual = str(Path(matplotlib.__file__).parent), bubblewrap.command

    def without(boxes, packages, inner):
        line = usual(boxes, packages, inner)
        place = line.index("--remount-ro")
        return [*line[:place], "--tmpfs", folder, *line[place:]]

    monkeypatch.setattr(bubblewrap, "command", without)
    with starting.WarmKernels() as warm:
        result = execute(cheat_source(), cheat_source(), warm, limits)
    assert [verdict.points for verdict in result.verdicts] == [2] * 5


def test_a_notebook_imports_from_its_own_folder_and_from_no_other(warm, limits, tmp_path):
    (tmp_path / "beside_me.py").write_text("value = 5\n")
    kernel = warm.start(limits, tmp_path)
    try:
        channel = Channel(kernel, limits)
        assert channel.run("import beside_me\nprint(beside_me.value)", 5)[0].text == "5\n"
        found = "import sys\nprint([path for path in sys.path if path.startswith('/tmp') and not path.startswith(sys.prefix)])"
        assert channel.run(found, 5)[0].text == "[]\n"
    finally:
        kernel.close()


def test_the_graders_own_code_is_hidden_where_it_is_installed_among_packages(limits, monkeypatch):
    own = bubblewrap.OWN
    monkeypatch.setattr(bubblewrap, "_other_site_packages", lambda: [str(own.parent)])
    with starting.WarmKernels() as warm:
        kernel = warm.start(limits)
        try:
            channel = Channel(kernel, limits)
            assert channel.run(f"import os\nprint(os.listdir({str(own)!r}))", 5)[0].text == "[]\n"
            told = channel.run(f"try:\n    os.mkdir({str(own / 'more')!r})\nexcept OSError as error:\n    print(error.strerror)", 5)
            assert told[0].text == "Read-only file system\n"
        finally:
            kernel.close()


def test_a_folder_of_matplotlibs_that_is_made_later_is_not_missed(limits, monkeypatch, tmp_path):
    monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "fonts"))
    with starting.WarmKernels() as warm:
        (tmp_path / "fonts").mkdir()
        assert bubblewrap.font_cache()
        kernel = warm.start(limits)
        try:
            assert Channel(kernel, limits).run("print(1)", 5)[0].text == "1\n"
        finally:
            kernel.close()
