"""damage-raw.py GOOD FOLDER: makes 60 damaged copies of a raw profile, named from 10 on."""
import os, random, sys
good = open(sys.argv[1], "rb").read()
os.mkdir(sys.argv[2])
rng = random.Random(1)
for i in range(60):
    if i == 0:
        data = b""
    elif i % 2:
        data = good[:rng.randrange(40, len(good))]
    else:
        # Not the magic, or it would be another kind of file; nor the padding at the end.
        at = rng.randrange(8, len(good) - 96)
        data = good[:at] + bytes(byte ^ 0xff for byte in good[at:at + 32]) + good[at + 32:]
    open(f"{sys.argv[2]}/{10 + i}", "wb").write(data)
