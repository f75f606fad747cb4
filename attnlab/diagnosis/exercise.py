"""What the file of an exercise says: its inputs, how a result is got from an answer, and what is looked at beyond the expected results."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from attnlab.diagnosis.cause import Cause, Diagnosis

if TYPE_CHECKING:
    from attnlab.diagnosis.evidence import Evidence
    from attnlab.reference import Case

Property = Callable[[Any, "Evidence"], Diagnosis | None]
Test = Callable[["Evidence"], Diagnosis | None]
Probe = Callable[["Evidence", "Case"], Cause | None]
Kinds = Callable[[np.random.RandomState], Mapping[str, Sequence[Sequence[Any]]]]


@dataclass(frozen=True)
class Input:
    """One input, made known by a label that messages print ("one token")."""

    label: str
    arguments: list[Any]


@dataclass(frozen=True)
class Probes:
    """What an exercise has of its own to establish a cause with, by calls of its own, for an input that comes out wrong.

    Attributes:
        first: asked before everything else, for exceptions, too.
        early: asked before relations of numbers are looked for.
        late: asked after that.
    """

    first: Probe | None = None
    early: Probe | None = None
    late: Probe | None = None


@dataclass(frozen=True)
class Exercise:
    """One exercise. `make build` works out what its inputs give and writes it to `attnlab/data`.

    Attributes:
        title: what the answer does, in a few words.
        inputs: the first is the one that the lesson shows.
        kinds: inputs of every kind that the card allows, drawn: for each kind, as a message calls it, lists of arguments. The visible check
            tries those of one seed, and hidden tests (`check.on_other_numbers`) those of another one, so that a green check is a promise.
        gives_views: whether a result may share memory with what went in, as that of `Tensor.view` does.
        call: how a result is got from the answer; by default it is called with the arguments.
        parts: the names of the parts of a result that is a tuple.
        uses: variables of the notebook that the card tells to use.
        shows: what a picture of the result, or of each part, holds, for its axes and colours: "scores", "weights", "mask" (queries in rows, keys
            in columns) or "vectors" (tokens in rows, components in columns); "scores in columns" and so on where rows and columns change roles.
        tolerance: relative, where another than that of the number type is right, as for a simulation.
        is_yes_or_no: whether results are too few numbers to be sure of anything by them.
        properties: named tests of the result for the first input, such as its row sums; a result that is a tuple comes as a tuple of arrays.
        edges: named tests with calls of their own, looked at last.
        stages: for a large exercise, what stands at which stage: for each the labels of its inputs, the names of its edges and its kinds, easy
            stages first. All are tried, so that a learner sees what stands already; the first that does not is explained.
        before: looked at before anything large is called.
        stops: looked at before all else: what is wrong with an answer that does not come to its end, and would be waited for again and again.
        seconds: how long its check and its picture may take, where the card allows more than is usual.
        explain_endless: what is known of an answer that was stopped, beyond what it was doing.
        probes: what establishes causes in this exercise alone.
    """

    title: str
    inputs: Sequence[Input]
    kinds: Kinds | None = None
    gives_views: bool = False
    call: Callable[..., Any] = operator.call
    parts: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    tolerance: float | None = None
    is_yes_or_no: bool = False
    properties: Mapping[str, Property] = field(default_factory=dict)
    edges: Mapping[str, Test] = field(default_factory=dict)
    stages: Mapping[str, Sequence[str]] = field(default_factory=dict)
    before: Test | None = None
    stops: Test | None = None
    seconds: float | None = None
    explain_endless: Callable[[Any, Diagnosis], Diagnosis | None] | None = None
    probes: Probes = field(default_factory=Probes)
