"""The exercises of lesson 1, a file each; here stands what several of them need."""

from __future__ import annotations

import numpy as np

from attnlab.diagnosis.relations.relations import non_negative, rows_sum_to_one

TOKENS = np.array([[1.0, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]])

TWO_TOKENS = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])

SCORES = np.array([[2.0, 4, 4], [4, 16, 12], [4, 12, 10]])

WEIGHTS = {"no weight below zero": non_negative, "rows": rows_sum_to_one}
