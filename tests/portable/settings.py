"""Other processors, imitated on this one: the switches of the libraries that choose code by the processor."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

NOISE = "COURSE_NOISE"  # holds the seed of `noise.py`
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
AVX2, AVX512 = "X86_V3", "X86_V4"  # as NumPy calls them


@dataclass(frozen=True)
class Setting:
    """One imitated processor: environment variables, and the instructions that this machine needs for it."""

    name: str
    variables: dict[str, str] = field(default_factory=dict)
    needs: str = ""

    @property
    def is_possible(self) -> bool:
        return not self.needs or bool(__cpu_features__.get(self.needs))

    def environment(self) -> dict[str, str]:
        """This process's environment with the setting in it, and without traces of another."""
        known = {name for setting in SETTINGS for name in setting.variables}
        return {name: value for name, value in os.environ.items() if name not in known} | self.variables


def _without(*features: str) -> str:
    """What tells NumPy to leave out instructions; it refuses names that the processor does not have."""
    return " ".join(name for name in features if __cpu_features__.get(name))


def _threads(count: int) -> dict[str, str]:
    return dict.fromkeys(THREADS, str(count))


NO_AVX512 = _without(*(name for name in __cpu_dispatch__ if name != AVX2))
NO_AVX = _without(*__cpu_dispatch__)
# MKL takes this path on processors of other makers when it is told to give the same everywhere.
COMPATIBLE = {"MKL_CBWR": "COMPATIBLE"}
OLD_LIBRARY = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-AVX2_Usable,-FMA_Usable"}
OLDEST = {
    "ATEN_CPU_CAPABILITY": "default",
    "OPENBLAS_CORETYPE": "Prescott",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "NPY_DISABLE_CPU_FEATURES": NO_AVX,
    **COMPATIBLE,
    **OLD_LIBRARY,
    **_threads(1),
}

SETTINGS = (
    Setting("as this machine is"),
    Setting("torch without vectors", {"ATEN_CPU_CAPABILITY": "default"}),
    Setting("torch with AVX2", {"ATEN_CPU_CAPABILITY": "avx2"}, AVX2),
    Setting("torch with AVX-512", {"ATEN_CPU_CAPABILITY": "avx512"}, AVX512),
    Setting("OpenBLAS for Prescott", {"OPENBLAS_CORETYPE": "Prescott"}),
    Setting("OpenBLAS for Haswell", {"OPENBLAS_CORETYPE": "Haswell"}, AVX2),
    Setting("OpenBLAS for Zen", {"OPENBLAS_CORETYPE": "Zen"}, AVX2),
    Setting("OpenBLAS for SkylakeX", {"OPENBLAS_CORETYPE": "SkylakeX"}, AVX512),
    Setting("oneDNN with SSE4.1", {"ONEDNN_MAX_CPU_ISA": "SSE41"}),
    Setting("NumPy without AVX-512", {"NPY_DISABLE_CPU_FEATURES": NO_AVX512}, AVX512),
    Setting("NumPy without AVX", {"NPY_DISABLE_CPU_FEATURES": NO_AVX}, AVX2),
    Setting("MKL for other makers", COMPATIBLE),
    Setting("C library without AVX", OLD_LIBRARY),
    Setting("one thread", _threads(1)),
    Setting("two threads", _threads(2)),
    Setting("the oldest of all", OLDEST),
    *(Setting(f"no known processor, seed {seed}", {NOISE: str(seed)}) for seed in (1, 2, 3)),
)
