"""The short form of `make portable`, and whether the settings that it uses do anything."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from authoring.lessons import ROOT
from authoring.variations.noise import Noise
from tests.portable.settings import AVX2, NOISE, OLDEST, SETTINGS, THREADS, Setting

# What torch, NumPy and the C library do differently on another processor, in bits.
DIGITS = """
import numpy as np, torch
random = np.random.RandomState(0)
a, b = (random.normal(size=(70, 70)) for _ in "ab")
results = [a @ b, np.exp(a), np.sin(a), *(torch.softmax(torch.from_numpy((60 * x).astype("float32")) @ torch.from_numpy(b.astype("float32")), -1)
           .numpy() for x in (a, b))]
print(hash(b"".join(result.tobytes() for result in results)), torch.get_num_threads(), torch.backends.cpu.get_cpu_capability())
"""


def bits(setting: Setting) -> list[str]:
    """A digest of some results, the number of threads, and the instructions that torch uses."""
    environment = {**setting.environment(), "PYTHONHASHSEED": "0"}
    return subprocess.run([sys.executable, "-c", DIGITS], env=environment, text=True, capture_output=True, check=True, timeout=120).stdout.split()


@pytest.mark.slow
@pytest.mark.parametrize("setting", [Setting("oldest", OLDEST, AVX2), Setting("noise", {NOISE: "1"})], ids=lambda setting: setting.name)
def test_references_are_the_same_on_other_processors(setting: Setting) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.portable.references"],
        cwd=ROOT,
        env=setting.environment(),
        text=True,
        capture_output=True,
        check=False,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.timeout(3600)  # four minutes on a machine that does nothing else
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_no_fingerprint_is_rounding_noise(seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.portable.fingerprints"],
        cwd=ROOT,
        env=Setting("noise", {NOISE: seed}).environment(),
        text=True,
        capture_output=True,
        check=False,
        timeout=3000,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Setting("", {}, AVX2).is_possible, reason="this processor has no newer instructions to leave out")
def test_the_oldest_processor_is_really_imitated() -> None:
    here, oldest = bits(Setting("here")), bits(Setting("oldest", OLDEST))
    assert here[0] != oldest[0], "the results are the same to the last bit, so the settings do nothing"
    assert oldest[1:] == ["1", "DEFAULT"]


def test_every_processor_of_the_list_is_there() -> None:
    variables = {(name, value) for setting in SETTINGS for name, value in setting.variables.items()}
    assert {
        ("ATEN_CPU_CAPABILITY", "default"),
        ("ATEN_CPU_CAPABILITY", "avx2"),
        ("ONEDNN_MAX_CPU_ISA", "SSE41"),
        (THREADS[0], "1"),
        (THREADS[0], "2"),
        *(("OPENBLAS_CORETYPE", name) for name in ("Prescott", "Haswell", "SkylakeX", "Zen")),
    } <= variables


def test_noise_moves_what_another_processor_may_move_and_nothing_else() -> None:
    noise, random = Noise(0), np.random.RandomState(0)
    a, b, whole = random.normal(size=(20, 30)), random.normal(size=(30, 20)), random.randint(-9, 9, size=(20, 30)).astype(float)
    for exact, moved in ((a @ b, noise.product(a, b)), (np.exp(a), noise.call(np.exp, a)), (a.sum(axis=1), noise.call(a.sum, axis=1))):
        assert (moved != exact).any() and np.allclose(moved, exact, rtol=1e-12, atol=1e-12)
    assert np.array_equal(noise.product(whole, whole.T), whole @ whole.T)
    assert np.array_equal(noise.product(np.eye(20)[::-1], a), a[::-1])
    assert np.array_equal(noise.call(a[:2].sum, axis=0), a[:2].sum(axis=0))  # of two terms there is one order
    assert noise.call(np.exp, 0.0) == 1 and np.isnan(noise.call(np.log, np.float64(np.nan)))


@pytest.mark.slow
def test_noise_reaches_torch_and_cells() -> None:
    source = """
import ast, builtins, torch, numpy as np
from authoring.variations.noise import install, transform
random = np.random.RandomState(0)
x = torch.from_numpy(random.normal(size=(9, 9)).astype("float32"))
before = [x @ x, torch.softmax(x, -1), torch.ones(3, 3) @ torch.ones(3, 3)]
install(0, vars(builtins))
after = [x @ x, torch.softmax(x, -1), torch.ones(3, 3) @ torch.ones(3, 3)]
assert [torch.equal(*pair) for pair in zip(before, after)] == [False, False, True]
assert all(torch.allclose(*pair, atol=1e-5) for pair in zip(before, after))
names = {"a": random.normal(size=(9, 9)), "np": np}
exec(compile(transform(ast.parse("b, c = a @ a, np.exp(a)")), "cell", "exec"), names)
assert (names["b"] != names["a"] @ names["a"]).any() and (names["c"] != np.exp(names["a"])).any()
"""
    done = subprocess.run([sys.executable, "-c", source], cwd=ROOT, text=True, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
