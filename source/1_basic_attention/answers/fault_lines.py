# Right and wrong answers to `fault_lines`; authoring/README.md says how they are written.

# %% right: after_trying
trial = np.array([[1.0, 2, 3], [900, 901, 902]])
print(np.exp(trial - trial.max()))
line_of_the_sum = 3
line_of_the_trap = 1

# %% right: annotated
line_of_the_sum: int = 3  # e.sum() adds up the whole matrix
line_of_the_trap: int = 1  # scores.max() looks at all rows

# %% right: computed
lines = ["highest = scores.max()", "e = np.exp(scores - highest)", "total = e.sum()", "return e / total"]
line_of_the_sum = lines.index("total = e.sum()") + 1
line_of_the_trap = lines.index("highest = scores.max()") + 1

# %% right: numbers
line_of_the_sum = 3
line_of_the_trap = 1

# %% right: one_line
line_of_the_sum, line_of_the_trap = 3, 1

# %% right: other_order
line_of_the_trap = 1
line_of_the_sum = 3

# %% wrong: division
# wrong: blames the division
# says: only the hidden tests see it
line_of_the_sum = 4
line_of_the_trap = 1

# %% wrong: exchanged
# wrong: exchanges the two
# says: only the hidden tests see it
line_of_the_sum = 1
line_of_the_trap = 3

# %% wrong: exponential
# wrong: blames the exponential for the trap
# says: only the hidden tests see it
line_of_the_sum = 3
line_of_the_trap = 2

# %% wrong: not_answered
# wrong: leaves the stub
# says: not made yet
line_of_the_sum = None
line_of_the_trap = None

# %% wrong: texts
# wrong: gives the numbers as texts
# says: not one of the choices
line_of_the_sum = "3"
line_of_the_trap = "1"
