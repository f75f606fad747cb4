"""What a loop of one's own runs through: the same batches for every model, a look that changes nothing, and an end that loses nothing."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator

import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient
from torch import Tensor, nn

from attnlab import figures, training
from attnlab.figures.learning import learning
from attnlab.training import stopping
from attnlab.training.loop import FINAL, FRESH


class Copies:
    """Each token is asked for itself, except the first, which is asked for nothing."""

    vocabulary = 6

    def __init__(self, measure: str = "right"):
        self.measure = measure
        self.lines = {"guessing": 1 / 6 if measure == "right" else math.log(6)}
        self.asked: list[tuple[str, int]] = []

    def batch(self, size: int, draw: torch.Generator, kind: str = "batch") -> tuple[Tensor, Tensor]:
        self.asked.append((kind, size))
        tokens = torch.randint(self.vocabulary, (size, 5), generator=draw)
        targets = tokens.clone()
        targets[:, 0] = -100
        return tokens, targets

    def fresh(self, size: int, draw: torch.Generator) -> tuple[Tensor, Tensor]:
        return self.batch(size, draw, "fresh")


class Model(nn.Module):
    """Something with dropout and a norm that remembers, which would show if measuring disturbed it."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.table, self.norm, self.drop, self.readout = nn.Embedding(6, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 6)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.readout(self.drop(self.norm(self.table(tokens).transpose(1, 2)).transpose(1, 2)))


def train_model(model: nn.Module, batches: Iterator[tuple[Tensor, Tensor]], rate: float = 1e-2) -> list[Tensor]:
    optimizer, seen = torch.optim.Adam(model.parameters(), lr=rate), []
    for tokens, targets in batches:
        seen.append(tokens)
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return seen


@pytest.fixture(autouse=True)
def everything_is_put_back() -> Iterator[None]:
    """After each test the interrupt means what it meant, and torch has its threads."""
    before, threads = signal.getsignal(signal.SIGINT), torch.get_num_threads()
    signal.signal(signal.SIGINT, handler := signal.default_int_handler)  # a process in the background ignores interrupts
    torch.set_num_threads(2)
    yield
    assert signal.getsignal(signal.SIGINT) == handler
    signal.signal(signal.SIGINT, before)
    assert torch.get_num_threads() == 2
    assert stopping.Stoppable._running is None
    torch.set_num_threads(threads)


def test_every_model_gets_the_same_batches() -> None:
    watch = training.Watch(Copies(), steps=7, seed=3, batch=10)
    first, second = train_model(Model(), watch.batches("a", Model())), train_model(Model(), watch.batches("b", Model(), steps=4))
    assert len(first) == 7 and len(second) == 4 and all(map(torch.equal, first, second))
    assert first[0].shape == (10, 5) and not torch.equal(first[0], first[1])
    assert not torch.equal(first[0], next(training.Watch(Copies(), steps=1, seed=4, batch=10).batches("c", Model()))[0])


def test_being_watched_changes_nothing() -> None:
    """A plain loop over the same batches comes to the very same weights, running means and draws."""
    task, watched, alone = Copies(), Model(), Model()
    draw = torch.Generator().manual_seed(5)
    batches = [task.batch(64, draw) for _ in range(40)]
    torch.manual_seed(9)
    train_model(alone, iter(batches))
    expected = torch.rand(3)
    torch.manual_seed(9)
    watch = training.Watch(task, steps=40, seed=5)
    train_model(watched, watch.batches("watched", watched, maps=lambda: {"one": torch.rand(3, 3)}))
    assert torch.equal(torch.rand(3), expected)
    assert all(torch.equal(value, alone.state_dict()[name]) for name, value in watched.state_dict().items())
    assert all(torch.equal(one.grad, other.grad) for one, other in zip(watched.parameters(), alone.parameters()))
    assert watched.training and watched.drop.training


def test_a_part_in_eval_mode_stays_in_it() -> None:
    model = Model()
    model.norm.eval()
    train_model(model, training.Watch(Copies(), steps=2).batches("frozen", model))
    assert model.training and model.drop.training and not model.norm.training


def test_it_is_measured_some_thirty_times_and_at_the_end_on_more() -> None:
    task, model = Copies(), Model()
    watch = training.Watch(task, steps=300)
    train_model(model, watch.batches("one", model))
    run = watch.runs["one"]
    sizes = [size for kind, size in task.asked if kind == "fresh"]
    assert sizes == [FRESH] * 31 + [FINAL] and run.steps == list(range(0, 301, 10))
    assert len(run.right) == 31 and run.right[0] < 0.5 and run.final == 1 and run.loss == []
    assert 0 < run.reached(0.95) < 300


