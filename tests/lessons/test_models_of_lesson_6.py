"""What lesson 6 says in words is so: its sizes, its ablations, its patients and its cache, looked at beside the lesson's own cells."""

from __future__ import annotations

import math
import re
from functools import cache

import nbformat
import pytest
import torch

from attnlab import training
from authoring.answers import Namespace
from authoring.lessons import Lesson

LESSON = Lesson("6_transformer")
# Layers, dimension, hidden components, tokens, longest sequence, what comes on top of the blocks and tables.
TABLE = {"GPT-2 small": (12, 768, 3072, 50257, 1024), "GPT-3": (96, 12288, 49152, 50257, 2048), "BERT base": (12, 768, 3072, 30522, 512)}
SAID = {"GPT-2 small": 124e6, "GPT-3": 175e9, "BERT base": 110e6}


@cache
def lesson() -> Namespace:
    return Namespace(nbformat.read(LESSON.solution, as_version=4))


@pytest.mark.parametrize("model", TABLE)
def test_the_sizes_of_the_table_give_its_numbers_of_parameters(model: str) -> None:
    layers, k, hidden, vocabulary, longest = TABLE[model]
    block = 4 * (k * k + k) + 2 * k * hidden + hidden + k + 4 * k  # four projections with biases, two matrices, two norms
    extra = 2 * k if model.startswith("GPT") else 4 * k + k * k + k  # the last norm; BERT: two kinds of segments, a norm, the pooler
    count = layers * block + (vocabulary + longest) * k + extra  # readouts share the table of the tokens
    assert abs(count / SAID[model] - 1) < 0.006, f"{count:,}"
    text = LESSON.text.read_text(encoding="utf-8")
    for number in (layers, k, vocabulary, longest):
        assert f"{number:,}".replace(",", " ") in text


def test_the_learners_own_model_is_as_large_as_the_table_says() -> None:
    names = training.Names()
    assert round(lesson()["parameters_in"](lesson()["names_model"]()) / 1000) == 41 and names.length == 12 and names.vocabulary == 27


def test_losses_that_the_text_names() -> None:
    assert round(math.log(10), 2) == 2.30 and round(math.exp(2.33)) == 10 and round(math.exp(2.00)) == 7
    assert round(training.Names().lines["bigrams"], 2) == 2.33


def test_the_gradient_vanishes_without_the_stream() -> None:
    arrives, block = lesson()["gradient_that_arrives"], lesson()["Block"]
    for seed in range(3):
        assert 1 < arrives(block, 24, seed=seed) < 3, "it even grows a little"
        assert arrives(lesson()["WithoutStream"], 24, seed=seed) < 0.3
        assert arrives(lesson()["WithoutStreamAndNorms"], 24, seed=seed) < 1e-9


def test_with_a_mask_a_later_token_changes_no_earlier_output() -> None:
    """The property, on models as they start and on one that has learned."""
    draw = torch.Generator().manual_seed(4)
    learned = lesson()["names_model"]()
    training.load("names", learned)
    for model, vocabulary in ((lesson()["small_transformer"](training.Repeat(), 2, mask=True), 26), (learned, 27)):
        tokens = torch.randint(vocabulary, (20, 12), generator=draw)
        for place in range(1, 12):
            other = tokens.clone()
            other[:, place:] = torch.randint(vocabulary, (20, 12 - place), generator=draw)
            with torch.no_grad():
                assert torch.allclose(model(tokens)[:, :place], model(other)[:, :place], atol=1e-5)


@cache
def patients() -> dict[str, dict[str, str]]:
    return {letter: patient.symptoms() for letter, patient in training.patients(lesson()["small_transformer"], lesson()["train_model"]).items()}


@pytest.mark.slow
def test_each_patient_shows_what_its_fault_does() -> None:
    a, b, c = (patients()[letter] for letter in "ABC")
    loss = "loss reported in training"
    new = "loss on new sequences, where asked"
    assert float(a[loss]) < float(a[new]) - 0.4, "padding makes the loss of training smaller"
    assert 1.9 < float(a[new]) < 2.4
    assert float(b[new]) < 0.2 and "(nothing)" in b["goes on alone, from the beginning"], "what sees the answer is right until it has to go on alone"
    assert "20" < c["right on new sequences, where asked"] < "30"
    assert c["outputs after them, when tokens 1 and 2 are exchanged"] == "stay the same"
    assert [patient["outputs that move, when token 6 is another one"] for patient in (a, b, c)] == [
        "those from place 6 on",
        "those from place 4 on",
        "those of all places",
    ]
    assert {a[found] for found in a if "exchanged" in found} == {b[found] for found in b if "exchanged" in found} == {"change"}


