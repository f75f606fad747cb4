"""The warm process: imports what notebooks import, once, then forks a student kernel per request.

Runs inside the outer sandbox as `python -m nbjudge._student.fork_server`; standard input is the control socket. It never runs student
code itself, so every kernel starts from the same clean state.
"""

import contextlib
import gc
import importlib.util
import json
import os
import pkgutil
import shutil
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbjudge._student import namespaces, supervisor, system_calls
from nbjudge._wire.limits import MB
from nbjudge._wire.line import Line
from nbjudge._wire.messages import Start as StartRequest
from nbjudge._wire.messages import Warm, WarmOptions
from nbjudge._wire.shared_page import SharedPage

if TYPE_CHECKING:
    from nbjudge._student import kernel

NICENESS = 15


def main() -> None:
    """Serve start requests until the grader hangs up. Argument: `WarmOptions`, as JSON."""
    options: WarmOptions = json.loads(sys.argv[1])
    control = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # finished supervisors need no collecting
    importlib.import_module("nbjudge._wire.single_threaded")
    _prepare_fonts(options["font_cache"])
    missing = _import_all([*options["modules"], *_all_modules(options["packages"])])
    application = _prepared_application()
    filters = _filters(options)
    second_road = importlib.import_module("nbjudge._student.second_road")
    second_road.prepare()
    gc.freeze()  # a collection in a kernel would otherwise copy every page that it shares with this process
    known = set[str]()
    warm: Warm = {"ready": True, "missing": missing}
    control.sendall(json.dumps(warm).encode() + b"\n")
    while True:
        request, descriptors, _, _ = socket.recv_fds(control, 65536, 8)
        if not request:
            return
        lifeline, line = (socket.socket(fileno=descriptor) for descriptor in descriptors[:2])
        page, *group = descriptors[2:]
        sealing = filters[not group] if filters else None
        start: StartRequest = json.loads(request)
        if new := [name for name in start["libraries"] if name not in known]:
            known.update(new)
            _import_all([*new, *_all_modules([name for name in options["later"] if name in new])])
            second_road.note_codes()
            gc.freeze()
        _fork_kernel(_Start(application, start, lifeline, line, page, sealing, group, options["nested"]), control)


def _filters(options: WarmOptions) -> tuple[system_calls.Filter, system_calls.Filter] | None:
    """The filter for kernels with a memory group, and the one for those without."""
    if options["accounts"]:  # the network and System V's memory are everybody's
        return (system_calls.compiled(bounds_memory=True, network=False),) * 2
    return (system_calls.compiled(), system_calls.compiled(bounds_memory=True)) if options["nested"] else None


def _import_all(modules: list[str]) -> list[str]:
    """Import what is there, and say what is not. A thread or event loop started here would not survive the fork."""
    missing = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modules:
            try:
                importlib.import_module(name)
            except Exception:  # a notebook that needs it will say so itself
                missing.append(name)
    for name in ("torch", "matplotlib"):
        if getattr(sys.modules.get(name), "__file__", "") is None:  # an empty folder of that name, which Python takes for a package
            del sys.modules[name]
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    if "matplotlib" in sys.modules:
        sys.modules["matplotlib"].backends.backend_registry.resolve_backend("inline")  # reads every package's entry points, once
    return missing


def _prepared_application() -> "kernel.LineApp":
    from nbjudge._student import kernel  # not before the fonts are in place

    return kernel.prepare()


def _all_modules(packages: Sequence[str]) -> list[str]:
    """The packages and everything in them that a notebook may import."""
    if packages:  # they may read notebooks
        importlib.import_module("nbjudge._wire.without_checkers")
    found = []
    for name in packages:
        spec = importlib.util.find_spec(name)
        places = spec.submodule_search_locations or [] if spec else []
        found += [name, *(module.name for module in pkgutil.walk_packages(places, f"{name}.", onerror=lambda _: None))]
    return found


def _prepare_fonts(cache: str | None) -> None:
    """Give matplotlib a writable folder with a copy of the font list, which takes seconds to build."""
    folder = os.environ["MPLCONFIGDIR"]
    os.makedirs(folder, exist_ok=True)
    if not cache or not os.path.isdir(cache):
        return
    for name in os.listdir(cache):
        if name.startswith("fontlist"):
            shutil.copy(os.path.join(cache, name), folder)


@dataclass(frozen=True)
class _Start:
    """What it takes to start one kernel."""

    application: "kernel.LineApp"
    request: StartRequest
    lifeline: socket.socket
    line: socket.socket
    page: int  # of the gauge
    system_calls: system_calls.Filter | None  # None: without a sandbox
    group: list[int]  # of memory: what is written to in order to enter it, and files that hold numbers; empty: there is none
    nested: bool  # whether the kernel gets namespaces of its own

    @property
    def account(self) -> int | None:
        """The account that is all that the kernel gets, if that is so. Its supervisor stays root then, which the kernel cannot signal."""
        return None if self.nested or self.system_calls is None else self.request["uid"]


