"""Brings `llvm-profdata show --memory` output into a comparable order.

The order of records, of allocation sites in a record and of call sites is that
of hash tables and of the input; call sites may be repeated. What is left must be
equal, field by field. The reserved record of the runs is left out.
"""

import sys

RESERVED = "0xf1e873114b0ed61c"

records = {}
record = section = item = None
for line in sys.stdin.read().splitlines():
    text = line.strip()
    if text == "...":
        continue
    if text.startswith("- GUID:"):
        record = records.setdefault(text.split()[-1], {"AllocSites:": [], "CallSites:": []})
        section = None
    elif text in ("AllocSites:", "CallSites:"):
        section = text
    elif record is not None and section:
        if text.startswith(("- Callstack:", "- Frames:")):
            item = []
            record[section].append(item)
        item.append(text)

for guid in sorted(records):
    if guid == RESERVED:
        continue
    print(guid)
    allocs = sorted("\n  ".join(item) for item in records[guid]["AllocSites:"])
    calls = sorted(set("\n  ".join(item) for item in records[guid]["CallSites:"]))
    for item in allocs + calls:
        print("  " + item)
