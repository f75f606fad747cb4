"""What a training loop of your own runs through: it hands out batches, shows how the model learns, and ends when you stop it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from IPython import get_ipython
from torch import Tensor, nn

from attnlab.figures.learning import learning
from attnlab.figures.picture import Picture
from attnlab.training.loop import BATCH, MEASUREMENTS, Run
from attnlab.training.measuring import Measurement, Sequences, unchanged
from attnlab.training.panel import Panel
from attnlab.training.stopping import Stoppable

Maps = Callable[[], Mapping[str, Any]]
KEPT = "What was learned so far is kept;"


class Watch:
    """Batches for a loop of your own, and a picture of what the models learn from them.

    The loop is `for tokens, targets in watch.batches(name, model): ...`, one model after the other. Every model gets the same batches. In a
    notebook a bar, a button and a picture show how it goes; the button, or one interrupt, ends the loop and keeps what was learned.

    Args:
        task: makes the batches: see `Sequences`.
        steps: how many batches each model gets, each used once.
        seed: of the batches. The models' own start is drawn when you make them.
        seconds: the longest that one model may take. Then its loop ends, says so, and keeps what was learned.
        names: of the tokens in the maps.
        batch: how many sequences a batch has.

    Attributes:
        runs: for each model a `Run`, by its name. After a loop that was left early, `final` is the last measurement.
    """

    def __init__(self, task: Sequences, steps: int, seed: int = 0, seconds: float = 60.0, names: Sequence[str] | None = None, batch: int = BATCH):
        self.task, self.steps, self.seed, self.seconds, self.names, self.batch = task, steps, seed, seconds, names, batch
        self.runs: dict[str, Run] = {}
        self._planned: dict[str, int] = {}
        self._maps: Callable[[], tuple[str, dict[str, np.ndarray]]] = lambda: ("", {})
        self._panel: Panel | None = None
        self._stopped_in: tuple[int | None] | None = None  # the cell that was stopped

    def batches(self, name: str, model: nn.Module, maps: Maps | None = None, steps: int | None = None) -> Iterator[tuple[Tensor, Tensor]]:
        """One batch after the other: tokens `(batch, T)` and the right answers `(batch, T)`, -100 where nothing is asked.

        Args:
            name: what the picture calls the model.
            model: it is measured now and then, which changes nothing of its training.
            maps: returns matrices of weights `(T query, T key)` to draw beside the curves, by title; it is called while training goes on.
            steps: how many batches, where it is not the number given to `Watch`.
        """
        steps = self.steps if steps is None else steps
        if steps < 1:
            raise ValueError(f"a training of {steps} steps: give at least 1")
        run = self.runs[name] = Run()
        self._planned[name] = steps
        if self._stopped_in == _cell():
            print(f"“{name}” gets no batches, because the training was stopped.")
            if self._panel is not None:
                self._panel.redraw()
            return
        self._stopped_in = None
        training, measurement, draw = Stoppable(), Measurement(model, self.task, self.seed), torch.Generator().manual_seed(self.seed)
        training.begin()
        try:
            self._keep_maps(name, model, maps)
            measurement.note(run, 0)
            panel = self._show(name, steps, training)
            began, taken, why = time.monotonic(), 0, ""
            for taken in range(1, steps + 1):
                yield self.task.batch(self.batch, draw)
                if training.over:
                    raise RuntimeError(f"the batches of “{name}” have ended, with their cell or when others began: train one model after the other")
                if taken % max(1, steps // MEASUREMENTS) == 0 or taken == steps:
                    measurement.note(run, taken)
                panel.show(taken)
                if taken < steps and training.asked.is_set():
                    why = f"Stopped at step {taken} of {steps}. {KEPT} run the cell again to train anew."
                    break
                if taken < steps and time.monotonic() - began > self.seconds:
                    why = f"“{name}”: stopped after {self.seconds:g} s, at step {taken} of {steps}.\n{KEPT} give `seconds` more to go on longer."
                    break
            if run.steps[-1] < taken:
                measurement.note(run, taken)
            measurement.finish(run)
            panel.finish(taken)
            if training.asked.is_set():
                self._stopped_in = _cell()
            if why:
                print(why)
        finally:
            training.end()
            if math.isnan(run.final) and run.values:
                run.final = run.values[-1]

    def picture(self) -> Picture:
        """The picture as it is now."""
        whose, maps = self._maps()
        return learning(self.runs, max(self._planned.values(), default=self.steps), self.task.measure, self.task.lines, maps, self.names, whose)

    def _keep_maps(self, name: str, model: nn.Module, maps: Maps | None) -> None:
        """Draw these maps from now on; where a model has none, those of the one before stay."""
        if maps is None:
            return

        def current() -> tuple[str, dict[str, np.ndarray]]:
            with unchanged(model):
                return name, {title: np.asarray(weights.detach() if isinstance(weights, Tensor) else weights) for title, weights in maps().items()}

        self._maps = current

    def _show(self, name: str, steps: int, training: Stoppable) -> Panel:
        """The panel below this cell; another cell gets a new one."""
        if self._panel is None or not self._panel.open:
            self._panel = Panel(self.picture)
        self._panel.begin(name, steps, training)
        return self._panel


def _cell() -> tuple[int | None]:
    """Which cell runs: after a stop, the others still train."""
    return (getattr(get_ipython(), "execution_count", None),)
