# Right and wrong answers to `induction`; authoring/README.md says how they are written.

# %% right: numbers
layer_of_previous = 1
layer_of_induction = 2

# %% right: annotated
layer_of_previous: int = 1   # the line just below the diagonal
layer_of_induction: int = 2   # the line five below it

# %% right: other_order
layer_of_induction = 2
layer_of_previous = 1

# %% right: one_line
layer_of_previous, layer_of_induction = 1, 2

# %% right: computed
period, looks_back = 6, {1: 1, 2: 6 - 1}
layer_of_previous = next(layer for layer, back in looks_back.items() if back == 1)
layer_of_induction = next(layer for layer, back in looks_back.items() if back == period - 1)

# %% right: one_after_the_other
layer_of_previous = 1
layer_of_induction = layer_of_previous + 1

# %% right: from_the_place_in_a_list
steps = ["one place back", "what followed me"]
layer_of_previous = steps.index("one place back") + 1
layer_of_induction = len(steps)

# %% wrong: exchanged
# wrong: exchanges the two layers
# says: only the hidden tests see it
-layer_of_previous = 1
-layer_of_induction = 2
+layer_of_previous = 2
+layer_of_induction = 1

# %% wrong: both_in_the_first
# wrong: sees both steps in layer 1
# says: only the hidden tests see it
-layer_of_induction = 2
+layer_of_induction = 1

# %% wrong: both_in_the_second
# wrong: sees both steps in layer 2
# says: only the hidden tests see it
-layer_of_previous = 1
+layer_of_previous = 2

# %% wrong: counted_from_zero
# wrong: counts the layers from 0, as `blocks.0` does
# says: not one of the choices
-layer_of_previous = 1
-layer_of_induction = 2
+layer_of_previous = 0
+layer_of_induction = 1

# %% wrong: places_back
# wrong: gives how many places back each looks
# says: not one of the choices
-layer_of_induction = 2
+layer_of_induction = 5

# %% wrong: titles
# wrong: gives the titles of the maps
# says: not one of the choices
-layer_of_previous = 1
-layer_of_induction = 2
+layer_of_previous = "layer 1"
+layer_of_induction = "layer 2"

# %% wrong: not_answered
# wrong: leaves the stub
# says: not made yet
-layer_of_previous = 1
-layer_of_induction = 2
+layer_of_previous = None
+layer_of_induction = None

# %% wrong: second_not_answered
# wrong: answers the first question only
# says: not made yet
-layer_of_induction = 2
+layer_of_induction = None
