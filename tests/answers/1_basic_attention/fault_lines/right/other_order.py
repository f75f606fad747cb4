line_of_the_trap = 1
line_of_the_sum = 3
