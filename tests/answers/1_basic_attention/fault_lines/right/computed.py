lines = ["highest = scores.max()", "e = np.exp(scores - highest)", "total = e.sum()", "return e / total"]
line_of_the_sum = lines.index("total = e.sum()") + 1
line_of_the_trap = lines.index("highest = scores.max()") + 1
