# wrong: reads the notebook's tokens instead of the argument (catalogue 42)
# says: your code raised NameError
def attention_scores(x):
    return tokens @ tokens.T
