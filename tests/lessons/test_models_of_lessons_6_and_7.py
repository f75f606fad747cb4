"""What lessons 6 and 7 say in words is so: sizes, ablations, patients and the cache, looked at beside the lessons' own cells."""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Mapping
from functools import cache

import nbformat
import pytest
import torch

from attnlab import training
from authoring.answers import Namespace
from authoring.lessons import Lesson

LESSON_6, LESSON = Lesson("6_transformer"), Lesson("7_language_model")
# Layers, dimension, hidden components, tokens, longest sequence, what comes on top of the blocks and tables.
TABLE = {"GPT-2 small": (12, 768, 3072, 50257, 1024), "GPT-3": (96, 12288, 49152, 50257, 2048), "BERT base": (12, 768, 3072, 30522, 512)}
SAID = {"GPT-2 small": 124e6, "GPT-3": 175e9, "BERT base": 110e6}


@cache
def lesson() -> Namespace:
    """Lesson 7's names, over those of lesson 6."""
    return {**Namespace(nbformat.read(LESSON_6.solution, as_version=4)), **Namespace(nbformat.read(LESSON.solution, as_version=4))}


@pytest.mark.parametrize("model", TABLE)
def test_the_sizes_of_the_table_give_its_numbers_of_parameters(model: str) -> None:
    layers, k, hidden, vocabulary, longest = TABLE[model]
    block = 4 * (k * k + k) + 2 * k * hidden + hidden + k + 4 * k  # four projections with biases, two matrices, two norms
    extra = 2 * k if model.startswith("GPT") else 4 * k + k * k + k  # the last norm; BERT: two kinds of segments, a norm, the pooler
    count = layers * block + (vocabulary + longest) * k + extra  # readouts share the table of the tokens
    assert abs(count / SAID[model] - 1) < 0.006, f"{count:,}"
    text = LESSON.text.read_text(encoding="utf-8")
    for number in (layers, k, vocabulary):
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


def test_stacked_attentions_make_tokens_alike_unless_they_add() -> None:
    """Lesson 6's first cell, and the line that it asks for."""
    source = next(cell.source for cell in nbformat.read(LESSON_6.solution, as_version=4).cells if "# change this" in cell.source)
    line = next(line for line in source.splitlines() if "# change this" in line)
    said = []
    for text in (source, source.replace(line.strip(), "x = x + attention(x[None])[0]")):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(text, dict(lesson()))
        said.append(float(out.getvalue().split()[-1]))
    assert said[0] < 1e-4 and said[1] > 1


def test_one_line_continues_what_repeats() -> None:
    """Lesson 7's first cell, and the line that it offers."""
    for text, following in (("qzkfqzkfqz", "k"), ("abcabca", "b"), ("mnopqmnop", "q")):
        assert text[text.index(text[-1]) + 1] == following


def test_with_a_mask_a_later_token_changes_no_earlier_output() -> None:
    """The property, on models as they start and on one that has learned."""
    draw = torch.Generator().manual_seed(4)
    learned = lesson()["names_model"]()
    training.load("names", learned)
    for model, vocabulary in ((lesson()["small_transformer"](training.Repeat(), 2), 26), (learned, 27)):
        tokens = torch.randint(vocabulary, (20, 12), generator=draw)
        for position in range(1, 12):
            other = tokens.clone()
            other[:, position:] = torch.randint(vocabulary, (20, 12 - position), generator=draw)
            with torch.no_grad():
                assert torch.allclose(model(tokens)[:, :position], model(other)[:, :position], atol=1e-5)


@cache
def patients(number: int) -> dict[str, Mapping[str, str]]:
    treat = {6: training.patients_of_lesson_6, 7: training.patients_of_lesson_7}[number]
    return {letter: patient.symptoms for letter, patient in treat(lesson()["train_model"]).items()}


LOSS, NEW = "loss reported in training", "loss on new sequences, with the right targets"


@pytest.mark.slow
def test_each_patient_of_lesson_6_shows_what_its_fault_does() -> None:
    a, b, c = (patients(6)[letter] for letter in "ABC")
    right, wider = "right on new sequences", "right on the same ones, with 4 more tokens of padding"

    def percent(patient: Mapping[str, str], tried: str) -> int:
        return int(patient[tried].rstrip("%"))

    assert float(a[LOSS]) < float(a[NEW]) - 0.05 and percent(a, "answers 0 at positions of padding") == 100, "padding is asked, too"
    assert max(percent(patient, "answers 0 at positions of padding") for patient in (b, c)) < 60
    assert percent(b, right) > 90 and percent(b, wider) < 50, "it depends on the padding"
    assert percent(a, right) == percent(a, wider) and percent(c, right) == percent(c, wider) < 35
    order = "outputs after them, when tokens 1 and 2 change places"
    assert [patient[order] for patient in (a, b, c)] == ["change", "change", "stay the same"]


