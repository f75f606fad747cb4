"""What the code takes from inside other packages is still there, and those packages are pinned.

A private name may go with any release of its package. Where one goes, the sentence here says which of our files needs it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
import textwrap
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("attnlab", "authoring", "nbjudge")
PIN = re.compile(r"(?P<package>[\w.-]+)==(?P<version>[\w.]+)")

# package: (what of ours needs it, "module:Class" or "module", the names in it)
INTERNALS = {
    "ipykernel": [
        (
            "nbjudge/src/nbjudge/_student/kernel.py",
            "ipykernel.ipkernel:IPythonKernel",
            "_forward_input _restore_input pre_handler_hook post_handler_hook set_parent do_execute io_loop execution_count",
        ),
        (
            "nbjudge/src/nbjudge/_student/kernel.py",
            "ipykernel.kernelapp:IPKernelApp",
            "init_connection_file init_heartbeat write_connection_file log_connection_info init_io init_sockets init_kernel kernel_class "
            "outstream_class displayhook iopub_thread iopub_socket",
        ),
        ("nbjudge/src/nbjudge/_student/kernel.py", "ipykernel.zmqshell:ZMQInteractiveShell", "clear_instance enable_matplotlib run_cell"),
        (
            "nbjudge/src/nbjudge/_student/output.py",
            "ipykernel.iostream:OutStream",
            "_schedule_flush _watch_pipe_fd _flush _buffers _is_master_process _fid flush_interval",
        ),
        ("nbjudge/src/nbjudge/_student/output.py", "ipykernel.iostream:IOPubThread", "schedule thread io_loop socket"),
        ("attnlab/training/panel.py", "ipykernel.comm.comm:BaseComm", "_reply_subshell_for"),
        ("attnlab/check/cards.py", "ipykernel.kernelbase:Kernel", "_allow_stdin"),
        ("attnlab/check/cards.py", "ipykernel.zmqshell:ZMQInteractiveShell", "_last_traceback"),
    ],
    "ipython": [
        ("nbjudge/src/nbjudge/_student/kernel.py", "IPython.core.ultratb:FormattedTB", "structured_traceback"),
        ("attnlab/diagnosis/cause.py", "IPython.core.interactiveshell:InteractiveShell", "_render_traceback_"),
        ("attnlab/history.py", "IPython.core.interactiveshell:ExecutionInfo", "raw_cell cell_id"),
        (
            "attnlab/check/cards.py",
            "IPython.core.interactiveshell:InteractiveShell",
            "_render_traceback_ CustomTB custom_exceptions showtraceback",
        ),
        ("attnlab/check/undefined.py", "IPython.core.interactiveshell:InteractiveShell", "user_ns_hidden"),
    ],
    "jupyter_client": [
        ("nbjudge/src/nbjudge/_student/output.py", "jupyter_client.session:Session", "send msg pack"),
        (
            "nbjudge/src/nbjudge/_sandbox/provisioner.py",
            "jupyter_client.provisioning:KernelProvisionerBase",
            "has_process pre_launch launch_kernel poll wait send_signal kill terminate cleanup",
        ),
    ],
    "nbclient": [("authoring/solutions.py", "nbclient:NotebookClient", "execute extra_arguments record_timing coalesce_streams")],
    "nbconvert": [
        (
            "nbjudge/src/nbjudge/_nbgrader/pages.py",
            "nbconvert.exporters:HTMLExporter",
            "_init_resources _nb_metadata _create_environment register_filter sanitize_html skip_svg_encoding embed_images",
        ),
        (
            "nbjudge/src/nbjudge/_nbgrader/converters.py",
            "nbconvert.exporters:NotebookExporter",
            "_init_resources _init_preprocessors nbformat_version",
        ),
        ("nbjudge/src/nbjudge/_nbgrader/pages.py", "nbconvert.filters.markdown_mistune", "IPythonRenderer MarkdownWithMath"),
        ("nbjudge/src/nbjudge/_nbgrader/pages.py", "nbconvert.filters.markdown_mistune:MarkdownWithMath", "DEFAULT_PLUGINS"),
        ("nbjudge/src/nbjudge/_nbgrader/pages.py", "nbconvert.filters.widgetsdatatypefilter", "WidgetsDataTypeFilter"),
    ],
    "mistune": [
        ("nbjudge/src/nbjudge/_nbgrader/pages.py", "mistune", "import_plugin"),
        ("nbjudge/src/nbjudge/_nbgrader/pages.py", "mistune.plugins.table", "table_in_quote"),
        ("nbjudge/src/nbjudge/_nbgrader/sanitize.py", "mistune:HTMLRenderer", "sanitize_url"),
    ],
    "Jinja2": [("nbjudge/src/nbjudge/_nbgrader/pages.py", "jinja2.bccache:Bucket", "bytecode_from_string bytecode_to_string key checksum")],
    "cloudpickle": [("nbjudge/src/nbjudge/_proxies/pickling.py", "cloudpickle.cloudpickle", "_find_imported_submodules")],
    "nbgrader": [
        (
            "authoring/preprocessors.py",
            "nbgrader.preprocessors:ClearSolutions",
            "_replace_solution_region begin_solution_delimeter end_solution_delimeter",
        ),
        ("nbjudge/src/nbjudge/_nbgrader/preprocessors.py", "nbgrader.preprocessors:SaveAutoGrades", "_add_score"),
        ("nbjudge/src/nbjudge/_course/course.py", "nbgrader.api", "create_engine"),
        ("nbjudge/src/nbjudge/_course/course.py", "nbgrader.converters:Autograde", "start create_student force"),
        ("nbjudge/src/nbjudge/_course/course.py", "nbgrader.converters:GenerateAssignment", "start create_assignment force"),
        (
            "nbjudge/src/nbjudge/_nbgrader/exchange_collect.py",
            "nbgrader.exchange.default:ExchangeCollect",
            "_path_to_record init_src do_copy check_owner",
        ),
        (
            "nbjudge/src/nbjudge/_nbgrader/converters.py",
            "nbgrader.converters:Autograde",
            "_sanitizing _init_preprocessors init_single_notebook_resources write_single_notebook autograde_preprocessors run_post_convert_hook",
        ),
        ("nbjudge/src/nbjudge/_nbgrader/converters.py", "nbgrader.nbgraderformat.common", "jsonschema"),
        ("nbjudge/src/nbjudge/_nbgrader/converters.py", "nbgrader.preprocessors.instantiatetests", "start_new_kernel"),
        ("nbjudge/src/nbjudge/_nbgrader/batched_gradebook.py", "nbgrader.api:Gradebook", "close check_course"),
        ("nbjudge/src/nbjudge/_nbgrader/converters.py", "nbgrader.converters.base", "BaseConverter NbGraderException"),
        (
            "nbjudge/src/nbjudge/_watch/exchange.py",
            "nbgrader.exchange.default:ExchangeCollect",
            "_sort_by_timestamp _path_to_record do_copy init_src copy_files src_records get_size",
        ),
        (
            "nbjudge/src/nbjudge/_nbgrader/validating.py",
            "nbgrader.validator:Validator",
            "_get_failed_cells _print_num_failed _print_error _extract_error ignore_checksums invert indent stream",
        ),
        ("nbjudge/src/nbjudge/_nbgrader/validating.py", "nbgrader.apps.validateapp", "Validator"),
        ("nbjudge/src/nbjudge/_nbgrader/validating.py", "nbgrader.server_extensions.validate_assignment.handlers", "Validator"),
        (
            "nbjudge/src/nbjudge/_nbgrader/validating.py",
            "nbgrader.server_extensions.validate_assignment.handlers:ValidateAssignmentHandler",
            "post validate_notebook",
        ),
        (
            "nbjudge/src/nbjudge/_nbgrader/feedback.py",
            "nbgrader.preprocessors:ClearMarkScheme",
            "begin_mark_scheme_delimeter end_mark_scheme_delimeter",
        ),
    ],
    "distributed": [
        ("nbjudge/src/nbjudge/_cluster/connection.py", "distributed.scheduler:Scheduler", "identity versions"),
        ("nbjudge/src/nbjudge/_cluster/worker.py", "distributed:Worker", "set_resources local_directory"),
        ("nbjudge/src/nbjudge/_cluster/connection.py", "distributed:Client", "scheduler_info status"),
    ],
    "SQLAlchemy": [("nbjudge/src/nbjudge/_course/course.py, which gives nbgrader one engine for all", "sqlalchemy", "create_engine")],
    "matplotlib": [
        ("nbjudge/src/nbjudge/_student/fork_server.py", "matplotlib.backends.registry:BackendRegistry", "resolve_backend"),
        ("authoring/agreement.py", "matplotlib.backends.backend_svg:RendererSVG", "_make_id"),
    ],
    "traitlets": [
        ("nbjudge/src/nbjudge/_course/course.py", "traitlets.config:PyFileConfigLoader", "load_config"),
        ("nbjudge/src/nbjudge/_nbgrader/validating.py", "traitlets.config:Configurable", "_find_my_config"),
    ],
    "tornado": [("nbjudge/src/nbjudge/_student/kernel.py", "tornado.ioloop:IOLoop", "current")],
    "numpy": [("tests/portable/settings.py", "numpy._core._multiarray_umath", "__cpu_dispatch__ __cpu_features__")],
    "torch": [("authoring/variations/noise.py", "torch.utils._python_dispatch", "TorchDispatchMode")],
}
NAMES = [(package, user, place, name) for package, uses in INTERNALS.items() for user, place, names in uses for name in names.split()]


def pins() -> dict[str, str]:
    """Package, in small letters -> version, from all requirements files."""
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("requirements*.txt"))
    return {found["package"].lower(): found["version"] for found in map(PIN.match, text.splitlines()) if found}


def holds(place: str, name: str) -> bool:
    """Whether a module, a class, or what the class's methods give their instances, has the name."""
    module, _, kind = place.partition(":")
    owner = importlib.import_module(module)
    if not kind:
        return hasattr(owner, name)
    owner = getattr(owner, kind)
    methods = [value for base in owner.__mro__ for value in vars(base).values() if inspect.isfunction(value)]
    return hasattr(owner, name) or any(name in (*method.__code__.co_names, *method.__code__.co_consts) for method in methods)


