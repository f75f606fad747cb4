import os

work = 7
if os.fork() == 0:
    raise SystemExit
