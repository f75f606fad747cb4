# wrong: blames the softmax for the scale
# says: only the hidden tests see it
line_of_the_scale = 10
line_of_the_mixing = 12
