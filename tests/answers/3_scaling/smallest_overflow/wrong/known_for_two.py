# wrong: knows two types by heart
# says: raised KeyError
def smallest_overflow(float_type):
    return {"float32": 89, "float64": 710}[float_type]
