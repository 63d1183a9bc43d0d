"""Prints each call stack of a profile that normalize.py prints, as one line of its frames,
once, in order."""

import sys

stacks = set()
stack = []
for line in list(sys.stdin) + [""]:
    if "Function:" in line:
        stack.append(line.strip(" -\n"))
    elif stack:
        stacks.add(" ".join(stack))
        stack = []
print(*sorted(stacks), sep="\n")