def test_only_what_is_asked_counts() -> None:
    """The model answers what is asked, and nothing else, right."""

    class FirstWrong(nn.Module):
        def forward(self, tokens: Tensor) -> Tensor:
            answers = tokens.clone()
            answers[:, 0] = (tokens[:, 0] + 1) % 6
            return 2.0 * nn.functional.one_hot(answers, 6)

    for measure, expected in (("right", 1.0), ("loss", math.log(math.exp(2) + 5) - 2)):
        watch = training.Watch(Copies(measure), steps=1)
        list(watch.batches("one", FirstWrong()))
        assert watch.runs["one"].final == pytest.approx(expected) and watch.runs["one"].values == pytest.approx([expected] * 2)


def test_the_loss_is_the_mean_over_the_asked_targets() -> None:
    task, model = Copies("loss"), Model()
    watch = training.Watch(task, steps=60)
    train_model(model, watch.batches("one", model))
    run = watch.runs["one"]
    assert run.right == [] and len(run.loss) == len(run.steps) == 31
    assert run.loss[0] > 1 > run.loss[-1] and run.reached(1.0) is not None and run.reached(0.0) is None
    tokens, targets = task.fresh(4000, torch.Generator().manual_seed(77))
    model.eval()
    with torch.no_grad():
        assert run.final == pytest.approx(float(nn.functional.cross_entropy(model(tokens).flatten(0, 1), targets.flatten())), abs=0.02)


def test_an_interrupt_ends_it_and_what_comes_after_and_keeps_what_was_learned(capsys: pytest.CaptureFixture[str]) -> None:
    watch, taken = training.Watch(Copies(), steps=100), 0
    for name in ("one", "two"):
        for _ in watch.batches(name, Model()):
            assert torch.get_num_threads() == 1
            taken += 1
            if taken == 12:
                signal.raise_signal(signal.SIGINT)
    assert taken == 12 and watch.runs["one"].steps == [0, 3, 6, 9, 12] and 0 <= watch.runs["one"].final <= 1
    assert capsys.readouterr().out == (
        "Stopped at step 12 of 100. What was learned so far is kept; run the cell again to train anew.\n"
        "“two” gets no batches, because the training was stopped.\n"
    )
    assert watch.runs["two"].steps == [] and math.isnan(watch.runs["two"].final)
    assert "one 17 %; two not trained." in watch.picture().says.replace(f"one {100 * watch.runs['one'].final:.0f} %", "one 17 %")


def test_a_second_interrupt_interrupts() -> None:
    watch = training.Watch(Copies(), steps=100)
    with pytest.raises(KeyboardInterrupt):
        for _ in watch.batches("stuck", Model()):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
    assert watch.runs["stuck"].final == watch.runs["stuck"].right[-1]


def test_a_stop_that_is_asked_for_in_another_thread_ends_it(capsys: pytest.CaptureFixture[str]) -> None:
    """As the button does."""
    watch = training.Watch(Copies(), steps=10_000)
    for number, _ in enumerate(watch.batches("one", Model()), 1):
        if number == 5:
            presser = threading.Thread(target=stopping.Stoppable._running.asked.set)
            presser.start()
            presser.join()
    assert number == 5 and watch.runs["one"].steps[-1] == 5
    assert capsys.readouterr().out.startswith("Stopped at step 5 of 10000.")


def test_the_time_limit_is_each_models_own_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    watch = training.Watch(Copies(), steps=50, seconds=0)
    assert [len(list(watch.batches(name, Model()))) for name in ("one", "two")] == [1, 1]
    assert capsys.readouterr().out.startswith("“one”: stopped after 0 s, at step 1 of 50.\nWhat was learned so far is kept; give `seconds` more")
    assert watch.runs["two"].steps == [0, 1] and 0 <= watch.runs["two"].final <= 1


def test_in_time_nothing_is_said_and_nothing_shown(capsys: pytest.CaptureFixture[str]) -> None:
    watch = training.Watch(Copies(), steps=3)
    assert len(list(watch.batches("one", Model()))) == 3
    assert capsys.readouterr() == ("", "")


def test_a_loop_may_be_left_early() -> None:
    watch = training.Watch(Copies(), steps=100)
    for number, _ in enumerate(watch.batches("left", Model())):
        if number == 10:
            break
    assert watch.runs["left"].steps[-1] == 9 and watch.runs["left"].final == watch.runs["left"].right[-1]
    assert len(list(watch.batches("next", Model(), steps=5))) == 5


