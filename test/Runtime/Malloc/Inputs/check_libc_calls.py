#!/usr/bin/env python3
"""usage: check_libc_calls.py NM PAGE FILE...
Compares what archives and shared libraries refer to and do not define with the first
table of PAGE: function, when it is called, which locks it takes."""

import re
import subprocess
import sys

nm, page, *files = sys.argv[1:]

# When nothing may be locked.
ANY_TIME = re.compile(r"\b(allocation|profile|child|handler)\b")
WITHOUT_LOCKS = re.compile(r"^none\b|: renewed by `fork`")

said = {}
table = next(part for part in open(page).read().split("\n\n") if part.startswith("|"))
for line in table.splitlines()[2:]:
    functions, when, locks = [cell.strip() for cell in line.strip("|").split(" | ")]
    for name in re.findall(r"`([^`]+)`", functions):
        said[name] = (when, locks)

referred = set()
for file in files:
    defined, undefined = set(), set()
    dynamic = ["-D"] if file.endswith(".so") else []
    for line in subprocess.run([nm, *dynamic, file], check=True, text=True,
                               stdout=subprocess.PIPE).stdout.splitlines():
        match = re.match(r"[0-9a-f]* *([A-Za-z]) (\S+)$", line)
        if match:
            name = match[2].split("@")[0]
            (undefined if match[1] in "Uwv" and line.startswith(" ") else defined).add(name)
    referred |= undefined - defined

wrong = [f"{name}: not in the table" for name in referred - said.keys()]
wrong += [f"{name}: in the table, but not referred to" for name in said.keys() - referred]
wrong += [f"{name}: called from {when}, takes {locks}" for name, (when, locks) in said.items()
          if ANY_TIME.search(when) and not WITHOUT_LOCKS.search(locks)]
print("\n".join(sorted(wrong)) or f"{len(files)} files, as the table says")
sys.exit(bool(wrong))
