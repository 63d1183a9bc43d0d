#===- bench/gain/facts.py - What profile, link and a run say ---------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What is known of a program before its times are measured: what is cold by the profile, what the
link hints, what reaches the cold heap, and what was predicted."""

import json
import os
import re
import sys

from bench_error import run
from build import text_size
from limit import limit_of
from measure import measure

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
from exported import loads


def alloc_stats(text):
    """Calls and bytes that reached the cold heap, of THERMOCLINE_ALLOC_STATS."""
    total = re.search(r" kind=total .*\bcold_calls=(\d+) cold_bytes=(\d+)", text)
    return {"coldCalls": int(total[1]), "coldBytes": int(total[2])} if total else \
        {"coldCalls": 0, "coldBytes": 0}


def cold_at_run_time(program, binary, arguments, size, file):
    """What a run of a program asks of the cold heap, and gets."""
    file.unlink(missing_ok=True)
    measure(program, [binary, *arguments],
            dict(os.environ, THERMOCLINE_ALLOC_STATS=str(file)), size)
    # A program without the functions says nothing.
    return alloc_stats(file.read_text() if file.exists() else "")


def predicted_of(exported):
    """The share of the pages touched in a window that hints leave, or None if the profile does not
    tell."""
    window = exported.get("predicted", {}).get("window")
    if not window or not window["before"]:
        return None
    return window["after"] / window["before"]


def windows_per_round(exported, program):
    """How many windows the profile has for a round of the steady phase; None if it does not know
    the phase."""
    for phase in exported.get("phases", ()):
        if phase["name"] == "steady":
            return phase["windows"] / program.profiled.rounds
    return None


def facts_of(ways, program, builder, made, profile):
    exported = loads(run([ways.profdata, "export", f"--binary={made['generate']}", profile]))
    cold = sum(context["measures"]["TotalSize"] for context in exported["contexts"]
               if context["cold"])
    # A process that forked has several; the largest is that of the program.
    raw = max((builder.folder / "generate").glob("raw*"), key=lambda file: file.stat().st_size)
    raw_exported = json.loads(run([ways.profdata, "export", f"--binary={made['generate']}", raw]))
    report = json.loads((builder.folder / "report.json").read_text())
    inputs = program.arguments(builder.inputs, program.profiled)
    stats = builder.folder / "stats"
    on_profiled = {name: cold_at_run_time(program, made[name], inputs, program.profiled, stats)
                   for name in ("use", "stock", "stock-tuned") if name in made}
    on_measured = cold_at_run_time(
        program, made["use"], program.arguments(builder.inputs, program.measured),
        program.measured, stats)
    return {
        "profiledBytes": sum(context["measures"]["TotalSize"]
                             for context in exported["contexts"]),
        "profiledCold": cold,
        "hintedCold": on_profiled["use"]["coldBytes"],
        "falseCold": report["notColdToCold"]["bytes"],
        "clones": report["clones"],
        "measuredCold": on_measured,
        "text": text_size(made["use"]), "textPlain": text_size(made["allocator"]),
        "predicted": predicted_of(exported),
        "windowsPerRound": windows_per_round(exported, program), "limit": limit_of(raw_exported),
        "stock": {name: on_profiled[name] for name in on_profiled if name != "use"},
    }
