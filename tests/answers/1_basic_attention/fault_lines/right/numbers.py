line_of_the_sum = 3
line_of_the_trap = 1
