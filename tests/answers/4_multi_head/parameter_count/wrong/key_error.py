# wrong: KeyError for an unknown variant
# says: raised KeyError
def parameter_count(k, heads, variant):
    return 4 * {'narrow': k, 'wide': heads * k}[variant] * k + k
