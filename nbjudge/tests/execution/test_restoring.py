"""What one notebook's tests change of the grader's process does not reach the next one's."""

import builtins
import decimal
import gc
import linecache
import locale
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable

import matplotlib
import numpy as np
import pandas as pd
import pytest
import torch

from nbjudge._execution.workspace import ProcessState
from nbjudge._proxies.factories import _known

SOLUTION = "def ask():\n    return input()\ndef stop():\n    return 1"
MOCKS = """
import builtins, os, random, sys
import numpy as np
before = builtins.input, random.randint
builtins.input, random.randint, builtins.spare = lambda *_: "mine", lambda *_: 7, 1
os.environ["NBJUDGE_TEST"] = "1"
np.set_printoptions(precision=2)
stop()
builtins.input, random.randint = before
"""


def test_a_mock_that_a_test_leaves_behind_is_gone_with_its_notebook(verdict_on):
    before = builtins.input, random.randint, np.get_printoptions(), dict(os.environ)
    verdict = verdict_on("def stop():\n    raise ValueError('in between')", MOCKS, SOLUTION)
    assert "in between" in verdict.message
    assert (builtins.input, random.randint, np.get_printoptions(), dict(os.environ)) == before
    assert not hasattr(builtins, "spare")


def test_texts_of_students_functions_are_forgotten(verdict_on):
    assert verdict_on("def stop():\n    return 1", "import inspect\nassert 'return' in inspect.getsource(stop)").points == 2
    assert not [file for file in linecache.cache if file.startswith("<student's code ")]


def test_the_process_is_what_it_was():
    filters, deepest = list(warnings.filters), sys.getrecursionlimit()
    state = ProcessState()
    state.note("random", "choice")
    state.note("sys", "stdout")
    original, random.choice = random.choice, None
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(deepest + 100)
    state.put_back()
    assert random.choice is original and sys.getrecursionlimit() == deepest and list(warnings.filters) == filters


def test_no_module_is_imported_because_a_students_class_names_it():
    name = "torch.utils.data.backward_compatibility"
    sys.modules.pop(name, None)
    assert _known(name, "worker_init_fn") is None and name not in sys.modules


LEFT = {
    "pandas": (
        "import pandas as pd\npd.set_option('display.max_rows', 7)\npd.options.display.precision = 2",
        lambda: (pd.get_option("display.max_rows"), pd.get_option("display.precision")),
    ),
    "torch": (
        "import torch\ntorch.set_default_dtype(torch.float64)\ntorch.use_deterministic_algorithms(True)\ntorch.set_grad_enabled(False)\n"
        "torch.set_num_threads(1 + torch.get_num_threads())\ntorch.autograd.set_detect_anomaly(True)\ntorch.manual_seed(5)\n"
        "torch.set_printoptions(precision=1)\ntorch.set_default_device('meta')\ntorch.set_float32_matmul_precision('medium')",
        lambda: (
            torch.get_default_dtype(),
            torch.are_deterministic_algorithms_enabled(),
            torch.is_grad_enabled(),
            torch.get_num_threads(),
            torch.is_anomaly_enabled(),
            torch.get_rng_state().tolist(),
            repr(torch.tensor(1.23456)),
            torch.get_default_device(),
            torch.get_float32_matmul_precision(),
        ),
    ),
    "decimal": (
        "import decimal\ndecimal.getcontext().prec = 3\ndecimal.getcontext().traps[decimal.Inexact] = True",
        lambda: (decimal.getcontext().prec, decimal.getcontext().traps[decimal.Inexact]),
    ),
    "logging": (
        "import logging\nlogging.disable(logging.ERROR)\nlogging.root.setLevel(1)\nlogging.basicConfig()\n"
        "one = logging.getLogger('lesson')\none.setLevel(10)\none.addHandler(logging.StreamHandler())\none.propagate = False",
        lambda: (
            logging.root.manager.disable,
            logging.root.level,
            list(logging.root.handlers),
            logging.getLogger("lesson").level,
            logging.getLogger("lesson").handlers,
            logging.getLogger("lesson").propagate,
        ),
    ),
    "locale": (
        "import locale\nlocale.setlocale(locale.LC_ALL, 'C.UTF-8' if locale.setlocale(locale.LC_ALL) == 'C' else 'C')",
        lambda: locale.setlocale(locale.LC_ALL),
    ),
    "random numbers": (
        "import random\nimport numpy as np\nrandom.seed(3)\nnp.random.seed(3)",
        lambda: (random.getstate(), str(np.random.get_state())),
    ),
    "Python": (
        "import gc, os, signal, socket, sys, threading\nsys.settrace(lambda *_: None)\nsys.setprofile(lambda *_: None)\n"
        "threading.settrace(lambda *_: None)\nsys.setrecursionlimit(3456)\nsys.set_int_max_str_digits(9999)\nsys.setswitchinterval(0.5)\n"
        "gc.disable()\nsocket.setdefaulttimeout(0.1)\nos.umask(0o777)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
        lambda: (
            sys.gettrace(),
            sys.getprofile(),
            threading.gettrace(),
            sys.getrecursionlimit(),
            sys.get_int_max_str_digits(),
            sys.getswitchinterval(),
            gc.isenabled(),
            socket.getdefaulttimeout(),
            mask(),
            signal.getsignal(signal.SIGTERM),
        ),
    ),
    "the time zone": ("import os, time\nos.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()", lambda: (time.tzname, time.localtime(0).tm_hour)),
    "matplotlib": ("import matplotlib\nmatplotlib.rcParams['lines.linewidth'] = 9", lambda: matplotlib.rcParams["lines.linewidth"]),
}


def mask() -> int:
    os.umask(now := os.umask(0o077))
    return now


@pytest.mark.parametrize(("change", "read"), LEFT.values(), ids=LEFT.keys())
def test_a_setting_that_a_test_leaves_behind_is_what_it_was(verdict_on, change: str, read: Callable[[], object]) -> None:
    before = read()
    verdict = verdict_on("def stop():\n    return 1", f"{change}\nassert stop() == 1")
    after = read()
    assert (verdict.kind, verdict.message) == ("passed", "")
    assert after == before


def test_settings_of_a_library_that_the_notebook_imports_are_what_they_were_then() -> None:
    """In a process of its own, which has not imported it."""
    script = (
        "from nbjudge._execution.workspace import ProcessState\nimport sys\nassert 'pandas' not in sys.modules\nstate = ProcessState()\n"
        "import pandas\nstate.look()\npandas.set_option('display.max_rows', 7)\nstate.put_back()\nprint(pandas.get_option('display.max_rows'))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "60\n"
