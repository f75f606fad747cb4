"""Pictures of the lessons. Every function returns a `Picture`, which Jupyter shows with its text alternative."""

from attnlab.figures.heatmap import weights_heatmap
from attnlab.figures.comparison import compare
from attnlab.figures.queries_keys_values import columns_heatmap, roles, shapes, side_by_side
from attnlab.figures.scaling import dimension, gradient_sizes, temperature, temperatures, two_troubles, variances
from attnlab.figures.strips import score_strip
from attnlab.figures.picture import Picture

__all__ = [
    "Picture", "columns_heatmap", "compare", "dimension", "gradient_sizes", "roles", "score_strip", "shapes", "side_by_side",
    "temperature", "temperatures", "two_troubles", "variances", "weights_heatmap",
]
