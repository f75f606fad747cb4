"""What a test asks of a student's work, and how the student kernel answers: the documents of the codec's messages, written down once.

A `Request` goes with an `Ask` of `nbjudge._wire.messages`, a `Reply` with its answer, a `Callback` with a call of a test's function.
"""

from typing import Any, Literal, NotRequired, TypedDict

Node = Any  # the JSON form of a value, as `nbjudge._wire.codec` writes it
Handle = int  # the number of an object of the student's, which stays where it is


class Additions(TypedDict, total=False):
    """What goes with any request. A test's names, generators, mocks and standard output are, in a notebook's kernel, the student's, too."""

    most_bytes: int  # the size of the largest answer
    assign: list[list[Any]]  # names that the test has set, each with its value's node
    delete: list[str]  # and deleted
    random: list[list[Any]]  # libraries, each with the node of its random generator's state
    drawn: list[str]  # libraries whose generators' states are wanted back where they have changed
    patch: list[list[Any]]  # module, attribute, and the node of what the test put there, in a list; none: the original again
    hear: list[str]  # what of the call the test listens to: "stdout", "stderr", "warnings"
    input: int  # the number of the function of the test's that answers `input`
    write: list[list[Any]]  # handles of containers, each with the node of its new content
    watch: list[Handle]  # containers whose new content is wanted back
    lend: list[int]  # buffers with pickles of lent objects that the test has changed: see `nbjudge._student.lent_objects`
    files: dict[str, Any]  # what the test has written and removed: see `nbjudge._student.files`


class Get(Additions):
    """Read names; each comes as a `Name`."""

    do: Literal["get"]
    names: list[str]


class _OfAnObject(Additions):
    handle: Handle
    names: NotRequired[list[str]]  # what the student's functions may change, wanted back with the answer


class GetAttribute(_OfAnObject):
    """Read an attribute."""

    do: Literal["attribute"]
    name: str


class SetAttribute(_OfAnObject):
    """Set an attribute."""

    do: Literal["set"]
    name: str
    value: Node


class DeleteAttribute(_OfAnObject):
    """Delete an attribute."""

    do: Literal["delete"]
    name: str


class _WithArguments(_OfAnObject):
    arguments: NotRequired[Node]  # a list
    keywords: NotRequired[Node]  # a dict
    may_change: NotRequired[bool]  # whether changed arguments are sent back, not refused


class Call(_WithArguments):
    """Call an object, or, among several calls, its method of this name."""

    do: Literal["call"]
    method: NotRequired[str]
    is_last: NotRequired[bool]  # whether nobody needs its arguments afterwards, such as a generator of random numbers where it stands then


class Calls(Additions):
    """Call objects, one after the other, up to the first call that fails; the value is a list with the `Reply` of each that did not."""

    do: Literal["calls"]
    calls: list[Call]
    names: NotRequired[list[str]]


class CallSpecial(_WithArguments):
    """Call a special method; `name` is one of `nbjudge._wire.special_methods.ALL`."""

    do: Literal["special"]
    name: str


class NextItems(_OfAnObject):
    """Up to `count` items of an iterator, as `Items`."""

    do: Literal["next"]
    count: int


class Describe(_OfAnObject):
    """What a class is (`ClassAbout`), what a function is (`FunctionAbout`), or the builtin part of an object."""

    do: Literal["class", "function", "plain"]


class Derive(_OfAnObject):
    """Make a class that a test derives from a student's; `arguments`: its name, bases and body."""

    do: Literal["derive"]
    arguments: Node


class Pyplot(Additions):
    """Call a function of pyplot's."""

    do: Literal["pyplot"]
    name: str
    arguments: Node
    names: NotRequired[list[str]]


class BeginTests(TypedDict):
    """Begin with what judges tests in this kernel, before a cell runs; see `nbjudge._student.second_road`. The value is its key."""

    do: Literal["begin_tests"]
    modules: list[str]  # what its tests import
    rebuilt: list[str]  # attributes of modules and of their classes that the solution sets
    helpers: dict[str, str]  # modules of the instructor's, each with its code
    trusted: list[str]  # what the solution lets objects answer
    judging: list[str]  # methods by which objects judge
    words: list[str]  # of the solution


