"""Pictures of the lessons. Every function returns a `Picture`, which Jupyter shows with its text alternative."""

from attnlab.figures.heatmap import weights_heatmap
from attnlab.figures.comparison import compare
from attnlab.figures.strips import score_strip
from attnlab.figures.picture import Picture

__all__ = ["Picture", "compare", "score_strip", "weights_heatmap"]
