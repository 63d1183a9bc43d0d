"""check_phases.py FILE: checks that the exported profile of phases.cpp says of each phase what was
touched in it, and how long it took.
"""

import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
phases = profile.get("phases", [])
times = {}
for phase, us in zip(phases, profile["windowsUs"]):
    times[phase] = times.get(phase, 0) + us / 1000
failed = []


def check(holds, *what):
    if not holds:
        failed.append(" ".join(map(str, what)))


def touched(function):
    """The share of its objects that was touched in each window, by phase."""
    found = [c["objects"] for c in profile["contexts"]
             if any(function in f for call in c["calls"] for f in call.get("functions", []))]
    check(len(found) == 1, function, "has", len(found), "contexts")
    result = {}
    for objects in found:
        for i, (live, units) in enumerate(zip(objects["live"], objects["touched"])):
            # In the first windows the objects are written.
            if i + objects["firstWindow"] >= phases.index("load") and live:
                result.setdefault(phases[i + objects["firstWindow"]], []).append(units / live)
    return result


check(len(phases) == len(profile["windowsUs"]) == len(profile["burstsUs"]), phases)
check(set(phases) == {"", "load", 'serve "now"'}, phases)
# The last pieces of a phase may be too short to count.
for phase, ms in (("load", 90), ('serve "now"', 200)):
    check(ms * 0.7 <= times.get(phase, 0) <= ms, phase, "took", times)
for function, users in (("forLoad", {"load"}), ("forServe", {'serve "now"'}),
                        ("forBoth", {"", "load", 'serve "now"'})):
    for phase, shares in touched(function).items():
        for share in shares:
            check(share == (1 if phase in users else 0), function, "touched in", phase, shares)

for line in failed:
    print(line)
sys.exit(1 if failed else 0)
