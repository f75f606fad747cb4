"""The trained models that lesson 6 offers to those who are in a hurry: `python -m authoring states` trains and writes them."""

STATES = {
    "reverse": lambda lesson: lesson["learn_reversing"]()[0]["both"],
    "repeat": lambda lesson: lesson["learn_repeating"]()[0]["two layers"],
    "names": lambda lesson: lesson["learn_names"]()[0]["both"],
}
