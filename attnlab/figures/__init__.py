"""Pictures of the lessons. Every function returns a `Picture`, which Jupyter shows with its text alternative."""

from attnlab.figures.comparison import compare
from attnlab.figures.cost import cost_against_length
from attnlab.figures.heatmap import columns_heatmap, weights_heatmap
from attnlab.figures.orders import both_axes, equivariance, invariance
from attnlab.figures.panels import matrices, side_by_side
from attnlab.figures.picture import Picture
from attnlab.figures.queries_keys_values import roles, shapes
from attnlab.figures.scaling import dimension, gradient_bands, temperature, temperatures, two_troubles, variances
from attnlab.figures.strips import score_strip
from attnlab.figures.tiles import marked_tokens, token_tiles
from attnlab.figures.variants import head_variants

__all__ = [
    "Picture", "both_axes", "columns_heatmap", "compare", "cost_against_length", "dimension", "equivariance", "gradient_bands",
    "head_variants", "invariance", "marked_tokens", "matrices", "roles", "score_strip", "shapes", "side_by_side", "temperature",
    "temperatures", "token_tiles", "two_troubles", "variances", "weights_heatmap",
]
