"""The trained models that lesson 7 offers to those who are in a hurry: `python -m authoring states` trains and writes them."""

STATES = {
    "repeat": lambda lesson: lesson["learn_repeating"]()[0]["two layers"],
    "names": lambda lesson: lesson["learn_names"]()[0]["both"],
}
