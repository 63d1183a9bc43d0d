#!/usr/bin/env python3
#===- bench/profiler/counts.py - Whether the counts are LLVM's -------------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compares profiles of clang's own -fmemory-profile and of Thermocline, context by
context, for deterministic programs, and prints a table of them as Markdown.

LLVM's runtime sums counters that are not the allocation's (docs/runtime-recording.md),
those of a neighbour or of a former life. So each program is built by clang as it is, by clang with
allocations that are kept apart from each other (apart.cpp), and by Thermocline. Numbers of
allocations and bytes must be those of the first, and accesses those of the second,
within 0.1 % in each context. Exits with 1 if any is not.
"""

import argparse
import datetime
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TESTS = ROOT / "test" / "Runtime" / "Counts"
INPUTS = TESTS.parent / "Inputs"
sys.path.insert(0, str(INPUTS))
from compare_profiles import read_profile  # noqa: E402
from run import install  # noqa: E402

# What LLVM's documentation asks for besides -fmemory-profile, so that contexts are whole.
DEBUG = ("-gmlt -fdebug-info-for-profiling -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer "
         "-fno-optimize-sibling-calls -funique-internal-linkage-names").split()
# Gathers and scatters, which clang's own does not count.
LIKE_CLANG = "-Xclang -mllvm -Xclang -thermocline-generate-like-llvm".split()
# LLVM's runtime keeps 30 calls of a context, the first of which is within itself, and the
# second in apart.cpp.
LLVM_CALLS, APART_CALLS, OUR_CALLS = 30, 31, 29
TOLERANCE = 0.001

MODULES = [TESTS / "counts-modules.cpp", TESTS / "Inputs" / "counts_modules.cpp"]

# Name, sources, flags, arguments.
PROGRAMS = [
    ("every kind of access", TESTS / "counts-kernels.cpp", "-O1 -std=c++17", []),
    ("the same, -O3 -mavx2", TESTS / "counts-kernels.cpp", "-O3 -mavx2 -std=c++17", []),
    ("loops of all forms", TESTS / "counts-in-loops.cpp", "-O2 -std=c++20", []),
    ("the same, -O0", TESTS / "counts-in-loops.cpp", "-O0 -std=c++20", []),
    ("the same, -O3 -mavx2", TESTS / "counts-in-loops.cpp", "-O3 -mavx2 -std=c++20", []),
    ("containers", TESTS / "counts-containers.cpp", "-O2 -std=c++17", []),
    ("strings of libc", TESTS / "counts-strings.c", "-O1", []),
    ("threads", TESTS / "counts-threads.cpp", "-O2", []),
    ("two modules", *MODULES, "-O2", []),
] + [
    (name, HERE / "kernels.cpp", flags, [name.split(",")[0]])
    for name, flags in [(name, "-O2 -std=c++20") for name in (
        "chase", "hash", "sort", "matrix", "stencil", "strings", "parse", "tree",
        "calls")] + [
            (name + ", -O3 -mavx2", "-O3 -mavx2 -std=c++20") for name in (
                "sort", "matrix", "stencil", "strings")]
] + [("json", HERE / "json.cpp", "-O2 -std=c++20", [])]
# Those that take less than a second, and two of the others, once more with each kind of
# optimization at link time.
PROGRAMS += [
    (f"{name}, {lto}", *sources, f"{flags} {lto}", arguments)
    for lto in ("-flto=thin", "-flto=full")
    for name, *sources, flags, arguments in PROGRAMS
    if name in ("every kind of access", "loops of all forms", "containers", "strings of libc",
                "threads", "two modules", "hash", "parse")
]


def fail(message):
    sys.exit(f"counts.py: {message}")


def run(command, **arguments):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **arguments)
    if done.returncode:
        fail(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def profile_of(work, program, arguments, options):
    """What the program says, and its profile."""
    for old in work.glob("raw.*"):
        old.unlink()
    output = run([program, *arguments], cwd=work,
                 env=dict(os.environ, MEMPROF_OPTIONS=f"log_path={work}/raw:{options}"))
    raw, = work.glob("raw.*")
    return output, read_profile("llvm-profdata-22", str(program), str(raw))


def difference(theirs, ours, context):
    """Of the accesses, relative to the greater number."""
    a, b = (profile[context][2] if context in profile else 0 for profile in (theirs, ours))
    return abs(a - b) / max(a, b, 1)


def total(profile, field):
    return sum(values[field] for values in profile.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--only", metavar="TEXT", default="", help="programs whose name has TEXT")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    config = build / "config" / "thermocline-generate.cfg"
    if not config.exists():
        fail(f"no {config}: build first")
    if arguments.only in "json":
        install()
    work = build / "bench-counts"
    work.mkdir(exist_ok=True)

    apart = work / "apart.o"
    run(["clang++-22", "-std=c++20", "-O1", "-fno-builtin", "-fno-omit-frame-pointer",
         "-fno-optimize-sibling-calls", "-c", HERE / "apart.cpp", "-o", apart])
    print(f"{datetime.date.today()}, {TOLERANCE:.1%} allowed\n")
    print("| program | contexts | allocations | bytes | accesses, clang's | clang's, allocations "
          "apart | Thermocline | largest difference of a context | contexts LLVM counts wrong |")
    print("|---|---|---|---|---|---|---|---|---|")
    agrees, compared = True, 0
    for name, *sources, flags, parameters in PROGRAMS:
        if arguments.only not in name:
            continue
        flags = flags.split() + ["-fuse-ld=lld", "-pthread", "-w"]
        compiler = "clang-22" if sources[0].suffix == ".c" else "clang++-22"
        stock, exact, ours = (work / part for part in ("stock", "exact", "ours"))
        code = [work / f"code-{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, code):
            # With the headers of the config file, so that both have the same calls.
            run([compiler, *DEBUG, "-cxx-isystem", config.with_name("libstdc++"),
                 "-fmemory-profile", *flags, "-c", source, "-o", made])
        stock_link = ["-fmemory-profile", *flags, "-Wl,--build-id", *code]
        run([compiler, *stock_link, "-o", stock])
        # Linked as C, without the runtime's operators new and delete.
        run(["clang-22", *stock_link, apart, "-lstdc++", "-lm", "-o", exact])
        run([compiler, f"--config={config}", *LIKE_CLANG, *flags, *sources, "-o", ours])
        # LLVM's runtime walks by frame pointers alone.
        answers, profiles = zip(*(
            profile_of(work, program, parameters, f"malloc_context_size={options}")
            for program, options in ((stock, LLVM_CALLS), (exact, APART_CALLS),
                                     (ours, f"{OUR_CALLS}:unwind_tables=0"))))
        if len(set(answers)) != 1:
            fail(f"{name}: the builds answer differently")
        a, b, c = profiles
        contexts = set(a) | set(b) | set(c)
        for context in contexts:
            if context not in a or context not in b or context not in c or \
                    a[context][:2] != c[context][:2] or b[context][0] != c[context][0]:
                agrees = False
                print(f"{name}: {context}\n  {a.get(context)}\n  {b.get(context)}\n"
                      f"  {c.get(context)}", file=sys.stderr)
        largest = max(difference(b, c, context) for context in contexts)
        wrong = sum(difference(a, b, context) > TOLERANCE for context in contexts)
        agrees &= largest <= TOLERANCE
        compared += len(contexts)
        shown = f"{100 * largest:.2g} %" if largest else "none"
        print(f"| {name} | {len(contexts):,} | {total(c, 0):,} | {total(c, 1):,} "
              f"| {total(a, 2):,} | {total(b, 2):,} | {total(c, 2):,} | {shown} "
              f"| {wrong} |", flush=True)
    if not compared:
        fail("nothing to compare")
    return 0 if agrees else 1


if __name__ == "__main__":
    sys.exit(main())
