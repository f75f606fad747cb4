"""Every message between the grader and the processes of its student kernels, written down once.

    grader   ── `WarmOptions`, then one `Start` for each kernel ──> warm process        its arguments, its control socket
    grader   <── `Warm` ── warm process                                                 the control socket
    grader   <── `KernelStatus`: accepted, ready or failed, looked, ended ── warm process, kernel, supervisor       the hang-up line
    grader   ── `INTERRUPT`, `LOOK`, `END` ──> supervisor                               the hang-up line
    grader   ── `Run`, `Ask`, `CallbackAnswered`, each with its buffers ──> kernel      the line
    grader   <── `Shown`, and `Answered` with its buffers ── kernel                     the line

The buffers of an `Ask` are a message of the codec whose document is a `Request` of
`nbjudge._wire.requests`, those of its answer one whose document is a `Reply`.

These types say what is sent. What arrives from a student kernel is whatever a student's code has written there, so the grader's side
takes it for `Any`, and looks before it believes.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict


class WarmOptions(TypedDict):
    """The warm process's argument."""

    modules: Sequence[str]  # what it imports
    packages: Sequence[str]  # what it imports with all their modules
    later: Sequence[str]  # more such packages, which it imports when a kernel needs them
    font_cache: str | None  # a folder with matplotlib's list of fonts
    nested: bool  # whether kernels get namespaces of their own: False without a sandbox
    accounts: bool  # whether they get nothing but an account of their own and the filter of system calls


class Warm(TypedDict):
    """The warm process has imported everything; it says so once."""

    ready: Literal[True]
    missing: list[str]  # modules that are not there


class Start(TypedDict):
    """A request for one kernel. Three descriptors go with it: the hang-up line, the line, and the page of the gauge.

    More where the kernel has a memory group: what a process writes to in order to enter it, and files that hold numbers.
    """

    box: str  # the kernel's own folder
    folder: str  # where its cells work
    uid: int | None  # the user that it runs as, when that is not the grader's
    limits: dict[str, Any]  # those of `nbjudge._wire.limits.Limits`, by name
    connection_file: str | None  # for a kernel that Jupyter programs talk to; without, there is the line
    files: str | None  # what is copied into its folder
    group: Sequence[int]  # what the numbers of its memory group may be
    keep: list[str]  # paths that stay in sight in folders that are covered
    libraries: Sequence[str]  # what is imported before the kernel is forked


class KernelStatus(TypedDict, total=False):
    """What is told on the hang-up line, a word at a time, each on a line of its own."""

    accepted: Literal[True]  # by the warm process: it has forked
    ready: Literal[True]  # by the kernel itself: requests can come
    failed: str  # by whoever could not go on, with the traceback
    looked: Literal[True]  # by the supervisor, which was told to look: no limit is passed
    ended: str  # by the supervisor: why, such as `exit 0`, `signal SIGSEGV`, `memory`


INTERRUPT, LOOK, END = b"I", b"L", b"K"  # the orders to a supervisor, a byte each


class Run(TypedDict):
    """The head of a request to run a cell. Nothing goes with it."""

    do: Literal["run"]
    id: str
    source: str


class Ask(TypedDict):
    """The head of a `Request`. `free`: handles of objects that the grader has nothing left for, since the request before."""

    do: Literal["ask"]
    id: str
    free: Sequence[int]


class CallbackAnswered(TypedDict):
    """The head of what a function of the test's gave; a `CallbackReply` goes with it. `id`: of the request during which it was called."""

    do: Literal["callback"]
    id: str


class Answered(TypedDict):
    """The head of a `Reply` to a request, or of a `Callback`, a call that a request waits for. `to`: the request's `id`."""

    kind: Literal["reply", "callback"]
    to: str


class Shown(TypedDict):
    """One thing that a cell shows, as Jupyter's messages have it. `kind` is one of `SHOWN`."""

    kind: str
    to: str | None  # the `id` of the request that it belongs to
    content: dict[str, Any]


OUTPUTS = ("stream", "display_data", "execute_result", "error")  # what a notebook keeps
CLEAR, UPDATE = "clear_output", "update_display_data"
SHOWN = (*OUTPUTS, CLEAR, UPDATE)
