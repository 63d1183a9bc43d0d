"""check_bins.py FILE: checks the exported profile of two runs of windows.cpp."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../scripts"))
import exported

COUNT, RUNS, BINS = 2000, 2, 32

profile = exported.load(sys.argv[1])
(phase,) = profile["phases"]
assert phase["name"] == "" and phase["runs"] == RUNS, phase
assert phase["windows"] >= RUNS * 4 and phase["windowUs"] > 600_000, phase


def objects(function):
    (context,) = [
        c for c in profile["contexts"]
        if any(f.get("name", "").startswith(f"_Z{len(function)}{function}P") for f in c["frames"])
    ]
    return context["objects"]


hot, idle = objects("hot"), objects("idle")
for touches in hot, idle:
    assert touches["firstBin"] == 0 and len(touches["live"]) == BINS, touches
    # On a busy machine the first windows may end before all is allocated.
    assert all(live == COUNT * RUNS for live in touches["live"][BINS // 4:]), touches
    assert all(size == 16 * live for size, live in zip(touches["liveBytes"], touches["live"])), touches
    assert touches["granules"] >= touches["touchedGranules"] > 0, touches
assert sum(touched == live for touched, live in zip(hot["touched"], hot["live"])) > BINS * 3 / 4, hot
# The start is the same share of neither run, but a small one of both. At the end one node is read.
assert 2 * idle["touched"][0] > idle["live"][0] > 0, idle
assert max(idle["touched"][BINS // 2:]) <= RUNS, idle
for touches in hot, idle:
    assert all(b <= t for b, t in zip(touches["touchedInBurst"], touches["touched"])), touches
assert sum(hot["touchedInBurst"]) > 10 * sum(idle["touchedInBurst"]), (hot, idle)
