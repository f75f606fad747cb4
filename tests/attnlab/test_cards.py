"""A message is a card where a person works in the notebook, and text where it only runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from bs4 import BeautifulSoup
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from attnlab.check.cards import GREEN, GREY, RED, card_of, in_html
from attnlab.diagnosis.cause import Cause, CheckFailed, Diagnosis
from authoring.lessons import ROOT

STUB = "def softmax(scores, axis=-1):\n    raise NotImplementedError"
WRONG = "def softmax(scores, axis=-1):\n    e = np.exp(scores - scores.max())\n    return e / e.sum()"
RIGHT = "softmax = lambda scores, axis=-1: torch.softmax(torch.as_tensor(np.asarray(scores, float)), axis).numpy()"
ENDLESS = "def attention_scores(x):\n    while True:\n        pass"
CHECK = "check.softmax(softmax)"


@dataclass
class Shown:
    """What one cell shows: its outputs, and how the kernel answers."""

    outputs: list[tuple[str, dict[str, Any]]]
    status: str

    @property
    def only(self) -> dict[str, Any]:
        """The data of the one output."""
        [(kind, content)] = self.outputs
        assert kind == "display_data"
        return dict(content["data"])


def run(client: BlockingKernelClient, text: str, somebody_reads: bool) -> Shown:
    outputs: list[tuple[str, dict[str, Any]]] = []

    def note(message: dict[str, Any]) -> None:
        if message["msg_type"] in ("display_data", "error", "stream"):
            outputs.append((message["msg_type"], message["content"]))

    answer = client.execute_interactive(text, allow_stdin=somebody_reads, stdin_hook=lambda _: None, output_hook=note, timeout=60)
    return Shown(outputs, answer["content"]["status"])


@pytest.fixture(scope="module")
def client() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(ROOT))
    assert run(client, "import numpy as np\nimport torch\nfrom attnlab import check, figures", True).status == "ok"
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize(
    ("cell", "headline", "colour"),
    [
        (f"{STUB}\n{CHECK}", "○ softmax", GREY),
        (f"{WRONG}\n{CHECK}", "✗ softmax", RED),
        ("check.attention_weights(attention_weights)", "✗ attention_weights", RED),
        ("predicted_product_shape = None\ncheck.reveal('predict_product')", "○ prediction", GREY),
        (f"{ENDLESS}\ncheck.attention_scores(attention_scores)", "✗ attention_scores", RED),
    ],
)
def test_what_is_refused_is_one_card_and_the_cell_has_failed(client: BlockingKernelClient, cell: str, headline: str, colour: str) -> None:
    read, alone = run(client, cell, True), run(client, cell, False)
    assert read.status == alone.status == "error"
    [(kind, error)] = alone.outputs
    assert kind == "error"
    assert read.only["text/plain"].splitlines()[1:] == error["traceback"][1:]  # Validate and graders read the same
    card = BeautifulSoup(read.only["text/html"], "html.parser")
    assert card.get_text().startswith(headline)
    assert [label.get_text() for label in card.find_all("span") if not label["style"].startswith("background")] == [
        "observed",
        "expected",
        "likely",
        "next",
    ]
    assert set(re.findall("#[0-9a-f]{6}", read.only["text/html"])) == {colour}
    assert words(card.get_text(" ")) == words(read.only["text/plain"])


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_what_passes_is_green_for_a_person_and_one_line_elsewhere(client: BlockingKernelClient) -> None:
    read, alone = run(client, f"{RIGHT}\n{CHECK}", True), run(client, CHECK, False)
    assert read.status == alone.status == "ok"
    [(kind, printed)] = alone.outputs
    assert kind == "stream" and printed["text"].strip() == read.only["text/plain"]
    assert read.only["text/plain"].startswith("✓ softmax: all")
    assert set(re.findall("#[0-9a-f]{6}", read.only["text/html"])) == {GREEN}


def test_what_is_not_ours_is_shown_as_always(client: BlockingKernelClient) -> None:
    shown = run(client, "1 / 0", True)
    assert [kind for kind, _ in shown.outputs] == ["error"] and shown.status == "error"


def test_after_a_card_the_kernel_answers_with_its_text_and_not_with_an_older_traceback(client: BlockingKernelClient) -> None:
    run(client, "1 / 0", True)
    answer = client.execute_interactive(f"{WRONG}\n{CHECK}", allow_stdin=True, stdin_hook=lambda _: None, output_hook=lambda _: None, timeout=60)
    assert answer["content"]["traceback"][0].startswith("✗ softmax")


def test_marks_of_parts_have_their_own_colours_and_nothing_is_html_that_came_from_a_learner() -> None:
    found = Diagnosis("`<b>` & *A nudge*", "`x * y`", Cause("test.one", "a*B*c", "*Pseudocode*"))
    body = card_of(CheckFailed("Module, mask", found, "✓ one, ✗ mask, – heads"))
    assert all(colour in body for colour in (RED, GREEN, GREY))
    assert "<code>&lt;b&gt;</code> &amp; <em>A nudge</em>" in body
    assert in_html("a*B*c and *Pseudocode*") == "a*B*c and <em>Pseudocode</em>"
