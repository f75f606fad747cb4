# wrong: leaves the stub
# says: not made yet
line_of_the_sum = None
line_of_the_trap = None
