#!/usr/bin/env python3
"""Checks that every frame of a profile is where the source has its call.

usage: check_frames.py BUILD LLVM-BIN DIR FLAGS PROFILING-FLAGS SOURCE...
       check_frames.py BUILD LLVM-BIN DIR random FIRST LAST

The sources are built for profiling with FLAGS and PROFILING-FLAGS, and again
without optimization: both programs must allocate in the same contexts, as often.
Built for use with FLAGS, each profiled frame must have a call in the annotated
bitcode, and the compiler must not warn. Flags that start with -Wl, and -fuse-ld=
are given to links only. With -fprofile-generate or -fprofile-instr-generate among
PROFILING-FLAGS the counters of the run are used, too; calls that are alike become
one before the former are placed, so that contexts are not compared.

"random" does this with the programs of random_calls.py for each seed from FIRST to
LAST, each with one of KINDS. A program that fails stays in DIR.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts"))
import exported

build, llvm, folder = sys.argv[1:4]
here = os.path.dirname(os.path.abspath(__file__))
FOLD = "-ffunction-sections -Wl,--icf=all"
LTO_INLINES = "-mllvm -inline-threshold=10 -Wl,-mllvm,-inline-threshold=3000"
HIDDEN = " ".join("-mllvm -" + option for option in (
    "hot-cold-split", "ir-outliner", "enable-partial-inlining", "enable-gvn-hoist", "enable-gvn-sink"))
# FLAGS and PROFILING-FLAGS.
KINDS = [
    ("-O2", ""),
    ("-O3", ""),
    ("-O1", ""),
    ("-Os", ""),
    ("-Oz", ""),
    ("-O2", "-flto=thin"),
    ("-O3", "-flto=full"),
    ("-O2", FOLD),
    ("-O3 -g", FOLD + " -flto=thin"),
    ("-O2 -fno-plt -fPIC", ""),
    ("-O2", "-Xclang -fmerge-functions"),
    ("-O2", "-flto=full " + LTO_INLINES),
    ("-O2 -fstrict-vtable-pointers", "-flto=thin -fwhole-program-vtables -fvisibility=hidden " + LTO_INLINES),
    ("-O2 -fsplit-machine-functions", "-fuse-ld=gold " + FOLD),
    ("-O2", "-fprofile-generate"),
    ("-O3 " + HIDDEN, ""),
]


def run(*command, **keywords):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **keywords)
    if result.returncode:
        sys.exit("%s\nfailed: %s" % (result.stdout, " ".join(command)))
    return result.stdout


def compile_all(out, flags, sources):
    """The objects, and what the compilers said."""
    flags = [f for f in flags if not f.startswith(("-Wl,", "-fuse-ld="))]
    objects, said = [], ""
    for source in sources:
        compiler = ["/clang"] if source.endswith(".c") else ["/clang++", "-std=c++20"]
        objects.append("%s.%s.o" % (out, os.path.basename(source)))
        said += run(llvm + compiler[0], *compiler[1:], "-Wno-everything", "-Wbackend-plugin", *flags, "-c", source, "-o", objects[-1])
    return objects, said


def profile(program, flags, sources):
    """Contexts of a profiled build with their allocations, its frames by id, and its profile."""
    flags = ["--config=" + build + "/config/thermocline-generate.cfg", *flags]
    if not any(f.startswith("-fuse-ld=") for f in flags):
        flags.append("-fuse-ld=lld")
    if "-fuse-ld=gold" in flags:  # It keeps no path of a library without a name of its own.
        flags.append("-Wl,-rpath," + os.path.abspath(build) + "/lib")
    objects, _ = compile_all(program, flags, sources)
    run(llvm + "/clang++", *flags, *objects, "-o", program)
    options = "malloc_context_size=256:log_path=" + program + ".raw"
    counters = program + ".profraw"
    run(program, env={**os.environ, "MEMPROF_OPTIONS": options, "LLVM_PROFILE_FILE": counters}, timeout=300)
    merged = program + ".prof"
    if "-fprofile-instr-generate" in flags:
        run(llvm + "/llvm-profdata", "merge", counters, "-o", program + ".counters")
    counters = [counters] if "-fprofile-generate" in flags else []
    run(build + "/bin/thermo-profdata", "merge", "--quiet", "--binary=" + program, "-o", merged, *glob.glob(program + ".raw.*"), *counters)
    contexts, frames = {}, {}
    for context in exported.loads(run(build + "/bin/thermo-profdata", "export", "--binary=" + program, merged))["contexts"]:
        stack = []
        for frame in context["frames"]:
            place = "%s+%d:%d" % (frame.get("name", frame["function"]), frame["lineOffset"], frame["column"])
            frames[int(frame["stackId"], 16)] = place
            stack.append(place)
        # The profile tells those that were inlined from those that were not.
        text = " < ".join(stack)
        contexts[text] = contexts.get(text, 0) + context["measures"]["AllocCount"]
    return contexts, frames, merged


def annotated(out, flags, sources, merged):
    """Whether a frame is found in the annotated bitcode, by id and place, and what the compilers said."""
    config = ["--config=" + build + "/config/thermocline-use.cfg", "-fmemory-profile-use=" + merged]
    objects, said = compile_all(out, [*config, *flags, "-Rpass-missed=memory-profile-info"], sources)
    ids, defined, missed = set(), set(), set()
    for bitcode in objects:
        text = run(llvm + "/llvm-dis", bitcode, "-o", "-")
        nodes = dict(re.findall(r"^!(\d+) = !\{((?:i64 -?\d+(?:, )?)+)\}", text, re.M))
        for node in re.findall(r"!callsite !(\d+)", text):
            ids.update(int(i) & (2**64 - 1) for i in re.findall(r"i64 (-?\d+)", nodes[node]))
        # What co_await calls is no call yet, and has no id.
        if "@llvm.coro.await.suspend" in text:
            defined.update(re.findall(r"^define [^@]*@\"?([^\s(\"]+)", text, re.M))
    for name, places in re.findall(r"heap profile of (\S+) does not match: no call at(.*) \[", said):
        missed.update(name + place for place in places.split())
    found = lambda id, place: id in ids or (place not in missed and place.rsplit("+", 1)[0] in defined)
    said = [line for line in said.splitlines() if " warning: " in line or line.startswith("warning: ")]
    return found, "\n".join(said)


def check(name, at, flags, profiling, sources):
    flags, profiling = flags.split(), profiling.split()
    by_source, _, _ = profile(at + "/O0", flags + ["-O0"], sources)
    seen, frames, merged = profile(at + "/generate", flags + profiling, sources)
    counters = []
    if "-fprofile-generate" in profiling:
        by_source = seen
        counters = ["-fprofile-use=" + merged]
    elif "-fprofile-instr-generate" in profiling:
        counters = ["-fprofile-instr-use=" + at + "/generate.counters"]
    found, said = annotated(at + "/use", flags + counters, sources, merged)
    different = sorted(c for c in by_source.keys() | seen.keys() if by_source.get(c) != seen.get(c))
    unmatched = sorted(frames[i] for i in frames if not found(i, frames[i]))
    print("%s%s: %d contexts, %d different; %d frames, %d unmatched" % (
        name, " ".join(flags + profiling), len(seen), len(different), len(frames), len(unmatched)), flush=True)
    wrong = ["%d allocations, %d by source: %s" % (seen.get(c, 0), by_source.get(c, 0), c) for c in different]
    wrong += ["no call: " + frame for frame in unmatched] + ([said] if said else [])
    if wrong:
        with open(at + "/wrong.txt", "w") as out:
            out.write("\n".join(wrong) + "\n")
        print("\n".join(w[:400] for w in wrong[:5]))
    return len(seen), len(frames), len(unmatched), bool(wrong)


def check_random(seed):
    at = os.path.join(folder, str(seed))
    shutil.rmtree(at, ignore_errors=True)
    run(sys.executable, here + "/random_calls.py", str(seed), at)
    sources = [os.path.join(at, s) for s in ("one.cpp", "two.cpp", "three.c")]
    result = check("seed %d, " % seed, at, *KINDS[seed % len(KINDS)], sources)
    if not result[-1]:
        shutil.rmtree(at)
    return result


if sys.argv[4] == "random":
    results = [check_random(seed) for seed in range(int(sys.argv[5]), int(sys.argv[6]) + 1)]
    print("%d programs: %d contexts, %d frames, %d unmatched; %d programs wrong" % (
        len(results), *(sum(r[i] for r in results) for i in range(4))))
else:
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    results = [check("", folder, sys.argv[4], sys.argv[5], sys.argv[6:])]
sys.exit(any(r[-1] for r in results))
