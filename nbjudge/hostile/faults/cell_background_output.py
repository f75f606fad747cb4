import subprocess

subprocess.Popen(["yes"])
work = 7
