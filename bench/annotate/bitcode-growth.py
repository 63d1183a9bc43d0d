#!/usr/bin/env python3
"""Measures how annotation makes bitcode grow.

Usage: bitcode-growth.py --plugin Thermocline.so --profile FILE [--clang CLANG]
                         SOURCE... [-- FLAG...]

Compiles each source to ThinLTO bitcode at -O2 four times: without a heap profile,
with clang's own annotation, and with Thermocline's, trimmed and whole. Prints the
bytes of all objects, and their ratio.
"""

import argparse
import os
import subprocess
import sys
import tempfile

DEBUG = ["-gmlt", "-fdebug-info-for-profiling", "-funique-internal-linkage-names"]


def compile_all(clang, sources, flags, folder):
    """Bytes of the objects."""
    size = 0
    for number, source in enumerate(sources):
        output = os.path.join(folder, "%d.o" % number)
        driver = clang if source.endswith(".c") else clang.replace("clang", "clang++")
        language = [] if source.endswith(".c") else ["-std=c++20"]
        subprocess.run(
            [driver, "-O2", "-flto=thin", "-c", source, "-o", output]
            + language
            + DEBUG
            + flags,
            check=True,
        )
        size += os.path.getsize(output)
    return size


def main():
    arguments = sys.argv[1:]
    extra = []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, extra = arguments[:split], arguments[split + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args(arguments)

    profile = ["-fmemory-profile-use=" + options.profile]
    ours = profile + ["-fpass-plugin=" + options.plugin, "-mllvm", "-thermocline-use"]
    rows = [
        ("no heap profile", []),
        ("clang's annotation", profile),
        ("trimmed", ours + ["-mllvm", "-thermocline-trim-contexts"]),
        ("whole", ours),
    ]
    print("%-20s %12s %7s" % ("annotation", "bytes", "ratio"))
    with tempfile.TemporaryDirectory() as folder:
        base = None
        for name, flags in rows:
            size = compile_all(options.clang, options.sources, flags + extra, folder)
            base = base or size
            print("%-20s %12s %7.3f" % (name, format(size, ","), size / base))
    return 0


sys.exit(main())
