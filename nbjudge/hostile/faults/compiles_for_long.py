def work(x):
    while True:
        compile("[" + "[1, {2: 3}], " * 300_000 + "]", "<long>", "eval")
