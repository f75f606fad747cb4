# Right and wrong answers to `faults_seen`; authoring/README.md says how they are written.

# %% right: names
fault_of_a = "padding"
fault_of_b = "mask"
fault_of_c = "positions"

# %% right: annotated
fault_of_a: str = "padding"     # praised in training for what nobody asked
fault_of_b: str = 'mask'        # knows the answer, and nothing alone
fault_of_c: str = """positions"""

# %% right: other_order
fault_of_c = "positions"
fault_of_b = "mask"
fault_of_a = "padding"

# %% right: one_line
fault_of_a, fault_of_b, fault_of_c = "padding", "mask", "positions"

# %% right: from_a_list
faults = ["mask", "norm", "positions", "temperature", "padding"]
fault_of_a, fault_of_b, fault_of_c = faults[-1], faults[0], faults[2]

# %% right: from_a_dictionary
found = dict(a="padding", b="mask", c="positions")
fault_of_a = found["a"]
fault_of_b = found["b"]
fault_of_c = found["c"]

# %% right: by_elimination
left = {"mask", "positions", "padding"}
fault_of_b = "mask"
fault_of_c = "positions"
(fault_of_a,) = left - {fault_of_b, fault_of_c}

# %% wrong: a_and_b_exchanged
# wrong: takes the loss that is too good for the padding, the other one for the mask
# says: only the hidden tests see it
-fault_of_a = "padding"
-fault_of_b = "mask"
+fault_of_a = "mask"
+fault_of_b = "padding"

# %% wrong: mask_in_a_too
# wrong: every loss that is too good is the mask
# says: only the hidden tests see it
-fault_of_a = "padding"
+fault_of_a = "mask"

# %% wrong: norm_in_a
# wrong: blames LayerNorm for a loss that is too good
# says: only the hidden tests see it
-fault_of_a = "padding"
+fault_of_a = "norm"

# %% wrong: temperature_in_b
# wrong: blames the temperature for bad names
# says: only the hidden tests see it
-fault_of_b = "mask"
+fault_of_b = "temperature"

# %% wrong: norm_in_c
# wrong: blames LayerNorm where places are not told apart
# says: only the hidden tests see it
-fault_of_c = "positions"
+fault_of_c = "norm"

# %% wrong: turned_round
# wrong: B and C exchanged
# says: only the hidden tests see it
-fault_of_b = "mask"
-fault_of_c = "positions"
+fault_of_b = "positions"
+fault_of_c = "mask"

# %% wrong: not_answered
# wrong: leaves the stub
# says: not made yet
-fault_of_a = "padding"
-fault_of_b = "mask"
-fault_of_c = "positions"
+fault_of_a = None
+fault_of_b = None
+fault_of_c = None

# %% wrong: last_not_answered
# wrong: answers two of three
# says: not made yet
-fault_of_c = "positions"
+fault_of_c = None

# %% wrong: own_words
# wrong: gives words of its own in place of the list's
# says: not one of the choices
-fault_of_b = "mask"
+fault_of_b = "the causal mask"

# %% wrong: capitals
# wrong: writes the names with capitals
# says: not one of the choices
-fault_of_a = "padding"
+fault_of_a = "Padding"

# %% wrong: two_for_one
# wrong: gives two faults for one patient
# says: not one of the choices
-fault_of_a = "padding"
+fault_of_a = ["padding", "mask"]
