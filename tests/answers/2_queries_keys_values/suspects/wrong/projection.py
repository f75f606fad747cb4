# wrong: blames the projection
# says: only the hidden tests see it
line_of_the_axis = 3
line_of_the_role = 1
