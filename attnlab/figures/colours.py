"""The code of colours of all pictures and of the explorer, and black or white for what is written on them.

Queries, keys, values, scores and weights have a hue each, and nothing else has: outputs, tokens and numbers that are none of the five are
grey, single tokens and heads are pale, models that are compared are black, grey or sky blue.

In every map, light is little and dark is much; of signed numbers, light is zero. That holds on a dark page, too: a cell brings its own
ground, so that a colour means the same in both themes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

# Blue, vermilion, bluish green, orange and a darker reddish purple of the Okabe-Ito palette: they differ for colour-blind people, too.
QUERY, KEY, VALUE, SCORE, WEIGHT = "#0072B2", "#D55E00", "#009E73", "#E69F00", "#A0447A"
NEUTRAL = "#7F7F7F"  # outputs, tokens, and numbers that are none of the five
ROLES = {"query": QUERY, "queries": QUERY, "key": KEY, "keys": KEY, "value": VALUE, "values": VALUE, "scores": SCORE, "weights": WEIGHT}
NO_WEIGHT, NO_SCORE, NEGATIVE_SCORE = "#F7ECF2", "#FAF7F0", "#8CA2B4"  # the other ends of the maps, and the middle of that of scores
TOKEN_COLOURS = ("#EEDD88", "#77AADD", "#FFAABB", "#BBCC33", "#99DDFF", "#EE8866", "#DDDDDD")  # Paul Tol's light scheme, made for text on it
MODEL_LOOKS = (("#777777", "--"), ("#000000", "-"), ("#56B4E9", "-."), ("#777777", ":"), ("#000000", (0, (8, 2))), ("#56B4E9", (0, (1, 1))))
OPEN, SHUT = "#CFE8F7", "#A0A0A0"  # where a query may look, or yes; where it may not, or no
ERROR = "#B3261E"  # what is no finite number

MAPS = {
    name: LinearSegmentedColormap.from_list(name, colours)
    for name, colours in {
        "weights": (NO_WEIGHT, WEIGHT),
        "scores": (NEGATIVE_SCORE, NO_SCORE, SCORE),
        "numbers": ("#F4F4F4", "#3D3D3D"),
        "signed": ("#3D3D3D", "#F4F4F4", "#3D3D3D"),  # the sign is printed
    }.items()
}
NOTHING = 1e-4  # below it, a difference is only rounding
_EQUAL_CONTRAST = 0.179  # the luminance that black and white stand out from equally well, by 4.58


@dataclass(frozen=True)
class Scale:
    """Which number has which colour: `low` and `high` are the ends of the map called `name`."""

    low: float
    high: float
    name: str

    def shades(self, matrix: np.ndarray) -> np.ndarray:
        """Red, green and blue for every entry, from 0 to 255: `(rows, columns, 3)`. What is no finite number is white."""
        width = (self.high - self.low) or 1.0
        finite = np.isfinite(matrix)
        places = (np.where(finite, matrix, self.low) - self.low) / width
        shades = MAPS[self.name](places, bytes=True)[..., :3]
        shades[~finite] = 255
        return shades


def scale_of(what: str, matrices: Iterable[np.ndarray]) -> Scale:
    """One scale for all matrices.

    Args:
        what: "weights", which go from 0 to 1, or further where numbers are no weights; "scores", which go as far to both sides as the
            largest; anything else for numbers from 0 on, or to both sides when some are negative.
    """
    finite = [matrix[np.isfinite(matrix)] for matrix in matrices]
    largest = max((float(np.abs(numbers).max(initial=0)) for numbers in finite), default=0.0) or 1.0
    if what == "weights":
        return Scale(0.0, max(1.0, largest), "weights")
    if what == "scores":
        return Scale(-largest, largest, "scores")
    return Scale(-largest, largest, "signed") if any((numbers < 0).any() for numbers in finite) else Scale(0.0, largest, "numbers")


def scale_of_differences(difference: np.ndarray) -> Scale:
    """As far to both sides as the largest difference."""
    largest = float(np.abs(difference[np.isfinite(difference)]).max(initial=0)) or 1.0
    return Scale(-largest, largest, "signed")


def without_rounding(difference: np.ndarray) -> np.ndarray:
    """The differences that mean something; the others are zero."""
    return np.where(np.abs(difference) < NOTHING, 0.0, difference)


def role_in(title: str) -> str:
    """Which of `ROLES` a title begins with, as in "scores of query 1"; "" for none."""
    first = title.split()[0].rstrip(",:") if title.strip() else ""
    return first if first in ROLES else ""


def hexadecimal(shade: Iterable[int]) -> str:
    """Red, green and blue as HTML writes them."""
    return "#%02x%02x%02x" % tuple(shade)


def luminance(colour: str) -> float:
    """How much light `#rrggbb` gives: 0 for black, 1 for white (Web Content Accessibility Guidelines 2.1)."""
    red, green, blue = (_LINEAR[int(colour[at : at + 2], 16)] for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink(colour: str) -> str:
    """Black or white, whichever stands out more from `#rrggbb`."""
    return "#000" if luminance(colour) > _EQUAL_CONTRAST else "#fff"


_LINEAR = [level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4 for level in range(256)]
