# wrong: elementwise product (catalogue 21)
# says: number by number
def attention_scores(x):
    return x * x
