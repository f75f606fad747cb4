"""What two builds differ in only by the last digits stays as it was committed.

Processors add in other orders and have other exponentials, so the last digits of a result belong to the machine. A file that
changed with them would say nothing about the course. Everything else is taken from the new build: a number that a solution
*prints* has to be the same to the digit.
"""

from __future__ import annotations

import base64
import io
import re
from itertools import zip_longest
from typing import Any

import matplotlib.image
import numpy as np
from nbformat import NotebookNode

# Of the largest number of an array: far more than processors were seen to differ by (3.4e-7 in float32), far less than the checks forgive.
PRECISION = {"float32": 1e-5, "float64": 1e-9}
INVISIBLE = 0.01  # in a drawing, whose unit is a point
ONE_SHADE = 4  # of the 256 levels of red, green and blue: neighbours on the maps in use differ by no more
PICTURE_OR_COLOUR = re.compile(r"(data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+|#[0-9a-f]{6}\b)")
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)")
NAMED_BY_CONTENT = re.compile(r"\b(?:[a-zA-Z]|image)[0-9a-f]{10}\b")  # matplotlib's names for pieces of an SVG


def settle(made: Any, committed: Any) -> Any:
    """`made`, as read from JSON, with every array and number of `committed` that stands in the same place and agrees with it."""
    if isinstance(made, dict) and isinstance(committed, dict):
        if "array" in made and "array" in committed:
            return committed if _same_array(made, committed) else made
        return {key: settle(value, committed.get(key)) for key, value in made.items()}
    if isinstance(made, list) and isinstance(committed, list):
        return [settle(*pair) for pair in zip_longest(made, committed[: len(made)])]
    if isinstance(made, float) and isinstance(committed, float):
        return committed if _close([made], [committed], "float64") else made
    return made


def keep_what_agrees(new: NotebookNode, old: NotebookNode) -> None:
    """Give `new` the outputs of the same cells of `old`, where they look the same."""
    before = {cell.id: cell.outputs for cell in old.cells if cell.cell_type == "code"}
    for cell in new.cells:
        if cell.cell_type == "code" and look_the_same(cell.outputs, before.get(cell.id)):
            cell.outputs = before[cell.id]


def look_the_same(made: Any, committed: Any) -> bool:
    """Whether two outputs, or parts of them, say the same to a reader: equal text, and pictures and colours that nobody can tell apart."""
    if isinstance(made, dict) and isinstance(committed, dict):
        return made.keys() == committed.keys() and all(look_the_same(made[key], committed[key]) for key in made)
    if isinstance(made, list) and isinstance(committed, list):
        return len(made) == len(committed) and all(map(look_the_same, made, committed))
    if isinstance(made, str) and isinstance(committed, str):
        return made == committed or _same_pieces(PICTURE_OR_COLOUR, made, committed, _same_picture_or_colour)
    return made == committed


def _same_array(made: dict, committed: dict) -> bool:
    about = ("shape", "dtype", "kind")
    return [made.get(key) for key in about] == [committed.get(key) for key in about] and _close(made["array"], committed["array"], made["dtype"])


def _close(made: list, committed: list, dtype: str) -> bool:
    """Equal up to the precision of the type, measured by the largest number; nan and infinities in the same places."""
    if dtype not in PRECISION:
        return made == committed
    finite = np.abs([number for number in committed if np.isfinite(number)])
    return np.allclose(made, committed, rtol=0, atol=PRECISION[dtype] * finite.max(initial=0), equal_nan=True)


def _same_pieces(pattern: re.Pattern, made: str, committed: str, same: Any) -> bool:
    """Whether two texts are equal but for the pieces that match `pattern`, and those are pairwise the `same`."""
    pieces, others = pattern.split(made), pattern.split(committed)  # every second piece is a match
    return len(pieces) == len(others) and pieces[::2] == others[::2] and all(map(same, pieces[1::2], others[1::2]))


def _same_picture_or_colour(made: str, committed: str) -> bool:
    if made == committed:
        return True
    if made[0] == "#" or committed[0] == "#":
        return made[0] == committed[0] and _alike(_levels(made), _levels(committed), ONE_SHADE)
    (kind, picture), (other, before) = (address.split(";base64,") for address in (made, committed))
    if kind != other:
        return False
    picture, before = base64.b64decode(picture), base64.b64decode(before)
    if kind == "data:image/svg+xml":
        return _same_pieces(NUMBER, _renamed(picture.decode()), _renamed(before.decode()), lambda a, b: _alike(float(a), float(b), INVISIBLE))
    return _alike(*(255 * matplotlib.image.imread(io.BytesIO(data)) for data in (picture, before)), ONE_SHADE)


def _alike(made: Any, committed: Any, most: float) -> bool:
    return np.shape(made) == np.shape(committed) and np.allclose(made, committed, rtol=0, atol=1.01 * most)


def _levels(colour: str) -> list[int]:
    """Red, green and blue of `#rrggbb`."""
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def _renamed(svg: str) -> str:
    """The drawing with its pieces numbered in order, whatever their content was hashed to."""
    names: dict[str, str] = {}
    return NAMED_BY_CONTENT.sub(lambda found: names.setdefault(found.group(), f"piece{len(names)}"), svg)
