# wrong: prints instead of returning (catalogue 43)
# says: your function returns None
def smallest_overflow(float_type):
    print(np.floor(np.log(np.finfo(float_type).max)) + 1)
