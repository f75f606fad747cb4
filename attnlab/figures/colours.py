"""The colours of all pictures: which stand for what, and black or white for what is written on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import matplotlib
import numpy as np

WEIGHTS_MAP = "cividis"  # light is large; readable for colour-blind people and in grey
DIFFERENCE_MAP = "PuOr"  # white is zero
QUERY, KEY, VALUE = "#0072B2", "#D55E00", "#009E73"  # blue, vermilion and bluish green of the Okabe-Ito palette
TOKEN_COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7")  # Okabe-Ito
NOTHING = 1e-4  # below it, a difference is only rounding
_EQUAL_CONTRAST = 0.179  # the luminance that black and white stand out from equally well, by 4.58


@dataclass(frozen=True)
class Scale:
    """Which number has which colour: `low` and `high` are the ends of the colour map called `name`."""

    low: float
    high: float
    name: str = WEIGHTS_MAP

    def shades(self, matrix: np.ndarray) -> np.ndarray:
        """Red, green and blue for every entry, from 0 to 255: `(rows, columns, 3)`. What is no finite number is white."""
        width = (self.high - self.low) or 1.0
        finite = np.isfinite(matrix)
        places = (np.where(finite, matrix, self.low) - self.low) / width
        shades = matplotlib.colormaps[self.name](places, bytes=True)[..., :3]
        shades[~finite] = 255
        return shades


def common_scale(matrices: Iterable[np.ndarray]) -> Scale:
    """One scale for all matrices, two-sided when some value is negative."""
    finite = [matrix[np.isfinite(matrix)] for matrix in matrices]
    largest = max((float(np.abs(numbers).max(initial=0)) for numbers in finite), default=0.0) or 1.0
    return Scale(-largest, largest, DIFFERENCE_MAP) if any((numbers < 0).any() for numbers in finite) else Scale(0.0, largest)


def scale_of_weights(weights: np.ndarray) -> Scale:
    """From 0 to 1, or further for numbers that are no weights."""
    return Scale(0.0, float(weights[np.isfinite(weights)].max(initial=1.0)))


def scale_of_differences(difference: np.ndarray) -> Scale:
    """As far to both sides as the largest difference."""
    largest = float(np.abs(difference[np.isfinite(difference)]).max(initial=0)) or 1.0
    return Scale(-largest, largest, DIFFERENCE_MAP)


def without_rounding(difference: np.ndarray) -> np.ndarray:
    """The differences that mean something; the others are zero."""
    return np.where(np.abs(difference) < NOTHING, 0.0, difference)


def hexadecimal(shade: Iterable[int]) -> str:
    """Red, green and blue as HTML writes them."""
    return "#%02x%02x%02x" % tuple(shade)


def ink(colour: str) -> str:
    """Black or white, whichever stands out more from `#rrggbb`."""
    red, green, blue = (_LINEAR[int(colour[at : at + 2], 16)] for at in (1, 3, 5))
    return "#000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > _EQUAL_CONTRAST else "#fff"


_LINEAR = [level / 255 / 12.92 if level <= 10 else ((level / 255 + 0.055) / 1.055) ** 2.4 for level in range(256)]
