#!/usr/bin/env python3
"""Checks that sampling makes nothing look cold.

usage: check_never_cold.py COMPILER THERMO-PROFDATA CONFIG DIR SOURCE...

Builds each program for sampling and runs it with all allocations recorded, and with
few. Whatever has few accesses per byte in the second profile, as thermo-profdata
counts them to call it cold, has to have few in the first. Lifetimes are not asked for.
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

# Accesses per byte that are few.
THRESHOLDS = [0, 0.1, 0.5, 1, 2, 5, 20]

compiler, profdata, config, folder, *sources = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def run(command, **environment):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, **environment))


def contexts(program, sample):
    """{id: accesses per byte}"""
    raw, indexed, out = (program + suffix % sample for suffix in (".raw.%d", ".%d.prof",
                                                                  ".%d.json"))
    run([program], MEMPROF_OPTIONS="log_path=%s.%%p:sample=%d" % (raw, sample))
    raw = next(os.path.join(folder, name) for name in os.listdir(folder)
               if name.startswith(os.path.basename(raw) + "."))
    run([profdata, "merge", "--quiet", "--binary=" + program, "-o", indexed, raw])
    run([profdata, "export", "--binary=" + program, "-o", out, indexed])
    measures = {c["id"]: c["measures"] for c in exported.load(out)["contexts"]}
    return {i: max(m["TotalAccessCount"] / m["TotalSize"],
                   m["TotalAccessDensity"] / m["AllocCount"] / 100)
            for i, m in measures.items()}


cold, wrong = 0, 0
for source in sources:
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    run([compiler, "--config=" + config, "-O1", "-w", "-fuse-ld=lld", "-pthread", source, "-o",
         program] + ([] if source.endswith(".c") else ["-std=c++20"]))
    exact = contexts(program, 1)
    for sample in (5, 50):
        estimated = contexts(program, sample)
        both = 0
        for i, density in estimated.items():
            for threshold in THRESHOLDS:
                if density <= threshold < exact[i]:
                    wrong += 1
                    print("  %s: %g accesses per byte, not %g" % (i, density, exact[i]))
                both += density <= threshold
        possible = sum(d <= t for d in exact.values() for t in THRESHOLDS)
        print("%s, 1 of %d: %d contexts, few accesses %d times of %d" % (
            os.path.basename(source), sample, len(exact), both, possible))
        cold += both
print("%d times few in both, %d times only if sampled" % (cold, wrong))
sys.exit(1 if wrong or not cold else 0)
