#!/usr/bin/env python3
#===- bench/thinlink/run.py - The thin link beside stock LLVM --------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Takes random programs through the thin links of stock llvm-lto2 and thermo-lto,
with and without context disambiguation, and prints what was decided and what it
cost, as Markdown. See docs/results/thinlink.md.

Build first: ninja -C BUILD thermo-lto thermocline-bench-generate thermocline-bench-judge
"""

import argparse
import datetime
import json
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

LLVM_BIN = pathlib.Path("/usr/lib/llvm-22/bin")

# Functions and allocations by contexts, as real programs have them; not so modules: each
# gets an index with nearly all functions, and writing those would be most of the time.
SHAPES = {  # contexts: (functions in one of ten layers, modules)
    5_000: (50, 10),
    30_000: (200, 20),
    100_000: (500, 20),
    300_000: (1_000, 20),
    1_000_000: (3_000, 20),
    3_000_000: (10_000, 20),
}

KINDS = {
    "callsites": [],
    "allocation": ["-cold=allocation"],
    "combinations": ["-cold=combinations"],
    "random": ["-cold=random"],
    "inlined": ["-inlined=200"],
    "recursive": ["-recursive=100"],
    "indirect": ["-indirect=100"],
    "tail": ["-tail=100"],
    "mixed": ["-inlined=150", "-recursive=50", "-indirect=50", "-tail=50"],
}

# The stock options without which LLVM decides nothing.
STOCK_ON = ["-enable-memprof-context-disambiguation", "-supports-hot-cold-new"]
OFF = ["-enable-memprof-context-disambiguation=false"]
UNLIMITED = ["-thinlto-memprof-max-growth=none"]
STRICT = UNLIMITED + ["-thinlto-memprof-strict"]
# Calls of random programs have no locality: every module would import nearly all
# others, and that would be most of the time and memory measured.
COMMON = ["-import-instr-limit=0"]
# LLVM takes too long for more.
MAX_STOCK_CONTEXTS = 300_000


class Program:
    """One generated program in a directory of its own."""

    def __init__(self, kind, trimmed, contexts, seed):
        self.kind, self.trimmed, self.contexts, self.seed = kind, trimmed, contexts, seed

    @property
    def group(self):
        return (self.kind, self.trimmed, self.contexts)

    def options(self):
        width, modules = SHAPES[self.contexts]
        return KINDS[self.kind] + (["-trim"] if self.trimmed else []) + [
            "-layers=10", "-fan-out=4", f"-width={width}", f"-allocations={width}",
            f"-modules={modules}", f"-contexts={self.contexts}", f"-seed={self.seed}"]

    def needs_compiling(self):
        """Whether indexes written for other compilers would redirect less: no
        indirect call."""
        return any(o.startswith("-indirect") for o in KINDS[self.kind])


def programs_for(arguments):
    def of(kinds, sizes, seeds, forms=(False, True)):
        return [Program(k, t, n, s) for n in sizes for k in kinds for t in forms
                for s in range(1, seeds + 1)]
    if arguments.only:
        return [Program(kind, form == "trimmed", int(contexts), int(seed))
                for kind, form, contexts, seed in (o.split(",") for o in arguments.only)]
    if arguments.quick:
        return of(KINDS, [5_000], 1)
    result = of(KINDS, [5_000], 3) + of(["callsites"], [30_000, 100_000], 3)
    result += of(["random", "mixed"], [100_000], 1) + of(["callsites"], [300_000], 1)
    if arguments.full:
        result += of(["random", "mixed"], [300_000], 1)
        result += of(["callsites"], [1_000_000, 3_000_000], 1)
    return result


class Failure(Exception):
    """How a linker failed: a word for the table."""


def measure(command, directory, timeout):
    """Runs once; user and system time, wall time, peak memory. The limit is of CPU
    time, so that a busy machine makes no difference."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (timeout, timeout + 5))

    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL,
                                   stderr=errors, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode == -signal.SIGXCPU:
            raise Failure("timeout")
        if process.returncode < 0:
            raise Failure("crash " + signal.Signals(-process.returncode).name)
        if process.returncode != 0:
            errors.seek(0)
            text = errors.read().decode(errors="replace").strip().splitlines()
            raise Failure("error: " + (text[-1] if text else str(process.returncode)))
    return {"cpu": usage.ru_utime + usage.ru_stime, "wall": wall,
            "memory": usage.ru_maxrss * 1024}


