# wrong: blames the split
# says: only the hidden tests see it
line_of_the_scale = 9
line_of_the_mixing = 6