def _fork_kernel(start: _Start, control: socket.socket) -> None:
    """Fork the stage, which forks the supervisor, which forks the kernel. Returns at once in the warm process."""
    if os.fork() > 0:
        supervisor.tell(start.lifeline, {"accepted": True})
        start.lifeline.close()
        start.line.close()
        for descriptor in (start.page, *start.group):
            os.close(descriptor)
        return
    code = 1
    try:
        control.close()
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if start.account is None:
            namespaces.become(start.request["uid"])
        if start.nested:
            namespaces.enter_namespaces()
            if os.fork() > 0:
                os._exit(0)
        _supervise(start)
        code = 0
    except BaseException:
        supervisor.tell(start.lifeline, {"failed": traceback.format_exc(limit=3)})
    os._exit(code)


def _supervise(start: _Start) -> None:
    """Process 1 of the kernel's namespace (or, without a sandbox, leader of its process group)."""
    request = start.request
    if start.nested:
        namespaces.private_files(request["box"], request["limits"]["scratch_mb"], request["keep"])
        if not start.group:
            namespaces.bound_buffers()
    if sys.platform == "linux":
        namespaces.prctl(namespaces.PR_SET_CHILD_SUBREAPER, 1)
    kernel = os.fork()
    if kernel == 0:
        # The system shares processors between sessions: what the student's processes take of theirs, the supervisor does not wait for.
        os.setsid()
        os.close(start.page)
        _become_kernel(start)
    start.line.close()
    if start.group:
        os.close(start.group[0])
    gauge = SharedPage(start.page)
    if start.nested:
        namespaces.prctl(namespaces.PR_SET_DUMPABLE, 0)
    os.closerange(0, start.lifeline.fileno())
    try:
        supervisor.Supervisor(kernel, start.lifeline, request["limits"], gauge, start.nested, dict(zip(start.group[1:], request["group"]))).watch()
    finally:
        if start.account is not None:
            supervisor.end_account(start.account)
        else:
            supervisor.end_all() if start.nested else _kill_group(kernel)


def _become_kernel(start: _Start) -> None:
    """Turn into an IPython kernel. It is sealed before it starts a thread, and its box is closed before it listens."""
    from nbjudge._student import files, kernel

    request, code = start.request, 1
    try:
        if start.group:  # before it takes any memory of its own
            os.write(start.group[0], b"0")
            for descriptor in start.group:
                os.close(descriptor)
        namespaces.become(start.account)
        folder = request["folder"]
        os.makedirs(folder, exist_ok=True)
        _copy_files(request["files"], folder)
        os.chdir(folder)
        files.begin()
        sys.path.insert(0, "")  # a notebook imports from its own folder, and this process did not
        os.environ.update(HOME=folder, TMPDIR=folder, IPYTHONDIR=os.path.join(folder, ".ipython"))
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        os.close(null)
        close_box = None
        if start.system_calls is not None:
            namespaces.own_descriptors({start.line.fileno(), start.lifeline.fileno()})
            close_box = _sealed(start, start.system_calls)
        if request["connection_file"]:
            application = kernel.on_sockets(request["connection_file"], folder)
        else:
            application = start.application
            application.attach(Line(start.line, request["limits"]["message_mb"] * MB * 2))  # the grader does not send more
        if close_box is not None:
            close_box()
        namespaces.limit_resources(request["limits"])
        # Whatever a student starts, the supervisor and the grader get their turn first.
        os.nice(NICENESS)
        supervisor.tell(start.lifeline, {"ready": True})
        start.lifeline.close()
        application.start()
        code = 0
    except BaseException:
        if start.lifeline.fileno() >= 0:
            supervisor.tell(start.lifeline, {"failed": traceback.format_exc(limit=5)})
    finally:
        os._exit(code)


def _sealed(start: _Start, system_calls: system_calls.Filter) -> Callable[[], None] | None:
    """Seal this process. Returns what makes its box read-only, where sockets are to be put there first."""
    box = start.request["box"]
    if not start.request["connection_file"]:
        if start.nested:
            namespaces.read_only(box)
        namespaces.seal(system_calls)
        return None
    waits, go = os.pipe()
    closer = os.fork()  # keeps the right that this process gives up
    if closer == 0:
        code = 1
        try:
            os.close(go)
            os.read(waits, 1)
            namespaces.read_only(box)
            code = 0
        finally:
            os._exit(code)
    os.close(waits)
    namespaces.seal(system_calls)

    def close_box() -> None:
        os.close(go)
        if os.waitpid(closer, 0)[1] != 0:
            raise OSError("the folder of the kernel's connection cannot be made read-only")

    return close_box


def _copy_files(source: str | None, folder: str) -> None:
    if source is None:
        return
    # What does not fit into the scratch folder is missing there; the student's cells will say so.
    with contextlib.suppress(OSError):
        shutil.copytree(source, folder, symlinks=True, dirs_exist_ok=True)


def _kill_group(kernel: int) -> None:
    try:
        os.killpg(kernel, signal.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    main()
