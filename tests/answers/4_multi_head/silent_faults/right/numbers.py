line_of_the_scale = 9
line_of_the_mixing = 12
