# wrong: scales the scores (catalogue 14)
# says: the scores were scaled
def basic_self_attention(x):
    return torch.nn.functional.scaled_dot_product_attention(x, x, x)
