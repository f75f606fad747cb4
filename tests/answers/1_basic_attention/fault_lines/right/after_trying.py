trial = np.array([[1.0, 2, 3], [900, 901, 902]])
print(np.exp(trial - trial.max()))
line_of_the_sum = 3
line_of_the_trap = 1
