line_of_the_role = 4
line_of_the_axis = 3
