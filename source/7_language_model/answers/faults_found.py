# Right and wrong answers to `faults_found`; authoring/README.md says how they are written.

# %% right: names
fault_of_a = "mask"
fault_of_b = "dropout"
fault_of_c = "shift"

# %% right: annotated
fault_of_a: str = "mask"       # knows the answer, and nothing alone
fault_of_b: str = 'dropout'    # two different results for the same names
fault_of_c: str = """shift"""

# %% right: other_order
fault_of_c = "shift"
fault_of_b = "dropout"
fault_of_a = "mask"

# %% right: one_line
fault_of_a, fault_of_b, fault_of_c = "mask", "dropout", "shift"

# %% right: from_a_list
faults = ["mask", "shift", "dropout", "norm", "positions"]
fault_of_a, fault_of_c, fault_of_b = faults[:3]

# %% right: from_a_dictionary
found = dict(a="mask", b="dropout", c="shift")
fault_of_a, fault_of_b, fault_of_c = (found[letter] for letter in "abc")

# %% wrong: a_and_c_exchanged
# wrong: exchanges the two whose loss is too good
# says: only the hidden tests see it
-fault_of_a = "mask"
+fault_of_a = "shift"
-fault_of_c = "shift"
+fault_of_c = "mask"

# %% wrong: b_has_a_mask
# wrong: takes the differing outputs for a mask
# says: only the hidden tests see it
-fault_of_b = "dropout"
+fault_of_b = "positions"

# %% wrong: everything_is_the_mask
# wrong: every loss that is too good is the mask
# says: only the hidden tests see it
-fault_of_c = "shift"
+fault_of_c = "mask"

# %% wrong: turned_round
# wrong: B and C exchanged
# says: only the hidden tests see it
-fault_of_b = "dropout"
-fault_of_c = "shift"
+fault_of_b = "shift"
+fault_of_c = "dropout"

# %% wrong: not_on_the_list
# wrong: a name that is not on the list
# says: not one of the choices
-fault_of_b = "dropout"
+fault_of_b = "Dropout!"
