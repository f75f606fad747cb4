"""What one statement of a notebook does with names: which it binds, deletes, changes, and which it needs, now or later.

Static, from the text alone; nothing is run. Python's own symbol tables say what is local.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

BUILTINS = frozenset(dir(builtins)) | {"__name__", "__builtins__", "__doc__", "display"}
SHELL = frozenset({"get_ipython", "In", "Out", "_ih", "_oh", "_dh", "exit", "quit"})  # what IPython adds to a namespace
HARMLESS_MAGICS = frozenset(
    {
        "matplotlib",
        "config",
        "load_ext",
        "reload_ext",
        "autoreload",
        "precision",
        "aimport",
        "autosave",
        "xmode",
        "pdb",
        "colors",
        "pprint",
        "automagic",
    }
)
PYLAB = "import numpy, matplotlib\nfrom matplotlib import pylab, mlab, pyplot\nnp, plt = numpy, pyplot"  # what `%pylab` binds, and by stars more
HARMLESS_CELL_MAGICS = frozenset({"time", "capture"})
# A value that is made with one of these differs from the one in the student's kernel.
CHANCE = re.compile(
    r"random|^rand|_rand|seed|shuffle|^choices?$|^sample$|^rng$|^normal$|^uniform$|permutation|urlopen|urlretrieve|requests?$"
    r"|^time$|^now$|^today$|perf_counter|monotonic|uuid|urandom|^input$|getpass|^id$|getenv|environ|^nn$|^keras$|^layers$|^empty"
)
CHECKS = re.compile(r"^_?assert|^_?check|^fail$|TestCase", re.IGNORECASE)
COMPREHENSIONS = ("genexpr", "listcomp", "setcomp", "dictcomp")
# What a comment says where students are to write.
PLACEHOLDER = re.compile(
    r"#.*?(\byour (own )?(code|answer|solution|implementation|work)\b|\b(todo|to do|fixme)\b|\bfill(ed)?[- ]?(this |it |me )?in\b"
    r"|\b(write|put|add|insert|enter|type|complete|implement|replace|change|finish|edit)\b[^#]*\b(here|below|this|me|code|none|body|function|yourself)\b"
    r"|\bnot implemented\b|\b(votre|ваш) code?|ваш код|\bc[oó]digo aqu[ií]|\bde(in|inen) code|\bihr(en)? code|BEGIN SOLUTION)"
    r"|#+ *(replace|complete|change|edit|fill|finish)\b",
    re.IGNORECASE,
)
# Calls and settings of libraries that change what later statements do, and give nothing back.
EFFECTS = re.compile(
    r"^set(_|locale|recursionlimit|context|state|$)|seed|options?$|^rcParams|^rc$|^rcdefaults$|^use$|^seterr|^basicConfig$|^setLevel$|^disable$"
    r"|^environ$|^putenv$|^getcontext$"
)
SEEDS = frozenset(
    {"seed", "manual_seed", "setstate", "set_state", "set_rng_state", "seed_everything", "set_seed", "set_random_seed", "manual_seed_all"}
)


@dataclass(frozen=True)
class Statement:
    """One top-level statement. `kind`: import, def, class, data (any other that binds) or run (binds nothing)."""

    node: ast.stmt
    kind: str
    binds: frozenset[str]
    deletes: frozenset[str]
    now: frozenset[str]  # names that running it reads
    later: frozenset[str]  # names that functions in it read when they are called
    changes: frozenset[str]  # names whose values it may change in place
    passes: frozenset[tuple[str, str]]  # names that it passes to the function of a name: (function, name)
    words: frozenset[str]  # every name and attribute in it
    definite: bool  # whether it binds what it binds whenever it comes to its end
    is_stub: bool  # nothing that a student could leave as it is
    is_marked: bool = False  # whether a comment in it says that students write there

    @property
    def is_open(self) -> bool:
        """Whether it keeps the place of what a student writes, and judges nothing."""
        return (
            bool(self.binds) and self.kind != "import" and not self.is_checker and (self.is_stub or self.is_marked or _is_class_of_stubs(self.node))
        )

    @property
    def has_effect(self) -> bool:
        """Whether it is there for what it does to libraries or to the process: a seed, an option, a variable of the environment."""
        return self.kind == "run" and (_sets_a_place(self.node) or _is_call_for_effect(self.node))

    @property
    def writes_into(self) -> frozenset[str]:
        """Names whose values it is there to change in place: by an assignment to a part of them, or a call whose result is left."""
        stored = {name for inner in ast.walk(self.node) for name in _stored_into(inner)}
        if isinstance(self.node, ast.Expr) and isinstance(call := self.node.value, ast.Call):
            stored.update(_base(call.func.value) if isinstance(call.func, ast.Attribute) else (), (name for _, name in self.passes))
        return frozenset(stored & self.now)

    @property
    def is_shell(self) -> bool:
        """Whether it needs IPython."""
        return "get_ipython" in self.now or "get_ipython" in self.later

    @property
    def has_star(self) -> bool:
        """Whether it binds names that its text does not tell."""
        return "*" in self.binds

    @property
    def is_checker(self) -> bool:
        """Whether it defines something that judges."""
        return any(isinstance(inner, ast.Assert) for inner in ast.walk(self.node)) or any(map(CHECKS.search, self.words))

    @property
    def by_chance(self) -> bool:
        """Whether it may give another value each time."""
        return any(map(CHANCE.search, self.words))


@dataclass(frozen=True)
class Text:
    """The statements of one cell. `why_not`: why the cell is not Python that can run without IPython, if so."""

    statements: tuple[Statement, ...] = ()
    why_not: str = ""
    line: int = 0  # of a syntax error


@lru_cache(maxsize=4096)
def read_cell(source: str) -> Text:
    """The statements of a cell, IPython's own lines included. Never raises."""
    try:
        tree = parse(source)
    except SyntaxError as error:
        return Text((), f"line {error.lineno}: {error.msg}", error.lineno or 0)
    lines = source.split("\n")
    nodes = itertools.chain.from_iterable(map(_one_by_one, tree.body))
    found = [replace(one, is_marked=_is_marked(one.node, lines)) if "#" in source else one for one in map(describe, nodes)]
    return Text(tuple(found), magic_of(tree))


