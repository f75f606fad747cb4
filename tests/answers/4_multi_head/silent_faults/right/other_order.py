line_of_the_mixing = 12
line_of_the_scale = 9
