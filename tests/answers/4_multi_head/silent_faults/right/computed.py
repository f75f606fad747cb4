line_of_the_scale = 4 + 5
line_of_the_mixing = line_of_the_scale + 3
