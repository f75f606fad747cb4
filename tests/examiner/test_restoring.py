"""What one notebook's tests change of the examiner's process does not reach the next one's."""

import builtins
import linecache
import os
import random
import sys
import warnings

import numpy as np

from examiner.judge.making import _known
from examiner.judge.restoring import ProcessState

SOLUTION = "def ask():\n    return input()\ndef stop():\n    return 1"
MOCKS = """
import builtins, os, random, sys
import numpy as np
before = builtins.input, random.randint
builtins.input, random.randint, builtins.spare = lambda *_: "mine", lambda *_: 7, 1
os.environ["EXAMINER_TEST"] = "1"
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
