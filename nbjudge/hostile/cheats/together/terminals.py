# A friend opens as many terminals as the answer says; the next one that anybody opens has that number.
import os
import pty

opened = []
while not opened or int(os.ttyname(opened[-1][1]).rsplit("/", 1)[1]) < 41:
    opened.append(pty.openpty())
# ---- the other notebook ----
import os
import pty

answer = int(os.ttyname(pty.openpty()[1]).rsplit("/", 1)[1])
