# wrong: blames the division
# says: only the hidden tests see it
line_of_the_sum = 4
line_of_the_trap = 1
