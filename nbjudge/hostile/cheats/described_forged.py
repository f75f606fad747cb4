# Descriptions of functions and classes that no function or class has.
import sys

describe = sys.modules["nbjudge._student.descriptions"]
describe.describe_class = lambda kind, encode: {
    "name": "bool", "qualname": "bool", "module": "builtins", "bases": [["handle", 1, "class", "x"]] * 50, "names": ["__eq__"] * 10**5,
    "specials": ["__array__", "__eq__", "__init_subclass__", "__del__"], "plain": "int", "fields": None}  # fmt: skip
describe.describe_function = lambda function, encode: {
    "name": "f", "qualname": "f", "doc": "", "module": "m", "source": "(" * 10**6, "parameters": [[f"a{k}", 1, [], []] for k in range(10**6)], "code": {}}
describe.plain = lambda value: True


class Odd:
    def __eq__(self, other):
        return True


answer = Odd()
softmax = double = is_symmetric = lambda *_: Odd()
