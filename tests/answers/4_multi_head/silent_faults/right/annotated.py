line_of_the_scale: int = 9   # k ** 0.5
line_of_the_mixing: int = 12   # reshape without transpose
