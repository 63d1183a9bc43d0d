#!/usr/bin/env python3
"""flip-bits.py INDEX NUMBER COMMAND...: runs the command for NUMBER damaged copies of
INDEX, as damaged.bc. It must exit 0 and leave damaged.o, or exit 1, say why and leave
none."""

import os
import random
import subprocess
import sys

whole = open(sys.argv[1], "rb").read()
errors = objects = 0
for seed in range(int(sys.argv[2])):
    dice = random.Random(seed)
    damaged = bytearray(whole)
    for _ in range(dice.randint(1, 3)):
        damaged[dice.randrange(len(damaged))] ^= 1 << dice.randrange(8)
    with open("damaged.bc", "wb") as f:
        f.write(damaged)
    if os.path.exists("damaged.o"):
        os.remove("damaged.o")
    run = subprocess.run(sys.argv[3:], capture_output=True, text=True, check=False)
    written = os.path.exists("damaged.o")
    if run.returncode == 0 and written:
        objects += 1
    elif run.returncode == 1 and not written and "error:" in run.stderr:
        errors += 1
    else:
        sys.exit("seed %d: status %d, output: %s\n%s" % (seed, run.returncode, written, run.stderr))
print("%d errors, %d objects" % (errors, objects))
