line_of_the_axis, line_of_the_role = 3, 4
