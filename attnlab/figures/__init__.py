"""Pictures of the lessons. Every function returns a `Picture`, which Jupyter shows with its text alternative."""

from attnlab.figures.arcs import arc_diagram
from attnlab.figures.arrows import arrows
from attnlab.figures.attention_diagrams import attention_blocks, multi_head_blocks
from attnlab.figures.comparison import compare
from attnlab.figures.cost import cost_against_length
from attnlab.figures.flow import data_flow
from attnlab.figures.heads import heads_at_a_glance
from attnlab.figures.heatmap import columns_heatmap, weights_heatmap
from attnlab.figures.in_time import limit_cells_that_draw
from attnlab.figures.mixture import mixture
from attnlab.figures.orders import both_axes, equivariance, invariance
from attnlab.figures.panels import matrices, side_by_side
from attnlab.figures.paths import chain_and_attention
from attnlab.figures.picture import Picture
from attnlab.figures.positional_encoding import positions
from attnlab.figures.queries_keys_values import roles, shapes
from attnlab.figures.scaling import dimension, gradient_bands, temperature, temperatures, two_troubles, variances
from attnlab.figures.strips import named_bars, scores_and_weights
from attnlab.figures.tiles import marked_tokens, token_tiles
from attnlab.figures.transformer import transformer_blocks
from attnlab.figures.variants import head_variants
from attnlab.figures.words import word_rows
from attnlab.figures.yes_and_no import may_look, verdicts

__all__ = [
    "Picture",
    "arc_diagram",
    "arrows",
    "attention_blocks",
    "both_axes",
    "chain_and_attention",
    "columns_heatmap",
    "compare",
    "cost_against_length",
    "data_flow",
    "dimension",
    "equivariance",
    "gradient_bands",
    "head_variants",
    "heads_at_a_glance",
    "invariance",
    "marked_tokens",
    "matrices",
    "may_look",
    "mixture",
    "multi_head_blocks",
    "named_bars",
    "positions",
    "roles",
    "scores_and_weights",
    "shapes",
    "side_by_side",
    "temperature",
    "temperatures",
    "token_tiles",
    "transformer_blocks",
    "two_troubles",
    "variances",
    "verdicts",
    "weights_heatmap",
    "word_rows",
]

limit_cells_that_draw()
