# wrong: blames the exponential for the trap
# says: only the hidden tests see it
line_of_the_sum = 3
line_of_the_trap = 2
