# wrong: is the faulty code (catalogue 1, 15)
# says: neither of the two lines is repaired
def repaired_attention(x, w_query, w_key, w_value):
    return reviewed_attention(x, w_query, w_key, w_value)
