# wrong: normalises along the rows (catalogue 1)
# says: rows to 1.00
def softmax_cols(scores):
    return softmax_rows(scores)
