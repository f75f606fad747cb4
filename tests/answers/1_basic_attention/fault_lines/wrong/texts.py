# wrong: gives the numbers as texts
# says: not one of the choices
line_of_the_sum = "3"
line_of_the_trap = "1"
