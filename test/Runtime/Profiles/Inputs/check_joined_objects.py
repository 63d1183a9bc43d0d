"""check_joined_objects.py FILE: checks the exported profile of windows-see-more-in-long-runs.cpp."""

import json
import sys

COUNTS = {"used": 3001, "idle": 2999}

with open(sys.argv[1]) as file:
    profile = json.load(file)
failed = []
for function, count in COUNTS.items():
    for context in profile["contexts"]:
        if any(function in f for call in context["calls"] for f in call.get("functions", [])):
            touches = context["objects"]
    windows = list(zip(touches["live"], touches["touched"]))
    if windows[-2][0] != count:
        failed.append(f"{function}: {windows[-2][0]} of {count} live in the end")
    late = windows[len(windows) // 2:-1]
    if any(touched != (live if function == "used" else 0) for live, touched in late):
        failed.append(f"{function}: {late} live and touched")
print("\n".join(failed) or "ok")
sys.exit(bool(failed))
