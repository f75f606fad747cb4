# wrong: blames the scores
# says: only the hidden tests see it
line_of_the_axis = 2
line_of_the_role = 4
