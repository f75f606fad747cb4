data = []
while True:
    data.append(bytearray(50_000_000))