@pytest.mark.slow
def test_each_patient_of_lesson_7_shows_what_its_fault_does() -> None:
    a, b, c = (patients(7)[letter] for letter in "ABC")
    assert float(a[LOSS]) < 0.1 and float(a[NEW]) < 0.2, "what sees the answer is right on new names, too"
    assert float(c[LOSS]) < 0.1 and float(c[NEW]) > 5, "what is asked for the token that it reads knows nothing of the next"
    assert 1.9 < float(b[NEW]) < 2.5 and float(b["the same names twice, largest difference"]) > 0.5
    assert {patient["the same names twice, largest difference"] for patient in (a, c)} == {"0.00"}
    moved = [patient["outputs that move, when token 6 is different"] for patient in (a, b, c)]
    assert moved == [f"those from position {first} on" for first in (4, 6, 6)]
    assert "(nothing)" in a["goes on alone, from the beginning"]


def test_the_answers_of_the_clinics_are_the_faults() -> None:
    six, seven = (Namespace(nbformat.read(one.solution, as_version=4)) for one in (LESSON_6, LESSON))
    assert [six[f"fault_of_{letter}"] for letter in "abc"] == ["loss", "keys", "positions"]
    assert [seven[f"fault_of_{letter}"] for letter in "abc"] == ["mask", "dropout", "shift"]


@pytest.mark.parametrize("what", ["repeat", "names"])
def test_a_stored_state_does_what_the_lesson_promises(what: str) -> None:
    task: training.Sequences = training.Repeat() if what == "repeat" else training.Names()
    model = lesson()["small_transformer"](task, 2) if what == "repeat" else lesson()["names_model"]()
    training.load(what, model)
    tokens, targets = task.fresh(500, torch.Generator().manual_seed(9))
    with torch.no_grad():
        logits = model(tokens)
    asked = targets != -100
    right = float((logits.argmax(-1) == targets)[asked].double().mean())
    loss = float(lesson()["masked_loss"](logits, targets))
    assert (1.9 < loss < 2.1) if what == "names" else right > 0.95


def test_a_state_of_other_sizes_is_refused_in_words() -> None:
    model = lesson()["small_transformer"](training.Names(), 2, k=32)
    with pytest.raises(ValueError, match="sizes of the lesson"):
        training.load("names", model)
    with pytest.raises(ValueError, match="nothing is stored under 'name'"):
        training.load("name", model)


def test_both_layers_are_needed_and_one_head_of_the_second_is_not() -> None:
    task = training.Repeat()
    model = lesson()["small_transformer"](task, 2)
    training.load("repeat", model)
    tokens, targets = task.fresh(500, torch.Generator().manual_seed(9))
    asked = targets != -100

    def right(layer: int, *heads: int) -> float:
        attention = model.blocks[layer - 1].attention
        matrix = training.matrices_of(attention)["unifyheads"]
        for head in heads:
            matrix = lesson()["without_head"](matrix, 2, head)
        with torch.no_grad(), training.replaced(attention, matrix):
            return float((model(tokens).argmax(-1) == targets)[asked].double().mean())

    assert right(1) > 0.95 and right(1, 0, 1) < 0.4 and right(2, 0, 1) < 0.2
    assert min(right(2, 0), right(2, 1)) > 0.75
    assert min(right(1, 0), right(1, 1)) < 0.9, "one head of layer 1 matters more"
    [tokens] = task.of("planet")
    first, second = (weights[0] for weights in training.maps_of(model, tokens[None], heads=2, mask=True))
    assert float(first.diagonal(-1, 1, 2).mean(1).amax()) > 0.4, "layer 1 looks one position back"
    assert float(lesson()["induction_scores"](second, tokens).min()) > 0.8 > 0.3 > float(lesson()["induction_scores"](first, tokens).max())


def test_one_layer_would_do_if_the_period_were_known() -> None:
    torch.manual_seed(0)
    task, draw = training.Repeat(shortest=6, longest=6), torch.Generator().manual_seed(0)
    model = lesson()["small_transformer"](task, 1)
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
    space = dict(lesson())
    exec(source, space)
    for name in ("jessica", "al", "bartholomew"[:11]):
        tokens, _ = names.of([name])
        with torch.no_grad():
            assert torch.allclose(space["one_by_one"](model, tokens[0], heads=4), model(tokens)[0], atol=1e-4)


def test_several_tokens_at_once_behind_a_cache_are_as_one_by_one() -> None:
    q, k, v = torch.randn(3, 2, 6, 4, generator=torch.Generator().manual_seed(5))
    attend = lesson()["cached_attention"]
    whole, keys, values = attend(q, k, v)
    _, *cache = attend(q[:, :2], k[:, :2], v[:, :2])
    later, *cache = attend(q[:, 2:], k[:, 2:], v[:, 2:], *cache)
    assert torch.allclose(later, whole[:, 2:], atol=1e-6) and torch.equal(cache[0], keys) and torch.equal(cache[1], values)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 61])
def test_heads_with_nothing_to_find_look_at_the_start_token(seed: int) -> None:
    model, task = lesson()["learn_with_a_start"](seed)
    tokens, _ = task.fresh(500, torch.Generator().manual_seed(1))
    before = (tokens[:, :, None] == tokens[:, None]).tril(-1).any(-1)
    later = torch.arange(tokens.shape[1]).expand_as(tokens) >= 2
    even = (1 / (1 + torch.arange(tokens.shape[1]))).expand_as(tokens)
    for weight in training.maps_of(model, tokens, heads=2, mask=True)[1][..., 0].unbind(1):
        assert weight[later & ~before].mean() > 1.5 * even[later & ~before].mean()
        assert weight[later & before].mean() < 0.05
