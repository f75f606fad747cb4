line_of_the_sum, line_of_the_trap = 3, 1
