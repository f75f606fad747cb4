import sys


def work(x):
    sys.modules.clear()
    sys.path.clear()
    return json.dumps(x)