class Judge(TypedDict):
    """Have it read `words`, which are sealed; the value is what it says, which is sealed, too."""

    do: Literal["judge"]
    words: str


Request = Pyplot | Get | GetAttribute | SetAttribute | DeleteAttribute | Call | Calls | CallSpecial | NextItems | Describe | Derive


class Name(TypedDict, total=False):
    """One name of the student's: a value, or why there is none."""

    value: Node
    missing: Literal[True]
    refused: str


# What the student's code raised: the names of its type and the types above, its message, the line of a cell that it left last, what it
# was made with when that is short, the handles of itself and, for a type of the student's own, of that, and what the notebook has
# changed of Python's own that it met.
ErrorAbout = TypedDict(
    "ErrorAbout",
    {
        "types": list[str],
        "message": str,
        "line": int | None,
        "args": NotRequired[Node],
        "class": NotRequired[Handle | None],
        "handle": NotRequired[Handle],
        "overrides": NotRequired[list[list[str]]],
    },
)


class Items(TypedDict, total=False):
    """Items of an iterator, and what came after them, if anything did."""

    items: list[Node]
    end: Literal[True]
    refused: str
    error: ErrorAbout


class ClassAbout(TypedDict):
    """What it takes to make a class that stands for a student's."""

    name: str
    qualname: str
    module: str
    bases: list[Node]
    specials: list[str]  # the special methods that it has
    names: list[str]
    fields: list[str] | None  # of a named tuple
    plain: str | None  # the builtin that it is derived from


class CodeAbout(TypedDict):
    """Names and counts of a function's code."""

    argcount: int
    posonlyargcount: int
    kwonlyargcount: int
    flags: int
    name: str
    varnames: list[str]
    names: list[str]
    freevars: list[str]
    cellvars: list[str]
    consts: Node


class FunctionAbout(TypedDict):
    """What can be read of a function, method or class. An annotation or default is a list of one, or of none where there is none."""

    name: str | None
    qualname: str | None
    doc: str | None
    module: str | None
    source: str | None
    parameters: list[list[Any]] | None  # of each: name, kind, default, annotation
    code: CodeAbout | None
    returns: NotRequired[list[Node]]
    defaults: NotRequired[Node]
    kwdefaults: NotRequired[Node]
    annotations: NotRequired[list[list[Any]]]  # of each: name, annotation


class _Answer(TypedDict, total=False):
    """The answer to a request: a value, what was raised, or why there is no answer; and what was asked for besides.

    Where arguments may change, the value of a call is `[value, changed, contents]`.
    """

    value: Any  # a node; or names, items or a description, as the request says
    changed: list[int | str]  # arguments that a call changed: places from 1, or keywords
    error: ErrorAbout
    refused: str
    printed: dict[str, str]  # to "stdout" and to "stderr"
    warned: list[list[Any]]  # the category's name, the text and the line of each warning
    names: dict[str, Name]
    drawn: list[list[Any]]  # libraries, each with the node of its random generator's state


class Reply(_Answer, total=False):
    """With what has changed in place: copies (handles and nodes), parts of arguments (their places and nodes), files (names and nodes)."""

    view: list[Any]  # the argument of which the value, an array, shows a part: its place, and the part's offset and strides
    own: Handle  # of the container that the value is a copy of
    kept: list[list[Any]]
    owns: list[list[int]]  # of items: place, part and handle
    overrides: list[list[str]]  # what a call met without an error, as in `ErrorAbout`
    states: list[list[Any]]
    held: list[int]  # numbers of lent objects that the student's code keeps
    lent: list[list[Any]]  # and of those that it changed, with the names and nodes of their parts
    watched: list[list[Any]]
    files: list[list[Any]]
    gone: list[str]


class Callback(TypedDict):
    """A call of the student's code to a function of the test's, by its number."""

    number: int
    arguments: Node
    keywords: Node


class CallbackReply(TypedDict, total=False):
    """What such a function gave, or the type and text of what it raised."""

    value: Node
    error: str
    text: str
