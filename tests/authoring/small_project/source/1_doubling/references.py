"""Inputs of the visible checks of the small lesson."""

from authoring.references import Case, Exercise

EXERCISES = {
    "double": Exercise(
        "twice a number",
        [Case("the number of the card", [4]),
         Case("a negative number", [-3])]),
}