def median_of(runs):
    return {key: statistics.median(r[key] for r in runs) for key in runs[0]}


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        build = pathlib.Path(arguments.build).resolve() / "bin"
        self.generate = build / "thermocline-bench-generate"
        self.judge_tool = build / "thermocline-bench-judge"
        self.ours = [str(build / "thermo-lto"), "run"]
        self.stock = [str(LLVM_BIN / "llvm-lto2"), "run"]
        for tool in [self.generate, self.judge_tool, self.ours[0], self.stock[0]]:
            if not os.access(tool, os.X_OK):
                sys.exit(f"error: {tool}: not built or not installed")

    def link(self, tool, options, directory, mode=("-thinlto-distributed-indexes",)):
        """The command line; removes what another linker decided."""
        for index in directory.glob("*.thinlto.bc"):
            index.unlink()
        return tool + ["@link.rsp", "-o", "lto", *COMMON, *mode, *options]

    def judge(self, directory):
        indexes = sorted(str(p) for p in directory.glob("*.thinlto.bc"))
        done = subprocess.run([self.judge_tool, directory / "truth.txt", *indexes],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure("judge: " + done.stderr.strip())
        return json.loads(done.stdout)

    def cost(self, tool, enabled, directory, least):
        """What decisions cost beside none, and these decisions. Runs with and without by
        turns, for what else the machine does; at least so many of each, and short ones
        more often."""
        result = {}
        without, with_it = [], []
        try:
            while len(without) < 5 and (len(without) < least or
                                        sum(r["wall"] for r in without + with_it) < 8):
                for runs, options in [(without, OFF), (with_it, enabled)]:
                    runs.append(measure(self.link(tool, options, directory), directory,
                                        self.arguments.timeout))
            result["without"], result["with"] = median_of(without), median_of(with_it)
            result["added"] = {k: max(0, result["with"][k] - result["without"][k])
                               for k in result["with"]}
            result["judged"] = self.judge(directory)
        except Failure as failure:
            result["failed"] = str(failure)
        return result

    def decisions(self, options, directory, compiles):
        """What Thermocline decides with other options."""
        try:
            mode = ["-thinlto-emit-indexes", "-O0", "-cg-opt-level=0"] if compiles \
                else ["-thinlto-distributed-indexes"]
            measure(self.link(self.ours, options, directory, mode), directory,
                    self.arguments.timeout * (10 if compiles else 1))
            return {"judged": self.judge(directory)}
        except Failure as failure:
            return {"failed": str(failure)}

    def run(self, program):
        directory = pathlib.Path(tempfile.mkdtemp(prefix="thinlink-", dir=self.arguments.work))
        try:
            done = subprocess.run([self.generate, "-o", directory, *program.options()],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit("error: " + done.stderr.strip())
            compiles = program.needs_compiling()
            result = {"size": json.loads(done.stdout),
                      "stock": self.cost(self.stock, STOCK_ON, directory, 1)
                      if program.contexts <= MAX_STOCK_CONTEXTS else {"failed": "not run"},
                      "ours": self.cost(self.ours, UNLIMITED, directory, 3)}
            if compiles:
                result["ours"].update(self.decisions(UNLIMITED, directory, compiles))
            if program.trimmed:
                result["strict"] = self.decisions(STRICT, directory, compiles)
            result["budget"] = self.decisions([], directory, compiles)
            return result
        finally:
            shutil.rmtree(directory)


def percent(part, whole):
    return "–" if whole == 0 else f"{100 * part / whole:.1f} %"


def count(value):
    return f"{value:,.0f}"


def decided(sides):
    """Recall, false cold, clones, instructions of a group of runs."""
    good = [s["judged"] for s in sides if "judged" in s]
    failures = [s["failed"] for s in sides if "failed" in s]
    fails = ", ".join(f"{f} ({failures.count(f)} of {len(sides)})"
                      for f in sorted(set(failures))) or "none"
    if not good:
        return ["–"] * 4 + [fails]

    def total(cell, unit):
        return sum(j[cell][unit] for j in good)

    def recall(unit):
        hinted = total("cold to cold", unit)
        return percent(hinted, hinted + total("cold to not", unit))
    false = total("not to cold", "contexts")
    share = percent(total("not to cold", "bytes"),
                    total("not to cold", "bytes") + total("not to not", "bytes"))
    malformed = sum(j["malformed"] + j["uneven records"] for j in good)
    if malformed:
        fails += f", {malformed} malformed records"
    grown = percent(sum(j["instructions added"] for j in good),
                    sum(j["instructions"] for j in good))
    return [f"{recall('contexts')}, {recall('bytes')}",
            f"{count(false)}, {share}" if false else "0",
            count(statistics.mean(j["clones"] for j in good)), "+" + grown, fails]


def added(sides, key):
    values = [s["added"][key] for s in sides if "added" in s]
    return statistics.median(values) if values else None


def tables(groups, out):
    def row(cells):
        print("| " + " | ".join(cells) + " |", file=out)

    def name(group):
        kind, trimmed, contexts = group
        return [f"{kind}, {'trimmed' if trimmed else 'whole'}"]

    def header(cells):
        row(cells)
        row(["---"] * len(cells))

    print("### Decisions\n", file=out)
    header(["program", "runs", "functions", "contexts", "linker", "recall: contexts, bytes",
            "false cold: contexts, bytes", "clones a run", "instructions", "failures"])
    for group, results in groups.items():
        sizes = [r["size"] for r in results]
        start = name(group) + [str(len(results)),
                               count(statistics.median(s["functions"] for s in sizes)),
                               count(statistics.median(s["contexts"] for s in sizes))]
        unlimited = None
        for side, label in [("stock", "LLVM"), ("ours", "Thermocline"),
                            ("strict", "Thermocline, strict"),
                            ("budget", "Thermocline, budget")]:
            if side not in results[0]:
                continue
            cells = decided([r[side] for r in results])
            if side in ("stock", "ours") or cells != unlimited:
                row(start + [label] + cells)
                start = [""] * len(start)
            unlimited = cells if side == "ours" else unlimited

    print("\n### Cost\n", file=out)
    header(["program", "contexts", "frames", "added CPU time: LLVM", "Thermocline", "ratio",
            "added memory: LLVM", "Thermocline", "ratio", "Thermocline, ns a frame"])
    for group, results in groups.items():
        frames = statistics.median(r["size"]["bitcode frames"] for r in results)
        contexts = statistics.median(r["size"]["bitcode contexts"] for r in results)
        stock = [r["stock"] for r in results]
        ours = [r["ours"] for r in results]

        def seconds(sides):
            value = added(sides, "cpu")
            return "–" if value is None else f"{value:.2f} s"

        def megabytes(sides):
            value = added(sides, "memory")
            return "–" if value is None else f"{value / 1e6:.0f} MB"

        def ratio(key):
            mine, theirs = added(ours, key), added(stock, key)
            if not mine or theirs is None:
                return "–"
            return f"1/{theirs / mine:.1f}" if theirs >= mine else f"{mine / theirs:.1f}×" \
                if theirs else "–"
        mine = added(ours, "cpu")
        row(name(group) + [
            count(contexts), count(frames), seconds(stock), seconds(ours),
            ratio("cpu"), megabytes(stock), megabytes(ours), ratio("memory"),
            f"{mine / frames * 1e9:.0f}" if mine is not None and frames else "–"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="CMake build directory")
    parser.add_argument("--quick", action="store_true", help="5,000 contexts, one seed")
    parser.add_argument("--full", action="store_true", help="up to 3 million contexts")
    parser.add_argument("--only", metavar="KIND,FORM,CONTEXTS,SEED", action="append",
                        help="this program, and others so given; FORM is whole or trimmed")
    parser.add_argument("--timeout", type=int, default=600,
                        help="seconds of CPU time for one link")
    parser.add_argument("--work", help="directory for the programs; default a temporary one")
    parser.add_argument("--json", help="keep all that was measured")
    arguments = parser.parse_args()
    # Crashes are expected; their memory images are of no use.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    bench = Bench(arguments)
    groups = {}
    everything = []
    for program in programs_for(arguments):
        result = bench.run(program)
        groups.setdefault(program.group, []).append(result)
        everything.append({"program": program.options(), **result})
        print(f"{program.kind} {'trimmed' if program.trimmed else 'whole'} "
              f"{program.contexts} seed {program.seed}: done", file=sys.stderr, flush=True)
        if arguments.json:
            pathlib.Path(arguments.json).write_text(json.dumps(everything, indent=1))
    which = [option for option in ("--quick", "--full") if option in sys.argv]
    which += ["--only=" + program for program in arguments.only or []]
    print(f"{datetime.date.today()}, `{' '.join(['bench/thinlink/run.py'] + which)}`\n")
    tables(groups, sys.stdout)


if __name__ == "__main__":
    main()
