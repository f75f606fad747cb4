# Right and wrong answers to `diagnoses`; authoring/README.md says how they are written.

# %% right: from_a_list
choices = ["too flat", "too sharp", "rows do not sum to one", "overflow"]
fault_of_a, fault_of_b = choices[0], choices[2]

# %% right: measured
in_front_of_v = softmax(clinic_q @ clinic_k.T / 64)
fault_of_a = "too flat" if in_front_of_v.max() < 0.4 else "too sharp"
row_sums = (softmax(clinic_q @ clinic_k.T) / 8).sum(axis=1)
fault_of_b = "rows do not sum to one" if not np.allclose(row_sums, 1) else "overflow"

# %% right: one_line
fault_of_a, fault_of_b = "too flat", "rows do not sum to one"

# %% right: other_order
fault_of_b = "rows do not sum to one"
fault_of_a = "too flat"

# %% right: plain
fault_of_a = "too flat"
fault_of_b = "rows do not sum to one"

# %% right: single_quotes
fault_of_a = 'too flat'   # zu gleich
fault_of_b = 'rows do not sum to one'

# %% wrong: exchanged
# wrong: the two are exchanged
# says: only the hidden tests see it
fault_of_a = "rows do not sum to one"
fault_of_b = "too flat"

# %% wrong: not_answered
# wrong: one answer is None
# says: not made yet
fault_of_a = "too flat"
fault_of_b = None

# %% wrong: overflow
# wrong: confuses the two troubles
# says: only the hidden tests see it
fault_of_a = "too flat"
fault_of_b = "overflow"

# %% wrong: own_words
# wrong: answers in other words
# says: not one of the choices
fault_of_a = "flat"
fault_of_b = "rows do not sum to one"

# %% wrong: too_sharp
# wrong: thinks that division by d sharpens (catalogue 10)
# says: only the hidden tests see it
fault_of_a = "too sharp"
fault_of_b = "rows do not sum to one"
