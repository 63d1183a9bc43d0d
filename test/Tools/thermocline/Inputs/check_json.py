"""check_json.py record|compare FILE: checks the keys that are documented, and that figures are of
one another."""
import json
import statistics
import sys

kind, file = sys.argv[1:]
with open(file) as opened:
    top = json.load(opened)


def expect(holds, what):
    if not holds:
        sys.exit(f"{file}: {what}: {json.dumps(top, indent=1)}")


if kind == "record":
    expect(list(top) == ["version", "command", "exitCode", "signal", "seconds", "profile",
                         "rawProfiles", "rawProfilesLeftOut", "binaries", "contexts", "bytes", "coldContexts",
                         "coldBytes", "goal", "workingSetBefore", "workingSetAfter",
                         "otherHorizonBefore", "otherHorizonAfter", "smallObjects", "verdict",
                         "advice"],
           "keys")
    expect(top["verdict"] == "gain", "verdict")
    expect(top["command"] == ["./program", "field", "0.2"], "command")
    expect(top["exitCode"] == 0 and top["signal"] is None, "end")
    expect(top["seconds"] > 0.2 and top["profile"] == "profile", "run")
    expect(top["rawProfiles"] == 1 and top["rawProfilesLeftOut"] == 0, "raw profiles")
    expect(top["binaries"] == ["./program"], "binaries")
    expect(top["coldContexts"] == 1 and 5 << 20 < top["coldBytes"] < top["bytes"], "bytes")
    expect(0 < top["workingSetAfter"] < top["workingSetBefore"], "working set")
    expect(top["goal"] == "burst", "goal")
    expect(0 < top["otherHorizonAfter"] < top["otherHorizonBefore"], "other horizon")
    expect(top["advice"][0].startswith("Working set: "), "advice")
else:
    expect(list(top) == ["version", "before", "after", "pairs", "memoryPairs", "measures"], "keys")
    expect(top["before"] == {"program": "./small", "command": ["./small", "1000"], "exitCode": 0,
                             "coldHeap": None, "mayLackHints": False,
                             "smallObjects": None, "smallObjectsBy": None},
           "before")
    expect(top["after"]["program"] == "./large", "after")
    expect(list(top["measures"]) == ["processorSeconds", "wallSeconds", "touchedBytes",
                                     "peakRssBytes", "finalRssBytes"], "measures")
    for name, measure in top["measures"].items():
        expect(list(measure) == ["before", "after", "ratio", "low", "high", "difference",
                                 "beforeRuns", "afterRuns"], name)
        pairs = top["memoryPairs" if name.endswith("Bytes") else "pairs"]
        expect(len(measure["beforeRuns"]) == len(measure["afterRuns"]) == pairs, name)
        expect(measure["before"] == statistics.median(measure["beforeRuns"]), name)
        if pairs < 6:
            expect(measure["low"] is None and measure["difference"] == "unknown", name)
        else:
            expect(1 < measure["low"] <= measure["ratio"] <= measure["high"], name)
            expect(measure["difference"] == "more", name)
