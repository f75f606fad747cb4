def work(x):
    number = 0
    while True:
        open(f"file{number}", "w").close()
        number += 1
