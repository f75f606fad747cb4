import ctypes


def work(x):
    ctypes.string_at(0)
