"""check_windows.py FILE KIND: checks that the exported profile of touch-windows.cpp says when
memory was touched. KIND is "whole" of a run from its beginning, "threads" of one of two
threads, "sampled" of one in ten, and "idle" of what began after all was allocated.
"""

import json
import sys

COUNT, LARGE_PAGES = 800, 64

with open(sys.argv[1]) as file:
    profile = json.load(file)
kind = sys.argv[2]
sampled = kind == "sampled"
windows = len(profile["windowsUs"])
failed = []


def check(holds, *what):
    if not holds:
        failed.append(" ".join(map(str, what)))


def touches(function, units):
    found = [c for c in profile["contexts"]
             if any(function in f for call in c["calls"] for f in call.get("functions", []))]
    check(len(found) == 1, function, "has", len(found), "contexts")
    return found[0].get(units) if found else None


def shares(function, units="objects", column="touched"):
    """What was touched in each window or burst but the first two, in which the program may still
    have been allocating, and the last, which may be short. With how long that took, in ms."""
    t = touches(function, units)
    if t is None:
        failed.append("%s has no %s" % (function, units))
        return []
    check(t["firstWindow"] + len(t["live"]) == windows, function, "does not live to the end", t)
    check(len(t["live"]) == len(t["touched"]) == len(t["liveBytes"]) == len(t["touchedInBurst"]), t)
    check(0 < t["touchedGranules"] <= t["granules"] or kind == "idle", t)
    skipped = 1 if kind == "idle" else 2
    lengths = profile["windowsUs" if column == "touched" else "burstsUs"][t["firstWindow"]:]
    found = [(touched / live, us / 1000) for live, touched, us in zip(t["live"], t[column], lengths)]
    return [(share, ms) for share, ms in found[skipped:-1] if ms]


def near(function, expected, tolerance=0.0, units="objects"):
    for column in ("touched", "touchedInBurst"):
        values = [value for value, _ in shares(function, units, column)]
        check(len(values) >= 3 and all(abs(value - expected) <= tolerance for value in values),
              function, values, "instead of", expected, column, "of", windows)


def near_turns(function, tolerance, slack):
    """Each 16 ms all is touched once, in turns. Between two threads, one takes its turn up to SLACK
    ms early or late."""
    for column in ("touched", "touchedInBurst"):
        values = shares(function, "objects", column)
        bounds = [(min(1, (ms - slack) / 16), min(1, (ms + slack) / 16)) for _, ms in values]
        check(all(least - tolerance <= value <= most + tolerance
                  for (value, _), (least, most) in zip(values, bounds)),
              function, values, "instead of", bounds, column)


check(6 <= windows <= 32, windows, "windows")
check(all(length > 0 for length in profile["windowsUs"]), profile["windowsUs"])
check(len(profile["burstsUs"]) == windows, profile["burstsUs"])
bursts = [us for us in profile["burstsUs"] if us]
check(len(bursts) >= windows / 2, profile["burstsUs"])
check(all(2500 <= us for us in bursts), profile["burstsUs"])
check(all(burst <= length for burst, length in zip(profile["burstsUs"], profile["windowsUs"])), profile)
check(min(bursts) < max(profile["windowsUs"]) / 2, "bursts are as long as windows")
near("hot", 1.0)
near("idle", 0.0)
near("eighth", 1 / 8, 0.06 if sampled else 0.0)
near_turns("inTurns", 0.08 if sampled else 0.0, 2 if kind == "threads" else 0)
near("large", 1 / LARGE_PAGES, units="pages")

if not sampled:
    for function in ("hot", "idle", "eighth", "inTurns"):
        t = touches(function, "objects")
        check(t["live"][-1] == COUNT, function, t["live"])
        check(t["liveBytes"][-1] == 16 * COUNT, function, t["liveBytes"])
    pages = touches("large", "pages")
    check(pages["live"][-1] == LARGE_PAGES and pages["liveBytes"][-1] == LARGE_PAGES * 4096, pages)
if kind in ("whole", "threads"):
    idle = touches("idle", "objects")
    check(idle["touched"][0] == idle["live"][0], "idle was not touched at first:", idle)
# At the end of a window there is at most the one of each thread. Sampled, one counts for up to 10,
# and twice as many after each 4,096 blocks of them.
passing = [c for c in profile["contexts"]
           if any("passing" in f for call in c["calls"] for f in call.get("functions", []))]
check(len(passing) >= 1, "passing is missing")
for context in passing:
    most = 11 + context["measures"]["AllocCount"] / 4000 if sampled else 2
    check(max(context.get("objects", {"live": [0]})["live"]) <= most, context)

for line in failed:
    print(line)
sys.exit(1 if failed else 0)
