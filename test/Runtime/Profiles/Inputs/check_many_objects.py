"""check_many_objects.py FILE: checks that the exported profile of windows-of-many-objects.cpp is
near what the program does, although each scan visits a part of the objects."""

import json
import sys

COUNT, PAGES = 200_000, 32 * 1024

with open(sys.argv[1]) as file:
    profile = json.load(file)
failed = []


def near(function, units, count, part):
    for context in profile["contexts"]:
        if any(function in f for call in context["calls"] for f in call.get("functions", [])):
            touches = context[units]
    windows = list(zip(touches["live"], touches["touched"], touches["touchedInBurst"],
                       profile["burstsUs"][touches["firstWindow"]:]))
    # In the first two it may still have been allocating.
    late = [w for w in windows[:-1] if w[0] >= count * 0.9][2:]
    bursts = [w for w in late if w[3] and w[3] < 20_000]
    if len(late) < 5 or len(bursts) < len(late) / 2:
        failed.append("%s: %d windows and %d bursts of %d" % (function, len(late), len(bursts), len(windows)))
    for live, touched, in_burst, burst_us in late:
        if abs(live - count) > count * 0.05:
            failed.append("%s: %d live" % (function, live))
        if abs(touched / live - part) > part * 0.15:
            failed.append("%s: %d of %d touched" % (function, touched, live))
        if in_burst > touched:
            failed.append("%s: %d of %d in burst" % (function, in_burst, touched))
    if part and all(touched == count * part for _, touched, _, _ in late):
        failed.append("%s: each was visited" % function)


near("used", "objects", COUNT, 1 / 8)
near("idle", "objects", COUNT, 0)
near("large", "pages", PAGES, 1 / 4)
print("\n".join(failed) or "ok")
sys.exit(bool(failed))