@pytest.mark.parametrize(("package", "user", "place", "name"), NAMES, ids=lambda value: value if value in NAMES else None)
def test_what_we_take_from_inside_a_package_is_there(package: str, user: str, place: str, name: str) -> None:
    assert holds(place, name), (
        f"{package} {metadata.version(package)} has no `{name}` in {place} any more, and {user} needs it. "
        f"Next: pin the version that has it, or change {user}."
    )


def test_a_name_that_is_gone_is_noticed() -> None:
    assert not holds("ipykernel.iostream:OutStream", "_no_such_name")
    assert not holds("cloudpickle.cloudpickle", "_no_such_name")


@pytest.mark.parametrize("package", INTERNALS)
def test_a_package_whose_insides_we_use_is_pinned_and_is_the_one_that_is_installed(package: str) -> None:
    assert package.lower() in pins(), f"{package} is not pinned, and our code relies on its insides. Next: add it to requirements.txt."
    assert metadata.version(package).partition("+")[0] == pins()[package.lower()]  # builds for one kind of processor have a suffix


def test_the_replaced_search_of_cloudpickle_takes_what_the_original_takes() -> None:
    from nbjudge.testing.steps import imported_submodules

    source = Path(importlib.import_module("cloudpickle.cloudpickle").__file__).read_text(encoding="utf-8")
    [definition] = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef) and node.name == "_find_imported_submodules"]
    assert len(definition.args.args) == len(inspect.signature(imported_submodules).parameters)


