"""`double(number)`: values."""

from attnlab.diagnosis.exercise import Exercise, Input

EXERCISE = Exercise(
    title="twice a number",
    inputs=[Input("the number of the card", [4]), Input("a negative number", [-3])],
)
