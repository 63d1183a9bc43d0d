"""usage: check_interrupted.py LOG-PATH < PIDS
PIDS says of each child how many allocations of 4001 bytes ended. Checks that its
profile, as text, has as many, but for the one that was interrupted: begun or
ended without the child's notice."""

import re
import sys

# The interrupted allocation may be in one sum and not yet in another.
pattern = re.compile(r"alloc_count (\d+), size \(ave/min/max\) \S+ / 4001 / 4001\n")
right = 0
for line in sys.stdin:
    pid, ended = map(int, line.split())
    text = open(f"{sys.argv[1]}.{pid}").read()
    counted = sum(map(int, pattern.findall(text)))
    if ended <= counted <= ended + 1:
        right += 1
    else:
        print(f"{pid}: {ended} ended, {counted} in the profile")
print(right, "profiles right")
