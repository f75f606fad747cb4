"""`most_likely_word(text, layers=30)`: what the real model would say next, read out after so many layers."""

from __future__ import annotations

from attnlab.diagnosis.exercise import Exercise, Input

EXERCISE = Exercise(
    title="the next word",
    is_yes_or_no=True,
    inputs=[
        Input("the capital of France", ["The capital of France is"]),
        Input("the capital of Japan", ["The capital of Japan is"]),
        Input("the opposite of hot", ["The opposite of hot is"]),
        Input("France, after 20 layers", ["The capital of France is", 20]),
        Input("France, before the first layer", ["The capital of France is", 0]),
        Input("a name", ["When Mary and John went to the store, John gave a drink to", 30]),
    ],
)
