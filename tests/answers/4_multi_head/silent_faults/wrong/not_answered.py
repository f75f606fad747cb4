# wrong: leaves the stub
# says: not made yet
line_of_the_scale = None
line_of_the_mixing = None
