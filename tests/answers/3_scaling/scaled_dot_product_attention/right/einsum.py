import math


def scaled_dot_product_attention(q, k, v):
    scores = torch.einsum("...td,...sd->...ts", q, k) / math.sqrt(q.size(-1))
    return torch.einsum("...ts,...sv->...tv", scores.softmax(-1), v)
