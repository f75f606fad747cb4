line_of_the_sum: int = 3  # e.sum() adds up the whole matrix
line_of_the_trap: int = 1  # scores.max() looks at all rows
