# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def parameter_count(k, heads, variant):
    if variant not in ('narrow', 'wide'):
        raise ValueError("narrow or wide")
    print(4 * k * k + k)