def _one_by_one(node: ast.stmt) -> list[ast.stmt]:
    """An import of several names as an import of each: who needs one of them does not wait for the others."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return [node]
    about = {name: value for name, value in ast.iter_fields(node) if name != "names"}
    return [ast.copy_location(type(node)(names=[alias], **about), node) for alias in node.names]


def _is_marked(node: ast.stmt, lines: list[str]) -> bool:
    """Whether a comment of a statement, or one right above it or below, says that students write there."""
    begin = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    while begin > 1 and lines[begin - 2].lstrip().startswith("#"):
        begin -= 1
    return any(map(PLACEHOLDER.search, lines[begin - 1 : node.end_lineno]))


def parse(source: str, name: str = "<cell>") -> ast.Module:
    """The syntax tree of a cell; IPython's lines become what IPython makes of them, harmless ones nothing. Raises `SyntaxError`."""
    header, capture = _cell_magic(source)
    if header is not None:
        source = header
    try:
        tree = ast.parse(source, name)
    except SyntaxError:
        if not re.search(r"^\s*[%!?]|=\s*[%!]|\?\s*$", source, re.MULTILINE):
            raise
        tree = ast.parse(with_shell(source), name)
    tree = ast.fix_missing_locations(_OwnLines().visit(tree))
    return _captured(tree, capture) if capture is not None and tree.body else tree


def imports_of(tree: ast.AST) -> Iterator[str]:
    """The modules that it imports, by their whole names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def with_shell(source: str) -> str:
    """A cell as IPython itself runs it: its own lines are calls of `get_ipython()`."""
    from IPython.core.inputtransformer2 import TransformerManager  # half a second, for the few cells that need it

    return TransformerManager().transform_cell(source)


def _cell_magic(source: str) -> tuple[str | None, str | None]:
    """The body of a cell whose magic only watches it, lines kept in place, and what `%%capture` binds: "" for nothing."""
    found = re.match(r"\s*%%(\w+)[ \t]*(.*)", source)
    if not found or found[1] not in HARMLESS_CELL_MAGICS:
        return None, None
    words = [word for word in found[2].split() if not word.startswith("-")]
    body = "\n" * source[: found.end()].count("\n") + source[found.end() :]
    return body, (words[0] if words and words[0].isidentifier() else "") if found[1] == "capture" else None


def _captured(tree: ast.Module, name: str) -> ast.Module:
    head = f"from IPython.utils.capture import capture_output as _capture\nwith _capture(){f' as {name}' if name else ''}:\n    pass"
    framed = ast.parse(head)
    for node in framed.body:
        if isinstance(node, ast.With):
            node.body = tree.body
    return framed


class _OwnLines(ast.NodeTransformer):
    """Takes out magics that change nothing that a test could see, and writes out the imports of `%pylab`."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | list[ast.stmt]:
        """One line."""
        match node.value:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr="run_line_magic" | "magic"),
                args=[ast.Constant(value=str(name)), *_],
            ) if name.split()[0].lstrip("%") in HARMLESS_MAGICS:
                return ast.copy_location(ast.Pass(), node)
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr="run_line_magic"),
                args=[ast.Constant(value="pylab"), ast.Constant(value=str(asked))],
            ):
                stars = "" if "--no-import-all" in asked else "\nfrom matplotlib.pylab import *\nfrom numpy import *"
                return [ast.copy_location(one, node) for one in ast.parse(PYLAB + stars).body]
        return node


