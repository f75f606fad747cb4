# Right and wrong answers to `faults_seen`; authoring/README.md says how they are written.

# %% right: names
fault_of_a = "loss"
fault_of_b = "keys"
fault_of_c = "positions"

# %% right: annotated
fault_of_a: str = "loss"        # answers 0 wherever nobody asks
fault_of_b: str = 'keys'        # the width of the batch decides
fault_of_c: str = """positions"""

# %% right: other_order
fault_of_c = "positions"
fault_of_b = "keys"
fault_of_a = "loss"

# %% right: one_line
fault_of_a, fault_of_b, fault_of_c = "loss", "keys", "positions"

# %% right: from_a_list
faults = ["positions", "keys", "loss", "norm", "stream"]
fault_of_c, fault_of_b, fault_of_a = faults[:3]

# %% right: from_a_dictionary
found = dict(a="loss", b="keys", c="positions")
fault_of_a, fault_of_b, fault_of_c = (found[letter] for letter in "abc")

# %% right: by_elimination
left = {"loss", "keys", "positions"}
fault_of_b = "keys"
fault_of_c = "positions"
(fault_of_a,) = left - {fault_of_b, fault_of_c}

# %% wrong: a_and_b_exchanged
# wrong: takes the loss over padding for queries that look at it
# says: only the hidden tests see it
-fault_of_a = "loss"
-fault_of_b = "keys"
+fault_of_a = "keys"
+fault_of_b = "loss"

# %% wrong: c_is_the_stream
# wrong: takes missing positions for a missing stream
# says: only the hidden tests see it
-fault_of_c = "positions"
+fault_of_c = "stream"

# %% wrong: not_on_the_list
# wrong: a name that is not on the list
# says: not one of the choices
-fault_of_a = "loss"
+fault_of_a = "padding"

# %% wrong: turned_round
# wrong: B and C exchanged
# says: only the hidden tests see it
-fault_of_b = "keys"
-fault_of_c = "positions"
+fault_of_b = "positions"
+fault_of_c = "keys"