def test_an_error_in_the_loop_is_tidied_up_by_the_next() -> None:
    watch, kept = training.Watch(Copies(), steps=5), []
    batches = watch.batches("broken", Model())
    next(batches)  # and its frame lives on, as in the traceback of an error
    kept.append(batches)
    assert torch.get_num_threads() == 1
    assert len(list(watch.batches("next", Model()))) == 5
    assert torch.get_num_threads() == 2
    with pytest.raises(RuntimeError, match="train one model after the other"):
        next(batches)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="a training of 0 steps"):
        next(training.Watch(Copies(), steps=0).batches("one", Model()))
    with pytest.raises(ValueError, match='measures "right" or "loss"'):
        next(training.Watch(Copies("accuracy"), steps=1).batches("one", Model()))
    with pytest.raises(ValueError, match=r"the model returns \(250, 6\) for tokens \(250, 5\)"):
        next(training.Watch(Copies(), steps=1).batches("one", nn.Sequential(Model(), Mean())))


class Mean(nn.Module):
    """Takes the mean over the tokens, which leaves no answer for each."""

    def forward(self, x: Tensor) -> Tensor:
        return x.mean(1)


def test_the_picture_says_the_numbers() -> None:
    runs = {"one": training.Run([0, 10, 20], [0.1, 0.5, 0.75]), "two": training.Run([0, 10], [0.5, 1.0], final=0.99), "three": training.Run()}
    picture = learning(runs, 100, "right", {"guessing": 0.1}, {"layer 1": np.eye(3)}, ["a", "b", "c"], "two")
    assert isinstance(picture, figures.Picture)
    assert picture.says == (
        "Answered right, on new sequences, after step 20 of 100: one 75 %; two 99 % (step 10); three not trained. To compare: guessing 10 %. "
        "Beside the curves: where “two” looks now, dark for a large weight; in “layer 1” the last query, “c”, gives key 2 (“c”) its largest "
        "weight, 1.00."
    )


@pytest.mark.parametrize("losses", [[3.4, 2.5, 2.1], [3.4, float("nan"), 1e9], [float("inf")] * 3, [0.0] * 3, []])
def test_a_picture_of_losses_is_drawn_whatever_they_are(losses: list[float]) -> None:
    run = training.Run(list(range(len(losses))), loss=losses)
    picture = learning({"names": run}, 100, "loss", {"bigrams": 2.33, "letters": 2.3}, {})
    assert picture.says.startswith("Loss on new sequences, in nats, after step ")
    assert picture.says.endswith("To compare: bigrams 2.33, letters 2.30.")


def test_many_models_and_long_sequences_still_fit() -> None:
    runs = {f"model {number}": training.Run([0, 10], [0.1, 0.5]) for number in range(8)}
    assert "model 7 50 %." in learning(runs, 10, "right", {}, {"wide": np.eye(60)}).says


IN_A_KERNEL = [
    """import signal, torch
from attnlab import training
threads, handler = torch.get_num_threads(), signal.getsignal(signal.SIGINT)

class Same:
    vocabulary, measure, lines = 4, "right", {}
    def batch(self, size, draw):
        tokens = torch.randint(4, (size, 3), generator=draw)
        return tokens, tokens
    fresh = batch

watch = training.Watch(Same(), steps=20)""",
    """for name in ("one", "two"):
    for tokens, targets in watch.batches(name, torch.nn.Embedding(4, 4)):
        pass
    print(name, "is trained")""",
    """for tokens, targets in watch.batches("broken", torch.nn.Embedding(4, 4)):
    raise ValueError("a mistake of the learner's")""",
    """print(threads == torch.get_num_threads(), handler == signal.getsignal(signal.SIGINT))""",
]


def test_a_stored_notebook_holds_pictures_and_no_widget() -> None:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in IN_A_KERNEL])
    NotebookClient(notebook, timeout=120, allow_errors=True, store_widget_state=False, coalesce_streams=True).execute()
    _, trained, broken, after = notebook.cells
    assert [output.output_type for output in trained.outputs] == ["display_data", "stream"]
    assert trained.outputs[1].text == "one is trained\ntwo is trained\n"
    assert [output.output_type for output in broken.outputs] == ["display_data", "error"]
    for cell, says in ((trained, "after step 20 of 20: one"), (broken, "broken")):
        data = cell.outputs[0].data
        assert set(data) == {"text/html", "text/plain"} and says in data["text/plain"]
    assert after.outputs[0].text == "True True\n"