def magic_of(tree: ast.AST) -> str:
    """Words for what of IPython a cell uses, or ""."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=attribute), args=arguments):
                first = str(arguments[0].value) if arguments and isinstance(arguments[0], ast.Constant) else ""
                sign = {"run_line_magic": "%", "run_cell_magic": "%%", "system": "!", "getoutput": "!"}.get(attribute)
                return f"it uses `{sign}{first}`, which only a notebook's own kernel can run" if sign else NEEDS_SHELL
            case ast.Name(id="get_ipython"):
                return NEEDS_SHELL
    return ""


NEEDS_SHELL = "it uses get_ipython(), which is there in a notebook's own kernel only"


def describe(node: ast.stmt) -> Statement:
    """What a statement does with names."""
    table = symtable.symtable(ast.unparse(node), "<statement>", "exec")
    binds: set[str] = set()
    now: set[str] = set()
    later: set[str] = set()
    changes: set[str] = set()
    for symbol in table.get_symbols():
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
            binds.add(symbol.get_name())
        if symbol.is_referenced():
            now.add(symbol.get_name())
    for scope, is_later in _scopes(table, False):
        for symbol in scope.get_symbols():
            if symbol.is_global() and symbol.is_referenced():
                (later if is_later else now).add(symbol.get_name())
            if symbol.is_declared_global() and symbol.is_assigned():
                (changes if is_later else binds).add(symbol.get_name())
    deletes = {inner.id for inner in _here(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Del)} & binds
    stored = {inner.id for inner in _here(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
    only_deleted = deletes - stored
    now |= only_deleted | {inner.target.id for inner in _here(node) if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name)}
    outer = binds | now | later | changes
    changes |= {name for name in _changed(node) if name in outer}
    binds -= only_deleted
    if any(isinstance(inner, ast.ImportFrom) and inner.names[0].name == "*" for inner in ast.walk(node)):
        binds.add("*")
    now -= _own_reads(node, table)
    return Statement(
        node,
        _kind(node, binds),
        frozenset(binds),
        frozenset(deletes),
        frozenset(now),
        frozenset(later),
        frozenset(changes),
        frozenset(_passes(node)),
        frozenset(_words(node)),
        _is_definite(node),
        is_stub(node),
    )


def _scopes(table: symtable.SymbolTable, later: bool) -> Iterator[tuple[symtable.SymbolTable, bool]]:
    """All scopes below one, each with whether it runs only when something is called."""
    for child in table.get_children():
        deferred = later or (child.get_type() == "function" and child.get_name() not in COMPREHENSIONS)
        yield child, deferred
        yield from _scopes(child, deferred)


def _own_reads(node: ast.stmt, table: symtable.SymbolTable) -> set[str]:
    """Names that the statement reads only after it has bound them itself: the variable of a loop, of a `with`."""
    targets: list[ast.AST] = []
    if isinstance(node, (ast.For, ast.AsyncFor)):
        targets = [node.target]
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    own = {inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)}
    sources = [node.iter] if isinstance(node, (ast.For, ast.AsyncFor)) else [item.context_expr for item in getattr(node, "items", [])]
    read_before = {inner.id for source in sources for inner in ast.walk(source) if isinstance(inner, ast.Name)}
    return own - read_before


def _here(node: ast.AST) -> Iterator[ast.AST]:
    """What of a statement runs in the notebook's own scope."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from _here(child)


def _kind(node: ast.stmt, binds: set[str]) -> str:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return "def"
    if isinstance(node, ast.ClassDef):
        return "class"
    inner = [part for part in ast.walk(node) if isinstance(part, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))]
    if isinstance(node, (ast.Import, ast.ImportFrom)) or (binds and inner and isinstance(node, (ast.Try, ast.If, ast.With))):
        return "import"
    return "data" if binds else "run"


