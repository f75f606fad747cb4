"""What the explorer shows: sentences, and the parameters of a model at some steps of its training. `python -m authoring runs` makes them.

A run is a dictionary, stored as JSON:

    about      a sentence for readers
    words      the V entries of the vocabulary; a token is one of them, or several with "+" between them, whose rows are summed
    known      the same for readers, where the plain list would not help
    sentence   the tokens that it begins with; `query` is the one that is chosen
    longest    how many tokens there may be
    scale      divide scores by the root of their dimension; `causal`: mask later keys. Readers can switch both.
    classes    what can be answered; `asked`: the place of the token that answers all `questions`, None where each token answers one
    task       what is asked, where something is: attnlab/explorer/right.js has the right answers. `kinds`: of the words, where the task needs them
    stories    questions to readers, from stories.toml
    steps      the parameters, in the order of training:
        batches, right    after how many batches, and which part of new answers is right then
        embedding (V, k), positions (longest, k) or None
        first             optional, a layer with one head: the heads then read each token and, beside it, what this layer returned
        heads             for each: queries, keys, values (k, d); nothing where the tokens themselves are meant
        merge (h·d, m), merge_bias (m,), readout (m, questions·classes), readout_bias: what comes after the heads, each may be None

A model that is too large for a page has maps instead, of one sentence, which cannot be edited. Its run has `about`, `sentence` and `query`, and

    layers, heads  how many there are; `layer` and `head` are those that are chosen first
    from           the number of the first layer, where its lesson does not count from 0
    maps           the weights, layer by layer and head by head: of each map the rows, and of each row the keys up to its query. The square root of a
                   weight is stored, which keeps small ones exact, too: in parts of 65535, two bytes each, the lower one first, in base64.

A language model of letters has both: such maps, of the sentence that it begins with, and all its parameters, with which the page computes other
texts. Its run has all that stands above from `layers` on, `words`, `sentence`, `query` and `longest`, and

    start          the word that begins each text and, once the model says it, ends it; None where there is none
    shapes         the names of the parameters, as lessons 4 and 6 name them, and their shapes, (out, in) for matrices
    parameters     their numbers in this order, in half precision: two bytes each, the lower one first, in base64
"""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from attnlab.figures.flow import data_flow
from attnlab.figures.heatmap import weights_heatmap
from attnlab.figures.picture import Picture
from attnlab.figures.tables import short, where_largest

STORED = Path(str(files("attnlab"))) / "data" / "runs"
STORIES = "stories.toml"
TOGETHER = "+"
FINEST = 65535  # the square root of a weight is stored in parts of this


def path_of(name: str, folder: Path = STORED) -> Path:
    """Where a run is stored."""
    return folder / f"{name.replace(' ', '_')}.json"


@cache
def names_of_runs() -> tuple[str, ...]:
    """The runs that there are, in the order of the lessons, then of their names."""
    stored = [json.loads(path.read_text(encoding="utf-8")) for path in STORED.glob("*.json")]
    return tuple(about["name"] for about in sorted(stored, key=lambda about: (about["lesson"], about["name"])))


def run(name: str) -> dict[str, Any]:
    """A stored run.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in names_of_runs():
        raise ValueError(f"there is no run called {name!r}: choose from {', '.join(map(repr, names_of_runs()))}")
    asked = _stories().get(name)
    return {**json.loads(path_of(name).read_text(encoding="utf-8")), **({"stories": asked} if asked else {})}


@cache
def _stories() -> dict[str, list[dict[str, Any]]]:
    """Of each run: questions to readers, and what is to be seen."""
    return tomllib.loads(files(__package__).joinpath(STORIES).read_text(encoding="utf-8"))


def maps_in(shown: dict[str, Any]) -> np.ndarray:
    """The weights of a run that has maps: `(layers, heads, T query, T key)`."""
    T = len(shown["sentence"])
    maps = np.zeros((shown["layers"], shown["heads"], T, T))
    roots = np.frombuffer(base64.b64decode(shown["maps"]), dtype="<u2") / FINEST
    maps[..., *np.tril_indices(T)] = roots.reshape(*maps.shape[:2], -1) ** 2
    return maps


def still(name: str) -> Picture:
    """What the explorer shows at first, as a picture: the way of one query through the first head, after the training, or the map of one head.

    Raises:
        ValueError: there is no such run.
    """
    shown = run(name)
    if "maps" in shown:
        return _map(shown)
    last = shown["steps"][-1]
    tokens = np.stack([sum(_row(shown, entry) for entry in token.split(TOGETHER)) for token in shown["sentence"]])
    if last["positions"]:
        tokens = tokens + np.array(last["positions"])[: len(tokens)]
    mask = np.tril(np.ones((len(tokens),) * 2, dtype=bool)) if shown["causal"] else None
    if "first" in last:
        tokens = np.hstack([tokens, _attended(*_roles(tokens, last["first"]), shown["scale"], mask)])
    queries, keys, values = _roles(tokens, last["heads"][0])
    return data_flow(queries, keys, values, shown["query"], shown["scale"], mask, shown["sentence"])


def _map(shown: dict[str, Any]) -> Picture:
    """The head that is chosen first."""
    layer, head, sentence = shown["layer"], shown["head"], shown["sentence"]
    weights = maps_in(shown)[layer, head]
    row = weights[shown["query"]]
    name = f"layer {layer + shown.get('from', 0)}, head {head}"
    says = (
        f"One of {shown['layers'] * shown['heads']} heads: {name}. Query “{sentence[shown['query']]}” has its largest weight, "
        f"{short(row.max())}, on key “{where_largest(row, sentence)}”."
    )
    return weights_heatmap(weights, sentence, title=f"weights of {name}", says=says)


def _roles(tokens: np.ndarray, head: dict[str, Any]) -> Iterator[np.ndarray]:
    """Queries, keys and values, which may be the tokens themselves."""
    return (tokens @ np.array(head[part]) if part in head else tokens for part in ("queries", "keys", "values"))


def _attended(queries: np.ndarray, keys: np.ndarray, values: np.ndarray, scale: bool, mask: np.ndarray | None) -> np.ndarray:
    """What one head returns, `(T, d)`."""
    import torch  # here, because most pictures of the explorer need none

    scores = queries @ keys.T / (keys.shape[1] ** 0.5 if scale else 1)
    seen = scores if mask is None else np.where(mask, scores, -np.inf)
    return torch.softmax(torch.from_numpy(seen), dim=-1).numpy() @ values


def _row(shown: dict[str, Any], entry: str) -> np.ndarray:
    """Of the embedding, at the end of the training."""
    return np.array(shown["steps"][-1]["embedding"][shown["words"].index(entry)])
