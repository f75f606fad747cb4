print(torch.arange(12).reshape(1, 2, 3, 2).reshape(1, 3, 4))
line_of_the_scale = 9
line_of_the_mixing = 12
