# wrong: a line that is not there
# says: not one of the choices
line_of_the_scale = 9
line_of_the_mixing = 13