def classes_on_others() -> Iterator[type]:
    """Our classes that are built on a class of another package."""
    for package in map(importlib.import_module, OURS):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith("__main__"):
                continue
            for value in vars(importlib.import_module(found.name)).values():
                if inspect.isclass(value) and value.__module__ == found.name and _foreign(value):
                    yield value


def _foreign(kind: type) -> list[type]:
    known = {*OURS, *sys.stdlib_module_names, "typing_extensions"}
    return [base for base in kind.__mro__ if base.__module__.split(".")[0] not in known]


def private_names(kind: type) -> set[str]:
    """The private names that a class of ours takes from, or gives to, the class of another package below it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and ((isinstance(node.value, ast.Name) and node.value.id == "self") or ast.unparse(node.value) == "super()")
    }
    used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return {
        name for name in used if re.match(r"_(?!_)", name) and any(holds(f"{base.__module__}:{base.__qualname__}", name) for base in _foreign(kind))
    }


def test_every_private_name_that_our_classes_take_is_listed() -> None:
    listed = {name for _, _, _, name in NAMES}
    found = {name for kind in classes_on_others() for name in private_names(kind)}
    assert {"_flush", "_create_environment", "_replace_solution_region"} <= found
    assert found - listed == set(), "add these to INTERNALS"
