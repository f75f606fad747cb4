# wrong: names the two lines that stop
# says: only the hidden tests see it
line_of_the_scale = 8
line_of_the_mixing = 10
