# Right and wrong answers to `suspects`; authoring/README.md says how they are written.

# %% right: after_trying
trial_scores = four_tokens @ three_matrices[0] @ (four_tokens @ three_matrices[1]).T
sums = softmax_rows(trial_scores.T).T.sum(axis=1)
print(sums)
line_of_the_axis = 3 if not np.allclose(sums, 1) else 2
line_of_the_role = 4

# %% right: annotated
line_of_the_axis: int = 3  # softmax_rows(scores.T).T
line_of_the_role: int = 4  # x steht da, values wäre richtig

# %% right: computed
lines = ["project", "score", "softmax", "mix"]
line_of_the_axis = lines.index("softmax") + 1
line_of_the_role = lines.index("mix") + 1

# %% right: numbers
line_of_the_axis = 3
line_of_the_role = 4

# %% right: one_line
line_of_the_axis, line_of_the_role = 3, 4

# %% right: other_order
line_of_the_role = 4
line_of_the_axis = 3

# %% wrong: exchanged
# wrong: the two are exchanged
# says: only the hidden tests see it
line_of_the_axis = 4
line_of_the_role = 3

# %% wrong: not_answered
# wrong: one answer is still None
# says: not made yet
line_of_the_axis = 3
line_of_the_role = None

# %% wrong: projection
# wrong: blames the projection
# says: only the hidden tests see it
line_of_the_axis = 3
line_of_the_role = 1

# %% wrong: scores
# wrong: blames the scores
# says: only the hidden tests see it
line_of_the_axis = 2
line_of_the_role = 4

# %% wrong: texts
# wrong: writes texts instead of numbers
# says: not one of the choices
line_of_the_axis = "3"
line_of_the_role = "4"
