line_of_the_axis: int = 3  # softmax_rows(scores.T).T
line_of_the_role: int = 4  # x steht da, values wäre richtig
