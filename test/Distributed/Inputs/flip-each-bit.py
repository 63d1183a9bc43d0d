#!/usr/bin/env python3
"""flip-each-bit.py INDEX NUMBER COMMAND...: runs the command for copies of INDEX in
which one bit is another: each of the first 4 bytes, and NUMBER by fixed dice. In the
command, INDEX and OBJECT are the copy and the output. A copy may be accepted only if
the output is that of INDEX itself."""

import concurrent.futures
import os
import random
import subprocess
import sys

index, number, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
with open(index, "rb") as file:
    whole = file.read()


def compile(name, contents):
    with open(name, "wb") as file:
        file.write(contents)
    words = [w.replace("INDEX", name).replace("OBJECT", name + ".o") for w in command]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    written = None
    if os.path.exists(name + ".o"):
        with open(name + ".o", "rb") as file:
            written = file.read()
        os.remove(name + ".o")
    os.remove(name)
    if (run.returncode == 0) != (written is not None) or (
        run.returncode and run.stderr.count("error:") != 1
    ):
        sys.exit(f"{name}: status {run.returncode}, output: {written is not None}\n{run.stderr}")
    return written


right = compile("whole", whole)


def flip(bit):
    damaged = bytearray(whole)
    damaged[bit // 8] ^= 1 << bit % 8
    written = compile(f"flipped-{bit}", damaged)
    if written not in (None, right):
        sys.exit(f"bit {bit}: accepted, with other code")
    return written is None


bits = list(range(32)) + random.Random(1).sample(range(32, 8 * len(whole)), number)
with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
    refused = sum(pool.map(flip, bits))
print(f"{refused} of {len(bits)} refused, no other code")
