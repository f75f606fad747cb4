import gc


def work(x):
    for thing in gc.get_objects():
        if type(thing).__module__.startswith(("socket", "zmq.")) and hasattr(thing, "close"):
            thing.close()
