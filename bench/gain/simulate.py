#===- bench/gain/simulate.py - Misses of simulated caches ------------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Counts misses of data in simulated caches and TLBs, which are the same in each run.

Valgrind's cachegrind simulates two levels of caches. A TLB is a cache with lines of a page, so a
second run has those. Cachegrind counts from start to end: the steady phase is what twice as many
rounds have more.
"""

import concurrent.futures
import shutil

from bench_error import BenchError, run
from program import Size

# Bytes, ways and bytes of a line: 64 and 1,536 pages, and the first two levels of caches. Which
# pages share a set of a small TLB is chance, so any of its pages may be anywhere.
LEVELS = {"TLB": ("262144,64,4096", "6291456,12,4096"), "cache": ("32768,8,64", "2097152,16,64")}
VARIANTS = ("jemalloc", "ours", "hints")
# A simulated instruction takes some fifty times as long as a real one.
FEWER_ROUNDS = 4


def missed(text):
    """Data references, and misses in the first and the last level, as cachegrind's output file
    sums them up."""
    lines = dict(line.split(": ", 1) for line in text.splitlines()
                 if line.startswith(("events: ", "summary: ")))
    counts = dict(zip(lines["events"].split(), map(int, lines["summary"].split())))
    return [sum(counts[name] for name in names)
            for names in (("Dr", "Dw"), ("D1mr", "D1mw"), ("DLmr", "DLmw"))]


def difference(once, twice):
    return [more - less for less, more in zip(once, twice)]


def simulated(program, command_of, arguments_of, folder):
    """By variant and kind of cache, what a steady phase references and misses. `command_of` gives
    the command of a variant with arguments, and its environment; `arguments_of` those of a
    size."""
    if not shutil.which("valgrind"):
        raise BenchError("no valgrind (apt-get install valgrind)")
    if program.client:
        raise BenchError("a server is not simulated: its client would wait for it")
    rounds = max(program.profiled.rounds // FEWER_ROUNDS, 1)

    def counted(variant, kind, times):
        out = folder / f"cachegrind-{variant}-{kind}-{times}"
        command, environment = command_of(
            variant, arguments_of(Size(program.profiled.amount, rounds * times)))
        first, last = LEVELS[kind]
        # Debian's valgrind gives up on some debug information of clang 22.
        stripped = out.with_suffix(".stripped")
        run(["strip", "--strip-debug", "-o", stripped, command[0]])
        run(["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--I1={first}", f"--D1={first}",
             f"--LL={last}", f"--cachegrind-out-file={out}", stripped,
             *command[1:]], env=environment)
        stripped.unlink()
        return missed(out.read_text())

    wanted = [(variant, kind, times) for variant in VARIANTS for kind in LEVELS
              for times in (1, 2)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as workers:
        found = dict(zip(wanted, workers.map(lambda which: counted(*which), wanted)))
    return {variant: {kind: difference(found[variant, kind, 1], found[variant, kind, 2])
                      for kind in LEVELS} for variant in VARIANTS}
