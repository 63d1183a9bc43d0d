"""Makes an indexed heap profile from the PROFILE lines of a test.

Usage: profile.py LLVM-PROFDATA TEST OUTPUT [llvm-profdata options]

A line describes one context, from the allocation to the root:

    PROFILE: cold 2000: _Z4leafj+0:33 i< _Z6middlej+1:10 < main+2:13

2000 bytes in all; frames are FUNCTION+LINEOFFSET:COLUMN, and a frame before
"i<" was inlined into the next when it was profiled. Cold ones live as long as
the run of 1000 s and are not accessed; "short" ones are not accessed either, but
live for 100 s, which is not cold by the default thresholds. As in LLVM's reader of raw profiles, a
context is in the record of each function that was inlined around the
allocation, and its other calls are in the records of their functions.
"""

import re
import subprocess
import sys


def frame(text, inlined):
    function, line, column = re.fullmatch(r"(.+)\+(\d+):(\d+)", text).groups()
    return function, "{ Function: '%s', LineOffset: %s, Column: %s, IsInlineFrame: %s }" % (
        function,
        line,
        column,
        "true" if inlined else "false",
    )


def measures(kind, size):
    lifetime, accesses = {
        "cold": (1000000, 0),
        "short": (100000, 0),
        "notcold": (1, 100 * size),
    }[kind]
    values = {
        "AllocCount": 1,
        "TotalSize": size,
        "MinSize": size,
        "MaxSize": size,
        "TotalLifetime": lifetime,
        "MinLifetime": lifetime,
        "MaxLifetime": lifetime,
        "DeallocTimestamp": 1000000,
        "AllocTimestamp": 1000000 - lifetime,
        "TotalAccessCount": accesses,
        "TotalAccessDensity": 100 * accesses // size,
        "TotalLifetimeAccessDensity": 100 * 1000 * accesses // size // lifetime,
    }
    return "{ %s }" % ", ".join("%s: %d" % item for item in values.items())


def main():
    profdata, test, output = sys.argv[1:4]
    sites, calls = {}, {}
    with open(test) as file:
        lines = re.findall(r"PROFILE: *(\w+) +(\d+): *(.*)", file.read())
    for kind, size, stack in lines:
        parts = re.split(r" *(i?<) *", stack.strip())
        frames = [
            frame(text, parts[2 * i + 1 : 2 * i + 2] == ["i<"])
            for i, text in enumerate(parts[::2])
        ]
        # Split into machine calls: frames up to one that was not inlined.
        groups = [[]]
        for i, entry in enumerate(frames):
            groups[-1].append(entry)
            if parts[2 * i + 1 : 2 * i + 2] == ["<"]:
                groups.append([])
        for function, _ in groups[0]:
            sites.setdefault(function, []).append((frames, measures(kind, int(size))))
        for group in groups[1:]:
            for function, _ in group:
                if group not in calls.setdefault(function, []):
                    calls[function].append(group)
    text = ["---", "HeapProfileRecords:"]
    for function in sorted(set(sites) | set(calls)):
        text.append("  - GUID: '%s'" % function)
        text.append("    AllocSites:" + ("" if function in sites else " []"))
        for frames, block in sites.get(function, []):
            text.append("      - Callstack:")
            text += ["          - " + entry for _, entry in frames]
            text.append("        MemInfoBlock: " + block)
        text.append("    CallSites:" + ("" if function in calls else " []"))
        for group in calls.get(function, []):
            text.append("      - Frames:")
            text += ["          - " + entry for _, entry in group]
    with open(output + ".yaml", "w") as file:
        file.write("\n".join(text) + "\n")
    options = sys.argv[4:] or ["--memprof-full-schema"]
    return subprocess.call([profdata, "merge", output + ".yaml", "-o", output] + options)


sys.exit(main())
