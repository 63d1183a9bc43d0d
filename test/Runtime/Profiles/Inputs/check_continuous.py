#!/usr/bin/env python3
"""usage: check_continuous.py PROGRAM THERMO-PROFDATA LLVM-PROFDATA
Runs PROGRAM in each of its modes, with a continuous profile; kills it once it
says "ready". Says how it ended, how many profiles it left, and how often each of
them has the allocations made in before(), during() and after(): with both tools,
which must agree."""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

program, thermo, llvm = sys.argv[1:]
NAMES = ["before", "during", "after"]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def by_thermo(path):
    run(thermo, "merge", "--quiet", "--binary=" + program, "-o", path + ".indexed", path)
    contexts = exported.loads(run(thermo, "export", "--binary=" + program, path + ".indexed"))["contexts"]
    counts = dict.fromkeys(NAMES, 0)
    for context in contexts:
        name = context["frames"][0].get("name")
        if name in counts:
            counts[name] += context["measures"]["AllocCount"]
    os.remove(path + ".indexed")
    return counts, len(contexts)


def by_llvm(path):
    text = run(llvm, "show", "--memory", "--profiled-binary=" + program, path)
    counts = dict.fromkeys(NAMES, 0)
    seen = set()
    for site in text.split("Records:")[1].split("Callstack:")[1:]:
        stack, _, measures = site.partition("MemInfoBlock")
        name = re.search(r"SymbolName: (\S+)", stack)[1]
        # A context is listed once for each inlined frame.
        if name in counts and measures and stack not in seen:
            seen.add(stack)
            counts[name] += int(re.search(r"AllocCount: (\d+)", measures)[1])
    return counts


def say(counts):
    names = [n for n in NAMES if counts[n] or n != "after"]
    return " ".join("%s %d" % (n, counts[n]) for n in names)


for mode in ["kill", "many", "pattern", "return", "abort", "_exit", "threads",
             "threads-killed", "fork", "exec", "failed-exec", "dump", "reset",
             "removed", "close-all"]:
    for old in glob.glob("raw*"):
        os.remove(old)
    options = "test_clock=1:continuous=1:log_path=raw-%p:sync_interval_ms=20"
    if mode == "pattern":
        options = "test_clock=1:log_path=raw%c-%p"
    child = subprocess.Popen(
        ["sh", "-c", 'exec "$0" "$1" raw-$$', program, mode],
        stdout=subprocess.PIPE, text=True, start_new_session=True,
        env=dict(os.environ, MEMPROF_OPTIONS=options))
    output = ""
    for line in child.stdout:
        if line.strip() == "ready":
            os.killpg(child.pid, 9)
        else:
            output += line
    status = child.wait()
    files = sorted(glob.glob("raw*"), key=os.path.getmtime)
    if mode in ("fork", "exec"):
        files.sort(key=lambda name: len(name) > len("raw-%d" % child.pid) or name != "raw-%d" % child.pid)
    elif mode == "reset":
        files.sort(key=len)
    said, most = [], 0
    for path in files:
        counts, contexts = by_thermo(path)
        most = max(most, contexts)
        if counts != by_llvm(path):
            said.append("the tools disagree")
        said.append(say(counts))
    extra = [output.strip()] if output.strip() else []
    if mode == "many":
        extra.append("%d contexts or more" % min(most, 1900))
    print("%s: status %d, %d profile%s, %s" % (
        mode, status, len(files), "" if len(files) == 1 else "s", ", ".join(said + extra)))
    hidden = [name for name in os.listdir(".") if name.startswith(".")]
    if hidden:
        print("left:", hidden)
