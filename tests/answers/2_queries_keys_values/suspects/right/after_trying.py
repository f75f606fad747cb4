trial_scores = four_tokens @ three_matrices[0] @ (four_tokens @ three_matrices[1]).T
sums = softmax_rows(trial_scores.T).T.sum(axis=1)
print(sums)
line_of_the_axis = 3 if not np.allclose(sums, 1) else 2
line_of_the_role = 4