def _changed(node: ast.stmt) -> Iterator[str]:
    """Names whose value is stored into, or has a method called."""
    for inner in ast.walk(node):
        yield from _stored_into(inner)
        if isinstance(inner, ast.AugAssign):
            yield from _base(inner.target)
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            yield from _base(inner.func.value)


def _stored_into(node: ast.AST) -> Iterator[str]:
    """The name that an expression is a part of, if something is stored there, or deleted."""
    if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield from _base(node.value)


def _base(node: ast.AST) -> Iterator[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _passes(node: ast.stmt) -> Iterator[tuple[str, str]]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            values = [*inner.args, *(keyword.value for keyword in inner.keywords)]
            yield from ((inner.func.id, name) for value in values for name in _base(getattr(value, "value", value)))


def _words(node: ast.stmt) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.alias):
            yield from inner.name.split(".")


def _is_definite(node: ast.stmt) -> bool:
    return not isinstance(node, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match))


def is_stub(node: ast.stmt, nothing: frozenset[str] = frozenset(), takes: bool = False) -> bool:
    """Whether a statement only keeps a place: an empty function, a name for nothing.

    Args:
        nothing: names that stand for nothing so far.
        takes: whether it stands in a function that takes something, which then would not count.
    """
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            takes = any(True for argument in ast.walk(node.args) if isinstance(argument, ast.arg) and argument.arg not in ("self", "cls"))
            nothing |= {
                target.id
                for inner in ast.walk(node)
                if isinstance(inner, ast.Assign) and _is_nothing(inner.value, nothing, takes)
                for target in inner.targets
                if isinstance(target, ast.Name)
            }
            return all(is_stub(inner, nothing, takes) for inner in node.body)
        case ast.ClassDef():
            return all(map(is_stub, node.body))
        case ast.For() | ast.While() | ast.If() | ast.With():
            return takes and all(_is_stub_inside(inner, nothing, takes) for inner in [*node.body, *getattr(node, "orelse", [])])
        case ast.Raise():
            return takes or any(isinstance(inner, ast.Name) and inner.id == "NotImplementedError" for inner in ast.walk(node))
        case ast.Return(value=value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
            return value is None or _is_nothing(value, nothing, takes and not _sets_a_place(node))
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=arguments)):
            return takes and all(isinstance(argument, ast.Constant) for argument in arguments)
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_stub_inside(node: ast.stmt, nothing: frozenset[str], takes: bool) -> bool:
    """As `is_stub`, in a loop or under a condition: what is given there depends on what the function takes, unless it is nothing at all."""
    if isinstance(node, ast.Return):
        return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return is_stub(node, nothing, takes=False)
    return is_stub(node, nothing, takes)


def _is_nothing(value: ast.expr, nothing: frozenset[str], takes: bool) -> bool:
    """Whether a value says that there is none yet; in a function that takes something, any that does not depend on it."""
    match value:
        case ast.Constant(value=constant):
            return constant in (None, ..., "") if not takes or isinstance(constant, str) else True
        case ast.Name(id=name):
            return name in nothing
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return (takes or bool(parts)) and all(_is_nothing(part, nothing, takes) for part in parts)
        case ast.Dict(keys=[]):
            return takes
    return False


