# wrong: exchanges the two
# says: only the hidden tests see it
line_of_the_sum = 1
line_of_the_trap = 3
