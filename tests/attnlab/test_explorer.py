"""The explorer: what is stored, what stands there without a browser, and its mathematics beside NumPy's, in a browser."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from attnlab.explorer import embedded, explore, names_of_runs, run, script, still
from attnlab.explorer.pages import EXPLORES, source
from attnlab.figures.picture import Picture
from authoring.lessons import find_lessons, read_text

EACH_RUN = pytest.mark.parametrize("name", names_of_runs())
EACH_WITH_PARAMETERS = pytest.mark.parametrize("name", [name for name in names_of_runs() if "steps" in run(name)])
EACH_TRAINED = pytest.mark.parametrize("name", [name for name in names_of_runs() if "classes" in run(name)])
ENOUGH = 0.95  # of the answers are right after a training
ATTENTION = """([run, step, options, off]) => {
  const state = run.steps[step];
  const all = attention(state, run.words, run.sentence, options, off);
  return { ...all, answers: answers(run, state, all.outputs) };
}"""


def softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def computed(shown: dict, step: int, scale: bool, causal: bool, positions: bool, off: list[int], moved: dict) -> dict:
    """The same by NumPy."""
    state, length = shown["steps"][step], len(shown["sentence"])
    rows = np.array(state["embedding"])
    tokens = np.stack([rows[[shown["words"].index(entry) for entry in token.split("+")]].sum(0) for token in shown["sentence"]])
    if positions and state["positions"]:
        tokens = tokens + np.array(state["positions"])[:length]
    heads, joined = [], []
    for number, head in ([("first", state["first"])] if "first" in state else []) + list(enumerate(state["heads"])):
        q, k, v = (tokens @ np.array(head[part]) if part in head else tokens for part in ("queries", "keys", "values"))
        scores = q @ k.T
        for (i, j), score in moved.get(number, {}).items():
            scores[i, j] = score
        masked = np.where(np.triu(np.ones((length, length), bool), 1) & causal, -np.inf, scores / (np.sqrt(k.shape[1]) if scale else 1))
        weights = softmax(masked)
        heads.append({"scores": scores, "weights": weights, "outputs": weights @ v})
        if number == "first":
            tokens = np.hstack([tokens, weights @ v])
            continue
        joined.append(weights @ v * (number not in off))
    outputs = np.concatenate(joined, 1)
    if state["merge"]:
        outputs = outputs @ np.array(state["merge"]) + np.array(state["merge_bias"])
    return {"heads": heads, "outputs": outputs}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    page = browser.new_page()
    page.add_script_tag(content=source())
    yield page
    page.close()


@pytest.mark.slow
@pytest.mark.browser
@EACH_WITH_PARAMETERS
@pytest.mark.parametrize(
    ("scale", "causal", "positions", "off", "moved"),
    [
        (False, False, True, [], {}),
        (True, False, True, [], {}),
        (True, True, False, [0], {}),
        (False, True, True, [], {0: {(2, 1): 7.5, (0, 0): -3.0}}),
        (False, False, True, [], {"first": {(4, 1): 5.0}, 0: {(2, 1): 7.5}}),
    ],
)
def test_numbers_are_numpys(page: Page, name: str, scale: bool, causal: bool, positions: bool, off: list[int], moved: dict) -> None:
    shown = run(name)
    told = {number: {f"{i},{j}": score for (i, j), score in scores.items()} for number, scores in moved.items()}
    options = {"scale": scale, "causal": causal, "positions": positions, "moved": told}
    for step in (0, len(shown["steps"]) - 1):
        said, right = page.evaluate(ATTENTION, [shown, step, options, off]), computed(shown, step, scale, causal, positions, off, moved)
        heads = ([said["first"]] if said.get("first") else []) + said["heads"]
        for head, wanted in zip(heads, right["heads"], strict=True):
            for part, values in wanted.items():
                np.testing.assert_allclose(np.array(head[part], dtype=float), values, atol=1e-9)
        np.testing.assert_allclose(said["outputs"], right["outputs"], atol=1e-9)


@pytest.mark.browser
def test_the_last_word_turns_the_query_of_it(page: Page) -> None:
    shown = run("who it is")
    for last, meant in (("tired", "dog"), ("heavy", "bone")):
        shown["sentence"][-1] = last
        for order in (shown["sentence"], ["the", "bone", "hit", "the", "dog", *shown["sentence"][5:]]):
            options = {"scale": False, "causal": False, "positions": True}
            said = page.evaluate(ATTENTION, [{**shown, "sentence": order}, len(shown["steps"]) - 1, options, []])
            weights = dict(zip(order, said["heads"][0]["weights"][6]))
            assert said["answers"][0]["what"] == meant[0] and weights[meant] > 0.8, (order, weights)


@pytest.mark.browser
@EACH_TRAINED
def test_a_trained_model_answers_its_example_right(page: Page, name: str) -> None:
    shown = run(name)
    assert shown["steps"][0]["right"] < 0.3 < ENOUGH < shown["steps"][-1]["right"]
    assert [step["batches"] for step in shown["steps"]] == sorted({step["batches"] for step in shown["steps"]})
    options = {"scale": shown["scale"], "causal": shown["causal"], "positions": True}
    said = [one["what"] for one in page.evaluate(ATTENTION, [shown, len(shown["steps"]) - 1, options, []])["answers"]]
    sentence = shown["sentence"]
    letters = {token[0]: token[2:] for token in sentence}
    wanted = {
        "next letter": lambda: [letters["abcdefa"["abcdef".index(token[0]) + 1]] for token in sentence],
        "two questions": lambda: [dict(token.split("+") for token in sentence[:-1])[name] for name in re.findall(r"\d:(\w+)", sentence[-1])],
        "who eats": lambda: [sentence[0], sentence[2]],
        "backwards": lambda: sentence[::-1],
        "who it is": lambda: [sentence[1][0]],
    }
    wanted["scaled"] = wanted["next letter"]
    assert said == wanted[name]()


@EACH_RUN
def test_without_a_browser_there_is_a_picture_with_words(name: str) -> None:
    shown = explore(name)
    assert isinstance(shown, Picture)
    first = run(name)["sentence"][run(name)["query"]]
    assert f"Query “{first}”" in shown.says and shown.says == still(name).says and shown.says in embedded(name)


@EACH_RUN
def test_a_run_in_a_page_is_the_run(name: str) -> None:
    stored = re.search(r'<script type="application/json" id="([\w-]+)">(.*?)</script>$', embedded(name), re.DOTALL)
    assert stored and json.loads(stored[2]) == run(name) and f'data-run="{stored[1]}"' in embedded(name)
    assert len(embedded(name)) < 150_000


def test_every_lesson_but_optional_ones_has_a_run_and_shows_it() -> None:
    """Lesson 7 looks into the learner's own model, head by head, and the page of the site shows ours; lesson 8 has maps, optional or not."""
    for lesson in find_lessons():
        names = [name for name in names_of_runs() if run(name)["lesson"] == lesson.assignment]
        assert bool(names) is (lesson.number == "8" or not read_text(lesson).metadata.lesson.get("optional"))
        assert EXPLORES.findall(lesson.text.read_text(encoding="utf-8")) == ([] if lesson.number == "7" else names)


def test_a_run_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="there is no run called 'nowhere': choose from 'words', 'next letter', 'who it is'"):
        explore("nowhere")


def test_nothing_is_asked_of_a_network() -> None:
    assert not re.search(r"https?://|\bfetch\(|XMLHttpRequest|import\s*\(", script())


@pytest.mark.browser
def test_numbers_for_people(page: Page) -> None:
    numbers = [0, -0.001, 0.125, -2.5, 12.34, -123.4]
    assert page.evaluate("numbers => numbers.map(shown)", numbers) == ["0.00", "0.00", "0.13", "−2.50", "12.3", "−123"]
    assert page.evaluate("[shown(-Infinity), shown(NaN)]") == ["−∞", "nan"]
    assert page.evaluate("[entropy([1, 0]), entropy([0.5, 0.5]), entropy([0.25, 0.25, 0.25, 0.25])]") == pytest.approx([0, np.log(2), np.log(4)])
