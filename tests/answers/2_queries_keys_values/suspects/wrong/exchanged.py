# wrong: the two are exchanged
# says: only the hidden tests see it
line_of_the_axis = 4
line_of_the_role = 3
