"""A training loop in JupyterLab: it shows how it goes, a button stops it, what was learned is kept, and no widget stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from lab_page import LabPage
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Locator, expect

pytestmark = [pytest.mark.slow, pytest.mark.browser]

OpenLab = Callable[[str], LabPage]
NOTEBOOK = Path("trains.ipynb")
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
PREPARED = """import torch
from attnlab import training

class Successors:
    vocabulary, measure, lines = 8, "right", {"guessing": 1 / 8}
    def batch(self, size, draw):
        tokens = torch.randint(8, (size, 6), generator=draw)
        return tokens, (tokens + 1) % 8
    fresh = batch

def train_model(model, batches, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for tokens, targets in batches:
        loss = torch.nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

def map_of(model):
    return lambda: {"successors": model.weight.softmax(-1)}"""
MODELS = """models = {"one": torch.nn.Embedding(8, 8), "two": torch.nn.Embedding(8, 8)}"""
TRAINS = """watch = training.Watch(Successors(), steps=200_000, seconds=50, names=list("abcdefgh"))
for name, model in models.items():
    train_model(model, watch.batches(name, model, maps=map_of(model)), rate=1.0)
print("the cell went on")"""
KEPT = """right = models["one"](torch.arange(8)).argmax(-1) == (torch.arange(8) + 1) % 8
print("kept:", int(right.sum()), "of 8 right;", watch.runs["one"].final, watch.runs["two"].steps)"""
SHORT = """short = training.Watch(Successors(), steps=40)
for name, model in models.items():
    train_model(model, short.batches(name, model), rate=1.0)"""


def start(lab: LabPage, name: str) -> Locator:
    """Run a cell and do not wait for its end."""
    cell = lab.cell(name)
    cell.locator(".cm-content").click()
    lab.page.keyboard.press("Shift+Enter")
    expect(cell.locator(".jp-InputPrompt")).to_have_text("[*]:")
    return cell


def ends_soon(cell: Locator) -> None:
    """Long before its training would."""
    expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]:"), timeout=10_000)
    expect(cell.locator("figure img")).to_have_count(1)
    expect(cell.locator(".jupyter-widgets, .widget-button")).to_have_count(0)


def test_a_training_shows_how_it_goes_and_stops_without_loss(open_lab: OpenLab, course: Path) -> None:
    path = course / "notebooks" / NOTEBOOK
    cells = [new_markdown_cell("# Trains"), *map(new_code_cell, (PREPARED, MODELS, TRAINS, KEPT, SHORT))]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), path)
    lab = open_lab("learner")
    lab.open_file(NOTEBOOK)
    lab.run("import torch")
    lab.run("models = {")

    cell = start(lab, "watch = training.Watch")
    text, bar, image = cell.locator("div.widget-label"), cell.locator(".progress-bar"), cell.locator("figure img")
    expect(text).to_have_text(re.compile(r"^one: step \d+ of 200000 · \d+\.\d s$"))
    expect(bar).to_have_attribute("style", re.compile(r"width: *[1-9]"))
    for changing, attribute in ((bar, "style"), (image, "src"), (image, "alt")):
        expect(changing).not_to_have_attribute(attribute, changing.get_attribute(attribute) or "")
    lab.picture("training-01-while-it-runs", image)
    cell.get_by_role("button", name="Stop and keep what was learned").click()
    ends_soon(cell)
    for part in (
        re.compile(r"Stopped at step \d+ of 200000\. What was learned so far is kept; run the cell again to train anew\."),
        "“two” gets no batches, because the training was stopped.",
        "the cell went on",
        re.compile(r"Answered right, on new sequences, after step \d+ of 200000: one 100 %; two not trained\."),
    ):
        expect(cell.locator(".jp-OutputArea")).to_contain_text(part)
    lab.picture("training-02-stopped", image)
    expect(lab.run("right = models").locator(".jp-OutputArea-output")).to_have_text("kept: 8 of 8 right; 1.0 []")

    cell = start(lab, "watch = training.Watch")
    expect(cell.locator("div.widget-label")).to_contain_text("one: step")
    lab.notebook.get_by_role("button", name="Interrupt the kernel").click()
    ends_soon(cell)
    expect(cell.locator(".jp-OutputArea")).to_contain_text("Stopped at step")
    expect(cell.locator(".jp-OutputArea")).to_contain_text("the cell went on")
    expect(cell.locator(".jp-OutputArea")).not_to_contain_text("KeyboardInterrupt")

    cell = lab.run("short = training.Watch")
    expect(cell.locator("figcaption")).to_contain_text("after step 40 of 40: one 100 %; two")
    lab.save()
    saved = nbformat.read(path, as_version=4)
    shown = [output.data for cell in saved.cells[1:] for output in cell.get("outputs", []) if output.output_type == "display_data"]
    assert [set(data) for data in shown] == [{"text/html", "text/plain"}] * 2
    assert [data["text/plain"].startswith("[picture] Answered right") for data in shown] == [True] * 2
    assert "widgets" not in saved.metadata
