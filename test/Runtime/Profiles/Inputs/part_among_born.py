"""part_among_born.py FILE FUNCTION: prints which part of the objects that FUNCTION makes lie on
pages with others that were born in the same window, in the mean over windows, of an exported
profile."""

import json
import sys

with open(sys.argv[1]) as file:
    profile = json.load(file)
among = live = 0
for context in profile["contexts"]:
    if any(sys.argv[2] in f for call in context["calls"] for f in call.get("functions", [])):
        objects = context["objects"]
        # In the first window all are born.
        among += sum(objects["amongBorn"][1:])
        live += sum(objects["live"][1:])
print(f"among what was born: {100 * among // live} %")
