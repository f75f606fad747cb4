# Right and wrong answers to `faults_of_copies`; authoring/README.md says how they are written.

# %% right: as_in_the_lesson
fault_in_a = "groups"
fault_in_b = "cache"
fault_in_c = "scale"
fault_in_d = "pairs"
fault_in_e = "norm"

# %% right: annotated
fault_in_a: str = "groups"     # wrong also with one token, and right without attention
fault_in_b: str = 'cache'      # differs from itself
fault_in_c: str = """scale"""
fault_in_d: str = "pairs"
fault_in_e: str = "norm"       # wrong without attention, too

# %% right: other_order
fault_in_e = "norm"
fault_in_d = "pairs"
fault_in_c = "scale"
fault_in_b = "cache"
fault_in_a = "groups"

# %% right: one_line
fault_in_a, fault_in_b, fault_in_c, fault_in_d, fault_in_e = "groups", "cache", "scale", "pairs", "norm"

# %% right: from_a_list
faults = ["pairs", "groups", "scale", "norm", "cache", "mask"]
fault_in_d, fault_in_a, fault_in_c, fault_in_e, fault_in_b = faults[:5]

# %% right: from_a_dictionary
found = dict(a="groups", b="cache", c="scale", d="pairs", e="norm")
fault_in_a, fault_in_b, fault_in_c, fault_in_d, fault_in_e = (found[letter] for letter in "abcde")

# %% wrong: a_and_d_exchanged
# wrong: exchanges shared heads and pairs
# says: only the hidden tests see it
-fault_in_a = "groups"
+fault_in_a = "pairs"
-fault_in_d = "pairs"
+fault_in_d = "groups"

# %% wrong: b_has_no_mask
# wrong: takes the cache that differs for a missing mask
# says: only the hidden tests see it
-fault_in_b = "cache"
+fault_in_b = "mask"

# %% wrong: c_and_d_exchanged
# wrong: exchanges sharp weights and wrong positions
# says: only the hidden tests see it
-fault_in_c = "scale"
-fault_in_d = "pairs"
+fault_in_c = "pairs"
+fault_in_d = "scale"

# %% wrong: e_has_wrong_groups
# wrong: A and E exchanged: both are wrong with one token
# says: only the hidden tests see it
-fault_in_a = "groups"
+fault_in_a = "norm"
-fault_in_e = "norm"
+fault_in_e = "groups"

# %% wrong: d_has_no_scale
# wrong: one name twice
# says: only the hidden tests see it
-fault_in_d = "pairs"
+fault_in_d = "scale"

# %% wrong: not_on_the_list
# wrong: a name that is not on the list
# says: not one of the choices
-fault_in_e = "norm"
+fault_in_e = "norms"