def test_the_answers_of_the_clinic_are_the_faults() -> None:
    assert [lesson()[f"fault_of_{letter}"] for letter in "abc"] == ["padding", "mask", "positions"]


@pytest.mark.parametrize("what", ["reverse", "repeat", "names"])
def test_a_stored_state_does_what_the_lesson_promises(what: str) -> None:
    task, layers, mask, k, heads = {
        "reverse": (training.Reverse(), 1, False, 32, 1),
        "repeat": (training.Repeat(), 2, True, 32, 1),
        "names": (training.Names(), 2, True, 48, 4),
    }[what]
    model = lesson()["small_transformer"](task, layers, mask=mask, k=k, heads=heads)
    training.load(what, model)
    tokens, targets = task.fresh(500, torch.Generator().manual_seed(9))
    with torch.no_grad():
        logits = model(tokens)
    asked = targets != -100
    right = float((logits.argmax(-1) == targets)[asked].double().mean())
    loss = float(lesson()["masked_loss"](logits, targets))
    assert (1.9 < loss < 2.1) if what == "names" else right > 0.95


def test_a_state_of_other_sizes_is_refused_in_words() -> None:
    model = lesson()["small_transformer"](training.Names(), 2, mask=True, k=32)
    with pytest.raises(ValueError, match="sizes of the lesson"):
        training.load("names", model)
    with pytest.raises(ValueError, match="nothing is stored under 'name'"):
        training.load("name", model)


def test_switching_off_either_layer_breaks_the_induction() -> None:
    task = training.Repeat()
    model = lesson()["small_transformer"](task, 2, mask=True)
    training.load("repeat", model)
    tokens, targets = task.fresh(500, torch.Generator().manual_seed(9))
    asked = targets != -100

    def right() -> float:
        with torch.no_grad():
            return float((model(tokens).argmax(-1) == targets)[asked].double().mean())

    assert right() > 0.95
    with training.switched_off(model.blocks[0].attention):
        assert right() < 0.4
    with training.switched_off(model.blocks[1].attention):
        assert right() < 0.2
    assert right() > 0.95
    maps = training.maps_of(model, task.of("planet"), mask=True)
    assert float(maps[0][0, 0].diagonal(-1)[2:11].mean()) > 0.5, "layer 1 looks one place back"
    second = maps[1][0, 0]
    followed = [sum(float(second[query, key]) for key in range(query) if (query + 1 - key) % 6 == 0) for query in range(6, 24)]
    assert min(followed) > 0.8, "layer 2 looks at what followed the letter the last times"


def test_one_layer_would_do_if_the_period_were_known() -> None:
    torch.manual_seed(0)
    task, draw = training.Repeat(shortest=6, longest=6), torch.Generator().manual_seed(0)
    model = lesson()["small_transformer"](task, 1, mask=True)
    lesson()["train_model"](model, (task.batch(64, draw) for _ in range(200)), 5e-3)
    tokens, targets = task.batch(300, draw)
    with torch.no_grad():
        hits = model(tokens).argmax(-1) == targets
    assert float(hits[targets != -100].double().mean()) > 0.95


def test_the_cache_gives_the_same_numbers() -> None:
    source = next(cell.source for cell in nbformat.read(LESSON.solution, as_version=4).cells if "def one_by_one" in cell.source)
    names = training.Names()
    model = lesson()["names_model"]()
    training.load("names", model)
    space = {**lesson(), "names": names}
    exec(re.split(r"\n\n\n(?!def)", source)[0], space)
    for name in ("jessica", "al", "bartholomew"[:11]):
        tokens, _ = names.of([name])
        with torch.no_grad():
            assert torch.allclose(space["one_by_one"](model, tokens[0], heads=4), model(tokens)[0], atol=1e-4)
