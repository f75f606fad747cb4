"""Pictures of the lessons. Every function returns a `Picture`, which Jupyter shows with its text alternative."""

from attnlab.figures.heatmap import weights_heatmap
from attnlab.figures.comparison import compare
from attnlab.figures.cost import cost_against_length
from attnlab.figures.orders import both_axes, equivariance, invariance
from attnlab.figures.panels import matrices
from attnlab.figures.strips import score_strip
from attnlab.figures.tiles import marked_tokens, token_tiles
from attnlab.figures.variants import head_variants
from attnlab.figures.picture import Picture

__all__ = ["Picture", "both_axes", "compare", "cost_against_length", "equivariance", "head_variants", "invariance", "marked_tokens",
           "matrices", "score_strip", "token_tiles", "weights_heatmap"]
