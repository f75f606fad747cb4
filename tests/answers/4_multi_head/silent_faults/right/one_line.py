line_of_the_scale, line_of_the_mixing = 9, 12
