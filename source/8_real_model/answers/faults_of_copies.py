# Right and wrong answers to `faults_of_copies`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
fault_of_a = "groups"
fault_of_b = "cache"
fault_of_c = "scale"
fault_of_d = "pairs"
fault_of_e = "norm"

# %% right: annotated
fault_of_a: str = "groups"     # wrong also with one token, and right without attention
fault_of_b: str = 'cache'      # differs from itself
fault_of_c: str = """scale"""
fault_of_d: str = "pairs"
fault_of_e: str = "norm"       # wrong without attention, too

# %% right: other_order
fault_of_e = "norm"
fault_of_d = "pairs"
fault_of_c = "scale"
fault_of_b = "cache"
fault_of_a = "groups"

# %% right: one_line
fault_of_a, fault_of_b, fault_of_c, fault_of_d, fault_of_e = "groups", "cache", "scale", "pairs", "norm"

# %% right: from_a_list
faults = ["pairs", "groups", "scale", "norm", "cache", "mask"]
fault_of_d, fault_of_a, fault_of_c, fault_of_e, fault_of_b = faults[:5]

# %% right: from_a_dictionary
found = dict(a="groups", b="cache", c="scale", d="pairs", e="norm")
fault_of_a, fault_of_b, fault_of_c, fault_of_d, fault_of_e = (found[letter] for letter in "abcde")

# %% wrong: a_and_d_exchanged
# wrong: exchanges shared heads and pairs
# says: only the hidden tests see it
-fault_of_a = "groups"
+fault_of_a = "pairs"
-fault_of_d = "pairs"
+fault_of_d = "groups"

# %% wrong: b_has_no_mask
# wrong: takes the cache that differs for a missing mask
# says: only the hidden tests see it
-fault_of_b = "cache"
+fault_of_b = "mask"

# %% wrong: c_and_d_exchanged
# wrong: exchanges sharp weights and wrong positions
# says: only the hidden tests see it
-fault_of_c = "scale"
-fault_of_d = "pairs"
+fault_of_c = "pairs"
+fault_of_d = "scale"

# %% wrong: e_has_wrong_groups
# wrong: A and E exchanged: both are wrong with one token
# says: only the hidden tests see it
-fault_of_a = "groups"
+fault_of_a = "norm"
-fault_of_e = "norm"
+fault_of_e = "groups"

# %% wrong: d_has_no_scale
# wrong: one name twice
# says: only the hidden tests see it
-fault_of_d = "pairs"
+fault_of_d = "scale"

# %% wrong: not_on_the_list
# wrong: a name that is not on the list
# says: not one of the choices
-fault_of_e = "norm"
+fault_of_e = "norms"
