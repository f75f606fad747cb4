# wrong: exchanges the two
# says: only the hidden tests see it
line_of_the_scale = 12
line_of_the_mixing = 9