def _functions(node: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [inner for inner in getattr(node, "body", []) if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _is_class_of_stubs(node: ast.stmt) -> bool:
    """Whether a class has methods that only keep a place."""
    return isinstance(node, ast.ClassDef) and any(is_stub(method) for method in _functions(node))


def _is_call_for_effect(node: ast.stmt) -> bool:
    """Whether it calls what sets something, and leaves the result: `np.random.seed(0)`, `logging.getLogger("a").setLevel("ERROR")`."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return bool(EFFECTS.search(name))
        case ast.If(body=body, orelse=orelse):
            return all(_is_call_for_effect(one) or _sets_a_place(one) for one in [*body, *orelse])
    return False


def _sets_a_place(node: ast.stmt) -> bool:
    """Whether it puts a value into an attribute or item of something: `pd.options.display.precision = 2`, `os.environ["A"] = "b"`."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
    return bool(targets) and all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)


def bases_of(texts: Iterable[Text]) -> frozenset[str]:
    """The names of classes from which others are derived there."""
    classes = [s.node for text in texts for s in text.statements if isinstance(s.node, ast.ClassDef)]
    return frozenset(base.id for node in classes for base in node.bases if isinstance(base, ast.Name))


def is_open(text: Text, bases: frozenset[str] = frozenset()) -> bool:
    """Whether a cell only keeps the place of a solution, or of a part of one, as a release does.

    Classes that are there to be derived from, signatures, empty classes and a name for nothing beside work are no missing solutions.

    Args:
        bases: names of classes from which others are derived elsewhere.
    """
    if text.why_not:
        return False
    bases |= bases_of([text])
    work = [s for s in text.statements if (s.binds or s.changes) and not isinstance(s.node, (ast.Import, ast.ImportFrom))]
    done = {name for s in work if not _is_missing(s.node, bases) for name in s.binds | s.changes}
    missing = [s for s in work if _is_missing(s.node, bases) and not s.binds <= done]
    return (
        not text.statements
        or any(isinstance(s.node, ast.Raise) and s.is_stub for s in text.statements)
        or any(_gives_up(s.node) for s in missing)
        or bool(missing and not done)
    )


def _is_missing(node: ast.stmt, bases: frozenset[str]) -> bool:
    """Whether what a statement binds is still to be written."""
    if isinstance(node, ast.ClassDef):
        methods = [one for one in _functions(node) if not _is_signature(one)]
        is_base = node.name in bases or any(
            isinstance(one, ast.Name) and one.id in ("ABC", "Protocol") for base in node.bases for one in ast.walk(base)
        )
        return not is_base and any(map(_is_missing_function, methods)) and all(_is_missing_function(one) for one in methods if one.name != "__init__")
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return not _is_signature(node) and _is_missing_function(node)
    return is_stub(node)


def _is_missing_function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is still to be written; one that gives a plain value is written."""
    returns = [
        inner for inner in node.body if isinstance(inner, ast.Return) and inner.value is not None and not _is_nothing(inner.value, frozenset(), False)
    ]
    return _gives_up(node) or (is_stub(node) and not (returns and not any(isinstance(one.value, ast.Name) for one in returns)))


def _gives_up(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Raise) and is_stub(inner) for inner in getattr(node, "body", [])) or any(map(_gives_up, _functions(node)))


def _is_signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is one of those that have no body: abstract, or an overload."""
    words = {inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "") for one in node.decorator_list for inner in ast.walk(one)}
    return not words.isdisjoint(("abstractmethod", "abstractproperty", "overload"))


def patched(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """What of modules a statement may replace: `np.linalg.solve = None`, `patch("random.randint")`, as (module, name), in the words that it uses."""
    for inner in ast.walk(node):
        match inner:
            case ast.Attribute(value=place, attr=name, ctx=ast.Store() | ast.Del()) if dotted := _dotted(place):
                yield dotted, name
            case ast.Call(func=ast.Name(id="patch") | ast.Attribute(attr="patch"), args=[ast.Constant(value=str(path)), *_]) if "." in path:
                module, _, name = path.rpartition(".")
                yield module, name
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id="patch") | ast.Attribute(attr="patch"), attr="object"),
                    args=[place, ast.Constant(value=str(name)), *_],
                )
                | ast.Call(func=ast.Name(id="setattr" | "delattr") | ast.Attribute(attr="setattr"), args=[place, ast.Constant(value=str(name)), *_])
            ) if dotted := _dotted(place):
                yield dotted, name


def _dotted(node: ast.expr) -> str:
    """`np.linalg`, or "" for what is no name with attributes."""
    return ast.unparse(node) if re.fullmatch(r"[\w.]+", ast.unparse(node)) else ""


def given_code(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """What a statement puts code of its own into: `Tensor.backward = backward`, `setattr(Tensor, name, function)`.

    Each is (name, path): the name at the beginning, and the attributes after it: ("grad", "Tensor.backward") of `grad.Tensor.backward = f`.
    One that `setattr` gets from elsewhere is "".
    """
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=targets, value=value) if not _is_plain(value):
                for target in targets:
                    if isinstance(target, ast.Attribute):
                        yield from _path(target)
            case ast.Call(func=ast.Name(id="setattr"), args=[place, name, value]) if not _is_plain(value):
                attribute = str(name.value) if isinstance(name, ast.Constant) else ""
                yield from ((base, f"{path}.{attribute}" if path else attribute) for base, path in _path(place))


def _is_plain(value: ast.expr) -> bool:
    """Whether a value is a setting, such as a number or a list of numbers."""
    return not any(isinstance(inner, (ast.Name, ast.Attribute, ast.Lambda)) for inner in ast.walk(value))


def _path(node: ast.expr) -> Iterator[tuple[str, str]]:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id, ".".join(reversed(parts))
