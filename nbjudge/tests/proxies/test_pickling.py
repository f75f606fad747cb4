"""The search for submodules that pickling uses finds what cloudpickle's own finds."""

import concurrent.futures
import importlib.metadata
import os
import types

import numpy as np
import pytest
import torch
from cloudpickle import cloudpickle as inner

from nbjudge._proxies import pickling


def a_submodule():
    return concurrent.futures.ThreadPoolExecutor


def two_words():
    return torch.nn.functional.relu, torch.nn.utils.rnn, np.linalg.norm


def none():
    return os.getcwd(), len("x")


def several():
    return importlib.metadata.version, concurrent.futures, np.random, torch.linalg


def by_other_names(functional, nn):
    return functional.relu, nn.utils


# What `nbjudge._proxies.pickling` replaced, as the package has it on disk.
original = types.ModuleType("original")
exec(compile(open(inner.__file__).read(), inner.__file__, "exec"), original.__dict__)


@pytest.mark.parametrize("function", [a_submodule, two_words, none, several, by_other_names, pytest.fixture, np.linalg.norm])
def test_the_same_submodules_as_cloudpickle(function):
    code = getattr(function, "__wrapped__", function).__code__
    dependencies = [concurrent, importlib, np, torch, torch.nn, os, 7, None]
    found = pickling.imported_submodules(code, dependencies)
    wanted = original._find_imported_submodules(code, dependencies)
    assert sorted(module.__name__ for module in found) == sorted(module.__name__ for module in wanted)


def test_cloudpickle_uses_it_while_a_test_pickles(monkeypatch):
    asked, own = [], pickling.imported_submodules
    monkeypatch.setattr(pickling, "imported_submodules", lambda *about: asked.append(about) or own(*about))
    pickling.dumps(lambda: concurrent.futures.ThreadPoolExecutor)
    assert asked
    assert inner._function_getstate.__globals__["_find_imported_submodules"].__module__ == inner.__name__  # and nobody else's is changed


def test_a_function_comes_back_with_its_submodule():
    assert inner.loads(pickling.dumps(a_submodule))() is concurrent.futures.ThreadPoolExecutor


TABLE = torch.arange(12.0).reshape(3, 4)
VIEWS = {
    "column": TABLE[:, 1],
    "row": TABLE[1],
    "part": TABLE[1:, 2:],
    "transposed": TABLE[1:].T,
    "one number": TABLE[1, 1],
    "nothing": TABLE[:0],
    "each second": TABLE.flatten()[::2],
    "of other bits": TABLE.view(torch.int32)[0],
    "real": torch.view_as_complex(TABLE.reshape(3, 2, 2)).real,
    "detached": (torch.arange(4.0, requires_grad=True) * 2)[1:].detach(),
    "with gradients": torch.arange(5.0)[1:3].requires_grad_(),
    "parameter": torch.nn.Parameter(TABLE[0]),
    "many times": TABLE[0:1].expand(5, 4),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_a_view_travels_without_what_lies_beside_it(view):
    own = inner.loads(pickling.dumps(lambda: view))()
    assert torch.equal(own, view) and own.dtype == view.dtype and own.requires_grad == view.requires_grad and type(own) is type(view)
    assert own.untyped_storage().nbytes() == own.numel() * own.element_size()


def test_what_is_repeated_in_memory_travels_once():
    repeated = inner.loads(pickling.dumps(torch.arange(3.0).expand(1000, 3)))
    assert repeated.stride() == (0, 1) and repeated.untyped_storage().nbytes() == 12
