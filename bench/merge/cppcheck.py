#===- bench/merge/cppcheck.py - A real program with many contexts ----------===#
#
# Part of the Thermocline project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Builds cppcheck for profiles from its source package, which apt fetches as bench/gain does."""

import concurrent.futures
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "gain"))

from bench_error import BenchError, run
from sources import Archive

# The bench runs on two cores.
JOBS = 2


class Cppcheck:
    """The program, built in a folder."""

    def __init__(self, folder, compiler):
        folder = pathlib.Path(folder)
        (folder / "apt").mkdir(parents=True)
        self.source, self.version = Archive(folder / "apt").tree("cppcheck")
        self.program = folder / "cppcheck"
        externals = self.source / "externals"
        files = [*sorted(self.source.glob("lib/*.cpp")), *sorted(self.source.glob("cli/*.cpp")),
                 externals / "simplecpp" / "simplecpp.cpp", externals / "tinyxml2" / "tinyxml2.cpp"]
        flags = ["-O2", "-w", "-std=c++17", f'-DFILESDIR="{self.source}"', f"-I{self.source}/lib",
                 *(f"-I{externals}/{name}" for name in ("", "simplecpp", "tinyxml2", "picojson"))]

        def compile(file):
            output = folder / (file.stem + ".o")
            run([*compiler, *flags, "-c", file, "-o", output])
            return output

        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            objects = list(pool.map(compile, files))
        run([*compiler, *objects, "-o", self.program, "-lpthread"])
        # Its own sources, of which small ones take it a second.
        self.inputs = sorted(self.source.glob("lib/*.cpp"), key=lambda file: file.stat().st_size)

    def command(self, number):
        """A run on one of its ten smallest sources."""
        return [str(self.program), "--enable=all", str(self.inputs[number % 10])]

    def large(self):
        """A run on a source that leads to very many contexts."""
        found = [file for file in self.inputs if file.stem == "checkbufferoverrun"]
        if not found:
            raise BenchError("this cppcheck has no checkbufferoverrun.cpp")
        return [str(self.program), "--enable=all", str(found[0])]
