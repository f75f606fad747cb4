# A class whose bases have bases have bases, each of which is asked for; and classes that are their own bases.
import sys

agent = sys.modules["nbjudge._student.agent"]


class Odd:
    pass


def described(kind, encode):
    agent._handles.append(Odd)
    return {"name": "Odd", "qualname": "Odd", "module": "__main__", "specials": [], "names": [], "plain": None, "fields": None,
            "bases": [["handle", len(agent._handles) - 1, "class", "Odd"]]}  # fmt: skip


sys.modules["nbjudge._student.descriptions"].describe_class = described
answer = Odd()
softmax = double = is_symmetric = lambda *_: Odd()
